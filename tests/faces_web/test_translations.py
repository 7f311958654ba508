"""Translations of foreign quotes: requested in the call that writes the summary, and shown beside the quote in every
format."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx2

from inquest import Inquest
from inquest.domain.plan import Plan
from inquest.flow.nodes.write import grounded_only
from inquest.kit.analyst import WriteMaterial
from inquest.reports.case_json import case_json
from inquest.reports.html import html
from inquest.reports.markdown import markdown
from inquest.reports.pdf import pdf
from inquest.reports.view import ReportView
from tests.analysts.scripted import scripted_analyst
from tests.faces_web.seeding import seed
from tests.reports.report_cases import rich
from tests.reports.schema_check import undocumented
from tests.reports.test_pdf_report import read, words

SCHEMA = Path(__file__).parents[2] / "src/inquest/reports/case.schema.json"
SAID = "“The works knew of it”, a chemist said."


async def test_a_foreign_quote_has_a_translation_beside_it_that_is_marked_as_one(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    view = rich()
    case = view.case
    german = next(each for each in case.findings if each.quote.startswith("„Das Werk"))
    english = next(each for each in case.findings if each.quote.startswith("inspectors measured"))
    material = WriteMaterial(
        plan=case.plan or Plan(topic="T", questions=("Was it so?",), queries=(), engines=(), mode="quick"),
        as_of=case.as_of, sources=case.sources, claims=case.claims, findings=case.findings,
        assessments=case.assessments,
    )  # fmt: skip
    statements = [{"text": "Inspectors measured it.", "findings": [english.id]}]
    translations = [
        {"finding": german.id, "text": SAID},
        {"finding": english.id, "text": "Nobody asked for this."},
        {"finding": "F99", "text": "Of nothing."},
        7,
    ]
    answer = {"title": "T", "sections": [{"heading": "All", "statements": statements}], "translations": translations}
    analyst, model = scripted_analyst(answer)
    summary = await analyst.write(material, depth="comprehensive")
    (instructions,) = model.system
    asked = re.search(r"the quotes of ([F\d, ]+) in English", instructions)
    assert asked and german.id in asked[1].split(", ") and english.id not in asked[1].split(", ")
    summary = grounded_only(summary, {each.id for each in case.findings})
    assert [(each.finding_id, each.text) for each in summary.translations] == [(german.id, SAID)]

    case = case.model_copy(update={"summary": summary})
    view = ReportView(case, dict(view.contexts))
    marked = f"Translation by the model: {SAID}"
    assert marked in markdown(view) and marked in html(view) and words(marked) in words(read(pdf(view))[0])
    made = json.loads(json.dumps(case_json(case)))
    assert made["translations"] == [{"finding_id": german.id, "text": SAID}]
    assert not undocumented(made, json.loads(SCHEMA.read_text("utf-8")))
    assert SAID not in json.dumps([made["findings"], made["citations"]], ensure_ascii=False)
    kept = await seed(inquest.app, case)
    assert marked in (await client.get(f"/cases/{kept.id}/verdicts")).text


async def test_without_a_foreign_quote_no_translation_is_asked_for_or_kept() -> None:
    case = rich().case
    english = next(each for each in case.findings if each.quote.startswith("inspectors measured"))
    plan = Plan(topic="T", questions=("Was it so?",), queries=(), engines=(), mode="quick")
    material = WriteMaterial(
        plan=plan, as_of=case.as_of, sources=case.sources, claims=case.claims, findings=(english,), assessments=()
    )
    section = {"heading": "All", "statements": [{"text": "It was measured.", "findings": [english.id]}]}
    given = {"title": "T", "sections": [section], "translations": [{"finding": english.id, "text": "Unasked."}]}
    analyst, model = scripted_analyst(given)
    assert (await analyst.write(material, depth="brief")).translations == ()
    assert "translations" not in json.dumps(model.asked)
