"""A report in another language has no English sentences of its own: text that is the same in both is by other people.

Claims, quotes, titles, names, addresses, the user's words and text by a model are removed first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inquest.app.cases.auditing import audit_of
from inquest.app.cases.case_request import AuditRequest
from inquest.desks.market.notes import engine_notes
from inquest.domain.languages import LANGUAGES, Language, speaking
from inquest.domain.value import Value
from inquest.reports.audit import markdown as audit_markdown
from inquest.reports.markdown import markdown, market_markdown
from inquest.reports.view import ReportView
from inquest.reports.words import reworded
from tests.app.cited_pages import TEXT, with_cited_pages
from tests.desks.market.market_parts import hit, page
from tests.desks.market.test_market_answer import PROBE, PROBE_TOO, told
from tests.reports import check_cases, report_cases, test_topic_report

OTHERS = frozenset(
    "answer author claim collections company description details engines entry industry key_claims label name "
    "original place publisher quote refined_queries summary text title topic url words".split()
)
"""Fields with words of other people, names and addresses."""
BY_A_MODEL = frozenset(
    "bias conflict confidence_reasons reason reasons recommendation review_reason story_notes why would_change".split()
)
"""Fields of reasons; they are text by a model if the same value has no codes."""
OTHER_LANGUAGES = [each for each in LANGUAGES if each != "en"]


def others(value: Any, name: str = "", coded: bool = True) -> Iterator[str]:
    if isinstance(value, str) and (name in OTHERS or (name in BY_A_MODEL and not coded)):
        yield value
    elif isinstance(value, Value):
        names = type(value).model_fields
        codes = [each for each in names if each.endswith("_codes")]
        has = any(getattr(value, each) for each in codes) if codes else True
        for each in names:
            yield from others(getattr(value, each), each, has)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from others(each, name if name in OTHERS else key, coded)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from others(each, name, coded)


def sentences(report: str, taken_out: set[str]) -> set[str]:
    for text in sorted(taken_out, key=len, reverse=True):
        report = report.replace(text, "…")
    report = re.sub(r"[“„«][^”“»]*[”“»]|`[^`]*`|<[^>]*>|\]\([^)]*\)|\S+\.example\S*|\S+://\S+", "…", report)
    found = (each.strip(" *_#|>-\\") for each in re.split(r"(?<=[.!?:;])\s|\n|\|", report))
    return {each for each in found if len(re.findall(r"\b[a-z]{3,}", each)) >= 2}


def alike(value: Value, made: Callable[[], str], code: Language) -> list[str]:
    """Sentences that occur both in the English report and in the one in the other language."""
    taken_out = {each for each in others(value) if len(each) > 3}
    with speaking(code):
        translated = made()
    return sorted(sentences(made(), taken_out) & sentences(translated, taken_out))


BY_HAND = {
    "1 engine and 1 page.": "a note on the plan",
    "Do the claims hold?": "a question of the brief",
    "How far was the permit exceeded?": "a question of the brief",
    "The account is four years old.": "a note of the network's engine",
    "The permit allows 130 kg a day.": "a statement of a model's summary",
    "Three posts about it.": "a note of the network's engine",
    "Web search unavailable:": "the service's own message",
    "What was found": "a heading of a model's summary",
    "first person:": "a note of the network's engine",
    "the key of tavily is not set (C5, C4).": "the service's own message",
    "… by the Science Based Targets initiative": "a value of a register",
}
"""Text by others in the cases of these tests, with its authors."""


@pytest.mark.parametrize("code", OTHER_LANGUAGES)
@pytest.mark.parametrize("case", [report_cases.rich, check_cases.company_report, test_topic_report.a_topic])
def test_a_report_keeps_no_english_sentence(case: Callable[[], ReportView], code: Language) -> None:
    view = case()
    left = alike(view.case, lambda: markdown(replace(view, case=reworded(view.case))), code)
    assert [each for each in left if each not in BY_HAND] == []


ANSWERS = {
    "answered": lambda: told(page("S1", PROBE, tier=1), page("S2", PROBE_TOO)),
    "nothing": lambda: told(engines=engine_notes([], ["gdelt"], {})),
    "left out": lambda: told(
        page("S1", PROBE),
        engines=engine_notes(
            [hit("q", engine="eodhd")], ["eodhd"], {"fmp": "The limit is used up"}, instead={"fmp": ["eodhd"]}
        ),
    ),
}


@pytest.mark.parametrize("code", OTHER_LANGUAGES)
@pytest.mark.parametrize("name", ANSWERS)
def test_a_market_answer_keeps_no_english_sentence(name: str, code: Language) -> None:
    answer = ANSWERS[name]()
    assert alike(answer, lambda: market_markdown(answer), code) == []


@pytest.mark.parametrize("code", OTHER_LANGUAGES)
async def test_an_audit_keeps_no_english_sentence(code: Language, tmp_path: Path) -> None:
    async with with_cited_pages(tmp_path / "home") as opened:
        audit = await audit_of(opened.app, await opened.case_of(AuditRequest(text=TEXT)))
    assert audit is not None
    assert alike(audit, lambda: audit_markdown(reworded(audit)), code) == []
