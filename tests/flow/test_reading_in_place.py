"""Pages that are left out are replaced by others, several at once, until a whole batch is left out too."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from inquest.domain.document import Document
from inquest.domain.drafts import SourceReading
from inquest.flow.nodes import gather
from inquest.flow.services import Services
from inquest.flow.state import CaseState
from inquest.retrieval.reading import Lead, PageRead, ReadSource
from inquest.retrieval.retriever import Retriever
from tests.case_parts import source

READING = SourceReading(summary="", key_claims=(), relevance=1.0)


@pytest.mark.parametrize(
    ("good", "batches"),
    [("ggg", [3]), ("ggxxg", [3, 2]), ("xxxxxxxxxxxx", [3, 3]), ("ggxxxxggg", [3, 3]), ("guuuuuug", [3, 3, 2])],
)
async def test_what_is_left_out_is_replaced_a_batch_at_a_time(
    monkeypatch: pytest.MonkeyPatch, good: str, batches: list[int]
) -> None:
    """`good`: g is a source, x is read and left out, u cannot be read."""
    made: list[int] = []

    async def one(lead: Lead, *_: object) -> PageRead | ReadSource:
        kind = good[int(lead.url.rpartition("/")[2])]
        text = Document(snapshot="sha256:a", url=lead.url, title="", text="It rained.")
        page = PageRead(lead, document=None if kind == "u" else text)
        return ReadSource(page, source("A"), READING) if kind == "g" else page

    async def side_by_side(pieces: Sequence[tuple[str, Callable[[], Awaitable[Any]]]]) -> list[Any]:
        made.append(len(pieces))
        return [await begin() for _, begin in pieces]

    monkeypatch.setattr(gather, "_INSTEAD", 3)
    monkeypatch.setattr(gather, "_read_one", one)
    cut = SimpleNamespace(is_too_late=lambda label: False)
    services = cast("Services", SimpleNamespace(cut=cut, side_by_side=side_by_side))
    leads = [Lead(f"https://post.example/{number}") for number in range(len(good))]
    found = await gather._read_best(leads, 3, cast("CaseState", None), cast("Retriever", None), services)
    assert made == batches and len(found) == sum(batches)
