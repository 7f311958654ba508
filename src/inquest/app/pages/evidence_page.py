"""The view model of an archived page: its text with the quotes marked, the drawing of a PDF, other findings on it."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from inquest.app.cases.claim_decisions import claim_decisions
from inquest.domain.case import Case
from inquest.domain.document import Snapshot
from inquest.domain.errors import NotFound
from inquest.domain.event import SAID_BY_PEOPLE, ClaimDecision, questions_in
from inquest.domain.finding import Finding, Stance
from inquest.domain.source import Source
from inquest.reports.decided import ASKED, numbered

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_MOST = 60_000
"""Characters of a page shown at once around the quote."""
_NEAR = "near-"
DRAWN_AT_ONCE = 10
"""Pages of a PDF on one web page."""
_MOST_SHARED = 2_000
"""Characters for a reader without an account: the context of the quote, not the whole of a page under copyright."""


@dataclass(frozen=True)
class Piece:
    """A span of text and the ids of the findings that quote all of it."""

    text: str
    finding_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class EvidencePage:
    """An archived source of a case; `shown` is the requested finding, None: the page as a whole."""

    case: Case
    source: Source
    snapshot: Snapshot
    pieces: tuple[Piece, ...]
    shown: Finding | None
    others: tuple[Finding, ...]
    """Further findings of the same snapshot, in text order."""
    before: int = 0
    """Characters left out before the first piece."""
    after: int = 0
    is_drawn: bool = False
    """True for a PDF or an image."""
    pages: int = 0
    """Number of pages of a PDF."""
    page: int = 1
    """The first page shown of a PDF without a quote."""
    shared: str = ""
    """The path of the reader's link; '': a signed-in person."""
    comments: tuple[ClaimDecision, ...] = ()
    """Comments on the finding that is shown, oldest first."""

    @property
    def beside(self) -> tuple[int, ...]:
        """The pages before and after that of the quote, drawn on demand."""
        page = self.shown.page if self.shown else None
        return tuple(n for n in (page - 1, page + 1) if 1 <= n <= self.pages) if page else ()

    @property
    def drawn(self) -> range:
        """The pages of a PDF without a quote, drawn as the reader scrolls to them."""
        return range(self.page, min(self.page + DRAWN_AT_ONCE, self.pages + 1))

    @property
    def earlier(self) -> int:
        """Offset of the previous part of the text."""
        return max(0, self.before - _MOST)

    @property
    def later(self) -> int:
        """Offset of the next part of the text."""
        return self.before + sum(len(each.text) for each in self.pieces)

    @property
    def address(self) -> str:
        """The base path of the case and its evidence for this reader."""
        return self.shared or f"/cases/{self.case.id}"


@dataclass(frozen=True)
class From:
    """The place from which a source is shown: a page of a PDF or an offset in the text; default: the beginning."""

    page: int | None = None
    at: int | None = None


async def evidence_page(
    app: Resources,
    case: Case,
    *,
    finding_id: str = "",
    source_id: str = "",
    shared: str = "",
    start: From | None = None,
) -> EvidencePage:
    """Return the archived page of a finding, or of a source from `start` on; for a reader with the link `shared`, only
    the quote and its context. Raises NotFound for an unknown id or a page not in the archive, PageError."""
    case = await _with_asked(app, case, finding_id)
    shown = quoted_in(case, finding_id)
    if finding_id and shown is None:
        raise NotFound(f"The case {case.id} has no finding {finding_id[:80]!r}.")
    source = _source_of(case, shown.source_id if shown else source_id)
    hash_ = shown.snapshot if shown else source.snapshot
    text, snapshot = await app.snapshot_text(hash_), await app.archive.snapshot(hash_)
    document = await app.archive.document(hash_)
    on_page = [each for each in case.findings if each.snapshot == hash_ and each.quote and each.end <= len(text)]
    on_page += [shown] if shown and shown not in on_page else []
    is_drawn = document is not None and document.kind in ("pdf", "image")
    pages = document.pages if document is not None and is_drawn else ()
    page, at = _first_place(pages, start or From())
    comments: tuple[ClaimDecision, ...] = ()
    if shown is not None and not shared:  # by the quote, because a further round may renumber findings
        decisions = claim_decisions(await app.events_of(case.id, *SAID_BY_PEOPLE))
        comments = tuple(each for each in decisions if each.quote and each.quote == shown.quote)
    first, last = _window(len(text), shown, _MOST_SHARED if shared else _MOST, at)
    return EvidencePage(
        case=case,
        source=source,
        snapshot=snapshot,
        pieces=pieces_of(text, on_page, first, last),
        shown=shown,
        others=tuple(sorted((f for f in on_page if f is not shown), key=lambda f: (f.start, f.end, f.id))),
        before=first,
        after=len(text) - last,
        is_drawn=is_drawn,
        pages=len(pages),
        page=page,
        shared=shared,
        comments=comments,
    )


