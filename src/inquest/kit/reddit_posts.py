"""Posts and comments of Reddit as its API lists them ("things": t3 is a post, t1 a comment, t2 an account), in the
forms of the last ten years (reddit.com/dev/api; fields come and go)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote, urljoin

from inquest.domain.leads import Account, Post, PostKind
from inquest.domain.published import Published
from inquest.kit.exchange import Reply
from inquest.kit.fields import as_text, dated, dig, listing, mapping, number, web_url, whole
from inquest.kit.posts import flag, links, moment, tally
from inquest.text.regex import regex
from inquest.text.urls import registrable_domain

HANDLE = regex(r"[A-Za-z0-9_-]{1,30}")
"""What an account's name is made of; '[deleted]' is none."""

_SITE = "https://www.reddit.com/"
_BY_REDDIT = frozenset(("reddit", "anti_evil_ops", "content_takedown", "copyright_takedown", "community_ops"))
_LONGEST_LABEL = 60
_HOSTED_MEDIA = {"image": "photo", "hosted:video": "video", "rich:video": "video"}


@dataclass(frozen=True, slots=True)
class RedditPost:
    """One post or comment, read."""

    url: str
    title: str
    text: str
    published: Published | None
    post: Post


def read_post(item: object, now: datetime) -> RedditPost:
    """The post or comment of one item of a listing. Raises ValueError for another thing, or one without an address."""
    kind, fields = as_text(dig(item, "kind")), mapping(dig(item, "data"))
    if kind not in ("t3", "t1"):
        raise ValueError(f"a thing of kind {kind[:20]!r}, which is neither a post nor a comment")
    url = _address(fields, comment=kind == "t1")
    title = as_text(fields.get("title")) or as_text(fields.get("link_title"))
    text = as_text(fields.get("selftext" if kind == "t3" else "body"))
    published = dated(fields, "created_utc", now=now)
    post = _comment(fields) if kind == "t1" else _submission(fields, url)
    edited, gone = moment(fields.get("edited"), now=now), _gone(fields, text)
    post = post.model_copy(update={"edited": edited, "gone": gone, "labels": _labels(fields)})
    return RedditPost(url, title, "" if gone else text, published, post)


def read_account(reply: Reply) -> Account:
    """The account of a reply about one. Raises ValueError where it is none."""
    data = reply.json()
    fields = mapping(dig(data, "data"))
    handle = as_text(fields.get("name"))
    employee = True if fields.get("is_employee") is True else None
    if dig(data, "kind") != "t2" or not HANDLE.fullmatch(handle):
        raise ValueError("not an account")
    profile, parts = mapping(fields.get("subreddit")), (fields.get("link_karma"), fields.get("comment_karma"))
    counts = [part for part in (whole(part) for part in parts) if part is not None]
    total = whole(fields.get("total_karma"))
    return Account(
        handle=handle,
        name=as_text(profile.get("title")) or None,
        url=_profile(handle),
        # Its field 'verified' is about the account's mail address: it says nothing of who somebody is.
        verified=employee,
        verified_as="reddit employee" if employee else None,
        created=moment(fields.get("created_utc"), now=reply.at),
        followers=tally(profile.get("subscribers")),
        # Karma may be below zero. The total counts awards as well, where Reddit gives it.
        karma=total if total is not None else sum(counts) if counts else None,
        suspended=flag(fields.get("is_suspended")),
        description=as_text(profile.get("public_description")) or None,
    )


def _gone(fields: dict[str, Any], text: str) -> str | None:
    """Why its words are no longer shown. Reddit lists such posts on, with a placeholder for words and poster."""
    by = as_text(fields.get("removed_by_category"))
    if by in ("deleted", "author") or text == "[deleted]":
        return "deleted by its author"
    if by or text in ("[removed]", "[ Removed by moderator ]", "[ Removed by Reddit ]"):
        return "removed by Reddit" if by in _BY_REDDIT else "removed by moderators"
    # A post that is no text has no placeholder but the poster's.
    return "deleted with its account, or by its author" if as_text(fields.get("author")) == "[deleted]" else None


