"""References of a case: each work once, under a stable key, in formats that no title can break."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.search import Work
from inquest.reports.references import Reference, bibtex, csl_json, people, references, tex
from tests.reports.check_cases import company_report
from tests.reports.made_case import Desk
from tests.reports.odd_check_cases import hostile_check
from tests.reports.report_cases import bare, hostile, rich

CASES = [rich, hostile, company_report, hostile_check, bare]


def entries(text: str) -> list[tuple[str, str, dict[str, str]]]:
    """A small reader of BibTeX: kind, key and fields of each entry; braces must be balanced."""
    found = []
    for entry in re.split(r"^@", text, flags=re.M)[1:]:
        kind, rest = entry.split("{", 1)
        key, body = rest.split(",", 1)
        fields, at = {}, 0
        while match := re.compile(r"\s*(\w+) = ").match(body, at):
            begin = at = match.end()
            depth = 0
            while body[at] != "," or depth:
                if body[at] == "\\":
                    at += 1
                depth += {"{": 1, "}": -1}.get(body[at], 0) if body[at - 1] != "\\" else 0
                at += 1
            fields[match[1]] = body[begin:at].removeprefix("{").removesuffix("}")
            at += 1
        assert body[at:].strip() == "}", body[at:]
        found.append((kind, key, fields))
    return found


@pytest.mark.parametrize("made", CASES)
def test_every_source_can_be_cited_in_both_forms(made: Any) -> None:
    case = made().case
    found = references(case)
    addresses = {source.url for source in case.sources if source.url.startswith("http")}
    assert addresses - {each.url for each in found} == set() or made in (hostile, hostile_check)
    keys = [each.key for each in found]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch(r"[a-z0-9]+-[0-9a-f]{6}", key) for key in keys)
    assert [key for _, key, _ in entries(bibtex(found))] == keys
    assert [item["id"] for item in json.loads(csl_json(found))] == keys
    assert "/home/" not in bibtex(found) and b"/home/" not in csl_json(found)


def test_the_works_that_findings_name_are_there_each_once() -> None:
    case = company_report().case
    standards = [each for each in references(case) if each.url == "https://ghgprotocol.org/corporate-standard"]
    assert [(each.type, each.title, each.issued) for each in standards] == [
        ("standard", "A Corporate Accounting and Reporting Standard", (2004,))
    ]


def paper(**work: Any) -> Desk:
    desk = Desk()
    desk.source(
        "Kilns emit.", "journal.example", "Clinker & lime: 50 % of {it}", "2021-03", category="scholarly",
        author="Ada B. Marsh, Li Wei and 3 others",
        work=Work(**{"type": "journal-article", "doi": "10.5555/KILN.7", "venue": "Journal of Kilns"} | work),
    )  # fmt: skip
    return desk


def test_a_paper_has_its_authors_its_journal_and_its_doi() -> None:
    case = bare().case.model_copy(update={"sources": tuple(paper().sources), "findings": ()})
    (found,) = references(case)
    ((kind, _, fields),) = entries(bibtex([found]))
    assert kind == "article"
    assert fields["author"] == "{Ada B. Marsh} and {Li Wei}"
    assert (fields["journal"], fields["year"], fields["month"]) == ("Journal of Kilns", "2021", "mar")
    assert fields["title"] == r"{Clinker \& lime: 50 \% of \{it\}}"
    assert fields["doi"] == "10.5555/kiln.7"
    (item,) = json.loads(csl_json([found]))
    assert item["type"] == "article-journal" and item["container-title"] == "Journal of Kilns"
    assert item["author"] == [{"literal": "Ada B. Marsh"}, {"literal": "Li Wei"}]
    assert item["issued"] == {"date-parts": [[2021, 3]]} and item["DOI"] == "10.5555/kiln.7"


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("Ida van der Holm and Bo Lind", ("Ida van der Holm", "Bo Lind")),
        ("Jörg Weiß; Zoë O'Hara", ("Jörg Weiß", "Zoë O'Hara")),
        ("Weber & Töchter GmbH", ("Weber & Töchter GmbH",)),
        ("Cotton Mills and Marsh Spindle plc", ("Cotton Mills and Marsh Spindle plc",)),
        ("Ministry of Fine Arts and Rural Affairs", ("Ministry of Fine Arts and Rural Affairs",)),
    ],
)
def test_a_byline_is_split_between_full_names_only(byline: str, names: tuple[str, ...]) -> None:
    assert people(byline) == names


@given(st.text())
def test_no_text_leaves_a_command_or_an_open_brace(text: str) -> None:
    bare_text = re.sub(r"\\[{}$&#_%]|\\text[a-z]+\{\}", "", tex(text))
    assert not set(bare_text) & set('\\{}$&#_%~^<>|"')


@given(st.text(min_size=1), st.text(), st.text())
def test_any_title_makes_an_entry_that_can_be_read(title: str, author: str, url: str) -> None:
    each = Reference(
        key="a2024b-123456", type="article-journal", title=" ".join(title.split()),
        authors=(author.replace("\n", " "),), container="X", url=url,
    )  # fmt: skip
    assert len(entries(bibtex([each]))) == 1
    assert len(json.loads(csl_json([each]))) == 1
