"""The claims of a topic, and the independent sources that confirm or contradict them.

The level of a topic is that of its title, which is judged as a claim like the sentences of its text.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple

from inquest.claims.merging import parse_statement, same_statement
from inquest.claims.relevance import topic_terms
from inquest.desks.verification.cross_reference import evidence_sources
from inquest.desks.verification.topic_queries import read_topic
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.finding import Finding, Stance
from inquest.domain.investigation import TITLE_CLAIM
from inquest.domain.reasons import Reason
from inquest.domain.source import Category, Source
from inquest.domain.topic import Topic
from inquest.entailment.stance import judge, prepare
from inquest.sources.owners import owner_or_site
from inquest.sources.tiers import rate
from inquest.stories.stories import independent
from inquest.text.dates import utc
from inquest.text.sentences import content_words, fold, sentences
from inquest.text.urls import comparison_key, is_web_url
from inquest.verdicts.levels import CREDIBLE_TIER
from inquest.verdicts.testimony import Standing, as_testimony
from inquest.verdicts.votes import Vote, votes
from inquest.verdicts.weighing import announcements

MOST_CLAIMS = 8
"""Maximum claims of a topic that are checked, including the title; each requires searches and a call of its own to
judge."""
_FEWEST = 3
"""Minimum content words of a title that is a claim."""
_ON_TOPIC = 1 / 3
"""Minimum share of the title's terms, without names, in a claim on the topic."""
_MAIN = 0.6
"""Minimum share of the title's terms in a claim that replaces a title that is not a claim."""
_IN_FULL = 0.5
"""Minimum share of the title's terms in a claim that replaces a title without findings."""
_ABOUT = 0.4
"""Minimum share of the topic's terms, without names, in a page on it that has none of its names."""
_LONG_BEFORE = timedelta(days=90)
"""Reports this long before the event are about another one. The margin is wide because the date of a topic is often the
day on which it became known, and a notice or letter is older."""
_SURE = 0.5
"""Minimum confidence of a judgement that confirms; contradictions need less, since a false 'verified' does more
harm."""
_RELEVANT = 0.3
"""Minimum relevance of a source on the topic."""
_SUSPICIOUS = frozenset((Category.SATIRE, Category.FABRICATOR, Category.LOOK_ALIKE))


def own_article(topic: Topic, sources: Mapping[str, Source]) -> frozenset[str]:
    """Ids of the sources that are the topic's own article, by its address."""
    key = comparison_key(topic.url) if topic.url and is_web_url(topic.url) else None
    return frozenset(id for id, each in sources.items() if key and comparison_key(each.url) == key)


def own_publisher(topic: Topic, sources: Mapping[str, Source]) -> frozenset[str]:
    """Ids of the sources of the topic's own publisher or its owner, including its article, by the topic's address."""
    own = own_article(topic, sources)
    publishers = {owner_or_site(sources[id]) for id in own}
    if topic.url and is_web_url(topic.url):
        rating = rate(topic.url)
        publishers |= {rating.owner or rating.domain, rating.domain}
    return own | {id for id, each in sources.items() if owner_or_site(each) in publishers}


def own_words_aside(topic: Topic, sources: Mapping[str, Source]) -> dict[str, Source]:
    """The sources by id, with the topic's own article, its publisher's pages and copies of either excluded."""
    article, publisher = own_article(topic, sources), own_publisher(topic, sources)
    copies = {id for id, each in sources.items() if each.origin_of_story in publisher}
    why = dict.fromkeys(copies, Reason(code="pages.its_copy"))
    why |= dict.fromkeys(publisher, Reason(code="pages.its_publisher"))
    why |= dict.fromkeys(article, Reason(code="pages.its_own_article"))
    return {id: each if each.excluded else each.left_out(why.get(id)) for id, each in sources.items()}


def before_the_event(topic: Topic, sources: Mapping[str, Source]) -> frozenset[str]:
    """Ids of the sources published long before the topic's event, which report another."""
    if topic.event_date is None:
        return frozenset()
    begins = utc(topic.event_date) - _LONG_BEFORE
    return frozenset(id for id, each in sources.items() if each.published and utc(each.published.latest) < begins)


