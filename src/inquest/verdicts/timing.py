"""Votes that time has overtaken: announcements before the event, and statements that a later one corrects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from inquest.domain.document import Precision
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.source import Source
from inquest.text.dates import utc
from inquest.text.moments import moments
from inquest.verdicts.votes import Vote

_TO_THE_MONTH = (Precision.MONTH, Precision.DAY, Precision.TIME)


def announcements(claim: str, support: Sequence[Vote], sources: Sequence[Source]) -> tuple[Vote, ...]:
    """The votes for a claim that were all cast before the first date in it, to the month or better.

    () where the claim has no such date, or where none of `sources`, those of the findings on it, is from that date or
    later: an announcement is then the best evidence there can be.
    """
    begins = min((each.start for each in moments(claim) if each.precision in _TO_THE_MONTH), default=None)
    by_id = {each.id: each for each in sources}
    if begins is None or not any(_day(each) >= begins for each in sources if each.published):
        return ()
    return tuple(vote for vote in support if (days := _days(vote, by_id, latest=True)) and max(days) < begins)


def superseded(cast: Sequence[Vote], sources: Mapping[str, Source]) -> tuple[Vote, ...]:
    """The votes that a later one of at least the same tier overtakes, where a contradiction is one of time: of type
    'timeline', or of a party that takes back what it announced.

    Support from after such a contradiction overtakes it, unless somebody contradicts the claim later still; else it
    overtakes the support from before it. `sources` by id. A vote without a date is never involved, and neither hearsay
    nor a party's own statement overtakes anything.
    """
    support = [vote for vote in cast if vote.stance is Stance.SUPPORTS]
    against = [vote for vote in cast if vote.stance is Stance.CONTRADICTS]
    of_time = [
        vote for vote in against if vote.taken_back or vote.findings[0].contradiction_type is ContradictionType.TIMELINE
    ]
    last = [each for each in support if not any(_is_later(other, each, sources) for other in against)]
    before = [vote for vote in of_time if any(_overtakes(each, vote, sources) for each in last)]
    # Where one of them says that time has passed over the claim, others of that time need not say so.
    after = [vote for vote in against if vote not in before] if len(of_time) > len(before) else []
    return (*before, *(vote for vote in support if any(_overtakes(each, vote, sources) for each in after)))


def _overtakes(later: Vote, earlier: Vote, sources: Mapping[str, Source]) -> bool:
    as_credible = not earlier.public if later.taken_back else later.tier <= earlier.tier
    return as_credible and _is_later(later, earlier, sources)


def _is_later(later: Vote, earlier: Vote, sources: Mapping[str, Source]) -> bool:
    """True where all findings of an independent vote are from after all of the other one's."""
    if later.party or later.hearsay:
        return False
    new, old = _days(later, sources, latest=False), _days(earlier, sources, latest=True)
    return bool(new and old) and min(new) > max(old)


def _days(vote: Vote, sources: Mapping[str, Source], *, latest: bool) -> list[date]:
    """The days of its documents; [] where one has none."""
    documents = [sources[each.source_id] for each in vote.findings]
    return [_day(each, latest=latest) for each in documents] if all(each.published for each in documents) else []


def _day(source: Source, *, latest: bool = False) -> date:
    assert source.published is not None
    return utc(source.published.latest if latest else source.published.at).date()
