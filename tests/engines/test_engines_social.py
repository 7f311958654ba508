"""What the networks and the fact checkers say of a lead: whose words, from whom, when, and what came of the check."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Generator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

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
from inquest.domain.leads import PAID_MARK, UNKNOWN_MARK, Account, PostKind
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.discover import engines
from inquest.kit.engine import Engine, EngineAccess
from inquest.kit.exchange import Reply, Request
from inquest.kit.reddit_posts import read_account
from inquest.kit.reddit_posts import read_post as read_reddit_post
from inquest.kit.x_posts import Joined, read_post

RECORDINGS = Path(__file__).parent / "recordings"
ENGINES = engines("inquest.engines")
SOCIAL = ("x", "reddit", "bluesky", "mastodon")
NOW = datetime(2026, 7, 15, 12, tzinfo=UTC)
ACCESS = EngineAccess(key="a-key-of-some-length", second_key="a-second-secret", url="https://social.example/")
KEYLESS = EngineAccess(url="https://social.example/")


def body_of(name: str, file: str = "results") -> Any:
    recorded = json.loads((RECORDINGS / name / f"{file}.json").read_text(encoding="utf-8"))
    return json.loads(recorded["response"]["body"])


def reply(body: Any, status: int = 200, **headers: str) -> Reply:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Reply(url="https://a.example/", status=status, headers=named, body=json.dumps(body).encode(), at=NOW)


def recorded(name: str, file: str = "results") -> list[Hit]:
    engine = ENGINES[name](ACCESS)
    return engine.parsed(reply(body_of(name, file)), engine.parse)


def asked(name: str, query: Query, access: EngineAccess = ACCESS) -> dict[str, str]:
    found = parse_qs(urlsplit(ENGINES[name](access).request(query).url).query)
    return {key: values[0] for key, values in found.items()}


class Conversation:
    """An engine's search, answered reply by reply."""

    def __init__(self, engine: Engine, query: Query) -> None:
        self.flow: Generator[Request, Reply, list[Hit]] = engine.search(query)
        self.requests = [next(self.flow)]
        self.hits: list[Hit] | None = None

    def answer(self, *replies: Reply | EngineError) -> Conversation:
        for one in replies:
            try:
                step = self.flow.throw(one) if isinstance(one, EngineError) else self.flow.send(one)
                self.requests.append(step)
            except StopIteration as end:
                self.hits = end.value
        return self


# Every network


@pytest.mark.parametrize("name", SOCIAL)
def test_each_hit_of_a_network_is_a_post_with_its_own_address(name: str) -> None:
    for hit in recorded(name):
        assert hit.post is not None
        assert hit.post.network == name
        assert hit.post.id
        assert urlsplit(hit.url).scheme == "https"
    assert ENGINES[name].spec.kinds == (EngineKind.SOCIAL,)


@pytest.mark.parametrize("name", SOCIAL)
def test_what_a_network_does_not_say_is_none(name: str) -> None:
    for hit in recorded(name):
        assert hit.post is not None
        for said in (hit.post.account and hit.post.account.name, hit.post.place, hit.post.group, hit.author):
            assert said != ""
        assert all(link.startswith(("http://", "https://")) for link in hit.post.links)


# X


def test_x_tells_originals_replies_quotes_and_reposts_apart() -> None:
    posts = [hit.post for hit in recorded("x") if hit.post]
    assert [post.kind.value for post in posts[:4]] == ["original", "reply", "quote", "repost"]
    assert posts[1].original == f"https://x.com/harbourwatch_v/status/{posts[0].id}"
    assert posts[1].original_account == "harbourwatch_v"
    assert posts[2].original_account == "PortVellmar"
    # The quoted post is not in the reply: its address holds, whose it is is not known.
    assert (posts[5].original, posts[5].original_account) == ("https://x.com/i/web/status/77", None)
    # A repost by its own words, where X names no other post.
    assert (posts[6].kind, posts[6].original, posts[6].original_account) == (PostKind.REPOST, None, "siltfan")


