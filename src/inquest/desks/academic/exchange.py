"""What the academic desk asks other desks, and how it answers them (spec 002, section 11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inquest.claims.brief_reading import key_terms
from inquest.desks.academic.groups import Group, academic_groups
from inquest.desks.academic.queries import DESK, angle_of, query_for
from inquest.desks.academic.reasons import reason
from inquest.desks.academic.terms import certifications_in, technologies_in
from inquest.domain.check import DeskQuery, InfoRequest, InfoResponse
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.domain.reasons import in_words
from inquest.domain.value import JsonObject, JsonValue
from inquest.entailment.bases import scopes_named
from inquest.text.lexicon import compiled, entries, pattern

_FACILITY = pattern(__name__, "facility")
_ASKED_OF = {kind: compiled(words) for kind, words in entries(__name__, "asked_of").items()}
"""Kinds of check, by the words of a question about them."""
_RESULTS = ("plausibility", "standard_alignment", "legitimacy_assessment", "sbti_validation_status", "research_support")
_ANSWERED = ("benchmark_range", "standard_alignment", "sbti_validation_status", "legitimacy_assessment")
_ABSTAINS = ("", "unknown", "status_unclear", "insufficient_research", None)


def questions_on(claim: Claim, company: str, made: Mapping[str, JsonObject]) -> tuple[InfoRequest, ...]:
    """What is worth asking on a claim. `made`: the checks, by kind, with their details. At most one question to each
    desk, and only where its answer could change a check."""
    groups = academic_groups(claim.text, claim.type, company)
    names: list[JsonValue] = [*certifications_in(claim.text)]
    scopes = [f"Scope {each}" for each in sorted(scopes_named(claim.text))]
    technologies = technologies_in(claim.text)
    site = _FACILITY.search(claim.text)
    benchmark, method = made.get("benchmark_comparison"), made.get("methodology_validation")
    found: list[InfoRequest] = []
    if Group.CERTIFICATION in groups:
        about = [str(each) for each in names] or ["the certificates or credits in this claim"]
        text = in_words(reason("ask_news", names=about, company=company))
        found.append(_request(claim, "news", text, {"topic": "certification", "names": names}))
    if benchmark is not None and benchmark.get("plausibility") == "unknown":
        text = in_words(reason("ask_data", scopes=scopes or ["emission"], company=company))
        found.append(
            _request(claim, "data", text, {"topic": "benchmark", "scopes": [*sorted(scopes_named(claim.text))]})
        )
    if method is not None and not claim.disclosures:
        context: JsonObject = {"topic": "methodology", "method": method.get("methodology_name")}
        found.append(_request(claim, "legal", in_words(reason("ask_legal")), context))
    if Group.RESEARCH in groups and technologies and site:
        text = in_words(reason("ask_geography", site=site.group().lower(), company=company, technology=technologies[0]))
        found.append(_request(claim, "geography", text, {"topic": "research", "technologies": [*technologies]}))
    return tuple(found)


def _request(claim: Claim, to: str, question: str, context: JsonObject) -> InfoRequest:
    return InfoRequest(asked_by=DESK, to=to, claim_id=claim.id, description=question, context=context)


def asks_to_answer(request: InfoRequest, claim: Claim, company: str) -> tuple[DeskQuery, ...]:
    """What to search for in order to answer: the words of the question in the literature, and among documents where it
    is about a standard, a register or a benchmark."""
    question = request.description
    words = " ".join(key_terms(question, (company,), limit=6) or key_terms(claim.text, (company,), limit=6))
    if not words:
        return ()
    asks = [query_for(claim, "papers", f"{words} peer-reviewed research", purpose=question)]
    angle = angle_of(question)
    if angle != "papers":
        asks.append(query_for(claim, angle, words))
    return tuple(each.model_copy(update={"request_id": request.id}) for each in asks)


def response_to(request: InfoRequest, found: Sequence[Finding]) -> InfoResponse | None:
    """The answer from the findings there are: the checks that the question is about, else those that say anything;
    None where none of them does."""
    decisive = [each for each in found if each.evidence_type in _ASKED_OF and _says_something(each)]
    wanted = [kind for kind, words in _ASKED_OF.items() if words.search(request.description)]
    chosen = [each for kind in wanted for each in decisive if each.evidence_type == kind] or decisive
    sources = [each for each in found if each.evidence_type == "academic_source" and each.stance is not Stance.NEUTRAL]
    used = chosen[:2] or sources[:3]
    if not used:
        return None
    details: JsonObject = {}
    for name in _ANSWERED:
        results: list[JsonValue] = [each.details[name] for each in chosen if each.details.get(name) not in _ABSTAINS]
        if results:
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
    results = (finding.details.get(name) for name in _RESULTS)
    return finding.stance is not Stance.NEUTRAL or any(each not in _ABSTAINS for each in results)
