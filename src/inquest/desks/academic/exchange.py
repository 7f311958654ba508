"""What the academic desk asks other desks, and how it answers them (spec 002, section 11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inquest.claims.brief_reading import key_terms
from inquest.desks.academic.groups import Group, academic_groups
from inquest.desks.academic.phrases import phrases
from inquest.desks.academic.queries import DESK, angle_of, query_for
from inquest.desks.academic.reasons import reason
from inquest.desks.academic.terms import certifications_in, technologies_in
from inquest.domain.check import DeskQuery, InfoRequest, InfoResponse
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.domain.reasons import in_words
from inquest.domain.value import JsonObject, JsonValue
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
_RESULTS = ("benchmark_range", "standard_alignment", "sbti_validation_status", "legitimacy_assessment")
_ABSTAINS = ("", "unknown", "status_unclear", "insufficient_research", None)


def questions_on(claim: Claim, company: str, made: Mapping[str, JsonObject]) -> tuple[InfoRequest, ...]:
    """At most one question to each desk, only where its answer could change a check. `made`: the checks, by kind, with
    their details."""
    found: list[InfoRequest] = []
    groups = academic_groups(claim.text, claim.type, company)
    technologies, site = technologies_in(claim.text), _FACILITY.search(claim.text)
    if Group.CERTIFICATION in groups:
        names: list[JsonValue] = [*certifications_in(claim.text)]
        about = [str(each) for each in names] or ["the certificates or credits in this claim"]
        text = in_words(reason("ask_news", names=about, company=company))
        found.append(_request(claim, "news", text, {"topic": "certification", "names": names}))
    if made.get("benchmark_comparison", {}).get("plausibility") == "unknown":
        scopes = sorted(scopes_named(claim.text))
        text = in_words(
            reason("ask_data", scopes=[f"Scope {each}" for each in scopes] or ["emission"], company=company)
        )
        found.append(_request(claim, "data", text, {"topic": "benchmark", "scopes": [*scopes]}))
    if (method := made.get("methodology_validation")) is not None and not claim.disclosures:
        context: JsonObject = {"topic": "methodology", "method": method.get("methodology_name")}
        found.append(_request(claim, "legal", in_words(reason("ask_legal")), context))
    if Group.RESEARCH in groups and technologies and site:
        text = in_words(reason("ask_geography", site=site.group().lower(), company=company, technology=technologies[0]))
        found.append(_request(claim, "geography", text, {"topic": "research", "technologies": [*technologies]}))
    return tuple(found)


def _request(claim: Claim, to: str, question: str, context: JsonObject) -> InfoRequest:
    return InfoRequest(asked_by=DESK, to=to, claim_id=claim.id, description=question, context=context)


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
    checks = [each for each in found if each.evidence_type == kind and _says_something(each)]
    sources = [each for each in found if each.evidence_type == "academic_source" and each.stance is not Stance.NEUTRAL]
    used = checks[:1] or sources[:3]
    if not used:
        return None
    details: JsonObject = {}
    for name in _RESULTS:
        results = [each.details.get(name) for each in checks]
        if results and results[0] not in _ABSTAINS:
            details[name] = results[0]
    cited = [title for each in used for title in [str(x["title"]) for x in each.references if x.get("title")][:3]]
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


def _says_something(finding: Finding) -> bool:
    names = (
        "plausibility",
        "research_support",
        "standard_alignment",
        "sbti_validation_status",
        "legitimacy_assessment",
    )
    results = (finding.details.get(name) for name in names)
    return finding.stance is not Stance.NEUTRAL or any(each not in _ABSTAINS for each in results)
