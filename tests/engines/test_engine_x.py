"""X's data on a lead: whose words they are, author, time, and the account's badge."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.errors import (
    EngineError,
    EngineQuota,
)
from inquest.domain.search import PAID_MARK, UNKNOWN_MARK, Account, Hit, PostKind, Query
from tests.engines.recorded_replies import (
    ACCESS,
    ENGINES,
    NOW,
    Conversation,
    asked,
    body_of,
    recorded,
    reply,
)


def read(item: dict[str, Any], *users: dict[str, Any]) -> Hit:
    engine = ENGINES["x"](ACCESS)
    [hit] = engine.parsed(reply({"data": [item], "includes": {"users": [*users]}}), engine.parse)
    return hit


def test_x_tells_originals_replies_quotes_and_reposts_apart() -> None:
    posts = [hit.post for hit in recorded("x") if hit.post]
    assert [post.kind.value for post in posts[:4]] == ["original", "reply", "quote", "repost"]
    assert posts[1].original == f"https://x.com/harbourwatch_v/status/{posts[0].id}"
    assert posts[1].original_account == "harbourwatch_v"
    assert posts[2].original_account == "PortVellmar"
    # The quoted post is not in the reply: its address is valid, but its author is unknown.
    assert (posts[5].original, posts[5].original_account) == ("https://x.com/i/web/status/77", None)
    # A repost recognised by its own words, if X names no other post.
    assert (posts[6].kind, posts[6].original, posts[6].original_account) == (PostKind.REPOST, None, "siltfan")
    original, *_, repost, long = recorded("x")[:5]
    assert repost.snippet == original.snippet, "a repost is shown with the whole of the original"
    assert (long.snippet.endswith("Ergebnis bis Freitag."), long.language) == (True, "de")


def test_x_gives_account_metrics_links_media_and_place() -> None:
    hit = recorded("x")[0]
    assert hit.post is not None
    assert hit.url == f"https://x.com/harbourwatch_v/status/{hit.post.id}"
    assert hit.author == "Harbour Watch (@harbourwatch_v)"
    assert hit.post.account == Account(
        handle="harbourwatch_v",
        name="Harbour Watch",
        url="https://x.com/harbourwatch_v",
        verified=False,
        created=datetime(2012, 3, 4, 5, 6, 7, tzinfo=UTC),
        followers=4210,
        following=310,
        posts=18034,
        description="Volunteers who count barges & birds",
    )
    assert (hit.post.likes, hit.post.reposts, hit.post.replies, hit.post.quotes, hit.post.views) == (
        512, 230, 41, 9, 40100,
    )  # fmt: skip
    assert hit.post.links == ("https://harbour.example.org/log",), "its own picture is no link"
    assert hit.post.media == ("photo", "video")
    assert hit.post.place == "Vellmar, East Mole"


@given(st.datetimes(min_value=datetime(2010, 12, 1), max_value=datetime(2026, 7, 14)))  # noqa: DTZ001
def test_the_id_of_a_post_on_x_holds_its_second(when: datetime) -> None:
    when = when.replace(tzinfo=UTC, microsecond=0)
    number = (int(when.timestamp() * 1000) - 1_288_834_974_657) << 22
    published = read({"id": str(number), "text": "x"}).published
    assert published is not None
    assert published.at == when


def test_an_id_from_before_they_held_the_time_gives_none() -> None:
    assert read({"id": "20", "text": "setting up"}).published is None


def test_x_asks_for_originals_with_every_meaningful_word() -> None:
    sent = asked("x", Query(text="Is the port of Vellmar dredging? (2026)", language="de", limit=3))
    assert sent["query"] == "port Vellmar dredging 2026 -is:retweet lang:de"
    assert sent["max_results"] == "10", "the least it accepts"
    assert "author_id" in sent["expansions"]


def test_x_is_asked_again_within_its_seven_days() -> None:
    query = Query(text="Vellmar", since=NOW - timedelta(days=90), until=NOW + timedelta(days=1))
    refused = reply(body_of("x", "format_400"), 400)
    talk = Conversation(ENGINES["x"](ACCESS), query).answer(refused, reply(body_of("x")))
    again = parse_qs(urlsplit(talk.requests[1].url).query)
    assert again["start_time"] == ["2026-07-08T12:01:00Z"]
    assert "end_time" not in again
    assert talk.hits and len(talk.hits) == 10


def test_a_question_about_longer_ago_is_an_outage_on_x_and_not_nothing_found() -> None:
    query = Query(text="Vellmar", until=NOW - timedelta(days=30))
    with pytest.raises(EngineError, match="seven days"):
        Conversation(ENGINES["x"](ACCESS), query).answer(reply(body_of("x", "format_400"), 400))


def test_x_says_when_its_rate_is_free_again() -> None:
    engine = ENGINES["x"](ACCESS)
    with pytest.raises(EngineQuota) as caught:
        engine.check(reply({}, 429, x_rate_limit_reset=str(int(NOW.timestamp()) + 90)))
    assert caught.value.retry_after == 90


def test_an_edited_post_on_x_bears_the_date_of_its_first_words_and_that_of_its_last() -> None:
    first, last = datetime(2026, 7, 10, 9, 0, tzinfo=UTC), datetime(2026, 7, 10, 9, 40, tzinfo=UTC)
    ids = [str((int(at.timestamp() * 1000) - 1_288_834_974_657) << 22) for at in (first, last)]
    item: dict[str, Any] = {
        "id": ids[1],
        "text": "x",
        "created_at": "2026-07-10T09:40:00.000Z",
        "edit_history_tweet_ids": ids,
    }
    edited = read(item)
    assert edited.published and edited.post and (edited.published.at, edited.post.edited) == (first, last)
    never = read(item | {"edit_history_tweet_ids": [ids[1]]})
    assert never.published and never.post and (never.published.at, never.post.edited) == (last, None)


@pytest.mark.parametrize("history", [None, "x", [], [None], [{}], ["a", "b"], ["77", None], ["1" * 60, "2" * 60]])
def test_a_history_of_edits_that_is_none_is_none(history: object) -> None:
    item = {"id": "2075512874070966273", "text": "x", "edit_history_tweet_ids": history}
    post = read(item).post
    assert post and post.edited is None


@pytest.mark.parametrize(
    ("verified", "kind", "mark"),
    [
        (True, "blue", PAID_MARK), (True, "business", "business"), (True, "government", "government"),
        (True, None, UNKNOWN_MARK), (True, "something new", UNKNOWN_MARK), (False, "none", None), (None, None, None),
    ],
)  # fmt: skip
def test_a_flag_on_x_without_a_kind_that_is_known_is_a_mark_of_an_unknown_kind(
    verified: bool | None, kind: str | None, mark: str | None
) -> None:
    user: dict[str, Any] = {"id": "1", "username": "tove", "verified": verified, "verified_type": kind}
    post = read({"id": "77", "author_id": "1"}, user).post
    assert post and post.account and post.account.verified_as == mark
