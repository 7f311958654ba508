"""X (Twitter): posts of the last seven days from API v2's recent search; needs a bearer token.

The "includes" of a reply hold the accounts, posts, media and places that its posts refer to; any may be missing
(docs.x.com/x-api/fundamentals/data-dictionary).
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from inquest.domain.errors import EngineError, EngineQuota
from inquest.domain.search import PAID_MARK, UNKNOWN_MARK, Account, EngineKind, Hit, Post, PostKind, Query
from inquest.domain.value import Published
from inquest.kit.dialect import count, instant, language_of, with_key
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, each, listed, listing, mapping, number
from inquest.kit.posts import flag, links, moment, post_hit, tallies, terms
from inquest.text.dates import date_from_epoch, utc
from inquest.text.regex import regex

_WHOLE = {
    "tweet.fields": "author_id,created_at,edit_history_tweet_ids,entities,geo,lang,note_tweet,public_metrics,"
    "referenced_tweets,attachments,possibly_sensitive,withheld",
    "expansions": "author_id,referenced_tweets.id,referenced_tweets.id.author_id,attachments.media_keys,geo.place_id",
    "user.fields": "created_at,description,public_metrics,verified,verified_type",
    "media.fields": "type",
    "place.fields": "full_name",
}
"""The parameters for more than a post's id and text."""

_REACH, _MARGIN = timedelta(days=7), timedelta(minutes=1)

_KINDS = (("retweeted", PostKind.REPOST), ("replied_to", PostKind.REPLY), ("quoted", PostKind.QUOTE))
_VERIFIED_AS = {"blue": PAID_MARK, "business": "business", "government": "government"}
# The beginning of a repost's text, even if X does not name the original.
_REPOST = regex(r"RT @(\w{1,15}): ")
_OWN_MEDIA = regex(r"https://(?:x|twitter)\.com/\w+/status/\d+/(?:photo|video)/\d+")

# Ids since November 2010 contain the time: 22 bits follow the milliseconds since this moment (X's announcement of
# 'Snowflake'; the first such id is above 29 billion).
_FIRST_MILLISECOND = 1_288_834_974_657
_FIRST_TIMED_ID = 30_000_000_000
_A_POST, _AN_ACCOUNT = 0.005, 0.010
"""US dollars: docs.x.com/x-api/getting-started/pricing."""


@dataclass(frozen=True, slots=True)
class _Joined:
    """The included objects of a reply, by id."""

    accounts: Fields
    posts: Fields
    media: Fields
    places: Fields

    @classmethod
    def of(cls, data: object) -> _Joined:
        def by(name: str, key: str) -> Fields:
            items = [mapping(item) for item in listing(dig(data, "includes", name))]
            return {as_text(item.get(key)): item for item in items if as_text(item.get(key))}

        return cls(by("users", "id"), by("tweets", "id"), by("media", "media_key"), by("places", "id"))


