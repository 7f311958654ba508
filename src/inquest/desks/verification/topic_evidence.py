"""What an investigation found, counted for the upgrade rules: who confirms the topic's main matter and who contradicts
it, each independent source once.

The main matter is what the title says. What sources tell differently of a detail that it does not give (how high a
penalty was, on which day) is a discrepancy between them, and no contradiction of the topic.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple

from inquest.claims.relevance import matter_of
from inquest.desks.verification.consistency_details import held_against, wanted_of
from inquest.desks.verification.cross_reference import evidence_sources
from inquest.desks.verification.topic_matter import (
    bear_the_title,
    is_of_another_matter,
    tells_of_another_time,
    tells_the_matter,
)
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.domain.investigation import Detail, MatchOfDetail
from inquest.domain.source import Category, Source
from inquest.domain.topic import Topic
from inquest.entailment.opposites import about_limits, about_opposites
from inquest.entailment.predicates import has_word, predicates
from inquest.entailment.reading import SentenceReading, read_sentence
from inquest.sources.owners import origins_of, voter_of
from inquest.sources.tiers import rate
from inquest.stories.stories import independent
from inquest.text.dates import utc
from inquest.text.entities import names
from inquest.text.passages import stems
from inquest.text.sentences import fold
from inquest.text.urls import comparison_key, is_web_url
from inquest.verdicts.levels import CREDIBLE_TIER
from inquest.verdicts.votes import Vote, votes

__all__ = [
    "Sides",
    "before_the_event",
    "is_nobody",
    "main_claims",
    "near_first",
    "only_a_detail",
    "own_article",
    "own_publisher",
    "says_the_matter",
    "sides_of",
    "states_the_matter",
    "suspicious_sources",
    "title_claim",
]

_SURE = 0.5
"""The confidence a judgment needs to confirm; a contradiction counts with less, because calling an untruth verified
does more harm."""
_NEAR, _LEAST, _OF_THE_TITLE = 0.7, 0.3, 0.2
"""Claims that are this near to the topic, of what the nearest one is, are its main matter; none below the least, nor
with less of the title."""
_ITS_WORDS = 1 / 3
"""The share of the title's carrying words, names aside, that a claim has which says the same. A headline has more words
than what happened: why, and about what."""
_TITLE = "C0"
"""The id of the title as a claim: before all others."""
_FEWEST = 3
"""Carrying words that a title needs to be a claim."""
_TOLD_BEFORE = timedelta(days=90)
"""What appeared earlier than this before the event tells of another. Three months, because the date that a topic bears
is often the day on which it became known, and what showed it first, a notice or a letter, is older."""
_OPPOSITE = {Stance.SUPPORTS: Stance.CONTRADICTS, Stance.CONTRADICTS: Stance.NEUTRAL}
"""How a word on a claim that denies the topic stands to the topic."""
_NOBODY = re.compile(r"(?:which|that|who|whom|whose|it|he|she|they|this|one)\b", re.IGNORECASE)
"""Opens words that name nobody whose word it could be."""
_NO_OBJECT = re.compile(
    r"(?:nobody|no\s+one|none|nothing)(?:(?P<end>\W*$|\s*[.,;:])"
    r"|\s+(?:of|in|at|on|from|by|during|for|and|or|after|before|when|while|as|who)\b)",
    re.IGNORECASE,
)
"""What stands where somebody or something would. Not 'nobody else', which leaves those who are named, nor 'nobody was
injured', where it is the subject."""
_DEED = re.compile(
    r"\w+(?:ed|wn|ing)|found|hurt|shot|hit|struck|won|lost|sold|bought|paid|cost|held|told|took|made|left|sent|met|caught"
)
_LAST_WORD = re.compile(r"([\w'’-]+)\s+(?:(?:almost|virtually|practically|absolutely|next\s+to)\s+)?$", re.IGNORECASE)
_SUSPICIOUS = frozenset((Category.SATIRE, Category.FABRICATOR, Category.LOOK_ALIKE))


class Sides(NamedTuple):
    """The independent witnesses on a topic's main matter, each by one vote."""

    confirming: tuple[Vote, ...]
    contradicting: tuple[Vote, ...]
    confirmed_by: frozenset[str]
    """Ids of all sources that confirm, copies included."""
    contradicted_by: frozenset[str]
    differing: tuple[Vote, ...] = ()
    """Witnesses who tell a detail of the matter otherwise."""
    before: int = 0
    """Independent sources that tell the same from before the event."""
    claims: frozenset[str] = frozenset()
    """Ids of the claims that are the main matter, those that speak against it left aside."""

    @property
    def voices(self) -> frozenset[str]:
        """Ids of the sources that are counted, one for each witness."""
        return frozenset(vote.source.id for vote in (*self.confirming, *self.contradicting))


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


