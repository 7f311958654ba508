"""Academic desk: technical claims against published literature and standards (spec 002), and questions to and from
other desks (section 11).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from inquest.claims.brief_reading import key_terms
from inquest.claims.report.company import is_own_word
from inquest.desks.academic.benchmarks import benchmark_validation, research_validation
from inquest.desks.academic.queries import (
    ANGLES,
    DESK,
    KINDS,
    LIMIT,
    NAMED,
    Group,
    academic_asks,
    academic_groups,
    again_asks,
    angle_of,
    query_for,
)
from inquest.desks.academic.reported import figure_validation, with_figures
from inquest.desks.academic.schemes import certification_validations, methodology_validation
from inquest.desks.academic.science_targets import target_validation
from inquest.desks.academic.science_targets_reading import with_status
from inquest.desks.academic.terms import FACILITY, certifications_in, reason, technologies_in
from inquest.desks.academic.validation import TechnicalClaim, source_finding, summary_finding
from inquest.desks.academic.witnesses import (
    AcademicEvidence,
    best_of_each_source,
    on_subject,
    on_the_whole,
    unanswered_by,
)
from inquest.domain.check import DeskQuery, InfoRequest, InfoResponse, Reinvestigation
from inquest.domain.claim import Claim
from inquest.domain.event import EventType
from inquest.domain.finding import Finding, Stance
from inquest.domain.reasons import Reason, in_words
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind
from inquest.domain.value import JsonObject
from inquest.entailment.bases import scopes_named
from inquest.kit.desk import Desk, DeskEvent, DeskSpec, Drafted, FindingDraft, Results, Subject, Taken, outage_findings

_CHECK_OF_ANGLE = {
    "sbti": "sbti_validation",
    "certification": "certification_validation",
    "ghg_protocol": "methodology_validation",
    "benchmark": "benchmark_comparison",
    "cdp": "benchmark_comparison",
    "papers": "research_support",
}
"""The check that answers a kind of question."""
_RESULTS = (
    "benchmark_range", "plausibility", "research_support", "standard_alignment", "sbti_validation_status",
    "legitimacy_assessment",
)  # fmt: skip
_ABSTAINS = ("", "unknown", "status_unclear", "insufficient_research", None)
_BY_IMPORTANCE = 0.6
"""Weight of a claim's importance in its priority; the rest depends on whether it names a standard or scheme."""
_Check = Callable[[TechnicalClaim, Sequence[AcademicEvidence]], FindingDraft | tuple[FindingDraft, ...]]
_CHECKS: Mapping[Group, tuple[str, _Check]] = {
    Group.METHODOLOGY: ("methodology_validation", methodology_validation),
    Group.CERTIFICATION: ("certification_validation", certification_validations),
    Group.TARGETS: ("sbti_validation", target_validation),
    Group.BENCHMARK: ("benchmark_comparison", benchmark_validation),
    Group.RESEARCH: ("research_support", research_validation),
    Group.REPORTED: ("registered_figure", figure_validation),
}
"""The check of each group, with the type of its findings."""


