"""The reasons of a stance, as codes with data: what stands in the passage beside what stands in the claim."""

from __future__ import annotations

from inquest.domain.finding import Stance
from inquest.domain.reasons import Reason
from inquest.entailment.dates import DateMatch
from inquest.entailment.features import Evidence
from inquest.entailment.figures import FigureMatch
from inquest.entailment.framing import has
from inquest.entailment.parsed_text import Statement, share_of


def reasons_for(evidence: Evidence, stance: Stance, place: Statement) -> tuple[Reason, ...]:
    """Why the stance is what it is, the weightiest first; at least one. `place`: the sentence it rests on."""
    found = [*_of_figures(evidence, stance), *_of_direction(evidence, stance), *_of_reading(evidence, stance)]
    if stance is Stance.NEUTRAL:
        found += _of_silence(evidence)
    share = share_of(evidence.claim.terms, place.terms)
    found.append(Reason(code="entailment.covers", data={"percent": round(100 * share)}))
    return tuple(found)


def _of_figures(evidence: Evidence, stance: Stance) -> list[Reason]:
    found = []
    for one in evidence.figures:
        mine, theirs = one.shown
        if one.match is FigureMatch.SAME and stance is not Stance.CONTRADICTS:
            found.append(Reason(code="entailment.figures_same", data={"claimed": mine, "found": theirs}))
        elif one.match is FigureMatch.DIFFERS and stance is not Stance.SUPPORTS:
            found.append(Reason(code="entailment.figures_differ", data={"claimed": mine, "found": theirs}))
        elif one.match is FigureMatch.NOT_COMPARABLE:
            found.append(Reason(code=f"entailment.other_{one.why}", data={"claimed": mine, "found": theirs}))
    for date in evidence.dates:
        if date.match is DateMatch.OTHER and date.found is not None and stance is not Stance.SUPPORTS:
            data = {"claimed": date.moment.iso, "found": date.found.iso}
            found.append(Reason(code="entailment.dates_differ", data=dict(data)))
    return found


def _of_direction(evidence: Evidence, stance: Stance) -> list[Reason]:
    direction = evidence.direction
    if stance is not Stance.CONTRADICTS:
        return []
    if direction.opposed:
        mine, theirs = direction.opposed
        return [Reason(code="entailment.opposed", data={"claimed": mine, "found": theirs})]
    return [Reason(code="entailment.negated")] if direction.negated else []


def _of_reading(evidence: Evidence, stance: Stance) -> list[Reason]:
    if stance is Stance.NEUTRAL:
        return []
    most = max((getattr(one, stance.value) for one in evidence.meanings), default=0.0)
    return [Reason(code=f"entailment.read_{stance.value}", data={"percent": round(100 * most)})] if most >= 0.5 else []


def _of_silence(evidence: Evidence) -> list[Reason]:
    """Why it decides nothing."""
    found = []
    near = evidence.near[0].text
    if evidence.names.stranger:
        found.append(Reason(code="entailment.stranger", data={"name": evidence.names.stranger}))
    elif evidence.names.missing:
        found.append(Reason(code="entailment.names_missing", data={"names": list(evidence.names.missing)}))
    if all(one.asks for one in evidence.reading.statements):
        found.append(Reason(code="entailment.only_asks"))
    elif has("hedged", near) and not has("hedged", evidence.claim.text):
        found.append(Reason(code="entailment.hedged"))
    elif has("planned", near) and not has("planned", evidence.claim.text):
        found.append(Reason(code="entailment.planned"))
    return found
