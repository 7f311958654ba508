"""Text of an investigation for a reader. Every sentence that states a fact gives the id of its source in brackets."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.desks.verification.topic_claims import Sides
from inquest.domain.claim import Mention
from inquest.domain.document import Precision
from inquest.domain.investigation import (
    ConsistencyRow,
    ConsistencyTable,
    InvestigationResult,
    MatchOfDetail,
    TopicContext,
)
from inquest.domain.languages import agreeing
from inquest.domain.leads import Pushed
from inquest.domain.topic import ReviewFlag, Success, VerificationLevel
from inquest.text.phrases import capitalised, count, ended, listed, quoted
from inquest.verdicts.votes import Vote
from inquest.verdicts.weighing_reasons import name_of

LEVEL_HEADING = "Verification level"
"""Heading of the sentences on the level, first in the summary of a topic."""
_NAMED, _ON_A_SIDE = 4, 8
_SUCCESS = {
    Success.CREDIBLE_SOURCES: "three or more credible sources confirm it",
    Success.ORIGIN: "its authoritative origin was found",
    Success.CONTEXT: "its context is known in five or more details",
    Success.SOCIAL_EVIDENCE: "ten or more independent accounts report it",
}


def review_words(
    flags: Sequence[ReviewFlag], sides: Sides, consistency: ConsistencyTable, accusation: str | None
) -> str:
    """The reasons for a review by a person, a sentence for each flag; '' without flags."""
    word = f" ({quoted(accusation)})" if accusation else ""
    of_flag = {
        ReviewFlag.ONLY_LOW_CREDIBILITY: "Only sources of low credibility report on it.",
        ReviewFlag.NOT_CORROBORATED: "No independent source confirms it.",
        ReviewFlag.SERIOUS_ALLEGATION: f"It accuses somebody of a serious wrong{word}, which calls for extra care.",
        ReviewFlag.CONTRADICTION: _disagreement(sides),
    }
    words = [of_flag[flag] for flag in flags]
    different = [row for row in consistency.deviations if row.claim_id in sides.claims or not sides.claims]
    if different and flags:
        words.append(f"Details differ: {_differences(different)}.")
    return " ".join(filter(None, words))


def _disagreement(sides: Sides) -> str:
    words = []
    if sides.contradicting:
        words.append(f"Sources disagree: {_names(sides.contradicting)} against it.")
    if sides.differing:
        verb = agreeing(len(sides.differing), "differs", "differ")
        words.append(f"{_names(sides.differing)} {verb} in a detail.")
    if sides.before:
        verb = agreeing(sides.before, "reports", "report")
        words.append(f"{capitalised(count(sides.before, 'source'))} {verb} the same from before the day of the event.")
    return " ".join(words)


def level_words(result: InvestigationResult, *, chain: bool = False) -> tuple[str, ...]:
    """The level, its reasons, the sources on each side, the confidence, the origin and the reason for a review."""
    raised = result.upgrade
    level = raised.new_level.value
    change = f"The topic is {level}; it was {raised.before.value} before." if raised.upgraded else f"It stays {level}."
    unverified = raised.new_level is VerificationLevel.UNVERIFIED
    words = [change, *raised.reasons]
    for side, verb in ((True, "Supported by" if unverified else "Confirmed by"), (False, "Contradicted by")):
        counted = [each for each in result.additional_sources if each.confirms is side and each.counted]
        names = [f"{each.name} (tier {each.credibility_tier}) [{each.id}]" for each in counted]
        words += [f"{verb} {_shortened(names, _ON_A_SIDE)}"] if names else []
    words += [f"Confidence: {confidence_words(result)}.", _origin_words(result, chain=chain)]
    if result.requires_human_review:
        words.append(f"A person should review it: {result.review_reason or 'the rules require it'}")
    return tuple(map(ended, words))


def confidence_words(result: InvestigationResult) -> str:
    """The confidence and its object: '64 of 100 that what contradicts it is right'."""
    if result.recommended_verification_level is not VerificationLevel.UNVERIFIED:
        confirmed = any(each.confirms for each in result.additional_sources)
        of = "that what confirms it is right" if confirmed else "that the sources of this run support its level"
    elif any(each.confirms is False for each in result.additional_sources):
        of = "that what contradicts it is right"
    else:
        of = "that 'unverified' is the right level; it says how much was read, and not whether the topic is true"
    return f"{result.confidence_level:.0f} of 100 {of}"


def context_words(context: TopicContext) -> str:
    """The context as sentences with their sources; '' without any."""
    words = []
    for event in context.events:
        where = ", ".join(dict.fromkeys(each.source_id for each in event.mentions))
        when = "On" if event.precision in (Precision.DAY, Precision.TIME) else "In"
        words.append(f"{when} {event.date}: {ended(event.text)} [{where}]")
    for actor in context.actors:
        described = actor.described_as[:1]
        words += [f"{actor.name}: {_quote(each)}" for each in described]
        shown = [each.quote for each in described]
        for statement in [each for each in actor.statements if each.mention.quote not in shown][:2]:
            before = "Before the event" if statement.earlier else "On the topic"
            when = f" ({statement.said})" if statement.said else ""
            words.append(f"{before}, {actor.name}{when}: {_quote(statement.mention)}")
    words += [f"On {context.local.place}: {_quote(each)}" for each in context.local.passages[:3]]
    return " ".join(words)


def _quote(mention: Mention) -> str:
    return f"{quoted(mention.quote)} [{mention.source_id}]."


def notes_words(result: InvestigationResult, sides: Sides) -> str:
    """The investigation in short: the level, a quote of each side, details, posts, claims, context, success."""
    quotes = [
        f"{name_of(vote.source)}: {quoted(vote.findings[0].quote)} [{vote.findings[0].source_id}]."
        for vote in (*sides.confirming[:1], *sides.contradicting[:1])
        if vote.findings
    ]
    verified, disputed = len(result.verified_claims), len(result.disputed_claims)
    table, details = result.consistency, count(result.context.details, "quoted detail")
    success = listed([_SUCCESS[each] for each in result.success])
    words = [
        *level_words(result, chain=True),
        *quotes,
        f"The sources agree to {table.score:g} of 100." if table.score is not None else "No detail could be compared.",
        f"They differ: {_differences(table.deviations)}." if table.deviations else "",
        _posts(result),
        f"{capitalised(count(verified, 'claim'))} verified, {count(disputed, 'claim')} disputed.",
        f"Context: {details}; {result.context.richness:g} of 100.",
        f"The investigation succeeded: {success}." if success else "No criterion of success is met.",
    ]
    return " ".join(filter(None, words))


def quotes_of(result: InvestigationResult) -> tuple[Mention, ...]:
    """Every quote of a result outside its findings: in the origin's chain, the details and the context."""
    quotes = [cell.mention for row in result.consistency.rows for cell in row.cells if cell.mention]
    quotes += [mention for event in result.context.events for mention in event.mentions]
    for actor in result.context.actors:
        quotes += [*actor.described_as, *(each.mention for each in actor.statements)]
    quotes += result.context.local.passages
    hops = result.origin.chain if result.origin else ()
    quotes += [Mention(**hop.model_dump(include=set(Mention.model_fields))) for hop in hops if hop.snapshot]
    return tuple(quotes)


