"""The requests to services that may have a page that is not available to us, and the results of their replies."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.errors import EngineError, EngineFormat, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.domain.reasons import in_words
from inquest.kit.exchange import Reply, Request
from inquest.kit.second_reader import Copy, SecondReader
from inquest.second_readers.copies import JinaReader, WaybackCopies

NOW = datetime(2026, 2, 1, tzinfo=UTC)
PAGE = "https://courier.example/2024/quarry?id=7"
HTML = "<html><title>Quarry fined</title><p>The regulator fined the quarry.</p></html>"


def reply(body: str | bytes | dict[str, Any], status: int = 200, **headers: str) -> Reply:
    raw = json.dumps(body).encode() if isinstance(body, dict) else body.encode() if isinstance(body, str) else body
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Reply(url="https://service.example/", status=status, headers=named, body=raw, at=NOW)


def driven(reader: SecondReader, *replies: Reply) -> tuple[Copy | None, list[Request]]:
    conversation = reader.ask(PAGE)
    asked = [next(conversation)]
    try:
        for one in replies:
            asked += [conversation.send(one)]
    except StopIteration as end:
        return end.value, asked
    raise AssertionError("it wanted to ask more")


def closest(**changes: Any) -> dict[str, Any]:
    capture = {
        "available": True,
        "url": f"http://web.archive.org/web/20240305101500/{PAGE}",
        "timestamp": "20240305101500",
        "status": "200",
    }
    return {"url": PAGE, "archived_snapshots": {"closest": capture | changes}}


def test_the_archive_is_asked_for_the_bytes_as_they_were_captured() -> None:
    copy, asked = driven(WaybackCopies(), reply(closest()), reply(HTML, content_type="text/html"))
    assert [request.url for request in asked] == [
        "https://archive.org/wayback/available?url=https%3A%2F%2Fcourier.example%2F2024%2Fquarry%3Fid%3D7",
        f"https://web.archive.org/web/20240305101500id_/{PAGE}",
    ]
    assert copy is not None
    assert copy.reply.body == HTML.encode()
    assert copy.provenance == "archived copy web.archive.org 2024-03-05"
    assert "2024-03-05" in in_words(copy.note)


@pytest.mark.parametrize(
    "answers",
    [
        [reply({"url": PAGE, "archived_snapshots": {}})],
        [reply(closest(available=False))],
        [reply(closest(status="404"))],
        [reply(closest()), reply("gone", 404)],
    ],
)
def test_no_capture_is_none_and_no_error(answers: list[Reply]) -> None:
    assert driven(WaybackCopies(), *answers)[0] is None


def test_a_page_is_read_as_the_html_that_another_browser_saw() -> None:
    copy, (asked,) = driven(JinaReader("jina_secret"), reply({"code": 200, "data": {"url": PAGE, "html": HTML}}))
    assert json.loads(asked.body or b"") == {"url": PAGE}
    assert ("authorization", "Bearer jina_secret") in asked.headers
    assert "jina_secret" in asked.secrets
    assert copy is not None
    assert (copy.reply.body, copy.reply.content_type) == (HTML.encode(), "text/html; charset=utf-8")
    assert (copy.reply.url, copy.provenance) == (PAGE, "reader jina")


def test_without_a_key_none_is_sent_and_markdown_is_taken_where_there_is_no_html() -> None:
    copy, (asked,) = driven(JinaReader(), reply({"data": {"content": "# Quarry fined\n\nThe regulator."}}))
    assert not asked.secrets
    assert "Authorization" not in dict(asked.headers)
    assert copy is not None
    assert copy.reply.content_type.startswith("text/markdown")


@pytest.mark.parametrize(
    "answer",
    [
        reply({"data": {"html": "<html>Forbidden</html>", "warning": "Target URL returned error 403: Forbidden"}}),
        reply({"data": {"html": " ", "content": ""}}),
        reply({"data": None}),
        reply({"code": 451, "message": "blocked"}, 451),
        reply({"code": 422, "message": "could not be resolved"}, 422),
    ],
)
def test_a_page_that_bars_the_other_browser_too_is_none(answer: Reply) -> None:
    assert driven(JinaReader(), answer)[0] is None


@pytest.mark.parametrize("reader", [WaybackCopies(), JinaReader("k")])
@pytest.mark.parametrize(
    ("status", "error"),
    [(401, EngineKeyRefused), (429, EngineQuota), (503, EngineUnavailable), (418, EngineFormat)],
)
def test_a_service_that_says_no_is_an_outage_of_its_own(
    reader: SecondReader, status: int, error: type[EngineError]
) -> None:
    with pytest.raises(error) as met:
        driven(reader, reply("no", status))
    assert met.value.who == reader.name


@pytest.mark.parametrize("reader", [WaybackCopies(), JinaReader()])
@given(
    body=st.one_of(
        st.binary(max_size=40),
        st.recursive(
            st.none() | st.booleans() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["data", "html", "content", "archived_snapshots", "closest", "timestamp", "url"]),
                    inner,
                    max_size=4,
                )
            ),
            max_leaves=8,
        ).map(lambda value: json.dumps(value).encode()),
    )
)
def test_whatever_comes_in_it_is_a_copy_none_or_a_malformed_reply(reader: SecondReader, body: bytes) -> None:
    try:
        copy, _ = driven(reader, reply(body), reply(HTML))
    except (ValueError, LookupError, TypeError, AttributeError):
        return
    assert copy is None or copy.reply.body
