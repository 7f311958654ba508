"""The smaller parts of the academic desk: sectors, technologies, official sites, registers, sources that count."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.claims.report.given import given_claims
from inquest.desks.academic.queries import MOST_IN_ALL, MOST_OF_A_GROUP, Group, academic_asks, academic_groups, angle_of
from inquest.desks.academic.terms import reason, sector_of, technologies_in
from inquest.desks.academic.validation import Ruling, by_evidence
from inquest.desks.academic.witnesses import AcademicEvidence, bearing_of
from inquest.domain.check import Subject
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.finding import Stance
from inquest.domain.search import EngineKind, Notice, Work
from tests.case_parts import claim, source
from tests.desks.academic_parts import NOW

REVIEWED = Work(type="journal-article", venue="Journal of Dams", peer_reviewed=True)
EVERY_GROUP = (
    "Selby counts Scope 1 emissions by the GHG Protocol, with I-REC certificates, to cut them by 40% by 2030 from 2020 "
    "with the SBTi, at 0.2 t CO2e per tonne of steel, where heat pumps reduce emissions by 12%."
)


def heard(name: str, stance: Stance, tier: int = 1, confidence: float = 0.8, **more: object) -> AcademicEvidence:
    about = {"source": source(name, tier), "passage_id": f"P{name}", "text": "words", "quote": "words", "end": 5}
    return AcademicEvidence.model_validate({**about, "stance": stance, "confidence": confidence, **more})


@pytest.mark.parametrize(
    ("text", "sector"),
    [
        ("Steelmakers in Europe", "steel"),
        ("Dairies and breweries", "food and beverages"),
        ("This paper finds concrete results in a similar fashion.", ""),
        ("Steel and cement compared", ""),
        ("", ""),
    ],
)
def test_a_sector_is_told_only_where_a_text_names_one(text: str, sector: str) -> None:
    assert sector_of(text) == sector


@pytest.mark.parametrize(
    ("text", "technology"),
    [
        ("Our heat pumps and CCS plant", ("heat pumps", "carbon capture and storage")),
        ("our new lattice burner technology saves gas", ("lattice burner",)),
        ("by switching to chilled ceilings we saved energy", ("chilled ceilings",)),
        ("our new risk management process", ()),
        ("Clean sand lowers the energy of our furnaces by 3 percent", ()),
        ("More cullet lowers the energy of our furnaces", ("recycled content",)),
        ("Our Aurora hydrogen furnace uses less gas", ("Aurora hydrogen furnace",)),
    ],
)
def test_technologies_by_their_usual_names_else_in_the_claims_own_words(text: str, technology: tuple[str, ...]) -> None:
    found = technologies_in(text)
    assert len(found) == len(technology)
    assert all(mine.startswith(theirs) for mine, theirs in zip(found, technology, strict=True))


class TestWhoCounts:
    @pytest.mark.parametrize(
        "work",
        [
            REVIEWED.model_copy(update={"retracted": True}),
            Work(type="retraction", notice_of=(Notice(kind="retraction"),)),
        ],
    )
    def test_retracted_works_and_notices_do_not(self, work: Work) -> None:
        witness = heard("S2", Stance.SUPPORTS, source=source("S2", 1, work=work))
        assert witness.credibility == 4
        assert witness.left_out
        assert bearing_of([witness]).support == ()

    def test_neither_do_parties_and_hearsay(self) -> None:
        assert bearing_of([heard("S2", Stance.SUPPORTS, speaker={"kind": "party"})]).both == ()
        assert bearing_of([heard("S2", Stance.SUPPORTS, speaker={"kind": "unnamed"})]).both == ()

    @given(st.lists(st.tuples(st.sampled_from([1, 2, 3]), st.floats(0.3, 1.0)), min_size=1, max_size=5))
    def test_another_witness_never_makes_a_side_less_sure(self, given_: list[tuple[int, float]]) -> None:
        all_heard = [heard(f"S{n}", Stance.SUPPORTS, tier, sure) for n, (tier, sure) in enumerate(given_)]
        rule = Ruling(Stance.NEUTRAL, 0.0, reason("undecided"))
        bearings = [bearing_of(all_heard[:count]) for count in range(1, len(all_heard) + 1)]
        confidences = [round(by_evidence(each, rule).confidence, 3) for each in bearings]
        assert confidences == sorted(confidences)
        assert all(0 < each <= 1 for each in confidences)


def test_a_claim_may_belong_to_every_group_what_its_type_is_about_first() -> None:
    assert set(academic_groups(EVERY_GROUP)) == set(Group) - {Group.REPORTED}  # which a part or a rate is not
    assert next(iter(academic_groups(EVERY_GROUP, ClaimType.ENVIRONMENTAL))) is Group.CERTIFICATION
    assert next(iter(academic_groups(EVERY_GROUP, ClaimType.QUANTITATIVE))) is Group.BENCHMARK


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("We will be carbon neutral by 2045.", {Group.TARGETS}),
        ("We will be carbon neutral by 2045 through offsets.", {Group.TARGETS, Group.CERTIFICATION}),
        ("We are carbon neutral.", {Group.CERTIFICATION}),
    ],
)
def test_to_become_neutral_is_a_target_to_be_so_rests_on_credits(text: str, groups: set[Group]) -> None:
    assert set(academic_groups(text)) == groups


@given(st.lists(st.sampled_from(("heat pumps", "biochar", "LED", "no-till", "HVO", "compost", "CHP")), max_size=30))
def test_the_limits_hold_for_any_number_of_claims(technologies: list[str]) -> None:
    claims = [claim(f"Our {each} cut emissions a lot.", id=f"C{n}") for n, each in enumerate(technologies)]
    asks = academic_asks(claims, Subject(company="Selby plc", now=NOW))
    assert sum(EngineKind.REGISTRY not in each.query.kinds for each in asks) <= MOST_IN_ALL
    assert len(asks) <= max(MOST_OF_A_GROUP, len(set(technologies)))
    assert {name for each in asks for name in each.claim_ids} == {each.id for each in claims}


@pytest.mark.parametrize(
    ("text", "angle"),
    [
        ("SBTi register entry", "sbti"),
        ("GHG Protocol guidance", "ghg_protocol"),
        ("CDP disclosure", "cdp"),
        ("I-REC registry", "certification"),
        ("steel sector benchmark", "benchmark"),
        ("heat pumps in breweries", "papers"),
    ],
)
def test_the_judges_words_find_their_kind_of_query(text: str, angle: str) -> None:
    assert angle_of(text) == angle


def claim_of(text: str) -> Claim:
    (made,) = given_claims([json.dumps({"id": "1", "text": text, "company": "Norvane"})], "a list")
    return made


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("By the end of 2024 Norvane had spent €31 million on the treatment plant.", ClaimType.QUANTITATIVE),
        ("Norvane had cut its emissions by 12% by 2023.", ClaimType.QUANTITATIVE),
        ("Norvane will have cut its emissions by 42% by 2030.", ClaimType.STRATEGIC),
        ("Norvane had set a target to cut its emissions by 30% by 2030.", ClaimType.STRATEGIC),
    ],
)
def test_what_had_been_done_by_a_date_is_not_what_is_aimed_at(text: str, kind: ClaimType) -> None:
    assert claim_of(text).type is kind


@pytest.mark.parametrize("whose", ["Norvane's", "Norvane’s", "Its proprietary"])
def test_a_technology_is_one_whoever_it_is_said_to_be_of(whose: str) -> None:
    assert technologies_in(f"{whose} refrigerant-free cooling technology reduces emissions by 30%.") == (
        "refrigerant-free cooling technology",
    )
    assert not technologies_in(f"{whose} supplier management system covers all sites.")
