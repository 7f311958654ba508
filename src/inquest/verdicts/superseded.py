"""What was so then and is not so now: where a contradiction is one of time, the later word stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.source import Source
from inquest.text.dates import utc
from inquest.text.moments import moments
from inquest.verdicts.votes import Vote

_CHANGES_NO_MORE = timedelta(days=5 * 365)
"""After what a claim tells of: appeals, revisions and corrections have come by then."""


def superseded(claim: str, cast: Sequence[Vote], sources: Mapping[str, Source]) -> tuple[Vote, ...]:
    """The votes that a later one has overtaken: the penalty of May after the appeal of October, the record of September
    after it was struck out in November.

    A contradiction of type 'timeline' says that time stands between the two sides, and so does a party that has taken
    back what it announced: what the press had of that is overtaken. The former is overtaken by support from
    after it, of somebody as credible, unless others contradict the claim later still; what supports the claim from
    before it is overtaken by it. Where a vote is
    from years after what the claim tells of, nothing has changed since (a bridge of 1945, described in 2015 and in
    2026). `sources` by id. A vote without a date overtakes nothing and is overtaken by nothing, nor does hearsay or a
    party's word overtake.
    """
    last_day = max((each.end for each in moments(claim)), default=None)
    can_change = [vote for vote in cast if not _is_of_history(vote, last_day, sources)]
    support = [vote for vote in can_change if vote.stance is Stance.SUPPORTS]
    against = [vote for vote in can_change if vote.stance is Stance.CONTRADICTS]
    of_time = [vote for vote in against if _is_of_time(vote)]
    last_word = [each for each in support if not any(_is_later(other, each, sources) for other in against)]
    before = [vote for vote in of_time if any(_overtakes(each, vote, sources) for each in last_word)]
    # Where one of them says that time has passed over the claim, others of that time need not say so.
    after = [vote for vote in against if vote not in before] if len(of_time) > len(before) else []
    taken_back = [vote for vote in against if vote.taken_back]
    overtaken = [vote for vote in support if any(_overtakes(each, vote, sources) for each in after)]
    reported = [vote for vote in support if any(_reports_what(each, vote, sources) for each in taken_back)]
    return (*before, *overtaken, *(vote for vote in reported if vote not in overtaken))


def _is_of_time(vote: Vote) -> bool:
    return vote.findings[0].contradiction_type is ContradictionType.TIMELINE


def _reports_what(taken_back: Vote, earlier: Vote, sources: Mapping[str, Source]) -> bool:
    """Whether the one tells what a party has since taken back, as the papers of those days did."""
    return not earlier.public and _is_later(taken_back, earlier, sources)


def _overtakes(later: Vote, earlier: Vote, sources: Mapping[str, Source]) -> bool:
    """Whether all that the one rests on is from after all that the other rests on, and it is as credible."""
    return later.tier <= earlier.tier and _is_later(later, earlier, sources)


def _is_later(later: Vote, earlier: Vote, sources: Mapping[str, Source]) -> bool:
    """Whether somebody's own word, who is no party, is all from after what the other rests on."""
    if later.party or later.hearsay:
        return False
    new, old = _days(later, sources, latest=False), _days(earlier, sources, latest=True)
    return bool(new and old) and min(new) > max(old)


def _is_of_history(vote: Vote, last_day: date | None, sources: Mapping[str, Source]) -> bool:
    days = _days(vote, sources, latest=False)
    return last_day is not None and bool(days) and min(days) - last_day > _CHANGES_NO_MORE


def _days(vote: Vote, sources: Mapping[str, Source], *, latest: bool) -> list[date]:
    """The days of its documents; () where one has none."""
    published = [sources[each.source_id].published for each in vote.findings]
    dated = [each for each in published if each]
    return [utc(each.latest if latest else each.at).date() for each in dated] if len(dated) == len(published) else []
