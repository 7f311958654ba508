"""Signs of an eyewitness account or of hearsay in a post, each quoted. They are no proof."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from inquest.domain.leads import EyewitnessReading, EyewitnessSign, Post, PostKind
from inquest.text.dates import utc
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.sentences import fold

_QUOTED = regex(r"“[^”]{8,}”|\"[^\"\n]{8,}\"")
_SOON = timedelta(hours=36)
_LIKELY = 0.55
_PLACE, _MEDIA, _POSTED_SOON, _AGAINST = 0.15, 0.15, 0.1, -0.5


def eyewitness_reading(
    content: str, post: Post, at: datetime | None, *, place: str = "", event: datetime | None = None
) -> EyewitnessReading | None:
    """The signs of an eyewitness account in a post, scored 0 to 1; never likely without the first person, in a
    question, or with a sign of hearsay. None for a repost. Text in quotation marks is not the poster's own."""
    if post.kind is PostKind.REPOST:
        return None
    own = _QUOTED.sub(lambda match: " " * len(match.group()), content)
    against = _signs(content, own, "second_hand")
    kinds = {
        kind: [s for s in _signs(content, own, kind) if not any(s.start < o.end and o.start < s.end for o in against)]
        for kind in ("first_person", "time")
    }
    first = place.split(",")[0].strip()
    named = re.search(rf"(?<!\w){re.escape(first)}(?!\w)", own, re.IGNORECASE) if first else None
    kinds["place"] = [_sign(content, named, "place")] if named else []
    delay = utc(at) - utc(event) if at and event else None
    soon = delay is not None and timedelta() <= delay <= _SOON
    marked = bool(post.place and first and fold(first) in fold(post.place))
    points = [
        (0.45, f"first person: “{kinds['first_person'][0].quote}”" if kinds["first_person"] else ""),
        (0.15, f"time: “{kinds['time'][0].quote}”" if kinds["time"] else ""),
        (_PLACE, f"place: the post is marked as from {post.place}" if marked else ""),
        (_PLACE, f"place: “{kinds['place'][0].quote}”" if kinds["place"] and not marked else ""),
        (_MEDIA, f"media: {', '.join(dict.fromkeys(post.media))} attached" if post.media else ""),
        (_POSTED_SOON, "posted within a day and a half of the event's day" if soon else ""),
        (_AGAINST, "against: posted before the event" if delay and delay < -timedelta(days=1) else ""),
        (_AGAINST, f"against: “{against[0].quote}”" if against else ""),
        (_AGAINST, "against: it ends in a question" if own.rstrip().endswith("?") else ""),
    ]
    score = round(min(1.0, max(0.0, sum(value for value, reason in points if reason))), 2)
    return EyewitnessReading(
        likely=bool(kinds["first_person"]) and score >= _LIKELY,
        score=score,
        signs=(*(sign for found in kinds.values() for sign in found[:2]), *against[:3]),
        reasons=tuple(reason for _, reason in points if reason),
    )


def _signs(content: str, own: str, kind: str) -> list[EyewitnessSign]:
    return [_sign(content, match, kind.replace("_", " ")) for match in pattern(__name__, kind).finditer(own)]


def _sign(content: str, match: re.Match[str], kind: str) -> EyewitnessSign:
    start, end = match.span()
    return EyewitnessSign(kind=kind, quote=content[start:end], start=start, end=end)
