"""What an investigation found, counted for the upgrade rules: who confirms the topic's main matter and who contradicts
it, each independent source once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.domain.source import Category, Source
from inquest.domain.topic import Topic
from inquest.logic.cross_reference import evidence_sources
from inquest.logic.passages import stems
from inquest.logic.relevance import matter_of
from inquest.logic.stories import independent
from inquest.logic.tiers import rate
from inquest.logic.urls import comparison_key, is_web_url
from inquest.logic.votes import Vote, voter_of, votes

__all__ = ["Sides", "main_claims", "own_article", "own_publisher", "sides_of", "suspicious_sources"]

_SURE = 0.5
"""The confidence a judgment needs to confirm; a contradiction counts with less, because calling an untruth verified
does more harm."""
_NEAR, _LEAST, _OF_THE_TITLE = 0.7, 0.3, 0.2
"""Claims that are this near to the topic, of what the nearest one is, are its main matter; none below the least, nor
with less of the title."""
_SUSPICIOUS = frozenset((Category.SATIRE, Category.FABRICATOR, Category.LOOK_ALIKE))


class Sides(NamedTuple):
    """The independent witnesses on a topic's main matter, each by one vote."""

    confirming: tuple[Vote, ...]
    contradicting: tuple[Vote, ...]
    confirmed_by: frozenset[str]
    """Ids of all sources that confirm, copies included."""
    contradicted_by: frozenset[str]


def own_article(topic: Topic, sources: Mapping[str, Source]) -> frozenset[str]:
    """Ids of the sources that are the topic's own article, by its address."""
    if not topic.url or not is_web_url(topic.url):
        return frozenset()
    key = comparison_key(topic.url)
    return frozenset(id for id, each in sources.items() if comparison_key(each.url) == key)


def own_publisher(topic: Topic, sources: Mapping[str, Source]) -> frozenset[str]:
    """Ids of all sources of the topic's own publisher, its article included: another page of the same paper, or of the
    same owner, is no independent confirmation. They are told by the topic's address, also where the article itself
    could not be read."""
    own = own_article(topic, sources)
    voices = {voter_of(sources[id]) for id in own}
    if topic.url and is_web_url(topic.url):
        rating = rate(topic.url)
        voices |= {rating.owner or rating.domain, rating.domain}
    return own | {id for id, each in sources.items() if voter_of(each) in voices}


def main_claims(claims: Sequence[Claim], topic: Topic, own: Collection[str] = ()) -> tuple[Claim, ...]:
    """The claims that are the topic's main matter: those that have most of its title and say least beside title and
    text. Of equals, those that its own article makes. () where none is about it: that a company was founded in 1990 is
    no confirmation of what it is said to have done."""
    title, said = matter_of(topic.title), frozenset(stems(f"{topic.title} {topic.text}"))
    nearness = {}
    for claim in claims:
        bag, share = frozenset(stems(claim.text)), title.share(claim.text)
        if bag and share >= _OF_THE_TITLE:
            nearness[claim.id] = (share + len(bag & said) / len(bag)) / 2
    best = max(nearness.values(), default=0.0)
    near = [each for each in claims if nearness.get(each.id, 0.0) >= max(_LEAST, _NEAR * best)]
    made = [each for each in near if set(each.source_ids) & set(own)]
    return tuple(made or near)


def sides_of(
    mains: Sequence[Claim], findings: Sequence[Finding], sources: Mapping[str, Source], own: Collection[str] = ()
) -> Sides:
    """Who confirms the main claims and who contradicts any of them. A party's own word, hearsay and whoever says both
    confirm nothing; who contradicts one main claim and supports another contradicts."""
    counted = evidence_sources(sources, own)
    confirming: dict[str, Vote] = {}
    contradicting: dict[str, Vote] = {}
    by_stance: dict[Stance, set[str]] = defaultdict(set)
    for claim in mains:
        about = [each for each in findings if each.claim_id == claim.id and each.source_id in counted]
        for each in about:
            by_stance[each.stance].add(each.source_id)
        for vote in votes(about, counted, about=claim.text):
            if vote.stance is Stance.CONTRADICTS and not vote.party:
                contradicting.setdefault(vote.voter, vote)
            elif vote.stance is Stance.SUPPORTS and not vote.party and not vote.hearsay and vote.confidence >= _SURE:
                known = confirming.get(vote.voter)
                confirming[vote.voter] = vote if known is None or vote.weight > known.weight else known
    against = by_stance[Stance.CONTRADICTS]
    return Sides(
        confirming=tuple(vote for voter, vote in sorted(confirming.items()) if voter not in contradicting),
        contradicting=tuple(vote for _, vote in sorted(contradicting.items())),
        confirmed_by=frozenset(by_stance[Stance.SUPPORTS] - against),
        contradicted_by=frozenset(against),
    )


def suspicious_sources(sources: Mapping[str, Source], own: Collection[str] = ()) -> int:
    """Independent sources that are satire, invented stories or made to be taken for another publisher."""
    counted = evidence_sources(sources, own)
    return len(independent(each for each in counted.values() if each.rating.category in _SUSPICIOUS))