def test_a_repost_on_x_is_shown_with_the_whole_of_the_original() -> None:
    original, *_, repost = recorded("x")[:4]
    assert repost.snippet == original.snippet
    assert repost.post and repost.post.kind is PostKind.REPOST


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


def test_x_says_what_kind_of_mark_an_account_has() -> None:
    accounts = [hit.post.account for hit in recorded("x") if hit.post]
    marks = [(account.verified, account.verified_as) for account in accounts if account]
    assert marks[:5] == [(False, None), (True, "business"), (True, "paid mark"), (None, None), (True, "government")]


def test_x_reads_the_whole_of_a_long_post() -> None:
    assert recorded("x")[4].snippet.endswith("Ergebnis bis Freitag.")
    assert recorded("x")[4].language == "de"


def test_x_without_the_joined_parts_still_gives_address_and_time() -> None:
    hits = recorded("x", "results_bare")
    assert hits[0].url.startswith("https://x.com/i/web/status/")
    assert hits[0].post and hits[0].post.account is None and hits[0].post.likes is None
    assert hits[0].published is not None
    assert (hits[0].published.iso, hits[0].published.how) == ("2026-07-10T09:30:05Z", "the post's id")


@given(st.datetimes(min_value=datetime(2010, 12, 1), max_value=datetime(2026, 7, 14)))  # noqa: DTZ001
def test_the_id_of_a_post_on_x_holds_its_second(when: datetime) -> None:
    when = when.replace(tzinfo=UTC, microsecond=0)
    number = (int(when.timestamp() * 1000) - 1_288_834_974_657) << 22
    published = read_post({"id": str(number), "text": "x"}, Joined.of({}), NOW).published
    assert published is not None
    assert published.at == when


def test_an_id_from_before_they_held_the_time_gives_none() -> None:
    assert read_post({"id": "20", "text": "setting up"}, Joined.of({}), NOW).published is None


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
    item = {"id": ids[1], "text": "x", "created_at": "2026-07-10T09:40:00.000Z", "edit_history_tweet_ids": ids}
    edited = read_post(item, Joined.of({}), NOW)
    assert edited.published and (edited.published.at, edited.post.edited) == (first, last)
    never = read_post(item | {"edit_history_tweet_ids": [ids[1]]}, Joined.of({}), NOW)
    assert never.published and (never.published.at, never.post.edited) == (last, None)


@pytest.mark.parametrize("history", [None, "x", [], [None], [{}], ["a", "b"], ["77", None], ["1" * 60, "2" * 60]])
def test_a_history_of_edits_that_is_none_is_none(history: object) -> None:
    item = {"id": "2075512874070966273", "text": "x", "edit_history_tweet_ids": history}
    assert read_post(item, Joined.of({}), NOW).post.edited is None


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
    user = {"id": "1", "username": "tove", "verified": verified, "verified_type": kind}
    account = read_post({"id": "77", "author_id": "1"}, Joined.of({"includes": {"users": [user]}}), NOW).post.account
    assert account and account.verified_as == mark


# Reddit


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"selftext": "[removed]"}, "removed by moderators"),
        ({"selftext": "[deleted]", "author": "[deleted]"}, "deleted by its author"),
        ({"selftext": "", "removed_by_category": "deleted"}, "deleted by its author"),
        ({"selftext": "", "removed_by_category": "anti_evil_ops"}, "removed by Reddit"),
        ({"selftext": "", "is_self": False, "author": "[deleted]"}, "deleted with its account, or by its author"),
        ({"selftext": "It was [removed] from the shelf"}, None),
    ],
)
def test_what_was_taken_back_on_reddit_has_no_words(fields: dict[str, Any], why: str | None) -> None:
    data = {"id": "a", "title": "A title", "author": "tove", "permalink": "/r/x/comments/a/b/"} | fields
    read = read_reddit_post({"kind": "t3", "data": data}, NOW)
    assert read.post.gone == why
    assert not why or read.text == ""


