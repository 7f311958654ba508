"""Properties of every judgement, for any texts: it is grounded, certain texts determine the answer, and any input gets
one."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.finding import ContradictionType, Mode, SpeakerKind, Stance
from inquest.domain.reasons import sentences
from inquest.entailment.attribution import attributed, attribution_of
from inquest.entailment.direction import compare_direction
from inquest.entailment.framing import Frame, frames, has, mode_of
from inquest.entailment.meaning import Meaning
from inquest.entailment.modes import denied_in_part
from inquest.entailment.parsed_text import Page, statement_of
from inquest.entailment.stance import StanceFound, judge, prepare
from inquest.entailment.vetoes import same_figures, taken_back
from inquest.text.quantities import Relation
from inquest.text.sentences import Span

WORDS = "Norvane said that emissions fell rose by 12 % 40 tonnes in 2023 2024 not never false . ? \n , “ ” according to"
TEXTS = st.text(max_size=300) | st.lists(st.sampled_from(WORDS.split(" ")), max_size=40).map(" ".join)


def judged(claim: str, passage: str, *, found: bool = False, meaning: Meaning | None = None) -> StanceFound:
    evidence = prepare(claim, passage, page=Page() if found else None)
    meanings = [meaning for _ in evidence.windows] if evidence and meaning else []
    return judge(evidence, meanings)


@given(TEXTS, TEXTS, st.booleans(), st.sampled_from([None, Meaning(0.8, 0.1, 0.1), Meaning(0.1, 0.1, 0.8)]))
def test_any_two_texts_get_one_grounded_answer(claim: str, passage: str, found: bool, meaning: Meaning | None) -> None:
    result = judged(claim, passage, found=found, meaning=meaning)
    assert 0 <= result.confidence <= 1
    assert 0 <= result.span.start <= result.span.end <= len(passage)
    assert (result.contradiction_type is not None) == (result.stance is Stance.CONTRADICTS)
    assert result.reasons and sentences(result.reasons)
    if result.stance is not Stance.NEUTRAL:
        assert result.span.of(passage).strip()


@given(st.integers(2, 900), st.integers(2, 900), st.sampled_from(["tonnes", "%", "million dollars", "km", "residents"]))
def test_another_value_of_the_same_thing_refutes_and_the_same_value_does_not(one: int, other: int, unit: str) -> None:
    claim = f"The Harlow plant reported {one} {unit} last year."
    differing = judged(claim, f"The Harlow plant reported {other} {unit} last year.")
    if one == other:
        assert differing.stance is not Stance.CONTRADICTS
    elif max(one, other) > 1.2 * min(one, other):
        assert differing.stance is Stance.CONTRADICTS
        assert differing.contradiction_type is ContradictionType.DIRECT


@given(st.integers(2, 900), st.integers(2, 900), st.sampled_from(["and {} in 2023", "(2023: {})", "; in 2023 {}"]))
def test_a_figure_belongs_to_the_year_beside_it(one: int, other: int, second: str) -> None:
    passage = f"The Harlow plant burned {one} tonnes of coal in 2022 {second.format(other)}."
    right = judged(f"The Harlow plant burned {one} tonnes of coal in 2022.", passage)
    assert right.stance is not Stance.CONTRADICTS
    wrong = judged(f"The Harlow plant burned {one} tonnes of coal in 2023.", passage, meaning=Meaning(0.02, 0.02, 0.96))
    assert one == other or wrong.stance is not Stance.SUPPORTS


@pytest.mark.parametrize(
    ("claim", "stance"),
    [
        ("About 11,500 packs of the crackers were sold.", Stance.SUPPORTS),
        ("About 7,500 packs of the crackers were sold.", Stance.CONTRADICTS),
        ("The crackers were sold in three counties.", Stance.NEUTRAL),
    ],
)
def test_a_count_is_compared_with_counts_of_the_same_and_not_of_a_part(claim: str, stance: Stance) -> None:
    passage = "About 11,500 packs of the crackers were sold in Lennshire and two neighbouring counties in March."
    assert judged(claim, passage, found=True, meaning=Meaning(0.3, 0.3, 0.4)).stance is stance


@pytest.mark.parametrize("than", ["fewer than in 2024", "fewer, compared with 2024", "less against the year 2024"])
def test_the_year_of_a_comparison_is_not_the_year_of_the_figure(than: str) -> None:
    claim = "Births in Dunmore fell 2.6 percent in 2024."
    found = judged(claim, f"In 2025, 1,874 children were born in Dunmore, 6.1 percent {than}.", found=True)
    assert found.stance is Stance.NEUTRAL
    assert judged(claim, "Births in Dunmore fell 6.1 percent in 2024.", found=True).stance is Stance.CONTRADICTS


def test_of_two_names_each_has_its_own_figure() -> None:
    read = Meaning(0.02, 0.02, 0.96)
    passage = "Dunmore has 9,000 inhabitants and Harlow 12,000."
    assert judged("Harlow has 9,000 inhabitants.", passage, meaning=read).stance is Stance.CONTRADICTS
    assert judged("Dunmore has 9,000 inhabitants.", passage, meaning=read).stance is Stance.SUPPORTS


@given(
    st.sampled_from(["raised", "cut", "bought", "killed", "found", "sank"]), st.sampled_from(["taxes", "cows", "ships"])
)
def test_an_object_that_does_not_exist_denies_its_verb(verb: str, noun: str) -> None:
    """'Raised no taxes' and 'no taxes were raised' deny the same, and neither contradicts the other."""
    active, passive = f"The Harlow council {verb} no {noun}.", f"No {noun} were {verb} by the Harlow council."
    assert judged(active, passive).stance is not Stance.CONTRADICTS
    assert judged(passive, active).stance is not Stance.CONTRADICTS


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Most nurses in Harlow want to leave.", "In Harlow 38 percent of nurses want to leave."),
        ("Few nurses in Harlow want to leave.", "In Harlow 94 percent of nurses want to leave."),
        ("Harlow Rail had a positive margin in 2023.", "Harlow Rail's margin in 2023 was -3.1%."),
        ("Harlow Rail made a profit in 2023.", "Harlow Rail made a loss of 3 million euros in 2023."),
        ("Exactly 5,000 homes in Harlow lost power.", "In Harlow 4,980 homes lost power."),
        ("Harlow grew between 2011 and 2021.", "Harlow had 20,000 inhabitants in 2011 and 18,000 in 2021."),
        ("Profit at Harlow Rail tripled.", "Harlow Rail's profit was 14 million euros in 2020 and 28 million in 2023."),
        (
            "Sales at Harlow Rail more than doubled in 2021.",
            "Sales at Harlow Rail were 19.1 million euros in 2021 against 9.8 million in 2020.",
        ),
        (
            "Sales at Harlow Rail rose by 30 percent in 2021.",
            "Sales at Harlow Rail came to 22.4 million euros in 2021 (2020: 20.2 million).",
        ),
        ("Staff at Harlow Rail fell in 2021.", "Staff at Harlow Rail in 2021 numbered 412, after 390 a year earlier."),
        ("The Harlow tunnel is more than a mile long.", "The Harlow tunnel is 900 metres long."),
        (
            "The Harlow ferries took 1.5 billion guests in 2020.",
            "Guests of Harlow ferries: 1,504m (2021), 1,311m (2020).",
        ),
        ("Harlow's herd has halved since May.", "Cattle in Harlow, some 5,200 in May, are now 5,050."),
        ("Entries at Harlow tripled.", "Harlow had 3,100 entries in 2019, which rose to 3,900."),
        ("Debt at Harlow Rail grew to 5 million euros.", "Harlow Rail's debt is 5 million euros, down from 9 million."),
        ("The Dunmore kiln was rebuilt in the 1890s.", "The Dunmore kiln, rebuilt in 1913, was for sale in 1896."),
        ("Nine in ten of the elms in Harlow are sick.", "Nine of the 60 elms in Harlow are sick."),
        ("Harlow beat Dunmore 4-1 on Sunday.", "Harlow beat Dunmore 3-1 on Sunday."),
        ("The average rent in Harlow is 900 euros.", "The highest rent in Harlow is 900 euros."),
        ("The quake in Harlow had a magnitude of 6.8.", "The quake in Harlow had a magnitude of 5.8, not 6.8."),
        ("The population of Harlow fell by 1,200.", "The population of Harlow fell to 1,200, from 1,950."),
        ("All the ferries of Harlow sailed.", "All but two of the ferries of Harlow sailed."),
        ("All ferries of Harlow sailed.", "All ferries of Harlow, save for 2 at the quay, sailed."),
        ("Few ferries of Harlow sailed.", "All but 2 of the 30 ferries of Harlow sailed."),
        ("The Harlow reef lost 30 percent of its coral in 2016.", "The Harlow reef has lost 30 percent since 2016."),
        ("Harlow has fewer inns than in 1998.", "Harlow had 12 inns in 1998 and has 31 now."),
        ("The Ard tunnel is shorter than the Bel tunnel.", "The Ard tunnel is 9 km long; the Bel tunnel is 7 km long."),
        ("At least 600 riders came to Harlow.", "Stewards put the number of riders who came to Harlow at 340."),
        ("Nine people drowned at Harlow.", "Two fishermen and four divers drowned at Harlow."),
        ("Harlow has more inns than Arl.", "Harlow has 310 beds; Arl has 270 beds."),
        ("The Harlow mast is 12 metres tall.", "The Harlow mast is 40 metres high and 12 metres wide."),
        ("The operating result was 3 million euros.", "The operating result was −3 million euros."),
        ("The frost in Harlow lasted less than a week.", "The frost in Harlow lasted 19 days."),
    ],
)
def test_a_share_a_sign_or_a_count_that_excludes_the_claim_is_no_support(claim: str, passage: str) -> None:
    assert judged(claim, passage, meaning=Meaning(0.02, 0.02, 0.96)).stance is not Stance.SUPPORTS


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Most nurses in Harlow want to leave.", "In Harlow 62 percent of nurses want to leave."),
        ("Not all ferries of Harlow sailed.", "All but two of the ferries of Harlow sailed."),
        ("The jury found no trace of arson.", "The jury found careless storage but no trace of arson."),
        (
            "Debt at Harlow Rail shrank to 5 million euros.",
            "Harlow Rail's debt narrowed to 5 million euros from 9 million.",
        ),
        ("The Dunmore kiln was rebuilt in the 1890s.", "The Dunmore kiln, rebuilt in 1896, is for sale."),
        ("The Dunmore canal is about 48 kilometres long.", "The 30-mile Dunmore canal is frozen."),
        ("Harlow has not decided on a new port.", "A decision on a new port for Harlow has yet to be made."),
        ("Ada Holt denies burning the barn.", "Ada Holt burned the barn, neighbours say. She denies it."),
        ("Six people drowned at Harlow.", "Two fishermen and four divers drowned at Harlow."),
        ("Harlow Rail made a loss in 2023.", "Harlow Rail's result in 2023 was (8.2) million euros."),
        ("The Ard tunnel is longer than the Bel tunnel.", "The Ard tunnel is 9 km long; the Bel tunnel is 7 km long."),
        ("The council approved the merger.", "The council did not reject the merger."),
        (
            "Harlow Rail had a net loss of 8 million euros for 2022.",
            "Harlow Rail had sales of 310 million euros for 2022 (2021: 290 million) and a net loss of 8 million.",
        ),
        ("The water in Harlow is safe.", "The water in Harlow is safe and no notice is in force."),
        ("Harlow spent 4 million euros on tracks.", "Harlow spent 9 million euros, of which 4 million went to tracks."),
    ],
)
def test_a_share_a_sign_or_a_denial_that_fits_the_claim_contradicts_nothing(claim: str, passage: str) -> None:
    assert judged(claim, passage, meaning=Meaning(0.6, 0.2, 0.2)).stance is not Stance.CONTRADICTS


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The budget of the Harlow school was 40 million marks.", "The Harlow school was 6 million marks over budget."),
        ("One in four pupils in Harlow cannot skate.", "In Harlow 75 per cent of pupils can skate."),
        ("The line sold three ferries.", "The line sold three of Harlow's nine ferries."),
        ("The Harlow mill sold 6,000 jars of honey.", "The Harlow mill sold 500 boxes of twelve jars of honey."),
    ],
)
def test_a_figure_of_something_else_refutes_nothing(claim: str, passage: str) -> None:
    assert judged(claim, passage, meaning=Meaning(0.1, 0.8, 0.1)).stance is not Stance.CONTRADICTS


def test_a_figure_given_as_about_that_much_is_supported_by_it() -> None:
    claim, passage = (
        "The storm felled nearly 50 elms in Harlow.",
        "In Harlow the storm felled 48 elms.",
    )
    assert judged(claim, passage, meaning=Meaning(0.1, 0.8, 0.1)).stance is Stance.SUPPORTS


def test_a_count_of_millions_with_other_words_is_the_same() -> None:
    passage = "Passengers on the Harlow ferries: 1,504m (2021), 1,311m (2020)."
    evidence = prepare("The Harlow ferries carried 1.5 billion passengers in 2021.", passage)
    assert evidence and same_figures(evidence)


def test_an_act_that_is_only_named_was_not_done() -> None:
    passage = "Opening, foreseen for May at the Dunmore plant, has slipped."
    found = judged("Dunmore has opened its plant.", passage, meaning=Meaning(0.3, 0.4, 0.3))
    assert found.stance is Stance.NEUTRAL


def test_a_sentence_with_the_claims_figures_and_words_contradicts_nothing_by_reading_alone() -> None:
    passage = "Harlow got every tree, at a price that the town paid in cash, for 9.50 marks."
    misread = judged("Harlow paid 9.50 marks in cash for every tree.", passage, meaning=Meaning(0.95, 0.03, 0.02))
    assert misread.stance is not Stance.CONTRADICTS


def test_only_the_rows_with_the_claims_names_are_read() -> None:
    rows = {"Harlow | 2023 | 81": "Harlow, 2023, tonnes: 81", "Dunmore | 2023 | 63": "Dunmore, 2023, tonnes: 63"}
    passage = "\n".join(rows)
    spans = [(passage.index(row), said) for row, said in rows.items()]
    page = Page(
        rows=tuple((Span(start, start + len(row)), said) for (start, said), row in zip(spans, rows, strict=True))
    )
    evidence = prepare("The Harlow plant emitted 63 tonnes in 2023.", passage, page=page)
    assert evidence is not None
    assert [one.text for one in evidence.reading.statements] == ["Harlow, 2023, tonnes: 81"]


@given(st.integers(2, 900), st.integers(2, 900))
def test_a_figure_of_another_company_refutes_nothing(one: int, other: int) -> None:
    found = judged(
        f"Harlow Chemicals emitted {one} tonnes of mercury.",
        f"Dunmore Steel emitted {other} tonnes of mercury.",
        found=True,
    )
    assert found.stance is Stance.NEUTRAL


SAYS_SO = Meaning(0.01, 0.01, 0.98)


@given(st.integers(2, 90), st.integers(200, 900), st.sampled_from(["million dollars", "tonnes", "%"]))
def test_what_a_search_brought_supports_no_figure_that_it_does_not_have(one: int, other: int, unit: str) -> None:
    claim = f"Harlow Chemicals paid for {other} {unit} of damage."
    without = judged(claim, f"Harlow Chemicals paid. Inspectors counted {one} leaks.", found=True, meaning=SAYS_SO)
    assert without.stance is not Stance.SUPPORTS
    with_it = judged(claim, f"Harlow Chemicals paid for {other} {unit} of damage.", found=True, meaning=SAYS_SO)
    assert with_it.stance is Stance.SUPPORTS


def test_a_page_about_somebody_else_supports_nothing_whatever_a_model_reads() -> None:
    found = judged("Harlow Chemicals spilled mercury.", "Dunmore Steel spilled mercury.", found=True, meaning=SAYS_SO)
    assert found.stance is Stance.NEUTRAL


@pytest.mark.parametrize(
    "ruling", ["False.", "This is false.", "Verdict: False", "The claim is not true.", "Rating: mostly false."]
)
@pytest.mark.parametrize("put", ["A viral post says {}.", "Claim: {}.", "Posts shared online claim that {}."])
def test_a_restated_claim_that_is_called_false_is_contradicted_whatever_a_model_reads(put: str, ruling: str) -> None:
    passage = f"{put.format('solar capacity fell by 10 percent')}\n\n{ruling}\n\nRecords were looked at."
    found = judged("Solar capacity fell by 10 percent.", passage, found=True, meaning=Meaning(0.02, 0.03, 0.95))
    assert found.stance is Stance.CONTRADICTS
    assert ruling.rstrip(".") in found.span.of(passage)


@pytest.mark.parametrize(
    ("claim", "supports", "stance"),
    [
        ("The video of the fire at the Harlow works is real.", 0.9, Stance.CONTRADICTS),
        ("A fire broke out at the Harlow works in 2024, and nine men were hurt.", 0.1, Stance.NEUTRAL),
        ("The video of the fire at the Harlow works was not made in 2024.", 0.1, Stance.NEUTRAL),
    ],
)
def test_a_rating_concerns_only_what_it_rates(claim: str, supports: float, stance: Stance) -> None:
    evidence = prepare(claim, "Claim: A video shows a fire at the Harlow works in 2024.\n\nRating: False", page=Page())
    assert evidence is not None
    meanings = [*(Meaning(0.9, 0.05, 0.05) for _ in evidence.windows), Meaning(0.0, 1 - supports, supports)]
    found = judge(evidence, meanings)
    assert (found.stance, found.attribution.speaker) == (stance, SpeakerKind.DOCUMENT)


@pytest.mark.parametrize(
    ("passage", "speaker", "admission"),
    [
        ("Harlow Chemicals said that it spilled mercury.", SpeakerKind.PARTY, False),
        ("A Harlow Chemicals spokesman said that it spilled mercury.", SpeakerKind.PARTY, False),
        ("Harlow Chemicals admitted that it spilled mercury.", SpeakerKind.PARTY, True),
        ("The court found that Harlow Chemicals spilled mercury.", SpeakerKind.AUTHORITY, False),
        ("A notification says that Harlow Chemicals spilled mercury.", SpeakerKind.AUTHORITY, False),
        ("Harlow Chemicals spilled mercury, the Joint Spill Centre said.", SpeakerKind.AUTHORITY, False),
        ("Harlow Chemicals spilled mercury, said Jane Mills, a resident.", SpeakerKind.WITNESS, False),
        (
            "Harlow Chemicals runs the works. Harlow Chemicals spilled mercury, said plant manager Jane Mills.",
            SpeakerKind.PARTY,
            False,
        ),
        ("Judges in Lenn said that Harlow Chemicals spilled mercury.", SpeakerKind.AUTHORITY, False),
        ("The spill that Harlow Chemicals caused added 12 kg of mercury to the river.", SpeakerKind.DOCUMENT, False),
        ("Harlow Chemicals spilled mercury.", SpeakerKind.DOCUMENT, False),
    ],
)
def test_whose_word_it_is_goes_with_the_stance(passage: str, speaker: SpeakerKind, admission: bool) -> None:
    found = judged("Harlow Chemicals spilled mercury.", passage, found=True, meaning=SAYS_SO)
    assert found.stance is Stance.SUPPORTS
    assert (found.attribution.speaker, found.attribution.admission) == (speaker, admission)


@pytest.mark.parametrize(
    ("who", "speaker"),
    [
        ("three former employees", SpeakerKind.UNNAMED),
        ("Welsh inspectors", SpeakerKind.AUTHORITY),
        ("Mr. Tarn’s note to investors", SpeakerKind.WITNESS),
        ("plan", SpeakerKind.DOCUMENT),
    ],
)
def test_a_sentence_may_end_with_its_speaker(who: str, speaker: SpeakerKind) -> None:
    sentence = statement_of(f"Harlow Chemicals spilled mercury, according to {who}.")
    claim = statement_of("Harlow Chemicals spilled mercury.")
    assert attribution_of(claim, [sentence], 0, "").speaker is speaker


@pytest.mark.parametrize("company", ["Harlow Chemicals plc", "Harlow Chemicals Limited", "Harlow Holdings"])
def test_a_ruling_that_shares_only_the_name_is_about_something_else(company: str) -> None:
    said = "its statement of June 2023, according to which its discharges had always stayed within the permit"
    passage = f"{company} admitted on Thursday that {said}, was wrong."
    assert judged(f"{company} has listened.", passage, found=True).stance is not Stance.CONTRADICTS


def test_what_a_person_in_the_sentence_said_is_only_that_clause() -> None:
    claim = statement_of(
        "Harlow Chemicals must pay a chemist who told a reporter about a spill, a judge ruled on Monday."
    )
    assert attribution_of(claim, [claim], 0, "").speaker is SpeakerKind.AUTHORITY
    claim = statement_of("Harlow Chemicals spilled mercury.")
    told = statement_of("The town fined a chemist who claimed that Harlow Chemicals spilled mercury.")
    assert attribution_of(claim, [told], 0, "").speaker is not SpeakerKind.DOCUMENT


@pytest.mark.parametrize(
    ("passage", "stance"),
    [
        ("The town shut its two wells on Monday after a spill at the works of Harlow Chemicals.", Stance.SUPPORTS),
        ("The town shut its two wells on Thursday after a spill at the works of Harlow Chemicals.", Stance.NEUTRAL),
    ],
)
def test_a_weekday_is_read_as_the_date_that_the_page_gives_it(passage: str, stance: Stance) -> None:
    claim = "The town shut its two wells on 5 June 2023 after a spill at the works of Harlow Chemicals."
    assert judge(prepare(claim, passage, page=Page(day=date(2023, 6, 9)))).stance is stance


def test_a_sentence_with_a_date_written_out_keeps_its_own_words_as_quote() -> None:
    passage = "Nobody expected it. The town shut its two wells on Monday after a spill at Harlow Chemicals. It was wet."
    claim = "The town shut its two wells on 5 June 2023 after a spill at Harlow Chemicals."
    found = judge(prepare(claim, passage, page=Page(day=date(2023, 6, 9))))
    assert found.span.of(passage) == "The town shut its two wells on Monday after a spill at Harlow Chemicals."


@pytest.mark.parametrize("accused", ["charged with", "accused of", "tried for"])
@pytest.mark.parametrize("cleared", ["was acquitted of", "was found not guilty of", "has been cleared by a jury of"])
def test_who_is_cleared_of_something_was_still_accused_of_it(accused: str, cleared: str) -> None:
    denied = judged(
        f"Ada Holt was {accused} fraud.", f"Ada Holt {cleared} fraud.", found=True, meaning=Meaning(0.98, 0.01, 0.01)
    )
    assert denied.stance is Stance.NEUTRAL


@pytest.mark.parametrize(
    ("claim", "denied"),
    [
        ("A jury found Ada Holt guilty of four counts of theft.", False),
        ("A jury found Ada Holt guilty of fraud.", True),
    ],
)
def test_a_denial_in_another_part_of_the_sentence_concerns_only_that_part(claim: str, denied: bool) -> None:
    said = "A jury found Ada Holt guilty of four counts of theft and acquitted her of two counts of tax fraud."
    both = statement_of(claim), statement_of(said)
    assert compare_direction(*both).negated is denied
    assert denied_in_part(*both) is denied


def test_an_earlier_charge_contradicts_no_conviction() -> None:
    charged = "The office charged Ada Holt with six counts of theft."
    found = judged("A jury found Ada Holt guilty of four counts of theft.", charged, meaning=Meaning(0.97, 0.02, 0.01))
    assert found.stance is Stance.NEUTRAL


def test_an_acquittal_is_a_fact_for_a_claim_of_it() -> None:
    said = "Ada Holt was acquitted of fraud."
    assert judged(said, said, found=True, meaning=SAYS_SO).mode is Mode.FACT


def test_the_month_of_may_is_no_doubt() -> None:
    for day, mode in (("on 4 May 2025", Mode.MEASURED), ("and may have killed fish", Mode.ALLEGED)):
        said = f"Harlow Chemicals spilled 40 tonnes of mercury {day}."
        assert judged(said, said, found=True, meaning=SAYS_SO).mode is mode


@given(
    st.integers(2, 900), st.integers(2, 900), st.sampled_from(["shall not exceed", "is limited to", "must not exceed"])
)
def test_what_was_measured_refutes_no_rule_about_what_is_allowed(limit: int, measured: int, rule: str) -> None:
    claim = f"The daily mean of nitrate at the Harlow outfall {rule} {limit} milligrams."
    passage = f"The daily mean of nitrate at the Harlow outfall was {measured} milligrams."
    assert measured == limit or judged(claim, passage).stance is not Stance.CONTRADICTS


@pytest.mark.parametrize("meaning", [None, Meaning(0.1, 0.1, 0.8)])
@pytest.mark.parametrize(
    "passage",
    [
        "Harlow Chemicals admitted on Thursday that its statement that no limit was exceeded was wrong.",
        "Harlow Chemicals withdrew its statement that no limit was exceeded.",
        "Scholars found no proof that the letter from Harlow is a copy.",
    ],
)
def test_a_claim_that_something_was_wrong_is_not_what_is_called_wrong(passage: str, meaning: Meaning | None) -> None:
    assert judged(passage, passage, meaning=meaning).stance is not Stance.CONTRADICTS


SAID = "Harlow Chemicals closed two of its five plants in Dunmore"


@pytest.mark.parametrize(
    "passage", [f"{SAID}.", f"The regulator said on Monday that {SAID}.", f"A. Then {SAID}, it was."]
)
def test_what_stands_there_to_the_word_is_said(passage: str) -> None:
    found = judged(SAID, passage, found=True, meaning=Meaning(0.3, 0.6, 0.1))
    assert (found.stance, found.confidence) == (Stance.SUPPORTS, 0.95)


@pytest.mark.parametrize(
    "passage",
    [f"Nobody says that {SAID}.", f"The firm denied that {SAID}.", f"Will it be that {SAID}?",
     f"It is false that {SAID}.", f"The firm should not have said that {SAID}.",
     f"The assurance that {SAID} should never have been given.",
     f"It is unclear whether {SAID}.", f"Posts say that {SAID}. False."],
)  # fmt: skip
def test_what_is_denied_doubted_or_asked_is_not_said(passage: str) -> None:
    assert judged(SAID, passage, found=True, meaning=Meaning(0.1, 0.8, 0.1)).stance is not Stance.SUPPORTS


@pytest.mark.parametrize("agreed", ["Nobody disputes that", "No one has ever doubted that", "It is not contested that"])
def test_what_nobody_disputes_is_called_true(agreed: str) -> None:
    claim = "The Harlow mill employs nine people."
    reading = Meaning(0.1, 0.8, 0.1)
    assert judged(claim, f"{agreed} the Harlow mill employs nine people.", meaning=reading).stance is Stance.SUPPORTS
    assert judged(claim, f"{agreed} the Harlow mill employs no people.", meaning=reading).stance is not Stance.SUPPORTS


@pytest.mark.parametrize("ruling", ["It is not true that", "It is false that", "This is simply not true that"])
def test_a_denial_that_is_called_false_is_no_contradiction(ruling: str) -> None:
    claim = "Harlow Chemicals paid its taxes for Dunmore."
    passage = f"{ruling} Harlow Chemicals did not pay its taxes for Dunmore."
    assert judged(claim, passage, meaning=Meaning(0.1, 0.8, 0.1)).stance is not Stance.CONTRADICTS
    assert judged(claim, passage.replace("did not pay", "paid")).stance is Stance.CONTRADICTS


@pytest.mark.parametrize(
    "claim",
    ["The plant exceeded its permit in 2023.", "The discharges of Harlow Chemicals exceeded the permit in 2023.",
     "Harlow Chemicals lied in 2023."],
)  # fmt: skip
@pytest.mark.parametrize("that", ["according to which", "which said that"])
def test_what_calls_the_opposite_of_the_claim_false_does_not_contradict_it(claim: str, that: str) -> None:
    denied = f"its statement of 2023, {that} its discharges had always stayed within the permit, was wrong"
    found = judged(claim, f"Harlow Chemicals admitted that {denied}.", meaning=Meaning(0.05, 0.9, 0.05))
    assert found.stance is Stance.NEUTRAL


@pytest.mark.parametrize(
    "taken_back",
    ["It admits that it should not have said that no tax was paid for Dunmore.",
     "Our statement of 4 July that at no time was tax paid for Dunmore should not have been made."],
)  # fmt: skip
def test_a_denial_that_should_not_have_been_made_supports_what_it_denied(taken_back: str) -> None:
    found = judged("Tax was paid for Dunmore.", taken_back, found=True)
    assert (found.stance, found.mode) == (Stance.SUPPORTS, Mode.RULED_TRUE)
    assert sentences(found.reasons)[0] == "The passage calls the opposite of the claim false."


def test_a_support_is_quoted_from_the_sentence_that_the_model_reads_as_one() -> None:
    said = "At no time was water of the town affected by our mill."
    passage = f"Orme, 4 July. {said} As a good neighbour the mill has offered the town bottled water."
    evidence = prepare("At no time was water of the town affected by the mill.", passage, page=Page())
    assert evidence is not None
    read = {"together": Meaning(0.9, 0.02, 0.08)}
    found = judge(evidence, [read.get(window.place, Meaning(0.02, 0.3, 0.68)) for window in evidence.windows])
    assert found.stance is not Stance.SUPPORTS or found.span.of(passage) == said


def test_a_support_is_quoted_from_the_sentence_with_the_figure() -> None:
    passage = "Harlow Chemicals plc, annual report 2024, filed in April. An average of 571 people worked at Dunmore."
    found = judged("Harlow Chemicals employed 571 people at Dunmore.", passage, meaning=Meaning(0.02, 0.08, 0.9))
    assert found.stance is Stance.SUPPORTS and "571" in found.span.of(passage)


def test_what_is_to_be_reported_is_nobodys_word() -> None:
    claim = "An exceedance shall be reported to the Inspectorate within 24 hours."
    assert judged(claim, f"Condition 9: {claim}", found=True).attribution.speaker is SpeakerKind.DOCUMENT


@pytest.mark.parametrize("meaning", [None, Meaning(0.02, 0.02, 0.96)])
@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The discharges of the plant were within the limit.", "The discharges of the plant were twice the limit."),
        ("The plant's nitrate never exceeded 40 mg.", "The plant's nitrate was 84 mg."),
        ("The plant employs at most 200 people.", "The plant employs 350 people."),
    ],
)
def test_what_breaks_a_limit_does_not_support_that_it_was_kept(
    claim: str, passage: str, meaning: Meaning | None
) -> None:
    assert judged(claim, passage, meaning=meaning).stance is not Stance.SUPPORTS


@given(limit=st.integers(2, 500), measured=st.integers(1, 500), found=st.booleans())
def test_what_keeps_a_limit_does_not_contradict_it(limit: int, measured: int, found: bool) -> None:
    claim, passage = f"The plant employs at most {limit} people.", f"The plant employs {measured} people."
    result = judged(claim, passage, found=found, meaning=Meaning(0.9, 0.05, 0.05))
    if measured < limit:
        assert result.stance is not Stance.CONTRADICTS
    elif measured > limit + 1:  # if closer, both may be rounded
        assert result.stance is not Stance.SUPPORTS


def test_an_empty_claim_or_passage_has_nothing_to_compare() -> None:
    for claim, passage in (("", "Text."), ("Text.", ""), (" ", "\n")):
        assert judged(claim, passage).confidence == 0


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("12345", "67890"),
        ("Heading", "# Heading"),
        ("Use was 1, 2, 3, 4, 5, 6, 7, 8, 9 and 10 tonnes.", "| year | use |\n| 2020 | 4 t |"),
        ("الشركة دفعت غرامة", "دفعت الشركة غرامة"),
        ("The works closed.", "word " * 400_000),
        ("The works closed.", "x" * 2_000_000),
        ("Mercury rose by 12 % in 2023. " * 60, "Mercury fell by 12 % in 2023."),
    ],
)
def test_odd_input_gets_an_answer_soon(claim: str, passage: str) -> None:
    begun = time.process_time()
    assert judged(claim, passage, found=True).reasons
    assert time.process_time() - begun < 8


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The data are reliable.", "The data are unreliable."),
        ("The judge is honest.", "The judge is dishonest."),
        ("The bridge is safe.", "The bridge is anything but safe."),
        ("Prices were 20 per cent of the level of 2019.", "Prices were 20 per cent above the level of 2019."),
        ("Novrek made a profit of 7 million euros.", "Novrek net result (EUR million): -7."),
        ("The court lifted the injunction on Novrek.", "The court upheld the injunction on Novrek."),
    ],
)
def test_an_opposite_by_prefix_or_by_sign_contradicts_whatever_the_model_reads(claim: str, passage: str) -> None:
    assert judged(claim, passage, meaning=Meaning(0.01, 0.04, 0.95)).stance is Stance.CONTRADICTS


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Queen Marta went to Harlow in June.", "Queen Marta cancelled her trip to Harlow in June."),
        ("Harlow debated the bypass on Tuesday.", "The debate of Harlow on the bypass on Tuesday was dropped."),
    ],
)
def test_an_act_that_is_called_off_or_only_named_is_no_support_unless_it_is_read_as_one(
    claim: str, passage: str
) -> None:
    assert judged(claim, passage, meaning=Meaning(0.1, 0.41, 0.49)).stance is not Stance.SUPPORTS


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Arsenic was missing from the wells of Harlow.", "Tests of the wells of Harlow found no arsenic."),
        (
            "The rise in claims at Harlow was not fraud.",
            "Auditors have ruled out fraud in the rise in claims at Harlow.",
        ),
    ],
)
def test_negations_alone_contradict_nothing_in_other_words(claim: str, passage: str) -> None:
    assert judged(claim, passage, meaning=Meaning(0.3, 0.3, 0.4)).stance is not Stance.CONTRADICTS


def test_what_should_not_have_been_done_was_done() -> None:
    assert judged("The firm paid the fine.", "The firm should not have paid the fine.").stance is not Stance.CONTRADICTS


@pytest.mark.parametrize(
    ("passage", "stance"),
    [
        ("Kelmar lost the 2024 regatta to Norra.", Stance.NEUTRAL),
        ("Kelmar lost the 2024 regatta 1-0 to Norra.", Stance.NEUTRAL),
        ("Norra lost the 2024 regatta to Kelmar.", Stance.CONTRADICTS),
    ],
)
def test_opposed_words_oppose_only_with_the_same_bearer(passage: str, stance: Stance) -> None:
    assert judged("Norra won the 2024 regatta.", passage, meaning=Meaning(0.9, 0.08, 0.02)).stance is stance


@pytest.mark.parametrize(
    ("passage", "stance"),
    [
        ("Applications in Odrava fell for the third year.", Stance.NEUTRAL),
        ("The budget of Odrava fell for the third year.", Stance.CONTRADICTS),
    ],
)
def test_a_fall_of_something_else_is_no_contradiction_of_a_rise(passage: str, stance: Stance) -> None:
    against = Meaning(0.98, 0.01, 0.01)
    assert judged("The budget of Odrava rose.", passage, found=True, meaning=against).stance is stance


@pytest.mark.parametrize("who", ["Ada Holt", "the former harbour manager Ada Holt", "two former managers of the port"])
def test_a_charge_is_an_accusation_whoever_is_charged(who: str) -> None:
    assert has("accused", f"Prosecutors have charged {who} with eleven counts of fraud.")


def test_a_word_beside_its_opposite_is_no_contradiction() -> None:
    passage = "The drug helped smoking and non-smoking patients."
    assert judged("The drug helped smoking patients.", passage).stance is not Stance.CONTRADICTS


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The club owes 30 million dollars.", "The club owes 30 million euros."),
        ("The rate was raised by 25 points.", "The rate was raised by 25 basis points."),
        ("The stadium opened in May 2022.", "The opening of the stadium, set for May 2022, was put off."),
        ("The station cost 2 billion euros.", "The station, at first priced at 2 billion euros, cost 5 billion euros."),
        ("The fair took place on 3 May 2021.", "The fair, planned for 3 May 2021, was cancelled."),
        ("Trials of the tram ran in 2019.", "Trials of the tram, due in 2019, never took place."),
        ("The club gained 4 million crowns.", "The club lost 4 million crowns."),
        ("The gap narrowed to 2 per cent of output.", "The gap widened to 2 per cent of output."),
        ("Rent is twice as high as in 2010.", "Rent is half as high as in 2010."),
        ("The fee per kilometre is 2 euros.", "The fee per mile is 2 euros."),
        ("The treasurer was convicted of theft.", "The treasurer is on trial, charged with theft."),
        ("The treasurer was convicted of theft.", "The treasurer was acquitted of theft."),
        ("The plant is licensed to burn waste.", "The plant was licensed to burn waste until May 2024."),
        ("The club repaid 9 million euros.", "Of the 9 million euros that it owes, the club repaid 3 million."),
        ("The mill made a profit of 6 million euros.", "The mill had a turnover of 6 million euros."),
        ("The pit yielded 300 tonnes in 2021.", "The pit yielded 300 tonnes in 2020 and 700 tonnes in 2021."),
        ("The port in Arl employs 90 people.", "The port in Arl employs 40 people and the one in Bern 90."),
        ("The index rose by 3 per cent in the year 2020.", "The index rose by -3 per cent in the year 2020."),
        ("It was 6 degrees at noon in Harl.", "It was minus 6 degrees at noon in Harl."),
        (
            "A flood killed twelve people in the town of Seel.",
            "In the drill, a flood killed twelve people in the town of Seel.",
        ),
        (
            "The firm took money from the state.",
            "An earlier version of this article said that the firm took money from the state.",
        ),
    ],
)
def test_another_unit_and_what_was_put_off_are_no_support(claim: str, passage: str) -> None:
    assert judged(claim, passage, meaning=Meaning(0.01, 0.04, 0.95)).stance is not Stance.SUPPORTS


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Prices were 120 per cent of the level of 2019.", "Prices were 20 per cent above the level of 2019."),
        ("The rate rose by a quarter of a percentage point.", "The rate rose by 25 basis points."),
        ("The tunnel is three quarters of a kilometre long.", "The tunnel is 750 metres long."),
        ("The Dunmore kiln was rebuilt in the 1890s.", "The Dunmore kiln, rebuilt in 1896, is for sale."),
        ("Half a million people fled.", "500,000 people fled."),
        ("Three dozen ships sank.", "36 ships sank."),
        ("The levy was adopted by 14 votes.", "The levy was adopted by 71 votes to 57."),
        ("The levy was adopted by a majority of 14 votes.", "The levy was adopted by 171 votes to 157."),
        ("Nine mills burned.", "Six paper mills and three cotton mills burned."),
        ("The fast lasted a fortnight.", "The fast lasted 14 days."),
        ("The anchor weighs two and a half tonnes.", "The anchor weighs 2,500 kilograms."),
        ("The kiln emitted 412,000 tonnes.", "The kiln emitted 412,306 tonnes."),
        (
            "The ferry employed 60 people in 2022.",
            "The ferry, expected to employ 90 people, employed 60 people in 2022.",
        ),
        ("The town sold its gasworks in 1996.", "Nobody likes to recall it, but the town sold its gasworks in 1996."),
        ("The herd of Harlow halved.", "The herd of Harlow went down from 90 to 45."),
        ("The mine's sales fell by 6 percent.", "The mine's sales changed by -6.0 percent."),
        ("The mine made a loss of 8 million euros in 2021.", "The mine's net result in 2021 was −8 million euros."),
    ],
)
def test_one_amount_in_two_wordings_supports(claim: str, passage: str) -> None:
    assert judged(claim, passage, meaning=Meaning(0.6, 0.3, 0.1)).stance is Stance.SUPPORTS


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The inspectors saw the cracks.", "The inspectors could not fail to see the cracks."),
        ("The board knew of the leak in 2018.", "It cannot be denied that the board knew of the leak in 2018."),
        ("The bridge cost 41 million euros.", "The bridge was to cost 24 million euros."),
    ],
)
def test_two_negations_and_a_plan_contradict_nothing(claim: str, passage: str) -> None:
    assert judged(claim, passage, meaning=Meaning(0.6, 0.35, 0.05)).stance is not Stance.CONTRADICTS


@pytest.mark.parametrize(
    ("claim", "match"),
    [
        ("The investment of 31 million euros in the works was voluntary.", Relation.SAME),
        ("The firm had spent 31 million euros on the works.", Relation.DIFFERS),
    ],
)
def test_of_two_figures_the_one_after_the_same_word_is_compared(claim: str, match: Relation) -> None:
    passage = "The firm had spent 18 million euros on the works, though it spoke of an investment of 31 million euros."
    evidence = prepare(claim, passage)
    assert evidence is not None and [one.match for one in evidence.figures] == [match]


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Accidents on the road fell because of the cameras.", "Accidents on the road fell after the cameras went up."),
        ("The firm spent 900 million euros on passages.", "The firm budgeted 900 million euros for passages."),
    ],
)
def test_another_cause_and_a_budget_are_no_support(claim: str, passage: str) -> None:
    assert judged(claim, passage, found=True, meaning=Meaning(0.01, 0.04, 0.95)).stance is not Stance.SUPPORTS


def test_a_correction_supports_nothing() -> None:
    claim = "Ida Holm claimed 4,200 euros in expenses."
    for text, expected in ((f"Correction: we wrote that {claim}", True), (claim, False)):
        evidence = prepare(claim, text)
        assert evidence is not None and taken_back(evidence) is expected


def test_what_a_bogus_page_reported_is_called_false() -> None:
    for words in ("A bogus news page reported that the singer had died.", "It was a false story that the singer died."):
        assert frames([statement_of(words)]) == (Frame.CALLED_FALSE,)


def test_a_target_of_somebody_is_no_plan() -> None:
    passage = "The near-term target of Harlow Chemicals has not been validated by the initiative."
    found = judged("Harlow Chemicals' near-term target was validated by the initiative.", passage)
    assert found.stance is Stance.CONTRADICTS


def test_what_was_not_only_so_was_not_only_so() -> None:
    passage = "It was not only adults who were let into the mine."
    assert judged("Only adults were let into the mine.", passage).stance is Stance.CONTRADICTS


@pytest.mark.parametrize(
    ("passage", "taken_back"),
    [
        ("Our mill withdrew 30 percent less water in 2025 than in 2018.", False),
        ("Troops withdrew from the city on Monday.", False),
        ("The drug was withdrawn from the market.", False),
        ("The newspaper withdrew its report on Monday.", True),
        ("The study was later withdrawn.", True),
        ("The agency has withdrawn the story.", True),
    ],
)
def test_only_a_statement_that_is_withdrawn_is_taken_back(passage: str, taken_back: bool) -> None:
    assert (mode_of(passage, Frame.STATED) is Mode.WITHDRAWN) is taken_back
    assert taken_back or attributed(passage) == ()


def test_a_known_agency_that_reports_is_the_press_and_no_party() -> None:
    claim, sentence = (
        statement_of("Three stays of the Estrel bridge have cracked."),
        statement_of("Three stays of the Estrel bridge have cracked, Agence France-Presse reported on Monday."),
    )
    around = "The director of the Estrel bridge speaks of cracks."
    assert attribution_of(claim, [sentence], 0, around).speaker is SpeakerKind.MEDIA


def test_what_somebody_speaks_of_is_said_by_them() -> None:
    (said,) = attributed("Harlow spoke of a voluntary investment of 31 million euros in the works.")
    assert said.name == "Harlow"


@pytest.mark.parametrize("found", [False, True])
@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        (
            "Norvane's waste to landfill fell 12 percent between 2018 and 2022.",
            "Norvane had a turnover of 3.1 billion euros in 2022, 7 percent less than in 2018, its auditors confirmed.",
        ),
        (
            "Norvane sold 40 gigawatt-hours of heat in 2022.",
            "Norvane sold 75 gigawatt-hours of heat in 2022. It bought certificates for 40 gigawatt-hours.",
        ),
    ],
)
def test_a_figure_of_something_else_decides_nothing(claim: str, passage: str, found: bool) -> None:
    assert judged(claim, passage, found=found).stance is Stance.NEUTRAL
