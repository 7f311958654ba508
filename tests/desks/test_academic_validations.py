"""The five validations of the academic desk (spec 002, sections 5 to 9 and 15)."""

from __future__ import annotations

from typing import Any

import pytest

from inquest.domain.claim import ClaimType
from inquest.domain.finding import Stance
from inquest.domain.search import Hit
from tests.desks.academic_parts import AIR, FOODS, PREPRINT, REVIEWED, STEEL, claim, found, only, page

SPEND = claim("Tarnholt calculates its Scope 3 emissions using the spend-based method of the GHG Protocol.")
VALIDATED = claim(
    "Tarnholt's target to cut absolute Scope 1 and 2 emissions by 42% by 2030 from 2020, set in 2022, is validated by "
    "the Science Based Targets initiative.",
    ClaimType.STRATEGIC,
)
INTENSITY = claim("Brackvall emits 1.9 t CO2e per tonne of crude steel.", ClaimType.QUANTITATIVE)
PUMPS = claim("Tarnholt's heat pumps reduce the emissions of its plants by 30%.", ClaimType.QUANTITATIVE)


class TestMethodology:
    def test_a_recognised_method_is_held_to_its_standard_with_the_limits_that_research_names(self) -> None:
        paper = page("S7", "Spend-based methods carry an uncertainty of 40 %, since prices move.", work=REVIEWED)
        made = only(found(SPEND, FOODS, paper), "methodology_validation")
        assert made.details["standard_alignment"] == "partially_aligned"
        assert "spend-based method" in str(made.details["methodology_name"])
        assert any("S7" in str(each) and "uncertainty of 40 %" in str(each) for each in _list(made, "limitations"))
        assert made.details["research_consensus"] is None
        assert (made.stance, made.passage_id) == (Stance.SUPPORTS, "")
        assert made.confidence <= 0.7
        assert any("not that it was followed" in each for each in made.reasons)
        standards = [each for each in made.references if each["type"] == "standard_document"]
        assert standards[0]["standard_name"] == "GHG Protocol Scope 3 Standard"
        assert str(standards[0]["url"]).startswith("https://ghgprotocol.org/")

    def test_a_limitation_of_a_study_is_none_of_the_method(self) -> None:
        paper = page("S7", "This study is limited to firms that use the spend-based method.", work=REVIEWED)
        made = only(found(SPEND, FOODS, paper), "methodology_validation")
        assert not any("S7" in str(each) for each in _list(made, "limitations"))

    def test_what_goes_against_the_standard_it_names_is_contradicted(self) -> None:
        net = claim(
            "Following the GHG Protocol Corporate Standard, Tarnholt's Scope 1 figure is net of the offsets it bought."
        )
        made = only(found(net, FOODS), "methodology_validation")
        assert (made.details["standard_alignment"], made.stance) == ("not_aligned", Stance.CONTRADICTS)
        assert made.contradiction_type is not None
        assert made.confidence <= 0.7

    def test_works_judged_go_before_the_rule_and_decide_nothing_on_both_sides(self) -> None:
        against = page("S7", "The spend-based method misses half of the footprint.", Stance.CONTRADICTS, work=REVIEWED)
        made = only(found(SPEND, FOODS, against), "methodology_validation")
        assert (made.stance, made.passage_id) == (Stance.CONTRADICTS, "P-S7")
        assert (
            made.details["research_consensus"] == "One source addresses it: 0 in support, 1 against, 1 peer-reviewed."
        )
        assert made.details["finding_sources"] == ["S7"]
        for_it = page("S6", "It is an accepted method.", Stance.SUPPORTS, work=REVIEWED)
        against = page("S7", "It misses half of the footprint.", Stance.CONTRADICTS, work=REVIEWED)
        made = only(found(SPEND, FOODS, for_it, against), "methodology_validation")
        assert made.stance is Stance.NEUTRAL
        assert "do not agree" in made.summary


