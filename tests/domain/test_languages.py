"""Catalogues of other languages: the same keys and data as in English, and reasons worded in another language."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Formatter
from typing import Any

import pytest

from inquest.analysts.prompts.write import ask
from inquest.desks.inquiry.writing import fact, note, says, summary_of
from inquest.domain.finding import Assessment, Finding, Verdict
from inquest.domain.languages import LANGUAGES, Language, figure, filled, listed, numeral, remarked, speaking
from inquest.domain.reasons import Reason, worded
from inquest.domain.report import Balance, Bias, Summary, TimelineEvent
from inquest.domain.value import Precision
from inquest.reports.words import reworded
from inquest.text.phrases import day, page_ranges
from tests.case_parts import finding

OTHERS = [each for each in LANGUAGES if each != "en"]
WORDING = files("inquest.domain").joinpath("wording")
NOT_IN_WORDS = {"types_of_works", "bibtex_entries"}
"""Sections of the report catalogue that readers do not see."""

_DATA = {
    "number": 2,
    "apart": 2,
    "best": 2,
    "share": 0.5,
    "total": 2,
    "most": 2,
    "date": "2024-03-14",
    "until": "2024-03-14",
}


def _table(path: Traversable) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def _catalogues(code: str) -> dict[str, tuple[dict[str, str], dict[str, str]]]:
    """By name: the English entries, and those of the language."""
    reports = files("inquest.reports")
    english, own = _table(reports / "words.toml"), _table(reports / f"words.{code}.toml")
    found: dict[str, tuple[dict[str, str], dict[str, str]]] = {
        name: (english[name], own.get(name, {})) for name in english.keys() - NOT_IN_WORDS
    }
    for path in (WORDING / code).iterdir():
        found[path.name] = (_table(WORDING / path.name), _table(path))
    return found


def _fields(words: str) -> set[str]:
    return {each[1] for each in Formatter().parse(words) if each[1]}


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_every_key_with_the_data_of_the_english(code: Language) -> None:
    for name, (english, own) in _catalogues(code).items():
        assert own.keys() == english.keys(), name
        for key, sentence in english.items():
            fields, others = map(_fields, (sentence, own[key]))
            assert others <= fields, (name, key)
            assert fields - others <= {"verb", "number", "whose"}, (name, key)
            with speaking(code):
                assert filled(own[key], {each: _DATA.get(each, "x") for each in fields})


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("en", "Two independent sources support it: Gazette (tier 2) and Courier, reporting Elm (tier 3)."),
        ("de", "Zwei unabhängige Quellen stützen sie: Gazette (Stufe 2) und Courier mit Berufung auf Elm (Stufe 3)."),
        ("fr", "Deux sources indépendantes l'appuient : Gazette (niveau 2) et Courier, citant Elm (niveau 3)."),
        ("es", "Dos fuentes independientes la respaldan: Gazette (nivel 2) y Courier, que cita a Elm (nivel 3)."),
    ],
)
def test_a_case_kept_in_english_has_its_reasons_in_the_language_of_the_report(code: Language, sentence: str) -> None:
    named = [
        Reason.of("verdicts.witness", name="Gazette", tier=2),
        Reason.of("verdicts.witness_reporting", name="Courier", who="Elm", tier=3),
    ]
    reasons = worded([Reason.of("verdicts.side", number=2, verb="support", names=named)])
    judged = Assessment(claim_id="C1", verdict=Verdict.VERIFIED, confidence=0.8, independent_sources=2, **reasons)
    kept = Assessment.model_validate_json(judged.model_dump_json())
    with speaking(code):
        assert reworded(kept).reasons == (sentence,)
    assert kept.reasons[0].startswith("Two independent sources")


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_every_catalogue_of_reasons(code: Language) -> None:
    english = {path.name for path in WORDING.iterdir() if path.is_file()}
    assert {path.name for path in (WORDING / code).iterdir()} == english


def test_dates_numbers_and_lists_are_those_of_the_language() -> None:
    with speaking("es"):
        assert day(datetime(2024, 3, 14, tzinfo=UTC)) == "14 de marzo de 2024"
        assert listed(["a", "b", "c"]) == "a, b y c"
    with speaking("de"):
        assert (numeral(7), numeral(1234)) == ("sieben", "1.234")
        assert day(datetime(2026, 11, 28, tzinfo=UTC)) == "28. November 2026"
    assert numeral(1234) == "1,234"


def test_a_model_is_asked_to_write_in_the_language_of_the_case() -> None:
    assert "Write in" not in ask("brief")
    assert "Write in German" in ask("brief", language="de")


def test_pages_are_those_of_the_language() -> None:
    assert page_ranges([4]) == "page 4"
    with speaking("es"):
        assert page_ranges([3, 4, 9]) == "páginas 3–4 y 9"


def test_a_kept_summary_is_in_the_language_of_the_report() -> None:
    rests = says("rests_on", sources=says("sources_partly", number=38, apart=13), date="2025-06-15")
    quote = says("quote", name="Gazette", date="2024-01-19T10:00:00Z", words="“It closed”")
    both = fact([says("on_claim", claim="“A”", against=quote)], ["F1"])
    written = summary_of("Harbour", [("Key findings", [both, note(rests)])])
    kept = Summary.model_validate_json(written.model_dump_json())
    with speaking("de"):
        shown = [each.text for each in reworded(kept).sections[0].statements]
    assert shown == [
        "Zur Behauptung „A“: Gazette (19. Januar 2024): „It closed“.",
        "Grundlage: 38 Quellen (13 unabhängig); Kenntnisstand 15. Juni 2025.",
    ]
    assert kept.sections[0].statements[0].text == "On the claim “A”: Gazette (19 January 2024) says “It closed”."


@pytest.mark.parametrize(
    ("code", "conflict", "advice"),
    [
        (
            "de",
            "Brook: 30. Mai 2023; Echo und Courier: 6. Juni 2023.",
            "Zu ergänzen wäre: Quellen anderer Herausgeber.",
        ),
        ("fr", "Brook : 30 mai 2023; Echo et Courier : 6 juin 2023.", "sources d'autres éditeurs"),
        ("es", "Brook: 30 de mayo de 2023; Echo y Courier: 6 de junio de 2023.", "fuentes de otros editores"),
    ],
)
def test_conflicting_dates_and_advice_are_in_the_language_of_the_report(
    code: Language, conflict: str, advice: str
) -> None:
    dates = [says("date_of", names=["Brook"], date="2023-05-30")]
    dates += [says("date_of", names=["Echo", "Courier"], date="2023-06-06")]
    missing = Reason.of("bias.add", missing=[Reason(code="bias.add_publishers")])
    event = TimelineEvent(
        date="2023-06-06", precision=Precision.DAY, text="It closed.", source_ids=("S1",), conflict="kept in English",
        conflict_codes=(says("dates_of", dates=dates),),
    )  # fmt: skip
    bias = Bias(overall=1.0, balance=Balance(), recommendation="kept in English", recommendation_codes=(missing,))
    plain = event.model_copy(update={"conflict_codes": ()})
    with speaking(code):
        assert reworded(event).conflict == conflict
        assert advice in reworded(bias).recommendation
        assert reworded(plain).conflict == "kept in English"


def test_a_check_of_a_claim_is_wholly_in_the_language_of_the_report() -> None:
    part = Reason.of("verdicts.part_open", number=1, named=["“A”"])
    parts = Reason.of("verdicts.some_parts", number=2, parts=[part])
    criteria = Reason(code="verdicts.criteria", data={"kind": "sbti_validation"})
    held = Reason.of("verdicts.check_fails", criteria=criteria, summary=Reason(code="risks.unknown"))
    kept = fact([says("id_page", id="C3", page=4), parts, held], ["F1"])
    with speaking("de"):
        assert reworded(kept).text.startswith(
            "C3 (Seite 4): Von zwei Aussagen darin: zu einer wurde nichts gefunden („A“)."
        )
        assert "Kriterien für wissenschaftsbasierte Ziele" in reworded(kept).text
        assert "the" not in reworded(kept).text.split()


@pytest.mark.parametrize(
    ("code", "shown"),
    [("de", "„A “b” c“ und „d“"), ("fr", "«\u00a0A “b” c\u00a0» und «\u00a0d\u00a0»"), ("en", "“A “b” c” und “d”")],
)
def test_only_the_outermost_quotes_get_the_marks_of_the_language(code: Language, shown: str) -> None:
    with speaking(code):
        assert remarked("“A “b” c” und “d”") == shown


@pytest.mark.parametrize(("code", "shown"), [("en", "1,234.5"), ("de", "1.234,5"), ("fr", "1\u202f234,5")])
def test_figures_have_the_decimal_sign_of_the_language(code: Language, shown: str) -> None:
    with speaking(code):
        assert figure(1234.5, ",.1f") == shown


def test_details_of_a_check_are_in_the_language_of_the_report() -> None:
    limit, consensus = Reason(code="risks.unknown"), Reason(code="news.why_direct")
    codes = {"limitations": (limit,), "research_consensus": (consensus,)}
    found = finding("F1", "S1", details={"limitations": ["kept"], "research_consensus": "kept"}, detail_codes=codes)
    with speaking("de"):
        said = reworded(Finding.model_validate_json(found.model_dump_json())).details
    assert said["limitations"] == ["Es wurde zu wenig gefunden, um die Größe des Risikos zu nennen."]
    assert said["research_consensus"] == "Die Darstellung weicht von der Behauptung ab."
    assert found.details["limitations"] == ["kept"]
