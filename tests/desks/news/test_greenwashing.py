"""The risk overview: levels with reasons that name the claims, and no risk derived from missing evidence."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.news.greenwashing import TOPICS, leans_on_offsets, risk_overview, topic_of, vague_words
from inquest.domain.check import RiskLevel, TopicRisk
from inquest.domain.claim import Amount, Claim, ClaimType
from inquest.domain.finding import Assessment, Stance, Verdict
from tests.case_parts import finding

FIGURE = Amount(quote="12 %", start=0, end=4, low=12, high=12, unit="%", dimension="share")


def of(text: str, id: str = "C1", **more: object) -> Claim:
    return Claim.model_validate({"id": id, "text": text, **more})


def found(id: str, verdict: Verdict, confidence: float = 0.8, **more: object) -> Assessment:
    values = {"claim_id": id, "verdict": verdict, "confidence": confidence, "independent_sources": 2}
    return Assessment.model_validate({**values, "reasons": ("given",), **more})


def only(risks: tuple[TopicRisk, ...]) -> TopicRisk:
    assert len(risks) == 1
    return risks[0]


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Ostrava Glass aims to reach net zero by 2045.", "Climate targets"),
        ("Ostrava Glass cut its Scope 1 emissions by 12 % from 2019 to 2023.", "Emissions figures"),
        ("All sites run on renewable electricity with guarantees of origin.", "Renewable energy and certificates"),
        ("Its deliveries are climate neutral.", "Offsets and neutrality"),
        ("It recycled 83 % of its waste.", "Nature, water and waste"),
        ("Every supplier has signed the code of conduct.", "Supply chain and social matters"),
        ("A committee of the supervisory board oversees it.", "Governance and law"),
        ("Ostrava Glass was founded in 1921.", ""),
    ],
)
def test_topics_by_wording(text: str, topic: str) -> None:
    assert topic_of(of(text)) == topic


def test_contradicted_claims_are_a_high_risk_and_named() -> None:
    claims = [of("It cut its CO2 emissions by 12 %.", "C1"), of("Its emissions fell in 2022.", "C2")]
    risk = only(risk_overview(claims, [found("C1", Verdict.CONTRADICTED), found("C2", Verdict.CONTRADICTED)], []))
    assert risk.level is RiskLevel.HIGH
    assert "C1 and C2 are contradicted by the evidence found." in risk.reasons


def test_claims_that_hold_are_a_low_risk_and_one_contradicted_is_not_lost_among_them() -> None:
    claims = [of("Its CO2 emissions fell by 12 %.", "C1"), of("Its methane emissions fell by 3 %.", "C2")]
    risk = only(risk_overview(claims, [found("C1", Verdict.VERIFIED), found("C2", Verdict.VERIFIED)], []))
    assert (risk.level, risk.score) == (RiskLevel.LOW, 0.0)
    assert risk.reasons
    claims = [of("Its CO2 emissions fell.", f"C{n}", importance=0.5) for n in range(1, 11)]
    verdicts = [found("C1", Verdict.CONTRADICTED), *(found(f"C{n}", Verdict.VERIFIED) for n in range(2, 11))]
    assert only(risk_overview(claims, verdicts, [])).level is RiskLevel.MODERATE


def test_the_company_s_name_is_no_topic() -> None:
    claim = of("Orle Chemicals plc reached 571 people in 2024.").model_copy(update={"company": "Orle Chemicals plc"})
    assert topic_of(claim) == ""


def test_nothing_found_is_unknown_and_no_risk_also_beside_one_verified_claim() -> None:
    nothing = found("C1", Verdict.UNVERIFIED, 0.0, independent_sources=0)
    risk = only(risk_overview([of("Its CO2 emissions fell by 12 %.")], [nothing], []))
    assert (risk.level, risk.score) == (RiskLevel.UNKNOWN, None)
    assert "One claim could not be verified (C1), which is not in itself a sign of risk." in risk.reasons
    claims = [of("Its CO2 emissions fell.", f"C{n}") for n in range(1, 6)]
    verdicts = [found("C1", Verdict.VERIFIED)]
    verdicts += [found(f"C{n}", Verdict.UNVERIFIED, 0, independent_sources=0) for n in range(2, 6)]
    assert only(risk_overview(claims, verdicts, [])).level is RiskLevel.UNKNOWN


def test_a_failed_check_and_a_companys_own_word_raise_the_score() -> None:
    claim = of("It aims to cut its emissions by 46 % by 2030 from 2012.", type=ClaimType.STRATEGIC)
    half = found("C1", Verdict.PARTIALLY_TRUE)
    failed = finding("F1", "S1", Stance.CONTRADICTS, 0.7, agent="academic", evidence_type="sbti_validation")
    bare, more = only(risk_overview([claim], [half], [])), only(risk_overview([claim], [half], [failed]))
    assert bare.score is not None and more.score is not None and more.score > bare.score
    assert more.finding_ids == ("F1",)
    assert any("criteria for science-based targets" in reason for reason in more.reasons)
    own = found("C1", Verdict.UNVERIFIED, 0.1, independent_sources=0, supporting=("F9",))
    assert any(
        "only the company's own statement" in reason for reason in only(risk_overview([claim], [own], [])).reasons
    )


class TestWording:
    def test_vague_words_count_only_without_a_figure(self) -> None:
        text = "It is the leading maker of climate-friendly glass."
        assert vague_words(of(text)) == ("leading", "climate-friendly")
        assert vague_words(of(text, quantities=(FIGURE,))) == ()
        assert vague_words(of("Its electricity is backed by Green-e RECs.")) == ()

    def test_reliance_on_offsets(self) -> None:
        assert leans_on_offsets(of("All flights are offset."))
        assert leans_on_offsets(of("The bottle is climate neutral."))
        assert not leans_on_offsets(of("It cut emissions by half without offsets."))


VERDICTS = st.sampled_from(list(Verdict))
TEXTS = st.sampled_from(
    [
        "Its CO2 emissions fell.",
        "It aims for net zero by 2050.",
        "All flights are offset.",
        "It is eco-friendly.",
        "Odd.",
    ]
)


@given(st.lists(st.tuples(TEXTS, VERDICTS, st.floats(0, 1)), max_size=8), st.randoms())
def test_a_claim_stands_in_one_topic_or_none_and_the_order_does_not_matter(
    made: list[tuple[str, Verdict, float]], order: random.Random
) -> None:
    claims = [of(text, f"C{n}") for n, (text, _, _) in enumerate(made)]
    verdicts = [found(f"C{n}", verdict, sure) for n, (_, verdict, sure) in enumerate(made)]
    shuffled = list(verdicts)
    order.shuffle(shuffled)
    risks = risk_overview(claims, verdicts, [])
    assert risks == risk_overview(claims, shuffled, [])
    assert sorted(id for risk in risks for id in risk.claim_ids) == sorted(
        claim.id for claim in claims if topic_of(claim)
    )
    assert [risk.topic for risk in risks] == [topic for topic in TOPICS if topic in {risk.topic for risk in risks}]
    for risk in risks:
        assert risk.reasons
        assert (risk.score is None) is (risk.level is RiskLevel.UNKNOWN)


@given(st.lists(VERDICTS, min_size=1, max_size=6), st.integers(1, 5))
def test_claims_that_could_not_be_verified_never_raise_the_score(made: list[Verdict], more: int) -> None:
    claims = [of("Its CO2 emissions fell.", f"C{n}") for n in range(len(made) + more)]
    verdicts = [found(f"C{n}", verdict) for n, verdict in enumerate(made)]
    open_ = [found(f"C{n}", Verdict.UNVERIFIED, 0) for n in range(len(made), len(made) + more)]
    before = only(risk_overview(claims[: len(made)], verdicts, []))
    after = only(risk_overview(claims, verdicts + open_, []))
    assert (after.score or 0) <= (before.score or 0)
