"""Credibility of an account on a social network, and detection of accounts run by one operator."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from inquest.domain.leads import PAID_MARK, UNKNOWN_MARK, Account, AccountStanding
from inquest.sources.ratings_table import built_in_ratings, pattern_of
from inquest.text.dates import utc
from inquest.text.phrases import count
from inquest.text.regex import regex
from inquest.text.sentences import content_words, fold

_START = 50.0
_OLD_ENOUGH = 30
"""Fewest days of an account with a history."""
_ACTIVE = 50
"""Fewest posts, followers or karma of an account with a history, if its age is unknown."""
_AGES = ((30, -20.0), (180, -8.0), (365, 0.0), (3 * 365, 5.0), (None, 10.0))
_FOLLOWERS = ((10, -5.0), (500, 0.0), (10_000, 4.0), (None, 8.0))
_KARMA = ((0, -15.0), (50, -5.0), (1_000, 0.0), (10_000, 5.0), (None, 10.0))
_POSTS = ((5, -8.0), (200, 0.0), (None, 4.0))
"""Pairs of an upper limit and points; the first limit above a number applies."""
_MARKS = {PAID_MARK: 2.0, UNKNOWN_MARK: 0.0, "government": 20.0}
_VERIFIED = 15.0
_RANDOM_HANDLE = regex(r"^[a-z]+_?\d{5,}$|\d{8,}", re.I)
_NO_VOUCHER = (PAID_MARK, UNKNOWN_MARK)
_NO_WITNESS = frozenset("blog unknown social satire aggregator fabricator look_alike encyclopedia".split())
"""Categories of site whose address does not vouch for the account."""


class PosterCredibility(NamedTuple):
    """The credibility of an account, 0 to 100 (50 if nothing is known), with reasons."""

    score: float
    reasons: tuple[str, ...]


_Sign = tuple[float, str]


def poster_credibility(
    account: Account | None, at: datetime, *, same_text: int = 1, in_burst: bool = False
) -> PosterCredibility:
    """Rate an account at the time of its post. `same_text`: number of accounts that posted the same words; `in_burst`:
    True if they did so within minutes."""
    if account is None:
        return PosterCredibility(_START, ("The network does not show who posted it.",))
    signs = [*_standing(account), *_numbers(account, _days(account, at))]
    if same_text > 1:
        adds, soon = (-15.0, " within minutes") if in_burst else (-8.0, "")
        signs.append((adds, f"posted the same words as {count(same_text - 1, 'other account')}{soon}"))
    score = min(100.0, max(0.0, _START + sum(adds for adds, _ in signs)))
    ordered = sorted(signs, key=lambda sign: not sign[0])
    reasons = [f"@{account.handle} {reason}{f' ({adds:+g})' if adds else ''}." for adds, reason in ordered]
    return PosterCredibility(round(score, 1), tuple(reasons or [f"Only the name of @{account.handle} is known."]))


def standing_of(account: Account | None, at: datetime) -> AccountStanding:
    """The standing of the poster by what the network verifies. A badge that can be bought does not count."""
    if account is None:
        return AccountStanding.ANONYMOUS
    if (account.verified and account.verified_as not in _NO_VOUCHER) or _known_owner(account.domain):
        return AccountStanding.VERIFIED_ACCOUNT
    days = _days(account, at)
    active = max(account.karma or 0, account.posts or 0, account.followers or 0) >= _ACTIVE
    if active if days is None else days >= _OLD_ENOUGH:
        return AccountStanding.COMMUNITY_MEMBER
    return AccountStanding.ANONYMOUS


def _days(account: Account, at: datetime) -> int | None:
    """The age of the account; None if it is unknown, or the account is younger than the post."""
    days = (utc(at) - utc(account.created)).days if account.created else -1
    return days if days >= 0 else None


def _standing(account: Account) -> Iterator[_Sign]:
    if account.bot:
        yield -30.0, "declares itself a bot"
    if account.suspended:
        yield -25.0, "has been suspended by the network"
    if account.verified:
        mark = account.verified_as or ""
        yield _MARKS.get(mark, _VERIFIED), f"is verified{f' ({mark})' if mark else ''}"
    elif account.verified is None and account.domain:
        owner = _known_owner(account.domain)
        adds, kind = (_VERIFIED, f", a known site ({owner})") if owner else (3.0, "")
        yield adds, f"has shown that {account.domain} is its own{kind}"
    elif account.verified is False:
        yield 0.0, "is not verified"
    if _RANDOM_HANDLE.search(account.handle.split("@")[0]):
        yield -6.0, "has a name of letters and many digits"


def _known_owner(domain: str | None) -> str | None:
    """The category of the rated publisher or authority that owns the whole domain."""
    if not domain:
        return None
    row = built_in_ratings().rows.get(domain.lower().removeprefix("www.")) or pattern_of(f"https://{domain}/")
    return row.category.replace("_", " ") if row and row.category not in _NO_WITNESS else None


def _numbers(account: Account, days: int | None) -> Iterator[_Sign]:
    if days is not None:
        age = count(days, "day") if days < 60 else count(days // 30, "month")
        yield _points(days, _AGES), f"is {age if days < 730 else count(days // 365, 'year')} old"
    if account.followers is not None:
        following, text = account.following or 0, f"has {count(account.followers, 'follower')}"
        if following >= 1000 and account.followers * 20 < following:
            yield -8.0, f"{text} and follows {following:,} accounts"
        else:
            yield _points(account.followers, _FOLLOWERS), text
    if account.karma is not None:
        yield _points(account.karma, _KARMA), f"has a karma of {account.karma:,}"
    elif account.posts is not None:
        yield _points(account.posts, _POSTS), f"posted {count(account.posts, 'time')}"
    if account.posts is not None and days is not None and account.posts > 72 * max(1, days):
        yield -15.0, f"posts about {account.posts / max(1, days):.0f} times a day"


def _points(value: int, steps: tuple[tuple[int | None, float], ...]) -> float:
    return next(points for below, points in steps if below is None or value < below)


_SERIES = regex(r"(?P<stem>[a-z_-]*[a-z])[_-]?\d{1,8}")
_STEM = 4
"""Fewest letters of a stem; a shorter one may be a first name with a year of birth."""
_SAME_WEEK, _SAME_DAY, _NEW = timedelta(days=7), timedelta(days=1), timedelta(days=90)
_FEWEST_NEW, _FEWEST_OF_A_SERIES = 4, 2
_DESCRIBED = 5
"""Fewest content words of a description that two people would not write by chance."""
_DESCRIPTION = "they describe themselves in exactly the same words"
_NAMES = "their names are a series, and they were created within a week"
_MADE = "they were created within a day, shortly before they posted"


def one_operator(accounts: Mapping[str, tuple[Account, datetime | None]]) -> dict[str, tuple[str, str]]:
    """For each account that shares an operator with others, the alphabetically first of these accounts and the reason.
    `accounts`: by key, the account and the time of its post."""
    found: dict[str, tuple[str, str]] = {}
    for group, reason in _groups(accounts):
        known = {found[key][0] for key in group if key in found}
        first = min((*group, *known))
        found |= {key: (first, why) for key, (leader, why) in found.items() if leader in known}
        found |= {key: (first, found[key][1] if key in found else reason) for key in group}
    return found


def _groups(accounts: Mapping[str, tuple[Account, datetime | None]]) -> Iterator[tuple[list[str], str]]:
    described: dict[str, list[str]] = defaultdict(list)
    series: dict[str, list[tuple[datetime, str]]] = defaultdict(list)
    new: list[tuple[datetime, str]] = []
    for key, (account, posted) in sorted(accounts.items()):
        words = content_words(account.description or "")
        if len(words) >= _DESCRIBED:
            described[" ".join(words)].append(key)
        if account.created is None:
            continue
        made = utc(account.created)
        numbered = _SERIES.fullmatch(fold(account.handle).split("@")[0].split(".")[0])
        if numbered and len(numbered["stem"]) >= _STEM:
            series[numbered["stem"]].append((made, key))
        if posted is not None and timedelta() <= utc(posted) - made <= _NEW:
            new.append((made, key))
    yield from ((keys, _DESCRIPTION) for keys in described.values() if len(keys) > 1)
    for made_at in series.values():
        yield from ((keys, _NAMES) for keys in _made_within(made_at, _SAME_WEEK, _FEWEST_OF_A_SERIES))
    yield from ((keys, _MADE) for keys in _made_within(new, _SAME_DAY, _FEWEST_NEW))


def _made_within(made: list[tuple[datetime, str]], window: timedelta, fewest: int) -> Iterator[list[str]]:
    """Disjoint groups of at least `fewest` accounts that were created within the window."""
    rest = sorted(made)
    while rest:
        group = [key for at, key in rest if at - rest[0][0] <= window]
        if len(group) >= fewest:
            yield group
        rest = rest[len(group) if len(group) >= fewest else 1 :]
