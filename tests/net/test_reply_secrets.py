"""A reply that is itself a secret: returned to the caller, never stored, and no obstacle to a replay."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from inquest.domain.search import Query
from inquest.engines.social.reddit import Reddit
from inquest.kit.engine import EngineAccess
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.net.redaction import PLACEHOLDER, fingerprint, redacted, redacted_text, without_fields
from inquest.net.searcher import Searcher
from tests.net.loopback import LoopbackWeb, MemoryRecording, a_door, http, says

TOKEN = "eyJ0-a.very/secret+token_of_today"
NOW = datetime(2025, 3, 1, tzinfo=UTC)


def reply(body: bytes, **parts: Any) -> Reply:
    return Reply(**{"url": "https://a.example/token", "status": 200, "body": body, "at": NOW, **parts})


async def test_whoever_asks_is_given_it_and_nothing_keeps_it() -> None:
    recording = MemoryRecording()
    answer = says(http(200, json.dumps({"access_token": TOKEN, "expires_in": 86400}).encode(), "application/json"))
    async with LoopbackWeb({"/token": answer}) as web, a_door(web, recording=recording) as door:
        request = Request(url=web.url("/token"), reply_secrets=("access_token",))
        for case in ("c1", "c1", "c2"):
            view = door.for_case(case)
            assert (await view.fetch(request, purpose=Purpose.ENGINE, label="alpha")).json()["access_token"] == TOKEN
        assert len(web.asked) == 3, "it is asked live each time, never out of a recording"
        replayed = await door.for_case("c1", replay=True).fetch(request, purpose=Purpose.ENGINE, label="alpha")
    assert replayed.json() == {"access_token": PLACEHOLDER, "expires_in": 86400}
    assert TOKEN not in repr(recording.replies)


NAMES = st.sampled_from(["access_token", "refresh_token", "note"])
LEAVES = st.sampled_from([TOKEN, "fine", 7, None, ""])
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3))


@given(JSON)
def test_at_any_depth_and_nothing_else_is_touched(data: Any) -> None:
    kept = without_fields(reply(json.dumps(data).encode()), ("access_token", "refresh_token"))

    def expected(value: Any) -> Any:
        if isinstance(value, dict):
            secret = ("access_token", "refresh_token")
            return {
                name: PLACEHOLDER if name in secret and isinstance(inner, str) and inner else expected(inner)
                for name, inner in value.items()
            }
        return [expected(inner) for inner in value] if isinstance(value, list) else value

    text, whole = kept.body.decode(), json.dumps(expected(data))
    # A value that is secret in one place is removed everywhere else.
    for secret in (TOKEN, "fine"):
        if json.dumps(secret) not in whole or secret not in text:
            whole = whole.replace(secret, PLACEHOLDER)
    assert json.loads(text) == json.loads(whole)


@pytest.mark.parametrize("body", [b"<html>Sorry</html>", b'{"access_token": ', b"[" * 100_000, b"\xff\xfe\x00", b"42"])
def test_what_is_no_such_json_is_kept_as_it_is(body: bytes) -> None:
    assert without_fields(reply(body), ("access_token",)).body == body


def test_an_echo_in_the_address_or_a_header_is_struck_out_as_well() -> None:
    body = json.dumps({"access_token": TOKEN}).encode("utf-16")
    kept = without_fields(
        reply(body, url=f"https://a.example/?t={TOKEN}", headers=(("x-t", TOKEN),)), ("access_token",)
    )
    assert TOKEN not in repr(kept)
    assert kept.json() == {"access_token": PLACEHOLDER}


class HereReddit(Reddit):
    """The unchanged engine, with its requests sent to the loopback web."""

    base = ""

    def search(self, query: Query) -> Any:
        conversation = super().search(query)
        asked = next(conversation)
        try:
            while True:
                path = "/" + asked.url.split("/", 3)[3]
                got = yield Request(
                    url=self.base + path,
                    method=asked.method,
                    headers=asked.headers,
                    body=asked.body,
                    secrets=asked.secrets,
                    reply_secrets=asked.reply_secrets,
                )
                asked = conversation.send(got)
        except StopIteration as end:
            return end.value


async def test_a_case_of_reddit_is_replayed_without_any_key() -> None:
    post = {
        "kind": "t3",
        "data": {
            "id": "a1",
            "title": "The quarry again",
            "permalink": "/r/vellmar/comments/a1/the_quarry/",
            "created_utc": 1_700_000_000,
            "author": "wren_42",
        },
    }
    about = {"kind": "t2", "data": {"name": "wren_42", "total_karma": 7, "created_utc": 1_500_000_000}}
    listing = {"kind": "Listing", "data": {"children": [post]}}
    at = {
        "/api/v1/access_token": says(http(200, json.dumps({"access_token": TOKEN}).encode(), "application/json")),
        "/search": says(http(200, json.dumps(listing).encode(), "application/json")),
        "/user/wren_42/about": says(http(200, json.dumps(about).encode(), "application/json")),
    }
    recording, query = MemoryRecording(), Query(text="quarry")
    async with LoopbackWeb(at) as web, a_door(web, recording=recording) as door:
        engine = HereReddit(EngineAccess(key="an-app-of-ours", second_key="its-own-secret"))
        engine.base = web.url("")
        hits = await Searcher({"reddit": engine}, door.for_case("c1")).search("reddit", query)
        assert hits[0].post is not None
        assert hits[0].post.account is not None
        assert hits[0].post.account.karma == 7
        assert web.asked[1].headers["authorization"] == f"Bearer {TOKEN}"
        keyless = HereReddit(EngineAccess(key=PLACEHOLDER, second_key=PLACEHOLDER))
        keyless.base = web.url("")
        again = await Searcher({"reddit": keyless}, door.for_case("c1", replay=True)).search("reddit", query)
        assert again == hits
        assert len(web.asked) == 3
    kept = repr(recording.replies)
    assert not any(secret in kept for secret in (TOKEN, "an-app-of-ours", "its-own-secret"))


KEYS = st.text(min_size=4, max_size=40).filter(lambda key: key.isprintable() and key.strip() == key)


@given(KEYS)
def test_a_key_is_replaced_however_it_is_spelled(key: str) -> None:
    request = Request(
        url=f"https://api.example/search?q=a&key={quote_plus(key)}&again={quote(key, safe='')}",
        method="POST",
        headers=(("Authorization", f"Bearer {key}"), ("X-Weird", key)),
        body=json.dumps({"api_key": key}).encode(),
        secrets=(key,),
    )
    kept = redacted(request)
    without = Request(url="https://api.example/search?q=a&key=&again=", body=b'{"api_key": ""}')
    assume(redacted(replace(without, secrets=(key,))) == without)  # a key that is a word of the rest damages it
    assert kept.url == f"https://api.example/search?q=a&key={PLACEHOLDER}&again={PLACEHOLDER}"
    assert kept.headers == (("Authorization", PLACEHOLDER), ("X-Weird", PLACEHOLDER))
    assert kept.body == json.dumps({"api_key": PLACEHOLDER}).encode()
    assert kept.secrets == ()


def test_a_key_within_a_key_leaves_nothing_of_either() -> None:
    assert redacted_text("abcd abcd-efgh", ("abcd", "abcd-efgh")) == f"{PLACEHOLDER} {PLACEHOLDER}"


def test_what_is_too_short_for_a_key_tears_no_word_apart() -> None:
    assert redacted_text("a banana", ("a", "")) == "a banana"


def asked(**parts: object) -> str:
    request = Request(**{"url": "https://api.example/?q=a", **parts})  # type: ignore[arg-type]
    return fingerprint(redacted(request), Purpose.ENGINE)


def test_the_key_a_request_carries_makes_no_other_question_of_it() -> None:
    plain = asked()
    assert plain == asked(headers=(("Authorization", "Bearer one"),)) == asked(headers=(("x-api-key", "two"),))
    assert plain == asked(headers=(("User-Agent", "x"), ("X-Stainless-Retry-Count", "1"))) == asked(method="get")
    assert asked(url="https://api.example/?k=one1", secrets=("one1",)) == asked(
        url=f"https://api.example/?k={PLACEHOLDER}"
    )


def test_what_makes_another_question() -> None:
    questions = [
        asked(),
        asked(url="https://api.example/?q=b"),
        asked(method="POST"),
        asked(body=b"x"),
        asked(headers=(("Accept", "text/html"),)),
        asked(headers=(("Content-Type", "application/json"),)),
        fingerprint(Request(url="https://api.example/?q=a"), Purpose.PAGE),
    ]
    assert len(set(questions)) == len(questions)
    assert asked(url="https://api.example/?q=a#part") == questions[0]
