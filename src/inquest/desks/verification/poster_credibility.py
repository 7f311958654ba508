"""Credibility of an account on a social network, and accounts that look run by one operator.

The score begins at 50. What is not known lowers the certainty alone: most networks show little. Nobody outside a
network can prove whose an account is, so accounts are rather counted too few than too many.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from inquest.domain.leads import PAID_MARK, UNKNOWN_MARK, Account
from inquest.domain.social import AccountStanding, PosterCredibility
from inquest.sources.ratings_table import built_in_ratings, pattern_of
from inquest.text.dates import utc
from inquest.text.phrases import count
from inquest.text.regex import regex
from inquest.text.sentences import content_words, fold

_START = 50.0
_OLD_ENOUGH = 30
"""Days from which on an account has a history that can be looked at."""
_AGES = ((30, -20.0), (180, -8.0), (365, 0.0), (3 * 365, 5.0))
_OLD = 10.0
_RANDOM_HANDLE = regex(r"^[a-z]+_?\d{5,}$|\d{8,}", re.IGNORECASE)
"""As networks propose names, and as accounts are made by the hundred: letters and many digits."""
_NO_VOUCHER = (PAID_MARK, UNKNOWN_MARK)
_NO_WITNESS = frozenset("blog unknown social satire aggregator fabricator look_alike encyclopedia".split())
"""Kinds of site whose address does not vouch for whoever has it."""


class _Sign(NamedTuple):
    """The effect of one known fact on the score. `weight`: how much of the certainty it makes up."""

    adds: float
    weight: float
    reason: str


_WEIGHTS = {"age": 0.25, "followers": 0.15, "verified": 0.2, "history": 0.2, "identity": 0.1, "pattern": 0.1}
"""Facts that can be known of an account, with their shares of the certainty: 1 in all."""


_MARKS = {
    PAID_MARK: _Sign(2.0, _WEIGHTS["verified"], "has a mark that can be bought"),
    UNKNOWN_MARK: _Sign(0.0, _WEIGHTS["verified"] / 2, "has a mark that may have been bought"),
    "government": _Sign(20.0, _WEIGHTS["verified"], "is verified as an account of a public body"),
}


def poster_credibility(
    account: Account | None, at: datetime, *, same_text: int = 1, in_burst: bool = False
) -> PosterCredibility:
    """The credibility of an account at the moment of its post, 0 to 100, with certainty and reasons.

    `same_text`: how many accounts posted the very same words; `in_burst`: whether it did so within minutes of them.
    """
    if account is None:
        return PosterCredibility(score=_START, certainty=0.0, reasons=("The network does not show who posted it.",))
    signs = [*_age(account, at), *_standing(account), *_reach(account), *_history(account, at), *_identity(account)]
    if same_text > 1:
        others = count(same_text - 1, "other account")
        adds, soon = (-15.0, " within minutes") if in_burst else (-8.0, "")
        signs.append(_Sign(adds, 0.0, f"posted the same words as {others}{soon}"))
    score = min(100.0, max(0.0, _START + sum(sign.adds for sign in signs)))
    reasons = [f"@{account.handle} {sign.reason} ({sign.adds:+g})." for sign in signs if sign.adds]
    reasons += [f"@{account.handle} {sign.reason}." for sign in signs if not sign.adds]
    if not reasons:
        reasons = [f"Nothing is known of @{account.handle} but the name."]
    certainty = min(1.0, sum(sign.weight for sign in signs))
    return PosterCredibility(score=round(score, 1), certainty=round(certainty, 2), reasons=tuple(reasons))


def standing_of(account: Account | None, at: datetime) -> AccountStanding:
    """The standing of the poster, as far as the network vouches for it. A mark that can be bought does not count."""
    if account is None:
        return AccountStanding.ANONYMOUS
    if (account.verified and account.verified_as not in _NO_VOUCHER) or _known_owner(account.domain):
        return AccountStanding.VERIFIED_ACCOUNT
    days = _days(account, at)
    if days is not None and days >= _OLD_ENOUGH:
        return AccountStanding.COMMUNITY_MEMBER
    if days is None and ((account.karma or 0) >= 50 or (account.posts or 0) >= 50 or (account.followers or 0) >= 50):
        return AccountStanding.COMMUNITY_MEMBER
    return AccountStanding.ANONYMOUS


def _days(account: Account, at: datetime) -> int | None:
    """The age of the account; None where that is not known, or it is younger than its own post."""
    if account.created is None:
        return None
    days = (utc(at) - utc(account.created)).days
    return days if days >= 0 else None


def _age(account: Account, at: datetime) -> Iterator[_Sign]:
    days = _days(account, at)
    if days is None:
        return
    age = count(days, "day") if days < 60 else count(days // 30, "month") if days < 730 else count(days // 365, "year")
    adds = next((adds for most, adds in _AGES if days < most), _OLD)
    yield _Sign(adds, _WEIGHTS["age"], f"is {age} old")


def _standing(account: Account) -> Iterator[_Sign]:
    weight = _WEIGHTS["verified"]
    if account.bot:
        yield _Sign(-30.0, 0.0, "declares itself a bot")
    if account.suspended:
        yield _Sign(-25.0, 0.0, "has been suspended by the network")
    if account.verified is None:
        if account.domain:
            owner = _known_owner(account.domain)
            adds, kind = (15.0, f", a known site ({owner})") if owner else (3.0, "")
            yield _Sign(adds, weight, f"has shown that {account.domain} is its own{kind}")
    elif not account.verified:
        yield _Sign(0.0, weight, "is not verified")
    else:
        mark = account.verified_as or ""
        kind = f" ({mark})" if mark else ""
        yield _MARKS.get(mark, _Sign(15.0, weight, f"is verified{kind}"))


def _known_owner(domain: str | None) -> str | None:
    """Which kind of publisher or authority the whole domain belongs to, where a table or the registry's rules know."""
    if not domain:
        return None
    row = built_in_ratings().rows.get(domain.lower().removeprefix("www.")) or pattern_of(f"https://{domain}/")
    return row.category.replace("_", " ") if row and row.category not in _NO_WITNESS else None


