"""What a weighed stance cannot follow from: each veto a function of the evidence, the numbers and the stance.

A veto makes the stance neutral. `VETOES` is the whole list; `bench.quality ablation` leaves each out in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from inquest.domain.finding import Stance
from inquest.entailment.features import Evidence
from inquest.entailment.figures import FigureMatch, Met
from inquest.text.quantities import LIMITS

__all__ = ["RESTATED", "VETOES", "Veto", "allowed"]

RESTATED = 0.6
"""The least share of a claim that a sentence must have to be a restatement of it."""
_SAID = 0.12
"""The least share of a claim that a sentence must have to say anything about it."""

Veto = Callable[[Evidence, Mapping[str, float], Stance], bool]


def nothing_said(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> bool:
    """No sentence has words of the claim, and no model reads meaning."""
    return numbers["one_has"] < _SAID and not evidence.meanings


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


VETOES: tuple[Veto, ...] = (nothing_said, stranger, other_figure, no_figure, only_a_limit, other_basis)


def allowed(evidence: Evidence, numbers: Mapping[str, float], stance: Stance) -> Stance:
    """The stance, or neutral where a veto stands against it."""
    if stance is not Stance.NEUTRAL and any(veto(evidence, numbers, stance) for veto in VETOES):
        return Stance.NEUTRAL
    return stance
