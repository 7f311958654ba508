"""What the findings on a claim add up to. Pure arithmetic over independent witnesses; every step leaves its reason.

The rules, in the order in which they speak:

- A witness carries its side alone if it is of tier 1 or 2 and sure enough. Of tier 3 it takes two; tier 4, what a
  party says of itself and what is only somebody's word never carry a side (PRODUCT.md, decision 14; spec 001).
- A contradiction stands out where any witness of tier 1, two of tier 2 or three of tier 3 contradict (N8). Nothing is
  'verified' over a contradiction that stands out.
- The source that makes the claim is one witness, however often it repeats itself: alone, it verifies its claim only
  if it is of tier 1 (a regulator on its own decision).
- A public body's own document on what it decided or measured goes before one paper that has it otherwise.
- Where everything that was found goes one way, against the claim, a likely contradiction is enough; two that are
  fairly likely are, too. Nothing is 'verified' on what is only likely.
- What was not assessed counts for nothing, on no side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.claim import Claim
from inquest.domain.finding import ContradictionType, Finding, Stance
from inquest.domain.source import Source
from inquest.sources.owners import origins_of, voter_of
from inquest.verdicts.halves import figure_off, half_borne_out
from inquest.verdicts.votes import Vote, finding_weight, votes
from inquest.verdicts.weighing_reasons import Weighed, name_of, only_the_party, reasons_for
from inquest.verdicts.whose_words import corrects

__all__ = ["assess_claim", "stands_out", "together"]

SURE = 0.5
"""Confidence from which a finding can carry a side or make a contradiction stand out."""
_LIKELY, _FAIRLY_LIKELY = 0.45, 0.4
"""Confidence from which one witness, or each of two, of tier 1 or 2 carries a contradiction that nobody gainsays.

