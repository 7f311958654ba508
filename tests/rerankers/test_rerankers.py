"""The contract of rerankers, for every one that exists: a score for each text, or a typed error."""

from __future__ import annotations

import json
from collections.abc import Generator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.errors import (
    EngineError,
    EngineFormat,
    EngineKeyRefused,
    EngineQuota,
    EngineUnavailable,
)
from inquest.kit.exchange import Reply, Request
from inquest.kit.reranker import (
    Reranker,
    RerankerAccess,
    ServiceReranker,
    rerankers,
    scores_in_order,
)

FOUND = rerankers("inquest.rerankers")
SERVICES = [each for each in FOUND.values() if issubclass(each, ServiceReranker)]
TEXTS = ["Dye in the river Veldra", "Recipes for spring", "The river rose"]
KEY = "a-secret/key+1"


def a_reply(body: object, status: int = 200, **headers: str) -> Reply:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    at = datetime(2024, 5, 1, tzinfo=UTC)
    return Reply(url="https://service.example/", status=status, headers=tuple(headers.items()), body=raw, at=at)


def results(*scores: float) -> dict[str, Any]:
    """The reply in the format of both services: best first, each with its index in the list that was sent."""
    ranked = sorted(enumerate(scores), key=lambda item: -item[1])
    return {"id": "1", "results": [{"index": place, "relevance_score": score} for place, score in ranked]}


def drive(asking: Generator[Request, Reply, Any], *answers: Reply | Exception) -> tuple[Any, list[Request]]:
    """The result of the generator, and its requests; an answer that is an error is thrown into it, as by a driver."""
    sent: list[Request] = []
    try:
        sent.append(next(asking))
        for answer in answers:
            request = asking.throw(answer) if isinstance(answer, Exception) else asking.send(answer)
            sent.append(request)
    except StopIteration as end:
        return end.value, sent
    raise AssertionError("it asked for more than it was answered")


def ready(kind: type[Reranker], **more: str) -> Reranker:
    return kind(RerankerAccess(key=KEY, **more))


def test_the_local_one_comes_first_and_needs_nothing() -> None:
    assert list(FOUND) == ["local", "cohere", "jina"]
    assert FOUND["local"]().lacks() is None
    assert [FOUND[name]().lacks() for name in ("cohere", "jina")] == [
        "needs a key: set COHERE_API_KEY",
        "needs a key: set JINA_API_KEY",
    ]


def test_the_local_one_asks_nobody_and_scores_each_text_in_its_place() -> None:
    scores, sent = drive(FOUND["local"]().rank("dye in the river", TEXTS))
    assert sent == []
    assert scores[0] > scores[2] > scores[1] == 0


@given(st.text(max_size=100), st.lists(st.text(max_size=100), max_size=8))
def test_the_local_one_has_a_score_between_nothing_and_one_for_any_text(query: str, texts: list[str]) -> None:
    scores, _ = drive(FOUND["local"]().rank(query, texts))
    assert len(scores) == len(texts)
    assert all(0 <= score <= 1 for score in scores)


@pytest.mark.parametrize("kind", SERVICES)
def test_a_service_is_asked_in_its_form_with_its_key_as_a_secret(kind: type[Reranker]) -> None:
    scores, (request,) = drive(ready(kind).rank("dye\nin the river", TEXTS), a_reply(results(0.9, 0.1, 0.4)))
    body = json.loads(request.body or b"")
    assert (request.method, body["query"], body["documents"]) == ("POST", "dye in the river", TEXTS)
    assert body["model"] == kind.spec.model
    assert dict(request.headers)["authorization"] == f"Bearer {KEY}"
    assert KEY in request.secrets
    assert scores == [0.9, 0.1, 0.4]


@pytest.mark.parametrize("kind", SERVICES)
def test_the_model_is_the_settings_where_they_name_one(kind: type[Reranker]) -> None:
    _, (request,) = drive(ready(kind, model="their-best").rank("dye", TEXTS), a_reply(results(0.9, 0.1, 0.4)))
    assert json.loads(request.body or b"")["model"] == "their-best"


