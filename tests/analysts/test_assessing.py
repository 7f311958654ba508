"""The local judgement as used by other programs: one pair, or many passages for one claim."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from inquest.analysts.assessing import LocalJudge
from inquest.domain.errors import InputError, ModelUnavailable
from inquest.domain.finding import ContradictionType, Reading, Stance
from inquest.domain.reasons import Reason
from inquest.entailment.meaning import Meaning
from inquest.kit.analyst import Passage

assess_passages = LocalJudge().passages  # by the rules alone

CLAIM = "Harlow Chemicals exceeded its mercury limit by 312 % in 2023."
FILLER = "The council met on the usual day and spoke about roads, schools and the new library. "
NEEDLE = "In 2023 Harlow Chemicals exceeded its mercury limit by 40 %, the agency said."


def assess_pair(claim: str, passage: str) -> Reading:
    return LocalJudge().pairs([(claim, passage)])[0]


def passage(id: str, text: str, title: str = "") -> Passage:
    return Passage(id=id, source_id="S1", snapshot="sha256:0", text=text, title=title)


def test_a_pair_is_judged_with_its_quote_and_reasons() -> None:
    found = assess_pair(CLAIM, NEEDLE)
    assert found.stance is Stance.CONTRADICTS
    assert found.contradiction_type is ContradictionType.DIRECT
    assert NEEDLE[found.start : found.end] == found.quote == NEEDLE
    assert found.reasons[0] == "The claim says 312 %, the passage says 40 %."
    assert found.reason_codes[0] == Reason(code="entailment.figures_differ", data={"claimed": "312 %", "found": "40 %"})


@pytest.mark.parametrize(("claim", "text"), [("", NEEDLE), (CLAIM, "")])
def test_an_empty_claim_or_passage_is_the_users_error(claim: str, text: str) -> None:
    with pytest.raises(InputError):
        assess_pair(claim, text)


def test_one_sentence_in_a_hundred_thousand_characters_is_found_and_quoted_in_its_place() -> None:
    text = FILLER * 600 + NEEDLE + " " + FILLER * 600
    assert len(text) > 100_000
    found = assess_pair(CLAIM, text)
    assert found.stance is Stance.CONTRADICTS
    assert text[found.start : found.end] == found.quote == NEEDLE


def test_a_very_long_claim_is_judged_by_its_beginning_and_says_so() -> None:
    found = assess_pair(CLAIM + " " + FILLER * 1200, NEEDLE)
    assert any("first 2,000 characters" in reason for reason in found.reasons)


def test_another_language_is_not_supported_and_the_reason_says_so() -> None:
    german = "Die Firma hat den Grenzwert für Quecksilber in diesem Jahr nicht überschritten, und das ist auch gut so."
    found = assess_pair(CLAIM, german)
    assert found.stance is Stance.NEUTRAL
    assert found.confidence == 0
    assert "Language not supported" in found.reasons[0]


def test_whose_word_it_is_goes_with_the_judgement() -> None:
    quote = "The company denies that Harlow Chemicals exceeded its limit."
    (found,) = assess_passages("Harlow Chemicals exceeded its limit.", [passage("a", quote)])
    assert found.stance is Stance.CONTRADICTS
    assert found.details == {"speaker": {"kind": "party", "name": "Harlow Chemicals"}, "mode": "denied"}
    (neutral,) = assess_passages("Harlow Chemicals exceeded its limit.", [passage("a", "Lisbon is sunny.")])
    assert neutral.details == {}


class Polyglot:
    """A model that reads German, and gives the same result for everything."""

    name, languages = "polyglot", ("de",)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Meaning]:
        return [Meaning(0.95, 0.03, 0.02) for _ in pairs]


def test_a_model_that_reads_the_language_judges_where_the_rules_cannot() -> None:
    german = "Die Behörde hat festgestellt, dass die Anlage den Grenzwert im Jahr 2023 an keinem Tag überschritten hat."
    found = LocalJudge(Polyglot()).pairs([(CLAIM, german)])[0]
    assert found.stance is Stance.CONTRADICTS
    assert found.confidence < 0.8
    assert german[found.start : found.end] == found.quote
    assert "polyglot" in found.reasons[0]
    assert LocalJudge().pairs([(CLAIM, german)])[0].confidence == 0


class Broken:
    """A model whose files cannot be used."""

    name, languages = "broken", ("en",)

    def __init__(self) -> None:
        self.asked = 0

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Meaning]:
        self.asked += 1
        raise ModelUnavailable("broken", "The local model broken cannot be used.")


def test_where_the_model_cannot_run_the_rules_judge_alone_and_it_is_asked_once() -> None:
    broken = Broken()
    judge = LocalJudge(broken)
    assert judge.outage is None
    for _ in range(2):
        assert judge.pairs([(CLAIM, NEEDLE)])[0] == assess_pair(CLAIM, NEEDLE)
    assert broken.asked == 1
    assert judge.outage is not None


def test_many_passages_are_judged_in_their_order() -> None:
    passages = [passage("a", "Lisbon is sunny."), passage("b", NEEDLE), passage("c", "   ")]
    found = assess_passages(CLAIM, passages)
    assert [one.passage_id for one in found] == ["a", "b", "c"]
    assert [one.stance for one in found] == [Stance.NEUTRAL, Stance.CONTRADICTS, Stance.NEUTRAL]
    for one, asked in zip(found, passages, strict=True):
        assert asked.text[one.start : one.end] == one.quote
