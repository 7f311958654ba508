"""An investigation in words for a person. Every sentence that states a fact names its source in brackets."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.desks.verification.topic_claims import Sides
from inquest.domain.claim import Mention
from inquest.domain.document import Precision
from inquest.domain.english import agreeing
from inquest.domain.investigation import (
    ConsistencyRow,
    ConsistencyTable,
    InvestigationResult,
    MatchOfDetail,
    TopicContext,
)
from inquest.domain.social import Pushed
from inquest.domain.topic import ReviewFlag, Success, Topic, VerificationLevel
from inquest.text.entities import same_name
from inquest.text.phrases import capitalised, count, ended, listed, quoted
from inquest.verdicts.votes import Vote
from inquest.verdicts.weighing_reasons import name_of

LEVEL_HEADING = "Verification level"
"""Over the sentences that tell the level, first in the summary of a topic."""
_NAMED = 4
_SUCCESS = {
    Success.CREDIBLE_SOURCES: "three or more credible sources confirm it",
    Success.ORIGIN: "its authoritative origin was found",
    Success.CONTEXT: "its context is known in five or more details",
    Success.SOCIAL_EVIDENCE: "ten or more independent accounts report it",
}
_ON = {Precision.YEAR: "In", Precision.MONTH: "In", Precision.DAY: "On", Precision.TIME: "On"}


def review_words(
    flags: Sequence[ReviewFlag], sides: Sides, consistency: ConsistencyTable, accusation: str | None
) -> str:
    """Why a person has to look at it, one sentence for each flag; '' where nothing is flagged."""
    said = []
    for flag in flags:
        match flag:
            case ReviewFlag.CONTRADICTION:
                if sides.contradicting:
                    said.append(f"Sources disagree: {_names(sides.contradicting)} against it.")
                if sides.differing:
                    verb = agreeing(len(sides.differing), "differs", "differ")
                    said.append(f"{_names(sides.differing)} {verb} in a detail.")
                if sides.before:
                    many = capitalised(count(sides.before, "source"))
                    verb = agreeing(sides.before, "reports", "report")
                    said.append(f"{many} {verb} the same from before the day on which it is said to have happened.")
            case ReviewFlag.ONLY_LOW_CREDIBILITY:
                said.append("Only sources of low credibility bear on it.")
            case ReviewFlag.NOT_CORROBORATED:
                said.append("No independent source confirms it.")
            case ReviewFlag.SERIOUS_ALLEGATION:
                word = f" ({quoted(accusation)})" if accusation else ""
                said.append(f"It accuses somebody of a grave wrong{word}, which calls for extra care.")
    apart = [row for row in consistency.deviations if row.claim_id in sides.claims or not sides.claims]
    if apart and flags:
        said.append(f"Details differ: {'; '.join(_apart(row) for row in _each_once(apart)[:_NAMED])}.")
    return " ".join(said)


def level_words(result: InvestigationResult) -> tuple[str, ...]:
    """What a person wants to know first, a sentence each: the level, why, who stands on which side, how sure, where the
    story comes from, and what is left for a person."""
    raised = result.upgrade
    level = raised.new_level.value
    first = f"The topic is {level}; it was {raised.before.value} before." if raised.upgraded else f"It stays {level}."
    confirmed = (
        "Confirmed by" if raised.upgraded or raised.new_level is not VerificationLevel.UNVERIFIED else "Supported by"
    )
    said = [first, *raised.reasons, _side(result, True, confirmed), _side(result, False, "Contradicted by")]
    said += [f"Confidence: {confidence_words(result)}.", origin_words(result, chain=False)]
    if result.requires_human_review:
        said.append(f"A person should look at it: {result.review_reason or 'the rules ask for it'}")
    return tuple(ended(each) for each in said if each)


def _side(result: InvestigationResult, side: bool, words: str) -> str:
    """Who is counted on a side; who only has it from them is in the table of sources."""
    named = [each for each in result.additional_sources if each.confirms is side and each.counted]
    shown = [f"{each.name} (tier {each.credibility_tier}) [{each.id}]" for each in named]
    more = len(shown) - 2 * _NAMED
    return f"{words} {listed([*shown[: 2 * _NAMED], *([f'{more} more'] if more > 0 else [])])}" if shown else ""


def confidence_words(result: InvestigationResult) -> str:
    """'64 of 100 that what contradicts it is right': the figure with what it is a figure of. Of a topic on which nobody
    was found it says how well was looked, and nothing on whether it is true."""
    if result.recommended_verification_level is not VerificationLevel.UNVERIFIED:
        borne_out = any(each.confirms for each in result.additional_sources)
        of = "that what confirms it is right" if borne_out else "that what was found this time bears its level out"
    elif any(each.confirms is False for each in result.additional_sources):
        of = "that what contradicts it is right"
    else:
        of = "that 'unverified' is the right level; it says how much was read, and not whether the topic is true"
    return f"{result.confidence_level:.0f} of 100 {of}"


def context_words(context: TopicContext) -> str:
    """The context as sentences with their sources; '' where there is none."""
    said = []
    for event in context.events:
        where = ", ".join(dict.fromkeys(each.source_id for each in event.mentions))
        said.append(f"{_ON[event.precision]} {event.date}: {ended(event.text)} [{where}]")
    for actor in context.actors:
        said += [f"{actor.name}: {quoted(each.quote)} [{each.source_id}]." for each in actor.described_as[:1]]
        shown = {mention.quote for mention in actor.described_as[:1]}
        for statement in [each for each in actor.statements if each.mention.quote not in shown][:2]:
            when = f" ({statement.said})" if statement.said else ""
            before = "Before the event" if statement.earlier else "On the topic"
            mention = statement.mention
            said.append(f"{before}, {actor.name}{when}: {quoted(mention.quote)} [{mention.source_id}].")
    place = context.local.place
    said += [f"On {place}: {quoted(each.quote)} [{each.source_id}]." for each in context.local.passages[:3]]
    return " ".join(said)


def notes_words(topic: Topic, result: InvestigationResult, sides: Sides, outages: int = 0) -> str:
    """The investigation in short: result, evidence on both sides, origin, details, posts, context, review. `outages`:
    how many should have been asked and could not be."""
    level = result.recommended_verification_level.value
    raised = result.upgrade
    change = f"raised from {raised.before.value} to {level}" if raised.upgraded else f"stays {level}"
    said = [f"{quoted(topic.title)} {change}.", _evidence(sides), f"Confidence: {confidence_words(result)}."]
    if raised.single_source:
        said.append("It rests on a single independent source.")
    said += [origin_words(result), _details(result.consistency), _posts(result)]
    if result.verified_claims or result.disputed_claims:
        verified, disputed = len(result.verified_claims), len(result.disputed_claims)
        said.append(f"{capitalised(count(verified, 'claim'))} verified, {count(disputed, 'claim')} disputed.")
    details = result.context.details
    said.append(f"Context: {count(details, 'quoted detail')}; {result.context.richness:g} of 100.")
    if result.success:
        said.append(f"The investigation succeeded: {listed([_SUCCESS[each] for each in result.success])}.")
    else:
        said.append("None of the criteria of success is met.")
    if outages:
        services = count(outages, "service or page", "services or pages")
        said.append(f"{capitalised(services)} that should have been asked or read could not be.")
    if result.review_reason:
        said.append(f"To be reviewed by a person. {result.review_reason}")
    return " ".join(each for each in said if each)


def quotes_of(result: InvestigationResult) -> tuple[Mention, ...]:
    """Every quote that a result holds beside its findings: of the origin's chain, of details and of the context."""
    found = [cell.mention for row in result.consistency.rows for cell in row.cells if cell.mention]
    found += [mention for event in result.context.events for mention in event.mentions]
    for actor in result.context.actors:
        found += [*actor.described_as, *(each.mention for each in actor.statements)]
    found += result.context.local.passages
    for hop in result.origin.chain if result.origin else ():
        if hop.snapshot:
            found.append(Mention(**hop.model_dump(include=set(Mention.model_fields))))
    return tuple(found)