class TestCertification:
    def test_each_risk_of_an_offset_comes_with_its_evidence(self) -> None:
        offsets = claim("Oriel offset 50,000 tonnes CO2e with Verified Carbon Standard (VCS) forestry credits.")
        fires = page("S8", "Wildfires reversed the storage of forest credits.", Stance.CONTRADICTS, work=REVIEWED)
        made = only(found(offsets, AIR, fires), "certification_validation")
        assert made.details["legitimacy_assessment"] == "controversial"
        risks = made.details["risks"]
        assert isinstance(risks, dict)
        permanence, additionality = risks["permanence"], risks["additionality"]
        assert isinstance(permanence, dict)
        assert isinstance(additionality, dict)
        assert [each["source_id"] for each in _dicts(permanence["evidence"])] == ["S8"]
        assert all(each["url"] and each["year"] for each in _dicts(additionality["evidence"]))
        assert made.stance is Stance.CONTRADICTS

    @pytest.mark.parametrize("status", ["retired for the company in May 2024", "issued and not retired"])
    def test_the_registrys_page_is_quoted_and_retirement_is_no_risk(self, status: str) -> None:
        text = f"The 900 credits of the Rimba project are {status}."
        entry = page("S2", text, domain="registry.verra.org", category="standards", tier=1)
        made = claim("We retired 900 VCS credits of the Rimba cookstove project.")
        check = only(found(made, FOODS, entry), "certification_validation")
        assert f"registry.verra.org lists: ‘{text}’" in check.summary
        assert "retirement" not in check.summary and "not asked" not in check.summary

    def test_doubts_of_research_alone_contradict_no_purchase(self) -> None:
        offsets = claim("Oriel offset 50,000 tonnes CO2e with Verified Carbon Standard (VCS) forestry credits.")
        assert only(found(offsets, AIR), "certification_validation").stance is Stance.NEUTRAL

    @pytest.mark.parametrize(
        ("text", "legitimacy"),
        [
            ("Oriel's flights are carbon neutral through offsets.", "unknown"),
            ("Oriel's emissions are offset under the Silver Larch Carbon Standard.", "not_recognized"),
        ],
    )
    def test_without_a_known_scheme_it_is_said_so(self, text: str, legitimacy: str) -> None:
        made = only(found(claim(text, ClaimType.ENVIRONMENTAL), AIR), "certification_validation")
        assert (made.details["legitimacy_assessment"], made.stance) == (legitimacy, Stance.NEUTRAL)

    def test_a_certification_that_the_book_does_not_have_is_left_to_what_is_found(self) -> None:
        wood = claim("All wood that Tarnholt buys is FSC certified.", ClaimType.ENVIRONMENTAL)
        made = only(found(wood, FOODS), "certification_validation")
        assert made.details["certification_type"] == "FSC"
        assert "No rules of" in made.summary


class TestTargets:
    def test_the_initiatives_own_list_bears_a_validation_out(self) -> None:
        listed = page(
            "S2",
            "Company | Near term\nTarnholt Foods plc | Targets set | 1.5°C\nMordale Ltd | Committed",
            domain="sciencebasedtargets.org",
            category="standards",
            tier=1,
            angles=("sbti",),
        )
        made = only(found(VALIDATED, FOODS, listed), "sbti_validation")
        assert (made.details["sbti_validation_status"], made.stance) == ("validated", Stance.SUPPORTS)
        text = listed.passage.text[made.start : made.end]
        assert text == "Tarnholt Foods plc | Targets set | 1.5°C"

    @pytest.mark.parametrize(
        "other",
        [
            page("S2", "The SBTi has validated the target of Tarnholt Foods.", domain="tarnholt.example"),
            page("S2", "The SBTi has validated the target of Tarnholt Foods.", press_release=True),
            page("S2", "The SBTi has validated the target of Tarnholt Foods.", tier=4),
            page("S2", "The SBTi has validated the target of Mordale Ltd."),
            page("S2", "In 2019 Tarnholt Foods committed to the SBTi."),
            page("S2", "An auditor validated the water use of Tarnholt Foods; its rival has joined the SBTi."),
        ],
    )
    def test_the_companys_own_word_and_words_on_something_else_are_no_validation(self, other: object) -> None:
        made = only(found(VALIDATED, FOODS, other), "sbti_validation")  # type: ignore[arg-type]
        assert (made.details["sbti_validation_status"], made.stance) == ("status_unclear", Stance.NEUTRAL)
        assert made.details["claimed_status"] == "validated"
        assert "own statement" in made.summary

    def test_a_slow_target_fails_only_the_criteria_that_it_claims_to_meet(self) -> None:
        slow = claim(
            "Oriel has a science-based target to reduce Scope 1 and 2 emissions by 20% by 2030 from 2019, in line with "
            "1.5 °C.",
            ClaimType.STRATEGIC,
        )
        made = only(found(slow, AIR), "sbti_validation")
        assert (made.stance, made.details["pathway_alignment"]) == (Stance.CONTRADICTS, "not_aligned")
        assert made.confidence <= 0.7
        assert "1.8% a year" in made.summary
        bare = claim("Oriel will reduce its Scope 1 and 2 emissions by 10% by 2030 from 2019.", ClaimType.STRATEGIC)
        made = only(found(bare, AIR), "sbti_validation")
        assert made.stance is Stance.NEUTRAL
        assert made.details["standard_alignment"] in ("not_aligned", "partially_aligned")

    def test_pages_of_one_rank_that_differ_leave_the_status_unclear(self) -> None:
        yes = page("S2", "The SBTi has validated the target of Tarnholt Foods.")
        no = page("S3", "The SBTi has not validated the target of Tarnholt Foods.")
        made = only(found(VALIDATED, FOODS, yes, no), "sbti_validation")
        assert made.details["sbti_validation_status"] == "status_unclear"


