"""Unusual checks of claims: one with markup in every field, one without claims, one with only outages."""

from __future__ import annotations

from inquest.domain.case import Case, CaseKind, CaseStatus
from inquest.domain.check import (
    Assignment,
    CheckRecord,
    CheckRequest,
    DeskStatus,
    Gap,
    InfoRequest,
    InfoResponse,
    Reinvestigation,
    RequestStatus,
    RiskLevel,
    TopicRisk,
    VerdictChange,
)
from inquest.domain.claim import Claim, Disclosure, Excerpt, Mention
from inquest.domain.finding import Assessment, Stance, Verdict
from inquest.domain.plan import Brief
from inquest.domain.report import OutageNote, Section, Statement, Summary
from inquest.reports.view import ReportView
from tests.reports.check_cases import COMPANY, CheckDesk, checked, company_report
from tests.reports.made_case import HOSTILE, NOON, Desk, snapshot_of
from tests.reports.report_cases import bare, hostile, long, rich


def hostile_check() -> ReportView:
    """A check with markup of every format in all fields from a page, a person, a desk or a report."""
    desk = Desk()
    text = f"Before. {HOSTILE} After."
    report = desk.source(text, "evil.example", HOSTILE, None, url="javascript:alert(1)", excluded=HOSTILE)
    page = desk.source(
        f"Page. {HOSTILE}", "evil.example", HOSTILE, None, url="https://evil.example/x", notes=(HOSTILE,)
    )
    start = text.index(HOSTILE)
    odd = 'S2"><script>alert(1)</script>'
    said = Claim(
        id=odd, text=HOSTILE, quote=HOSTILE, start=start, end=start + len(HOSTILE), page=1, company=HOSTILE,
        mentions=(Mention(source_id=report, snapshot=snapshot_of(text), quote=HOSTILE, start=start,
                          end=start + len(HOSTILE)),),
        disclosures=(Disclosure(standard=HOSTILE, paragraph=HOSTILE, subject=HOSTILE, reason=HOSTILE),),
        context=(Excerpt(quote=HOSTILE, start=start, end=start + len(HOSTILE)),),
    )  # fmt: skip
    against = desk.contradicts(page, HOSTILE, odd, evidence_type="news_contradiction", agent=HOSTILE)
    own = desk.finding(
        report, HOSTILE, odd, Stance.SUPPORTS, agent=HOSTILE, evidence_type=HOSTILE, summary=HOSTILE,
        details={HOSTILE: HOSTILE, "benchmark_range": {"min": HOSTILE, "max": None, "unit": HOSTILE},
                 "list": [HOSTILE, {HOSTILE: HOSTILE}], "finding_sources": [against, "no such", 7],
                 "academic_references": [HOSTILE, {"title": HOSTILE, "url": "javascript:alert(1)"}]},
        references=({"title": HOSTILE, "url": 'https://evil.example/"><script>', "authors": [HOSTILE]}, {}),
    )  # fmt: skip
    desk.finding(report, HOSTILE, odd, Stance.UNASSESSED, evidence_type="error", agent=HOSTILE, summary=HOSTILE)
    record = CheckRecord(
        routing=(Assignment(claim_id=odd, desks=(HOSTILE,), missing=(HOSTILE,), reasons=(HOSTILE,)),),
        desks=(DeskStatus(desk=HOSTILE, error=HOSTILE),),
        requests=(InfoRequest(id=HOSTILE, asked_by=HOSTILE, to=HOSTILE, claim_id=odd, description=HOSTILE),),
        responses=(InfoResponse(request_id=HOSTILE, answered_by=HOSTILE, asked_by=HOSTILE, summary=HOSTILE),),
        reinvestigations=(Reinvestigation(claim_id=odd, desks=(HOSTILE,), gap=Gap.QUALITY, evidence_gap=HOSTILE,
                                          refined_queries=(HOSTILE,), iteration=2),),
        changes=tuple(VerdictChange(claim_id=odd, iteration=n, verdict=Verdict.DISPUTED, confidence=0.5, why=HOSTILE)
                      for n in (1, 2)),
        risks=(TopicRisk(topic=HOSTILE, level=RiskLevel.HIGH, score=9, claim_ids=(odd,), finding_ids=(against,),
                         reasons=(HOSTILE,)),),
        dropped=(said.model_copy(update={"id": HOSTILE}),),
        notes=(HOSTILE,), stopped=HOSTILE,
    )  # fmt: skip
    case = Case(
        id="20230801-00000bad", kind=CaseKind.CLAIMS, status=CaseStatus.COMPLETED,
        brief=Brief(text=HOSTILE, check=CheckRequest(company=HOSTILE, industry=HOSTILE, report="javascript:alert(1)")),
        as_of=NOON, created_at=NOON, sources=tuple(desk.sources), claims=(said,), findings=tuple(desk.findings),
        assessments=(Assessment(claim_id=odd, verdict=Verdict.CONTRADICTED, confidence=0.5, independent_sources=1,
                                supporting=(own,), contradicting=(against,), reasons=(HOSTILE,),
                                would_change=(HOSTILE,)),),
        summary=Summary(title=HOSTILE, sections=(Section(heading=HOSTILE, statements=(
            Statement(text=HOSTILE, finding_ids=(against,)),)),)),
        check=record,
    )  # fmt: skip
    return checked(case, desk)


