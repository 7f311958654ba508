"""The market desk's reading of sentences: analysts' actions, serious statements, tone, and figures compared with
filings."""

from __future__ import annotations

from typing import Any

import pytest

from inquest.desks.market.answer import actions_of_hits, commentary_of
from inquest.desks.market.developments import tone_of
from inquest.desks.market.events import critical_in
from inquest.desks.market.filings import against_filings, comparisons
from inquest.domain.finding import ContradictionType, Mode, Reading, Speaker, SpeakerKind, Stance
from inquest.domain.market import AgainstFiling, Critical
from inquest.domain.search import Figure
from tests.desks.market.market_parts import NOW, about_quarvane, hit, hours_ago, page, quote, statement

# Analysts


def test_an_engines_table_of_grades_is_told_as_the_engines() -> None:
    grade = Figure(
        subject="QVRN", name="grade", text="Neutral", previous_text="Overweight", by="Harrow Street", at=hours_ago(4)
    )
    later = grade.model_copy(update={"at": hours_ago(-30)})
    actions = actions_of_hits(
        [hit("q", engine="fmp_grades", figures=(grade, later), details={"action": "downgrade"})], NOW, {}
    )
    assert [(each.firm, each.action, each.grade_from, each.grade_to, each.lead_by) for each in actions] == [
        ("Harrow Street", "downgrade", "Overweight", "Neutral", "fmp_grades")
    ]


def test_a_pages_words_come_before_an_engines_table_and_each_action_once() -> None:
    grade = Figure(
        subject="QVRN", name="grade", text="Neutral", previous_text="Overweight", by="Harrow Street", at=hours_ago(4)
    )
    leads = actions_of_hits([hit("q", figures=(grade,))], NOW, {})
    words = quote("Harrow Street downgraded Quarvane to Neutral.", published="2026-11-19T15:00:00Z")
    assert [each.quote for each in commentary_of([words], leads)] == [words]
    assert len(commentary_of([words, words.model_copy(update={"start": 90, "finding_id": "M-S1-2"})], ())) == 1
    other = quote("Pell & Marsh downgraded Quarvane to Neutral.")
    assert [each.firm for each in commentary_of([other], leads)] == ["Harrow Street", ""]


# Serious statements


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Prosecutors accuse Quarvane of accounting fraud.", Critical.FRAUD),
        ("Quarvane filed for bankruptcy protection.", Critical.BANKRUPTCY),
        ("The regulator opened an investigation.", Critical.INVESTIGATION),
        ("Chief executive Ann Lee resigned on Monday.", Critical.RESIGNATION),
        ("Quarvane cut its full-year guidance.", Critical.GUIDANCE_CUT),
        ("Quarvane will restate its results for 2025.", Critical.RESTATEMENT),
        ("Quarvane reported a data breach.", Critical.CYBER_INCIDENT),
        ("Quarvane shares fell 7% on Thursday.", Critical.BIG_MOVE),
        ("Quarvane closed at $9.34 on Thursday, 27 percent below the day before.", Critical.BIG_MOVE),
    ],
)
def test_grave_statements_are_known(text: str, kind: Critical) -> None:
    assert kind in critical_in(text)


@pytest.mark.parametrize(
    "text",
    ["Quarvane opened a plant.", "Quarvane shares rose 2%.", "Revenue fell 20% to $3bn.", "I recall the year 2020."],
)
def test_other_statements_are_not_grave(text: str) -> None:
    assert critical_in(text) == ()


# Tone


@pytest.mark.parametrize(
    ("text", "tone"),
    [
        ("Quarvane beat estimates and raised its forecast.", 1),
        ("Quarvane missed estimates.", -1),
        ("Quarvane did not miss estimates.", 1),
        ("Quarvane opened a plant in Lisse.", 0),
    ],
)
def test_the_tone_of_a_sentence_is_told_by_its_words(text: str, tone: int) -> None:
    assert tone_of(text) == tone


# Filings

EXPECTED = statement("We expect deliveries of 2.0 million to 2.2 million modules in 2026.")


def beside(text: str, hours: float = 2, **read: Any) -> list[AgainstFiling]:
    """The reading of news that was published this many hours ago, together with the filing."""
    witness, found = page("S1", text, hours=hours, question=about_quarvane("What is the latest on QVRN?"))
    sources = {witness.id: witness}
    return [
        result
        for each in comparisons([EXPECTED], found, sources)
        for result in against_filings(
            each, [Reading(passage_id=one.id, confidence=0.9, **read) for one in each.news], sources, NOW
        )
    ]


NOW_EXPECTS = "Quarvane Semiconductor now expects deliveries of 1.8 million modules in 2026, Harrow Street wrote."


@pytest.mark.parametrize(
    ("read", "relations"),
    [
        ({"stance": Stance.CONTRADICTS}, ["contradicts"]),
        ({"stance": Stance.SUPPORTS}, ["agrees"]),
        ({"stance": Stance.NEUTRAL}, []),
        ({"stance": Stance.CONTRADICTS, "mode": Mode.ALLEGED}, []),
        ({"stance": Stance.CONTRADICTS, "mode": Mode.EXPECTED}, ["points the other way"]),
        (
            {"stance": Stance.CONTRADICTS, "mode": Mode.EXPECTED, "speaker": Speaker(kind=SpeakerKind.PARTY)},
            ["contradicts"],
        ),
        (
            {"stance": Stance.CONTRADICTS, "contradiction_type": ContradictionType.OMISSION},
            ["points the other way"],
        ),
    ],
)
def test_news_beside_a_filing_has_the_relation_that_it_is_read_with(read: dict[str, Any], relations: list[str]) -> None:
    found = beside(NOW_EXPECTS, **read)
    assert [each.relation for each in found] == relations
    assert all((each.what, each.days_between) == ("deliveries", 384) for each in found)


def test_news_on_another_measure_or_from_before_the_filing_is_not_compared() -> None:
    assert beside("Quarvane Semiconductor paid a dividend of $2 a share for 2026.", stance=Stance.CONTRADICTS) == []
    assert beside(NOW_EXPECTS, hours=24 * 400, stance=Stance.CONTRADICTS) == []