Beside claims that people have checked, a lone contradiction that likely stands clearly more often with a false claim
than with a true one or one that nothing decides; one that is less likely does not. Support that weak carries nothing:
calling an untruth verified does more harm.
"""
_TOGETHER = 0.7
"""What two or more witnesses of tier 3 or better must weigh together."""
_OUTWEIGHS = 2.0
"""How many times one side must weigh the other to prevail over a lesser one."""
_PARTIAL_TYPES = (ContradictionType.CONTEXTUAL, ContradictionType.OMISSION)


def assess_claim(claim: Claim, findings: Sequence[Finding], sources: Mapping[str, Source]) -> Assessment:
    """The verdict on the claim, with both sides and the reasons. `sources` by id.

    Findings on other claims are left aside, so all of a case's findings may be given, in any order. The confidence is
    how firmly the evidence carries the verdict, 0 to 1; 0 where there is no evidence.
    """
    own = [finding for finding in findings if finding.claim_id == claim.id]
    counted = [each for each in own if each.source_id in sources and not sources[each.source_id].excluded]
    # Whoever the story goes back to makes the claim, not whoever copied it.
    origin_of = origins_of(sources)
    origins = {voter_of(origin_of[source_id]) for source_id in claim.source_ids if source_id in sources}
    makers = {voter_of(sources[source_id]) for source_id in claim.source_ids if source_id in sources}
    of_others = [each for each in counted if not _of_itself(each, makers, sources, origin_of)]
    sides = _sides(claim, votes(of_others, sources, about=claim.text))
    verdict, why = _verdict(claim, sides, origins)
    prevailing = _prevailing(verdict, sides)
    independent = len(prevailing)
    return Assessment(
        claim_id=claim.id,
        verdict=verdict,
        confidence=round(_confidence(verdict, sides), 3),
        independent_sources=independent,
        single_source=independent == 1 and verdict is not Verdict.DISPUTED,
        supporting=_ids(counted, sources, Stance.SUPPORTS),
        contradicting=_ids(counted, sources, Stance.CONTRADICTS),
        reasons=reasons_for(Weighed(verdict, why, sides.support, sides.against, sides.both, tuple(own)), sources),
        unassessed=sum(each.stance is Stance.UNASSESSED for each in counted),
    )


def stands_out(against: Sequence[Vote]) -> bool:
    """The flag rule (N8): any witness of tier 1, or two of tier 2, or three of tier 3 that are sure enough."""
    counted = [vote for vote in against if vote.confidence >= SURE and not (vote.party or vote.hearsay)]
    return any(sum(vote.tier <= tier for vote in counted) >= tier for tier in (1, 2, 3))


@dataclass(frozen=True)
class _Sides:
    support: tuple[Vote, ...]
    full: tuple[Vote, ...]
    """Contradict the claim outright."""
    partial: tuple[Vote, ...]
    """Contradict a part of it: the figure, the context, what was left out."""
    both: tuple[Vote, ...]
    """Witnesses that say both and so decide nothing."""

    @property
    def against(self) -> tuple[Vote, ...]:
        return self.full + self.partial


def _of_itself(
    finding: Finding, makers: set[str], sources: Mapping[str, Source], origin_of: Mapping[str, Source]
) -> bool:
    """Whether it is another sentence of the claim's own maker (or a copy of it) that seems to contradict the claim: it
    speaks of something else, or he speaks on both sides; no contradiction by a witness. A correction is one, and so is
    what he says against himself."""
    if finding.stance is not Stance.CONTRADICTS or corrects(finding.quote) or finding.details.get("admission"):
        return False
    return bool({voter_of(sources[finding.source_id]), voter_of(origin_of[finding.source_id])} & makers)


def _sides(claim: Claim, cast: Sequence[Vote]) -> _Sides:
    against = [vote for vote in cast if vote.stance is Stance.CONTRADICTS]
    partial = [vote for vote in against if _is_partial(claim, vote.findings[0])]
    return _Sides(
        support=tuple(vote for vote in cast if vote.stance is Stance.SUPPORTS),
        full=tuple(vote for vote in against if vote not in partial),
        partial=tuple(partial),
        both=tuple(vote for vote in cast if vote.stance is Stance.NEUTRAL),
    )


def _is_partial(claim: Claim, finding: Finding) -> bool:
    return finding.contradiction_type in _PARTIAL_TYPES or figure_off(claim.text, finding.quote) is not None


def _weight(side: Sequence[Vote]) -> float:
    return sum(vote.weight for vote in side)


def _able(side: Sequence[Vote]) -> list[Vote]:
    """Those that can carry a side, alone or together."""
    return [vote for vote in side if not (vote.party or vote.hearsay) and vote.confidence >= SURE and vote.tier <= 3]


def _outweighed(side: Sequence[Vote], other: Sequence[Vote]) -> Vote | None:
    """The official document on one side that outweighs the other side: a public body on what it decided or measured
    goes before what one paper says of it. None: there is none, the other side has a witness of tier 1 too, or two of
    tier 2 with evidence of their own."""
    official = next((vote for vote in _able(side) if vote.official), None)
    against = _able(other)
    own = [vote for vote in against if vote.tier == 2 and not vote.said_by]
    if official is None or any(vote.tier == 1 for vote in against) or len(own) >= 2:
        return None
    return official


def _over(official: Vote, other: Sequence[Vote]) -> str:
    named = ", ".join(dict.fromkeys(name_of(vote.source) for vote in other))
    return f"The official document of {name_of(official.source)} goes before what {named} says otherwise."


def _carries(side: Sequence[Vote]) -> bool:
    able = _able(side)
    return any(vote.tier <= 2 for vote in able) or (len(able) >= 2 and _weight(able) >= _TOGETHER)


def _likely(against: Sequence[Vote], support: Sequence[Vote]) -> bool:
    """Whether nobody but a party bears the claim out, and what goes against it is likely enough to stand alone."""
    if any(not vote.party for vote in support):
        return False
    heard = [vote.confidence for vote in against if not (vote.party or vote.hearsay) and vote.tier <= 2]
    return any(sure >= _LIKELY for sure in heard) or sum(sure >= _FAIRLY_LIKELY for sure in heard) >= 2


def _verdict(claim: Claim, sides: _Sides, origins: set[str]) -> tuple[Verdict, str]:
    support, full, partial = sides.support, sides.full, sides.partial
    if not (support or full or partial):
        return Verdict.UNVERIFIED, ""
    if _carries(support):
        return _supported(claim, sides, origins)
    if _carries(full):
        return Verdict.CONTRADICTED, ""
    if _carries(partial):
        return Verdict.PARTIALLY_TRUE, _what_is_off(claim, partial)
    if _likely(full, support):
        return Verdict.CONTRADICTED, "What contradicts it is likely and not sure; nobody independent bears it out."
    if support and all(vote.party for vote in support) and not full and not partial:
        return Verdict.UNVERIFIED, only_the_party(support)
    if (full or partial) and all(vote.party for vote in (*full, *partial)) and not support:
        return Verdict.UNVERIFIED, only_the_party((*full, *partial), denies=True)
    if full and support:
        return Verdict.UNVERIFIED, "What speaks for it and what speaks against it both weigh too little."
    return Verdict.UNVERIFIED, "What bears on it weighs too little to carry a verdict."


def _supported(claim: Claim, sides: _Sides, origins: set[str]) -> tuple[Verdict, str]:
    support, full, partial = sides.support, sides.full, sides.partial
    if _carries(full):
        if official := _outweighed(full, support):
            return Verdict.CONTRADICTED, _over(official, _able(support))
        if official := _outweighed(support, full):
            return Verdict.VERIFIED, _over(official, _able(full))
        return Verdict.DISPUTED, "Credible independent sources stand on both sides."
    if stands_out(sides.against) or _weight(support) < _OUTWEIGHS * _weight(sides.against):
        if partial:
            return Verdict.PARTIALLY_TRUE, _what_is_off(claim, partial)
        return Verdict.DISPUTED, "What contradicts it weighs too much to be set aside."
    if len(support) == 1 and support[0].voter in origins and support[0].tier > 1 and not full:
        return Verdict.UNVERIFIED, "Only the source that makes the claim says so; nobody independent of it confirms it."
    missing = half_borne_out(claim.text, [finding.quote for vote in support for finding in vote.findings])
    if missing:
        return Verdict.PARTIALLY_TRUE, f"The evidence bears out one part only; nothing found says that {missing}."
    return Verdict.VERIFIED, ""


def _what_is_off(claim: Claim, partial: Sequence[Vote]) -> str:
    for vote in partial:
        finding = vote.findings[0]
        if why := figure_off(claim.text, finding.quote):
            return f"{why[0].upper()}{why[1:]}."
    words = {
        ContradictionType.CONTEXTUAL: "It holds in the letter, but the context turns it.",
        ContradictionType.OMISSION: "It holds in the letter, but leaves out what changes the picture.",
    }
    kind = partial[0].findings[0].contradiction_type
    return words.get(kind, "") if kind else ""


def _prevailing(verdict: Verdict, sides: _Sides) -> tuple[Vote, ...]:
    match verdict:
        case Verdict.VERIFIED:
            side = sides.support
        case Verdict.CONTRADICTED:
            side = sides.against
        case Verdict.PARTIALLY_TRUE:
            side = sides.support + sides.partial
        case _:
            side = max(sides.support, sides.against, key=lambda each: (len(each), _weight(each)))
    # A party's own release is heard, but nobody is independent of himself.
    return tuple(vote for vote in side if not vote.party)


def together(side: Sequence[Vote]) -> float:
    """How sure a side is, were its witnesses as independent as they seem: one minus the chance that all are wrong."""
    return 1 - prod(1 - min(vote.weight, 0.95) for vote in side)


def _confidence(verdict: Verdict, sides: _Sides) -> float:
    support, against = together(sides.support), together(sides.against)
    match verdict:
        case Verdict.VERIFIED:
            return support * (1 - against / 2)
        case Verdict.CONTRADICTED:
            return together(sides.full) * (1 - support / 2)
        case Verdict.PARTIALLY_TRUE:
            return together(sides.support + sides.partial) * (1 - together(sides.full) / 2)
        case Verdict.DISPUTED:
            return min(support, against)
        case Verdict.UNVERIFIED:
            return 0.5 * max(support, against)


def _ids(findings: Sequence[Finding], sources: Mapping[str, Source], stance: Stance) -> tuple[str, ...]:
    chosen = [finding for finding in findings if finding.stance is stance]
    chosen.sort(key=lambda each: (-finding_weight(each, sources[each.source_id]), each.id))
    return tuple(finding.id for finding in chosen)
