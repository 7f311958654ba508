"""Whether a post reads as written by somebody who was there: first person, place, time, media, immediacy; and what
speaks against it, which is mostly that the writer has it from others.

Every sign is quoted. A post that reads so need not be true: anybody can write 'I saw it'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from inquest.domain.leads import Post, PostKind
from inquest.domain.social import EyewitnessReading, EyewitnessSign
from inquest.text.dates import utc
from inquest.text.sentences import fold

__all__ = ["eyewitness_reading"]

_SAW = (
    r"(?:just\s+|actually\s+|personally\s+|literally\s+|all\s+)?(?:saw|seen|watched|heard(?!\s+(?:that|from|about|on|of))|"
    r"felt|smelled|smelt|witnessed|filmed|recorded|photographed|took\s+(?:this|these|a|some)|can\s+(?:see|hear|smell|feel))"
)
_FIRST_PERSON = re.compile(
    rf"\b(?:I|we|my\s+(?:wife|husband|son|daughter|partner|kids?|mother|father|neighbou?rs?)\s+and\s+I)(?:['’]ve|\s+have)?\s+"
    rf"{_SAW}\b"
    r"|(?:^|[.!?:]\s+)(?:just|literally|actually)\s+(?:saw|seen|watched|witnessed|filmed|heard(?!\s+(?:that|from|about|on|of)))\b"
    r"|\b(?:I\s+am|I['’]m|I\s+was|we\s+are|we['’]re|we\s+were|am|been)\s+(?:just\s+|still\s+|currently\s+|right\s+)?(?:here|there|"
    r"outside|inside|at\s+the|in\s+the\s+(?:crowd|building|queue|square|street)|on\s+(?:the\s+)?(?:scene|site|train|bus|"
    r"picket|bridge|street|platform)|standing|stuck|evacuated|sheltering|working\s+(?:there|here)|on\s+shift)\b"
    r"|\bI\s+(?:work|live)\s+(?:here|there|next|across|opposite|near|at|in|on|two|a\s+few|just)\b"
    r"|\b(?:outside|from|opposite|behind|near)\s+(?:my|our)\s+(?:house|home|flat|window|office|shop|street|balcony|door|school)\b"
    r"|\b(?:our|my)\s+(?:shift|foreman|street|building|manager)\s+(?:was|is|were|has|told|just)\b"
    r"|\b(?:happened|walked|drove|ran|marched|came)\s+(?:right\s+)?(?:past|in\s+front\s+of|behind|above|next\s+to)\s+(?:me|us|my|our)\b"
    r"|\bich\s+(?:habe?|stehe|war|bin|sehe|sah|hoere|wohne)\b|\bvor\s+(?:meinem|unserem|meiner|unserer)\b|\bbei\s+uns\b"
    r"|\bj['’]ai\s+(?:vu|entendu|film[ée])\b|\bvi\s+con\s+mis\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:right\s+here|over\s+here|corner\s+of|in\s+front\s+of|outside\s+(?:the|my|our)|across\s+(?:the\s+)?(?:street|road)|"
    r"down\s+the\s+(?:street|road)|at\s+the\s+(?:gate|scene|station|square|harbour|harbor|entrance|factory|school|works|"
    r"bridge|junction)|on\s+(?:the\s+)?(?:scene|site)|next\s+to\s+the|opposite\s+the)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:just\s+now|right\s+now|as\s+(?:we|I)\s+(?:speak|write|type|watched)|(?:a\s+few\s+|\d{1,2}\s+|ten\s+|five\s+|"
    r"twenty\s+)?(?:minutes?|mins?|seconds)\s+ago|an?\s+hour\s+ago|this\s+(?:morning|afternoon|evening)|tonight|"
    r"(?:is|are|it['’]s|still)\s+happening|at\s+\d{1,2}[:.]\d\d|happening\s+now|still\s+(?:going\s+on|burning|here|there))\b",
    re.IGNORECASE,
)
_MEDIA = re.compile(
    r"\b(?:my|our|own)\s+(?:own\s+)?(?:photos?|pics?|pictures?|videos?|footage|clip)\b|"
    r"\b(?:I|we)\s+(?:took|filmed|shot|recorded)\b|\b(?:photo|video|pic)s?\s+(?:by|from)\s+(?:me|us)\b",
    re.IGNORECASE,
)
_SECOND_HAND = re.compile(
    r"\b(?:according\s+to|reports?\s+(?:say|are|of|that|suggest|claim)|reportedly|apparently|allegedly|(?:I|we)\s+(?:just\s+)?"
    r"(?:read|heard\s+(?:that|from|about|on|of)|was\s+told|were\s+told|saw\s+(?:on|in\s+the|the\s+(?:news|report|video|"
    r"story|article|footage|clip|tweet|post)|that\s+(?:on|in)|a\s+(?:post|tweet|report|story|video|clip))|"
    r"watched\s+(?:the\s+(?:news|video|report|stream|footage)|it\s+on)|seen\s+(?:on|the\s+(?:news|video|report|footage)))|"
    r"they\s+say|people\s+(?:are\s+)?say(?:ing)?|sources?\s+(?:say|tell|told|close)|a\s+friend|friends?\s+of\s+mine|"
    r"someone\s+(?:told|said)|(?:my\s+)?(?:cousin|colleague|brother|sister|neighbou?r|mate|friend|mum|mom|dad)\s+"
    r"(?:said|says|told|saw|was|heard|is)|on\s+(?:tv|television|the\s+news|facebook|tiktok|youtube|twitter|the\s+radio)|"
    r"breaking(?:\s+news)?\s*[:!]|rumou?rs?|hearsay|via\s+@?\w+|h/t|source:|laut\b|angeblich)",
    re.IGNORECASE,
)
_NOT_THERE = re.compile(
    r"\b(?:(?:I|we)\s+(?:was|were|am|are)(?:n['’]t|\s+not)\s+(?:there|here|at)|(?:I|we)\s+(?:did|have|could)(?:n['’]t|\s+not)\s+"
    r"(?:see|hear|witness|seen|heard)|wish\s+(?:I|we)\s+(?:was|were|had)|if\s+(?:I|we)\s+(?:was|were|had)|"
    r"(?:I|we)\s+(?:would|could|might)\s+have\s+(?:seen|heard)|(?:did|has|have|was)\s+(?:any(?:one|body)|some(?:one|body))|"
    r"in\s+my\s+(?:opinion|view)|imagine\s+(?:if|being))",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“[^”]{8,}”|\"[^\"\n]{8,}\"|«[^»]{8,}»|„[^“”]{8,}[“”]")
_SOON, _DAY = timedelta(hours=6), timedelta(hours=36)
_LIKELY = 0.55
_SIGNS = (("first person", _FIRST_PERSON, 0.45), ("place", _PLACE, 0.1), ("time", _TIME, 0.15), ("media", _MEDIA, 0.1))
_AGAINST, _DENIED = 0.3, 0.5


def eyewitness_reading(
    content: str, post: Post, at: datetime | None, *, place: str = "", event: datetime | None = None
) -> EyewitnessReading | None:
    """How much of an eyewitness's account a post has, 0 to 1; likely from 0.55, and never without the first person.

    `at`: when it was posted; `event`: the day of the event; `place`: where it was. None for a repost: the words are
    somebody else's. What stands in quotation marks is not the poster's, and is not looked at.
    """
    if post.kind is PostKind.REPOST:
        return None
    own = _QUOTED.sub(lambda match: " " * len(match.group()), content)
    signs: list[EyewitnessSign] = []
    reasons: list[str] = []
    score = 0.0
    heard, denied = (list(_found(content, own, each, "second hand")) for each in (_SECOND_HAND, _NOT_THERE))
    against = [*denied, *heard]
    taken = [(sign.start, sign.end) for sign in against]
    for kind, pattern, weight in _SIGNS:
        found = [
            sign
            for sign in _found(content, own, pattern, kind)
            if not any(sign.start < end and start < sign.end for start, end in taken)
        ]
        if found:
            signs += found[:2]
            score += weight
            reasons.append(f"{kind}: “{found[0].quote}”")
    if place and (named := _named(content, own, place)) and not any(sign.kind == "place" for sign in signs):
        signs.append(named)
        score += 0.1
        reasons.append(f"place: “{named.quote}”")
    if post.place and place and fold(place.split(",")[0]) in fold(post.place):
        score += 0.15
        reasons.append(f"place: the post is marked as from {post.place}")
    if post.media:
        score += 0.15
        reasons.append(f"media: {', '.join(dict.fromkeys(post.media))} attached")
    if at and event:
        apart = utc(at) - utc(event)
        if timedelta() <= apart <= _DAY:
            score += 0.15 if apart <= _SOON else 0.1
            reasons.append("immediacy: posted within a day and a half of the event's day")
        elif apart < -timedelta(days=1):
            score -= _AGAINST
            reasons.append("against: posted before the event")
    for sign in against[:3]:
        signs.append(sign)
        score -= _DENIED if sign in denied else _AGAINST
        reasons.append(f"against: “{sign.quote}”")
    score = round(min(1.0, max(0.0, score)), 2)
    first = any(sign.kind == "first person" for sign in signs)
    asks = own.rstrip().endswith("?")
    if asks and first:
        reasons.append("against: it ends in a question")
    return EyewitnessReading(
        likely=first and score >= _LIKELY and not asks, score=score, signs=tuple(signs), reasons=tuple(reasons)
    )


def _found(content: str, own: str, pattern: re.Pattern[str], kind: str) -> Iterator[EyewitnessSign]:
    for match in pattern.finditer(own):
        yield EyewitnessSign(
            kind=kind, quote=content[match.start() : match.end()], start=match.start(), end=match.end()
        )


def _named(content: str, own: str, place: str) -> EyewitnessSign | None:
    first = place.split(",")[0].strip()
    match = re.search(rf"(?<!\w){re.escape(first)}(?!\w)", own, re.IGNORECASE) if first else None
    if match is None:
        return None
    return EyewitnessSign(
        kind="place", quote=content[match.start() : match.end()], start=match.start(), end=match.end()
    )
