"""Accounts on social networks that look as if one operator had made them.

Nobody outside a network can prove whose an account is. These rules only say which accounts are not counted apart: one
too few is an estimate that errs to the safe side, one too many is not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from inquest.domain.leads import Account
from inquest.text.dates import utc
from inquest.text.regex import regex
from inquest.text.sentences import content_words, fold

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
