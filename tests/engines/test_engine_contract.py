"""What every engine owes, checked of each file in `inquest.engines` without being told of any.

A new engine is covered as soon as its file and one recording exist. The first word of a recording's name says what it
must come to: results, empty, or the error key, quota, unavailable or format.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import inquest.engines
from inquest.domain.errors import EngineError, EngineFormat, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.discover import discover, engines
from inquest.kit.engine import Engine, EngineAccess
from inquest.kit.exchange import Reply, Request

RECORDINGS = Path(__file__).parent / "recordings"
FILES = sorted(RECORDINGS.glob("*/*.json"))
ENGINES = engines("inquest.engines")
KEY = "k3y&with=odd/characters+and-length"
ACCESS = EngineAccess(
    key=KEY,
    url="https://searx.example/",
    account="0a1b2c:vellmar",
    second_key="an0ther+secret-of/some-length",
    collections=("vellmar", "Case files/2"),
    contact="desk@newsroom.example",
)
KEY_NAMES = r"[A-Z][A-Z0-9_]*_(?:API_KEY|BEARER_TOKEN|ACCESS_TOKEN|CLIENT_ID)"
TOKEN = b'{"access_token": "t0ken", "token_type": "bearer", "expires_in": 86400}'
NOW = datetime(2026, 7, 15, 12, tzinfo=UTC)
ERRORS = {"key": EngineKeyRefused, "quota": EngineQuota, "unavailable": EngineUnavailable, "format": EngineFormat}


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def engine_of(path: Path) -> Engine:
    return ENGINES[path.parent.name](ACCESS)


def reply_of(path: Path) -> Reply:
    recorded = json.loads(path.read_text(encoding="utf-8"))
    response = recorded["response"]
    return Reply(
        url=recorded["request"]["url"],
        status=response["status"],
        headers=(("content-type", response["content_type"]),),
        body=response["body"].encode(),
        at=NOW,
    )


def drive(engine: Engine, reply: Reply, query: Query | None = None) -> list[Hit]:
    """Run the engine's generator, answering every request with the same reply; but one that signs in is let in."""
    flow = engine.search(query or Query(text="Vellmar dredging", limit=50))
    try:
        request = next(flow)
        while True:
            signs_in = request.url.endswith("/access_token") and reply.status < 300
            request = flow.send(replace(reply, body=TOKEN) if signs_in else reply)
    except StopIteration as end:
        hits: list[Hit] = end.value
        return hits


def assert_sound(hits: list[Hit], engine: Engine) -> None:
    for rank, hit in enumerate(hits, 1):
        assert (hit.rank, hit.engine) == (rank, engine.name)
        assert urlsplit(hit.url).scheme in ("http", "https", "collection", "file")
        assert urlsplit(hit.url).netloc or urlsplit(hit.url).scheme == "file"
        assert not re.search(r"[<>\x00-\x1f]", hit.url)
        assert "<b>" not in hit.title + hit.snippet
        assert "\x00" not in hit.title + hit.snippet
        assert Hit.model_validate_json(hit.model_dump_json()) == hit, "a hit survives being stored"


def hits_or_typed_error(engine: Engine, reply: Reply) -> list[Hit] | None:
    """The whole point: whatever comes back, hits or an error that has a name; anything else fails the test."""
    try:
        hits = drive(engine, reply)
    except EngineError as error:
        assert error.engine == engine.name
        assert KEY not in error.sentence
        return None
    assert_sound(hits, engine)
    return hits


# The files


def test_every_engine_file_names_its_engine() -> None:
    files = {path.stem for path in Path(inquest.engines.__file__).parent.glob("*.py")} - {"__init__"}
    for engine in discover("inquest.engines", Engine):  # type: ignore[type-abstract]
        file = engine.__module__.rpartition(".")[2]
        assert engine.spec.name == file or engine.spec.name.startswith(file + "_")
        files.discard(engine.spec.name)
    assert not files, "each file holds the engine of its name"


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_is_small(name: str) -> None:
    file = Path(inquest.engines.__file__).parent / f"{ENGINES[name].__module__.rpartition('.')[2]}.py"
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    sharing = sum(1 for engine in ENGINES.values() if engine.__module__ == ENGINES[name].__module__)
    assert len(lines) < 80 * sharing, "what is longer belongs in logic or in the kit"