class AcademicDesk(Desk):
    """Search literature and the sites of standards, and check technical claims of six groups."""

    spec: ClassVar[DeskSpec] = DeskSpec(
        name=DESK,
        agent="academic",
        title="Literature, standards and benchmarks",
        kinds=(*KINDS, EngineKind.REGISTRY),
        angles=ANGLES,
        results_per_query=LIMIT,
        pages_per_claim=10,
        topics=(
            "peer-reviewed research", "emission benchmarks of a sector", "GHG Protocol and ISO 14064",
            "science-based targets", "renewable energy certificates", "carbon credits and offsets",
        ),
    )  # fmt: skip

    def takes(self, claim: Claim, subject: Subject) -> Taken | None:
        """Take claims with technical content by type and wording (spec 002, 2.1 and 2.2), with all their groups."""
        groups = academic_groups(claim.text, claim.type, claim.company or subject.company)
        if not groups:
            return None
        plain = 1.0 if any(each.code in NAMED for each in groups.values()) else 0.5
        why = "; ".join(f"{group.value}: {in_words(each)}" for group, each in groups.items())
        priority = round(min(1.0, _BY_IMPORTANCE * claim.importance + (1 - _BY_IMPORTANCE) * plain), 3)
        return Taken(priority=priority, reason=f"Academic: {why}.", group=",".join(groups))

    def queries(
        self, claims: Sequence[Claim], subject: Subject, *, drafted: Drafted, again: Mapping[str, Reinvestigation]
    ) -> tuple[DeskQuery, ...]:
        """Return the judge's queries for claims of `again`; for others those of a model before the templates."""
        asked = [ask for each in claims if each.id in again for ask in again_asks(each, again[each.id], subject)]
        return (*asked, *academic_asks([each for each in claims if each.id not in again], subject, drafted))

    def findings(self, claim: Claim, subject: Subject, results: Results) -> tuple[FindingDraft, ...]:
        """Return a finding for each source, the checks of the groups, an error for each outage, and the summary."""
        found = [
            AcademicEvidence(
                **dict(each.judgement),
                source=each.source,
                text=each.passage.text,
                angles=each.angles,
                hits=each.hits,
                own=is_own_word(each.source, subject.company, subject.own_domains),
                is_on_subject=on_subject(claim.text, subject.company, each.passage.text),
                part=each.part,
            )
            for each in results.evidence
            if each.source.id != subject.report_source
        ]
        # Excluded sources do not count, but a retracted work is listed as such.
        witnesses = [e for e in found if not e.source.excluded or (e.work is not None and e.work.retracted)]
        # A check covers the whole claim: a source on one of its statements is listed, but decides no check.
        technical = TechnicalClaim(**dict(subject), text=claim.text, unregistered=unanswered_by(results))
        whole = with_figures(technical, with_status(claim.text, subject.company, on_the_whole(witnesses)))
        every = (*whole, *(each for each in witnesses if each.part))
        checks: list[FindingDraft] = []
        for group in academic_groups(claim.text, claim.type, claim.company or subject.company):
            made = _CHECKS[group][1](technical, whole)
            checks += made if isinstance(made, tuple) else (made,)

        def failed(note: OutageNote) -> str:
            if note.what == "passages":
                return note.why
            code = "could_not_read" if note.what == "page" else "could_not_ask"
            return in_words(reason(code, where=note.where, why=note.why))

        sources = map(source_finding, best_of_each_source(every))
        outages = outage_findings(results, failed, supports_claim=None)
        return (*sources, *checks, *outages, summary_finding(technical, checks, every, results))

    def requests(self, claim: Claim, subject: Subject, findings: Sequence[FindingDraft]) -> tuple[InfoRequest, ...]:
        """Return at most one question to each desk, and only if its answer could change a check."""
        made = {each.evidence_type: each.details for each in findings}
        asked: dict[str, Reason] = {}
        company, groups = subject.company, academic_groups(claim.text, claim.type, subject.company)
        technologies, site = technologies_in(claim.text), FACILITY.search(claim.text)
        if Group.CERTIFICATION in groups:
            names = list(certifications_in(claim.text)) or ["the certificates or credits in this claim"]
            asked["news"] = reason("ask_news", names=names, company=company or Reason(code="verdicts.those_concerned"))
        if company and made.get("benchmark_comparison", {}).get("plausibility") == "unknown":
            scopes = [f"Scope {each}" for each in sorted(scopes_named(claim.text))] or ["emission"]
            asked["data"] = reason("ask_data", scopes=scopes, company=company)
        if "methodology_validation" in made and not claim.disclosures:
            asked["legal"] = reason("ask_legal")
        if company and Group.RESEARCH in groups and technologies and site:
            where = {"site": site.group().lower(), "company": company, "technology": technologies[0]}
            asked["geography"] = reason("ask_geography", **where)
        return tuple(InfoRequest.of(question, DESK, desk, claim.id) for desk, question in asked.items())

    def queries_for(self, request: InfoRequest, claim: Claim, subject: Subject) -> tuple[DeskQuery, ...]:
        """Search for the words of the question, also for a claim that this desk has checked."""
        question = request.description
        terms = (key_terms(text, (subject.company,), limit=6) for text in (question, claim.text))
        words = " ".join(next(filter(None, terms), ()))
        if not words:
            return ()
        query = query_for(claim, angle_of(question), words, purpose=question)
        return (query.model_copy(update={"request_id": request.id}),)

    def respond(
        self, request: InfoRequest, claim: Claim, subject: Subject, found: Sequence[Finding]
    ) -> InfoResponse | None:
        """Answer by the check that the question is about, else by up to three sources."""
        kind = _CHECK_OF_ANGLE[angle_of(request.description)]
        mine = [each for each in found if each.claim_id == claim.id]
        deciding = [each for each in mine if each.stance is not Stance.NEUTRAL]
        checks = [each for each in mine if each.evidence_type == kind and (each in deciding or _results(each))]
        used = checks[:1] or [each for each in deciding if each.evidence_type == "academic_source"][:3]
        if not used:
            return None
        details = _results(checks[0]) if checks else {}
        cited = [str(title) for each in used for title in [x["title"] for x in each.references if x.get("title")][:3]]
        if cited:
            details["references"] = [*cited[:6]]
        said = {each.summary: each for each in used}
        return InfoResponse(
            request_id=request.id,
            answered_by=DESK,
            asked_by=request.asked_by,
            summary=" ".join(said),
            summary_codes=tuple(code for each in said.values() for code in each.summary_codes),
            finding_ids=tuple(each.id for each in used),
            details=details,
        )

    def events(self, claim: Claim, findings: Sequence[FindingDraft], results: Results) -> tuple[DeskEvent, ...]:
        """Return an event for each group of the claim, or one that it was skipped, and one for each failure."""
        groups = academic_groups(claim.text, claim.type, claim.company)
        data: dict[str, str | int] = {"claim_id": claim.id, "iteration": results.iteration}
        if not groups:
            skipped = in_words(reason("skipped", claim=claim.id))
            return (DeskEvent(type=EventType.AGENT_THINKING, text=skipped, data=data),)
        code = "doing_again" if results.iteration > 1 else "doing"
        events = [
            DeskEvent(
                type=EventType.AGENT_THINKING,
                text=in_words(reason(code, what=in_words(reason(_CHECKS[group][0])), **data)),
                data={**data, "group": group.value},
            )
            for group in groups
        ]
        failed = [each for each in findings if each.evidence_type == "error"]
        errors = [DeskEvent(type=EventType.ERROR, text=each.summary, data={**data, **each.details}) for each in failed]
        return (*events, *errors)


def _results(finding: Finding) -> JsonObject:
    """Return the decisive results of a check; a range only with the place of the figure in it."""
    found = {name: finding.details.get(name) for name in _RESULTS}
    if found["plausibility"] in _ABSTAINS:
        found["benchmark_range"] = None
    return {name: value for name, value in found.items() if value not in _ABSTAINS}
