"""The networks' data on a lead: whose words they are, author and time. X and Reddit have their own files."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from inquest.domain.errors import (
    EngineKeyRefused,
)
from inquest.domain.search import EngineKind, Query
from tests.engines.recorded_replies import (
    ENGINES,
    KEYLESS,
    Conversation,
    asked,
    body_of,
    recorded,
    reply,
)

SOCIAL = ("x", "reddit", "bluesky", "mastodon")


# Every network


@pytest.mark.parametrize("name", SOCIAL)
def test_each_hit_of_a_network_is_a_post_and_what_the_network_does_not_say_is_none(name: str) -> None:
    assert ENGINES[name].spec.kinds == (EngineKind.SOCIAL,)
    for hit in recorded(name):
        assert hit.post is not None and (hit.post.network, bool(hit.post.id)) == (name, True)
        for said in (hit.post.account and hit.post.account.name, hit.post.place, hit.post.group, hit.author):
            assert said != ""
        assert all(link.startswith(("http://", "https://")) for link in hit.post.links)


@pytest.mark.parametrize(("name", "parameter"), [("x", "query"), ("bluesky", "q")])
def test_a_hashtag_is_sent_as_one(name: str, parameter: str) -> None:
    assert "#GarrowHarbour" in asked(name, Query(text="#GarrowHarbour"))[parameter]


# Bluesky


def test_bluesky_gives_kind_account_and_address() -> None:
    hits = recorded("bluesky")
    posts = [hit.post for hit in hits if hit.post]
    assert hits[0].url == "https://bsky.app/profile/courier.example/post/3kabc0"
    assert hits[0].identifiers["at"].startswith("at://did:plc:")
    assert [post.kind.value for post in posts[:4]] == ["original", "reply", "quote", "original"]
    assert posts[2].original_account == "courier.example"
    assert posts[2].original and posts[2].original.endswith("/post/3kabc0")
    assert (posts[0].links, posts[0].media) == (("https://harbour.example.org/log",), ("photo",))
    assert posts[6].links == ("https://www.vellmar-courier.example/fine",)
    assert posts[7].media == ("video",)
    account, plain = posts[0].account, posts[1].account
    assert account and plain
    assert (account.verified, account.verified_as) == (True, "domain courier.example")
    assert (plain.verified, plain.verified_as) == (None, None)
    assert posts[9].account and posts[9].account.bot is True


def test_a_date_on_bluesky_is_its_authors_word_and_held_against_the_networks() -> None:
    hits = recorded("bluesky")
    backdated, ahead, undated = hits[3], hits[4], hits[8]
    assert backdated.published and backdated.published.iso == "2019-01-01T08:00:00Z"
    assert backdated.details == {"first_seen": "2026-07-10T12:30:05+00:00"}
    assert ahead.published and ahead.published.iso == "2026-07-10T13:30:05Z", "nothing is written after it was seen"
    assert undated.published and undated.published.iso == "2026-07-10T17:30:05Z"
    assert hits[0].details == {}


def test_a_handle_that_no_longer_holds_is_not_shown() -> None:
    hit = recorded("bluesky")[5]
    assert hit.url.startswith("https://bsky.app/profile/did:plc:")
    assert hit.post and hit.post.account and hit.post.account.handle.startswith("did:plc:")


def test_bluesky_asks_once_who_all_the_posters_are() -> None:
    talk = Conversation(ENGINES["bluesky"](KEYLESS), Query(text="Vellmar"))
    talk.answer(reply(body_of("bluesky")))
    assert talk.requests[1].url.count("actors=") == 10
    profile = {"handle": "courier.example", "did": "did:plc:a", "followersCount": 12, "createdAt": "2023-05-01T00:00Z"}
    talk.answer(reply({"profiles": [profile, None, {"handle": 5}]}))
    assert talk.hits is not None
    first, second = (hit.post.account for hit in talk.hits[:2] if hit.post)
    assert first and first.followers == 12
    assert second and (second.handle, second.followers) == ("watcher1.bsky.social", None)


def test_a_bluesky_search_for_signed_in_users_only_is_reported() -> None:
    with pytest.raises(EngineKeyRefused) as caught:
        Conversation(ENGINES["bluesky"](), Query(text="x")).answer(reply("no", 403))
    assert "signed-in users" in str(caught.value)
    assert "other engines" in caught.value.advice


@pytest.mark.parametrize(
    ("on_post", "on_author", "seen"),
    [
        ([], [], True),
        ([{"val": "rumor"}], [], True),
        ([], [{"val": "!no-unauthenticated"}], False),
        ([], [{"val": "!no-unauthenticated", "neg": True}], True),
        ([{"val": "!takedown"}], [], False),
        ([{"val": 5}, None, "x"], None, True),
    ],
)
def test_who_wants_to_be_shown_to_nobody_unknown_is_not_shown(on_post: Any, on_author: Any, *, seen: bool) -> None:
    body = body_of("bluesky")
    post = body["posts"][0]
    post["labels"], post["author"]["labels"] = on_post, on_author
    engine = ENGINES["bluesky"](KEYLESS)
    hits = engine.parsed(reply(body | {"posts": [post]}), engine.parse)
    assert bool(hits) == seen
    if on_post == [{"val": "rumor"}]:
        assert hits[0].post and hits[0].post.labels == ("rumor",)


# Mastodon


def test_mastodon_gives_kind_account_and_address() -> None:
    hits = recorded("mastodon")
    posts = [hit.post for hit in hits if hit.post]
    assert [post.kind.value for post in posts[:5]] == ["original", "reply", "original", "repost", "quote"]
    assert hits[0].snippet == "Two barges off #Vellmar, dredging since six. Log: harbour.example.org/log"
    assert posts[0].links == ("https://harbour.example.org/log",), "neither hashtags nor people are links"
    assert posts[0].media == ("photo", "animated_gif")
    account = posts[0].account
    assert account is not None
    assert (account.handle, account.verified, account.verified_as) == (
        "gull0@social.example", None, "linked from courier.example",
    )  # fmt: skip
    assert account.created == datetime(2022, 11, 6, tzinfo=UTC)
    assert account.description == "Watches birds"
    assert posts[1].original_account == "gull0"
    assert posts[2].account and posts[2].account.handle == "tern@ocean.example"
    assert (posts[3].original, posts[3].original_account) == ("https://social.example/@gull0/0", "gull0@social.example")
    assert hits[5].snippet.startswith("Fish, dead Dredging")
    assert posts[5].account and posts[5].account.bot is True


def test_letters_of_the_tokens_owner_are_no_hits() -> None:
    assert recorded("mastodon", "empty_private") == []


def test_mastodon_with_a_token_searches_with_operators() -> None:
    query = Query(
        text="the dredging of Vellmar", language="en",
        since=datetime(2026, 7, 1, tzinfo=UTC), until=datetime(2026, 7, 9, tzinfo=UTC),
    )  # fmt: skip
    sent = asked("mastodon", query)
    assert sent["q"] == "dredging Vellmar language:en after:2026-06-30 before:2026-07-10"
    assert sent["type"] == "statuses"


def test_mastodon_without_a_token_reads_hashtags_and_keeps_what_fits() -> None:
    engine = ENGINES["mastodon"](KEYLESS)
    assert engine.lacks() is None
    query = Query(text="Vellmar dredging barge", limit=4)
    request = engine.request(query)
    assert urlsplit(request.url).path == "/api/v1/timelines/tag/Vellmardredgingbarge"
    assert parse_qs(urlsplit(request.url).query)["any[]"] == ["Vellmar", "dredging", "barge"]
    assert request.headers == ()
    statuses = body_of("mastodon", "results_hashtag")
    statuses[0]["content"] = "<p>#vellmar has nice ice cream</p>"
    talk = Conversation(engine, query).answer(reply(statuses))
    assert talk.hits is not None
    assert [hit.rank for hit in talk.hits] == [1, 2, 3, 4]
    assert not any("ice cream" in hit.snippet for hit in talk.hits)


def test_a_server_that_strangers_may_not_ask_wants_a_token() -> None:
    with pytest.raises(EngineKeyRefused) as caught:
        Conversation(ENGINES["mastodon"](KEYLESS), Query(text="x")).answer(reply(body_of("mastodon", "key_422"), 422))
    assert "MASTODON_ACCESS_TOKEN" in caught.value.advice
