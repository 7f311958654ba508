"""Support from before the event: who tells in January what is to happen in May has not seen it happen."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from inquest.domain.claim import Claim
from inquest.domain.document import Precision
from inquest.domain.source import Source
from inquest.text.dates import utc
from inquest.text.moments import moments
from inquest.verdicts.votes import Vote

_TO_THE_MONTH = (Precision.MONTH, Precision.DAY, Precision.TIME)


def announcements(claim: Claim, support: Sequence[Vote], heard: Sequence[Source]) -> tuple[Vote, ...]:
    """The votes for a claim that were all cast before the first date it gives, to the month or better, had begun.

    () where the claim gives none, or where nobody among `heard`, the sources of the findings on it, is from that date
    or later: then it is not known that the day has come, and an announcement is all that can be had.
    """
    begins = _begins(claim)
    if begins is None or not any(_day(each, latest=False) >= begins for each in heard if each.published):
        return ()
    return tuple(
        vote
        for vote in support
        if all(each.published and _day(each, latest=True) < begins for each in _sources(vote, heard))
    )


def _begins(claim: Claim) -> date | None:
    dates = [each.start for each in moments(claim.text) if each.precision in _TO_THE_MONTH]
    return min(dates, default=None)


def _sources(vote: Vote, heard: Sequence[Source]) -> list[Source]:
    ids = {each.source_id for each in vote.findings}
    return [each for each in heard if each.id in ids]


def _day(source: Source, *, latest: bool) -> date:
    assert source.published is not None
    return utc(source.published.latest if latest else source.published.at).date()
