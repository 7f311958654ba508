"""A page on another person or company with the same name is set aside, and named in every view of the case."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from rich.console import Console

from inquest import Inquest
from inquest.cli.show import print_case
from inquest.domain.case import Case

ROWS = [
    {
        "url": "https://odellpost.example/news/relief",
        "title": "Volunteers thanked",
        "date": "2024-02-05",
        "text": "The Quorvane Relief Fund of Larissa thanks its many volunteers. Infections at its six hospitals fell "
        "by 40 percent in two years, the Quorvane Relief Fund says in its yearly letter to donors.",
    },
    {
        "url": "https://valecourier.example/news/practice",
        "title": "Practice in Ebbing",
        "date": "2024-02-06",
        "text": "Quorvane Dental Care runs a practice in Ebbing. Infections at the practice of Quorvane Dental Care "
        "did not fall in two years, the council found after an inspection.",
    },
]
CLAIM = "Quorvane cut infections by 40 percent in two years."
OTHER = "Quorvane Relief Fund"


async def a_case(inquest: Inquest, kind: str, home: Path) -> Case:
    if kind == "check":
        return await inquest.check(
            company="Quorvane Dental Care",
            claims=[CLAIM],
            rounds=0,
            engines="collection",
            collections=["post"],
            as_of="2024-06-01",
        )
    topic = home / "topic.json"
    text = "Quorvane Dental Care says that it cut infections by 40 percent in two years."
    topic.write_text(json.dumps({"title": f"Quorvane Dental Care: {CLAIM}", "text": text}), encoding="utf-8")
    return await inquest.verify(str(topic), engines="collection", collections=["post"], as_of="2024-06-01")


async def test_a_page_on_another_bearer_is_set_aside_and_named_in_report_json_and_terminal(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    async with Inquest(home=tmp_path / "home", model="") as inquest:
        await inquest.app.collections.add("post", [rows])
        for kind in ("check", "topic"):
            case = await a_case(inquest, kind, tmp_path)
            report = (await inquest.report(case.id, "md")).decode()
            assert_set_aside(case, report, json.loads(await inquest.report(case.id, "json")))


def assert_set_aside(case: Case, report: str, data: dict[str, Any]) -> None:
    (other,) = [each for each in data["sources"] if each["other_bearer"]]
    assert other["other_bearer"] == OTHER and OTHER in other["excluded"]
    assert not any(each["source_id"] == other["id"] for each in data["findings"])
    assert f"it is about {OTHER}, a namesake" in report
    console = Console(file=io.StringIO(), width=200)
    print_case(console, case)
    assert isinstance(console.file, io.StringIO)
    for shown in (report, console.file.getvalue()):
        assert f"One page about others of the same name is set aside: {OTHER}" in shown
