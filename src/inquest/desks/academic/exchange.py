"""What the academic desk asks other desks, and how it answers them (spec 002, section 11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inquest.claims.brief_reading import key_terms
from inquest.desks.academic.groups import Group, academic_groups
from inquest.desks.academic.queries import DESK, angle_of, query_for
from inquest.desks.academic.terms import certifications_in, phrases, reason, technologies_in
from inquest.domain.check import DeskQuery, InfoRequest, InfoResponse
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.domain.reasons import Reason, in_words
from inquest.domain.value import JsonObject
from inquest.entailment.bases import scopes_named

_FACILITY = phrases("plant|plants|facilit*|site|sites|factor*|mill|mills|works|refiner*|smelter*|mine|mines|farm|farms")
_CHECK_OF_ANGLE = {
    "sbti": "sbti_validation",
    "certification": "certification_validation",
    "ghg_protocol": "methodology_validation",
    "benchmark": "benchmark_comparison",
    "cdp": "benchmark_comparison",
    "papers": "research_support",
}
"""The check that a question of a kind is about."""
_RESULTS = (
    "benchmark_range", "plausibility", "research_support", "standard_alignment", "sbti_validation_status",
    "legitimacy_assessment",
)  # fmt: skip
_ABSTAINS = ("", "unknown", "status_unclear", "insufficient_research", None)


def questions_on(claim: Claim, company: str, made: Mapping[str, JsonObject]) -> tuple[InfoRequest, ...]:
    """At most one question to each desk, only where its answer could change a check. `made`: the checks, by kind, with
    their details."""
    asked: dict[str, Reason] = {}
    groups = academic_groups(claim.text, claim.type, company)
    technologies, site = technologies_in(claim.text), _FACILITY.search(claim.text)
    if Group.CERTIFICATION in groups:
        names = list(certifications_in(claim.text)) or ["the certificates or credits in this claim"]
        asked["news"] = reason("ask_news", names=names, company=company)
    if made.get("benchmark_comparison", {}).get("plausibility") == "unknown":
        scopes = [f"Scope {each}" for each in sorted(scopes_named(claim.text))] or ["emission"]
        asked["data"] = reason("ask_data", scopes=scopes, company=company)
    if "methodology_validation" in made and not claim.disclosures:
        asked["legal"] = reason("ask_legal")
    if Group.RESEARCH in groups and technologies and site:
        asked["geography"] = reason(
            "ask_geography", site=site.group().lower(), company=company, technology=technologies[0]
        )
    return tuple(
        InfoRequest(asked_by=DESK, to=desk, claim_id=claim.id, description=in_words(question))
        for desk, question in asked.items()
    )


def asks_to_answer(request: InfoRequest, claim: Claim, company: str) -> tuple[DeskQuery, ...]:
    """What to search for in order to answer: the words of the question, in the literature or among documents of the
    kind that it is about."""
    question = request.description
    words = " ".join(key_terms(question, (company,), limit=6) or key_terms(claim.text, (company,), limit=6))
    if not words:
        return ()
    made = query_for(claim, angle_of(question), words, purpose=question)
    return (made.model_copy(update={"request_id": request.id}),)


def response_to(request: InfoRequest, found: Sequence[Finding]) -> InfoResponse | None:
    """The answer from what was found on the claim: the check that the question is about, else the sources; None where
    neither says anything."""
    kind = _CHECK_OF_ANGLE[angle_of(request.description)]
    checks = [each for each in found if each.evidence_type == kind and (_results(each) or _decides(each))]
    used = checks[:1] or [each for each in found if each.evidence_type == "academic_source" and _decides(each)][:3]
    if not used:
        return None
    details: JsonObject = _results(checks[0]) if checks else {}
    cited = [str(title) for each in used for title in [x["title"] for x in each.references if x.get("title")][:3]]
    if cited:
        details["references"] = [*cited[:6]]
    return InfoResponse(
        request_id=request.id,
        answered_by=DESK,
        asked_by=request.asked_by,
        summary=" ".join(dict.fromkeys(each.summary for each in used)),
        finding_ids=tuple(each.id for each in used),
        details=details,
    )


def _decides(finding: Finding) -> bool:
    return finding.stance is not Stance.NEUTRAL


def _results(finding: Finding) -> JsonObject:
    """The results of a check that say anything; a range only beside where the figure lies in it."""
    found = {name: finding.details.get(name) for name in _RESULTS}
    if found["plausibility"] in _ABSTAINS:
        found["benchmark_range"] = None
    return {name: value for name, value in found.items() if value not in _ABSTAINS}