def beside_the_topic(topic: Topic, sources: Mapping[str, Source], documents: Mapping[str, Document]) -> frozenset[str]:
    """Ids of the sources, besides its own article, with none of the topic's names and few of its other terms. Pages in
    other languages than the topic's cannot be compared in this way."""
    reading, own = read_topic(topic), own_article(topic, sources)
    names, words = reading.topic_terms.names, reading.topic_terms.weights.keys() - reading.topic_terms.names

    def beside(source: Source, document: Document) -> bool:
        if (source.language or document.language) != reading.brief.language:
            return False
        terms = set(content_words(f"{source.title}\n{document.text}"))
        return not names & terms and len(words & terms) < _ABOUT * len(words)

    known = {id: each for id, each in sources.items() if id in documents and id not in own}
    return frozenset(id for id, each in known.items() if beside(each, documents[id]))


def title_claim(topic: Topic, made: Sequence[Claim]) -> Claim | None:
    """The title as a claim, with the mentions of the same claim. None for a question or a title that is too short."""
    title = " ".join(topic.title.split())
    if title.endswith("?") or len(content_words(title)) < _FEWEST:
        return None
    same = [each for each in made if _same(each.text, title)]
    mentions = tuple(mention for each in same for mention in each.mentions)
    return Claim(id=TITLE_CLAIM, text=title, importance=1.0, mentions=mentions, queries=same[0].queries if same else ())


def main_claims(claims: Sequence[Claim], topic: Topic, findings: Sequence[Finding] = ()) -> tuple[Claim, ...]:
    """The topic's main claims: its title first, then the sentences of its own text on it. If the title is not a claim,
    the one with most of its terms follows them. () if no claim is on the topic.

    A short headline may match no page. If none of the `findings` supports or contradicts it, the nearest claim that
    entails it comes first.
    """
    headline = _bare(topic.title)
    own = {headline, *(_bare(span.of(topic.text)) for span in sentences(topic.text))}
    title, near = topic_terms(topic.title), on_topic(claims, topic)
    mains = sorted((each for each in near if _bare(each.text) in own), key=lambda each: _bare(each.text) != headline)
    if not mains or _bare(mains[0].text) != headline:
        nearest = max(near, key=lambda each: title.share(each.text), default=None)
        close = nearest is not None and nearest not in mains and title.share(nearest.text) >= _MAIN
        return (*mains, nearest) if nearest and close else tuple(mains)
    if not findings or any(each.claim_id == mains[0].id and each.stance.decides for each in findings):
        return tuple(mains)
    for each in sorted(claims, key=lambda each: -title.share(each.text)):
        if each is mains[0] or title.share(each.text) < _IN_FULL:
            continue
        if judge(prepare(mains[0].text, each.text)).stance is Stance.SUPPORTS:
            return (each, *(other for other in mains if other is not each))
    return tuple(mains)


def on_topic(claims: Sequence[Claim], topic: Topic) -> list[Claim]:
    """The claims with enough terms of the title besides its names, which any news of a company has."""
    title = topic_terms(topic.title)
    words = title.weights.keys() - title.names

    def share(text: str) -> float:
        return len(words & set(content_words(text))) / len(words) if words else title.share(text)

    return [each for each in claims if share(each.text) >= _ON_TOPIC]


def near_first(claims: Sequence[Claim], topic: Topic) -> list[Claim]:
    """The claims sorted by their share of the topic's terms, largest first; the sort is stable."""
    title, whole = topic_terms(topic.title), topic_terms(topic.title, topic.text)
    return sorted(claims, key=lambda each: -title.share(each.text) - whole.share(each.text))


def claims_to_check(made: Sequence[Claim], topic: Topic, own: Collection[str] = ()) -> tuple[Claim, ...]:
    """The title, and the claims nearest to it. `own`: ids of its own article, whose claims need not be on the topic."""
    title = title_claim(topic, made)
    first = (title,) if title else ()
    others = [each for each in made if title is None or not _same(each.text, title.text)]
    near = {each.id for each in on_topic(others, topic)}
    kept = [each for each in others if set(each.source_ids) & set(own) or each.id in near]
    return (*first, *near_first(kept, topic)[: MOST_CLAIMS - len(first)])


