"""Why a verdict is what it is, in sentences that name the sources, their tiers and their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.finding import Finding, Stance
from inquest.domain.reasons import Reason, ReasonData, in_words
from inquest.domain.source import Source
from inquest.text.entities import same_name
from inquest.verdicts.testimony import as_testimony
from inquest.verdicts.votes import Vote

NOTHING_FOUND, ONLY_ITS_MAKER, SIDE = "verdicts.nothing_found", "verdicts.only_its_maker", "verdicts.side"
ONLY_A_PARTY = "verdicts.only_party_says"
SINGLE = "verdicts.single"
"""Codes that others ask for."""

_NAME = 48
"""Characters; what is longer is no name."""
_NAMED = 4
"""How many sources a sentence names before it says 'and n more'."""


@dataclass(frozen=True)
class Sides:
    """The votes on a claim, by what they count for."""

    support: tuple[Vote, ...]
    full: tuple[Vote, ...]
    """Contradict the claim outright."""
    partial: tuple[Vote, ...]
    """Contradict it by its context or by what it leaves out."""
    both: tuple[Vote, ...]
    """Witnesses that say both and so decide nothing."""
    origins: frozenset[str]
    """Voters behind the sources that make the claim."""
    beforehand: tuple[Vote, ...] = ()
    """Support it from before what it tells of was to happen."""
    overtaken: tuple[Vote, ...] = ()
    """Of either side, what a later statement of the other has overtaken."""

    @property
    def against(self) -> tuple[Vote, ...]:
        """All that contradict it."""
        return self.full + self.partial


def name_of(source: Source) -> str:
    """What a reader knows the source by: the outlet's name, else its domain, else its title.

    A page may call itself anything (X8): the name it gives is taken only of an outlet that a rule knows by its domain.
    """
    named = " ".join((source.publisher or "").split())
    if named and len(named) <= _NAME and source.rating.known:
        return named
    return source.domain or source.title or source.url


def reasons_for(
    verdict: Verdict, why: Reason | None, sides: Sides, findings: Sequence[Finding], sources: Mapping[str, Source]
) -> tuple[Reason, ...]:
    """The reasons: `why`, the rule that decided, first, then the side that the verdict is on."""
    said = [why] if why else []
    by_side = [_side(sides.support, "supports"), _side(sides.against, "contradicts")]
    for side in reversed(by_side) if verdict is Verdict.CONTRADICTED else by_side:
        said += side
    if sides.beforehand:
        said.append(reason("announced", who=_names(sides.beforehand)))
    if sides.overtaken:
        said.append(reason("overtaken", who=_names(sides.overtaken)))
    said += [reason("speaks_on_both", name=name_of(vote.source), tier=vote.tier) for vote in sides.both]
    cast = (*sides.support, *sides.against, *sides.both, *sides.beforehand, *sides.overtaken)
    if not cast:
        said.append(_nothing(findings))
    prevailing = sides.against if verdict is Verdict.CONTRADICTED else sides.support
    decided = verdict not in (Verdict.DISPUTED, Verdict.UNVERIFIED)
    if decided and sum(not vote.party for vote in prevailing) == 1:
        said.append(Reason(code=SINGLE))
    said += [reason("copies", number=vote.documents, name=name_of(vote.source)) for vote in cast if vote.documents > 1]
    said += _deviating(cast, sources)
    known = [each for each in findings if each.source_id in sources]
    excluded = {each.source_id: sources[each.source_id] for each in known if sources[each.source_id].excluded}
    said += [
        reason("not_counted", name=name_of(source), why=source.excluded or "") for _, source in sorted(excluded.items())
    ]
    unassessed = sum(each.stance is Stance.UNASSESSED and each.source_id not in excluded for each in known)
    if unassessed:
        said.append(reason("unassessed", number=unassessed))
    return tuple({in_words(each): each for each in said}.values())


def reasoned(assessment: Assessment, reasons: Sequence[Reason]) -> Assessment:
    """The assessment with these reasons, as values and in words; none twice."""
    words = {in_words(each): each for each in reasons}
    return assessment.model_copy(update={"reasons": tuple(words), "reason_codes": tuple(words.values())})


def reason(kind: str, /, **data: ReasonData | Reason | list[Reason]) -> Reason:
    """A reason of `domain/wording/verdicts.toml`."""
    return Reason.of(f"verdicts.{kind}", **data)


def _side(side: Sequence[Vote], singular: str) -> list[Reason]:
    said = []
    witnesses = [vote for vote in side if not vote.party]
    if witnesses:
        verb = singular if len(witnesses) == 1 else singular.removesuffix("s")
        said.append(reason("side", number=len(witnesses), verb=verb, names=_names(witnesses)))
    return said + [
        reason(
            "own_statement_handed_on" if vote.documents > 1 else "own_statement", who=_statement(vote), verb=singular
        )
        for vote in side
        if vote.party
    ]


def only_the_party(side: Sequence[Vote], *, denies: bool = False) -> Reason:
    """That nobody but a party says so, by its name, or by its release, where that is one."""
    named = list({in_words(each): each for each in map(_party_of, side) if each}.values())
    who = named[0] if len(named) == 1 else reason("a_party")
    return reason("only_party_denies" if denies else "only_party_says", who=who)


def _party_of(vote: Vote) -> Reason | None:
    if vote.said_by:
        return reason("itself", name=vote.said_by)
    return reason("a_release", name=name_of(vote.source)) if vote.source.rating.press_release else None


def _statement(vote: Vote) -> Reason:
    name = name_of(vote.source)
    if vote.source.rating.press_release:
        return reason("release", name=name)
    if vote.said_by and vote.said_by.casefold() == vote.source.domain:
        return reason("itself", name=name)
    if vote.said_by and same_name(vote.said_by, name):
        return reason("itself", name=vote.said_by)
    return reason("passed_on_from", name=name, who=_named(vote)) if _named(vote) else reason("passed_on", name=name)


def _witness(vote: Vote) -> Reason:
    """The source, its tier, and whom it has it from."""
    name = name_of(vote.source)
    if vote.findings and as_testimony(vote.findings[0]).against_self and vote.source.rating.press_release:
        return reason("witness_against_itself", name=name, tier=vote.tier)
    if _named(vote):
        return reason("witness_reporting", name=name, who=_named(vote), tier=vote.tier)
    return reason("witness", name=name, tier=vote.tier)


def _named(vote: Vote) -> str:
    """Whom the source has it from, where that is a name or an address and no common noun, such as 'letter'."""
    return "" if vote.said_by.islower() and "." not in vote.said_by else vote.said_by


def _names(side: Sequence[Vote]) -> list[Reason]:
    more = [reason("more", number=len(side) - _NAMED)] if len(side) > _NAMED else []
    return [*map(_witness, side[:_NAMED]), *more]


def _nothing(findings: Sequence[Finding]) -> Reason:
    read = len({finding.source_id for finding in findings if finding.stance is Stance.NEUTRAL})
    if read > 1:
        return reason("none_bears", number=read)
    return reason("one_bears_not" if read else "nothing_found")


def _deviating(cast: Sequence[Vote], sources: Mapping[str, Source]) -> list[Reason]:
    said = []
    for vote in cast:
        own = name_of(vote.source)
        names = [name_of(sources[each.source_id]) for each in vote.deviating if each.source_id in sources]
        # Who says otherwise of itself copies nobody.
        if names := [each for each in names if each != own]:
            said.append(reason("deviating", name=own, who=list(dict.fromkeys(names))))
    return said
