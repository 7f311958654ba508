"""How far the word of an account on a social network may be trusted, and which accounts look run by one operator.

The score begins at 50, where nothing speaks for or against it. What is not known changes nothing but the certainty:
most networks show little, and an account is not worse for that. Nobody outside a network can prove whose an account is:
one too few that is counted is an estimate that errs to the safe side, one too many is not.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    adds = next((adds for most, adds in _AGES if days < most), _OLD)
    yield _Sign(adds, _WEIGHTS["age"], f"is {said} old")


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


_SERIES = regex(r"(?P<stem>[a-z_-]*[a-z])[_-]?\d{1,8}")
_STEM = 4
"""Letters of a stem that is nobody's first name with a year of birth by chance."""
_SAME_WEEK = timedelta(days=7)
_SAME_DAY = timedelta(days=1)
_NEW = timedelta(days=90)
_FEWEST_NEW, _FEWEST_OF_A_SERIES = 4, 2
"""Accounts of one kind below which it may be chance. Old accounts of one day are no sign: networks grow in waves."""
_BIO = 5
"""Carrying words of a description from which on two people do not write the same by chance."""


def one_operator(accounts: Mapping[str, tuple[Account, datetime | None]]) -> dict[str, tuple[str, str]]:
    """By account key, the first one (in alphabetical order) that looks run by the same operator, and why; accounts that
    look like nobody else's are left out. `accounts`: by key, the account and when it posted."""
    leader = {key: key for key in accounts}
    why: dict[str, str] = {}

    def first(key: str) -> str:
        while leader[key] != key:
            key = leader[key]
        return key

    for group, reason in _groups(accounts):
        for key in group[1:]:
            one, other = sorted((first(group[0]), first(key)))
            leader[other] = one
        for key in group:
            why.setdefault(key, reason)
    return {key: (first(key), why[key]) for key in accounts if key in why}


def _groups(accounts: Mapping[str, tuple[Account, datetime | None]]) -> Iterator[tuple[list[str], str]]:
    by_bio: dict[str, list[str]] = defaultdict(list)
    by_stem: dict[str, list[str]] = defaultdict(list)
    for key in sorted(accounts):
        account = accounts[key][0]
        words = content_words(account.description or "")
        if len(words) >= _BIO:
            by_bio[" ".join(words)].append(key)
        series = _SERIES.fullmatch(fold(account.handle).split("@")[0].split(".")[0])
        if series and len(series["stem"]) >= _STEM:
            by_stem[series["stem"]].append(key)
    for keys in by_bio.values():
        if len(keys) > 1:
            yield keys, "they describe themselves in the very same words"
    made = {key: utc(account.created) for key, (account, _) in accounts.items() if account.created}
    for keys in by_stem.values():
        for together in _together(((made[each], each) for each in keys if each in made), _SAME_WEEK):
            if len(together) >= _FEWEST_OF_A_SERIES:
                yield together, "their names are a series, and they were made within a week"
    new = [(at, each) for each, at in made.items() if _is_new(at, accounts[each][1])]
    for together in _together(new, _SAME_DAY):
        if len(together) >= _FEWEST_NEW:
            yield together, "they were made within a day, shortly before they posted"


def _is_new(made: datetime, posted: datetime | None) -> bool:
    return posted is not None and timedelta() <= utc(posted) - made <= _NEW


def _together(made: Iterable[tuple[datetime, str]], window: timedelta) -> Iterator[list[str]]:
    """The accounts in the windows of that length, the fullest first; each account in one."""
    rest: Sequence[tuple[datetime, str]] = sorted(made)
    while rest:
        best, best_end, start = 0, 0, 0
        for end, (at, _) in enumerate(rest, 1):
            while at - rest[start][0] > window:
                start += 1
            if end - start > best:
                best, best_end = end - start, end
        yield [key for _, key in rest[best_end - best : best_end]]
        rest = [*rest[: best_end - best], *rest[best_end:]]
