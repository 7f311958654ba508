"""Independent witnesses: who may speak on a claim, once each, and for which side.

A document is not a witness. Copies and rewrites of one story speak once, with the weight of its origin (X2); several
articles of one owner speak once, with the weightiest of them. What a party says of itself in a press release is a
statement of that party and no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from inquest.domain.finding import Finding, Stance
from inquest.domain.source import Source
from inquest.logic.whose_words import corrects, only_restates, parties_of, reports_a_party

__all__ = ["TIER_WEIGHTS", "Vote", "finding_weight", "origins_of", "voter_of", "votes"]

TIER_WEIGHTS = {1: 4, 2: 3, 3: 2, 4: 1}
"""Spec 000, N7. A finding's weight is its confidence times this, over 4 (PRODUCT.md, decision 3)."""

_PARTY_TIER = 4
# Of two sides of one witness, the lesser one is dropped unless it comes this near to the greater.
_AS_GOOD = 0.9
# Below this a judgement is a guess; it is listed and decides nothing.
_FAINT = 0.3
_PUBLIC = frozenset(
    ("government", "court", "regulator", "parliament", "official", "intergovernmental", "academic", "journal")
)
_DECIDED = (Stance.SUPPORTS, Stance.CONTRADICTS)
_FAR = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Vote:
    """What one independent witness says of a claim."""

    voter: str
    """What makes it one: the owner or domain behind the story's origin."""
    stance: Stance
    """Supports or contradicts; neutral where the witness says both."""
    weight: float
    """0 to 1: confidence times tier weight over 4, of its weightiest finding."""
    confidence: float
    tier: int
    party: bool
    """It is a party's own statement: a press release, or its words as somebody hands them on."""
    source: Source
    """Whom to name: the origin of the story, or the copy, where only it speaks on the claim."""
    findings: tuple[Finding, ...]
    """Those of its stance, weightiest first."""
    documents: int
    """How many documents carry it, copies included."""
    deviating: tuple[Finding, ...] = ()
    """Of copies that say the opposite of the story they copy: a slip of the copy, and no vote."""


def finding_weight(finding: Finding, source: Source) -> float:
    """Confidence times the weight of the source's tier over 4, so that tier 1 keeps all of it."""
    return finding.confidence * TIER_WEIGHTS[_tier(source)] / 4


def _tier(source: Source) -> int:
    return _PARTY_TIER if source.rating.press_release else min(4, max(1, source.rating.tier))


def votes(findings: Iterable[Finding], sources: Mapping[str, Source]) -> tuple[Vote, ...]:
    """The votes on one claim, weightiest first; the order in which the findings come does not matter.

    `sources` by id. Findings of sources that are not among them or are excluded (published after the as-of date), and
    passages that were not assessed, bear on nothing or were judged with hardly any confidence, are no votes;
    nor is a claim that is only restated to be checked or taken back.
    """
    origins = origins_of(sources)
    by_story: dict[str, list[Finding]] = {}
    for finding in sorted(findings, key=lambda each: each.id):
        source = sources.get(finding.source_id)
        if source is None or source.excluded or finding.stance not in _DECIDED or finding.confidence < _FAINT:
            continue
        if only_restates(finding.quote) and not corrects(finding.quote):
            continue
        by_story.setdefault(origins[source.id].id, []).append(finding)
    by_voter: dict[str, list[_Told]] = {}
    for origin_id, told in by_story.items():
        origin = sources[origin_id]
        own = [finding for finding in told if finding.source_id == origin_id]
        by_voter.setdefault(voter_of(origin), []).append(_Told(origin, own or told, told))
    cast = [_vote(voter, stories, sources) for voter, stories in by_voter.items()]
    return tuple(sorted(cast, key=lambda vote: (-vote.weight, vote.voter)))


