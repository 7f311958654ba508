"""For any reply of a service, an engine returns hits or raises a typed error; checked for each file in
`inquest.engines` with its recordings, broken in every way."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.errors import EngineError, EngineFormat, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.kit.exchange import Reply
from tests.engines.recorded_engines import (
    ACCESS,
    ENGINES,
    FILES,
    NOW,
    RECORDINGS,
    assert_sound,
    drive,
    engine_of,
    hits_or_typed_error,
    named,
    reply_of,
)

STATUSES = {
    401: EngineKeyRefused, 402: EngineQuota, 403: EngineKeyRefused, 429: EngineQuota, 500: EngineUnavailable,
    502: EngineUnavailable, 503: EngineUnavailable,
}  # fmt: skip


@pytest.mark.parametrize("name", ENGINES)
def test_a_bad_status_is_a_typed_error_that_keeps_retry_after(name: str) -> None:
    for status, error in STATUSES.items():
        with pytest.raises(error):
            drive(ENGINES[name](ACCESS), Reply(url="https://service.example/", status=status, body=b"<html>", at=NOW))
    reply = Reply(url="https://service.example/", status=429, headers=(("retry-after", "17"),), body=b"", at=NOW)
    with pytest.raises(EngineQuota) as caught:
        drive(ENGINES[name](ACCESS), reply)
    assert caught.value.retry_after == 17


PAGE = b"<!DOCTYPE html><html><head><title>Welcome</title></head><body><p>Log in<br>to go on</body></html>"


@pytest.mark.parametrize("name", ENGINES)
def test_another_document_with_status_200_is_a_format_error_and_never_nothing_found(name: str) -> None:
    for body in (PAGE, b"null", b"[1, 2]", b'"text"', b"{", b"\xff\xfe\x00", b"[" * 100_000):
        with pytest.raises(EngineError) as caught:
            drive(ENGINES[name](ACCESS), Reply(url="https://service.example/", status=200, body=body, at=NOW))
        assert type(caught.value) is EngineFormat


@pytest.mark.parametrize("name", ["sbti", "offsets"])
def test_a_malformed_index_of_companies_is_a_format_error_of_the_table_that_asked_it(name: str) -> None:
    (empty,) = [each for each in FILES if named(each) == f"{name}/empty"]
    entity = json.dumps({"data": [{"attributes": {"lei": "2549007VELLMAR000144", "entity": {"successorEntities": 7}}}]})
    for body in (PAGE, b"null", b"[1, 2]", b"{", entity.encode()):
        with pytest.raises(EngineFormat):
            drive(ENGINES[name](ACCESS), reply_of(empty), entities=body)


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_reply_that_breaks_off_never_breaks_us(path: Path) -> None:
    engine, reply = engine_of(path), reply_of(path)
    body = reply.body
    for cut in sorted({len(body) * part // 24 for part in range(24)} | {max(0, len(body) - 1), max(0, len(body) - 3)}):
        hits = hits_or_typed_error(engine, replace(reply, body=body[:cut]))
        if body.lstrip()[:1] in b"{[" or body.startswith(b"<?xml"):
            assert hits is None or cut == 0 or not body[cut:].strip(), "half a document is never taken for a whole one"


@pytest.mark.parametrize("path", [path for path in FILES if path.stem.startswith("results")], ids=named)
def test_one_bad_item_of_ten_leaves_the_others(path: Path) -> None:
    engine, reply = engine_of(path), reply_of(path)
    whole = engine.parsed(reply, engine.parse)
    for body in _with_one_bad_item(reply.body.decode()):
        hits = engine.parsed(replace(reply, body=body.encode()), engine.parse)
        assert_sound(hits, engine)
        assert len(hits) == len(whole) - 1
        assert {hit.url for hit in hits} < {hit.url for hit in whole}


BAD_ITEMS: tuple[Any, ...] = (None, 7, "text", [], {}, {"url": 5, "link": {}, "title": None})


def _with_one_bad_item(body: str) -> Iterator[str]:
    if body.startswith("<"):
        for mark in (r"<item>.*?</item>", r"<entry>.*?</entry>", r'<div class="result results_links_deep.*?</h2>'):
            items = list(re.finditer(mark, body, re.DOTALL))
            if items:
                broken = re.sub(r"<(link|id)>[^<]*</", r"<\1>nowhere</", items[4].group()).replace("href=", "hrefless=")
                yield body[: items[4].start()] + broken + body[items[4].end() :]
    elif body[0] not in "{[":
        lines = body.splitlines(keepends=True)
        yield "".join([*lines[:2], "example)/ not a capture\n", *lines[3:]])
    else:
        data = json.loads(body.replace("\\,", ",").replace("\\&", "&"))
        for path in _lists(data):
            first = 1 if isinstance(data, list) else 0  # the head of a table is not an item
            for bad in BAD_ITEMS:
                spoilt = deepcopy(data)
                items = _at(spoilt, path)
                items[first + 2] = bad
                yield json.dumps(spoilt)
            return


def _lists(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The lists of results: those of five items or more that hold objects or rows, outermost first."""
    if isinstance(data, list) and len(data) >= 5 and isinstance(data[1], dict | list):
        yield path
    elif isinstance(data, dict):
        for name, value in data.items():
            yield from _lists(value, (*path, name))