def test_a_post_on_reddit_says_when_it_was_edited_and_what_the_community_calls_it() -> None:
    data = {"id": "a", "permalink": "/r/x/comments/a/b/", "edited": 1783690000.0, "link_flair_text": "Misleading"}
    post = read_reddit_post({"kind": "t3", "data": data}, NOW).post
    assert post.edited == datetime.fromtimestamp(1783690000, UTC)
    assert post.labels == ("Misleading",)
    for never in (False, True, None, "yes"):
        assert read_reddit_post({"kind": "t3", "data": data | {"edited": never}}, NOW).post.edited is None


def test_reddits_verified_is_about_a_mail_address_and_vouches_for_nobody() -> None:
    data = {"name": "tove", "verified": True, "has_verified_email": True, "is_suspended": True}
    account = read_account(reply({"kind": "t2", "data": data}))
    assert (account.verified, account.verified_as, account.suspended) == (None, None, True)


def signed_in() -> Conversation:
    talk = Conversation(ENGINES["reddit"](ACCESS), Query(text="Vellmar dredging", limit=20))
    return talk.answer(reply({"access_token": "t0ken-of-an-hour", "expires_in": 3600}), reply(body_of("reddit")))


def about(handle: str, **fields: Any) -> Reply:
    return reply({"kind": "t2", "data": {"name": handle, "created_utc": 1322552953.0, **fields}})


def test_reddit_signs_in_and_then_searches_with_the_token() -> None:
    token, search, account, *_ = signed_in().requests
    basic = dict(token.headers)["authorization"].removeprefix("Basic ")
    assert b64decode(basic) == b"a-key-of-some-length:a-second-secret"
    assert {"a-key-of-some-length", "a-second-secret", basic} <= set(token.secrets)
    for request in (search, account):
        assert dict(request.headers)["authorization"] == "Bearer t0ken-of-an-hour"
        assert request.secrets == ("t0ken-of-an-hour",)
    assert account.url == "https://oauth.reddit.com/user/mudlark_0/about?raw_json=1"


def test_reddit_asks_who_the_first_five_posters_are() -> None:
    talk = signed_in().answer(
        about("mudlark_0", link_karma=1, comment_karma=-3, subreddit={"title": "Mud", "subscribers": 9}),
        reply({"message": "Not Found", "error": 404}, 404),
        about("mudlark_2", total_karma=500, link_karma=1, is_employee=True, verified=True),
        about("mudlark_3"),
        about("mudlark_4", subreddit=None),
    )
    assert talk.hits is not None
    assert len(talk.requests) == 7, "a token, a search, and five accounts"
    accounts = [hit.post.account for hit in talk.hits if hit.post]
    first, gone, employee, bare = accounts[:4]
    assert first is not None
    assert (first.karma, first.created, first.name, first.followers) == (
        -2, datetime(2011, 11, 29, 7, 49, 13, tzinfo=UTC), "Mud", 9,
    )  # fmt: skip
    assert gone and (gone.handle, gone.created) == ("mudlark_1", None)
    assert employee and (employee.karma, employee.verified_as, employee.verified) == (500, "reddit employee", True)
    assert bare and bare.karma is None
    assert accounts[7] == first, "the same person posted twice"


@pytest.mark.parametrize("failure", [reply({"error": 429}, 429), EngineUnavailable("reddit", "It broke off.")])
def test_posts_that_are_found_are_not_lost_with_a_question_about_their_posters(failure: Reply | EngineError) -> None:
    talk = signed_in().answer(failure)
    assert talk.hits is not None
    assert len(talk.hits) == 10
    assert len(talk.requests) == 3, "and nobody else is asked about"


@pytest.mark.parametrize(
    ("token", "error"),
    [
        (reply({"message": "Unauthorized", "error": 401}, 401), EngineKeyRefused),
        (reply({"error": "invalid_grant"}), EngineKeyRefused),
        (reply({"token_type": "bearer"}), EngineFormat),
        (reply({"access_token": "a\r\nhost: evil"}), EngineFormat),
    ],
)
def test_reddit_without_a_token_is_an_outage(token: Reply, error: type[EngineError]) -> None:
    with pytest.raises(error):
        Conversation(ENGINES["reddit"](ACCESS), Query(text="x")).answer(token)


