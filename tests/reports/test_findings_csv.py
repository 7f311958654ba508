"""The findings as CSV: RFC 4180, every finding in one row, nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.case import Case
from inquest.domain.finding import Stance
from inquest.reports.exports import COLUMNS, findings_csv
from tests.reports.check_cases import company_report
from tests.reports.made_case import Desk
from tests.reports.odd_check_cases import hostile_check
from tests.reports.report_cases import bare, hostile, rich


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline=""), strict=True))


@pytest.mark.parametrize("made", [rich, hostile, company_report, hostile_check])
def test_every_finding_is_one_row(made: Any) -> None:
    case = made().case
    found = rows(findings_csv(case))
    assert [row["finding_id"] for row in found] == [finding.id for finding in case.findings]
    assert all(tuple(row) == COLUMNS for row in found)
    assert b"/home/" not in findings_csv(case)


def test_a_row_says_who_says_what_and_where_it_stands() -> None:
    case = rich().case
    row = rows(findings_csv(case))[0]
    assert row["quote"] == "inspectors measured 412 kg a day at outfall 3"
    assert (row["claim_id"], row["verdict"], row["stance"]) == ("C1", "verified", "supports")
    assert (row["domain"], row["tier"], row["published"]) == ("inspectorate.example", "1", "2023-05-02")
    assert row["retrieved_at"] == "2024-06-01T12:01:00Z"
    assert int(row["end"]) - int(row["start"]) == len(row["quote"])
    assert row["snapshot"] == case.findings[0].snapshot


def test_a_claim_that_was_not_looked_into_has_no_verdict() -> None:
    case = rich().case
    unread = case.assessments[0].model_copy(update={"checked": False})
    row = rows(findings_csv(case.model_copy(update={"assessments": (unread,)})))[0]
    assert (row["verdict"], row["verdict_confidence"], row["checked"]) == ("", "", "false")


def test_lines_end_as_the_rfc_says_and_a_mark_is_set_on_request() -> None:
    case = bare().case
    content = findings_csv(case)
    assert content.count(b"\r\n") == len(case.findings) + 1 and content.endswith(b"\r\n")
    assert findings_csv(case, bom=True) == b"\xef\xbb\xbf" + content


def quoting(text: str) -> Case:
    desk = Desk()
    source = desk.source(f"{text} end", "a.example", text)
    desk.finding(source, f"{text} end", None, Stance.NEUTRAL, summary=text, reasons=(text,))
    case: Case = bare().case
    return case.model_copy(update={"sources": tuple(desk.sources), "findings": tuple(desk.findings)})


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r=", "  =", "\n@", "＝", "－", "\u200b=", "|"])
def test_what_a_spreadsheet_would_run_has_an_apostrophe_before_it(start: str) -> None:
    (row,) = rows(findings_csv(quoting(f"{start}HYPERLINK(1)")))
    for name in ("quote", "title", "summary", "reasons"):
        assert row[name].startswith("'"), name


@given(st.text(min_size=1))
def test_any_text_comes_back_as_one_row_of_the_right_width(text: str) -> None:
    content = findings_csv(quoting(text))
    (row,) = rows(content)
    assert tuple(row) == COLUMNS and None not in row.values()
    for value in row.values():
        assert not re.match(r"\s*[=+\-@]", value)