def _labels(fields: dict[str, Any]) -> tuple[str, ...]:
    flair = as_text(fields.get("link_flair_text"))
    return (flair[:_LONGEST_LABEL],) if flair else ()


def _address(fields: dict[str, Any], *, comment: bool) -> str:
    """The permanent link, without the marks of where it was listed."""
    given = fields.get("permalink")
    if comment and not given and isinstance(thread := fields.get("link_permalink"), str):
        given = f"{thread.rstrip('/')}/{as_text(fields.get('id'))}/"
    if not isinstance(given, str) or not given.strip():
        raise ValueError("a post without its permanent link")
    url = web_url(urljoin(_SITE, quote(given.strip(), safe="/:?=&%~+,;@!$'()*#-._")))
    if registrable_domain(url) != "reddit.com":
        raise ValueError("a permanent link that leads elsewhere")
    return url.split("?")[0].split("#")[0]


def _submission(fields: dict[str, Any], url: str) -> Post:
    crossposted = mapping(dig(fields, "crosspost_parent_list", 0))
    target = [] if fields.get("is_self") is True else [fields.get("url_overridden_by_dest") or fields.get("url")]
    return Post(
        network="reddit",
        id=as_text(fields.get("id")) or url,
        kind=PostKind.REPOST if crossposted or fields.get("crosspost_parent") else PostKind.ORIGINAL,
        account=_poster(fields.get("author")),
        original=_address_or_none(crossposted),
        original_account=_handle(crossposted.get("author")),
        links=tuple(link for link in links(target) if link.split("?")[0].rstrip("/") != url.rstrip("/")),
        media=_media(fields),
        likes=whole(fields.get("score")),
        reposts=tally(fields.get("num_crossposts")),
        replies=tally(fields.get("num_comments")),
        views=tally(fields.get("view_count")),
        upvote_ratio=_ratio(fields.get("upvote_ratio")),
        group=_group(fields),
    )


def _comment(fields: dict[str, Any]) -> Post:
    thread = links([fields.get("link_permalink")])
    to_post = as_text(fields.get("parent_id")).startswith("t3_")
    return Post(
        network="reddit",
        id=as_text(fields.get("id")),
        kind=PostKind.REPLY,
        account=_poster(fields.get("author")),
        original=thread[0] if thread else None,
        # Who is answered is only known where the thread's first post is: a comment is not in the list.
        original_account=_handle(fields.get("link_author")) if to_post else None,
        likes=None if fields.get("score_hidden") is True else whole(fields.get("score")),
        group=_group(fields),
    )


def _address_or_none(fields: dict[str, Any]) -> str | None:
    try:
        return _address(fields, comment=False)
    except ValueError:
        return None


def _handle(value: object) -> str | None:
    handle = as_text(value)
    return handle if HANDLE.fullmatch(handle) else None


def _profile(handle: str) -> str:
    return f"{_SITE}user/{handle}/"


def _poster(value: object) -> Account | None:
    handle = _handle(value)
    return Account(handle=handle, url=_profile(handle)) if handle else None


def _group(fields: dict[str, Any]) -> str | None:
    return as_text(fields.get("subreddit")) or as_text(fields.get("subreddit_name_prefixed")).removeprefix("r/") or None


def _ratio(value: object) -> float | None:
    ratio = number(value)
    return ratio if ratio is not None and 0 <= ratio <= 1 else None


def _media(fields: dict[str, Any]) -> tuple[str, ...]:
    gallery = len(listing(dig(fields, "gallery_data", "items")))
    if fields.get("is_gallery") is True or gallery:
        return ("photo",) * min(max(gallery, 1), 20)
    if fields.get("is_video") is True:
        return ("video",)
    hint = as_text(fields.get("post_hint"))
    return (_HOSTED_MEDIA[hint],) if hint in _HOSTED_MEDIA else ()
