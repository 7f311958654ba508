"""The summary of a check: who says what, with every fact cited, and what could not be decided."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.news.check_summary import CheckMaterial, check_summary
from inquest.domain.check import RiskLevel, TopicRisk
from inquest.domain.claim import Claim
from inquest.domain.finding import Assessment, Stance, Verdict
from inquest.domain.report import OutageNote, Summary
from tests.case_parts import NOON, finding, source, spoken

REPORT = source("S1", 4, domain="karsund.example", excluded="the report cannot be evidence for itself")
GAZETTE, INSPECTORATE = source("S2", 2), source("S3", 1, category="regulator")
SOURCES = (REPORT, GAZETTE, INSPECTORATE)
FINDINGS = (
    finding("F1", "S3", Stance.CONTRADICTS, quote="Discharges of Karsund Paper rose by 4 % in 2023.", claim_id="C1"),
    finding("F2", "S2", Stance.SUPPORTS, quote="Karsund Paper opened its own water works.", claim_id="C2"),
    finding(
        "F3", "S1", Stance.CONTRADICTS, 0.7, "Our target is science-based.", claim_id="C3", agent="academic",
        evidence_type="sbti_validation", summary="The base year 2008 is before 2015",
    ),
)  # fmt: skip
CLAIMS = (
    Claim(id="C1", text="Karsund Paper cut its discharges by 9 % in 2023.", page=12, importance=0.9),
    Claim(id="C2", text="Karsund Paper opened a water works."),
    Claim(id="C3", text="Karsund Paper has a science-based target from the base year 2008."),
    Claim(id="C4", text="Karsund Paper is the cleanest mill of its region."),
    Claim(id="C5", text="Karsund Paper planted 40,000 trees."),
)


def assessed(id: str, verdict: Verdict, **more: Any) -> Assessment:
    values = {"claim_id": id, "verdict": verdict, "confidence": 0.8, "independent_sources": 1}
    return Assessment.model_validate({**values, "reasons": ("One independent source has it.",), **more})


ASSESSMENTS = (
    assessed("C1", Verdict.CONTRADICTED, contradicting=("F1",)),
    assessed("C2", Verdict.VERIFIED, supporting=("F2",), single_source=True),
    assessed("C3", Verdict.CONTRADICTED, contradicting=("F3",), independent_sources=0),
    assessed("C4", Verdict.UNVERIFIED, independent_sources=0, confidence=0),
    assessed("C5", Verdict.UNVERIFIED, independent_sources=0, confidence=0, checked=False),
)
RISKS = (
    TopicRisk(
        topic="Nature, water and waste", level=RiskLevel.HIGH, score=7.5, claim_ids=("C1",), finding_ids=("F1",),
        reasons=("C1 is contradicted by the evidence found.",),
    ),
    TopicRisk(topic="Other", level=RiskLevel.UNKNOWN, claim_ids=("C4",), reasons=("Too little was found.",)),
)  # fmt: skip
OUTAGES = (OutageNote(what="engine", where="gazette search", why="It did not answer in 30 s", at=NOON),)


def write(**more: Any) -> Summary:
    given_: dict[str, Any] = {"claims": CLAIMS, "assessments": ASSESSMENTS, "findings": FINDINGS, "sources": SOURCES}
    given_ |= {"risks": RISKS, "outages": OUTAGES} | more
    return check_summary(CheckMaterial("Karsund Paper", **given_))


def section(summary: Summary, heading: str) -> list[str]:
    return [each.text for part in summary.sections if part.heading == heading for each in part.statements]


def test_it_opens_with_what_was_checked_and_the_count_by_verdict() -> None:
    scope = section(write(found_claims=31, as_of=NOON), "What this rests on")
    assert scope[0] == (
        "Five claims of Karsund Paper were considered, out of 31 checkable ones in its report, based on what was known "
        "on 1 June 2024."
    )
    short = section(write(), "In short")[0]
    assert "one is verified" in short and "two are contradicted" in short
    assert "quotes for and against come from two independent sources, one of them in tier 1." in scope[1]


def test_contradicted_claims_come_next_with_who_says_what_and_a_failed_criterion_as_a_rule() -> None:
    told = section(write(), "Contradicted or disputed")
    assert told[0].startswith("C1 (page 12): ")
    assert "s3.example" in told[0]
    assert "not contradicted by any source, but by a published rule" in told[1]
    assert "The base year 2008 is before 2015." in told[1]
    assert "karsund.example" not in told[1]


def test_the_companys_own_word_is_told_only_where_nobody_else_says_so() -> None:
    own = source("S4", 2, domain="karsundpaper.com", category="company")
    words = "Karsund Paper opened its own water works in May."
    more = finding("F4", "S4", quote=words, claim_id="C2")
    handed_on = finding("F5", "S3", quote=words, claim_id="C2", details=spoken("party", "Harlow"))
    verified = assessed("C2", Verdict.VERIFIED, supporting=("F2", "F4", "F5"), single_source=True)
    told = section(
        write(assessments=(verified,), findings=(*FINDINGS, more, handed_on), sources=(*SOURCES, own)), "Verified"
    )
    assert "Verified by s2.example alone." in told[0]
    assert "karsundpaper.com" not in told[0] and "s3.example" not in told[0]
    own = source("S4", 2, domain="karsundpaper.com", category="company")
    more = finding("F4", "S4", quote="Karsund Paper planted 40,000 trees.", claim_id="C5")
    open_ = assessed(
        "C5", Verdict.UNVERIFIED, supporting=("F4",), independent_sources=0, reasons=("Only Karsund Paper says so.",)
    )
    told = section(write(assessments=(open_,), findings=(more,), sources=(own,)), "Not verified")
    assert "karsundpaper.com supports it. Only Karsund Paper says so." in told[0]


def test_every_sentence_that_states_a_fact_cites_findings_that_exist() -> None:
    ids = {each.id for each in FINDINGS}
    statements = [each for part in write().sections for each in part.statements]
    assert statements
    assert all(each.about_the_work or each.finding_ids for each in statements)
    assert all(set(each.finding_ids) <= ids for each in statements)


def test_what_could_not_be_told_and_what_was_not_reached_are_two_things() -> None:
    assessments = [
        each.model_copy(update={"lacks": "brave could not be queried"}) if each.claim_id == "C4" else each
        for each in ASSESSMENTS
    ]
    told = section(write(assessments=assessments), "Not verified")
    assert told[0] == "Nothing was found that supports or contradicts C4, and brave could not be queried."
    assert "One claim could not be checked: C5." in told


def test_risk_is_a_pointer_and_outages_and_missing_desks_are_said() -> None:
    told = section(write(), "Where a second look is due")
    assert told[0] == "Nature, water and waste, high risk (7.5 of 10): C1 is contradicted by the evidence found."
    assert "not a finding that anyone is misleading" in told[-1]
    told = section(write(missing_desks=("legal", "legal")), "What could not be asked")
    assert told == [
        "Could not be queried: gazette search. It did not answer in 30 s.",
        "Not installed: the legal desk that should have checked some of the claims.",
    ]


@given(st.lists(st.tuples(st.sampled_from(list(Verdict)), st.text(min_size=1, max_size=120)), max_size=12))
def test_any_claims_are_summed_up_in_whole_sentences(made: list[tuple[Verdict, str]]) -> None:
    claims = [Claim(id=f"C{n}", text=text) for n, (_, text) in enumerate(made)]
    verdicts = [assessed(f"C{n}", verdict) for n, (verdict, _) in enumerate(made)]
    summary = write(claims=claims, assessments=verdicts, findings=())
    assert summary.sections[0].heading == "In short"
    for part in summary.sections:
        for each in part.statements:
            assert each.about_the_work or each.finding_ids
            assert each.text[-1] in ".!?…”’\"')]"
