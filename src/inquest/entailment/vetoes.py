"""What a weighed stance cannot follow from: each veto a function of the evidence, the numbers and the stance.

A veto makes the stance neutral. `VETOES` is the whole list; `bench.quality ablation` leaves each out in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from inquest.domain.finding import Stance
from inquest.entailment.direction import compare_direction
from inquest.entailment.features import Evidence
from inquest.entailment.figures import FigureMatch, Met
from inquest.entailment.modes import realised_by, turned_by
from inquest.entailment.parsed_text import Statement
from inquest.text.quantities import LIMITS, Quantity

__all__ = ["RESTATED", "SAID_BESIDE", "VETOES", "Veto", "allowed"]

RESTATED = 0.6
"""The least share of a claim that a sentence must have to be a restatement of it."""
SAID_BESIDE = 0.9
"""The least share of what a claim says beside its figures that a sentence must say for them to be met."""
_NEAREST = 5
"""Sentences nearest to the claim that may restate it."""
_NOT_READ = 0.4
"""By how much neutral must be more likely than support in every window of a passage that somebody put beside the claim,
or that has all of it, for a model to read no support there; of others that a search brought, by anything."""
_NEUTRAL_ALONE = 0.2
"""The same for a single sentence of such a page."""
_SAID = 0.12
"""The least share of a claim that a sentence must have to say anything about it."""

Veto = Callable[[Evidence, Mapping[str, float], Stance], bool]


def nothing_said(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No sentence has words of the claim, and no model reads meaning."""
    return numbers["one_has"] < _SAID and not evidence.meanings


def read_neutral(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support by words alone where a model reads neutral rather than support in every window; nor by a page that a
    search brought where it does so in every sentence alone and none restates the claim: one of them is the quote."""
    if stance is not Stance.SUPPORTS or not evidence.meanings:
        return False
    lead = [one.neutral - one.supports for one in evidence.meanings]
    if not evidence.found or numbers["one_has"] >= SAID_BESIDE:
        return min(lead) > _NOT_READ
    alone = [by for by, window in zip(lead, evidence.windows, strict=True) if window.place == "alone"]
    return min(lead) > 0 or (numbers["one_has"] < RESTATED and min(alone, default=0.0) > _NEUTRAL_ALONE)


def stranger(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """What a search brought is about somebody else."""
    return evidence.found and bool(evidence.names.stranger)


def other_figure(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support where a figure of the claim differs."""
    differs = (one.match is FigureMatch.DIFFERS and one.context >= RESTATED for one in evidence.figures)
    return stance is Stance.SUPPORTS and any(differs)


def no_figure(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support by what a search brought where it has none of the claim's figures."""
    met = any(one.match is FigureMatch.SAME for one in evidence.figures)
    return stance is Stance.SUPPORTS and evidence.found and bool(evidence.figures) and not met


def only_a_limit(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No contradiction by a figure that only limits what the claim says."""
    return stance is Stance.CONTRADICTS and any(one.why == "limit" for one in evidence.figures)


def other_basis(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No contradiction by figures of another basis or on the claim's side of its limit, where no word opposes it."""
    if stance is not Stance.CONTRADICTS or evidence.direction.opposed or evidence.direction.negated:
        return False
    return any(one.match is FigureMatch.NOT_COMPARABLE or _keeps_the_limit(one) for one in evidence.figures)


def _keeps_the_limit(one: Met) -> bool:
    """The claim gives a limit, and the passage another figure that lies on its side: 350 is at least 200."""
    limited = one.figure.bound in LIMITS
    return limited and one.found is not None and one.match is FigureMatch.SAME and one.found.value != one.figure.value


def negated(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support by sentences with an odd number of negations more over the words that they share with the claim."""
    if stance is not Stance.SUPPORTS:
        return False
    return all(turned_by(evidence.claim, one) for one in _deciding(evidence))


def unrealised(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support for a fact by what was planned, expected or possible."""
    return stance is Stance.SUPPORTS and not any(realised_by(evidence.claim, one) for one in _deciding(evidence))


def _deciding(evidence: Evidence) -> list[Statement]:
    """The sentences that restate the claim; where none does, the one that a support rests on."""
    near = [one.statement for one in evidence.ranked[:_NEAREST] if one.words >= RESTATED]
    return near or [evidence.sentence_for(Stance.SUPPORTS)]


def counts_others(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No support by a number that counts something else than the claim's."""
    return stance is Stance.SUPPORTS and any(
        one.match is FigureMatch.ABSENT and one.figure.nouns and _has_number(one.figure, evidence.near[0])
        for one in evidence.figures
    )


def _has_number(figure: Quantity, statement: Statement) -> bool:
    return any(other.value == figure.value and other.nouns for other in statement.figures)


def same_figures(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No contradiction where every figure of the claim is met in a sentence that says the rest of it, and nothing there
    negates or opposes it."""
    if stance is not Stance.CONTRADICTS or not evidence.figures or evidence.other_time:
        return False
    if any(one.match is not FigureMatch.SAME or one.context < SAID_BESIDE for one in evidence.figures):
        return False
    place = evidence.figures[0].statement
    if place is None:
        return False
    direction = compare_direction(evidence.claim, place)
    return not (direction.negated or direction.opposed) and realised_by(evidence.claim, place)


VETOES: tuple[Veto, ...] = (
    nothing_said, read_neutral, stranger, other_figure, no_figure, only_a_limit, other_basis, negated, unrealised,
    counts_others, same_figures,
)  # fmt: skip


def allowed(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> Stance:
    """The stance, or neutral where a veto is against it."""
    if stance is not Stance.NEUTRAL and any(veto(evidence, numbers, stance) for veto in VETOES):
        return Stance.NEUTRAL
    return stance
