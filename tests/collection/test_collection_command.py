"""`inquest collection` as typed: standard output, standard error and exit code."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from inquest.cli.collection import AddingDisplay
from inquest.cli.entry import run


@pytest.fixture(autouse=True)
def words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The encoder has tests of its own; here it would only take time."""
    monkeypatch.setenv("INQUEST_SENTENCE_MODEL", "none")


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """200 rows about a river, two of them about its solvent."""
    path = tmp_path / "rows.jsonl"
    texts = ["A solvent in the river."] * 2 + ["The river flows."] * 198
    lines = [
        {"_id": f"r{number}", "title": f"Row {number}", "body": f"{text} {number}"} for number, text in enumerate(texts)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def typed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    """Exit code, standard output, standard error of `inquest collection ARGUMENTS`."""
    code = run(["collection", *map(str, arguments)])
    said = capsys.readouterr()
    return code, said.out, said.err


def parsed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Any:
    code, out, _ = typed(capsys, *arguments, "--json")
    assert code == 0
    return json.loads(out)


def test_documents_are_added_searched_counted_and_removed(capsys: pytest.CaptureFixture[str], rows: Path) -> None:
    code, out, _ = typed(capsys, "add", "river", rows)
    assert (code, out) == (0, "200 documents added to river, 0 known.\n")
    assert parsed(capsys, "add", "river", rows)["skipped"] == 200
    found = parsed(capsys, "search", "river", "solvent", "--limit", "5")
    assert (found["collection"], found["query"]) == ("river", "solvent")
    assert sorted(one["id"] for one in found["results"]) == ["r0", "r1"]
    assert set(found["results"][0]) == {
        *("id", "score", "title", "snippet", "url", "published", "precision", "author", "language", "kind", "snapshot")
    }
    code, out, _ = typed(capsys, "search", "river", "solvent")
    assert code == 0 and "1. Row 0" in out and "A solvent in the river. 0" in out
    assert typed(capsys, "search", "river", "zebra") == (0, "", "No document in river matches.\n")
    assert parsed(capsys, "list") == ["river"]
    assert parsed(capsys, "info", "river")["documents"] == 200
    assert [one["name"] for one in parsed(capsys, "info")] == ["river"]
    assert parsed(capsys, "remove", "river") == {"removed": "river"}
    assert parsed(capsys, "list") == []


def test_many_queries_give_a_line_each_in_order(capsys: pytest.CaptureFixture[str], rows: Path, tmp_path: Path) -> None:
    typed(capsys, "add", "river", rows)
    queries = tmp_path / "queries.jsonl"
    queries.write_text(
        '{"id": "q1", "text": "solvent"}\n\n{"id": 2, "text": "flows: (AND \\""}\n{"id": 3, "text": "lake"}\n'
    )
    code, out, err = typed(capsys, "search", "river", "--queries", queries)
    lines = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert [line["id"] for line in lines] == ["q1", 2, 3]
    assert [len(line["results"]) for line in lines] == [2, 10, 0]
    assert set(lines[0]["results"][0]) == {"id", "score", "title", "snippet"}
    scores = [result["score"] for result in lines[1]["results"]]
    assert scores == sorted(scores, reverse=True)


def test_a_bad_line_of_queries_is_named(capsys: pytest.CaptureFixture[str], rows: Path, tmp_path: Path) -> None:
    typed(capsys, "add", "river", rows)
    queries = tmp_path / "queries.jsonl"
    queries.write_text('{"id": 1, "text": "solvent"}\nnonsense\n')
    code, out, err = typed(capsys, "search", "river", "--queries", queries)
    assert code == 1 and len(out.splitlines()) == 1
    assert err.startswith("inquest: Line 2 of ") and err.count("\n") == 1


def test_what_cannot_be_read_is_told_and_the_rest_is_kept(
    capsys: pytest.CaptureFixture[str], rows: Path, tmp_path: Path
) -> None:
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 cut off")
    (tmp_path / "bad.jsonl").write_text("{\n")
    code, out, err = typed(capsys, "add", "river", rows, tmp_path / "bad.pdf", tmp_path / "bad.jsonl", "--json")
    added = json.loads(out)
    assert code == 2 and added["documents"] == 200 and added["unreadable"] == 2
    assert [problem["where"] for problem in added["problems"]] == [
        str(tmp_path / "bad.pdf"),
        f"{tmp_path / 'bad.jsonl'}, line 1",
    ]
    assert err.count("\n") == 2 and "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("add", "river", "nowhere.pdf"), "There is no file or folder nowhere.pdf."),
        (("add", "../river", "."), "'../river' is not a valid name for a collection."),
        (("search", "lake", "water"), "There is no collection lake here."),
        (("search", "lake"), "Missing query."),
        (("search", "lake", "water", "--since", "soon"), "Invalid date 'soon'"),
        (("search", "lake", "water", "--queries", "q.jsonl"), "--queries cannot be combined with a query"),
        (("remove", "lake"), "There is no collection lake here."),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_1(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, err = typed(capsys, *arguments)
    assert (code, out) == (1, "")
    assert err.startswith(f"inquest: {sentence}") and err.count("\n") == 1


def test_ctrl_c_keeps_what_was_read_and_says_so(
    capsys: pytest.CaptureFixture[str], rows: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = AddingDisplay.show

    def interrupting(self: AddingDisplay, progress: Any) -> None:
        show(self, progress)
        if progress.committed < progress.so_far.documents:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(AddingDisplay, "show", interrupting)
        code, out, err = typed(capsys, "add", "river", rows)
    assert (code, out) == (130, "")
    kept = parsed(capsys, "info", "river")["documents"]
    assert 0 < kept < 200
    assert err == f"Stopped. {kept} documents were added to river and stay; the same command continues from there.\n"
    assert parsed(capsys, "add", "river", rows)["documents"] == 200 - kept


def test_records_of_a_web_archive_are_counted_by_type_and_outcome(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def record(kind: str, url: str, block: str, more: str = "") -> bytes:
        head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-03-10T10:00:00Z\r\n{more}"
        return f"{head}Content-Length: {len(block)}\r\n\r\n{block}\r\n\r\n".encode()

    html = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>The survey of {} counted nine nests in the reeds.</p>"
    refers = "WARC-Refers-To-Target-URI: https://n.example/a\r\nWARC-Refers-To-Date: 2024-03-10T10:00:00Z\r\n"
    records = [
        *(record("request", "https://n.example/a", "GET / HTTP/1.1\r\n\r\n") for _ in range(3000)),
        record("response", "https://n.example/a", html.format("Alder")),
        record("response", "https://n.example/moved", "HTTP/1.1 301 Moved\r\n\r\n"),
        record("response", "https://n.example/gone", "HTTP/1.1 301 Moved\r\n\r\n"),
        record("revisit", "https://n.example/copy", "HTTP/1.1 200 OK\r\n\r\n", refers),
        record("revisit", "https://n.example/a", "HTTP/1.1 304 Not Modified\r\n\r\n", refers),
        record("response", "https://n.example/c", html.format("Cedar"), "WARC-Truncated: length\r\n"),
        record("response", "https://n.example/b", html.format("Birch")).replace(
            b"Content-Length: ", b"Content-Length: 7"
        ),
    ]
    path = tmp_path / "nests.warc"
    path.write_bytes(b"".join(records))
    code, out, _ = typed(capsys, "add", "nests", path, "--no-semantic", "--json")
    added = json.loads(out)
    assert (code, added["documents"], added["left_out"], added["unreadable"]) == (2, 3, 2, 1)
    assert {(one["record"], one["outcome"]): one["count"] for one in added["records"]} == {
        ("response", "read"): 2,
        ("revisit", "read"): 1,
        ("request", "left out"): 3000,
        ("response", "left out"): 2,
        ("revisit", "seen again"): 1,
        ("damaged", "unreadable"): 1,
    }
    assert len(added["problems"]) == 3, "a line for each kind, and one for the page that is cut off"
    found = parsed(capsys, "search", "nests", "survey", "--no-semantic")["results"]
    assert {one["url"] for one in found} == {f"https://n.example/{name}" for name in ("a", "c", "copy")}
    _, out, _ = typed(capsys, "add", "nests", path, "--no-semantic")
    assert "3 known" in out and "left out: 3,000 request, 2 response" in out