def _evidence(sides: Sides) -> str:
    if not sides.confirming and not sides.contradicting:
        return "No independent source confirms or contradicts its main claim."
    verbs = ((sides.confirming, "confirms", "confirm"), (sides.contradicting, "contradicts", "contradict"))
    parts = [f"{_names(side)} {agreeing(len(side), one, many)} it." for side, one, many in verbs if side]
    quoted_first = [vote for vote in (*sides.confirming[:1], *sides.contradicting[:1]) if vote.findings]
    parts += [f"{name_of(vote.source)}: {quoted(vote.findings[0].quote)} [{vote.source.id}]." for vote in quoted_first]
    return " ".join(parts)


def _who(vote: Vote) -> str:
    """Whose word it is, and where it stands: 'the Water Inspectorate (in Northcliff Ledger [S3])'."""
    name = name_of(vote.source)
    shown, by = f"{name} [{vote.source.id}]", vote.said_by
    named = any(char.isupper() for char in by) and not vote.party
    if not named or same_name(by, name) or (vote.source.publisher and same_name(by, vote.source.publisher)):
        return shown
    return f"{by} (in {shown})"


def _names(votes: Sequence[Vote]) -> str:
    named = [_who(vote) for vote in votes[:_NAMED]]
    more = len(votes) - len(named)
    return listed([*named, f"{more} more"] if more else named)


