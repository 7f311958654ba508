"""Certificates and credits: whether the scheme is known, and what is held against it (spec 002, section 6)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from inquest.desks.academic.certificates import Instrument, InstrumentCheck, Legitimacy, check_certificates
from inquest.desks.academic.groups import certifications_in
from inquest.desks.academic.references import criticism_reference, papers, standard_reference, witness_references
from inquest.desks.academic.terms import sentence_with
from inquest.desks.academic.validation import BY_RULE, Matter, Validation, clamped, details_of, rest_on, supports_claim
from inquest.desks.academic.witnesses import Bearing, Witness, bearing_of
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.value import JsonObject, JsonValue
from inquest.sources.standards_book import Standard, standards_book
from inquest.text.lexicon import compiled, entries
from inquest.text.phrases import listed
from inquest.text.sentences import shorten

__all__ = ["RISKS", "certification_validations"]

RISKS = ("additionality", "permanence", "leakage", "double counting", "controversy")
_TOPICS = {name: compiled(words) for name, words in entries(__name__, "certificate_topics").items()}
_OF_INSTRUMENTS = {
    Instrument.ENERGY: re.compile(r"\bcertificates?\b|\bI?-?RECs?\b|\bguarantees?\s+of\s+origin\b|\bGOs?\b", re.I),
    Instrument.CREDIT: re.compile(r"\boffset\w*|\bcredits?\b|\bcrediting\b|\bREDD\+?", re.I),
}
_FROM_BOOK = {"over-crediting": "controversy", "reply": "controversy"}
_DOUBTED = "There are published findings against projects of this kind."
"""The reason that `check_certificates` gives where it is research that makes a scheme questionable."""
_SILENT = "is not spoken of."
"""How `check_certificates` ends a reason on what the claim does not say, which stands among the limits."""
_QUOTED = 240
_NOTHING = "nothing found"


def certification_validations(matter: Matter, witnesses: Sequence[Witness]) -> tuple[Validation, ...]:
    """One for each kind of instrument in the claim; one for a certification that the book does not have."""
    counted = [each for each in witnesses if not each.left_out]
    checks = check_certificates(matter.text, until=matter.day)
    if not checks:
        return (_unlisted(matter, witnesses),)
    return tuple(_validation(matter, check, witnesses, counted) for check in checks)


def _validation(
    matter: Matter, check: InstrumentCheck, witnesses: Sequence[Witness], counted: Sequence[Witness]
) -> Validation:
    risks = _risks(check, counted)
    bearing = bearing_of(counted)
    stance, confidence, why = _stance(check, bearing)
    standards = _standards(check)
    consensus = bearing.consensus("source", "sources")
    cited = tuple(standard_reference(each, until=matter.day) for each in standards)
    references = (*cited, *map(criticism_reference, check.criticisms), *witness_references(witnesses))
    doubts = [f"{each.text} ({each.source.publisher}, {each.source.year})" for each in check.criticisms]
    leading = bearing.leading if stance is bearing.stance else None
    name = (
        listed(list(dict.fromkeys(each.standard.name for each in check.schemes)))
        or f"{check.kind.value}, no scheme named"
    )
    details = details_of(
        "certification_validation",
        certification_type=name,
        legitimacy_assessment=check.legitimacy.value,
        research_consensus=consensus,
        limitations=[*doubts, *_open_points(check)],
        academic_references=papers(references),
        standard_references=list(cited),
        finding_sources=bearing.source_ids,
        supports_claim=supports_claim(stance),
        rests_on="evidence" if leading else "rule",
        instrument=check.kind.value,
        recognised=check.legitimacy in (Legitimacy.LEGITIMATE, Legitimacy.QUESTIONABLE),
        registries=[registry for each in standards for registry in each.registries],
        project_types=list(check.project_types),
        risks=risks,
        criteria=[{"name": each.name, "stated_in_claim": each.stated} for each in check.criteria],
        purchase_checked=False,
    )
    return Validation(
        "certification_validation",
        stance,
        clamped(confidence),
        _summary(check, name, risks, consensus),
        details,
        references,
        (*why, *(each for each in check.reasons if not each.endswith(_SILENT))),
        ContradictionType.DIRECT if stance is Stance.CONTRADICTS else None,
        rest_on(leading) if leading else None,
    )


def _stance(check: InstrumentCheck, bearing: Bearing) -> tuple[Stance, float, tuple[str, ...]]:
    if bearing.stance is not Stance.NEUTRAL:
        return bearing.stance, bearing.confidence, ("It rests on judged passages.",)
    if bearing.support:
        return Stance.NEUTRAL, 0.5, ("Judged sources stand on both sides.",)
    if misused(check):
        why = "It rests on the claim's own words and the rules of such certificates or credits."
        return Stance.CONTRADICTS, BY_RULE, (why,)
    sure = 0.5 if check.legitimacy in (Legitimacy.LEGITIMATE, Legitimacy.QUESTIONABLE) else 0.3
    why = "That a scheme is known supports neither the purchase nor what it is said to achieve."
    return Stance.NEUTRAL, sure, (why,)


def misused(check: InstrumentCheck) -> bool:
    """Whether the claim uses a known scheme for what it is not: questionable without any finding of research."""
    if check.legitimacy is not Legitimacy.QUESTIONABLE:
        return False
    return _DOUBTED not in check.reasons


def _risks(check: InstrumentCheck, counted: Sequence[Witness]) -> JsonObject:
    """For each risk: whether the claim speaks of it, and what the book and the passages say, each with its source."""
    stated = {each.name for each in check.criteria if each.stated}
    found: JsonObject = {}
    for risk in RISKS:
        evidence: list[JsonValue] = [
            {"text": each.text, "publisher": each.source.publisher, "year": each.source.year, "url": each.source.url}
            for each in check.criticisms
            if _FROM_BOOK.get(each.about, each.about) == risk
        ]
        for each in counted:
            span = sentence_with(each.text, _TOPICS[risk])
            if span is None or not _OF_INSTRUMENTS[check.kind].search(span.of(each.text)):
                continue
            evidence.append(
                {
                    "text": shorten(span.of(each.text), _QUOTED),
                    "source_id": each.source.id,
                    "url": each.source.url,
                    "peer_reviewed": each.peer_reviewed,
                }
            )
        found[risk] = {
            "stated_in_claim": risk in stated,
            "result": f"{len(evidence)} found" if evidence else _NOTHING,
            "evidence": evidence,
        }
    return found


def _open_points(check: InstrumentCheck) -> list[str]:
    silent = [each.name for each in check.criteria if not each.stated]
    return [f"The claim does not speak of {listed(silent)}."] if silent else []


def _standards(check: InstrumentCheck) -> tuple[Standard, ...]:
    named = tuple(dict.fromkeys(each.standard.id for each in check.schemes))
    book = standards_book()
    general = "eac" if check.kind is Instrument.ENERGY else "carbon-credit"
    return tuple(book[each] for each in named or (general,))


def _summary(check: InstrumentCheck, name: str, risks: JsonObject, consensus: str | None) -> str:
    what = "certificates" if check.kind is Instrument.ENERGY else "credits"
    first = {
        Legitimacy.LEGITIMATE: f"{name} is a recognised scheme with rules and a registry of its own.",
        Legitimacy.QUESTIONABLE: f"{name} is a recognised scheme, but there are doubts that bear on this claim.",
        Legitimacy.NOT_RECOGNISED: f"No recognised scheme is named: {check.reasons[0]}",
        Legitimacy.UNKNOWN: f"The claim rests on {what} of no named scheme: what they are worth cannot be told.",
    }[check.legitimacy]
    held = [risk for risk, told in risks.items() if isinstance(told, dict) and told["evidence"]]
    parts = [first]
    if check.legitimacy is Legitimacy.QUESTIONABLE and misused(check):
        parts.append("It is used for something that it does not stand for.")
    parts.append(
        f"Published findings raise {listed(held)}." if held else "Nothing was found that speaks against its legitimacy."
    )
    parts.append(consensus or "No source that bears on this very claim was found: the evidence is insufficient.")
    parts.append(f"Whether the {what} were bought and cancelled stands in the registry, which was not asked.")
    return " ".join(parts)


def _unlisted(matter: Matter, witnesses: Sequence[Witness]) -> Validation:
    """A certification or pledge of which the book has no scheme: only what was found can speak."""
    named = certifications_in(matter.text)
    bearing = bearing_of(witnesses)
    consensus = bearing.consensus("source", "sources")
    references = witness_references(witnesses)
    name = listed(list(named)) or "a certification"
    details = details_of(
        "certification_validation",
        certification_type=name,
        research_consensus=consensus,
        limitations=[
            "The rules of this certification are not in the book of standards, so that nothing was held to them."
        ],
        academic_references=papers(references),
        finding_sources=bearing.source_ids,
        supports_claim=supports_claim(bearing.stance),
        rests_on="evidence" if bearing.leading else "rule",
        purchase_checked=False,
    )
    told = consensus or "No source that bears on it was found: the evidence is insufficient."
    return Validation(
        "certification_validation",
        bearing.stance,
        clamped(max(bearing.confidence, 0.3)),
        f"Of {name} no rules are at hand that the claim could be held to. {told}",
        details,
        references,
        ("It rests on judged passages alone.",),
        ContradictionType.DIRECT if bearing.stance is Stance.CONTRADICTS else None,
        rest_on(bearing.leading) if bearing.leading else None,
    )