class TestBenchmarks:
    def test_a_figure_within_a_range_is_plausible_with_range_unit_and_source(self) -> None:
        range_ = page("S3", "Steel makers emit 1.4 to 2.3 t CO2e per tonne of crude steel.", work=REVIEWED)
        made = only(found(INTENSITY, STEEL, range_), "benchmark_comparison")
        told = made.details["benchmark_range"]
        assert isinstance(told, dict)
        assert [told[name] for name in ("min", "max", "reported")] == [1.4, 2.3, 1.9]
        assert told["unit"] == "t CO2e per tonne of crude steel"
        assert [each["source_id"] for each in _dicts(told["citations"])] == ["S3"]
        assert (made.details["plausibility"], made.stance, made.passage_id) == ("plausible", Stance.SUPPORTS, "P-S3")
        assert made.confidence < 0.5, "plausible is not verified, and must not carry a verdict alone"

    @pytest.mark.parametrize(("given", "plausibility"), [("2.1 to 2.3", "low"), ("1.1 to 1.4", "high")])
    def test_what_lies_outside_is_said_and_proves_nothing(self, given: str, plausibility: str) -> None:
        range_ = page("S3", f"Steel makers emit {given} t CO2e per tonne of crude steel.", work=REVIEWED)
        made = only(found(INTENSITY, STEEL, range_), "benchmark_comparison")
        assert (made.details["plausibility"], made.stance) == (plausibility, Stance.NEUTRAL)

    @pytest.mark.parametrize("given", ["0.2 to 0.4", "6 to 9"])
    def test_an_outlier_contradicts_the_surer_where_two_credible_sources_agree(self, given: str) -> None:
        one = page("S3", f"Steel makers emit {given} t CO2e per tonne of crude steel.", work=REVIEWED)
        other = page("S4", f"A survey gives {given} t CO2e per tonne of crude steel.")
        alone = only(found(INTENSITY, STEEL, one), "benchmark_comparison")
        both = only(found(INTENSITY, STEEL, one, other), "benchmark_comparison")
        assert (alone.details["plausibility"], alone.stance, both.stance) == ("outlier", *2 * [Stance.CONTRADICTS])
        assert alone.confidence == 0.5 < both.confidence

    def test_an_outlier_of_a_bare_average_or_of_nobody_credible_contradicts_nothing(self) -> None:
        average = page("S3", "The average is 20 t CO2e per tonne of crude steel.", work=REVIEWED)
        weak = page("S4", "Steel makers emit 6 to 9 t CO2e per tonne of crude steel.", tier=3)
        for each in (average, weak):
            made = only(found(INTENSITY, STEEL, each), "benchmark_comparison")
            assert (made.details["plausibility"], made.stance) == ("outlier", Stance.NEUTRAL)

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("Hot rolling alone takes 0.60 t CO2e per tonne of crude steel on average.", "alone rolling"),
            ("The thermodynamic floor is 0.60 t CO2e per tonne of crude steel.", "theoretical limit"),
            ("Mean: 2.1 t CO2e per tonne of crude steel, casting at 0.60 t CO2e per tonne of crude steel.", "casting"),
            ("0.60 t CO2e per tonne of crude steel is the stoichiometric minimum.", "theoretical limit"),
        ],
        ids=["a step", "a limit of physics", "a step beside the whole", "a limit named afterwards"],
    )  # fmt: skip
    def test_a_step_of_the_process_and_a_theoretical_limit_are_no_benchmark_of_the_whole(
        self, text: str, why: str
    ) -> None:
        made = claim("Our mills emitted 2.0 t CO2e per tonne of crude steel.", ClaimType.QUANTITATIVE)
        details: Any = only(found(made, STEEL, page("S2", text, angles=("benchmark",))), "benchmark_comparison").details
        (refused,) = details["refused"]
        assert refused["text"].startswith("0.60") and why in refused["reason"]
        assert 0.6 not in [each["text"] for each in details["benchmark_range"]["citations"]]

    def test_a_step_is_compared_with_the_same_step(self) -> None:
        made = claim("The energy use of casting was 0.31 GJ per tonne of crude steel.", ClaimType.QUANTITATIVE)
        text = "Casting averages 0.30 GJ per tonne of crude steel, the whole mill 19 GJ per tonne of crude steel."
        details: Any = only(found(made, STEEL, page("S2", text, angles=("benchmark",))), "benchmark_comparison").details
        assert [each["text"][:4] for each in details["benchmark_range"]["citations"]] == ["0.30"]

    def test_the_middle_is_the_median_of_the_figures_cited_each_with_its_reference(self) -> None:
        made = claim("Our Scope 1 emission intensity was 1.9 t CO2e per tonne of crude steel.", ClaimType.QUANTITATIVE)
        pages = [
            page(f"S{number}", f"The average of mills was {value} t CO2e per tonne of crude steel.", angles=("papers",))
            for number, value in ((2, 1.8), (3, 2.0), (4, 4.7))
        ]
        check = only(found(made, STEEL, *pages), "benchmark_comparison")
        details: Any = check.details
        assert details["benchmark_range"]["median"] == 2.0
        cited = {each["source_id"] for each in details["benchmark_range"]["citations"]}
        assert cited == {"S2", "S3", "S4"} == {each["source_id"] for each in check.references}
        assert {each["type"] for each in check.references} == {"benchmark_report"}

    def test_what_is_said_of_the_company_itself_is_no_benchmark(self) -> None:
        own = page("S3", "Brackvall emits 1.9 t CO2e per tonne of crude steel.", tier=1)
        assert only(found(INTENSITY, STEEL, own), "benchmark_comparison").details["plausibility"] == "unknown"

    def test_a_change_is_compared_with_changes_of_the_same_thing_alone(self) -> None:
        cut = claim("Tarnholt cut its Scope 2 emissions by 25% in one year.", ClaimType.QUANTITATIVE)
        same = page("S3", "Studies find that Scope 2 emissions fall by 20 to 40 % with contracts.", work=REVIEWED)
        others = page("S4", "Studies find that Scope 1 emissions fall by 1 to 2 % a year.", work=REVIEWED)
        told = only(found(cut, FOODS, same, others), "benchmark_comparison").details["benchmark_range"]
        assert isinstance(told, dict)
        assert (told["min"], told["max"]) == (20, 40)


