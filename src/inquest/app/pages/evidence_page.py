"""An archived page as its reader sees it: the whole text, the quote at its place, and what else rests on the page."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from inquest.app.cases.claim_decisions import claim_decisions
from inquest.domain.case import Case
from inquest.domain.case_question import questions_in
from inquest.domain.claim_decision import ClaimDecision
from inquest.domain.document import Snapshot
from inquest.domain.errors import NotFound
from inquest.domain.event import SAID_BY_PEOPLE
from inquest.domain.finding import Finding, Stance
from inquest.domain.source import Source
from inquest.reports.decided import ASKED, numbered

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_MOST = 60_000
"""Characters of a page that are shown at once around the quote."""
_NEAR = "near-"
DRAWN_AT_ONCE = 10
"""Pages of a PDF that can be scrolled through at one address."""
_MOST_SHARED = 2_000
"""The same for a reader without an account: what a quote needs around it, and not the page of somebody else."""


@dataclass(frozen=True)
class Piece:
    """A stretch of the text and the ids of the findings that quote all of it."""

    text: str
    finding_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class EvidencePage:
    """A source of a case as archived; `shown` is the finding that was asked for, None: the page as a whole."""

    case: Case
    source: Source
    snapshot: Snapshot
    pieces: tuple[Piece, ...]
    shown: Finding | None
    others: tuple[Finding, ...]
    """Further findings of the same snapshot, in the order of their places."""
    before: int = 0
    """Characters of the text that are left out before the first piece."""
    after: int = 0
    is_drawn: bool = False
    """The page can be drawn as it looks."""
    pages: int = 0
    """How many pages a PDF has."""
    page: int = 1
    """Of a PDF without a quote, the page from which on it is shown."""
    shared: str = ""
    """The path of the link by which a reader without an account looks; '': a signed-in person does."""

    comments: tuple[ClaimDecision, ...] = ()
    """What people said of the finding that is shown, oldest first."""

    @property
    def beside(self) -> tuple[int, ...]:
        """The pages before and after that of the quote: they are drawn when somebody opens them, and no others are."""
        page = self.shown.page if self.shown else None
        return tuple(n for n in (page - 1, page + 1) if 1 <= n <= self.pages) if page else ()

    @property
    def drawn(self) -> range:
        """Of a PDF without a quote, the pages that are drawn as somebody scrolls to them."""
        return range(self.page, min(self.page + DRAWN_AT_ONCE, self.pages + 1))

    @property
    def earlier(self) -> int:
        """Where the text begins that appears before what is shown, as a place in the whole text."""
        return max(0, self.before - _MOST)

    @property
    def later(self) -> int:
        """Where the text begins that appears after what is shown."""
        return self.before + sum(len(each.text) for each in self.pieces)

    @property
    def address(self) -> str:
        """The path under which the case and its evidence are, for whoever looks."""
        return self.shared or f"/cases/{self.case.id}"


@dataclass(frozen=True)
class From:
    """From where on a source is shown: a page of a PDF, or a place in the text; without either, from its beginning."""

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
    """The archived page behind a finding, or of a source from `start` on; for a reader who came by the link `shared`,
    the quote with what is around it. Raises NotFound where the case has no such thing or the page is not in the
    archive, PageError."""
    case = await _with_asked(app, case, finding_id)
    shown = quoted_in(case, finding_id)
    if finding_id and shown is None:
        raise NotFound(f"The case {case.id} has no finding {finding_id[:80]!r}.")
    wanted = shown.source_id if shown else source_id
    source = next((each for each in case.sources if each.id == wanted), None)
    if source is None:
        raise NotFound(f"The case {case.id} has no source {wanted[:80]!r}.")
    hash_ = shown.snapshot if shown else source.snapshot
    text, snapshot = await app.snapshot_text(hash_), await app.archive.snapshot(hash_)
    document = await app.archive.document(hash_)
    on_page = [each for each in case.findings if each.snapshot == hash_ and each.quote and each.end <= len(text)]
    on_page += [shown] if shown and shown not in on_page else []
    is_drawn = document is not None and document.kind in ("pdf", "image")
    pages = document.pages if document is not None and is_drawn else ()
    page, at = _begun(pages, start or From())
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
        comments=() if shared or shown is None else await _comments(app, case, shown),
    )


def quoted_in(case: Case, id: str) -> Finding | None:
    """A finding of the case by its id; or of the sentences nearest to unverified claims the one called 'near-1',
    'near-2', in their order, as a finding of its own that is on no claim. None: there is no such thing."""
    number = id.removeprefix(_NEAR)
    if id.startswith(_NEAR) and number.isdecimal() and 0 < int(number) <= len(case.nearest):
        near = case.nearest[int(number) - 1]
        place = near.model_dump(exclude={"claim_id"})
        return Finding(id=id, claim_id=None, agent="nearest", stance=Stance.NEUTRAL, confidence=0.0, **place)
    return next((each for each in case.findings if each.id == id), None)


async def _with_asked(app: Resources, case: Case, finding_id: str) -> Case:
    """The case; where the finding answers a question that was asked of it, with such findings."""
    if not finding_id.startswith(ASKED):
        return case
    return numbered(case, questions_in(await app.events_of(case.id, *SAID_BY_PEOPLE)))[0]


async def _comments(app: Resources, case: Case, shown: Finding) -> tuple[ClaimDecision, ...]:
    """A further round may number findings anew: a comment stays with the quote that it was about."""
    found = claim_decisions(await app.events_of(case.id, *SAID_BY_PEOPLE))
    return tuple(each for each in found if each.quote and each.quote == shown.quote)


def _begun(pages: Sequence[int], start: From) -> tuple[int, int]:
    """The page of a PDF and the place in the text from which on a source is shown. `pages`: where each begins."""
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
    """The text from `first` to `last`, cut wherever a quote begins or ends, each piece with the findings it is of.
    Joined together the pieces are the text again."""
    cuts = sorted({first, last, *_within(first, last, (place for f in findings for place in (f.start, f.end)))})
    found = []
    for start, end in pairwise(cuts):
        ids = tuple(f.id for f in findings if f.start <= start and end <= f.end)
        found.append(Piece(text[start:end], ids))
    return tuple(found)


def _within(first: int, last: int, places: Iterable[int]) -> Iterable[int]:
    return (place for place in places if first < place < last)


async def drawn_page(app: Resources, case: Case, source_id: str, number: int, finding_id: str = "") -> bytes:
    """Page `number` of the PDF or picture of a source as PNG, the quote of the finding marked. Raises NotFound and
    PageUnreadable."""
    from inquest.readers.pdf.drawing import draw_page

    source = next((each for each in case.sources if each.id == source_id), None)
    if source is None:
        raise NotFound(f"The case {case.id} has no source {source_id[:80]!r}.")
    finding = quoted_in(await _with_asked(app, case, finding_id), finding_id)
    if finding is not None and finding.source_id != source_id:
        finding = None
    body = await app.snapshot_bytes(finding.snapshot if finding else source.snapshot)
    return await asyncio.to_thread(draw_page, body, number, finding.quote if finding else "")
