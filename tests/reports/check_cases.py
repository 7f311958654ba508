"""Checks of claims for reports, built by hand: a rich one, a hostile one, one without claims, one with only outages."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from inquest.domain.case import Case, CaseKind, CaseStatus
from inquest.domain.check import (
    Assignment,
    CheckRecord,
    CheckRequest,
    DeskStatus,
    Gap,
    InfoRequest,
    InfoResponse,
    Progress,
    Reinvestigation,
    RequestStatus,
    RiskLevel,
    TopicRisk,
    VerdictChange,
)
from inquest.domain.claim import Amount, Claim, ClaimType, Disclosure, Excerpt, Mention
from inquest.domain.document import Precision
from inquest.domain.finding import ContradictionType, Stance, Verdict
from inquest.domain.plan import Approval, Brief, Decision, Mode, Plan
from inquest.domain.reasons import Reason, in_words, noted
from inquest.domain.report import Cost, EarlierCheck, Section, Statement, Summary
from inquest.domain.search import ClaimReview
from inquest.domain.value import Published
from inquest.reports.view import ReportView
from inquest.verdicts.weighing_reasons import reason
from tests.reports.made_case import NOON, Desk, numbered, outage, snapshot_of, verdict

COMPANY = "Brünnfeld Werke AG"
REPORT_ITSELF = Reason.of("pages.no_evidence_itself", what=Reason(code="pages.report_of", data={"company": COMPANY}))
STOPPED = reason("stopped_added_nothing", left=reason("gap_left", number=2))
RTL = "المصنع لم يشترِ شهادات الطاقة المتجددة لعام 2022"
LONG = (
    "Across all twelve sites, and in line with the transition plan that the supervisory board approved in March 2021, "
    "we reduced our operational emissions in every year since 2019, replaced the two remaining coal boilers at "
    "Mühlau and Ostrach with heat pumps, moved nine tenths of inbound freight from road to rail, renegotiated the "
    "contracts of our forty largest suppliers so that each of them reports its own footprint once a year, opened the "
    "figures to an outside reviewer, and tied a fifth of the variable pay of the management board to these results, "
    "so that the path towards our long-term ambition is now firmly embedded in everything that we do, from the "
    "procurement of raw materials to the return of used products at the end of their lives."
)
REPORT = (
    "Nachhaltigkeitsbericht 2022. Brünnfeld Werke AG.\n\nWe cut our Scope 1 emissions by 42 % between 2019 and 2022. "
    "All of our electricity has come from renewable sources since 2021. Our near-term target is validated by the "
    f"Science Based Targets initiative. No fine was imposed on us in 2022. {LONG} "
    "Our new kiln emits 0.61 t CO2e per tonne of clinker."
)


def stretch(text: str) -> tuple[str, int, int]:
    start = REPORT.index(text)
    return text, start, start + len(text)


def claim_of(id: str, quote: str, page: int, type: ClaimType, text: str = "", **more: Any) -> Claim:
    words, start, end = stretch(quote)
    mention = Mention(source_id="S1", snapshot=snapshot_of(REPORT), quote=words, start=start, end=end)
    values: dict[str, Any] = {
        "id": id, "text": text or quote, "type": type, "page": page, "company": COMPANY, "quote": words,
        "start": start, "end": end, "mentions": (mention,), "checkability": 0.8, "importance": 0.7,
        "reasons": ("It gives a figure and a year.",),
    }  # fmt: skip
    return Claim(**values | more)


class CheckDesk(Desk):
    """Collects the findings of a check; the report is its first source."""

    def __init__(self) -> None:
        super().__init__()
        self.report = self.source(
            REPORT, "brunnfeld.example", "Nachhaltigkeitsbericht 2022", "2023-03-14", tier=4, category="company",
            url="file:///home/somebody/bericht%202022.pdf", language="en", user_provided=True,
            excluded=in_words(REPORT_ITSELF), excluded_code=REPORT_ITSELF,
        )  # fmt: skip

    def check(self, claim: Claim, evidence_type: str, stance: Stance, summary: str, **more: Any) -> str:
        """A finding based on the claim's own words."""
        values: dict[str, Any] = {"agent": "academic", "confidence": 0.6, "reasons": (), "summary": summary}
        return self.finding(self.report, claim.quote, claim.id, stance, evidence_type=evidence_type, **values | more)


