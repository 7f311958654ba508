"""A page found together with a copy of it at another address is read as itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from inquest.domain.event import Stage
from inquest.domain.search import Hit
from inquest.flow.services import Services
from inquest.retrieval.reading import Lead, read_page


async def test_the_page_s_own_snapshot_is_read_and_not_its_copy_s() -> None:
    asked: list[Hit | None] = []

    async def read(url: str, *, hit: Hit | None) -> tuple[Any, Any]:
        asked.append(hit)
        return SimpleNamespace(), SimpleNamespace()

    def hit(url: str, letter: str) -> Hit:
        return Hit(url=url, engine="collection", rank=1, snapshot=f"sha256:{letter * 64}")

    copy, own = hit("https://echo.example/a", "a"), hit("https://post.example/b", "b")
    services = cast("Services", SimpleNamespace(pages=SimpleNamespace(read=read)))
    await read_page(Lead("https://post.example/b", (copy, own)), services, Stage.DESKS)
    assert asked == [own]
