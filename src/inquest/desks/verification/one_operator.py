"""Which accounts on social networks are one voice: one person under several handles, and accounts that look as if one
hand had made them.

Nobody outside a network can prove whose an account is. These rules only say which accounts are not counted apart: a
voice too few is an estimate that errs to the safe side, a voice too many is not.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from inquest.domain.leads import Account
from inquest.text.dates import utc
from inquest.text.sentences import content_words, fold
from inquest.text.urls import registrable_domain

__all__ = ["one_operator", "voice_of"]

_SERIES = re.compile(r"(?P<stem>[a-z_-]*[a-z])[_-]?\d{1,8}")
_STEM = 4
"""Letters of a stem that is nobody's first name with a year of birth by chance."""
_SAME_WEEK = timedelta(days=7)
_SAME_DAY = timedelta(days=1)
_NEW = timedelta(days=90)
_FEWEST_NEW, _FEWEST_OF_A_SERIES = 4, 2
"""Accounts of one kind below which it may be chance. Old accounts of one day are no sign: networks grow in waves."""
_BIO = 5
"""Carrying words of a description from which on two people do not write the same by chance."""


def voice_of(account: Account, network: str) -> str:
    """One key for one account, on whatever network: `tove_marsh` on X, `tovemarsh.bsky.social` on Bluesky and
    `tove.marsh@social.example` on Mastodon are taken for one person."""
    handle = fold(account.handle).split("@")[0]
    if network == "bluesky" and ":" not in handle and "." in handle:
        hosted = handle.endswith(".bsky.social")
        handle = handle.removesuffix(".bsky.social") if hosted else registrable_domain(handle).split(".")[0]
    return re.sub(r"[^\w]|_", "", handle) or handle


def one_operator(accounts: Mapping[str, tuple[Account, datetime | None]]) -> dict[str, tuple[str, str]]:
    """By voice, the first voice (in alphabetical order) that looks run by the same hand, and why; voices that look
    like nobody else's are left out. `accounts`: by voice, the account and when it posted."""
    leader = {voice: voice for voice in accounts}
    why: dict[str, str] = {}

    def first(voice: str) -> str:
        while leader[voice] != voice:
            voice = leader[voice]
        return voice

    for group, reason in _groups(accounts):
        for voice in group[1:]:
            one, other = sorted((first(group[0]), first(voice)))
            leader[other] = one
        for voice in group:
            why.setdefault(voice, reason)
    return {voice: (first(voice), why[voice]) for voice in accounts if voice in why}


def _groups(accounts: Mapping[str, tuple[Account, datetime | None]]) -> Iterator[tuple[list[str], str]]:
    by_bio: dict[str, list[str]] = defaultdict(list)
    by_stem: dict[str, list[str]] = defaultdict(list)
    for voice in sorted(accounts):
        account = accounts[voice][0]
        words = content_words(account.description or "")
        if len(words) >= _BIO:
            by_bio[" ".join(words)].append(voice)
        series = _SERIES.fullmatch(fold(account.handle).split("@")[0].split(".")[0])
        if series and len(series["stem"]) >= _STEM:
            by_stem[series["stem"]].append(voice)
    for voices in by_bio.values():
        if len(voices) > 1:
            yield voices, "they describe themselves in the very same words"
    made = {voice: utc(account.created) for voice, (account, _) in accounts.items() if account.created}
    for voices in by_stem.values():
        for together in _together(((made[each], each) for each in voices if each in made), _SAME_WEEK):
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
        yield [voice for _, voice in rest[best_end - best : best_end]]
        rest = [*rest[: best_end - best], *rest[best_end:]]
