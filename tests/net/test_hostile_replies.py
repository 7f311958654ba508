"""Hostile contents in an engine's reply: too much data, addresses that run code, deceptive text."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest

from inquest.domain.errors import EngineError, EngineFormat
from inquest.domain.search import Hit, Query
from inquest.kit.engine import EngineAccess
from inquest.net.searcher import Searcher
from tests.engines.recorded_engines import ENGINES, NOW, Says
from tests.engines.recorded_engines import results_of as recorded
from tests.net.loopback import LoopbackWeb, a_door, engine, says_and_closes

ACCESS = EngineAccess(key="k" * 20, url="https://own.example/", account="a1b2c3", second_key="s" * 20,
                      collections=("vellmar",))  # fmt: skip
OUTSIDE = [name for name in ENGINES if name != "collection"]
HOSTILE = (
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "Fine\u202e txt.exe\u200b<script>alert(1)</script><b>bold</b>\x00 &lt;img src=x onerror=alert(1)&gt;",
    "9999-12-31T23:59:59Z",
    "0001-01-01",
    "https://xn--reuers-9nf.com/a\u202eb",
    "https://reuters\u200b.com/",
    "A" * 100_000,
)


async def hits(name: str, body: str, content_type: str) -> list[Hit]:
    door = Says(body.encode("utf-8", "replace"), content_type)
    try:
        return await Searcher({name: ENGINES[name](ACCESS)}, door).search(name, Query(text="AAPL quarry", limit=50))
    except EngineError:
        return []


def texts(value: Any) -> list[str]:
    """Every text in a hit, at any depth."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in texts(inner)]
    if isinstance(value, list | tuple):
        return [text for inner in value for text in texts(inner)]
    return [value] if isinstance(value, str) else []


def assert_harmless(found: list[Hit]) -> None:
    for hit in found:
        assert hit.url.startswith(("https://", "http://"))
        assert not {"\u202e", "\u200b"} & set(hit.url)
        assert len(hit.url) <= 2048
        shown = [hit.title, hit.snippet, hit.author or "", hit.publisher or ""]
        shown += texts({name: hit.model_dump()[name] for name in ("post", "work", "review", "filing", "figures")})
        for text in shown:
            assert "<script" not in text
            assert "<img" not in text
            assert len(text) <= 2048
            assert not [char for char in text if unicodedata.category(char) in ("Cc", "Cs") or char in "\u202e\u200b"]
        assert not hit.title.startswith(("javascript:<", "data:text/html,<"))
        assert hit.published is None or 1 <= hit.published.at.year <= NOW.year + 2


def spoilt(data: Any, shift: int, addresses: bool) -> Any:
    """The reply with hostile content in place of every text, varied with each shift; addresses only if requested."""
    if isinstance(data, dict):
        return {
            name: HOSTILE[(place + shift) % len(HOSTILE)]
            if isinstance(inner, str) and (addresses or "://" not in inner)
            else spoilt(inner, shift, addresses)
            for place, (name, inner) in enumerate(data.items())
        }
    return [spoilt(inner, shift, addresses) for inner in data] if isinstance(data, list) else data


JSON_ENGINES = [name for name in OUTSIDE if recorded(name)[0][:1] == "{"]


@pytest.mark.parametrize("name", JSON_ENGINES)
async def test_whatever_stands_in_a_field_no_hit_carries_it_on(name: str) -> None:
    body, content_type = recorded(name)
    data = json.loads(body.replace("\\,", ",").replace("\\&", "&"))
    for shift in range(len(HOSTILE)):
        assert_harmless(await hits(name, json.dumps(spoilt(data, shift, shift % 4 == 3)), content_type))


@pytest.mark.parametrize("name", OUTSIDE)
async def test_hundreds_of_results_are_read_no_further_than_asked(name: str) -> None:
    body, content_type = recorded(name)
    usual = await hits(name, body, content_type)
    grown = _grown(body)
    if grown is None:
        pytest.skip("its results are no JSON list")
    found = await hits(name, grown, content_type)
    assert found or not usual
    assert len(found) <= 50
    assert_harmless(found)


def _grown(body: str) -> str | None:
    if body[0] not in "{[":
        return None
    data = json.loads(body.replace("\\,", ",").replace("\\&", "&"))
    if isinstance(data, list) and isinstance(data[0], dict):
        return json.dumps(data * (200 // len(data)))
    for holder in _holders(data):
        for key, inner in holder.items():
            if isinstance(inner, list) and len(inner) >= 5 and isinstance(inner[0], dict):
                holder[key] = inner * (200 // len(inner))
                return json.dumps(data)
    return None


def _holders(data: Any) -> list[dict[str, Any]]:
    if not isinstance(data, dict):
        return []
    return [data, *(found for inner in data.values() for found in _holders(inner))]


async def test_a_reply_of_more_than_20_mb_is_no_answer() -> None:
    answer = says_and_closes(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 20000001\r\n\r\n{")
    from inquest.net.policy import RequestPolicy

    async with LoopbackWeb({"/x": answer}) as web, a_door(web, policy=RequestPolicy(attempts=1)) as door:
        with pytest.raises(EngineFormat, match="more than 20 MB"):
            await engine(door, web.url("/x"))