@pytest.mark.parametrize("name", ENGINES)
def test_the_spec_is_sane(name: str) -> None:
    spec = ENGINES[name].spec
    assert spec.name == name
    assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
    assert spec.title
    assert spec.kinds
    assert ENGINES[name].__doc__
    assert spec.key is None or re.fullmatch(KEY_NAMES, spec.key)
    assert spec.second_key is None or re.fullmatch(r"[A-Z][A-Z0-9]*_CLIENT_SECRET", spec.second_key)
    assert spec.url_setting is None or re.fullmatch(r"INQUEST_[A-Z0-9_]+_URL", spec.url_setting)
    assert spec.account_setting is None or re.fullmatch(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+", spec.account_setting)
    assert spec.limits.per_second > 0
    assert 0 < spec.limits.timeout <= 60
    assert spec.usd_per_call >= 0
    if EngineKind.OWN not in spec.kinds:
        assert spec.homepage.startswith("https://")
        assert spec.documentation.startswith("https://")


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_says_what_it_lacks(name: str) -> None:
    spec = ENGINES[name].spec
    lacking = ENGINES[name]().lacks()
    needs = (spec.key and not spec.key_optional) or spec.url_setting or EngineKind.OWN in spec.kinds
    assert bool(lacking) == bool(needs)
    assert ENGINES[name](ACCESS).lacks() is None


# The requests

DATES = st.none() | st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
DOMAINS = st.lists(st.sampled_from(["example.org", "news.example", "x y", "a) OR (b", "", "ü.de"]), max_size=12)
QUERIES = st.builds(
    Query,
    text=st.text(max_size=300)
    | st.sampled_from(["https://port-vellmar.example/", '"half a phrase', "\ud800", "x" * 9000]),
    kinds=st.lists(st.sampled_from(EngineKind), max_size=3).map(tuple),
    exact=st.booleans(),
    since=DATES,
    until=DATES,
    language=st.none() | st.sampled_from(["en", "de", "zh", "xx", "pt-BR", "", "e/../", "ENG"]),
    domains=DOMAINS.map(tuple),
    exclude_domains=DOMAINS.map(tuple),
    limit=st.integers(-1, 5000),
)


def assert_valid(request: Request, key: str) -> None:
    parts = urlsplit(request.url)
    assert parts.scheme in ("https", "collection")
    assert parts.hostname
    assert request.url.isascii()
    assert not re.search(r"[\s\x00-\x1f]", request.url)
    assert len(request.url) < 8000
    assert request.method in ("GET", "POST")
    assert (request.body is not None) == (request.method == "POST")
    shown = f"{request.url} {request.headers} {(request.body or b'').decode()}"
    for secret in request.secrets:
        shown = shown.replace(secret, "")
    assert key not in shown, "all places of the key are known to the door"
    assert not request.secrets or key in request.secrets


@pytest.mark.parametrize("name", ENGINES)
@settings(max_examples=40, deadline=None)
@given(query=QUERIES)
def test_any_query_makes_a_valid_request(name: str, query: Query) -> None:
    engine = ENGINES[name](ACCESS)
    assert_valid(engine.request(query), KEY)
    assert_valid(next(engine.search(query)), KEY)


@pytest.mark.parametrize("name", [name for name in ENGINES if ENGINES[name].spec.key])
def test_a_key_travels_and_is_declared_secret(name: str) -> None:
    request = next(ENGINES[name](ACCESS).search(Query(text="dredging")))
    everywhere = f"{request.url} {request.headers} {request.body!r}"
    assert any(secret in everywhere for secret in request.secrets)
    assert KEY in request.secrets


@pytest.mark.parametrize("name", [name for name in ENGINES if ENGINES[name].spec.filters_time])
def test_an_engine_that_filters_by_time_sends_the_dates(name: str) -> None:
    query = Query(text="dredging", since=datetime(2023, 4, 5, tzinfo=UTC), until=datetime(2024, 6, 7, tzinfo=UTC))
    request, without = ENGINES[name](ACCESS).request(query), ENGINES[name](ACCESS).request(Query(text="dredging"))
    sent, unsent = (f"{asked.url} {(asked.body or b'').decode()}" for asked in (request, without))
    for year in ("2023", "2024"):
        assert year in sent
        assert year not in unsent


@pytest.mark.parametrize("name", [name for name in ENGINES if ENGINES[name].spec.filters_domains])
def test_an_engine_that_filters_by_domain_sends_the_domains(name: str) -> None:
    query = Query(text="dredging", domains=("vellmar.example",), exclude_domains=("port.example",))
    request = ENGINES[name](ACCESS).request(query)
    sent = f"{request.url} {(request.body or b'').decode()}"
    assert "vellmar.example" in sent
    assert "port.example" in sent


# The recordings


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_recording_comes_to_what_its_name_says(path: Path) -> None:
    outcome = path.stem.split("_")[0]
    engine, reply = engine_of(path), reply_of(path)
    if outcome in ERRORS:
        with pytest.raises(EngineError) as caught:
            drive(engine, reply)
        assert type(caught.value) is ERRORS[outcome]
        assert str(caught.value).endswith((".", ")"))
        return
    hits = drive(engine, reply)
    assert_sound(hits, engine)
    if outcome == "results":
        assert hits
        assert all(hit.title for hit in hits)
        assert any(hit.published for hit in hits)
        assert len({hit.url for hit in hits}) == len(hits) or engine.name == "collection"
    else:
        assert outcome == "empty"
        assert hits == []


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_has_results_and_an_empty_reply_recorded(name: str) -> None:
    outcomes = {path.stem.split("_")[0] for path in FILES if path.parent.name == name}
    assert {"results", "empty"} <= outcomes
    assert outcomes & set(ERRORS) or name == "serpapi"


def test_no_recording_is_left_without_an_engine() -> None:
    assert {path.parent.name for path in FILES} == set(ENGINES)
    assert [path for path in RECORDINGS.rglob("*") if path.is_file() and path not in FILES] == []


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_recording_has_the_form_and_carries_no_key(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    recorded = json.loads(text)
    assert set(recorded) == {"source", "request", "response"}
    assert set(recorded["request"]) == {"method", "url"}
    assert set(recorded["response"]) == {"status", "content_type", "body"}
    key_like = (
        r"(?:api_?key|token|authorization|bearer)[\"'=:\s]+[A-Za-z0-9_-]{12,}|\b(?:tvly|sk|BSA)-?[A-Za-z0-9]{16,}"
    )
    assert not re.search(key_like, text, re.IGNORECASE)


@pytest.mark.parametrize("path", [path for path in FILES if path.stem == "results"], ids=named)
def test_the_limit_of_a_query_is_kept(path: Path) -> None:
    assert len(drive(engine_of(path), reply_of(path), Query(text="x", limit=3))) == 3


# Malformed replies

STATUSES = {
    401: EngineKeyRefused, 402: EngineQuota, 403: EngineKeyRefused, 429: EngineQuota, 500: EngineUnavailable,
    502: EngineUnavailable, 503: EngineUnavailable,
}  # fmt: skip


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("status", STATUSES)
def test_a_bad_status_is_the_error_it_stands_for(name: str, status: int) -> None:
    reply = Reply(url="https://service.example/", status=status, body=b"<html>no</html>", at=NOW)
    with pytest.raises(STATUSES[status]):
        drive(ENGINES[name](ACCESS), reply)


@pytest.mark.parametrize("name", ENGINES)
def test_retry_after_is_handed_on(name: str) -> None:
    reply = Reply(url="https://service.example/", status=429, headers=(("retry-after", "17"),), body=b"", at=NOW)
    with pytest.raises(EngineQuota) as caught:
        drive(ENGINES[name](ACCESS), reply)
    assert caught.value.retry_after == 17


PAGE = b"<!DOCTYPE html><html><head><title>Welcome</title></head><body><p>Log in<br>to go on</body></html>"


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(
    "body", [PAGE, b"null", b"[1, 2]", b"42", b'"text"', b"{", b"\xff\xfe\x00", b"[" * 100_000, b'{"a": ' * 50_000]
)
def test_another_thing_with_status_200_is_a_format_error_and_never_nothing_found(name: str, body: bytes) -> None:
    with pytest.raises(EngineError) as caught:
        drive(ENGINES[name](ACCESS), Reply(url="https://service.example/", status=200, body=body, at=NOW))
    assert type(caught.value) is EngineFormat


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
            first = 1 if isinstance(data, list) else 0  # the head of a table is no item
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


ODD_VALUES: tuple[Any, ...] = (
    None, [], {}, "", 0, -1.5, True, "text", "<b>&amp;", "\x00\ud800", [None], [[]], {"a": None}, 10**400, float("inf"),
)  # fmt: skip


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if reply_of(path).body[:1] in (b"{", b"[")],
    ids=named,
)
def test_any_field_may_be_missing_or_of_any_type(path: Path) -> None:
    engine, reply = engine_of(path), reply_of(path)
    data = json.loads(reply.body.replace(b"\\,", b",").replace(b"\\&", b"&"))
    for place in _places(data):
        for value in ODD_VALUES:
            spoilt = deepcopy(data)
            _at(spoilt, place[:-1])[place[-1]] = value
            hits_or_typed_error(engine, replace(reply, body=json.dumps(spoilt).encode()))
        spoilt = deepcopy(data)
        del _at(spoilt, place[:-1])[place[-1]]
        hits_or_typed_error(engine, replace(reply, body=json.dumps(spoilt).encode()))
    for value in ODD_VALUES:
        nothing = _all_leaves(data, value)
        hits_or_typed_error(engine, replace(reply, body=json.dumps(nothing).encode()))