def checked(case: Case, desk: Desk) -> ReportView:
    return desk.view(numbered(case))


def company_report() -> ReportView:
    """A check with every verdict and every part that its report can have."""
    desk = CheckDesk()
    registry = desk.source(
        "Emissions register. Brünnfeld Werke AG reported 812 kt CO2e of direct emissions for 2019 and 690 kt CO2e for "
        "2022, a decrease of 15 per cent.", "register.example", "Direct emissions by operator, 2022", "2023-04-02",
        tier=1, category="regulator",
    )  # fmt: skip
    wire = desk.source(
        "FREIBACH (Meridian) - The company's plants still ran on coal for most of 2022, people who work there said. "
        "The regulator fined it 1.2 million in May 2022 for late reports.",
        "meridian.example", "Brünnfeld kept burning coal", "2022-11-30", tier=2, story="T1", origin_of_story="S3",
    )  # fmt: skip
    copy = desk.source(
        "The company's plants still ran on coal for most of 2022, people who work there said.",
        "echo.example", "Coal at Brünnfeld", "2022-12-01", tier=3, story="T1", origin_of_story="S3",
    )  # fmt: skip
    arabic = desk.source(
        f"{RTL}، بحسب وثائق اطلعت عليها الصحيفة.", "sahafa.example", "وثائق المصنع", "2023-01-20", language="ar",
    )  # fmt: skip
    certificates = desk.source(
        "Brünnfeld Werke AG cancelled guarantees of origin for 310 GWh, which is all that its sites used in 2022.",
        "hub.example", "Cancellations by account holder", "2023-02", tier=1, category="standards",
    )  # fmt: skip
    targets = desk.source(
        "Brünnfeld Werke AG: near-term target validated, 1.5 °C, December 2022.",
        "targets.example", "Companies taking action", "2023-01-05", tier=1, category="standards",
    )  # fmt: skip
    journal = desk.source(
        "Modern kilns of the region emit between 0.55 and 0.70 t CO2e per tonne of clinker (n = 41).",
        "journal.example", "Clinker in five countries", "2021", tier=1, category="scholarly",
    )  # fmt: skip
    release = desk.source(
        "Brünnfeld says that the fine was a mistake and will be paid back.", "brunnfeld.example", "Statement",
        "2022-06-01", tier=4, category="company", press_release=True,
    )  # fmt: skip
    c1 = claim_of(
        "C1", "We cut our Scope 1 emissions by 42 % between 2019 and 2022.", 4, ClaimType.QUANTITATIVE,
        text="Brünnfeld Werke AG cut its Scope 1 emissions by 42 % between 2019 and 2022.", importance=0.95,
        disclosures=(Disclosure(standard="IFRS S2", paragraph="29(a)", subject="gross emissions by scope",
                                reason="Scope 1 emissions"),),
        quantities=(Amount(quote="42 %", start=REPORT.index("42 %"), end=REPORT.index("42 %") + 4, low=42, high=42,
                           unit="%", dimension="share"),),
        dates=("2019", "2022"),
    )  # fmt: skip
    c2 = claim_of(
        "C2", "All of our electricity has come from renewable sources since 2021.", 5, ClaimType.ENVIRONMENTAL
    )
    c3 = claim_of("C3", "Our near-term target is validated by the Science Based Targets initiative.", 6,
                  ClaimType.STRATEGIC,
                  disclosures=(Disclosure(standard="IFRS S2", paragraph="33(e)", subject="validation of targets",
                                          reason="validated by the Science Based Targets initiative"),))  # fmt: skip
    c4 = claim_of("C4", "No fine was imposed on us in 2022.", 9, ClaimType.LEGAL_GOVERNANCE)
    asserted, at, until = stretch("we reduced our operational emissions in every year since 2019")
    assertions = (Excerpt(quote=asserted, start=at, end=until),)
    c5 = claim_of("C5", LONG, 11, ClaimType.STRATEGIC, assertions=assertions)
    c6 = claim_of("C6", "Our new kiln emits 0.61 t CO2e per tonne of clinker.", 12, ClaimType.QUANTITATIVE)
    news = {"agent": "news"}
    f_register = desk.contradicts(
        registry, "812 kt CO2e of direct emissions for 2019 and 690 kt CO2e for 2022, a decrease of 15 per cent", "C1",
        evidence_type="news_contradiction", summary="The register shows 15 per cent where the report says 42.", **news,
    )  # fmt: skip
    f_method = desk.check(
        c1, "methodology_validation", Stance.NEUTRAL,
        "The reduction names no base-year policy and no method, so that it cannot be held against the standard",
        details={"investigation_type": "methodology_validation", "methodology_name": "GHG Protocol Corporate Standard",
                 "standard_alignment": "partially_aligned", "research_consensus": "",
                 "limitations": ["no base-year recalculation is mentioned", "no assurance is mentioned"],
                 "standard_references": [{"standard_name": "GHG Protocol Corporate Standard", "section": "chapter 5",
                                          "document_title": "A Corporate Accounting and Reporting Standard",
                                          "url": "https://ghgprotocol.org/corporate-standard"}]},
        references=({"type": "standard_document", "title": "A Corporate Accounting and Reporting Standard",
                     "url": "https://ghgprotocol.org/corporate-standard", "section": "chapter 5",
                     "publication_date": "2004"},),
        reasons=("Scope 1 is named, the boundary is not.",),
    )  # fmt: skip
    f_sum = desk.check(
        c1, "news_investigation_summary", Stance.NEUTRAL, agent="news",
        summary="One source contradicts it and none supports it, out of four that were read.",
    )  # fmt: skip
    f_hub = desk.supports(
        certificates, "cancelled guarantees of origin for 310 GWh, which is all that its sites used in 2022", "C2",
        evidence_type="academic_source", agent="academic",
    )  # fmt: skip
    f_rtl = desk.contradicts(arabic, RTL, "C2", evidence_type="news_contradiction", iteration=2, **news)
    f_wire = desk.contradicts(wire, "The company's plants still ran on coal for most of 2022", "C2",
                              evidence_type="news_contradiction", contradiction_type=ContradictionType.CONTEXTUAL,
                              **news)  # fmt: skip
    f_copy = desk.contradicts(copy, "The company's plants still ran on coal for most of 2022", "C2",
                              evidence_type="news_contradiction", contradiction_type=ContradictionType.CONTEXTUAL,
                              **news)  # fmt: skip
    f_cert = desk.check(
        c2, "certification_validation", Stance.NEUTRAL,
        "Guarantees of origin are recognised; they need not be additional.",
        details={"certification_type": "Guarantee of origin", "legitimacy_assessment": "legitimate",
                 "risks": {"additionality": {"stated_in_claim": False, "evidence": [
                     {"text": "Certificates seldom lead to new plants.", "publisher": "Energy Letters", "year": 2020,
                      "url": "https://letters.example/7"},
                     {"text": "They need not be additional.", "source_id": "S6"}]},
                           "double counting": {"stated_in_claim": False, "evidence": []}},
                 "limitations": ["Certificates seldom lead to new plants. (Energy Letters, 2020)",
                                 "The claim does not speak of vintage."],
                 "finding_sources": [f_hub]},
    )  # fmt: skip
    f_valid = desk.supports(targets, "Brünnfeld Werke AG: near-term target validated, 1.5 °C, December 2022.", "C3",
                            evidence_type="academic_source", agent="academic")  # fmt: skip
    f_sbti = desk.finding(targets, "near-term target validated, 1.5 °C", "C3", Stance.SUPPORTS, agent="academic",
                          evidence_type="sbti_validation", summary="The initiative lists the target as validated.",
                          details={"sbti_validation_status": "validated"}, confidence=0.85)  # fmt: skip
    f_fine = desk.contradicts(wire, "The regulator fined it 1.2 million in May 2022 for late reports.", "C4",
                              evidence_type="news_contradiction", **news)  # fmt: skip
    f_own = desk.supports(
        release, "the fine was a mistake and will be paid back", "C4", evidence_type="news_source", **news
    )
    f_research = desk.check(
        c5, "research_support", Stance.NEUTRAL, "Too little was found to say.", confidence=0.0,
        details={"research_consensus": None, "plausibility": "unknown"},
    )  # fmt: skip
    f_error = desk.check(c5, "error", Stance.UNASSESSED, agent="news", confidence=0.0,
                         summary="Web search unavailable: the key of tavily is not set.")  # fmt: skip
    f_error2 = desk.check(c4, "error", Stance.UNASSESSED, agent="news", confidence=0.0,
                          summary="Web search unavailable: the key of tavily is not set.")  # fmt: skip
    f_bench = desk.finding(
        journal, "between 0.55 and 0.70 t CO2e per tonne of clinker", "C6", Stance.SUPPORTS, agent="academic",
        evidence_type="benchmark_comparison", confidence=0.7,
        summary="The reported 0.61 lies within what kilns of the region emit.",
        details={"benchmark_range": {"min": 0.55, "max": 0.7, "median": None, "reported": 0.61,
                                     "unit": "t CO2e per tonne of clinker", "citations": [
                                         {"text": "between 0.55 and 0.70 t CO2e per tonne of clinker", "kind": "range",
                                          "year": 2021, "source_id": "S8"}]},
                 "plausibility": "plausible", "sector": "cement", "year": 2022, "scopes": ["Scope 1"],
                 "refused": [{"text": "0.9 t CO2 per tonne of cement", "reason": "another product",
                              "source_id": "S8"}]},
        references=({"type": "academic_paper", "title": "Clinker in five countries",
                     "authors": ["M. Oyelaran", "J. Sýkora"], "publication_date": "2021",
                     "url": "https://journal.example/8", "snippet": "…"},),
    )  # fmt: skip
    claims = (c1, c2, c3, c4, c5, c6)
    assessments = (
        verdict("C1", Verdict.CONTRADICTED, contradicting=(f_register,), single_source=True, independent_sources=1,
                confidence=0.82, reasons=("The emissions register (tier 1) shows a decrease of 15 per cent.",),
                would_change=("A correction of the register, or an assured account of the years from 2019 to 2022.",)),
        verdict("C2", Verdict.DISPUTED, supporting=(f_hub,), contradicting=(f_rtl, f_wire, f_copy), confidence=0.5,
                reasons=("Credible sources support it, and others contradict it.",),
                would_change=("Records of cancelled certificates, year by year.",)),
        verdict("C3", Verdict.VERIFIED, supporting=(f_valid, f_sbti), confidence=0.88, independent_sources=1,
                single_source=True, reasons=("The initiative itself lists the target.",)),
        verdict("C4", Verdict.PARTIALLY_TRUE, supporting=(f_own,), contradicting=(f_fine,), confidence=0.55,
                reasons=("A fine was imposed; the company says that it will be paid back.",)),
        verdict("C5", Verdict.UNVERIFIED, confidence=0.0, independent_sources=0, unassessed=2,
                reasons=("Nothing was found that supports or contradicts it.",),
                would_change=("A reviewer's statement on the figures.",)),
        verdict("C6", Verdict.VERIFIED, supporting=(f_bench,), confidence=0.6, independent_sources=1),
    )  # fmt: skip
    record = CheckRecord(
        routing=(
            Assignment(claim_id="C1", desks=("news", "academic"), priority=0.95, missing=("data",),
                       reasons=("news: it is a figure that the press may have looked into",
                                "academic: it rests on a method", "data: two figures that should fit together")),
            *(Assignment(claim_id=c.id, desks=("news", "academic"), reasons=("news: all claims of the kind",))
              for c in (c2, c3, c5, c6)),
            Assignment(claim_id="C4", desks=("news",), missing=("legal",), reasons=("legal: it speaks of a fine",)),
        ),
        desks=(
            DeskStatus(desk="news", status=Progress.COMPLETED, claims_assigned=6, claims_completed=6, searches=18,
                       findings=7, contradictions=4),
            DeskStatus(desk="academic", status=Progress.ERROR, claims_assigned=5, claims_completed=4, searches=9,
                       findings=6, error="crossref answered with status 503."),
        ),
        requests=(
            InfoRequest(id="R1", asked_by="academic", to="news", claim_id="C2", status=RequestStatus.ANSWERED,
                        description="Were there controversies about the guarantees of origin?"),
            InfoRequest(id="R2", asked_by="news", to="legal", claim_id="C4", status=RequestStatus.UNAVAILABLE,
                        description="Was the fine appealed?"),
        ),
        responses=(
            InfoResponse(request_id="R1", answered_by="news", asked_by="academic", finding_ids=(f_rtl,),
                         summary="One paper reports that no certificates were bought in 2022"),
            InfoResponse(request_id="R2", answered_by="legal", asked_by="news", status=RequestStatus.UNAVAILABLE,
                         summary=""),
        ),
        reinvestigations=(
            Reinvestigation(claim_id="C2", desks=("news",), gap=Gap.OTHER_SIDE, iteration=2,
                            evidence_gap="only the certificate's issuer was heard",
                            refined_queries=('"Brünnfeld" coal 2022', "Brünnfeld certificates criticism"),
                            required_evidence="an independent report on the sites' power"),
        ),
        changes=(
            VerdictChange(claim_id="C1", iteration=1, verdict=Verdict.CONTRADICTED, confidence=0.82,
                          why="the register shows another figure"),
            VerdictChange(claim_id="C2", iteration=1, verdict=Verdict.VERIFIED, confidence=0.7,
                          why="the hub shows the cancellations"),
            VerdictChange(claim_id="C2", iteration=2, verdict=Verdict.DISPUTED, confidence=0.5,
                          why="two papers contradict it"),
        ),
        risks=(
            TopicRisk(topic="Governance", level=RiskLevel.UNKNOWN, claim_ids=("C4",),
                      reasons=("Too little was found to say.",)),
            TopicRisk(topic="Emissions figures", level=RiskLevel.HIGH, score=8.1, claim_ids=("C1", "C6"),
                      finding_ids=(f_register,), reasons=("C1 is contradicted by the emissions register.",
                                                         "The figure gives no method.")),
            TopicRisk(topic="Renewable energy", level=RiskLevel.MODERATE, score=5.0, claim_ids=("C2",),
                      finding_ids=(f_rtl, f_wire), reasons=("C2 is disputed.",)),
            TopicRisk(topic="Climate targets", level=RiskLevel.LOW, score=1.2, claim_ids=("C3",),
                      reasons=("C3 is verified.",)),
        ),
        found_claims=31,
        dropped=(claim_of("C7", "Nachhaltigkeitsbericht 2022.", 1, ClaimType.STATEMENT),),
        **noted([Reason(code="pages.no_text_on", data={"number": 3, "total": 64})]),
        stopped=in_words(STOPPED),
        stopped_code=STOPPED,
    )  # fmt: skip
    case = Case(
        id="20230801-5ca1ab1e",
        kind=CaseKind.CLAIMS,
        status=CaseStatus.PARTIAL,
        why="Could not be queried: 1 engine.",
        brief=Brief(
            text="Check the claims of Brünnfeld Werke AG.", mode=Mode.DETAILED,
            check=CheckRequest(company=COMPANY, industry="building materials", max_claims=6, rounds=1,
                               report="file:///home/somebody/bericht%202022.pdf", desks=("news", "academic")),
        ),
        as_of=NOON, created_at=NOON + timedelta(days=1),
        plan=Plan(topic="Claims of Brünnfeld Werke AG", questions=("Do the claims hold?",), queries=(),
                  engines=("gdelt", "crossref"), mode=Mode.DETAILED),
        approvals=(Approval(decision=Decision.APPROVE, by="analyst", at=NOON, how="prompt"),),
        sources=tuple(desk.sources),
        claims=claims,
        findings=tuple(desk.findings),
        assessments=assessments,
        reviews=(EarlierCheck(claim_id="C4", found_by="factcheck", review=ClaimReview(
            claim="Brünnfeld was never fined", rating="Mostly false", verdict="contradicted", reviewer="Prüfstelle",
            url="https://pruefstelle.example/1", at=Published(at=NOON, precision=Precision.DAY, how="metadata"))),),
        check=record,
        summary=Summary(
            title="Claims of Brünnfeld Werke AG",
            sections=(
                Section(heading="Contradicted", statements=(
                    Statement(text="The register shows a fall of 15 per cent, not 42.", finding_ids=(f_register,)),)),
                Section(heading="Verified", statements=(
                    Statement(text="The target is validated.", finding_ids=(f_valid,)),)),
            ),
        ),
        outages=(outage("engine", "crossref", "out_of_order", name="crossref", number=503),),
        cost=Cost(usd=0.03, model_calls=4, tokens_in=9_000, tokens_out=800, search_calls=27, page_reads=31),
        timings={"plan": 2.0, "desks": 31.4, "judge": 0.2},
    )  # fmt: skip
    assert f_method and f_sum and f_cert and f_research and f_error and f_error2
    return checked(case, desk)
