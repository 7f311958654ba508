"""The judge: evidence that decides the verdict on a company's claim, evidence that only qualifies it, and what never
counts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.check import Gap, Subject
from inquest.domain.claim import Claim
from inquest.domain.finding import ContradictionType, Finding, Stance, Verdict
from inquest.domain.reasons import in_words
from inquest.domain.source import Source
from inquest.verdicts.judging import Judged, Looked, another_round, changes, judge_claim
from tests.case_parts import claim, dated, finding, source

FOR, AGAINST, NEUTRAL, UNASSESSED = Stance.SUPPORTS, Stance.CONTRADICTS, Stance.NEUTRAL, Stance.UNASSESSED


SUBJECT = Subject(
    company="Velmora Textiles",
    industry="textiles",
    own_domains=("velmora.example",),
    report_source="S1",
    report_year=2023,
    now=datetime(2024, 6, 1, tzinfo=UTC),
)
CLAIM = claim("Velmora Textiles cut its Scope 1 emissions by 12 % in 2023.")
SAYS_SO = "Velmora Textiles cut its Scope 1 emissions by 12 % in 2023, the inspectorate found."
SAYS_NOT = "Scope 1 emissions of Velmora Textiles rose by 5 % in 2023."
REPORT = source("S1", 4, domain="velmora.example", excluded="the report cannot be evidence for itself")


def news(id: str, source_id: str, stance: Stance = FOR, confidence: float = 0.9, **more: Any) -> Finding:
    quote = more.pop("quote", f"{SAYS_NOT if stance is AGAINST else SAYS_SO} ({source_id})")  # each in words of its own
    kind = "news_contradiction" if stance is AGAINST else "news_source"
    if stance is AGAINST:
        more.setdefault("contradiction_type", ContradictionType.DIRECT)
    return finding(id, source_id, stance, confidence, quote, **{"agent": "news", "evidence_type": kind} | more)


def check(id: str, kind: str, stance: Stance, confidence: float = 0.7, **more: Any) -> Finding:
    values: dict[str, Any] = {"agent": "academic", "evidence_type": kind, "summary": "The base year is before 2015."}
    return finding(id, "S1", stance, confidence, CLAIM.text, **values | more)


def judge(
    findings: Sequence[Finding],
    sources: Sequence[Source] = (),
    *,
    of: Claim = CLAIM,
    iteration: int = 1,
    desks: Sequence[str] = ("news", "academic"),
    subject: Subject = SUBJECT,
) -> Judged:
    known = {each.id: each for each in (REPORT, *sources)}
    return judge_claim(of, findings, known, subject=subject, looked=Looked(iteration, desks))


def said(judged: Judged) -> str:
    return " ".join(judged.assessment.reasons)


def test_two_independent_papers_verify_a_claim_and_nothing_more_is_asked() -> None:
    judged = judge([news("F1", "A"), news("F2", "B")], [source("A", 1), source("B", 2)])
    assert judged.assessment.verdict is Verdict.VERIFIED
    assert judged.assessment.independent_sources == 2
    assert judged.gap is None
    assert judged.assessment.would_change


def test_findings_of_both_desks_on_one_page_are_one_witness() -> None:
    twice = [news("F1", "A"), news("F2", "A", agent="academic", evidence_type="academic_source")]
    judged = judge(twice, [source("A", 2)])
    assert judged.assessment.verdict is Verdict.VERIFIED
    assert judged.assessment.single_source
    assert judged.gap is not None and judged.gap.gap is Gap.INDEPENDENCE


@pytest.mark.parametrize(
    "own",
    [
        source("A", 2, domain="velmora.example", category="company"),
        source("A", 1, domain="velmora-group.example", owner="Velmora Textiles plc", category="company"),
        source("A", 3, domain="wire.example", press_release=True, category="press_release"),
    ],
)
def test_the_companys_own_pages_never_carry_a_verdict(own: Source) -> None:
    judged = judge([news("F1", "A")], [own])
    assert judged.assessment.verdict is Verdict.UNVERIFIED
    assert judged.assessment.independent_sources == 0
    assert judged.gap is not None and judged.gap.gap is Gap.OTHER_SIDE
    assert "Only Velmora Textiles makes" in judged.gap.evidence_gap


def test_the_report_is_no_evidence_for_itself_even_where_nobody_marked_it() -> None:
    unmarked = source("S1", 1, domain="velmora.example")
    judged = judge_claim(CLAIM, [news("F1", "S1")], {"S1": unmarked}, subject=SUBJECT, looked=Looked(1, ("news",)))
    assert judged.assessment.verdict is Verdict.UNVERIFIED
    assert judged.gap is not None and judged.gap.gap is Gap.NOTHING_FOUND


def test_a_denial_by_the_company_does_not_take_a_contradiction_away() -> None:
    denial = news("F2", "B", quote="Velmora Textiles rejects the report and says that emissions fell by 12 %.")
    judged = judge([news("F1", "A", AGAINST), denial], [source("A", 1), source("B", 2, domain="velmora.example")])
    assert judged.assessment.verdict is Verdict.CONTRADICTED


def test_nothing_found_is_unverified_and_asks_every_desk_again() -> None:
    judged = judge([])
    assert judged.assessment.verdict is Verdict.UNVERIFIED
    assert judged.gap is not None
    assert judged.gap.gap is Gap.NOTHING_FOUND
    assert judged.gap.desks == ("news", "academic")
    assert judged.gap.iteration == 2
    assert 2 <= len(judged.gap.refined_queries) <= 3
    assert "Velmora Textiles" in judged.gap.refined_queries[0]
    assert "2023" in judged.gap.refined_queries[0]
    assert judged.gap.required_evidence


class TestTime:
    def test_a_page_from_before_the_year_cannot_confirm_its_result(self) -> None:
        old = source("A", 1, published=dated("2021-05-01"))
        judged = judge([news("F1", "A")], [old])
        assert judged.assessment.verdict is Verdict.UNVERIFIED
        assert "cannot confirm what is said about that year" in said(judged)
        assert "Nothing was found" not in said(judged)
        assert judged.gap is not None and judged.gap.gap is Gap.RECENCY
        assert "more recent" in judged.gap.evidence_gap.lower()
        assert any("2023" in query for query in judged.gap.refined_queries)

    def test_neither_a_base_year_nor_the_age_of_an_announcement_counts_against_a_claim(self) -> None:
        of = claim("Velmora Textiles cut its emissions by 40 % compared to 2019.")
        judged = judge([news("F1", "A")], [source("A", 1, published=dated("2023-11-01"))], of=of)
        assert judged.assessment.verdict is Verdict.VERIFIED
        of = claim("Velmora Textiles aims to cut its emissions by 40 % by 2030.")
        judged = judge([news("F1", "A")], [source("A", 1, published=dated("2020-02-01"))], of=of)
        assert judged.assessment.verdict is Verdict.VERIFIED

    def test_an_old_contradiction_weighs_less_and_is_said_to(self) -> None:
        fresh = judge([news("F1", "A", AGAINST)], [source("A", 1, published=dated("2024-02-01"))])
        old = judge([news("F1", "A", AGAINST)], [source("A", 1, published=dated("2021-02-01"))])
        assert old.assessment.confidence < fresh.assessment.confidence
        assert "less weight because of its age" in said(old)
        assert old.gap is not None and old.gap.gap is Gap.RECENCY
        silent = judge([news("F1", "A", NEUTRAL)], [source("A", 1, published=dated("2021-02-01"))])
        assert "because of its age" not in said(silent)


class TestChecks:
    def test_a_failed_check_takes_verified_down_to_true_in_part(self) -> None:
        judged = judge(
            [news("F1", "A"), news("F2", "B"), check("F3", "sbti_validation", AGAINST)],
            [source("A", 1), source("B", 2)],
        )
        assert judged.assessment.verdict is Verdict.PARTIALLY_TRUE
        assert judged.assessment.contradicting == ("F3",)
        assert "The base year is before 2015." in said(judged)

    @pytest.mark.parametrize(
        "kind", ["sbti_validation", "certification_validation", "benchmark_comparison", "research_support"]
    )
    def test_a_check_never_contradicts_alone(self, kind: str) -> None:
        judged = judge([check("F1", kind, AGAINST, 0.9)])
        assert judged.assessment.verdict is Verdict.UNVERIFIED
        assert "it fails: " in said(judged)

    def test_checks_that_support_verify_nothing_alone_and_add_a_little_to_witnesses(self) -> None:
        kinds = ("sbti_validation", "certification_validation", "benchmark_comparison", "research_support")
        judged = judge([check(f"F{n}", kind, FOR, 0.9) for n, kind in enumerate(kinds)])
        assert judged.assessment.verdict is Verdict.UNVERIFIED
        assert "A check alone verifies nothing" in said(judged)
        papers = [news("F1", "A", confidence=0.8)]
        bare = judge(papers, [source("A", 1)]).assessment
        more = judge([*papers, check("F2", "methodology_validation", FOR)], [source("A", 1)]).assessment
        assert bare.verdict is more.verdict is Verdict.VERIFIED
        assert bare.confidence < more.confidence <= bare.confidence + 0.06

    def test_the_check_of_a_later_round_replaces_the_earlier_one(self) -> None:
        first = check("F1", "sbti_validation", AGAINST)
        second = check("F2", "sbti_validation", NEUTRAL, 0.4, iteration=2)
        assert judge([first, second], iteration=2).assessment.verdict is Verdict.UNVERIFIED

    def test_a_doubtful_certificate_is_kept_in_mind_and_decides_nothing(self) -> None:
        doubtful = check("F2", "certification_validation", NEUTRAL, details={"legitimacy_assessment": "questionable"})
        judged = judge([news("F1", "A"), doubtful], [source("A", 1)])
        assert judged.assessment.verdict is Verdict.VERIFIED
        assert "Note on " in said(judged)


class TestDirectness:
    def test_literature_that_does_not_name_the_company_is_no_witness_but_to_the_world(self) -> None:
        general = news(
            "F1", "A", quote="Dye works can cut emissions by 12 %.", agent="academic", evidence_type="academic_source"
        )
        judged = judge([general], [source("A", 1, category="scholarly")])
        assert judged.assessment.verdict is Verdict.PARTIALLY_TRUE
        assert "does not name Velmora Textiles" in said(judged)
        joined = general.model_copy(update={"details": {"registered_as": {"name": "Orle Mills", "lei": "A"}}})
        assert judge([joined], [source("A", 1)]).assessment.verdict is Verdict.VERIFIED
        assert "plainly saying this about Velmora Textiles" in judged.assessment.would_change[0]
        works = [
            news(
                name, name, stance, quote="Dye works cut emissions.", agent="academic", evidence_type="academic_source"
            )
            for name, stance in (("A", FOR), ("B", AGAINST))
        ]
        judged = judge(works, [source(name, 1, category="scholarly") for name in "AB"])
        assert judged.assessment.verdict is Verdict.UNVERIFIED
        of = claim("Heat pumps cut the emissions of dye works by 12 %.")
        general = news(
            "F1", "A", quote="Heat pumps cut them by 12 %.", agent="academic", evidence_type="academic_source"
        )
        assert judge([general], [source("A", 1)], of=of).assessment.verdict is Verdict.VERIFIED

    @pytest.mark.parametrize("kind", [ContradictionType.CONTEXTUAL, ContradictionType.OMISSION])
    def test_context_or_an_omission_that_turns_it_round_makes_it_true_in_part(self, kind: ContradictionType) -> None:
        turned = news("F1", "A", AGAINST, contradiction_type=kind)
        turned = turned.model_copy(update={"quote": "It bought certificates.", "end": len("It bought certificates.")})
        assert judge([turned], [source("A", 1)]).assessment.verdict is Verdict.CONTRADICTED
        both = judge([turned, news("F2", "B")], [source("A", 1), source("B", 2)])
        assert both.assessment.verdict is Verdict.PARTIALLY_TRUE


class TestGaps:
    def test_weak_sources_ask_for_better_ones_and_technical_claims_send_the_academic_desk(self) -> None:
        judged = judge([news("F1", "A"), news("F2", "B")], [source("A", 3), source("B", 3)])
        assert judged.gap is not None and judged.gap.gap is Gap.QUALITY
        assert "tier 1 or 2" in judged.gap.evidence_gap
        of = claim("Velmora Textiles follows the GHG Protocol for its Scope 1 emissions in 2023.")
        judged = judge([news("F1", "A", NEUTRAL)], [source("A", 2)], of=of)
        assert judged.gap is not None
        assert judged.gap.gap is Gap.TECHNICAL
        assert judged.gap.desks == ("academic",)

    def test_one_official_document_is_firm_and_nobody_is_sent_where_no_desk_looked(self) -> None:
        judged = judge([news("F1", "A")], [source("A", 1, category="regulator")])
        assert judged.assessment.single_source
        assert judged.gap is None
        assert judge([], desks=()).gap is None

    def test_a_round_that_brought_nothing_on_the_claim_is_not_repeated(self) -> None:
        assert judge([news("F1", "A")], [source("A", 3)], iteration=1).gap is not None
        assert judge([news("F1", "A")], [source("A", 3)], iteration=2).gap is None

    def test_queries_are_short_without_operators_and_keep_the_numbers_of_scopes_and_standards(self) -> None:
        of = claim("Velmora Textiles has cut Scope 1 and 2 emissions under ISO 14064-1 by 12 % in 2023.")
        judged = judge([], of=of)
        assert judged.gap is not None
        assert "Scope 1 and 2" in judged.gap.refined_queries[0]
        assert "ISO 14064-1" in judged.gap.refined_queries[0]
        of = claim(f"Velmora Textiles {'very long winded words about emissions ' * 40}in 2023.")
        judged = judge([], of=of)
        assert judged.gap is not None
        assert all(0 < len(query) <= 120 and not set(query) & set('()"|') for query in judged.gap.refined_queries)

    def test_a_dispute_asks_for_what_decides_it(self) -> None:
        judged = judge([news("F1", "A", AGAINST), news("F2", "B")], [source("A", 2), source("B", 2)])
        assert judged.gap is not None and "official document" in judged.gap.evidence_gap
        official = judge(
            [news("F1", "A", AGAINST), news("F2", "B")], [source("A", 1), source("B", 1, category="newspaper")]
        )
        assert official.assessment.verdict is Verdict.DISPUTED
        assert official.gap is None


class TestRounds:
    def test_the_first_verdict_and_each_change_are_kept(self) -> None:
        first = judge([news("F1", "A")], [source("A", 3)])
        kept = changes([], [first], 1)
        assert [(each.iteration, each.verdict) for each in kept] == [(1, Verdict.UNVERIFIED)]
        second = judge(
            [news("F1", "A"), news("F2", "B", AGAINST, iteration=2)], [source("A", 3), source("B", 1)], iteration=2
        )
        later = changes([first.assessment], [second], 2)
        assert later[0].verdict is second.assessment.verdict
        assert "One new finding against it" in later[0].why
        assert changes([second.assessment], [second], 3) == ()

    def test_a_move_of_the_confidence_alone_is_kept_from_a_tenth_on(self) -> None:
        judged = judge([news("F1", "A")], [source("A", 1)])
        for move, kept in ((0.09, 0), (0.1, 1), (-0.1, 1)):
            old = judged.assessment.model_copy(update={"confidence": judged.assessment.confidence + move})
            assert len(changes([old], [judged], 2)) == kept

    def test_rounds_go_on_while_there_is_a_gap_and_something_is_added(self) -> None:
        open_claim, firm = judge([]), judge([news("F1", "A"), news("F2", "B")], [source("A", 1), source("B", 1)])
        assert another_round([open_claim], iteration=1, rounds=1, added=None) is None
        assert "No verdict has a gap" in why_no_round([firm], iteration=1, rounds=1, added=None)
        assert "limit" in why_no_round([open_claim], iteration=2, rounds=1, added=3)
        assert "No further round was requested" in why_no_round([open_claim], iteration=1, rounds=0, added=None)
        assert "added nothing" in why_no_round([open_claim], iteration=2, rounds=3, added=0)
        assert "budget" in why_no_round([open_claim], iteration=1, rounds=3, added=None, budget_met=True)


def why_no_round(judged: list[Judged], **how: Any) -> str:
    why = another_round(judged, **how)
    return in_words(why) if why else ""


KINDS = st.sampled_from(
    [
        *("news_source", "academic_source", "passage", "sbti_validation", "benchmark_comparison", "research_support"),
        *("error", "news_investigation_summary"),
    ]
)


@st.composite
def evidence(draw: st.DrawFn) -> tuple[list[Finding], list[Source]]:
    sources = [
        source(
            f"P{number}",
            draw(st.integers(1, 4)),
            press_release=draw(st.booleans()) and draw(st.booleans()),
            category=draw(st.sampled_from(["newspaper", "regulator", "blog", "scholarly"])),
            published=draw(st.sampled_from([None, dated("2020-01-05"), dated("2024-01-05")])),
        )
        for number in range(draw(st.integers(0, 5)))
    ]
    found = []
    for number in range(draw(st.integers(0, 8))):
        kind = draw(KINDS)
        stance = draw(st.sampled_from([FOR, AGAINST, NEUTRAL, UNASSESSED])) if kind != "error" else UNASSESSED
        of = draw(st.sampled_from(["S1", *(each.id for each in sources)]))
        quote = f"{SAYS_NOT if stance is AGAINST else SAYS_SO} ({of})"
        confidence = draw(st.floats(0, 1))
        round_ = draw(st.integers(1, 2))
        found.append(
            finding(f"F{number}", of, stance, confidence, quote, agent="news", evidence_type=kind, iteration=round_)
        )
    return found, sources


@given(evidence(), st.randoms())
def test_the_order_of_findings_never_matters(given_: tuple[list[Finding], list[Source]], order: random.Random) -> None:
    found, sources = given_
    shuffled = list(found)
    order.shuffle(shuffled)
    assert judge(found, sources, iteration=2) == judge(shuffled, sources[::-1], iteration=2)


@given(evidence(), st.integers(1, 4))
def test_an_outage_never_changes_a_verdict(given_: tuple[list[Finding], list[Source]], number: int) -> None:
    found, sources = given_
    out = [finding(f"E{n}", "S1", UNASSESSED, 0.9, "", agent="news", evidence_type="error") for n in range(number)]
    before, after = judge(found, sources).assessment, judge([*found, *out], sources).assessment
    assert (before.verdict, before.confidence) == (after.verdict, after.confidence)
    assert (before.supporting, before.contradicting) == (after.supporting, after.contradicting)


def test_each_service_that_did_not_answer_counts_once_and_a_page_is_none() -> None:
    met = [("engine", "exa"), ("engine", "exa"), ("registry", "gleif"), ("page", "https://a.example/1"), ("model", "m")]
    out = [
        finding(f"E{n}", "S1", UNASSESSED, 0.9, "", evidence_type="error", details={"what": what, "where": where})
        for n, (what, where) in enumerate(met)
    ]
    reasons = judge(out, []).assessment.reasons
    assert "Two services did not answer; this counts neither for nor against it." in reasons
    assert "The model did not answer; the local analyst judged what was found." in reasons


FAVOUR = [Verdict.CONTRADICTED, Verdict.DISPUTED, Verdict.UNVERIFIED, Verdict.PARTIALLY_TRUE, Verdict.VERIFIED]


@given(evidence())
def test_another_witness_of_the_first_tier_for_it_never_speaks_against_it(
    given_: tuple[list[Finding], list[Source]],
) -> None:
    found, sources = given_
    before = judge(found, sources).assessment
    after = judge([*found, news("F99", "NEW")], [*sources, source("NEW", 1, published=dated("2024-02-01"))]).assessment
    # Weak evidence on both sides becomes a dispute if the other side is sufficient by itself; it is not worse for the
    # claim.
    assert FAVOUR.index(after.verdict) >= FAVOUR.index(before.verdict) or after.verdict is Verdict.DISPUTED
    assert after.verdict is not Verdict.CONTRADICTED or before.verdict is Verdict.CONTRADICTED
    if before.verdict is after.verdict is Verdict.VERIFIED:
        assert after.confidence >= before.confidence


@given(evidence())
def test_every_verdict_has_reasons_and_its_findings_exist(given_: tuple[list[Finding], list[Source]]) -> None:
    found, sources = given_
    judged = judge(found, sources)
    ids = {each.id for each in found}
    assert judged.assessment.reasons and all(reason[-1] in ".!?…" for reason in judged.assessment.reasons)
    assert 1 <= len(judged.assessment.would_change) <= 3
    assert {*judged.assessment.supporting, *judged.assessment.contradicting} <= ids
    assert 0 <= judged.assessment.confidence <= 1


@given(st.text(max_size=300))
def test_no_wording_of_a_claim_breaks_the_judge(text: str) -> None:
    judged = judge([], of=claim(text or "-"))
    assert judged.assessment.verdict is Verdict.UNVERIFIED
