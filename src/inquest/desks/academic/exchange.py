"""What the academic desk asks other desks, and how it answers them (spec 002, section 11)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from inquest.claims.brief_reading import key_terms
from inquest.desks.academic.groups import Group, academic_groups, certifications_in
from inquest.desks.academic.queries import ANGLES, Ask, angle_of
from inquest.desks.academic.terms import technologies_in
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.domain.value import JsonObject, JsonValue
from inquest.entailment.bases import scopes_named
from inquest.text.lexicon import pattern
from inquest.text.phrases import listed

__all__ = ["Answer", "Question", "answer_to", "asks_to_answer", "questions_on"]


class Question(NamedTuple):
    """What another desk should find out."""

    to: str
    text: str
    context: JsonObject


class Answer(NamedTuple):
    """What this desk has to say to a question, and the findings that it rests on."""

    text: str
    finding_ids: tuple[str, ...]
    details: JsonObject


_FACILITY = pattern(__name__, "facility")
_ASKED_OF = (
    ("sbti_validation", re.compile(r"\bSBTi?\b|science[-\s]based|\btargets?\b|net[-\s]zero|pathway", re.I)),
    ("certification_validation", re.compile(r"certificat|offset|credit|registr|additional|label", re.I)),
    ("methodology_validation", re.compile(r"method|standard|GHG\s+Protocol|ISO\s?\d|calculat|account|protocol", re.I)),
    ("benchmark_comparison", re.compile(r"benchmark|average|intensit|sector|typical|plausib|range|peers?\b", re.I)),
    (
        "research_support",
        re.compile(r"research|technolog|peer-review|stud(?:y|ies)|effective|practice|literature", re.I),
    ),
)
_ABSTAINS = ("", "unknown", "status_unclear", "insufficient_research", None)


def questions_on(claim: Claim, company: str, types: Sequence[tuple[str, JsonObject]]) -> tuple[Question, ...]:
    """What is worth asking on a claim, with `types` the validations made: kind of evidence and details. At most one
    question to each desk, and only where its answer could change a validation."""
    groups = academic_groups(claim.text, claim.type, company).groups
    found: list[Question] = []
    made = dict(types)
    if Group.CERTIFICATION in groups:
        name = listed(list(certifications_in(claim.text))) or "the certificates or credits in this claim"
        text = f"Has there been public reporting on controversies over {name}, in general or as used by {company}?"
        found.append(Question("news", text, {"topic": "certification", "names": [*certifications_in(claim.text)]}))
    benchmark = made.get("benchmark_comparison")
    if benchmark is not None and benchmark.get("plausibility") == "unknown":
        scopes = listed([f"Scope {each}" for each in sorted(scopes_named(claim.text))]) or "emission"
        text = f"Which {scopes} figures, per unit of revenue or product, does {company} report for a comparison?"
        found.append(Question("data", text, {"topic": "benchmark", "scopes": [*sorted(scopes_named(claim.text))]}))
    methodology = made.get("methodology_validation")
    if methodology is not None and not claim.disclosures:
        text = "Which paragraphs of IFRS S1 and S2 apply to the way of counting in this claim?"
        found.append(Question("legal", text, {"topic": "methodology", "method": methodology.get("methodology_name")}))
    technologies = technologies_in(claim.text)
    if Group.RESEARCH in groups and technologies and (site := _FACILITY.search(claim.text)):
        text = f"Where is the {site.group().lower()} at which {company} uses {technologies[0]}?"
        found.append(Question("geography", text, {"topic": "research", "technologies": [*technologies]}))
    return tuple(found)


def asks_to_answer(question: str, claim: Claim, company: str) -> tuple[Ask, ...]:
    """What to search for in order to answer: the matter of the question in the literature, and among documents where
    it is a standard's, a register's or a benchmark's."""
    words = " ".join(key_terms(question, (company,), limit=6) or key_terms(claim.text, (company,), limit=6))
    if not words:
        return ()
    asks = [Ask("papers", f"{words} peer-reviewed research", purpose=question, claim_ids=(claim.id,))]
    angle = angle_of(question)
    if angle != "papers":
        asks.append(Ask(angle, words, purpose=ANGLES[angle], claim_ids=(claim.id,)))
    return tuple(asks)


def answer_to(question: str, found: Sequence[Finding]) -> Answer | None:
    """The answer from the findings there are: the validations that the question is about, else those that say
    anything; None where none of them does."""
    wanted = [kind for kind, words in _ASKED_OF if words.search(question)]
    made = [each for each in found if each.agent == "academic" and each.evidence_type.endswith(_VALIDATIONS)]
    telling = [each for each in made if _says_something(each)]
    chosen = [each for kind in wanted for each in telling if each.evidence_type == kind] or telling
    witnesses = [
        each for each in found if each.evidence_type == "academic_source" and each.stance is not Stance.NEUTRAL
    ]
    if not chosen and not witnesses:
        return None
    used = chosen[:2] or witnesses[:3]
    details: JsonObject = {}
    for name in ("benchmark_range", "standard_alignment", "sbti_validation_status", "legitimacy_assessment"):
        told: list[JsonValue] = [each.details[name] for each in chosen if each.details.get(name) not in _ABSTAINS]
        if told:
            details[name] = told[0]
    cited: list[JsonValue] = [title for each in used for title in _cited(each)]
    if cited:
        details["references"] = cited[:6]
    text = " ".join(dict.fromkeys(each.summary for each in used))
    return Answer(text, tuple(each.id for each in used), details)


_VALIDATIONS = ("_validation", "benchmark_comparison", "research_support")


def _says_something(finding: Finding) -> bool:
    details = finding.details
    if finding.stance is not Stance.NEUTRAL:
        return True
    return any(
        details.get(name) not in _ABSTAINS
        for name in (
            "plausibility",
            "standard_alignment",
            "legitimacy_assessment",
            "sbti_validation_status",
            "research_support",
        )
    )


def _cited(finding: Finding) -> list[str]:
    return [str(each["title"]) for each in finding.references if each.get("title")][:3]