class X(Engine):
    """Posts except plain reposts, which the originals count. Replies of the full-archive search have the same form."""

    spec = EngineSpec(
        name="x",
        title="X",
        kinds=(EngineKind.SOCIAL,),
        key="X_BEARER_TOKEN",
        homepage="https://x.com/",
        documentation="https://docs.x.com/x-api/posts/search/introduction",
        limits=Limits(per_second=0.5, concurrency=1),
        usd_per_call=0.15,  # ten posts and their accounts
        filters_time=True,
        sees_days=7,
        filters_language=True,
    )
    refused_in = (("errors", 0, "message"), ("detail",))

    def request(self, query: Query) -> Request:
        language = language_of(query.language)
        operators = ["-is:retweet", f"lang:{language}" if language else ""]
        parameters = {
            # A post must contain every word; a query has at most 512 characters.
            "query": " ".join([*" ".join(terms(query, most=8))[:400].split(), *operators]).strip(),
            "max_results": max(10, count(query, 100)),
            "sort_order": "relevancy",
            "start_time": instant(query.since),
            "end_time": instant(query.until),
            **_WHOLE,
        }
        return with_key(self.get("https://api.x.com/2/tweets/search/recent", parameters), self.access.key)

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        reply = yield self.request(query)
        if reply.status == 400 and (query.since or query.until):
            # Both ends must be within the last seven days, which only the time of the reply defines.
            within = _within_reach(query, reply.at)
            if within is None:
                message = "X's recent search reaches back seven days, and the query ends before that."
                raise EngineError(self.name, message, advice="Use an engine with older posts.")
            reply = yield self.request(within)
        return self.parsed(reply, self.parse)[: query.limit]

    def usd_of(self, reply: Reply) -> float:
        if not 200 <= reply.status < 300:
            return 0.0
        posts = (*listed(reply.json().get("data") or []), *listed(dig(reply.json(), "includes", "tweets") or []))
        accounts = listed(dig(reply.json(), "includes", "users") or [])
        return min(self.spec.usd_per_call, _A_POST * len(posts) + _AN_ACCOUNT * len(accounts))

    def check(self, reply: Reply) -> None:
        reset = number(reply.header("x-rate-limit-reset"))
        if reply.status == 429 and reset and not reply.header("retry-after"):
            wait = max(0.0, reset - reply.at.timestamp())
            raise EngineQuota(self.name, "X says its quota or rate limit is used up (429).", retry_after=wait)
        super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if "data" not in data and (data.get("errors") or data.get("title")):
            error = dig(data, "errors", 0)
            raise self.refusal(dig(error, "message") or dig(error, "detail") or data.get("detail") or data["title"])
        if "data" not in data and dig(data, "meta", "result_count") != 0:
            raise ValueError("neither posts nor an empty result")
        joined = _Joined.of(data)
        return self.hits(listed(data.get("data")), lambda item: self._hit(item, joined, reply))

    def _hit(self, item: object, joined: _Joined, reply: Reply) -> Hit:
        fields = mapping(item)
        id = _number(fields.get("id"))
        account = _account(joined.accounts.get(as_text(fields.get("author_id"))), reply.at)
        kind, other = _other(fields.get("referenced_tweets"))
        text, original = _text(fields), mapping(joined.posts.get(other))
        author = _account(joined.accounts.get(as_text(original.get("author_id"))), reply.at)
        original_handle = author.handle if author else None
        if kind in (PostKind.ORIGINAL, PostKind.REPOST) and (repost := _REPOST.match(text)):
            kind, original_handle = PostKind.REPOST, original_handle or repost[1]
        if kind is PostKind.REPOST and original:
            text = _text(original) or text
        metrics = mapping(fields.get("public_metrics"))
        published, edited = _moments(fields, id, reply.at)
        post = Post(
            network="x",
            id=id,
            kind=kind,
            account=account,
            original=_address(other, original_handle) if other else None,
            original_account=original_handle,
            links=links(_linked([fields, original] if kind is PostKind.REPOST else [fields])),
            media=_media(fields, joined) or (_media(original, joined) if kind is PostKind.REPOST else ()),
            **tallies(metrics, likes="like_count", reposts="retweet_count", replies="reply_count"),
            **tallies(metrics, quotes="quote_count", views="impression_count"),
            edited=edited.at if edited else None,
            labels=_labels(fields),
            place=as_text(dig(joined.places.get(as_text(dig(fields, "geo", "place_id"))), "full_name")) or None,
        )
        return post_hit(
            self,
            post,
            url=_address(id, account.handle if account else None),
            text=text,  # for a repost, the text of the original if included, as its own is cut short
            published=published,
            language=language_of(fields.get("lang")),
        )


def _number(value: object) -> str:
    """Return the id of a post, which its address needs. Raises ValueError if it is invalid."""
    number = as_text(value)
    if not re.fullmatch(r"[0-9]{1,20}", number):
        raise ValueError("a post without its id")
    return number


