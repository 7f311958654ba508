"""What was so then and is not so now: where a contradiction is one of time, the later word stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.source import Source
from inquest.text.dates import utc
from inquest.verdicts.votes import Vote


def superseded(cast: Sequence[Vote], sources: Mapping[str, Source]) -> tuple[Vote, ...]:
    """The votes that a later one has overtaken: the penalty of May after the appeal of October, the record of September
    after it was struck out in November.

    Only a contradiction of type 'timeline' says that time stands between the two sides. It is overtaken by support from
    after it, of somebody as credible; what supports the claim from before it is overtaken by it. `sources` by id. A
    vote without a date overtakes nothing and is overtaken by nothing, nor does hearsay or a party's word overtake.
    """
    support = [vote for vote in cast if vote.stance is Stance.SUPPORTS]
    of_time = [vote for vote in cast if vote.stance is Stance.CONTRADICTS and _is_of_time(vote)]
    before = [vote for vote in of_time if any(_overtakes(each, vote, sources) for each in support)]
    after = [vote for vote in of_time if vote not in before]
    return (*before, *(vote for vote in support if any(_overtakes(each, vote, sources) for each in after)))


def _is_of_time(vote: Vote) -> bool:
    return vote.findings[0].contradiction_type is ContradictionType.TIMELINE


def _overtakes(later: Vote, earlier: Vote, sources: Mapping[str, Source]) -> bool:
    """Whether all that the one rests on is from after all that the other rests on, and it is as credible."""
    if later.party or later.hearsay or later.tier > earlier.tier:
        return False
    new, old = _days(later, sources, latest=False), _days(earlier, sources, latest=True)
    return bool(new and old) and min(new) > max(old)


def _days(vote: Vote, sources: Mapping[str, Source], *, latest: bool) -> list[date]:
    """The days of its documents; () where one has none."""
    published = [sources[each.source_id].published for each in vote.findings]
    dated = [each for each in published if each]
    return [utc(each.latest if latest else each.at).date() for each in dated] if len(dated) == len(published) else []
