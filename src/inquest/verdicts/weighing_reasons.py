"""Why a verdict is what it is, in sentences that name the sources, their tiers and their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inquest.domain.assessment import Verdict
from inquest.domain.finding import Finding, Stance
from inquest.domain.source import Source
from inquest.text.phrases import capitalised, count, listed, numeral
from inquest.verdicts.votes import Vote

__all__ = ["Weighed", "name_of", "only_the_party", "reasons_for"]

_NAME = 48
"""Characters; what is longer is no name."""
_NAMED = 4
"""How many sources a sentence names before it says 'and n more'."""


@dataclass(frozen=True)
class Weighed:
    """What was weighed, and the verdict it led to. `why`: the rule that decided, as a sentence, or ''."""

    verdict: Verdict
    why: str
    support: Sequence[Vote]
    against: Sequence[Vote]
    both: Sequence[Vote]
    findings: tuple[Finding, ...]


def name_of(source: Source) -> str:
    """What a reader knows the source by: the outlet's name, else its domain, else its title.

    A page may call itself anything (X8): the name it gives is taken only of an outlet that a rule knows by its domain.
    """
    named = " ".join((source.publisher or "").split())
    if named and len(named) <= _NAME and source.rating.known:
        return named
    return source.domain or source.title or source.url


def reasons_for(weighed: Weighed, sources: Mapping[str, Source]) -> tuple[str, ...]:
    """The reasons: the deciding one first where a rule decided, then the side that the verdict is on."""
    said = [weighed.why] if weighed.why else []
    sides = [
        _side(weighed.support, "supports it", "support it"),
        _side(weighed.against, "contradicts it", "contradict it"),
    ]
    for side in reversed(sides) if weighed.verdict is Verdict.CONTRADICTED else sides:
        said += side
    for vote in weighed.both:
        said.append(f"{name_of(vote.source)} (tier {vote.tier}) speaks on both sides and counts for neither.")
    if not (weighed.support or weighed.against or weighed.both):
        said.append(_nothing(weighed))
    said += _single(weighed)
    cast = (*weighed.support, *weighed.against, *weighed.both)
    said += _copies(cast)
    said += _deviating(cast, sources)
    said += _left_out(weighed.findings, sources)
    unassessed = sum(
        each.stance is Stance.UNASSESSED and each.source_id in sources and not sources[each.source_id].excluded
        for each in weighed.findings
    )
    if unassessed:
        verb = "counts" if unassessed == 1 else "count"
        said.append(f"{capitalised(count(unassessed, 'passage'))} could not be assessed and {verb} for nothing.")
    return tuple(dict.fromkeys(said))


def _side(side: Sequence[Vote], singular: str, plural: str) -> list[str]:
    said = []
    witnesses = [vote for vote in side if not vote.party]
    if witnesses:
        verb = singular if len(witnesses) == 1 else plural
        who = capitalised(count(len(witnesses), "independent source"))
        said.append(f"{who} {verb}: {_names(witnesses)}.")
    return said + [
        f"{_statement(vote)} {singular}; it is a party's own statement, however many papers hand it on."
        if vote.documents > 1
        else f"{_statement(vote)} {singular}; it is a party's own statement."
        for vote in side
        if vote.party
    ]


def only_the_party(side: Sequence[Vote], *, denies: bool = False) -> str:
    """That nobody but a party says so, by its name where that is known."""
    named = list(dict.fromkeys(vote.said_by for vote in side if vote.said_by))
    who = f"{listed(named)} {'itself' if len(named) == 1 else 'themselves'}" if named else "a party to the matter"
    says = "says" if len(named) < 2 else "say"
    return f"Only {who} {says} {'that it is not so' if denies else 'so'}."


def _statement(vote: Vote) -> str:
    if vote.source.rating.press_release:
        return f"A press release ({name_of(vote.source)})"
    return f"What {name_of(vote.source)} hands on{f' from {vote.said_by}' if vote.said_by else ''}"


def _witness(vote: Vote) -> str:
    """The source, and whom it has it from."""
    name = name_of(vote.source)
    if vote.findings and vote.findings[0].details.get("admission") and vote.source.rating.press_release:
        return f"{name}, against itself"
    return f"{name}, reporting {vote.said_by}" if vote.said_by else name


def _names(side: Sequence[Vote]) -> str:
    named = [f"{_witness(vote)} (tier {vote.tier})" for vote in side[:_NAMED]]
    if len(side) > _NAMED:
        named.append(f"{numeral(len(side) - _NAMED)} more")
    return listed(named)


def _nothing(weighed: Weighed) -> str:
    read = len({finding.source_id for finding in weighed.findings if finding.stance is Stance.NEUTRAL})
    if read == 1:
        return "The one source read for it does not bear on it."
    if read:
        return f"None of the {count(read, 'source')} read for it bears on it."
    return "Nothing was found that bears on it."


def _single(weighed: Weighed) -> list[str]:
    side = {
        Verdict.VERIFIED: weighed.support,
        Verdict.CONTRADICTED: weighed.against,
        Verdict.PARTIALLY_TRUE: (*weighed.support, *weighed.against),
    }.get(weighed.verdict, ())
    if len([vote for vote in side if not vote.party]) == 1:
        return ["This rests on a single independent source."]
    return []


def _copies(cast: Sequence[Vote]) -> list[str]:
    return [
        f"{capitalised(count(vote.documents, 'document'))} tell what {name_of(vote.source)} reports; they count once."
        for vote in cast
        if vote.documents > 1
    ]


def _deviating(cast: Sequence[Vote], sources: Mapping[str, Source]) -> list[str]:
    said = []
    for vote in cast:
        own = name_of(vote.source)
        names = [name_of(sources[each.source_id]) for each in vote.deviating if each.source_id in sources]
        names = [each for each in names if each != own]  # who says otherwise of itself copies nobody
        if names:
            who = listed(list(dict.fromkeys(names)))
            said.append(f"In copying the story of {name_of(vote.source)}, {who} changed what it says; that is no vote.")
    return said


def _left_out(findings: Sequence[Finding], sources: Mapping[str, Source]) -> list[str]:
    left = {
        finding.source_id: sources[finding.source_id]
        for finding in findings
        if finding.source_id in sources and sources[finding.source_id].excluded
    }
    return [f"{name_of(source)} is not counted: {source.excluded}." for _, source in sorted(left.items())]
