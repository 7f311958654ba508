"""Secrets: in nothing that is kept; and fingerprints that need none."""

from __future__ import annotations

import json
from dataclasses import replace
from urllib.parse import quote, quote_plus

from hypothesis import assume, given
from hypothesis import strategies as st

from inquest.kit.exchange import Purpose, Request
from inquest.net.redaction import PLACEHOLDER, fingerprint, redacted, redacted_text

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
    assume(redacted(replace(without, secrets=(key,))) == without)  # a key that is a word of the rest tears it apart
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