def _places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in the reply, of lists only the first two items."""
    steps = list(data) if isinstance(data, dict) else list(range(min(2, len(data)))) if isinstance(data, list) else []
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


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(FILES), st.integers(0, 10**6), st.binary(max_size=8), st.integers(0, 40))
def test_noise_in_a_reply_never_breaks_us(path: Path, at: int, noise: bytes, lost: int) -> None:
    reply = reply_of(path)
    at %= len(reply.body) + 1
    hits_or_typed_error(engine_of(path), replace(reply, body=reply.body[:at] + noise + reply.body[at + lost :]))


@pytest.mark.parametrize("charset", ["idna", "undefined", "hex", "no-such", "utf-16", "\x00", ""])
@pytest.mark.parametrize("name", ENGINES)
def test_a_charset_may_be_anything(name: str, charset: str) -> None:
    reply = reply_of(RECORDINGS / name / "results.json")
    hits_or_typed_error(
        ENGINES[name](ACCESS), replace(reply, headers=(("content-type", f"text/html; charset={charset}"),))
    )


BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
    b'<!ENTITY f SYSTEM "file:///etc/passwd">]><rss><channel><item><title>&b;&f;</title></item></channel></rss>'
)


@pytest.mark.parametrize("name", ["google_news", "bing_news", "arxiv"])
def test_a_feed_with_entities_is_refused_unread(name: str) -> None:
    with pytest.raises(EngineFormat):
        drive(ENGINES[name](ACCESS), Reply(url="https://service.example/", status=200, body=BOMB, at=NOW))
