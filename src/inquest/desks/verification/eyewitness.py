"""Signs that the writer of a post was there (first person, place, time, media, immediacy), and signs of hearsay.

Every sign is quoted. A post with such signs need not be true: anybody can write 'I saw it'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from inquest.domain.leads import Post, PostKind
from inquest.domain.social import EyewitnessReading, EyewitnessSign
from inquest.text.dates import utc
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.sentences import fold

_QUOTED = regex(r"“[^”]{8,}”|\"[^\"\n]{8,}\"|«[^»]{8,}»|„[^“”]{8,}[“”]")
_SOON, _DAY = timedelta(hours=6), timedelta(hours=36)
_LIKELY = 0.55
_SIGNS = {"first person": 0.45, "place": 0.1, "time": 0.15, "media": 0.1}
"""By kind, named as the lists of words.toml: what a sign of it adds."""
_AGAINST, _DENIED = 0.3, 0.5


def eyewitness_reading(
    content: str, post: Post, at: datetime | None, *, place: str = "", event: datetime | None = None
) -> EyewitnessReading | None:
    """Signs of an eyewitness account in a post, scored 0 to 1; likely from 0.55, never without the first person.

    `at`: when it was posted; `event`: the day of the event; `place`: where it was. None for a repost: the words are
    somebody else's. What stands in quotation marks is not the poster's, and is not looked at.
    """
    if post.kind is PostKind.REPOST:
        return None
    own = _QUOTED.sub(lambda match: " " * len(match.group()), content)
    hearsay, denied = (list(_found(content, own, each, "second hand")) for each in ("second_hand", "not_there"))
    against = [*denied, *hearsay]
    signs: list[EyewitnessSign] = []
    reasons: list[str] = []
    score = 0.0

    def add(worth: float, reason: str) -> None:
        nonlocal score
        score += worth
        reasons.append(reason)

    for kind, weight in _SIGNS.items():
        found = [
            sign
            for sign in _found(content, own, kind.replace(" ", "_"), kind)
            if not any(sign.start < other.end and other.start < sign.end for other in against)
        ]
        if kind == "place" and not found and place and (named := _named(content, own, place)):
            found = [named]
        if found:
            signs += found[:2]
            add(weight, f"{kind}: “{found[0].quote}”")
    if post.place and place and fold(place.split(",")[0]) in fold(post.place):
        add(0.15, f"place: the post is marked as from {post.place}")
    if post.media:
        add(0.15, f"media: {', '.join(dict.fromkeys(post.media))} attached")
    apart = utc(at) - utc(event) if at and event else None
    if apart is not None and timedelta() <= apart <= _DAY:
        add(0.15 if apart <= _SOON else 0.1, "immediacy: posted within a day and a half of the event's day")
    elif apart is not None and apart < -timedelta(days=1):
        add(-_AGAINST, "against: posted before the event")
    for sign in against[:3]:
        signs.append(sign)
        add(-_DENIED if sign in denied else -_AGAINST, f"against: “{sign.quote}”")
    score = round(min(1.0, max(0.0, score)), 2)
    first = any(sign.kind == "first person" for sign in signs)
    asks = own.rstrip().endswith("?")
    if asks and first:
        reasons.append("against: it ends in a question")
    return EyewitnessReading(
        likely=first and score >= _LIKELY and not asks, score=score, signs=tuple(signs), reasons=tuple(reasons)
    )


def _found(content: str, own: str, listed: str, kind: str) -> Iterator[EyewitnessSign]:
    return (_sign(content, match, kind) for match in pattern(__name__, listed).finditer(own))


def _named(content: str, own: str, place: str) -> EyewitnessSign | None:
    first = place.split(",")[0].strip()
    match = re.search(rf"(?<!\w){re.escape(first)}(?!\w)", own, re.IGNORECASE) if first else None
    return _sign(content, match, "place") if match else None


def _sign(content: str, match: re.Match[str], kind: str) -> EyewitnessSign:
    start, end = match.span()
    return EyewitnessSign(kind=kind, quote=content[start:end], start=start, end=end)
