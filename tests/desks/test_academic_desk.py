"""The academic desk at work: claims, queries, findings, exchange and summary (spec 002, sections 2, 3, 10 to 15)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.check import Gap, InfoRequest, Reinvestigation
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.event import EventType
from inquest.domain.finding import Stance
from inquest.domain.search import EngineKind
from inquest.kit.desk import Results, Subject
from inquest.text.sentences import sentences
from tests.desks.academic_parts import AIR, DESK, FOODS, REVIEWED, STEEL, claim, found, numbered, only, outage, page

TARGET = "Oriel has a science-based target to cut Scope 1 and 2 emissions by 50% by 2030 from 2020."
OFFSETS = "Oriel offset 50,000 tonnes CO2e with Verified Carbon Standard (VCS) forestry credits."
SPEND = "Oriel counts its Scope 3 emissions with the spend-based method of the GHG Protocol."
INTENSITY = "Brackvall emits 1.9 t CO2e per tonne of crude steel."
PUMPS = "Tarnholt's heat pumps reduce the emissions of its plants by 30%."
FIELDS = {
    "investigation_type", "methodology_name", "standard_alignment", "certification_type", "legitimacy_assessment",
    "sbti_validation_status", "benchmark_range", "plausibility", "research_consensus", "limitations",
    "academic_references", "standard_references",
}  # fmt: skip
VALIDATIONS = {
    "methodology_validation", "certification_validation", "sbti_validation", "benchmark_comparison", "research_support",
}  # fmt: skip


class TestWhatItTakes:
    @pytest.mark.parametrize(
        ("text", "type", "group"),
        [
            (SPEND, ClaimType.STATEMENT, "methodology"),
            (
                "All emissions are quantified according to emission factors of the agency.",
                ClaimType.ENVIRONMENTAL,
                "methodology",
            ),
            (OFFSETS, ClaimType.ENVIRONMENTAL, "certification"),
            ("Oriel runs on 100 % renewable electricity.", ClaimType.ENVIRONMENTAL, "certification"),
            (TARGET, ClaimType.STRATEGIC, "targets"),
            (INTENSITY, ClaimType.QUANTITATIVE, "benchmark"),
            ("Brackvall's carbon intensity is the lowest in the industry.", ClaimType.STATEMENT, "benchmark"),
            ("Our patented lattice burner technology lowers fuel use.", ClaimType.ENVIRONMENTAL, "research"),
        ],
    )
    def test_technical_claims_by_group_with_a_reason(self, text: str, type: ClaimType, group: str) -> None:
        taken = DESK.takes(claim(text, type), AIR)
        assert taken is not None
        assert taken.group == group
        assert all(each in taken.reason for each in group.split(","))

    @pytest.mark.parametrize(
        ("text", "type"),
        [
            ("The supervisory board has twelve members.", ClaimType.LEGAL_GOVERNANCE),
            ("The plant in Ostrava covers 40 hectares.", ClaimType.GEOGRAPHIC),
            ("A fire closed the works in May.", ClaimType.EVENT),
            ("Revenue rose by 12 % and 4,200 people work for us.", ClaimType.QUANTITATIVE),
            ("Our people are our strength.", ClaimType.STRATEGIC),
            ("", ClaimType.STATEMENT),
        ],
    )
    def test_claims_without_technical_content_or_of_other_desks_are_not_taken(self, text: str, type: ClaimType) -> None:
        assert DESK.takes(claim(text, type), AIR) is None

    def test_a_named_standard_makes_it_this_desks_whatever_the_type(self) -> None:
        text = "The audit committee had the inventory verified under ISO 14064-3."
        taken = DESK.takes(claim(text, ClaimType.LEGAL_GOVERNANCE), AIR)
        assert taken is not None
        assert taken.group == "methodology"

    @pytest.mark.parametrize(
        "text",
        [
            "Oriel's report follows the ESRS.",
            "Oriel applies IFRS S1 and IFRS S2.",
            "Oriel's annual report complies with the CSRD.",
            "Oriel carried out a double materiality assessment.",
        ],
    )
    def test_a_standard_on_disclosure_is_looked_up_and_alone_decides_nothing(self, text: str) -> None:
        taken = DESK.takes(claim(text, ClaimType.LEGAL_GOVERNANCE), AIR)
        assert taken is not None and taken.group == "methodology"
        asked = DESK.queries([claim(text)], AIR, drafted={}, again={})
        assert asked[0].query.domains[0] in ("europa.eu", "ifrs.org")
        assert not [
            each for each in asked if "ISO 14064" in each.query.text or "emissions accounting" in each.query.text
        ]
        drafts = found(claim(text), AIR)
        assert {each.stance for each in drafts} == {Stance.NEUTRAL}


class TestWhatItAsks:
    def test_the_templates_are_filled_with_the_claims_own_terms(self) -> None:
        asked = DESK.queries([claim(SPEND)], AIR, drafted={}, again={})
        texts = [each.query.text for each in asked]
        assert "GHG Protocol Scope 3 spend-based method guidance" in texts
        guidance = asked[texts.index("GHG Protocol Scope 3 spend-based method guidance")]
        assert (guidance.angle, guidance.query.domains) == ("ghg_protocol", ("ghgprotocol.org",))
        assert guidance.query.kinds == (EngineKind.WEB,)
        papers = [each for each in asked if each.angle == "papers"]
        assert papers
        assert all(each.query.kinds == (EngineKind.SCHOLARLY,) for each in papers)
        assert all(each.query.limit == 10 for each in asked)
        assert (DESK.spec.results_per_query, DESK.spec.results_per_claim) == (10, 20)

    @pytest.mark.parametrize(
        ("text", "subject", "words"),
        [
            (TARGET, AIR, ["Oriel Airways Ltd SBTi validated target", "SBTi near-term target validation criteria"]),
            (OFFSETS, AIR, ["Verified Carbon Standard forestry carbon offset additionality research"]),
            (INTENSITY, STEEL, ["steel emission intensity benchmark industry average 2024"]),
            (PUMPS, FOODS, ["heat pumps emission reduction peer-reviewed"]),
        ],
    )
    def test_each_kind_of_validation_has_its_queries(self, text: str, subject: object, words: list[str]) -> None:
        asked = DESK.queries([claim(text)], subject, drafted={}, again={})  # type: ignore[arg-type]
        assert set(words) <= {each.query.text for each in asked}
        assert len(asked) <= 2 * 5

    def test_claims_that_need_the_same_document_share_its_query_worded_alike_for_every_report(self) -> None:
        claims = [claim(TARGET, id="C1"), claim(TARGET.replace("50%", "60%"), id="C2")]
        asked = DESK.queries(claims, AIR, drafted={}, again={})
        assert all(each.claim_ids == ("C1", "C2") for each in asked)
        assert len(asked) <= 5

        def standard(text: str, subject: object) -> set[str]:
            asked = DESK.queries([claim(text)], subject, drafted={}, again={})  # type: ignore[arg-type]
            return {each.query.text for each in asked if each.angle == "ghg_protocol"}

        assert standard(SPEND, AIR) == standard(SPEND.replace("Oriel counts its", "Tarnholt books its"), FOODS)

    def test_a_models_words_go_first_and_the_rules_fill_what_is_missing(self) -> None:
        drafted = {"C1": {"papers": "heat pump retrofit food plants measured savings", "nonsense": "x"}}
        asked = DESK.queries([claim(PUMPS)], FOODS, drafted=drafted, again={})
        assert asked[0].query.text == "heat pump retrofit food plants measured savings"
        assert [each.angle for each in asked if each.angle == "papers"] == ["papers"]
        assert "benchmark" in {each.angle for each in asked}

    def test_sent_out_again_the_judges_queries_go_first(self) -> None:
        order = Reinvestigation(
            claim_id="C1",
            desks=("academic",),
            gap=Gap.TECHNICAL,
            evidence_gap="No literature was found.",
            refined_queries=("additionality of forest credits in peer-reviewed work",),
            iteration=2,
        )
        asked = DESK.queries([claim(OFFSETS), claim(PUMPS, id="C2")], AIR, drafted={}, again={"C1": order})
        mine = [each for each in asked if "C1" in each.claim_ids]
        assert mine[0].query.text == order.refined_queries[0]
        assert all(each.iteration == 2 for each in mine)
        assert 1 < len(mine) <= 3, "one refined query is few: own ones are added"
        assert {each.iteration for each in asked if "C2" in each.claim_ids} == {1}


class TestWhatItFinds:
    def test_one_finding_for_each_source_then_validations_then_errors_then_the_sum(self) -> None:
        paper = page("S4", "Heat pumps cut emissions of food plants by 20 to 40 %.", Stance.SUPPORTS, work=REVIEWED)
        silent = page("S5", "Heat pumps are sold in many sizes.")
        drafts = found(claim(PUMPS), FOODS, paper, silent, outages=(outage(),))
        kinds = [each.evidence_type for each in drafts]
        assert kinds[0] == "academic_source"
        assert kinds[-2:] == ["error", "academic_investigation_summary"]
        assert set(kinds[1:-2]) == {"benchmark_comparison", "research_support"}
        assert drafts[0].passage_id == "P-S4"
        assert only(drafts, "research_support").details["finding_sources"] == ["S4"]

    @pytest.mark.parametrize("text", [TARGET, OFFSETS, SPEND, INTENSITY, PUMPS])
    def test_every_validation_has_every_field_of_the_spec(self, text: str) -> None:
        validations = [each for each in found(claim(text), AIR) if each.evidence_type in VALIDATIONS]
        assert validations
        for each in validations:
            assert set(each.details) >= FIELDS
            assert each.details["investigation_type"] == each.evidence_type
            assert each.details["supports_claim"] == {"supports": True, "contradicts": False}.get(each.stance.value)
            assert each.summary
            assert each.reasons
            for reference in each.references:
                assert reference["type"] in {
                    "academic_paper",
                    "benchmark_report",
                    "standard_document",
                    "cdp_disclosure",
                }
                assert {"title", "url", "publication_date", "snippet", "source_credibility"} <= set(reference)

    @pytest.mark.parametrize(
        ("domain", "category", "type"),
        [
            ("ghgprotocol.org", "standards", "standard_document"),
            ("dnv.com", "standards", None),
            ("sec.gov", "regulator", None),
        ],
    )
    def test_only_a_publisher_of_standards_has_documents_of_standards(
        self, domain: str, category: str, type: str | None
    ) -> None:
        own = page("S4", "Oriel Air offset its flights.", Stance.SUPPORTS, domain=domain, category=category)
        (reference,) = only(found(claim(OFFSETS), AIR, own), "academic_source").references
        assert reference["type"] == type

    @pytest.mark.parametrize(("text", "subject"), [(TARGET, AIR), (OFFSETS, AIR), (INTENSITY, STEEL)])
    def test_a_summary_is_in_short_sentences(self, text: str, subject: Subject) -> None:
        paper = page("S4", "Mills emit 1.4 to 2.3 t CO2e per tonne of crude steel.", Stance.SUPPORTS, work=REVIEWED)
        for draft in found(claim(text), subject, paper, outages=(outage(),)):
            said = re.sub(r"“[^”]*”", "x", draft.summary)
            assert all(len(span.of(said).split()) <= 25 for span in sentences(said)), draft.summary

    def test_peer_review_and_standards_rank_first_a_companys_own_page_never_above_three(self) -> None:
        pages = [
            page("S2", "Heat pumps cut emissions.", Stance.SUPPORTS, tier=3),
            page("S3", "Heat pumps cut emissions.", Stance.SUPPORTS, domain="tarnholt.example", tier=1),
            page("S4", "Heat pumps cut emissions.", Stance.SUPPORTS, work=REVIEWED, tier=4),
        ]
        sources = [each for each in found(claim(PUMPS), FOODS, *pages) if each.evidence_type == "academic_source"]
        ranked = [(each.passage_id, each.details["source_credibility"]) for each in sources]
        assert ranked[0] == ("P-S4", 1)
        assert dict(ranked)["P-S3"] == 3

    def test_retracted_works_are_told_and_like_the_report_and_what_is_barred_no_witnesses(self) -> None:
        fallen = page(
            "S5",
            "Heat pumps cut nothing.",
            Stance.CONTRADICTS,
            work=REVIEWED.model_copy(update={"retracted": True}),
            excluded="retracted in 2024",
        )
        drafts = found(claim(PUMPS), FOODS, fallen)
        told = only(drafts, "academic_source")
        assert told.stance is Stance.NEUTRAL
        assert "retracted" in told.summary
        assert only(drafts, "research_support").stance is Stance.NEUTRAL
        report = page("S1", "Heat pumps cut emissions.", Stance.SUPPORTS, tier=1)
        late = page(
            "S9", "Heat pumps cut emissions.", Stance.SUPPORTS, tier=1, excluded="published after the as-of date"
        )
        kinds = [each.evidence_type for each in found(claim(PUMPS), FOODS, report, late)]
        assert "academic_source" not in kinds

    def test_nothing_found_is_said_as_insufficient_evidence(self) -> None:
        last = found(claim(PUMPS), FOODS)[-1]
        assert (last.stance, last.details["insufficient_evidence"]) == (Stance.NEUTRAL, True)
        assert "insufficient" in last.summary

    def test_pages_that_are_found_and_not_readable_are_said_to_be_so(self) -> None:
        unread = outage("https://registry.example/1").model_copy(update={"what": "page"})
        drafts = found(claim(OFFSETS), AIR, outages=(unread,), hits=1)
        assert "https://registry.example/1 could not be read" in only(drafts, "error").summary
        assert "could not be read" in only(drafts, "academic_investigation_summary").summary
        assert "could not be queried" in only(found(claim(OFFSETS), AIR, outages=(outage(),)), "error").summary

    def test_an_outage_is_an_error_and_the_rest_goes_on(self) -> None:
        drafts = found(claim(INTENSITY), STEEL, outages=(outage(), outage(), outage("cdp.net")))
        errors = [each for each in drafts if each.evidence_type == "error"]
        assert [each.details["where"] for each in errors] == ["openalex", "cdp.net"]
        assert all(each.stance is Stance.UNASSESSED for each in errors)
        assert only(drafts, "benchmark_comparison").details["plausibility"] == "unknown"
        assert "openalex" in drafts[-1].summary

    def test_a_paper_that_no_index_knows_and_a_disclosure_to_cdp_are_cited(self) -> None:
        bare = page("S5", "Heat pumps cut emissions.", Stance.SUPPORTS, category="scholarly")
        (reference,) = only(found(claim(PUMPS), FOODS, bare), "academic_source").references
        assert (reference["authors"], reference["url"]) == (None, "https://s5.example/s5")
        assert reference["snippet"] == "Heat pumps cut emissions."
        given_to = page("S5", "Steel makers emit 2 t CO2e per tonne of steel.", domain="cdp.net", category="standards")
        (reference,) = only(found(claim(INTENSITY), STEEL, given_to), "benchmark_comparison").references
        assert reference["type"] == "cdp_disclosure"


class TestExchange:
    def test_it_asks_news_about_offsets_data_for_figures_law_for_paragraphs_geography_for_places(self) -> None:
        def asked(text: str) -> set[str]:
            made = claim(text)
            return {each.to for each in DESK.requests(made, AIR, found(made, AIR))}

        assert asked(OFFSETS) == {"news"}
        assert asked(INTENSITY) == {"data"}
        assert asked(SPEND) == {"legal"}
        assert "geography" in asked("The heat pumps at our plant reduce emissions by 30%.")
        assert asked(TARGET) == set()
        of_nobody = AIR.model_copy(update={"company": ""})
        assert {
            each.to for each in DESK.requests(claim(INTENSITY), of_nobody, found(claim(INTENSITY), of_nobody))
        } == set()
        (question,) = DESK.requests(claim(OFFSETS), of_nobody, found(claim(OFFSETS), of_nobody))
        assert question.description.endswith("as used by those concerned?")

    def test_it_answers_from_its_validations_and_says_nothing_where_it_found_nothing(self) -> None:
        range_ = page("S3", "Steel makers emit 1.4 to 2.3 t CO2e per tonne of crude steel.", work=REVIEWED)
        drafts = found(claim(INTENSITY), STEEL, range_)
        request = InfoRequest(
            id="R7", asked_by="data", to="academic", claim_id="C1", description="What is the benchmark of the sector?"
        )
        findings = [numbered(each, f"F{number}") for number, each in enumerate(drafts)]
        answer = DESK.respond(request, claim(INTENSITY), STEEL, findings)
        assert answer is not None
        assert (answer.request_id, answer.asked_by) == ("R7", "data")
        assert "1.4 to 2.3" in answer.summary
        assert [each.evidence_type for each in findings if each.id in answer.finding_ids] == ["benchmark_comparison"]
        assert "Paper S3" in str(answer.details["references"])
        request = InfoRequest(
            asked_by="data", to="academic", claim_id="C1", description="What is the sector's benchmark?"
        )
        assert DESK.respond(request, claim(INTENSITY), STEEL, []) is None
        findings = [numbered(each, f"F{number}") for number, each in enumerate(found(claim(INTENSITY), STEEL))]
        assert DESK.respond(request, claim(INTENSITY), STEEL, findings) is None

    @pytest.mark.parametrize("about", [claim("The plant in Ostrava is open.", ClaimType.GEOGRAPHIC), claim(PUMPS)])
    def test_it_searches_for_the_question_before_it_answers(self, about: Claim) -> None:
        text = "Is the drying of peat with solar heat borne out by research?"
        request = InfoRequest(id="R2", asked_by="news", to="academic", claim_id="C1", description=text)
        asked = DESK.queries_for(request, about, FOODS)
        assert asked
        assert all((each.request_id, each.claim_ids) == ("R2", ("C1",)) for each in asked)


class TestEvents:
    def test_it_thinks_aloud_by_group_and_tells_what_failed(self) -> None:
        made = claim(PUMPS)
        drafts = found(made, FOODS, outages=(outage(),))
        said = DESK.events(made, drafts, Results(iteration=2))
        assert [each.type for each in said] == [EventType.AGENT_THINKING] * 2 + [EventType.ERROR]
        assert [each.data.get("group") for each in said[:2]] == ["research", "benchmark"]
        assert "round 2" in said[0].text

    def test_a_claim_without_technical_content_is_skipped_and_said_so(self) -> None:
        made = claim("The board met in May.", ClaimType.LEGAL_GOVERNANCE)
        (said,) = DESK.events(made, (), Results())
        assert said.type is EventType.AGENT_THINKING
        assert "no technical content" in said.text


ODD = st.text(max_size=160) | st.lists(
    st.sampled_from(
        "net-zero 2050 by 42 % SBTi validated Scope 1 2 3 offset VCS I-REC GHG Protocol ISO 14064 reduce emissions "
        "t CO2e per tonne steel heat pumps 0.15 $1M revenue from 2019 carbon neutral technology not 1.5 °C ;".split()
    ),
    max_size=24,
).map(" ".join)


@given(text=ODD, type=st.sampled_from(ClaimType), passage=ODD, stance=st.sampled_from(Stance))
def test_whatever_a_claim_and_a_page_say_the_findings_hold_together(
    text: str, type: ClaimType, passage: str, stance: Stance
) -> None:
    made = claim(text, type)
    pages = [page("S2", passage or "x", stance, work=REVIEWED)]
    drafts = found(made, FOODS, *pages, outages=(outage(),))
    assert drafts[-1].evidence_type == "academic_investigation_summary"
    for each in drafts:
        words = pages[0].passage.text[each.start : each.end] if each.passage_id else ""
        assert bool(words.strip()) == bool(each.passage_id)
        assert (each.contradiction_type is not None) <= (each.stance is Stance.CONTRADICTS)
        if not each.passage_id and each.evidence_type in VALIDATIONS:
            assert each.confidence <= 0.7, "only a rule speaks"
    asked = DESK.queries([made], FOODS, drafted={}, again={})
    assert bool(asked) == (DESK.takes(made, FOODS) is not None)
    assert all(each.query.text.strip() and each.claim_ids == ("C1",) for each in asked)
    DESK.requests(made, FOODS, drafts)