def test_reddit_wants_both_secrets() -> None:
    lacking = ENGINES["reddit"](EngineAccess(key="k")).lacks()
    assert lacking is not None
    assert "REDDIT_CLIENT_SECRET" in lacking


def test_reddit_searches_one_community_where_the_query_names_it() -> None:
    request = ENGINES["reddit"](ACCESS).request(Query(text="dredging r/Vellmar fine", limit=5))
    assert urlsplit(request.url).path == "/r/Vellmar/search"
    sent = parse_qs(urlsplit(request.url).query)
    assert (sent["q"], sent["restrict_sr"], sent["limit"]) == (["dredging fine"], ["1"], ["5"])
    assert urlsplit(ENGINES["reddit"](ACCESS).request(Query(text="or/and")).url).path == "/search"


def test_reddit_reads_posts_links_galleries_and_crossposts() -> None:
    posts = [hit.post for hit in recorded("reddit") if hit.post]
    assert posts[0].links == ()
    assert posts[1].links == ("https://www.vellmar-courier.example/2026/07/10/harbour-fine",)
    assert [post.media for post in posts[2:5]] == [("photo",), ("photo", "photo"), ("video",)]
    assert posts[5].account is None, "deleted"
    assert (posts[6].kind, posts[6].original_account, posts[6].group) == (PostKind.REPOST, "mudlark_0", "ports")
    assert (posts[7].likes, posts[7].upvote_ratio) == (-4, 0.21)


def test_a_comment_on_reddit_is_a_reply() -> None:
    first, second = recorded("reddit")[8:]
    assert first.post and second.post
    assert first.title == "Dredgers in the reserve, day 0"
    assert (first.post.kind, first.post.original_account, first.post.likes) == (PostKind.REPLY, "mudlark_0", 55)
    # It answers another comment, and nobody says whose; its votes are hidden.
    assert (second.post.original_account, second.post.likes) == (None, None)
    assert second.url == "https://www.reddit.com/r/Vellmar/comments/1abc0/dredgers_in_the_reserve_day_0/k2/"


def test_a_permanent_link_that_leads_elsewhere_is_none() -> None:
    engine = ENGINES["reddit"](ACCESS)
    item = {"kind": "t3", "data": {"permalink": "//evil.example/r/x", "title": "x"}}
    with pytest.raises(EngineFormat):
        engine.parsed(reply({"kind": "Listing", "data": {"children": [item]}}), engine.parse)


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


def test_bluesky_that_shuts_strangers_out_says_so() -> None:
    with pytest.raises(EngineKeyRefused) as caught:
        Conversation(ENGINES["bluesky"](), Query(text="x")).answer(reply("no", 403))
    assert "strangers" in str(caught.value)
    assert "--engines" in caught.value.advice


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


# Real replies, where they are at hand; those of searches are in test_shared_recordings.py


def test_what_somebody_said_on_reddit_is_read_as_replies(shared: Path) -> None:
    [path] = (shared / "recordings" / "reddit_user").glob("TestRedditorListings*.json")
    response = json.loads(path.read_text(encoding="utf-8"))["response"]
    engine = ENGINES["reddit"](ACCESS)
    hits = engine.parsed(replace(reply({}), body=response["body"].encode()), engine.parse)
    assert len(hits) == 100
    assert all(hit.title and hit.snippet and hit.published for hit in hits)
    assert {hit.post.kind for hit in hits if hit.post} == {PostKind.REPLY}
    assert all(hit.post.original and hit.post.group for hit in hits if hit.post)


def test_a_real_account_of_reddit(shared: Path) -> None:
    [path] = (shared / "recordings" / "reddit_user").glob("TestRedditor_test_friend*.json")
    response = json.loads(path.read_text(encoding="utf-8"))["response"]
    account = read_account(replace(reply({}), body=response["body"].encode()))
    assert (account.handle, account.karma, account.created) == (
        "PyAPITestUser3", 1, datetime(2011, 11, 29, 7, 49, 13, tzinfo=UTC),
    )  # fmt: skip
