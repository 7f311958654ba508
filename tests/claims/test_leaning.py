"""The leaning of a source towards the subject: by its wording, not by its news."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.claims.leaning import leaning_of
from inquest.domain.drafts import LeaningDraft
from inquest.domain.report import Leaning
from inquest.verdicts.overall_bias import overall_bias
from tests.case_parts import document, source

TOPIC = "The Harlow works in Brindle: discharge of cadmium into the River Sorrel"

EVEN = (
    "The Harlow works discharged cadmium into the River Sorrel at twice the permitted level, the regulator said. "
    "Inspectors took samples in March. The laboratory found 40 micrograms per litre. The company said it would comment "
    "in due course. The mayor of Brindle said the town had not been told. Harlow employs 300 people."
)
AGAINST = (
    "It is a disgrace. For years this greedy company has poisoned our river and lied to us about it. "
    "The cover-up reaches the top, and the so-called regulator looks on. Who will believe Harlow now? "
    "We demand that those responsible must go. Share this with your neighbours!"
)
IN_FAVOUR = (
    "Harlow is a world-class works and the lifeblood of Brindle. Its pioneering team is proud of its record. "
    "The witch hunt by papers from elsewhere is baseless. What the papers do not write: it pays for the nursery. "
    "Is that a company to which the river means nothing?"
)


def lean(text: str, **more: object) -> LeaningDraft:
    return leaning_of(TOPIC, source("A", **more), document(text))  # type: ignore[arg-type]


def test_bad_news_in_even_words_is_neutral() -> None:
    draft = lean(EVEN)
    assert draft.leaning is Leaning.NEUTRAL
    assert draft.bias < 2
    assert "It lets both the subject and others speak." in draft.reasons


def test_words_that_judge_lean() -> None:
    against, favour = lean(AGAINST), lean(IN_FAVOUR)
    assert against.leaning is Leaning.CRITICAL
    assert favour.leaning is Leaning.FAVOURABLE
    assert against.bias >= 6
    assert favour.bias >= 4
    assert any("“disgrace”" in reason for reason in against.reasons)


@pytest.mark.parametrize(
    "text",
    [
        "Harlow denies wrongdoing and pollution, its spokesman said. The company has not been accused of fraud.",
        "There was no cover-up at Harlow, the court found. The works never lied to the regulator about its permit.",
    ],
)
def test_what_is_denied_accuses_nobody(text: str) -> None:
    assert lean(text).leaning is not Leaning.CRITICAL


def test_loaded_words_in_somebodys_mouth_are_not_the_papers_own() -> None:
    quoted = 'The mayor said: "It is a disgrace, and a scandal." The company said it regretted the spill in the river.'
    assert lean(quoted).leaning is Leaning.NEUTRAL


def test_the_subjects_own_pages_are_favourable() -> None:
    release = "We are proud of our people at Harlow. We take our duty seriously. We will publish our results soon."
    for draft in (lean(release, press_release=True), lean(release, domain="harlow.example")):
        assert draft.leaning is Leaning.FAVOURABLE
        assert draft.bias >= 7
        assert "It is the subject's own publication." in draft.reasons


@given(st.text(max_size=400))
def test_any_text_has_a_leaning_on_the_scale(text: str) -> None:
    draft = lean(text)
    assert 0 <= draft.bias <= 10
    assert draft.bias == round(draft.bias, 1)
    assert draft.reasons


# --- all sources together ---


def draft(name: str, leaning: Leaning, bias: float) -> LeaningDraft:
    return LeaningDraft(source_id=name, leaning=leaning, bias=bias, reasons=("given",))


def test_the_bias_of_all_counts_credible_sources_most_and_names_the_missing_side() -> None:
    sources = {name: source(name, 1) for name in "ABC"}
    bias = overall_bias([draft(name, Leaning.NEUTRAL, 1.0) for name in "ABC"], sources)
    assert bias.overall == 0.6
    assert bias.label == "low (balanced)"
    assert bias.balance.neutral == 3
    assert bias.reasons == ("Of three sources rated for bias, three report neutrally.",)
    sources = {name: source(name, 2) for name in "ABCD"}
    bias = overall_bias([draft(name, Leaning.CRITICAL, 7.0) for name in "ABCD"], sources)
    assert bias.overall > 8
    assert bias.recommendation.startswith("Consider adding the subject's own account")
    assert "official records" in bias.recommendation
    leanings = [draft("A", Leaning.NEUTRAL, 0.0), draft("B", Leaning.CRITICAL, 9.0)]
    good_is_even = overall_bias(leanings, {"A": source("A", 1), "B": source("B", 4)})
    good_is_loud = overall_bias(leanings, {"A": source("A", 4), "B": source("B", 1)})
    assert good_is_even.overall < good_is_loud.overall
    sources = {"A": source("A"), "B": source("B", excluded="published after")}
    leanings = [draft("A", Leaning.NEUTRAL, 1.0), draft("B", Leaning.CRITICAL, 9.0)]
    assert overall_bias(leanings, sources).balance.critical == 0
