"""A small affair as reported on three networks, each in the format of its own API: authors, verified accounts, posts
that were edited, deleted, reposted and quoted, and one author who appears as several."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

from bench.simulated.server import Host, Told

__all__ = ["DAY", "EVERY_HOST", "X_POSTS", "Networks", "x_id"]

DAY = "2025-05-02"
_FIRST_MILLISECOND = 1_288_834_974_657


def x_id(at: str) -> str:
    """The id that X would give a post at that time of the day."""
    moment = datetime.fromisoformat(f"{DAY}T{at}:00+00:00")
    return str((int(moment.timestamp() * 1000) - _FIRST_MILLISECOND) << 22)


def _json(value: object, status: int = 200) -> Told:
    return Told(status, "application/json", json.dumps(value).encode())


# X


def _x_user(number: int, handle: str, made: str, *, mark: str | None = "none", **more: Any) -> dict[str, Any]:
    metrics = {"followers_count": 150, "following_count": 120, "tweet_count": 800, "listed_count": 1}
    kind = {} if mark is None else {"verified_type": mark}
    return {
        "id": str(number), "username": handle, "name": handle.title(), "description": "",
        "created_at": f"{made}T09:17:31.000Z", "verified": mark != "none", "public_metrics": metrics, **kind, **more,
    }  # fmt: skip


X_USERS = [
    _x_user(1, "tilda_r", "2014-02-01", mark="blue"),
    _x_user(2, "hollinpolice", "2011-05-01", mark="government"),
    _x_user(3, "lennradio", "2010-05-01", mark="business"),
    _x_user(4, "unknownmark", "2016-05-01", mark=None),
    _x_user(5, "echoing", "2018-05-01"),
    _x_user(6, "quoting", "2017-05-01"),
    _x_user(7, "corrects", "2015-05-01"),
    *(_x_user(10 + n, f"hollinvoice{n}", "2025-04-20") for n in range(1, 5)),
    _x_user(20, "bakes", "2012-05-01"),
]


def _x_post(author: int, at: str, text: str, **more: Any) -> dict[str, Any]:
    id_ = more.pop("id", x_id(at))
    metrics = {"retweet_count": 4, "reply_count": 1, "like_count": 9, "quote_count": 1, "impression_count": 400}
    return {
        "id": id_, "author_id": str(author), "created_at": f"{DAY}T{at}:00.000Z", "lang": "en", "text": text,
        "edit_history_tweet_ids": [id_], "public_metrics": metrics, **more,
    }  # fmt: skip


SAW = "I am standing at the gate of the Hollin paper mill, the night shift walked out in the strike, no machine runs"
X_POSTS = [
    _x_post(1, "06:20", SAW, attachments={"media_keys": ["3_1"]}, geo={"place_id": "p1"}),
    _x_post(2, "06:50", "Mill Road is closed to lorries because of the strike at the Hollin paper mill. Go round."),
    _x_post(3, "07:05", "The strike at the paper mill in Hollin has stopped both lines, its works council tells us."),
    _x_post(4, "07:15", "No rolls left the paper mill at Hollin today, drivers wait outside because of the strike"),
    _x_post(5, "06:31", f"RT @tilda_r: {SAW[:60]}…",
            referenced_tweets=[{"type": "retweeted", "id": x_id("06:20")}]),
    _x_post(6, "06:40", "So the strike at the Hollin paper mill is really happening, about time too",
            referenced_tweets=[{"type": "quoted", "id": x_id("06:20")}]),
    _x_post(7, "08:30", "Correction: the strike at the Hollin paper mill began at six and not at five, says my uncle",
            edit_history_tweet_ids=[x_id("08:10"), x_id("08:30")], id=x_id("08:30")),
    _x_post(11, "09:00", "Shame on the strike that ruins the Hollin paper mill, honest people pay for this greed"),
    _x_post(12, "09:02", "Hollin paper mill workers on strike again while families in town cannot pay their rent"),
    _x_post(13, "09:04", "Everybody I know in Hollin hates this paper mill strike, lazy lot, send them all home"),
    _x_post(14, "09:06", "A strike at the Hollin paper mill is sabotage and nothing else, the owner is so right"),
    _x_post(20, "09:30", "What a lovely recipe for lentils"),
]  # fmt: skip
X_REPLY = {
    "data": X_POSTS,
    "includes": {
        "users": X_USERS, "tweets": [X_POSTS[0]], "media": [{"media_key": "3_1", "type": "photo"}],
        "places": [{"id": "p1", "full_name": "Hollin, Lennshire"}],
    },
    "meta": {"result_count": len(X_POSTS)},
}  # fmt: skip


# Reddit


def _thing(id_: str, author: str, at: str, title: str, text: str = "", **more: Any) -> dict[str, Any]:
    made = datetime.fromisoformat(f"{DAY}T{at}:00+00:00").astimezone(UTC).timestamp()
    path = f"/r/hollin/comments/{id_}/a_post/"
    data = {
        "subreddit": "hollin", "id": id_, "name": f"t3_{id_}", "author": author, "title": title, "selftext": text,
        "permalink": path, "url": f"https://www.reddit.com{path}", "is_self": True, "created_utc": made,
        "edited": False,
        "score": 40, "upvote_ratio": 0.9, "num_comments": 12, "num_crossposts": 1, "link_flair_text": None,
        "removed_by_category": None,
    }  # fmt: skip
    return {"kind": "t3", "data": data | more}


_WORKS = "I work there on the second line of the paper mill. We left at six and both gates are shut now."
REDDIT_THINGS = [
    _thing("aa1", "pulp_and_paper", "07:40", "Strike at the Hollin paper mill", _WORKS),
    _thing("aa2", "links_only", "08:00", "Paper mill of Hollin stands still in a strike", is_self=False,
           url="https://valley-herald.example/mill", link_flair_text="Unconfirmed"),
    _thing("aa3", "sorry_now", "08:05", "Names of those who broke the Hollin paper mill strike", "[removed]",
           removed_by_category="moderator"),
    _thing("aa4", "passes_it", "08:20", "Strike at the Hollin paper mill", crosspost_parent="t3_aa1",
           crosspost_parent_list=[{"permalink": "/r/hollin/comments/aa1/a_post/", "author": "pulp_and_paper"}]),
    _thing("aa5", "[deleted]", "08:40", "My boss at the Hollin paper mill said this about the strike", "[deleted]"),
    _thing("aa6", "locked_out", "08:50", "Hollin paper mill strike: the union hands out soup at the north gate"),
]  # fmt: skip
REDDIT_ACCOUNTS: dict[str, dict[str, Any]] = {
    "pulp_and_paper": {"created_utc": 1400000000.0, "total_karma": 5400, "verified": True, "has_verified_email": True},
    "links_only": {"created_utc": 1745900000.0, "link_karma": 1, "comment_karma": -9, "verified": True},
    "locked_out": {"is_suspended": True},
}


# Bluesky


def _b_author(number: int, handle: str, **more: Any) -> dict[str, Any]:
    return {
        "did": f"did:plc:{number:024d}", "handle": handle, "displayName": handle, "labels": [],
        "createdAt": "2023-07-01T10:00:00.000Z", **more,
    }  # fmt: skip


def _b_post(number: int, author: dict[str, Any], at: str, text: str, **more: Any) -> dict[str, Any]:
    record = {"$type": "app.bsky.feed.post", "createdAt": f"{DAY}T{at}:00.000Z", "langs": ["en"], "text": text}
    record |= more.pop("record", {})
    return {
        "uri": f"at://{author['did']}/app.bsky.feed.post/3k{number}", "cid": f"bafy{number}", "author": author,
        "record": record, "indexedAt": f"{DAY}T{at}:01.000Z", "likeCount": 6, "repostCount": 2, "replyCount": 0,
        "quoteCount": 0, "labels": [], **more,
    }  # fmt: skip


_B = {
    "courier": _b_author(1, "coast-courier.example", verification={"verifiedStatus": "valid"}),
    "tilda": _b_author(2, "tildar.bsky.social"),
    "early": _b_author(3, "knewit.bsky.social"),
    "shy": _b_author(4, "shy.bsky.social", labels=[{"val": "!no-unauthenticated"}]),
    "quoter": _b_author(5, "quoter.bsky.social"),
}
BLUESKY_POSTS = [
    _b_post(1, _B["courier"], "07:30", "Our reporter counts sixty pickets before the Hollin paper mill in the strike"),
    _b_post(2, _B["tilda"], "07:45", "Still at the Hollin paper mill, the strike holds and the day shift came too"),
    _b_post(3, _B["early"], "10:00", "There will be a strike at the Hollin paper mill, mark my words, all of it stops",
            record={"createdAt": "2019-01-01T08:00:00.000Z"}),
    _b_post(4, _B["shy"], "08:15", "I should not say so but the strike at the Hollin paper mill is won already"),
    _b_post(5, _B["quoter"], "08:25", "Sixty pickets in the Hollin paper mill strike, imagine that on a Friday",
            labels=[{"val": "needs-context"}],
            record={"embed": {"$type": "app.bsky.embed.record",
                              "record": {"uri": f"at://{_B['courier']['did']}/app.bsky.feed.post/3k1", "cid": "c"}}}),
]  # fmt: skip


@dataclass
class Networks:
    """The networks as hosts. `failing`: replies that a host gives to every request."""

    x: Mapping[str, Any] = field(default_factory=lambda: X_REPLY)
    reddit: list[dict[str, Any]] = field(default_factory=lambda: REDDIT_THINGS)
    bluesky: list[dict[str, Any]] = field(default_factory=lambda: BLUESKY_POSTS)
    failing: Mapping[str, Told] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    @property
    def hosts(self) -> dict[str, Host]:
        return dict.fromkeys(EVERY_HOST, self._told)

    def _told(self, method: str, url: str, body: bytes) -> Told:
        self.asked.append(url)
        parts = urlsplit(url)
        if (host := parts.hostname or "") in self.failing:
            return self.failing[host]
        asked = parse_qs(parts.query)
        match host, parts.path.split("/")[1:]:
            case "oauth.reddit.com", ["user", name, "about"] if name not in REDDIT_ACCOUNTS:
                return _json({"error": 404}, 404)
            case where, path:
                return _json(self._of(where, path, asked))

    def _of(self, host: str, path: list[str], asked: Mapping[str, list[str]]) -> Any:
        match host, path:
            case "api.x.com", _:
                found: Any = self.x
            case "www.reddit.com", _:
                found = {"access_token": "t0ken-of-an-hour", "expires_in": 3600}
            case "oauth.reddit.com", ["user", name, "about"]:
                found = {"kind": "t2", "data": {"name": name, **REDDIT_ACCOUNTS[name]}}
            case "oauth.reddit.com", _:
                found = {"kind": "Listing", "data": {"children": self.reddit, "after": None}}
            case "api.bsky.app", [_, "app.bsky.actor.getProfiles"]:
                wanted = set(asked["actors"])
                people = [author for author in _B.values() if author["did"] in wanted]
                shown = [{**one, "followersCount": 300, "followsCount": 90, "postsCount": 500} for one in people]
                found = {"profiles": shown}
            case _:
                found = {"posts": self.bluesky}
        return found


EVERY_HOST = ("api.x.com", "www.reddit.com", "oauth.reddit.com", "api.bsky.app")
