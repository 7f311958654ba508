"""How a statement is put: stated, asked, under check, rumoured, supposed, left open, or called untrue.

What a fact-check quotes as the claim it looked into is no evidence for that claim; what it answers is. 'Our statement
that X was wrong' says the opposite of X.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from inquest.entailment.reading import Reading, SentenceReading
from inquest.text.sentences import Span

__all__ = ["Frame", "Framing", "answer_to", "framing", "is_hedged"]


class Framing(StrEnum):
    """What the words around a statement do with it."""

    STATED = "stated"
    ASKED = "asked"
    TESTED = "under check"
    RUMOURED = "rumoured"
    OPEN = "left open"
    UNTRUE = "called untrue"
    TRUE = "called true"
    BENT = "called exaggerated or misleading"


class Frame(NamedTuple):
    """A framing and the words that make it. `clause`: the statement itself, as a span of the sentence."""

    framing: Framing
    clause: Span
    cue: str = ""


_NOUN = (
    r"(?:statements?|claims?|reports?|rumou?rs?|stor(?:y|ies)|allegations?|assertions?|assurances?|answers?|denials?|"
    r"suggestions?|accusations?|announcements?|information|figures?|articles?|posts?|articles?|notions?|ideas?|beliefs?|"
    r"myths?|theor(?:y|ies)|impressions?|accounts?|versions?|reply|replies|testimony|words)"
)
_WRONG = (
    r"(?:wrong|false|incorrect|untrue|not\s+(?:correct|true|accurate|right|the\s+case)|inaccurate|a\s+mistake|an\s+error|"
    r"mistaken|withdrawn|retracted|unfounded|baseless|fabricated|invented|made\s+up|a\s+lie|a\s+myth|a\s+hoax|fake|"
    r"disproved|disproven|debunked|refuted|discredited|untenable|misleading|erroneous|bogus|corrected)"
)
_BE = (
    r"(?:is|are|was|were|has\s+been|have\s+been|had\s+been|proved|proves|turned\s+out|turns\s+out|being|be)"
    r"(?:\s+to\s+be)?"
)
_HOW = (
    r"(?:\s+(?:simply|completely|entirely|totally|just|therefore|thus|also|demonstrably|plainly|clearly|now|later|"
    r"since))?"
)
_THAT_IS_WRONG = re.compile(
    rf"\b{_NOUN}\b(?:\s+(?:of|in|from|on|by|made)\s[^,]{{2,60}}?)?,?\s+(?:that|according\s+to\s+which)\s+(?P<clause>.{{8,}}?),?"
    rf"\s+(?:(?P<wrong>{_BE}{_HOW}\s+{_WRONG})|(?P<never>should\s+(?:not|never)\s+have\s+been|cannot\s+be\s+(?:squared|"
    r"reconciled|upheld|maintained)|does\s+not\s+hold|is\s+contradicted|had\s+to\s+be\s+(?:withdrawn|corrected)|"
    r"(?:has|have)\s+no\s+basis))\b",
    re.I | re.S,
)
_FALSE_THAT = re.compile(
    r"\b(?:it|this)\s+(?:is|was)\s+(?:simply\s+|just\s+|plainly\s+)?(?:false|untrue|wrong|not\s+true|incorrect|a\s+myth|a\s+lie|"
    r"not\s+the\s+case|not\s+correct|inaccurate)(?:\s+to\s+(?:say|claim|suggest))?\s+that\s+(?P<clause>.+)",
    re.I | re.S,
)
_NOTHING_SHOWS = re.compile(
    r"\b(?:no|without(?:\s+any)?|not\s+(?:any|a\s+shred\s+of)|any)\s+(?:\w+\s+){0,2}?(?:evidence|truth|proof|basis|indication|sign|record|support|"
    r"grounds?|reason\s+to\s+believe|substance|data)\b(?:\s+(?:whatsoever|at\s+all|has\s+been\s+found|was\s+found|exists))?\s+"
    rf"(?:that|for\s+the|for|of|to\s+(?:suggest|show|support|indicate)(?:\s+the)?|(?:in|to|behind)\s+(?:the|this|these|any)\s+{_NOUN})"
    rf"(?:\s+{_NOUN})?(?:\s+that)?\s+(?P<clause>.+)",
    re.I | re.S,
)
_WRONGLY = re.compile(
    r"\b(?:wrongly|falsely|incorrectly|mistakenly|erroneously|untruthfully)\s+(?:\w+\s+){0,2}?(?:that\s+)?(?P<clause>.{12,})",
    re.I | re.S,
)
_CONTRARY = re.compile(
    rf"\b(?:contrary\s+to|despite|in\s+spite\s+of)\s+(?:\w+['’]?s?\s+){{0,4}}?{_NOUN}\s+(?:online\s+)?that\s+(?P<clause>[^,]{{8,}}),",
    re.I,
)
_NOT_TRUE_SEEN = re.compile(
    rf"\b(?:debunk(?:s|ed)|refut(?:es|ed)|disprov(?:es|ed|en)|dismiss(?:es|ed)|withdrew|withdraws|retract(?:s|ed))\s+"
    rf"(?:\w+['’]?s?\s+){{0,4}}?{_NOUN}\s+that\s+(?P<clause>.{{8,}})",
    re.I | re.S,
)
_TESTED = re.compile(
    r"^\W*(?:(?:the|this|viral|false|our|another)\s+)?(?:claim|rumou?r|myth|allegation|assertion|fiction|hoax|viral\s+(?:claim|"
    r"post)|what\s+(?:was|is|they|he|she|people)\s+(?:claimed|said|say|saying|shared)|statement\s+(?:checked|under\s+check)|the\s+"
    r"post|misconception|question)\s*(?:#?\s?\w{1,5})?\s*[:–—-]\s*(?P<clause>.+)",
    re.I | re.S,
)
_CIRCULATES = re.compile(
    r"\b(?:(?:a|an|the|this|these|some|several|many|viral|old|recent)\s+)*(?:viral\s+)?(?:facebook|twitter|x|tiktok|whatsapp|"
    r"telegram|instagram|social\s+media|online|viral|chain|internet)\s+(?:users?|posts?|messages?|videos?|memes?|letters?|"
    r"rumou?rs?|accounts?|claims?|tweets?)\s+(?:\w+\s+){0,3}?(?:claim\w*|say\w*|said|alleg\w+|suggest\w*|assert\w*|purport\w*|"
    r"that)\s+(?:that\s+)?(?P<clause>.+)"
    r"|\b(?:claims?|rumou?rs?|stor(?:y|ies)|posts?)\s+(?:(?:is|are|was|were|has|have)\s+)?(?:been\s+)?(?:being\s+)?(?:circulating|"
    r"shared|spreading|doing\s+the\s+rounds|going\s+around)[^.]*?\bthat\s+(?P<clause2>.+)",
    re.I | re.S,
)
_RUMOURED = re.compile(
    r"\b(?:it\s+(?:is|was|has\s+been|had\s+been)\s+(?:\w+\s+)?(?:claimed|alleged|rumou?red|said|believed|thought|suggested|"
    r"reported|assumed|feared|speculated|asserted)\s+(?:\w+\s+){0,2}?that|(?:is|are|was|were)\s+(?:said|alleged|rumou?red|"
    r"believed|thought|reported|supposed|claimed|understood)\s+to|reportedly|allegedly|supposedly|purportedly|"
    r"rumou?rs?\s+(?:\w+\s+)?that|rumou?r\s+has\s+it|there\s+(?:is|are|was|were)\s+(?:\w+\s+)?(?:rumou?rs?|claims?|talk|"
    r"speculation)\s+(?:that|of)|people\s+(?:say|speak|talk)|some\s+(?:say|claim|believe)|(?:rumou?rs?|gossip|hearsay))\b",
    re.I,
)
_OPEN = re.compile(
    r"\bwhether\b.{0,160}\b(?:not\s+(?:yet\s+)?(?:known|clear|established|been\s+established|certain|decided|proven|been\s+proven)|"
    r"unclear|unknown|unproven|open|remains\s+to\s+be\s+seen|cannot\s+be\s+(?:said|answered))\b|"
    r"\b(?:not\s+(?:yet\s+)?(?:known|clear|established|said|saying)|unclear|unknown|no\s+finding\s+on|investigat\w+|examin\w+|"
    r"stud(?:y|ying|ies)|asked?|asking|asks|question\w*|looking\s+into|check\w*|determine|wonder\w*|decide\w*)\s+(?:whether|if)\b|"
    r"\bneither\s+confirm\w*,?\s+nor\b|\bcan(?:not|\s+neither|\s+not)\s+(?:be\s+)?(?:confirm\w*|rule\w*\s+out|exclude\w*|tell|"
    r"say)\b|\bdoes\s+not\s+allow\s+(?:a|any)\b.{0,20}\bconclusion|\bremains?\s+(?:open|unclear|disputed|unproven|unknown)\b|"
    r"\b(?:neither\s+proven|unproven)\b",
    re.I | re.S,
)
_HEDGED = re.compile(
    r"^\W*(?:if|unless|had|should|suppose|assuming)\b|\b(?:would\s+have|could\s+have|might\s+have|may\s+have|might|may(?=\s+[a-z])|"
    r"could|possibly|perhaps|probably|if\s+(?:it|they|he|she|the|this|that)|is\s+(?:likely|expected|supposed|set|due|about)\s+to|"
    r"are\s+(?:likely|expected|supposed|set|due|about)\s+to|would)\b",
    re.I,
)
_LABEL = (
    r"(?:(?:our|the|my|final|overall)\s+)*(?:finding|verdict|rating|ruling|conclusion|assessment|answer|result|judgment|"
    r"judgement|fact\s+check|fact-check|rated|bottom\s+line|our\s+view|truth|reality|fact|status)\s*[:–—=-]?\s*"
)
_FALSE = (
    r"(?:false|untrue|wrong|incorrect|fake|not\s+true|not\s+correct|invented|fabricated|made\s+up|a\s+hoax|hoax|"
    r"pants\s+on\s+fire|unfounded|baseless|debunked|refuted|inaccurate|disproved|nonsense|no)"
)
_BENT = (
    r"(?:exaggerated|overstated|misleading|half[\s-]true|half[\s-]truth|partly\s+(?:false|true)|"
    r"mostly\s+(?:false|true)|partially\s+\w+|mixed|mixture|missing\s+context|lacks\s+context|needs\s+context|"
    r"out\s+of\s+context|distorted|distorts)"
)
_TRUE = r"(?:true|correct|accurate|confirmed|right|yes)"
_SO = (
    r"(?:(?:this|that|which|it|the\s+(?:claim|story|report|rumou?r|statement|figure|allegation|information|post|number))\s+"
    r"(?:is|was|has\s+been|turned\s+out\s+to\s+be|proved|proved\s+to\s+be)|(?:this|that|it)['’]s|"
    r"we\s+(?:rate|rated|judge)\s+(?:\w+\s+){1,4}?(?:as\s+)?)\s+(?:\w+ly\s+|just\s+)?"
)
_ANSWERS = tuple(
    (framing, re.compile(rf"^\W*(?:(?:{_LABEL})|(?:{_SO}))[\"“']?{spelled}\b|^\W*{spelled}\W*(?:$|[.,!:–—])", re.I))
    for framing, spelled in ((Framing.BENT, _BENT), (Framing.UNTRUE, _FALSE), (Framing.TRUE, _TRUE))
)
_NOT_SO = re.compile(
    r"^\W*(?:(?:this|that|it)\s+(?:is|was)\s+not\s+(?:so|true|correct|the\s+case|accurate)|not\s+so)\b", re.I
)
_NOT_NO = re.compile(r"^\W*no\s+(?:\w+\s+){1,}", re.I)
_AFTER = 2
"""Sentences between a statement and the answer to it."""


def framing(sentence: SentenceReading) -> Frame:
    """How the sentence puts what it says."""
    text = sentence.text
    whole = Span(0, len(text))
    if sentence.asks:
        return Frame(Framing.ASKED, whole)
    if match := _TESTED.match(text):
        return Frame(Framing.TESTED, Span(*match.span("clause")), "under check")
    if _OPEN.search(text):
        return Frame(Framing.OPEN, whole, " ".join(_OPEN.search(text).group().split())[:60])  # type: ignore[union-attr]
    for pattern in (_THAT_IS_WRONG, _FALSE_THAT, _NOTHING_SHOWS, _WRONGLY, _CONTRARY, _NOT_TRUE_SEEN):
        if match := pattern.search(text):
            span = Span(*match.span("clause"))
            cue = (text[match.start() : span.start] + " … " + text[span.end : match.end()]).strip(" …")
            return Frame(Framing.UNTRUE, span, " ".join(cue.split())[-70:])
    if match := _CIRCULATES.search(text):
        group = "clause" if match["clause"] else "clause2"
        return Frame(Framing.TESTED, Span(*match.span(group)), "is going round")
    if match := _RUMOURED.search(text):
        return Frame(Framing.RUMOURED, whole, " ".join(match.group().split()))
    return Frame(Framing.STATED, whole)


def is_hedged(text: str) -> bool:
    """'If', 'may', 'would': said of what could be, not of what is."""
    return bool(_HEDGED.search(text))


def answer_to(passage: Reading, index: int) -> tuple[Framing, int] | None:
    """What is answered to the statement or question of a sentence, and in which sentence: 'No.', 'Verdict: false',
    'This was not correct.'. None: nothing is."""
    for other in range(index + 1, min(len(passage.sentences), index + 1 + _AFTER)):
        text = passage.sentences[other].text
        if other > index + 1 and framing(passage.sentences[other - 1]).framing in (Framing.ASKED, Framing.TESTED):
            return None  # the answer to that one
        found = _answer(text)
        if found is not None:
            return found, other
    return None


def _answer(text: str) -> Framing | None:
    if _NOT_SO.match(text):
        return Framing.UNTRUE
    if _NOT_NO.match(text) and not re.match(r"^\W*no\s*[.,!:–—]", text, re.I):
        return None
    for found, pattern in _ANSWERS:
        if pattern.match(text):
            return found
    return None
