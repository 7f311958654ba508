"""The judgment of a pair, on plain news sentences: what each kind of rule must get right."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.evidence import gather
from inquest.entailment.ruling import contradiction_type
from inquest.entailment.stance import stance_of
from inquest.text.meaning import Meaning

S, C, N = Stance.SUPPORTS, Stance.CONTRADICTS, Stance.NEUTRAL
DIRECT, CONTEXTUAL = ContradictionType.DIRECT, ContradictionType.CONTEXTUAL
OMISSION, TIMELINE = ContradictionType.OMISSION, ContradictionType.TIMELINE

# Claim, passage, stance, and the kind of contradiction where it matters.
CASES: tuple[tuple[str, str, Stance, ContradictionType | None], ...] = (
    # numbers
    (
        "Harlow Chemicals exceeded its discharge limit by about 300 % in 2023.",
        "In 2023 Harlow Chemicals exceeded its discharge limit by 312 per cent, the agency found.",
        S,
        None,
    ),
    (
        "40 % of residents near the Harlow plant reported health complaints.",
        "In the survey, 28 % of residents near the Harlow plant reported health complaints.",
        C,
        DIRECT,
    ),
    (
        "Harlow Chemicals emitted 2.4 million tonnes of CO2 in 2022.",
        "Harlow Chemicals emitted 2,412,000 t of CO2 in 2022, according to its filing.",
        S,
        None,
    ),
    (
        "Harlow Chemicals emitted 2.4 million tonnes of CO2 in 2022.",
        "Harlow Chemicals emitted 3.1 million tonnes of CO2 in 2022.",
        C,
        DIRECT,
    ),
    (
        "The spill affected 412 residents of Dunmore.",
        "The spill affected 187 residents of Dunmore, the council said.",
        C,
        DIRECT,
    ),
    (
        "More than 400 residents of Dunmore were affected by the spill.",
        "The spill affected 412 residents of Dunmore.",
        S,
        None,
    ),
    (
        "The wind farm produces 1.2 TWh of electricity a year.",
        "The wind farm produces 1,200 GWh of electricity a year.",
        S,
        None,
    ),
    (
        "The wind farm produces 1.2 TWh of electricity a year.",
        "The wind farm produces 700 GWh of electricity a year.",
        C,
        DIRECT,
    ),
    ("The pipeline is 120 km long.", "The pipeline is 75 miles long.", S, None),
    ("The pipeline is 120 km long.", "The pipeline is 40 miles long.", C, DIRECT),
    ("Norvane paid a fine of $2.4bn.", "Norvane paid a fine of $2.4 billion to settle the case.", S, None),
    ("Norvane paid a fine of $2.4bn.", "Norvane paid a fine of $240 million.", C, DIRECT),
    ("A third of the staff of Norvane left in 2021.", "In 2021, 33 % of the staff of Norvane left.", S, None),
    (
        "Norvane doubled its water use between 2015 and 2020.",
        "Between 2015 and 2020 Norvane doubled its water use.",
        S,
        None,
    ),
    (
        "Three workers died in the explosion at the Calder plant.",
        "Five workers died in the explosion at the Calder plant.",
        C,
        DIRECT,
    ),
    (
        "Twelve workers were injured at the Calder plant.",
        "12 workers were injured at the Calder plant, police said.",
        S,
        None,
    ),
    (
        "Average temperatures in the valley rose by 1.5 °C.",
        "Average temperatures in the valley rose by 0.4 °C.",
        C,
        DIRECT,
    ),
    ("The share of recycled plastic is at least 30 %.", "The share of recycled plastic is 34 %.", S, None),
    ("The share of recycled plastic is at least 30 %.", "The share of recycled plastic is 12 %.", C, DIRECT),
    (
        "Between 5 and 7 % of samples from the river were contaminated.",
        "6 % of samples from the river were contaminated.",
        S,
        None,
    ),
    # years
    (
        "Harlow Chemicals emitted 2.4 million tonnes of CO2 in 2022.",
        "Harlow Chemicals emitted 3.1 million tonnes of CO2 in 2019.",
        N,
        None,
    ),
    ("Norvane's revenue rose by 8 % in 2023.", "Norvane's revenue rose by 3 % in 2021.", N, None),
    ("The Calder plant closed in March 2021.", "The Calder plant closed in November 2023.", C, TIMELINE),
    ("The Calder plant was opened in 1998.", "The Calder plant was opened in 2004 by the then minister.", C, TIMELINE),
    ("The Calder plant was opened in 1998.", "The Calder plant, opened in 1998, employs 300 people.", S, None),
    (
        "The company learned of the leak on 14 March 2023.",
        "The company learned of the leak on 2 January 2023.",
        C,
        TIMELINE,
    ),
    ("The mine was shut before 2020.", "The mine was shut in 2022.", C, TIMELINE),
    ("The mine was shut before 2020.", "The mine was shut in 2017.", S, None),
    # direction
    ("Emissions from the Calder plant fell in 2022.", "Emissions from the Calder plant rose in 2022.", C, DIRECT),
    ("Emissions from the Calder plant fell in 2022.", "Emissions from the Calder plant decreased in 2022.", S, None),
    (
        "The council approved the new waste site at Dunmore.",
        "The council rejected the new waste site at Dunmore.",
        C,
        DIRECT,
    ),
    (
        "The council approved the new waste site at Dunmore.",
        "The new waste site at Dunmore was approved by the council on Monday.",
        S,
        None,
    ),
    ("Lead levels in the wells exceeded the limit.", "Lead levels in the wells stayed below the limit.", C, DIRECT),
    ("Harlow lost the appeal against the permit.", "Harlow won the appeal against the permit.", C, DIRECT),
    (
        "Fish numbers in the Tolley river increased after the filter was installed.",
        "Fish numbers in the Tolley river decreased after the filter was installed.",
        C,
        DIRECT,
    ),
    ("More people work at Norvane than ten years ago.", "Fewer people work at Norvane than ten years ago.", C, DIRECT),
    # negation
    (
        "Harlow Chemicals exceeded the limit for mercury.",
        "Harlow Chemicals did not exceed the limit for mercury.",
        C,
        DIRECT,
    ),
    (
        "Harlow Chemicals did not exceed the limit for mercury.",
        "Harlow Chemicals did not exceed the limit for mercury in any month.",
        S,
        None,
    ),
    (
        "Harlow Chemicals did not exceed the limit for mercury.",
        "Harlow Chemicals exceeded the limit for mercury.",
        C,
        DIRECT,
    ),
    (
        "Norvane informed the residents about the leak.",
        "Norvane never informed the residents about the leak.",
        C,
        DIRECT,
    ),
    (
        "Norvane informed the residents about the leak.",
        "Norvane failed to inform the residents about the leak.",
        C,
        None,
    ),
    (
        "The vaccine causes autism in children.",
        "There is no evidence that the vaccine causes autism in children.",
        C,
        None,
    ),
    ("The dam was inspected every year.", "The dam was not inspected every year.", C, DIRECT),
    ("The plant has a valid permit.", "The plant operates without a valid permit.", C, DIRECT),
    (
        "No workers were hurt in the fire at Calder.",
        "No workers were hurt in the fire at Calder, the company said.",
        S,
        None,
    ),
    # names
    ("Harlow Chemicals was fined for polluting the river.", "Norvane was fined for polluting the river.", N, None),
    (
        "Harlow Chemicals was fined for polluting the river.",
        "Harlow was fined for polluting the river Tolley last year.",
        S,
        None,
    ),
    (
        "The Environment Protection Authority fined Harlow Chemicals plc.",
        "The EPA fined Harlow for the spill.",
        S,
        None,
    ),
    (
        "Anna Berg resigned as chief executive of Norvane.",
        "Tom Reed resigned as chief executive of Calder Mining.",
        N,
        None,
    ),
    (
        "Harlow Chemicals emitted 2.4 million tonnes of CO2 in 2022.",
        "Norvane emitted 3.1 million tonnes of CO2 in 2022.",
        N,
        None,
    ),
    ("Unemployment in Germany fell in 2023.", "Unemployment in France rose in 2023.", N, None),
    # paraphrase
    (
        "The regulator fined Harlow Chemicals for discharging mercury into the river.",
        "Harlow Chemicals was fined by the regulator after mercury was discharged into the river.",
        S,
        None,
    ),
    (
        "Norvane plans to close its plant in Calder by 2026.",
        "By 2026 Norvane plans to close its plant in Calder.",
        S,
        None,
    ),
    (
        "Residents of Dunmore complained about the smell.",
        "Residents of Dunmore have complained for years about the smell from the works.",
        S,
        None,
    ),
    # unrelated
    (
        "Harlow Chemicals exceeded its discharge limit in 2023.",
        "The weather in Lisbon will be sunny for the rest of the week.",
        N,
        None,
    ),
    (
        "Harlow Chemicals exceeded its discharge limit in 2023.",
        "Harlow Chemicals sponsors the local football club and a music festival.",
        N,
        None,
    ),
    ("The dam was inspected every year.", "Concrete is made of cement, sand and water.", N, None),
    ("Norvane informed the residents about the leak.", "Did Norvane inform the residents about the leak?", N, None),
    (
        "Harlow Chemicals was founded in 1921.",
        "Harlow Chemicals makes paint and fertiliser in three countries.",
        N,
        None,
    ),
    # denial, refutation, context, omission
    ("Harlow Chemicals knew of the leak.", "Harlow Chemicals denies that it knew of the leak.", C, DIRECT),
    (
        "Norvane dumped waste into the Tolley river.",
        "The company denied that Norvane dumped waste into the Tolley river.",
        C,
        DIRECT,
    ),
    ("The minister banned diesel cars.", "The claim that the minister banned diesel cars is false.", C, None),
    (
        "Norvane cut its emissions by 30 %.",
        "Norvane's figure of a 30 % cut in emissions leaves out its suppliers, which it failed to disclose.",
        C,
        OMISSION,
    ),
    (
        "Norvane cut its emissions by 30 %.",
        "Norvane cut its emissions by 30 %, but only because it sold two plants; the claim is misleading.",
        C,
        CONTEXTUAL,
    ),
    ("All samples from the wells were clean.", "Two samples from the wells were contaminated with lead.", C, None),
)


@pytest.mark.parametrize(("claim", "passage", "stance", "kind"), CASES)
def test_what_a_passage_says_to_a_claim(
    claim: str, passage: str, stance: Stance, kind: ContradictionType | None
) -> None:
    found = stance_of(claim, passage)
    assert found.stance is stance, found.reasons
    assert (found.contradiction_type is None) == (stance is not C)
    if kind is not None:
        assert found.contradiction_type is kind
    assert found.reasons
    assert found.span.of(passage).strip()


def test_the_reason_gives_both_numbers() -> None:
    found = stance_of(
        "40 % of residents near the Harlow plant reported health complaints.",
        "In the survey, 28 % of residents near the Harlow plant reported health complaints.",
    )
    assert "The claim says 40 %, the passage says 28 %." in found.reasons
    assert found.confidence >= 0.8


@pytest.mark.parametrize(
    ("claim", "passage", "kind"),
    [
        ("Orm Volland died in the fire at Harl.", "However, his name was not on the list of those who died.", DIRECT),
        (
            "The lab in Harl was closed by the inspectorate.",
            "Although the lab in Harl was warned, there is no evidence that it was closed by the inspectorate.",
            DIRECT,
        ),
        (
            "Norvane cut the emissions of its plants.",
            "Norvane cut the emissions of its plants; in fact the emissions of its suppliers fell less than they rose.",
            CONTEXTUAL,
        ),
    ],
)
def test_a_however_turns_only_what_the_sentence_grants(claim: str, passage: str, kind: ContradictionType) -> None:
    evidence = gather(claim, passage)
    assert evidence is not None
    assert contradiction_type(evidence) is kind


def test_one_of_the_claims_figures_denies_none_of_the_others() -> None:
    claim = "In 2018, 558 people were shot by the police and 201 people died in custody."
    meaning = Meaning(0.7, 0.2, 0.1)
    assert stance_of(claim, "How many died? 201 people died in custody.", meaning=meaning).stance is N
    assert stance_of(claim, "How many died? 340 people died in custody.", meaning=meaning).stance is C
    assert stance_of(claim, "It is a lie. 201 people died in custody.", meaning=meaning).stance is C


def test_a_denial_is_said_to_be_the_deniers_own() -> None:
    found = stance_of("Norvane dumped waste into the river.", "Norvane denies that it dumped waste into the river.")
    assert found.stance is C
    assert found.confidence < 0.8
    assert "denier's own statement" in found.reasons[0]


def test_the_quote_is_the_sentence_that_bears_on_the_claim() -> None:
    passage = "Norvane makes paint. Its Calder plant emitted 900 tonnes of lead in 2020. It is sunny in Lisbon."
    found = stance_of("The Calder plant emitted 900 tonnes of lead in 2020.", passage)
    assert found.span.of(passage) == "Its Calder plant emitted 900 tonnes of lead in 2020."


def test_what_is_left_open_is_neither() -> None:
    found = stance_of(
        "The discharge made people in Stennick ill.", "Whether the discharge made people in Stennick ill is not known."
    )
    assert found.stance is N
    assert "leaves it open" in found.reasons[0]


def test_of_two_numbers_in_one_sentence_neither_is_taken_by_rule() -> None:
    found = stance_of(
        "Norvane has spent €31 million on its plant.",
        "Norvane has spent €18.6 million on its plant, although it has spoken of €31 million.",
    )
    assert found.reasons[-1].startswith("No rule decides this")


def test_a_name_in_the_title_stands_for_the_passage() -> None:
    claim, passage = "Norvane was fined $5 million.", "The company was fined $9 million."
    assert stance_of(claim, passage, title="Norvane before the court").stance is C


def test_nothing_to_compare_is_neutral_and_says_so() -> None:
    assert stance_of("", "It leaked.").stance is N
    assert stance_of("It leaked.", " \n ").confidence == 0


def test_a_word_of_names_only_in_common_is_not_sure_of_anything() -> None:
    found = stance_of("Harlow Chemicals was founded in 1921.", "Harlow Chemicals makes paint.")
    assert found.stance is N


@settings(deadline=None)
@given(st.text(max_size=120), st.text(max_size=300))
def test_any_pair_has_one_judgment_every_time(claim: str, passage: str) -> None:
    found = stance_of(claim, passage)
    assert found == stance_of(claim, passage)
    assert 0 <= found.confidence <= 1
    assert 0 <= found.span.start <= found.span.end <= len(passage)
    assert found.reasons