def _within_reach(query: Query, at: datetime) -> Query | None:
    """Limit the query's time range to that of the recent search, the last seven days; None if they do not overlap."""
    oldest = at - _REACH + _MARGIN
    if query.until and utc(query.until) <= oldest:
        return None
    since = max(utc(query.since), oldest) if query.since else None
    until = query.until if query.until and utc(query.until) < at - _MARGIN else None
    return query.model_copy(update={"since": since, "until": until})


def _address(number: str, handle: str | None) -> str:
    """Return the permanent link, which X also redirects without a name."""
    return f"https://x.com/{handle or 'i/web'}/status/{number}"


def _text(fields: Fields) -> str:
    """Return the full text; `text` is only the beginning of a long post."""
    return as_text(dig(fields, "note_tweet", "text")) or as_text(fields.get("text"))


def _time_in(number: str, now: datetime) -> Published | None:
    if int(number) < _FIRST_TIMED_ID:
        return None
    return date_from_epoch(((int(number) >> 22) + _FIRST_MILLISECOND) // 1000, now=now, how="the post's id")


def _moments(fields: Fields, number: str, now: datetime) -> tuple[Published | None, Published | None]:
    """Return the times of first posting and of the last edit. Each version of a post has its own id and date."""
    written = dated(fields, "created_at", now=now) or _time_in(number, now)
    versions = sorted(int(id) for id in map(as_text, listing(fields.get("edit_history_tweet_ids"))) if id.isdecimal())
    if len(versions) < 2:
        return written, None
    return _time_in(str(versions[0]), now) or written, _time_in(str(versions[-1]), now)


def _labels(fields: Fields) -> tuple[str, ...]:
    countries = [code for code in map(as_text, listing(dig(fields, "withheld", "country_codes"))) if code]
    withheld = f"withheld in {', '.join(countries[:10])}" if countries else ""
    return tuple(filter(None, ("possibly sensitive" if fields.get("possibly_sensitive") is True else "", withheld)))


def _other(references: object) -> tuple[PostKind, str]:
    """Return the kind of the post and the id of the other post; a reply that quotes another post is a reply."""
    named = {as_text(dig(each, "type")): as_text(dig(each, "id")) for each in listing(references)}
    for name, kind in _KINDS:
        if name in named:
            return kind, named[name] if re.fullmatch(r"[0-9]{1,20}", named[name]) else ""
    return PostKind.ORIGINAL, ""


def _linked(posts: list[Fields]) -> Iterable[object]:
    for fields in posts:
        for entities in (dig(fields, "note_tweet", "entities"), fields.get("entities")):
            for link in listing(dig(entities, "urls")):
                target = dig(link, "unwound_url") or dig(link, "expanded_url") or dig(link, "url")
                if not (isinstance(target, str) and _OWN_MEDIA.fullmatch(target)):
                    yield target


def _media(fields: Fields, joined: _Joined) -> tuple[str, ...]:
    keys = [as_text(key) for key in listing(dig(fields, "attachments", "media_keys"))]
    kinds = [as_text(kind) for kind in each([joined.media.get(key) for key in keys], "type")]
    return tuple(kind for kind in kinds if kind)


def _account(item: object, now: datetime) -> Account | None:
    fields = mapping(item)
    handle = as_text(fields.get("username")).removeprefix("@")
    if not re.fullmatch(r"\w{1,50}", handle, re.ASCII):
        return None
    return Account(
        handle=handle,
        name=as_text(fields.get("name")) or None,
        url=f"https://x.com/{handle}",
        # Since April 2023, the flag also marks paying accounts.
        verified=(verified := flag(fields.get("verified"))),
        verified_as=_VERIFIED_AS.get(as_text(fields.get("verified_type")), UNKNOWN_MARK if verified else None),
        created=moment(fields.get("created_at"), now=now),
        **tallies(
            mapping(fields.get("public_metrics")),
            followers="followers_count",
            following="following_count",
            posts="tweet_count",
        ),
        description=as_text(fields.get("description")) or None,
    )