def voter_of(source: Source) -> str:
    """Who stands behind a source: its owner, else its domain, else itself.

    Public bodies stand for themselves: a court and a regulator are two witnesses although one state pays both.
    """
    owner = None if source.rating.category in _PUBLIC else source.rating.owner
    return owner or source.rating.domain or source.domain or source.id


def origins_of(sources: Mapping[str, Source]) -> dict[str, Source]:
    """For each source id, the source that its story goes back to: the one known as the origin, else the earliest."""
    members: dict[str, list[Source]] = {}
    for source in sources.values():
        members.setdefault(source.story or f"source {source.id}", []).append(source)
    found: dict[str, Source] = {}
    for told in members.values():
        named = {each.origin_of_story for each in told if each.origin_of_story and each.origin_of_story in sources}
        origin = sources[named.pop()] if len(named) == 1 else min(told, key=_earliest)
        found |= {source.id: origin for source in told}
    return found


def _earliest(source: Source) -> tuple[datetime, str]:
    return (source.published.at if source.published else _FAR, source.id)


@dataclass(frozen=True)
class _Told:
    """One story as it bears on the claim."""

    origin: Source
    counted: Sequence[Finding]
    """The origin's own findings; those of its copies only where it has none."""
    all: Sequence[Finding]

    @property
    def by_origin(self) -> bool:
        """Whether the origin itself speaks on the claim."""
        return self.counted[0].source_id == self.origin.id


@dataclass(frozen=True)
class _Weighed:
    weight: float
    finding: Finding
    tier: int
    party: bool


def _weighed(told: _Told, finding: Finding, sources: Mapping[str, Source], parties: frozenset[str]) -> _Weighed:
    # What a copy has and its origin has not is the copy's own, and worth no more than either.
    teller = told.origin if told.by_origin else max((told.origin, sources[finding.source_id]), key=_tier)
    party = teller.rating.press_release or reports_a_party(finding.quote, parties)
    tier = _PARTY_TIER if party else _tier(teller)
    return _Weighed(finding.confidence * TIER_WEIGHTS[tier] / 4, finding, tier, party)


def _vote(voter: str, stories: Sequence[_Told], sources: Mapping[str, Source]) -> Vote:
    parties = parties_of(sources.values())
    weighed = [_weighed(told, finding, sources, parties) for told in stories for finding in told.counted]
    weighed = _last_word(weighed, sources)
    weighed.sort(key=lambda each: (-each.weight, each.finding.id))
    best = weighed[0]
    other = next((each.weight for each in weighed if each.finding.stance is not best.finding.stance), 0.0)
    stance = Stance.NEUTRAL if other and other >= best.weight * _AS_GOOD else best.finding.stance
    return Vote(
        voter=voter,
        stance=stance,
        weight=best.weight,
        confidence=best.finding.confidence,
        tier=best.tier,
        party=best.party,
        source=sources[best.finding.source_id],
        findings=tuple(each.finding for each in weighed if stance in (Stance.NEUTRAL, each.finding.stance)),
        documents=sum(len({each.source_id for each in told.all}) for told in stories),
        deviating=tuple(
            each
            for told in stories
            for each in told.all
            if each not in told.counted and stance is not Stance.NEUTRAL and each.stance is not stance
        ),
    )


def _last_word(weighed: list[_Weighed], sources: Mapping[str, Source]) -> list[_Weighed]:
    """Without what the witness has since taken back: a correction that is younger than all it said before stands."""
    taken_back = [
        each for each in weighed if each.finding.stance is Stance.CONTRADICTS and corrects(each.finding.quote)
    ]
    others = [each for each in weighed if each.finding.stance is Stance.SUPPORTS]
    if not taken_back or not others:
        return weighed
    dates = [(sources[each.finding.source_id].published, each) for each in (*taken_back, *others)]
    if any(published is None for published, _ in dates):
        return weighed
    latest_support = max(published.at for published, each in dates if published and each in others)
    if min(published.at for published, each in dates if published and each in taken_back) <= latest_support:
        return weighed
    return [each for each in weighed if each not in others]
