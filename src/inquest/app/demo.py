"""The bundled collection, ready to be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inquest.app.requests import brief_from
from inquest.domain.brief import Brief

if TYPE_CHECKING:
    from inquest.app.build import App

__all__ = ["prepare"]

NAME = "demo"


async def prepare(app: App, mode: str) -> Brief:
    """Put the bundled documents into the collection 'demo' (what is there already is skipped), and give its brief."""
    import tomllib

    from inquest.demo import documents, folder

    root = folder()
    await app.collections.add(NAME, documents(), ratings=root / "ratings.csv")
    given = tomllib.loads((root / "demo.toml").read_text("utf-8"))
    text = (root / "brief.txt").read_text("utf-8")
    return brief_from(text, mode=mode, collections=[NAME], engines=["collection"], as_of=given.get("as_of"))
