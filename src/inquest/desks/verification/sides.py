"""Who confirms a topic's main claim and who contradicts it, each independent source once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from inquest.desks.verification.cross_reference import evidence_sources
from inquest.desks.verification.topic_claims import before_the_event
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.domain.source import Category, Source
from inquest.domain.topic import Topic
from inquest.sources.owners import owner_or_site
from inquest.stories.stories import independent
from inquest.verdicts.votes import Vote, votes

_SURE = 0.5
"""The confidence a judgment needs to confirm; a contradiction counts with less, because calling an untruth verified
does more harm."""
_SUSPICIOUS = frozenset((Category.SATIRE, Category.FABRICATOR, Category.LOOK_ALIKE))


class Sides(NamedTuple):
    """The independent witnesses on a topic's main claim, each by one vote."""

    confirming: tuple[Vote, ...]
    contradicting: tuple[Vote, ...]
    confirmed_by: frozenset[str]
    """Ids of all sources that confirm, copies included."""
    contradicted_by: frozenset[str]
    differing: tuple[Vote, ...] = ()
    """Witnesses who confirm the title and contradict a sentence of the topic's text: they differ in a detail."""
    before: int = 0
    """Independent sources that report the same from before the event."""
    claims: frozenset[str] = frozenset()
    """Ids of the claims in whose details sources may differ on the topic."""

    @property
    def counted_ids(self) -> frozenset[str]:
        """Ids of the sources that are counted, one for each witness."""
        return frozenset(vote.source.id for vote in (*self.confirming, *self.contradicting))


def sides_of(
    mains: Sequence[Claim],
    findings: Sequence[Finding],
    sources: Mapping[str, Source],
    own: Collection[str],
    topic: Topic,
) -> Sides:
    """The sides on the main claims, the title first among them. A party's own word and hearsay confirm nothing, and
    what appeared long before the event is no word on it. Whoever confirms the title and contradicts something else of
    the topic differs from it in a detail; whoever contradicts the title contradicts."""
    counted = evidence_sources(sources, own)
    early = before_the_event(topic, counted)
    confirming: dict[str, Vote] = {}
    contradicting: dict[str, Vote] = {}
    differing: dict[str, Vote] = {}
    said: dict[Stance, set[str]] = {stance: set() for stance in Stance}
    reported_before: set[str] = set()
    for claim in mains:
        about = [each for each in findings if each.claim_id == claim.id and each.source_id in counted]
        reported_before |= {each.source_id for each in about if each.stance is Stance.SUPPORTS} & early
        about = [each for each in about if each.source_id not in early]
        for each in about:
            if not (each.details.get("party") or each.details.get("hearsay")):
                said[each.stance].add(each.source_id)
        for vote in votes(about, counted, about=claim.text):
            if vote.stance is Stance.SUPPORTS and not (vote.party or vote.hearsay) and vote.confidence >= _SURE:
                # Only the title is what rises: who supports other words of the topic alone has not said so.
                if claim is mains[0]:
                    confirming.setdefault(vote.voter, vote)
            elif vote.stance is Stance.CONTRADICTS and not vote.party:
                side = differing if vote.voter in confirming else contradicting
                side.setdefault(vote.voter, vote)
    against = said[Stance.CONTRADICTS] - {each.source.id for each in confirming.values()} if contradicting else set()
    return Sides(
        confirming=tuple(vote for _, vote in sorted(confirming.items())),
        contradicting=tuple(vote for _, vote in sorted(contradicting.items())),
        confirmed_by=frozenset(said[Stance.SUPPORTS] - against if confirming else ()),
        contradicted_by=frozenset(against),
        differing=tuple(vote for _, vote in sorted(differing.items())),
        before=len(independent(counted[id] for id in reported_before)),
        claims=frozenset(claim.id for claim in mains),
    )


def suspicious_sources(sources: Mapping[str, Source], own: Collection[str] = ()) -> int:
    """Publishers of satire, of invented stories, or made to be taken for another; they confirm nothing, and many are no
    evidence at all."""
    found = [each for id, each in sources.items() if id not in own and each.rating.category in _SUSPICIOUS]
    return len({owner_or_site(each) for each in found})