def before_the_event(topic: Topic, sources: Mapping[str, Source]) -> frozenset[str]:
    """Ids of the sources that appeared long before the topic's event is said to have happened: whatever they tell of,
    it is not that. () where the topic gives no date. An old event that is told as new is confirmed by nobody."""
    if topic.event_date is None:
        return frozenset()
    begins = utc(topic.event_date) - _TOLD_BEFORE
    return frozenset(id for id, each in sources.items() if each.published and utc(each.published.latest) < begins)


def states_the_matter(claim: Claim, topic: Topic) -> bool:
    """Whether a claim is the topic's title itself."""
    return fold(claim.text).strip(" .!") == fold(topic.title).strip(" .!")


def denies_the_matter(title: str, text: str) -> bool:
    """Whether a text says that it is not so: it negates a word that the title affirms or the other way round, says that
    it was done to nobody, calls it untrue, or keeps the limit that the title says was broken."""
    limits = about_limits(title, text)
    if limits is not None:
        return limits[0]
    told, wanted = read_sentence(text), read_sentence(title)
    if told.refuted != wanted.refuted:
        return True
    undone, not_wanted = _done_to_nobody(told), _done_to_nobody(wanted)
    no, not_in_title = told.negated | undone, wanted.negated | not_wanted
    if undone & not_in_title or not_wanted & no:
        return False
    so, in_title = told.bag - no, wanted.bag - not_in_title
    if no & in_title or not_in_title & so:
        return True
    return any(has_word(in_title, each) for each in undone) or any(has_word(so, each) for each in not_wanted)


def _is_against(title: str, text: str) -> bool:
    """Whether a claim denies the title or gives another number for the same: who bears it out contradicts, and who says
    that it is not so has not yet said that the title is."""
    if denies_the_matter(title, text):
        return True
    wanted = [each for each in wanted_of(title) if each.detail is Detail.NUMBER]
    held = held_against(wanted, title, text, None, None)
    return any(each.match is MatchOfDetail.DEVIATES for each in held)


def _done_to_nobody(read: SentenceReading) -> frozenset[str]:
    """The stems of what is said to have been done to nobody or nothing: 'injured' of 'injured nobody'. A deed that is
    told a second time was done to others."""
    found: set[str] = set()
    for cue, _ in read.negations:
        nobody = _NO_OBJECT.match(read.text, cue.start)
        before = _LAST_WORD.search(read.text[: cue.start])
        if nobody and before and _DEED.fullmatch(before[1]):
            # 'Said nobody in the house was hurt' tells of no saying; 'found nothing' does of no finding.
            says = any(each.span.start <= before.start(1) < each.span.end for each in read.attributions)
            if nobody["end"] is not None or not says:
                found.update(stems(before[1]))
    return frozenset(stem for stem in found if read.terms.count(stem) == 1)


def says_the_matter(title: str, text: str) -> bool:
    """Whether a text says what the title says, and not only something about the same things: that a permit was issued
    is no word on whether it was exceeded. Told by limits that both keep or break, else by a third of the title's
    carrying words, its first verb among them where its form shows one: a verb alone is soon met again."""
    if denies_the_matter(title, text):
        return False
    if about_limits(title, text) is not None:
        return True
    bag = frozenset(stems(text))
    named = {stem for name in names(title) for stem in stems(name.text)}
    carrying = [stem for stem in dict.fromkeys(stems(title)) if stem not in named]
    done = predicates(title)
    first = next((stem for stem in carrying if stem in done), None)
    if first is not None and not has_word(bag, first):
        return False
    return not carrying or sum(has_word(bag, stem) for stem in carrying) >= _ITS_WORDS * len(carrying)


def title_claim(topic: Topic, made: Sequence[Claim]) -> Claim | None:
    """The title as a claim, with whoever says it in the same words. None where it asks, or is no more than two words:
    there is nothing in it to confirm."""
    title = " ".join(topic.title.split())
    if title.endswith("?") or len(stems(title)) < _FEWEST:
        return None
    same = [each for each in made if states_the_matter(each, topic)]
    mentions = tuple(mention for each in same for mention in each.mentions)
    text = same[0].text if same else title
    return Claim(id=_TITLE, text=text, importance=1.0, mentions=mentions, queries=same[0].queries if same else ())


def near_first(claims: Sequence[Claim], topic: Topic) -> list[Claim]:
    """Those first that say what the title says, then those that have most of the topic; the order of equals stays."""
    title, whole = matter_of(topic.title), matter_of(topic.title, topic.text)
    near = {
        each.id: (not says_the_matter(topic.title, each.text), -title.share(each.text) - whole.share(each.text))
        for each in claims
    }
    return sorted(claims, key=lambda each: near[each.id])


