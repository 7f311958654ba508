"""The news desk with three companies: claims, queries, findings, events and requests (spec 000)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.news.desk import NewsDesk
from inquest.domain.check import Gap, Reinvestigation
from inquest.domain.claim import Claim, ClaimType, Mention
from inquest.domain.event import EventType
from inquest.domain.finding import ContradictionType, Reading, Stance
from inquest.domain.report import OutageNote
from inquest.domain.source import Source
from inquest.kit.analyst import Passage
from inquest.kit.desk import FindingDraft, JudgedPassage, Results, Subject
from inquest.text.phrases import quoted
from tests.case_parts import dated, source

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DESK = NewsDesk()
BRACKWELL = Subject(
    company="Brackwell Cement plc", industry="cement", now=NOW, own_domains=("brackwell.example",), report_source="S1"
)
LUNETTE = Subject(company="Lunette", industry="fashion retail", now=NOW)
SHELL = Subject(company="Shell", industry="oil and gas", now=NOW)
CLAIM = Claim(
    id="C1", text="Brackwell's Scope 1 emissions fell by 7% in 2025.", type=ClaimType.QUANTITATIVE, importance=0.8
)
OPPOSITE = "Brackwell's Scope 1 emissions rose by 5% in 2025, the registry says."


def page(name: str, tier: int = 2, **more: Any) -> Source:
    return source(name, tier, published=dated("2026-03-14"), **more)


def evidence(
    source: Source, stance: Stance = Stance.CONTRADICTS, quote: str = OPPOSITE, confidence: float = 0.8, **more: Any
) -> JudgedPassage:
    text = f"The kilns ran longer. {quote} Nothing else was said."
    start = text.index(quote)
    bears = stance in (Stance.SUPPORTS, Stance.CONTRADICTS)
    passage = Passage(id=f"P-{source.id}-{stance}", source_id=source.id, snapshot=source.snapshot, text=text)
    judgement = Reading(
        passage_id=passage.id,
        stance=stance,
        contradiction_type=ContradictionType.DIRECT if stance is Stance.CONTRADICTS else None,
        confidence=confidence,
        quote=quote if bears else "",
        start=start if bears else 0,
        end=start + len(quote) if bears else 0,
        reasons=("The claim says 'fell', the passage says 'rose'.",) if bears else (),
        **more,
    )
    return JudgedPassage(source=source, passage=passage, judgement=judgement, angles=("company",))


def found(*items: JudgedPassage, **more: Any) -> tuple[FindingDraft, ...]:
    return DESK.findings(CLAIM, BRACKWELL, Results(evidence=items, hits=9, **more))


def outage(where: str = "tavily", why: str = "No key is set for tavily.") -> OutageNote:
    return OutageNote(what="engine", where=where, why=why, at=NOW)


# --- what it is and which claims it takes ---


@pytest.mark.parametrize("type", list(ClaimType))
def test_it_takes_claims_of_every_type_and_says_why(type: ClaimType) -> None:
    taken = DESK.takes(CLAIM.model_copy(update={"type": type}), BRACKWELL)
    assert taken is not None
    assert taken.reason.startswith("News: ")
    assert taken.group


def test_it_takes_nothing_that_has_no_word() -> None:
    assert DESK.takes(Claim(id="C1", text=" — … "), BRACKWELL) is None


# --- queries ---


def test_each_claim_is_asked_about_in_three_ways_and_the_weightiest_first() -> None:
    other = Claim(id="C2", text="We recycled 61% of our packaging in 2025.", importance=0.9)
    asked = DESK.queries([CLAIM, other], BRACKWELL, drafted={}, again={})
    assert [each.angle for each in asked] == ["company"] * 2 + ["controversy"] * 2 + ["industry"] * 2
    assert asked[0].claim_ids == ("C2",)
    assert {each.desk for each in asked} == {"news"}


def test_a_claim_that_the_judge_sends_out_again_is_asked_about_in_his_words_alone() -> None:
    again = Reinvestigation(
        claim_id="C1", desks=("news",), gap=Gap.OTHER_SIDE, evidence_gap="Only the company was heard.",
        refined_queries=("Brackwell Oldbury residents dust",), iteration=2,
    )  # fmt: skip
    asked = DESK.queries([CLAIM], BRACKWELL, drafted={"C1": {"company": "unused"}}, again={"C1": again})
    assert [(each.query.text, each.angle, each.iteration) for each in asked] == [
        ("Brackwell Oldbury residents dust", "controversy", 2)
    ]


# --- findings ---


def test_a_contradiction_is_found_with_its_quote_its_type_and_its_confidence() -> None:
    first, last = found(evidence(page("Herald", 3)))
    assert first.evidence_type == "news_contradiction"
    assert first.contradiction_type is ContradictionType.DIRECT
    assert first.confidence == 0.8
    assert first.details["weighted_confidence"] == 0.4
    assert "herald.example contradicts the claim" in first.summary
    assert last.evidence_type == "news_investigation_summary"
    each = evidence(page("Herald"))
    draft = found(each)[0]
    assert each.passage.text[draft.start : draft.end] == OPPOSITE


def test_one_source_is_one_finding_for_each_side_that_it_takes() -> None:
    herald = page("Herald")
    weak = evidence(herald, confidence=0.5)
    items = found(evidence(herald), weak, evidence(herald, Stance.SUPPORTS), evidence(herald, Stance.NEUTRAL))
    assert [(each.stance, each.confidence) for each in items[:-1]] == [
        (Stance.CONTRADICTS, 0.8),
        (Stance.SUPPORTS, 0.8),
    ]


def test_a_page_that_bears_on_two_statements_of_a_claim_is_a_finding_on_each() -> None:
    herald = page("Herald")

    def on(number: int, part: str, confidence: float) -> JudgedPassage:
        made = evidence(herald, confidence=confidence)
        judgement = made.judgement.model_copy(update={"covers": (number,)})
        return made.model_copy(update={"part": part, "judgement": judgement})

    first, second = on(1, "cut its emissions", 0.8), on(2, "closed two boilers", 0.7)
    items = found(first, second, on(1, "cut its emissions", 0.6), evidence(herald, Stance.NEUTRAL))[:-1]
    assert [(each.details["covers"], each.confidence) for each in items] == [([1], 0.8), ([2], 0.7)]
    assert "covers" not in found(evidence(herald))[0].details


def test_the_report_itself_and_what_is_not_counted_are_no_evidence() -> None:
    only = found(
        evidence(page("S1"), Stance.SUPPORTS), evidence(page("Late", excluded="published after the as-of date"))
    )
    assert [each.evidence_type for each in only] == ["news_investigation_summary"]
    mention = Mention(source_id="S1", snapshot="sha256:Again", quote=CLAIM.text, start=0, end=len(CLAIM.text))
    mentioned = CLAIM.model_copy(update={"mentions": (mention,)})
    results = Results(evidence=(evidence(page("Again"), Stance.SUPPORTS),))
    assert len(DESK.findings(mentioned, BRACKWELL, results)) == 1


def test_a_few_neutral_sources_are_kept_and_only_those_that_speak_of_the_matter() -> None:
    about = "Brackwell's Scope 1 emissions of 2025 are due in May."
    aside = evidence(page("Aside"), Stance.NEUTRAL, "The canteen has a new cook.")
    items = found(aside, *(evidence(page(f"N{n}"), Stance.NEUTRAL, about) for n in range(6)))
    neutral = [each for each in items if each.stance is Stance.NEUTRAL and each.passage_id]
    assert len(neutral) == 3
    assert all("Aside" not in each.passage_id for each in neutral)
    assert all(each.end > each.start for each in neutral)


def test_what_could_not_be_assessed_is_kept_for_a_person() -> None:
    first = found(evidence(page("Herald"), Stance.UNASSESSED, confidence=0.0))[0]
    assert first.evidence_type == "news_source"
    assert first.details["contradicts_claim"] is None
    assert first.details["needs_review"] is True


def test_each_outage_is_an_error_once_and_the_rest_goes_on() -> None:
    items = found(evidence(page("Herald")), outages=(outage(), outage(), outage("brave", "brave did not answer.")))
    errors = [each for each in items if each.evidence_type == "error"]
    assert [each.stance for each in errors] == [Stance.UNASSESSED] * 2
    assert "No key is set for tavily." in errors[0].summary
    assert errors[0].summary.startswith("The search is incomplete")
    assert items[0].stance is Stance.CONTRADICTS
    (alone, _) = DESK.findings(CLAIM, BRACKWELL, Results(outages=(outage(),)))
    assert alone.summary == "The press could not be searched: No key is set for tavily."


# --- events and requests ---


def test_it_tells_what_each_source_is_worth_and_each_contradiction() -> None:
    items = found(evidence(page("Herald")), evidence(page("Post", 4), Stance.SUPPORTS), outages=(outage(),))
    said = DESK.events(CLAIM, items, Results())
    assert [each.type for each in said] == [
        EventType.SOURCE_EVALUATED,
        EventType.CONTRADICTION_DETECTED,
        EventType.SOURCE_EVALUATED,
    ]
    assert said[0].data["tier"] == 2
    assert said[0].data["relevance"]
    assert said[1].text == f"herald.example contradicts the claim {quoted(CLAIM.text)}."
    assert said[1].data == {
        "claim_id": "C1", "source_url": "https://herald.example/Herald", "contradiction_type": "direct", "tier": 2,
    }  # fmt: skip


def test_it_asks_the_academic_desk_of_a_disputed_claim_of_its_field_alone() -> None:
    asked = DESK.requests(CLAIM, BRACKWELL, found(evidence(page("Herald"))))
    assert [each.to for each in asked] == ["academic"]
    assert DESK.requests(CLAIM, BRACKWELL, found()) == ()


@given(st.text(max_size=300), st.sampled_from([BRACKWELL, LUNETTE, SHELL]), st.sampled_from(list(Stance)))
def test_any_claim_goes_through_the_whole_desk(text: str, subject: Subject, stance: Stance) -> None:
    claim = Claim(id="C1", text=text)
    DESK.takes(claim, subject)
    DESK.queries([claim], subject, drafted={}, again={})
    results = Results(evidence=(evidence(page("Herald"), stance),), outages=(outage(),))
    drafts = DESK.findings(claim, subject, results)
    assert drafts[-1].evidence_type == "news_investigation_summary"
    for each in drafts:
        assert 0 <= each.start <= each.end <= len(results.evidence[0].passage.text)
        assert each.summary
    DESK.requests(claim, subject, drafts)
    DESK.events(claim, drafts, results)
