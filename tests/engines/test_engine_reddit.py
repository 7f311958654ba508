"""Reddit's data on a lead: deleted posts, the author, and requests with a token."""

from __future__ import annotations

from base64 import b64decode
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from inquest.domain.errors import (
    EngineError,
    EngineFormat,
    EngineKeyRefused,
    EngineUnavailable,
)
from inquest.domain.search import Hit, PostKind, Query
from inquest.kit.engine import EngineAccess
from inquest.kit.exchange import Reply
from tests.engines.recorded_replies import (
    ACCESS,
    ENGINES,
    Conversation,
    body_of,
    recorded,
    reply,
)


def read(data: dict[str, Any]) -> Hit:
    engine = ENGINES["reddit"](ACCESS)
    listing = {"kind": "Listing", "data": {"children": [{"kind": "t3", "data": data}]}}
    [hit] = engine.parsed(reply(listing), engine.parse)
    return hit


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"selftext": "[removed]"}, "removed by moderators"),
        ({"selftext": "[deleted]", "author": "[deleted]"}, "deleted by its author"),
        ({"selftext": "", "removed_by_category": "deleted"}, "deleted by its author"),
        ({"selftext": "", "is_self": False, "author": "[deleted]"}, "deleted with its account, or by its author"),
        ({"selftext": "It was [removed] from the shelf"}, None),
    ],
)
def test_what_was_taken_back_on_reddit_has_no_words(fields: dict[str, Any], why: str | None) -> None:
    data = {"id": "a", "title": "A title", "author": "tove", "permalink": "/r/x/comments/a/b/"} | fields
    hit = read(data)
    assert hit.post and hit.post.gone == why
    assert not why or hit.snippet == ""


def test_a_post_on_reddit_says_when_it_was_edited_and_what_the_community_calls_it() -> None:
    data = {"id": "a", "permalink": "/r/x/comments/a/b/", "edited": 1783690000.0, "link_flair_text": "Misleading"}
    post = read(data).post
    assert post and post.edited == datetime.fromtimestamp(1783690000, UTC)
    assert post.labels == ("Misleading",)
    for never in (False, True, None, "yes"):
        post = read(data | {"edited": never}).post
        assert post and post.edited is None


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
        about("mudlark_2", total_karma=500, link_karma=1, is_employee=True),
        about("mudlark_3", verified=True, has_verified_email=True),
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
    assert bare and (bare.karma, bare.verified) == (None, None), "its verified is about a mail address"
    assert accounts[7] == first, "the same person posted twice"


@pytest.mark.parametrize("failure", [reply({"error": 429}, 429), EngineUnavailable("reddit", "It broke off.")])
def test_posts_that_are_found_are_not_lost_with_a_question_about_their_posters(failure: Reply | EngineError) -> None:
    talk = signed_in().answer(failure)
    assert talk.hits is not None
    assert len(talk.hits) == 8
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


def test_a_permanent_link_that_leads_elsewhere_is_none() -> None:
    engine = ENGINES["reddit"](ACCESS)
    item = {"kind": "t3", "data": {"permalink": "//evil.example/r/x", "title": "x"}}
    with pytest.raises(EngineFormat):
        engine.parsed(reply({"kind": "Listing", "data": {"children": [item]}}), engine.parse)


def test_reddit_wants_both_secrets() -> None:
    lacking = ENGINES["reddit"](EngineAccess(key="k")).lacks()
    assert lacking is not None
    assert "REDDIT_CLIENT_SECRET" in lacking