class TestResearch:
    def test_a_peer_reviewed_work_supports_and_in_part_a_claim_beyond_it(self) -> None:
        paper = page("S4", "Heat pumps cut emissions of food plants by 20 to 40 %.", Stance.SUPPORTS, work=REVIEWED)
        made = only(found(PUMPS, FOODS, paper), "research_support")
        assert (made.details["research_support"], made.stance) == ("supported", Stance.SUPPORTS)
        assert made.details["research_range"] == {"min": 20, "max": 40, "median": None, "claimed": 30, "unit": "%"}
        paper = page("S4", "Heat pumps cut emissions of food plants by 5 to 9 %.", Stance.SUPPORTS, work=REVIEWED)
        made = only(found(PUMPS, FOODS, paper), "research_support")
        assert made.details["research_support"] == "partially_supported"
        assert any("beyond" in str(each) for each in _list(made, "limitations"))

    @pytest.mark.parametrize(
        "paper",
        [
            page("S5", "Heat pumps cut emissions.", Stance.SUPPORTS, tier=4, category="scholarly"),
            page("S5", "Heat pumps cut emissions.", Stance.SUPPORTS, tier=2, category="newspaper"),
        ],
    )
    def test_what_is_no_sound_research_leaves_it_insufficient(self, paper: object) -> None:
        made = only(found(PUMPS, FOODS, paper), "research_support")  # type: ignore[arg-type]
        assert (made.details["research_support"], made.stance) == ("insufficient_research", Stance.NEUTRAL)

    def test_preprints_alone_bear_nothing_out(self) -> None:
        paper = page("S5", "Heat pumps cut emissions.", Stance.SUPPORTS, work=PREPRINT, category="scholarly")
        made = only(found(PUMPS, FOODS, paper), "research_support")
        assert (made.details["research_support"], made.stance) == ("partially_supported", Stance.NEUTRAL)
        assert "None of the works found is peer-reviewed." in _list(made, "limitations")

    def test_a_paper_is_cited_with_title_authors_date_and_address(self) -> None:
        hit = Hit(
            url="https://s4.example/s4", engine="crossref", rank=1, author="A. Reed, B. Holm", snippet="Heat pumps"
        )
        paper = page(
            "S4", "Heat pumps cut emissions.", Stance.SUPPORTS, work=REVIEWED, hit=hit, title="Pumps in plants"
        )
        (reference,) = _dicts(only(found(PUMPS, FOODS, paper), "research_support").details["academic_references"])
        wanted = {
            "type": "academic_paper",
            "title": "Pumps in plants",
            "authors": "A. Reed, B. Holm",
            "publication_date": "2023-04",
            "url": "https://s4.example/s4",
            "source_credibility": 1,
        }
        assert {name: reference[name] for name in wanted} == wanted


def _list(draft: object, name: str) -> list[object]:
    value = draft.details[name]  # type: ignore[attr-defined]
    assert isinstance(value, list)
    return value


def _dicts(value: object) -> list[dict[str, object]]:
    assert isinstance(value, list)
    assert all(isinstance(each, dict) for each in value)
    return value