def _reach(account: Account) -> Iterator[_Sign]:
    followers, following = account.followers, account.following
    if followers is None:
        return
    text = f"has {count(followers, 'follower')}"
    if following is not None and following >= 1000 and followers * 20 < following:
        yield _Sign(-8.0, _WEIGHTS["followers"], f"{text} and follows {following:,} accounts")
    elif followers < 10:
        yield _Sign(-5.0, _WEIGHTS["followers"], text)
    else:
        yield _Sign(8.0 if followers >= 10_000 else 4.0 if followers >= 500 else 0.0, _WEIGHTS["followers"], text)


def _history(account: Account, at: datetime) -> Iterator[_Sign]:
    weight = _WEIGHTS["history"]
    if account.karma is not None:
        steps = ((0, -15.0), (50, -5.0), (1_000, 0.0), (10_000, 5.0))
        adds = next((adds for below, adds in steps if account.karma < below), 10.0)
        yield _Sign(adds, weight, f"has a karma of {account.karma:,}")
    elif account.posts is not None:
        text = f"posted {count(account.posts, 'time')}" if account.posts else "never posted before"
        yield _Sign(-8.0 if account.posts < 5 else 4.0 if account.posts >= 200 else 0.0, weight, text)
    days = _days(account, at)
    if account.posts is not None and days is not None:
        a_day = account.posts / max(1, days)
        text = f"posts about {a_day:.0f} times a day" if a_day >= 1 else "posts less than once a day"
        yield _Sign(-15.0 if a_day > 72 else 0.0, _WEIGHTS["pattern"], text)


def _identity(account: Account) -> Iterator[_Sign]:
    if _RANDOM_HANDLE.search(account.handle.split("@")[0]):
        yield _Sign(-6.0, _WEIGHTS["identity"] / 2, "has a name of letters and many digits")
    named = ["shows a full name"] if len((account.name or "").split()) >= 2 else []
    shown = [*named, *(["says who it is"] if account.description else [])]
    if shown:
        yield _Sign(2.0 * len(shown), _WEIGHTS["identity"], " and ".join(shown))


_SERIES = regex(r"(?P<stem>[a-z_-]*[a-z])[_-]?\d{1,8}")
_STEM = 4
"""Letters of a stem that is nobody's first name with a year of birth by chance."""
_SAME_WEEK = timedelta(days=7)
_SAME_DAY = timedelta(days=1)
_NEW = timedelta(days=90)
_FEWEST_NEW, _FEWEST_OF_A_SERIES = 4, 2
"""Accounts of one kind below which it may be chance. Old accounts of one day are no sign: networks grow in waves."""
_DESCRIBED = 5
"""Carrying words of a description from which on two people do not write the same by chance."""


def one_operator(accounts: Mapping[str, tuple[Account, datetime | None]]) -> dict[str, tuple[str, str]]:
    """By account key, the first one (in alphabetical order) that looks run by the same operator, and why; accounts that
    look like nobody else's are left out. `accounts`: by key, the account and when it posted."""
    found: dict[str, tuple[str, str]] = {}
    for group, reason in _groups(accounts):
        known = {found[key][0] for key in group if key in found}
        first = min((*group, *known))
        for key in [key for key, (leader, _) in found.items() if leader in known]:
            found[key] = (first, found[key][1])
        for key in group:
            found[key] = (first, found[key][1] if key in found else reason)
    return found


def _groups(accounts: Mapping[str, tuple[Account, datetime | None]]) -> Iterator[tuple[list[str], str]]:
    by_description: dict[str, list[str]] = defaultdict(list)
    by_stem: dict[str, list[tuple[datetime, str]]] = defaultdict(list)
    new: list[tuple[datetime, str]] = []
    for key, (account, posted) in sorted(accounts.items()):
        words = content_words(account.description or "")
        if len(words) >= _DESCRIBED:
            by_description[" ".join(words)].append(key)
        if account.created is None:
            continue
        made = utc(account.created)
        series = _SERIES.fullmatch(fold(account.handle).split("@")[0].split(".")[0])
        if series and len(series["stem"]) >= _STEM:
            by_stem[series["stem"]].append((made, key))
        if posted is not None and timedelta() <= utc(posted) - made <= _NEW:
            new.append((made, key))
    for keys in by_description.values():
        if len(keys) > 1:
            yield keys, "they describe themselves in the very same words"
    for made_at in by_stem.values():
        for keys in _made_within(made_at, _SAME_WEEK, _FEWEST_OF_A_SERIES):
            yield keys, "their names are a series, and they were made within a week"
    for keys in _made_within(new, _SAME_DAY, _FEWEST_NEW):
        yield keys, "they were made within a day, shortly before they posted"


def _made_within(made: Iterable[tuple[datetime, str]], window: timedelta, fewest: int) -> Iterator[list[str]]:
    """The groups of so many accounts that were made within a window, the earliest first; each account in one."""
    rest = sorted(made)
    while rest:
        group = [key for at, key in rest if at - rest[0][0] <= window]
        if len(group) >= fewest:
            yield group
            rest = rest[len(group) :]
        else:
            rest = rest[1:]
