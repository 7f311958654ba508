"""Every engine's keys: never in stored data, and without influence on a request's fingerprint."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inquest.domain.errors import EngineError
from inquest.domain.search import Query
from inquest.kit.engine import Engine, EngineAccess
from inquest.kit.exchange import Purpose, Request
from inquest.net.redaction import PLACEHOLDER, fingerprint, redacted
from inquest.net.searcher import Searcher
from tests.engines.recorded_engines import ENGINES, Says, results_of

KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=16, max_size=40).map(
    "k3y{}".format  # a key that is part of the address or a header's value would be hidden there as well
)


async def asked(engine: Engine, query: Query) -> list[Request]:
    """Every request of the conversation, as passed to the door."""
    body, content_type = results_of(engine.name)
    door = Says(body.encode(), content_type)
    try:
        await Searcher({engine.name: engine}, door).search(engine.name, query)
    except EngineError:
        assert door.asked, "it asked before it gave up"
    return door.asked


def an_access(key: str | None, more: str | None, contact: str | None = "desk@newsroom.example") -> EngineAccess:
    return EngineAccess(
        key=key, second_key=more, account=more, contact=contact, url="https://own.example/", collections=("vellmar",)
    )


def prints(requests: list[Request]) -> list[str]:
    return [fingerprint(redacted(request), Purpose.ENGINE) for request in requests]


@pytest.mark.parametrize("name", ENGINES)
@settings(max_examples=8)
@given(key=KEYS, other=KEYS, text=st.sampled_from(["quarry fine", "AAPL", "https://www.example.org/"]))
async def test_whose_key_it_is_makes_no_difference_and_no_key_is_kept(
    name: str, key: str, other: str, text: str
) -> None:
    query = Query(text=text, limit=5)
    second = key[::-1] + "-second"
    ours = await asked(ENGINES[name](an_access(key, second)), query)
    theirs = await asked(ENGINES[name](an_access(other, other[::-1], "someone@else.example")), query)
    nobodys = await asked(ENGINES[name](an_access(PLACEHOLDER, PLACEHOLDER, None)), query)
    assert prints(ours) == prints(theirs) == prints(nobodys)
    for request in ours:
        kept = redacted(request)
        shown = f"{kept.url} {kept.headers} {(kept.body or b'').decode()}"
        assert key not in shown
        assert second not in shown
        assert "desk@newsroom" not in shown


@pytest.mark.parametrize("name", [name for name in ENGINES if ENGINES[name].spec.key_optional and name != "mastodon"])
async def test_a_key_that_is_optional_does_not_change_the_question(name: str) -> None:
    query = Query(text="quarry fine", limit=5)
    with_key = await asked(ENGINES[name](an_access("k3y-of-somebody/else", None)), query)
    without = await asked(ENGINES[name](an_access(None, None)), query)
    assert prints(with_key) == prints(without)