def origin_words(result: InvestigationResult, *, chain: bool = True) -> str:
    """Where the story comes from; with `chain`, each step back in the words that credit the next."""
    origin = result.origin
    if origin is None or not (origin.source_id or origin.name):
        between = f" between {listed(origin.candidates)}" if origin and origin.candidates else ""
        return f"Where the story comes from cannot be determined{between}."
    where = f" [{origin.source_id}]" if origin.source_id else ""
    away = "" if origin.readable else ", whose report could not be read"
    hops = [f"{hop.reason}: {quoted(hop.quote)} [{hop.source_id}]" for hop in origin.chain if hop.quote and chain]
    steps = f" {'; '.join(hops)}." if hops else ""
    return f"The story goes back to {origin.name}{where}{away}.{steps}"


def _details(table: ConsistencyTable) -> str:
    if table.score is None:
        return "There was nothing to compare between independent sources."
    apart = [_apart(row) for row in _each_once(table.deviations)[:_NAMED]]
    differing = f" They differ: {'; '.join(apart)}." if apart else ""
    return f"The sources agree to {table.score:g} of 100.{differing}"


def _each_once(rows: Sequence[ConsistencyRow]) -> list[ConsistencyRow]:
    """Without rows that have an earlier one the other way round: 4.2 for 2.4 after 2.4 for 4.2."""
    shown: dict[frozenset[str], ConsistencyRow] = {}
    for row in rows:
        given = {cell.value for cell in row.cells if cell.match is MatchOfDetail.DEVIATES}
        shown.setdefault(frozenset({row.detail.value, row.claimed, *given}), row)
    return list(shown.values())


def _apart(row: ConsistencyRow) -> str:
    """'“4.2 million euros” is given as 2.4 million euros [S20], [S26]'."""
    others: dict[str, list[str]] = {}
    for cell in row.cells:
        if cell.match is MatchOfDetail.DEVIATES:
            others.setdefault(cell.value, []).append(f"[{cell.source_id}]")
    shown = [f"{value} {' '.join(ids)}" for value, ids in others.items()]
    return f"{quoted(row.claimed)} is given as {listed(shown)}"


def _posts(result: InvestigationResult) -> str:
    social = result.social
    if not social.posts:
        return ""
    seen = len(social.eyewitnesses)
    witness = f", {count(seen, 'of them reads', 'of them read')} as an eyewitness account" if seen else ""
    shape = " Their spread looks coordinated." if social.engagement.shape is Pushed.PUSHED else ""
    accounts = count(social.independent_accounts, "independent account")
    return f"{capitalised(count(len(social.posts), 'post'))} by {accounts}{witness}.{shape}"