def main_claims(claims: Sequence[Claim], topic: Topic, own: Collection[str] = ()) -> tuple[Claim, ...]:
    """The claims that are the topic's main matter: the title itself, where it is among them, and those that say or deny
    it, have most of its words and say least beside title and text. Of equals, those that its own article makes. ()
    where none is about it. Beside the title others count only where they tell the very deed (`tells_the_matter`): pages
    make the claims that they then bear out, and one of another matter would confirm every topic on that company."""
    title, said = matter_of(topic.title), frozenset(stems(f"{topic.title} {topic.text}"))
    itself = [each for each in claims if states_the_matter(each, topic)]
    nearness = {}
    for claim in claims:
        bag, share = frozenset(stems(claim.text)), title.share(claim.text)
        on_it = denies_the_matter(topic.title, claim.text) or _says_it(topic, claim.text, bool(itself))
        if bag and share >= _OF_THE_TITLE and claim not in itself and on_it:
            nearness[claim.id] = (share + len(bag & said) / len(bag)) / 2
    best = max(nearness.values(), default=0.0)
    near = [each for each in claims if nearness.get(each.id, 0.0) >= max(_LEAST, _NEAR * best)]
    made = [each for each in near if set(each.source_ids) & set(own)]
    return (*itself, *(made or near))


def _says_it(topic: Topic, text: str, beside_the_title: bool) -> bool:
    if beside_the_title:
        return tells_the_matter(topic, text)
    return says_the_matter(topic.title, text) and not is_of_another_matter(topic, text)


def only_a_detail(finding: Finding, claim: Claim, topic: Topic, source: Source) -> bool:
    """Whether a contradiction of a claim is of a number, a date or a place only that the title does not give, by words
    that deny nothing the title says."""
    given = {each.claimed for each in wanted_of(topic.title, topic.place)}
    wanted = wanted_of(claim.text)
    written = source.published.at.date() if source.published else None
    held = held_against(wanted, claim.text, finding.quote, Stance.CONTRADICTS, written)
    apart = [want for want, found in zip(wanted, held, strict=True) if found.match is MatchOfDetail.DEVIATES]
    if not apart or any(want.claimed in given for want in apart):
        return False
    if denies_the_matter(topic.title, finding.quote):
        return False
    return about_opposites(topic.title, finding.quote) is None


def sides_of(
    mains: Sequence[Claim],
    findings: Sequence[Finding],
    sources: Mapping[str, Source],
    own: Collection[str] = (),
    topic: Topic | None = None,
) -> Sides:
    """Who confirms the main claims and who contradicts any of them. A party's own word, hearsay and whoever says both
    confirm nothing; who contradicts one main claim and supports another contradicts, but for a detail of it that the
    title of `topic` does not give."""
    counted = evidence_sources(sources, own)
    early = before_the_event(topic, counted) if topic else frozenset()
    confirming: dict[str, Vote] = {}
    contradicting: dict[str, Vote] = {}
    differing: dict[str, Vote] = {}
    told_before: set[str] = set()
    opposed: set[str] = set()
    by_stance: dict[Stance, set[str]] = defaultdict(set)
    by_the_title = bear_the_title(findings, _TITLE)
    for claim in mains:
        about = [each for each in findings if each.claim_id == claim.id and each.source_id in counted]
        told_before |= {e.source_id for e in about if e.source_id in early and e.stance is Stance.SUPPORTS}
        about = [each for each in about if each.source_id not in early]
        if topic:  # what was wanted, or was so in another year, is no word on it
            about = [e for e in about if e.stance is not Stance.SUPPORTS or not tells_of_another_time(topic, e.quote)]
        detail = {
            each.id
            for each in about
            if topic
            and each.stance is Stance.CONTRADICTS
            and (
                only_a_detail(each, claim, topic, counted[each.source_id])
                or (each.source_id in by_the_title and not denies_the_matter(topic.title, each.quote))
            )
        }
        denied = topic is not None and claim.id != _TITLE and _is_against(topic.title, claim.text)
        if denied:
            opposed.add(claim.id)
        for each in about:
            aside = each.id in detail or (each.details.get("party") and not each.details.get("admission"))
            aside = aside or (each.stance is Stance.SUPPORTS and bool(each.details.get("hearsay")))
            if not aside and not counted[each.source_id].rating.press_release:
                by_stance[_OPPOSITE.get(each.stance, each.stance) if denied else each.stance].add(each.source_id)
        if denied:
            for vote in votes(about, counted, about=claim.text):
                # Who bears out that it is not so contradicts it; who contradicts that has not said that it is so.
                if vote.stance is Stance.SUPPORTS and not vote.party and not vote.hearsay:
                    contradicting.setdefault(_behind(vote), vote)
            continue
        cast = votes(about, counted, about=claim.text)
        for vote in cast:
            if vote.stance is Stance.CONTRADICTS and not vote.party:
                aside = all(each.id in detail for each in vote.findings) or _told_better(vote, cast)
                side = differing if aside else contradicting
                side.setdefault(_behind(vote), vote)
            elif vote.stance is Stance.SUPPORTS and not vote.party and not vote.hearsay and vote.confidence >= _SURE:
                known = confirming.get(_behind(vote))
                confirming[_behind(vote)] = vote if known is None or vote.weight > known.weight else known
    origins = origins_of(counted)
    for voter, vote in list(contradicting.items()):
        better = confirming.get(voter)
        # What a body said is what it has put down itself, else what the better paper has of it; and what a story says
        # is what its origin says. Who reports or copies it otherwise has made a slip.
        if (better and _reported_wrongly(vote, better)) or _copied_wrongly(vote, origins, by_stance[Stance.SUPPORTS]):
            differing.setdefault(voter, contradicting.pop(voter))
    speak = {origins[each.source_id].id for vote in contradicting.values() for each in vote.findings}
    against = {id for id in by_stance[Stance.CONTRADICTS] if origins[id].id in speak}
    bears_out = any(voter not in contradicting for voter in confirming)
    return Sides(
        confirming=tuple(vote for voter, vote in sorted(confirming.items()) if voter not in contradicting),
        contradicting=tuple(vote for _, vote in sorted(contradicting.items())),
        confirmed_by=frozenset(by_stance[Stance.SUPPORTS] - against if bears_out else ()),
        contradicted_by=frozenset(against),
        differing=tuple(vote for voter, vote in sorted(differing.items()) if voter not in contradicting),
        before=len(independent(counted[id] for id in told_before)),
        claims=frozenset(claim.id for claim in mains if claim.id not in opposed),
    )


