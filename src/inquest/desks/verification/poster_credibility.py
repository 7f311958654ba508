"""How far the word of an account on a social network may be trusted, from what the network shows of the account.

The score begins at 50, where nothing speaks for or against it. What is not known changes nothing but the certainty:
most networks show little, and an account is not worse for that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from inquest.domain.leads import PAID_MARK, UNKNOWN_MARK, Account
from inquest.domain.social import AccountStanding, PosterCredibility
from inquest.sources.ratings_table import built_in_ratings, pattern_of
from inquest.text.dates import utc
from inquest.text.phrases import count
from inquest.text.regex import regex

_START = 50.0
_OLD_ENOUGH = 30
"""Days from which on an account has a history that can be looked at."""
_AGES = ((30, -20.0, "is {} old"), (180, -8.0, "is {} old"), (365, 0.0, "is {} old"), (3 * 365, 5.0, "is {} old"))
_OLD = 10.0
_RANDOM_HANDLE = regex(r"^[a-z]+_?\d{5,}$|\d{8,}", re.IGNORECASE)
"""As networks propose names, and as accounts are made by the hundred: letters and many digits."""
_NO_VOUCHER = (PAID_MARK, UNKNOWN_MARK)
_NO_WITNESS = frozenset("blog unknown social satire aggregator fabricator look_alike encyclopedia".split())
"""Kinds of site whose address does not vouch for whoever has it."""


class _Sign(NamedTuple):
    """What one thing that is known adds. `weight`: how much of the certainty it makes up."""

    adds: float
    weight: float
    reason: str


_WEIGHTS = {"age": 0.25, "followers": 0.15, "verified": 0.2, "history": 0.2, "identity": 0.1, "pattern": 0.1}
"""What could be known of an account, and how much of the certainty each part makes up: 1 in all."""


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
    """Who posted, as far as the network vouches for it. A mark that anybody can buy vouches for nothing."""
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
    """How old the account was; None where that is not known, or it is younger than its own post."""
    if account.created is None:
        return None
    days = (utc(at) - utc(account.created)).days
    return days if days >= 0 else None


def _age(account: Account, at: datetime) -> Iterator[_Sign]:
    days = _days(account, at)
    if days is None:
        return
    said = count(days, "day") if days < 60 else count(days // 30, "month") if days < 730 else count(days // 365, "year")
    adds, words = next(((adds, words) for most, adds, words in _AGES if days < most), (_OLD, "is {} old"))
    yield _Sign(adds, _WEIGHTS["age"], words.format(said))


def _standing(account: Account) -> Iterator[_Sign]:
    if account.bot:
        yield _Sign(-30.0, 0.0, "says of itself that it is a machine")
    if account.suspended:
        yield _Sign(-25.0, 0.0, "has been shut by the network")
    if account.verified is None and account.domain:
        owner = _known_owner(account.domain)
        adds, kind = (15.0, f", a known site ({owner})") if owner else (3.0, "")
        yield _Sign(adds, _WEIGHTS["verified"], f"has shown that {account.domain} is its own{kind}")
    if account.verified is None:
        return
    weight = _WEIGHTS["verified"]
    if not account.verified:
        yield _Sign(0.0, weight, "is not verified")
    elif account.verified_as == PAID_MARK:
        yield _Sign(2.0, weight, "has a mark that can be bought")
    elif account.verified_as == UNKNOWN_MARK:
        yield _Sign(0.0, weight / 2, "has a mark of which nobody says whether it was bought")
    elif account.verified_as == "government":
        yield _Sign(20.0, weight, "is verified as a public body's")
    else:
        yield _Sign(15.0, weight, f"is verified{f' ({account.verified_as})' if account.verified_as else ''}")


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
    said = f"has {count(followers, 'follower')}"
    if following is not None and following >= 1000 and followers * 20 < following:
        yield _Sign(-8.0, _WEIGHTS["followers"], f"{said} and follows {following:,} accounts")
    elif followers < 10:
        yield _Sign(-5.0, _WEIGHTS["followers"], said)
    else:
        yield _Sign(8.0 if followers >= 10_000 else 4.0 if followers >= 500 else 0.0, _WEIGHTS["followers"], said)


def _history(account: Account, at: datetime) -> Iterator[_Sign]:
    weight = _WEIGHTS["history"]
    if account.karma is not None:
        adds = -15.0 if account.karma < 0 else -5.0 if account.karma < 50 else 0.0
        adds = 10.0 if account.karma >= 10_000 else 5.0 if account.karma >= 1_000 else adds
        yield _Sign(adds, weight, f"has a karma of {account.karma:,}")
    elif account.posts is not None:
        yield _Sign(-8.0 if account.posts < 5 else 4.0 if account.posts >= 200 else 0.0, weight, _posts(account))
    days = _days(account, at)
    if account.posts is not None and days is not None:
        a_day = account.posts / max(1, days)
        pattern = f"posts about {a_day:.0f} times a day" if a_day >= 1 else "posts less than once a day"
        yield _Sign(-15.0 if a_day > 72 else 0.0, _WEIGHTS["pattern"], pattern)


def _posts(account: Account) -> str:
    return f"posted {count(account.posts or 0, 'time')}" if account.posts else "never posted before"


def _identity(account: Account) -> Iterator[_Sign]:
    handle = account.handle.split("@")[0]
    if _RANDOM_HANDLE.search(handle):
        yield _Sign(-6.0, _WEIGHTS["identity"] / 2, "has a name of letters and many digits")
    named = len((account.name or "").split()) >= 2
    if account.description and named:
        yield _Sign(4.0, _WEIGHTS["identity"], "shows a full name and says who it is")
    elif named or account.description:
        said = "shows a full name" if named else "says who it is"
        yield _Sign(2.0, _WEIGHTS["identity"], said)
