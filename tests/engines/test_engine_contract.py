"""The requirements for every engine, checked automatically for each file in `inquest.engines`.

A new engine is covered as soon as its file and one recording exist. The first word of a recording's name gives the
expected result: results, empty, or the error key, quota, unavailable or format.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inquest.domain.errors import EngineError
from inquest.domain.search import ON_THIS_MACHINE, EngineKind, Query
from inquest.kit.exchange import Request
from tests.engines.recorded_engines import (
    ACCESS,
    ENGINES,
    ERRORS,
    FILES,
    KEY,
    KEY_NAMES,
    RECORDINGS,
    assert_sound,
    drive,
    engine_of,
    named,
    reply_of,
)

# The files


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
    needs = (spec.key and not spec.key_optional) or spec.url_setting or ON_THIS_MACHINE & set(spec.kinds)
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
    assert parts.scheme in ("https", "collection", "registry")
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
@example(query=Query(text="0"))  # a number that belongs to no company
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
