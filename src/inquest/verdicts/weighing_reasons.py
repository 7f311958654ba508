"""Reasons for a verdict, in sentences that name the sources, their tiers and their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inquest.domain.finding import Assessment, Finding, Stance, Verdict
from inquest.domain.reasons import Catalogue, Reason, once, worded
from inquest.domain.source import Category, Source
from inquest.text.entities import same_name
from inquest.text.phrases import quoted
from inquest.text.urls import shown_address
from inquest.verdicts.testimony import as_testimony
from inquest.verdicts.votes import Vote, is_page_of

reason = Catalogue("verdicts")
NOTHING_FOUND, ONLY_ITS_MAKER, SIDE = "verdicts.nothing_found", "verdicts.only_its_maker", "verdicts.side"
ONLY_A_PARTY = "verdicts.only_party_says"
SINGLE = "verdicts.single"

_LONGEST_NAME = 48
"""Characters; anything longer is not a name."""
_NAMED = 4
"""Sources that a sentence names before 'n more'."""


@dataclass(frozen=True)
class Sides:
    """The votes on a claim, by their effect."""

    support: tuple[Vote, ...]
    full: tuple[Vote, ...]
    """Votes that contradict the claim outright."""
    partial: tuple[Vote, ...]
    """Votes that contradict it by its context or an omission."""
    both: tuple[Vote, ...]
    """Witnesses that support and contradict it, and so decide nothing."""
    origins: frozenset[str]
    """Voters behind the sources that make the claim."""
    beforehand: tuple[Vote, ...] = ()
    """Support from before the date of the claimed event."""
    overtaken: tuple[Vote, ...] = ()
    """Votes of either side that a later vote of the other side supersedes."""

    @property
    def against(self) -> tuple[Vote, ...]:
        """All votes that contradict the claim."""
        return self.full + self.partial


def name_of(source: Source) -> str:
    """Return the name by which a reader knows the source: the outlet's name, else its domain, else the file's name;
    on a wire for releases, after the company that issued it.

    A page can call itself anything (X8), so its own name is used only if a rule knows the outlet by its domain.
    """
    name = " ".join((source.publisher or "").split())
    if not (name and len(name) <= _LONGEST_NAME and source.rating.known):
        name = source.domain or shown_address(source.url)
    by = source.author if source.rating.category == Category.PRESS_RELEASE else None
    return f"{by}, {name}" if by else name


def reasons_for(
    verdict: Verdict, why: Reason | None, sides: Sides, findings: Sequence[Finding], sources: Mapping[str, Source]
) -> tuple[Reason, ...]:
    """Return the reasons: the prevailing side, the rule that decided (`why`), the other side and the rest. `why` comes
    first if the verdict takes neither side."""
    first, other = _side(sides.support, "supports"), _side(sides.against, "contradicts")
    if verdict is Verdict.CONTRADICTED:
        first, other = other, first
    rule = [why] if why else []
    if why and why.code.startswith("verdicts.only_party") and len(first + other) == 1:
        first = other = []  # the rule names the party
    reasons = (
        [*first, *rule, *other] if verdict in (Verdict.VERIFIED, Verdict.CONTRADICTED) else [*rule, *first, *other]
    )
    if sides.beforehand:
        reasons.append(reason("announced", who=_names(sides.beforehand)))
    if sides.overtaken:
        reasons.append(reason("overtaken", who=_names(sides.overtaken)))
    reasons += [reason("speaks_on_both", name=name_of(vote.source), tier=vote.tier) for vote in sides.both]
    cast = (*sides.support, *sides.against, *sides.both, *sides.beforehand, *sides.overtaken)
    if not cast:
        read = len({finding.source_id for finding in findings if finding.stance is Stance.NEUTRAL})
        one = reason("one_bears_not" if read else "nothing_found")
        reasons.append(reason("none_bears", number=read) if read > 1 else one)
    prevailing = sides.against if verdict is Verdict.CONTRADICTED else sides.support
    decided = verdict not in (Verdict.DISPUTED, Verdict.UNVERIFIED)
    if decided and sum(not vote.party for vote in prevailing) == 1:
        reasons.append(Reason(code=SINGLE))
    for code in ("copies", "superseded"):
        reasons += [reason(code, number=n, name=name_of(vote.source)) for vote in cast if (n := getattr(vote, code))]
    reasons += _deviating(cast, sources)
    known = [each for each in findings if each.source_id in sources]
    excluded = {each.source_id: sources[each.source_id] for each in known if sources[each.source_id].excluded}
    counted = {name_of(vote.source) for vote in cast}
    for _, source in sorted(excluded.items()):
        name = quoted(source.title) if source.title and name_of(source) in counted else name_of(source)
        reasons.append(reason("not_counted", name=name, why=source.why_excluded))
    if unassessed := sum(each.stance is Stance.UNASSESSED and each.source_id not in excluded for each in known):
        reasons.append(reason("unassessed", number=unassessed))
    return once(reasons)


def reasoned(assessment: Assessment, reasons: Sequence[Reason]) -> Assessment:
    """Return the assessment with these reasons, as codes and in words, each once."""
    return assessment.model_copy(update={**worded(once(reasons))})


def _side(side: Sequence[Vote], singular: str) -> list[Reason]:
    reasons = []
    if witnesses := [vote for vote in side if not vote.party]:
        verb = singular if len(witnesses) == 1 else singular.removesuffix("s")
        reasons.append(reason("side", number=len(witnesses), verb=verb, names=_names(witnesses)))
    for vote in side:
        if vote.party:
            kind = "own_statement_handed_on" if vote.copies else "own_statement"
            reasons.append(reason(kind, who=_statement(vote), verb=singular))
    return reasons


def only_the_party(side: Sequence[Vote], *, denies: bool = False) -> Reason:
    """Return the reason that only a party makes or denies the claim, with the party or its press release named."""
    named = [who for who in map(_party_of, side) if who]
    who = named[0] if named and all(each == named[0] for each in named) else reason("a_party")
    return reason("only_party_denies" if denies else "only_party_says", who=who)


def weakness(name: str, side: Sequence[Vote]) -> Reason:
    """Return the reason for which these votes are not enough."""
    who = list(dict.fromkeys(name_of(vote.source) for vote in side))
    return reason(name, who=who, tier=side[0].tier, share=max(vote.confidence for vote in side))


def _party_of(vote: Vote) -> Reason | str:
    if vote.source.rating.press_release and vote.source.rating.category != Category.COMPANY:
        return reason("a_release", name=name_of(vote.source))
    return vote.said_by or name_of(vote.source)


def _statement(vote: Vote) -> Reason:
    name, release = name_of(vote.source), vote.source.rating.press_release
    if release and vote.source.rating.category != Category.COMPANY:
        return reason("release", name=name)
    if release or vote.said_by.casefold() == vote.source.domain:
        return reason("itself", name=name)
    if vote.said_by and (same_name(vote.said_by, name) or is_page_of(vote.said_by, vote.source)):
        return reason("itself", name=vote.said_by)
    who = reported_speaker(vote.said_by, vote.source)
    return reason("passed_on_from", name=name, who=who) if who else reason("passed_on", name=name)


def _witness(vote: Vote) -> Reason:
    """The source, its tier, and whom it reports."""
    if vote.party:
        return _statement(vote)
    name = name_of(vote.source)
    who = reported_speaker(vote.said_by, vote.source)
    rating, admits = vote.source.rating, as_testimony(vote.findings[0]).against_self
    its_own = rating.press_release or rating.category == Category.COMPANY
    if (vote.taken_back or (admits and rating.press_release)) and (who or its_own):
        return reason("witness_against_itself", name=who or name, tier=vote.tier)
    if who:
        return reason("witness_reporting", name=name, who=who, tier=vote.tier)
    return reason("witness", name=name, tier=vote.tier)


def reported_speaker(name: str, source: Source) -> str:
    """The person or body that the source reports; '' if that is a common noun such as 'letter' or 'A surveyor', and no
    address, or if the source reports its own work."""
    words = name[1:] if " " in name else name
    if words.islower() and ("." not in words or words == source.domain):
        return ""
    return "" if same_name(name, name_of(source)) else name


def _names(side: Sequence[Vote]) -> list[Reason]:
    more = [reason("more", number=len(side) - _NAMED)] if len(side) > _NAMED else []
    return [*map(_witness, side[:_NAMED]), *more]


def _deviating(cast: Sequence[Vote], sources: Mapping[str, Source]) -> list[Reason]:
    reasons = []
    for vote in cast:
        own = name_of(vote.source)
        names = dict.fromkeys(name_of(sources[each.source_id]) for each in vote.deviating if each.source_id in sources)
        names.pop(own, None)  # an outlet that contradicts itself copies nobody
        if names:
            reasons.append(reason("deviating", name=own, who=list(names)))
    return reasons