def _shortened(names: Sequence[str], most: int) -> str:
    """'a, b and 3 more'."""
    return listed([*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])])


def _names(votes: Sequence[Vote]) -> str:
    return _shortened([f"{name_of(vote.source)} [{vote.source.id}]" for vote in votes], _NAMED)


def _origin_words(result: InvestigationResult, *, chain: bool) -> str:
    """The origin of the story; with `chain`, the credits that lead to it."""
    origin = result.origin
    if origin is None or not (origin.source_id or origin.name):
        between = f" between {listed(origin.candidates)}" if origin and origin.candidates else ""
        return f"The origin of the story cannot be determined{between}."
    where = f" [{origin.source_id}]" if origin.source_id else ""
    unread = "" if origin.readable else ", whose report could not be read"
    hops = [f"{hop.reason}: {quoted(hop.quote)} [{hop.source_id}]" for hop in origin.chain if hop.quote and chain]
    steps = f" {'; '.join(hops)}." if hops else ""
    return f"The story goes back to {origin.name}{where}{unread}.{steps}"


def _differences(rows: Sequence[ConsistencyRow]) -> str:
    """'“4.2 million euros” is given as 2.4 million euros [S20] [S26]', each difference once."""
    shown: dict[frozenset[str], str] = {}
    for row in rows:
        others: dict[str, list[str]] = {}
        for cell in row.cells:
            if cell.match is MatchOfDetail.DEVIATES:
                others.setdefault(cell.value, []).append(f"[{cell.source_id}]")
        values = listed([f"{value} {' '.join(ids)}" for value, ids in others.items()])
        key = frozenset({row.detail.value, row.claimed, *others})
        shown.setdefault(key, f"{quoted(row.claimed)} is given as {values}")
    return "; ".join(list(shown.values())[:_NAMED])


def _posts(result: InvestigationResult) -> str:
    social = result.social
    if not social.posts:
        return ""
    seen = len(social.eyewitnesses)
    witness = f", {count(seen, 'of them reads', 'of them read')} as an eyewitness account" if seen else ""
    shape = " Their spread looks coordinated." if social.engagement.shape is Pushed.PUSHED else ""
    accounts = count(social.independent_accounts, "independent account")
    return f"{capitalised(count(len(social.posts), 'post'))} by {accounts}{witness}.{shape}"