def quoted_in(case: Case, id: str) -> Finding | None:
    """Return the finding with this id; 'near-1', 'near-2', ... are the sentences nearest to unverified claims."""
    number = id.removeprefix(_NEAR)
    if id.startswith(_NEAR) and number.isdecimal() and 0 < int(number) <= len(case.nearest):
        near = case.nearest[int(number) - 1]
        place = near.model_dump(exclude={"claim_id"})
        return Finding(id=id, claim_id=None, agent="nearest", stance=Stance.NEUTRAL, confidence=0.0, **place)
    return next((each for each in case.findings if each.id == id), None)


def _source_of(case: Case, source_id: str) -> Source:
    source = next((each for each in case.sources if each.id == source_id), None)
    if source is None:
        raise NotFound(f"The case {case.id} has no source {source_id[:80]!r}.")
    return source


async def _with_asked(app: Resources, case: Case, finding_id: str) -> Case:
    """Return the case, with the findings that answer questions about it if the id is that of one of these."""
    if not finding_id.startswith(ASKED):
        return case
    return numbered(case, questions_in(await app.events_of(case.id, *SAID_BY_PEOPLE)))[0]


def _first_place(pages: Sequence[int], start: From) -> tuple[int, int]:
    """Return the first page and the text offset to show. `pages`: the offset of each page of a PDF."""
    if not pages:
        return 1, max(0, start.at or 0)
    if start.page is None and start.at is not None:
        return max(1, bisect_right(pages, start.at)), max(0, start.at)
    page = min(max(1, start.page or 1), len(pages))
    return page, pages[page - 1]


def _window(length: int, shown: Finding | None, most: int, at: int) -> tuple[int, int]:
    if shown is None:
        first = min(at, max(0, length - 1))
        return first, min(length, first + most)
    if shown.end - shown.start > most:
        return shown.start, shown.end
    first = max(0, min((shown.start + shown.end) // 2 - most // 2, length - most))
    return first, min(length, first + most)


def pieces_of(text: str, findings: Sequence[Finding], first: int, last: int) -> tuple[Piece, ...]:
    """Cut the text from `first` to `last` wherever a quote begins or ends; the pieces join to that text."""
    places = (place for f in findings for place in (f.start, f.end))
    cuts = sorted({first, last, *(place for place in places if first < place < last)})
    return tuple(
        Piece(text[start:end], tuple(f.id for f in findings if f.start <= start and end <= f.end))
        for start, end in pairwise(cuts)
    )


async def drawn_page(app: Resources, case: Case, source_id: str, number: int, finding_id: str = "") -> bytes:
    """Draw a page of a PDF or image as PNG, the quote of the finding marked. Raises NotFound, PageUnreadable."""
    from inquest.readers.pdf.drawing import draw_page

    source = _source_of(case, source_id)
    finding = quoted_in(await _with_asked(app, case, finding_id), finding_id)
    if finding is not None and finding.source_id != source_id:
        finding = None
    body = await app.archive.body(finding.snapshot if finding else source.snapshot)
    return await asyncio.to_thread(draw_page, body, number, finding.quote if finding else "")
