"""Tables and JSON lines in all their variants."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.collection import items as rows
from inquest.collection.items import Item, ItemProblem, csv_items, jsonl_items, row_fields
from inquest.kit.rows import ROW_TYPE

WHERE, URL = "news.csv", "file:///desk/news.csv"
Reader = Callable[[BinaryIO, str, str], Iterator[Item | ItemProblem]]


def stream(content: bytes | str) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(content if isinstance(content, bytes) else content.encode()))


def taken(read: Reader, content: bytes | str) -> tuple[list[dict[str, Any]], list[str]]:
    """The fields of the rows, and the problems as text."""
    found = list(read(stream(content), WHERE, URL))
    return (
        [json.loads(item.body) for item in found if isinstance(item, Item)],
        [str(problem) for problem in found if isinstance(problem, ItemProblem)],
    )


def test_a_row_is_a_document_of_canonical_bytes_with_its_own_address() -> None:
    [item] = csv_items(stream("url,title,date,text\nhttps://a.example/1,A title,2024-03-05,Some text\n"), WHERE, URL)
    assert isinstance(item, Item)
    assert item.body == b'{"date":"2024-03-05","text":"Some text","title":"A title","url":"https://a.example/1"}'
    assert (item.url, item.content_type) == ("https://a.example/1", ROW_TYPE)


def test_a_row_without_an_address_is_a_place_in_its_file() -> None:
    [item] = csv_items(stream("title,text\nA,One\n"), WHERE, URL)
    assert isinstance(item, Item) and item.url == f"{URL}#row=1" and item.key == ""
    [item] = jsonl_items(stream('\n{"_id": 7, "text": "One"}'), WHERE, URL)
    assert isinstance(item, Item) and item.url == f"{URL}#line=2" and (item.id, item.key) == ("7", f"{URL}#7")


@pytest.mark.parametrize("divider", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_columns_are_found_whatever_divides_them_and_however_they_are_encoded(divider: str, encoding: str) -> None:
    table = f'Headline{divider}Body{divider}Date\r\nMüller{divider}"Zürich{divider} 4\r\nand more"{divider}2024\r\n'
    found, problems = taken(csv_items, table.encode(encoding))
    assert not problems
    assert found == [{"title": "Müller", "text": f"Zürich{divider} 4\r\nand more", "date": "2024"}]


def test_a_table_saved_for_an_old_macintosh_is_read() -> None:
    assert taken(csv_items, "title,text\rA,one\rB,two\r")[0] == [
        {"title": "A", "text": "one"},
        {"title": "B", "text": "two"},
    ]


def test_the_line_in_which_a_spreadsheet_names_its_divider_is_understood() -> None:
    assert taken(csv_items, "sep=;\ntitle;text\nA;B, C\n") == ([{"title": "A", "text": "B, C"}], [])


def test_a_table_without_a_text_column_says_what_columns_it_has() -> None:
    assert taken(csv_items, "town,people\nMerrow,3\n") == (
        [],
        ["news.csv: has no column 'text' in its first line (town, people)"],
    )


def test_a_row_with_a_stray_divider_is_named_and_not_cut() -> None:
    found, problems = taken(csv_items, "title,text\nA,one\nB,two, and three\nC,four\n")
    assert [row["title"] for row in found] == ["A", "C"]
    assert problems == ["news.csv, row 2 (line 3): has 3 values for 2 columns"]


def test_a_quotation_mark_that_is_never_closed_is_told() -> None:
    found, problems = taken(csv_items, 'title,text\nA,one\nB,"two\nC,three\n')
    assert [row["title"] for row in found] == ["A"]
    assert len(problems) == 1 and problems[0].startswith("news.csv, row 2 (line 3): cannot be read as a row")


def test_a_field_longer_than_the_csv_library_takes_by_itself_is_read() -> None:
    found, problems = taken(csv_items, f"text\n{'long ' * 100_000}\n")
    assert not problems and len(found[0]["text"]) > 400_000


def test_a_bad_line_of_json_is_named_by_its_number_and_the_others_are_kept() -> None:
    found, problems = taken(jsonl_items, '{"text": "one"}\n{"text": \n[1]\n\n{"title": ""}\n{"text": "two"}\n')
    assert [row["text"] for row in found] == ["one", "two"]
    assert problems == [
        "news.csv, line 2: is not JSON (Expecting value)",
        "news.csv, line 3: is not a JSON object",
        "news.csv, line 5: has no text",
    ]


def test_a_line_without_end_is_skipped_and_what_follows_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "LONGEST_ROW", 2**20)
    found, problems = taken(jsonl_items, b'{"text": "' + b"x" * 3 * 2**20 + b'"}\n{"text": "after"}\n')
    assert found == [{"text": "after"}]
    assert problems == ["news.csv, line 1: is longer than 1 MB"]


def test_a_file_that_is_no_jsonl_is_given_up_early() -> None:
    found, problems = taken(jsonl_items, "prose\n" * 10_000)
    assert not found and len(problems) == 101 and "was skipped" in problems[-1]


@pytest.mark.parametrize(
    ("row", "fields"),
    [
        ({"_id": "4983", "title": "T", "text": "X", "metadata": {}}, {"id": "4983", "title": "T", "text": "X"}),
        ({"headline": "H", "content": "C", "link": "https://a.example"}, {"title": "H", "text": "C", "url": "https://a.example"}),
        ({"abstract": ["One.", "Two."], "authors": [{"name": "A"}, "B"]}, {"text": "One.\n\nTwo.", "author": "A, B"}),
        ({"text": "X", "metadata": {"title": "T"}}, {"text": "X", "title": "T", "metadata": {"title": "T"}}),
        ({"title": "Only a title", "text": ""}, {"title": "Only a title", "text": "Only a title"}),
        ({"text": "X", "Desk": "city"}, {"text": "X", "desk": "city"}),
        ({"text": None, "title": ""}, None),
    ],
)  # fmt: skip
def test_fields_go_by_many_names(row: dict[str, Any], fields: dict[str, Any] | None) -> None:
    assert row_fields(row) == fields


@given(st.binary(max_size=300))
def test_no_bytes_make_a_reader_of_rows_fail(content: bytes) -> None:
    for read in (csv_items, jsonl_items):
        for found in read(stream(content), WHERE, URL):
            assert isinstance(found, Item | ItemProblem)


@given(st.dictionaries(st.sampled_from(["text", "title", "id", "desk"]), st.text(max_size=20), min_size=1))
def test_a_row_of_json_keeps_all_it_says(row: dict[str, str]) -> None:
    [found] = jsonl_items(stream(json.dumps(row)), WHERE, URL)
    if isinstance(found, Item):
        kept = json.loads(found.body)
        assert kept["text"] == row.get("text", "").strip() or row["title"].strip()
        assert all(kept[name] == value.strip() for name, value in row.items() if name != "desk" and value.strip())
        assert kept.get("desk", "") == row.get("desk", "")
    else:
        assert not row.get("text", "").strip() and not row.get("title", "").strip()