def _at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


ODD_VALUES: tuple[Any, ...] = (None, [], [None], {"a": None}, -1.5, "\x00\ud800", 10**400)
"""Values of each type, including the most awkward ones."""
ODD_EVERYWHERE: tuple[Any, ...] = (*ODD_VALUES, {}, "", 0, True, "text", "<b>&amp;", [[]], float("inf"))


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if path.stem == "results" and reply_of(path).body[:1] in (b"{", b"[")],
    ids=named,
)
def test_any_field_may_be_missing_or_of_any_type(path: Path) -> None:
    engine, reply = engine_of(path), reply_of(path)
    data = json.loads(reply.body.replace(b"\\,", b",").replace(b"\\&", b"&"))
    shapes: set[str] = set()
    for place in _places(data):
        shape = re.sub(r"\d+", "0", repr(place))
        if shape in shapes:  # as the fields of an item that is stored under its number
            continue
        shapes.add(shape)
        for value in (ODD_VALUES[len(shapes) % 7], ODD_VALUES[(len(shapes) + 3) % 7]):
            spoilt = deepcopy(data)
            _at(spoilt, place[:-1])[place[-1]] = value
            hits_or_typed_error(engine, replace(reply, body=json.dumps(spoilt).encode()))
        spoilt = deepcopy(data)
        del _at(spoilt, place[:-1])[place[-1]]
        hits_or_typed_error(engine, replace(reply, body=json.dumps(spoilt).encode()))
    for value in ODD_EVERYWHERE:
        nothing = _all_leaves(data, value)
        hits_or_typed_error(engine, replace(reply, body=json.dumps(nothing).encode()))


def _places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in the reply; for lists only the first regular item, which the head of a table is not."""
    steps = list(data) if isinstance(data, dict) else list(range(len(data)))[1:2] if isinstance(data, list) else []
    for step in steps:
        yield (*path, step)
        yield from _places(data[step], (*path, step))


def _all_leaves(data: Any, value: Any) -> Any:
    if isinstance(data, dict):
        return {name: _all_leaves(inner, value) for name, inner in data.items()}
    return [_all_leaves(inner, value) for inner in data] if isinstance(data, list) else value


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if reply_of(path).body[:1] == b"<"],
    ids=named,
)
def test_any_element_may_be_missing_empty_or_filled_with_something_else(path: Path) -> None:
    engine, reply = engine_of(path), reply_of(path)
    body = reply.body.decode()
    elements = list(re.finditer(r"<([A-Za-z:]+)[^<>]*>[^<>]*</\1>", body))[:30]
    for element in elements:
        name = element.group(1)
        for other in ("", f"<{name}></{name}>", f"<{name}/>", f"<{name}>5</{name}>", f"<{name}><x>&#233;</x></{name}>"):
            spoilt = body[: element.start()] + other + body[element.end() :]
            hits_or_typed_error(engine, replace(reply, body=spoilt.encode()))


@given(st.sampled_from(FILES), st.integers(0, 10**6), st.binary(max_size=8), st.integers(0, 40))
def test_noise_in_a_reply_never_breaks_us(path: Path, at: int, noise: bytes, lost: int) -> None:
    reply = reply_of(path)
    at %= len(reply.body) + 1
    hits_or_typed_error(engine_of(path), replace(reply, body=reply.body[:at] + noise + reply.body[at + lost :]))


@pytest.mark.parametrize("name", ENGINES)
def test_a_charset_may_be_anything(name: str) -> None:
    reply = reply_of(RECORDINGS / name / "results.json")
    for charset in ("idna", "no-such", "utf-16", "\x00"):
        of_charset = replace(reply, headers=(("content-type", f"text/html; charset={charset}"),))
        hits_or_typed_error(ENGINES[name](ACCESS), of_charset)


BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
    b'<!ENTITY f SYSTEM "file:///etc/passwd">]><rss><channel><item><title>&b;&f;</title></item></channel></rss>'
)


@pytest.mark.parametrize("name", ["google_news", "bing_news", "arxiv"])
def test_a_feed_with_entities_is_refused_unread(name: str) -> None:
    with pytest.raises(EngineFormat):
        drive(ENGINES[name](ACCESS), Reply(url="https://service.example/", status=200, body=BOMB, at=NOW))