def _same(text: str, title: str) -> bool:
    """True if the text makes the claim of the title and says no more."""
    more = len(content_words(text)) > len(content_words(title))
    return not more and same_statement(parse_statement(text), parse_statement(title))


def _bare(text: str) -> str:
    return " ".join(fold(text).split()).strip(" .!")


class Sides(NamedTuple):
    """The independent witnesses on a topic's main claim, one vote for each."""

    confirming: tuple[Vote, ...]
    contradicting: tuple[Vote, ...]
    confirmed_by: frozenset[str]
    """Ids of all sources that confirm, including copies."""
    contradicted_by: frozenset[str]
    differing: tuple[Vote, ...] = ()
    """Witnesses who confirm the title and contradict a sentence of the topic's text, and so differ in a detail."""
    before: int = 0
    """Number of independent sources that reported the same thing before the event."""
    claims: frozenset[str] = frozenset()
    """Ids of the claims whose details are compared."""


def sides_of(
    mains: Sequence[Claim],
    findings: Sequence[Finding],
    sources: Mapping[str, Source],
    own: Collection[str],
    topic: Topic,
) -> Sides:
    """The sides on the main claims, of which the title is the first. Statements of a party, hearsay, announcements
    and reports from long before the event confirm nothing. A source that confirms the title and contradicts another
    sentence of the topic differs in a detail."""
    counted = evidence_sources(sources, own)
    early = before_the_event(topic, counted)
    sides: dict[str, dict[str, Vote]] = {"confirming": {}, "contradicting": {}, "differing": {}}
    by_stance: dict[Stance, set[str]] = {stance: set() for stance in Stance}
    reported_before: set[str] = set()
    for claim in mains:
        about = [each for each in findings if each.claim_id == claim.id and each.source_id in counted]
        reported_before |= {each.source_id for each in about if each.stance is Stance.SUPPORTS} & early
        about = [each for each in about if each.source_id not in early]
        cast = votes(about, counted, about=claim.text)
        announced = announcements(claim.text, cast, counted, [counted[each.source_id] for each in about])
        aside = [each for vote in announced for each in vote.findings]
        for each in about:
            if as_testimony(each).standing is Standing.OWN and each not in aside:
                by_stance[each.stance].add(each.source_id)
        for vote in cast:
            confirms = vote not in announced and not (vote.party or vote.hearsay) and vote.confidence >= _SURE
            if vote.stance is Stance.SUPPORTS and confirms:
                # Only the title's level rises; a source that supports another sentence does not confirm the title.
                if claim is mains[0]:
                    sides["confirming"].setdefault(vote.voter, vote)
            elif vote.stance is Stance.CONTRADICTS and not vote.party:
                side = "differing" if vote.voter in sides["confirming"] else "contradicting"
                sides[side].setdefault(vote.voter, vote)
    confirming, contradicting, differing = (tuple(vote for _, vote in sorted(side.items())) for side in sides.values())
    # A witness may lack a speaker: a person in a document that a public body keeps, a ministry's denial.
    by_stance[Stance.SUPPORTS] |= (confirmed := {each.source.id for each in confirming})
    by_stance[Stance.CONTRADICTS] |= {each.source.id for each in contradicting}
    against = by_stance[Stance.CONTRADICTS] - confirmed if contradicting else set()
    return Sides(
        confirming=confirming,
        contradicting=contradicting,
        confirmed_by=frozenset(by_stance[Stance.SUPPORTS] - against if confirming else ()),
        contradicted_by=frozenset(against),
        differing=differing,
        before=len(independent(counted[id] for id in reported_before)),
    )


def low_credibility(sources: Mapping[str, Source], own: Collection[str] = ()) -> int:
    """The number of sources if none is credible, plus that of publishers of satire, fabrications or imitations."""
    suspicious = [each for id, each in sources.items() if id not in own and each.rating.category in _SUSPICIOUS]
    tiers = [each.rating.tier for each in evidence_sources(sources, own).values() if each.relevance >= _RELEVANT]
    weak = len(tiers) if all(tier > CREDIBLE_TIER for tier in tiers) else 0
    return weak + len({owner_or_site(each) for each in suspicious})