@pytest.mark.parametrize("kind", SERVICES)
def test_many_texts_are_asked_in_several_calls_and_keep_their_order(kind: type[Reranker]) -> None:
    most = kind.spec.texts_per_call
    texts = [f"text {n}" for n in range(most + 2)]
    first, second = [n / 1000 for n in range(most)], [0.5, 0.25]
    scores, sent = drive(ready(kind).rank("text", texts), a_reply(results(*first)), a_reply(results(*second)))
    assert scores == [*first, *second]
    assert [len(json.loads(request.body or b"")["documents"]) for request in sent] == [most, 2]


@pytest.mark.parametrize("kind", SERVICES)
def test_empty_very_long_and_broken_texts_are_made_fit_to_send(kind: type[Reranker]) -> None:
    texts = ["", "word " * 10_000, "half a pair \ud800"]
    _, (request,) = drive(ready(kind).rank("dye \ud800", texts), a_reply(results(0.1, 0.2, 0.3)))
    sent = json.loads(request.body or b"")
    assert all(0 < len(text) <= kind.spec.characters_per_text for text in sent["documents"])
    assert sent["query"] == "dye ?"


@pytest.mark.parametrize("kind", SERVICES)
def test_without_a_text_or_a_query_nobody_is_asked(kind: type[Reranker]) -> None:
    assert drive(ready(kind).rank("dye", [])) == ([], [])
    assert drive(ready(kind).rank("  ", TEXTS)) == ([1.0, 1.0, 1.0], [])


GOOD = results(0.9, 0.1, 0.4)
MALFORMED: list[object] = [
    b"",
    b"<html><body>Service</body></html>",
    json.dumps(GOOD).encode()[:-20],
    [],
    None,
    {},
    {"results": None},
    {"results": {"0": 0.5}},
    {"results": []},
    results(0.9, 0.1),
    results(0.9, 0.1, 0.4, 0.2),
    {"results": [*GOOD["results"][:2], GOOD["results"][0]]},
    {"results": [*GOOD["results"][:2], {"index": 1}]},
    {"results": [*GOOD["results"][:2], {"index": 1, "relevance_score": "much"}]},
    {"results": [*GOOD["results"][:2], {"index": 1.5, "relevance_score": 0.1}]},
    {"results": [*GOOD["results"][:2], {"index": -1, "relevance_score": 0.1}]},
    {"results": [*GOOD["results"][:2], {"index": 1, "relevance_score": float("nan")}]},
    b"[" * 100_000,
]


@pytest.mark.parametrize("kind", SERVICES)
@pytest.mark.parametrize("body", MALFORMED, ids=range(len(MALFORMED)))
def test_a_malformed_reply_is_an_error_and_no_text_is_left_without_a_score(kind: type[Reranker], body: object) -> None:
    with pytest.raises(EngineFormat, match=kind.spec.title):
        drive(ready(kind).rank("dye", TEXTS), a_reply(body))


@pytest.mark.parametrize("kind", SERVICES)
@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (401, {"message": "invalid api token"}, EngineKeyRefused),
        (403, {}, EngineKeyRefused),
        (402, {}, EngineQuota),
        (429, {"message": "You are past the per minute request limit"}, EngineQuota),
        (422, {"detail": "Input validation", "message": "no such model"}, EngineFormat),
        (404, {"message": "model 'x' not found"}, EngineFormat),
        (500, {"message": "internal server error"}, EngineUnavailable),
        (503, b"<html>", EngineUnavailable),
        (200, {"message": "rate limit exceeded", "detail": "rate limit exceeded"}, EngineQuota),
    ],
)
def test_what_a_service_says_no_with_becomes_the_error_it_stands_for(
    kind: type[Reranker], status: int, body: object, error: type[EngineError]
) -> None:
    with pytest.raises(error) as raised:
        drive(ready(kind).rank("dye", TEXTS), a_reply(body, status))
    assert raised.value.who == kind.spec.name
    assert KEY not in str(raised.value)


@given(st.permutations(list(range(5))), st.lists(st.floats(-2, 3), min_size=5, max_size=5))
def test_scores_come_back_in_the_order_of_the_texts(order: list[int], scores: list[float]) -> None:
    written = [{"index": place, "relevance_score": scores[place]} for place in order]
    assert scores_in_order(written, 5) == [min(1.0, max(0.0, score)) for score in scores]