def _told_better(vote: Vote, cast: Sequence[Vote]) -> bool:
    """Whether it is one certain person's word in a publisher that is not credible, and a credible one has the same
    person saying that it is so. As with an authority, what was said is what the better papers have of it; that others
    have it otherwise stays a discrepancy."""
    if not vote.hearsay or vote.tier <= CREDIBLE_TIER or not _is_certain(vote):
        return False
    same = [each for each in cast if each.hearsay and each is not vote and fold(each.said_by) == fold(vote.said_by)]
    return any(
        each.stance is Stance.SUPPORTS
        and each.tier <= CREDIBLE_TIER
        and each.weight > vote.weight
        and _is_certain(each)
        for each in same
    )


def _reported_wrongly(told: Vote, better: Vote) -> bool:
    """Whether a vote only reports a body's word, which the body itself, or a paper of a better tier, has otherwise."""
    if not told.said_by or told.hearsay or told.party:
        return False
    return not better.said_by or (better.tier < told.tier and better.weight > told.weight)


def _copied_wrongly(vote: Vote, origins: Mapping[str, Source], supporting: Collection[str]) -> bool:
    """Whether only copies speak, of stories whose origin itself says the opposite."""
    if vote.said_by:
        return False
    told = {each.source_id: origins[each.source_id].id for each in vote.findings}
    return all(id != origin and origin in supporting for id, origin in told.items())


def _is_certain(vote: Vote) -> bool:
    """Whether the quote means one certain speaker: by name, or 'the minister' and not 'a resident'."""
    if not vote.said_by or is_nobody(vote.said_by):
        return False
    the = re.compile(rf"\bthe\s+{re.escape(vote.said_by)}\b", re.IGNORECASE)
    return vote.said_by[0].isupper() or all(the.search(each.quote) for each in vote.findings)


def _behind(vote: Vote) -> str:
    """Whose word it is, by one key; where nobody is named, that of whoever prints it."""
    return voter_of(vote.source) if is_nobody(vote.said_by) else vote.voter


def is_nobody(words: str) -> bool:
    """Whether words that stand where a speaker should name nobody: 'it', 'which its discharges ...'."""
    return bool(_NOBODY.match(words))


def suspicious_sources(sources: Mapping[str, Source], own: Collection[str] = ()) -> int:
    """Publishers of satire, of invented stories, or made to be taken for another; they confirm nothing, and many are no
    evidence at all."""
    found = [each for id, each in sources.items() if id not in own and each.rating.category in _SUSPICIOUS]
    return len({voter_of(each) for each in found})
