"""An archived page as a reader of a quote sees it: the words before it, the quote, the words after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from inquest.domain.errors import InputError, NotFound
from inquest.domain.value import Value

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


class Highlight(Value):
    """A span of a page in its context; `before + span + after` stand there one after the other."""

    snapshot: str
    url: str
    retrieved_at: str
    start: int
    end: int
    total: int
    """Characters of the whole text."""
    before: str
    span: str
    after: str


async def highlighted(
    app: Resources, known: Sequence[str], snapshot_hash: str, span: tuple[int, int], around: int
) -> Highlight:
    """The span of the page, where the page is one of `known`. Raises NotFound for another, InputError for a span that
    does not stand in the text, PageError."""
    if snapshot_hash not in known:
        raise NotFound(f"The case rests on no page {snapshot_hash[:100]!r}.", advice="Its sources name its pages.")
    text = await app.snapshot_text(snapshot_hash)
    snapshot = await app.archive.snapshot(snapshot_hash)
    start, end = span
    if not start <= end <= len(text):
        raise InputError(
            f"The page has {len(text):,} characters, in which no span goes from {start} to {end}.",
            advice="Take start and end from the finding.",
        )
    url = snapshot.final_url
    return Highlight(
        snapshot=snapshot_hash,
        url=f"file:///{url.rsplit('/', 1)[-1]}" if url.lower().startswith("file:") else url,
        retrieved_at=snapshot.retrieved_at.isoformat(),
        start=start,
        end=end,
        total=len(text),
        before=text[max(0, start - around) : start],
        span=text[start:end],
        after=text[end : end + around],
    )