def without_claims() -> ReportView:
    """A report in which nothing can be checked."""
    desk = CheckDesk()
    case = Case(
        id="20230801-00000000", kind=CaseKind.CLAIMS, status=CaseStatus.COMPLETED,
        brief=Brief(text="Check.", check=CheckRequest(company=COMPANY, report=desk.sources[0].url)),
        as_of=NOON, created_at=NOON, sources=tuple(desk.sources), markers=("NO_CLAIMS_EXTRACTED",),
        summary=Summary(title="Claims", sections=(Section(heading="What was found", statements=(
            Statement(text="The report makes no claim that can be checked.", about_the_work=True),)),)),
        check=CheckRecord(notes=("The report is in German.",)),
    )  # fmt: skip
    return checked(case, desk)


def only_outages() -> ReportView:
    """A check of the user's own claim, without a report, in which no engine could be queried."""
    desk = Desk()
    given = Claim(
        id="1", text="Calder & Voss plc ran its ferries on shore power alone in 2022.", company="Calder & Voss plc"
    )
    case = Case(
        id="20230801-0000dead", kind=CaseKind.CLAIMS, status=CaseStatus.PARTIAL, why="No engine could be asked.",
        brief=Brief(text="Check.", check=CheckRequest(company="Calder & Voss plc", claims=(given,))),
        as_of=NOON, created_at=NOON, claims=(given,),
        assessments=(Assessment(claim_id="1", verdict=Verdict.UNVERIFIED, confidence=0, independent_sources=0,
                                reasons=("It could not be checked: brave could not be queried.",), checked=False),),
        summary=Summary(title="Claims", sections=()),
        outages=tuple(OutageNote(what="engine", where=name, why=f"{name} could not be reached.", at=NOON)
                      for name in ("gdelt", "brave", "crossref")),
        check=CheckRecord(
            routing=(Assignment(claim_id="1", desks=(), missing=("geography",), reasons=("it names a place",)),),
            requests=(InfoRequest(id="R1", asked_by="news", to="geography", claim_id="1", description="Which harbours?",
                                  status=RequestStatus.UNAVAILABLE),),
        ),
    )  # fmt: skip
    return checked(case, desk)


EVERY = {
    "rich": rich(), "hostile": hostile(), "bare": bare(), "long": long(9, 6, 4), "company": company_report(),
    "hostile check": hostile_check(), "no claims": without_claims(), "outages": only_outages(),
}  # fmt: skip
"""A view of every kind of case, by its name."""
