"""Whether a title baits or reports: hand-set weights over kinds of words and forms, no learned vocabulary.

A title that baits speaks to its reader, points at what it does not say, promises a feeling or a list, and has all the
small words of talk; a headline says who did what, where. How a title is capitalised plays no part, because the same
title comes in capitals from one site and in lower case from another.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple

from inquest.sources.clickbait_words import BAIT, NEWS, NEWS_VERBS, verb_forms

__all__ = ["Clickbait", "clickbait_of"]


class Clickbait(NamedTuple):
    """How sure it is, 0 to 1, that a title baits, and by what, weightiest first; reasons only from 0.5 on."""

    score: float
    reasons: tuple[str, ...]


_REPORTS = Clickbait(0.0, ())


class _Kind(NamedTuple):
    weight: float
    """Log-odds of the first; each further one counts half as much as the one before."""
    reason: str = ""


_KINDS = {
    "you": _Kind(2.6, "it speaks to its reader"),
    "me": _Kind(1.6, "it speaks of 'I' and 'my'"),
    "we": _Kind(1.5, "it speaks of 'we'"),
    "somebody": _Kind(0.9, "it speaks of people in general"),
    "pointing": _Kind(1.6, "it points at what it does not say"),
    "very": _Kind(0.8, "it exaggerates"),
    "feeling": _Kind(1.1, "it promises a feeling"),
    "list": _Kind(0.9, "it announces a list"),
    "leisure": _Kind(0.9, "it is about leisure"),
    "fame": _Kind(0.9, "it drops famous names"),
    "contraction": _Kind(1.1, "it is written like talk"),
    "talk": _Kind(0.5, "it is written like talk"),
    "person": _Kind(0.6, "it is written like talk"),
    "copula": _Kind(0.75, "it is written like talk"),
    "article": _Kind(0.35),
    "hedge": _Kind(-0.9),
    "initials": _Kind(-1.0),
    "institution": _Kind(-1.2),
    "place": _Kind(-1.2),
    "actor": _Kind(-1.2),
    "sport": _Kind(-1.1),
    "business": _Kind(-0.9),
    "society": _Kind(-0.9),
    "third": _Kind(-1.3),
    "past": _Kind(-0.9),
    "base": _Kind(-0.5),
    "ing": _Kind(-0.3),
    "relation": _Kind(-0.45),
    "money": _Kind(-1.3),
}
_PRIOR = -0.1
_SMALL_WORDS = {
    "talk": (
        "it do does did that who which what how why when if because while whose where and not don't there about with "
        "like every would could should can must got get gets getting make makes made making go goes going went come "
        "comes will each both together inside around"
    ),
    "person": "he she him her his hers they them their",
    "copula": "is are was were am have had has",
    "relation": (
        "against near despite over under by from at as into in on to between among during for via off up out ahead"
    ),
    "hedge": "may after since its amid",
    "article": "a an the",
}
_CONTRACTIONS = ("n't", "'ll", "'ve", "'re", "'d", "'m")

_TOKEN = re.compile(r"[#@$£€]?\w+(?:[-'.&]\w+)*[%']?")
_SUFFIX = re.compile(r"\s+(?:[|·»]\s*|[-–—]\s+)(?=[^|·»]{2,40}$)(?:\S+\s*){1,4}$")
_SCORE = re.compile(r"(?<![\d.])\d{1,3}-\d{1,3}(?![\d.])")
_PLAIN = str.maketrans("’‘“”„", '\'\'"""')
_SAID = re.compile(r"\"[^\"]+ [^\"]+ [^\"]+\"|(?<![\w])'[^'\"]+ [^'\"]+ [^'\"]+'(?!\w)")
_COLON = re.compile(r"^[\w .,'-]{2,40}: ")
_COMMA = re.compile(r", (?!and )")
_QUOTED = re.compile(r'"[^"]{3,40}"')
"""A work's name, as magazines and blogs put it; headlines of newspapers quote what was said in single marks."""
_NUMBER = re.compile(r"\d{1,3}")
_LISTED = frozenset(BAIT["list"].split()) - {"times"}
"""What a number in words announces; 'three times' is how much, and no list."""
_NUMBER_WORDS = frozenset("three four five six seven eight nine ten eleven twelve fifteen twenty thirty fifty".split())
_HARM = frozenset(
    "dead die dies died killed injured wounded arrested missing charged shot hurt hospitalised hospitalized sentenced "
    "convicted feared trapped percent bodies soldiers troops policemen civilians jailed freed rescued detained "
    "evacuated".split()
)
"""What a number at the head of a report counts."""
_HARD = frozenset(("institution", "place", "money", "sport", "business", "society", "actor"))
_SOFT = frozenset(("list", "feeling", "you", "somebody", "leisure"))
_PERIODS = frozenset("week weekend month year season term morning time summer winter spring autumn fall".split())
_TO_US = frozenset("tell tells told help helps give gives gave show shows showed let lets of to for with all".split())
_PHRASES = (
    (
        re.compile(
            r"\b(?:you won't believe|what happen(?:s|ed) next|this one (?:\w+ )?trick|will blow your|doctors hate|"
            r"the reason (?:why )?will|number \d+ will|will make you|need to know|you should know|"
            r"before you die|the internet|went viral|going viral|of all time|for the first time|once and for all|"
            r"looks? like|in one (?:chart|picture|sentence)|based on|according to your|all the feels|"
            r"(?<!we )know about|what it'?s like|that will|that are|that'll|proves?d? that|that prove)\b"
        ),
        1.5,
        "it uses a set phrase of bait",
    ),
    (
        re.compile(
            r"^(?:can|do|does|did|are|is|have|should|could|would|which|who|what|how|when) (?:you|we|your|this|the)\b"
        ),
        0.8,
        "it asks its reader",
    ),
    (re.compile(r"^(?:which|what's|how well|how many|how much|can you|are you|do you)\b"), 1.0, "it is a quiz"),
)
_EXPLAINS = re.compile(r"\bwhat (?:we|is|we do|do we) known?\b|\bexplained\b|\bexplainer\b|\bq&a\b")
"""Forms of the papers' own explanations, which speak like bait and are none."""
_OPENINGS = {
    "this": (2.4, "it points at what it does not say"),
    "these": (2.0, "it points at what it does not say"),
    "here's": (1.5, "it points at what it does not say"),
    "here": (1.5, "it points at what it does not say"),
    "why": (1.0, "it opens with a question"),
    "how": (0.7, "it opens with a question"),
    "what": (0.9, "it opens with a question"),
    "when": (0.7, "it opens with a question"),
    "who": (0.7, "it opens with a question"),
    "if": (1.2, "it is written like talk"),
    "the": (0.2, ""),
    "a": (0.2, ""),
}
_FOREIGN = frozenset(
    "der die das und ist nicht mit für von auf ein eine den dem le la les des une est dans pour avec sur qui que el "
    "los las una por con para del y il di che per della sono het een van niet met voor och att det som på av ikke "
    "não uma dos em ve bir".split()
)
_ENGLISH = frozenset("the a an of and to in is are for on with that this you your at by from as what how it".split())
_LETTERS = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[a-zà-ÿœ]")


@lru_cache(maxsize=1)
def _lexicon() -> dict[str, str]:
    """The kind of every word. Where a word is of several kinds, what is set last stands."""
    kinds: dict[str, str] = {}
    for base in NEWS_VERBS.split():
        kinds.update(verb_forms(base))
    for groups in (NEWS, BAIT, _SMALL_WORDS):
        for kind, listed in groups.items():
            kinds.update(dict.fromkeys(listed.split(), kind))
    return kinds


def clickbait_of(title: str) -> Clickbait:
    """How sure it is that the title baits; 0 for an empty title, and for one that is not English: it is not judged.

    The weights are log-odds, so that the score is a rough probability; 0.5 is where bait begins.
    """
    text = " ".join(title[:400].translate(_PLAIN).split()).lower()
    text = _SUFFIX.sub("", text) or text
    # What somebody said is not how the title speaks: 'You have failed us', says the mayor.
    own = _SAID.sub(" ", text)
    text = own if len(own.split()) > 1 else text
    words = _TOKEN.findall(text)
    if not words or _is_foreign(text, words):
        return _REPORTS
    parts = [*_counted(words), *_formed(text, words)]
    total = _PRIOR + math.fsum(weight for weight, _ in parts)
    score = 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
    if score < 0.5:
        return Clickbait(score, ())
    telling = sorted((part for part in parts if part[0] > 0.3 and part[1]), reverse=True)
    return Clickbait(score, tuple(dict.fromkeys(reason for _, reason in telling))[:3])


def _counted(words: list[str]) -> list[tuple[float, str]]:
    """What the words weigh, by kind."""
    lexicon = _lexicon()
    counts: dict[str, int] = {}
    for place, word in enumerate(words):
        kind = _kind(word, lexicon)
        if word == "us" and place and words[place - 1] in _TO_US:
            kind = "we"
        if kind:
            counts[kind] = counts.get(kind, 0) + 1
    return [(_KINDS[kind].weight * (2 - 0.5 ** (number - 1)), _KINDS[kind].reason) for kind, number in counts.items()]


def _kind(word: str, lexicon: dict[str, str]) -> str | None:
    kind = lexicon.get(word)
    if kind:
        return kind
    if "." in word:
        # 'N.F.L' and 'U.S': the last full stop is no part of the word.
        letters = word.replace(".", "")
        return lexicon.get(letters) or ("initials" if len(letters) <= word.count(".") + 1 else None)
    if "'" in word:
        if word.endswith(_CONTRACTIONS):
            return "contraction"
        return lexicon.get(word.removesuffix("'s").rstrip("'"))
    if word[0] in "$£€" or word[-1] == "%":
        return "money"
    if word[0] in "#@":
        return "leisure"
    return None


def _formed(text: str, words: list[str]) -> list[tuple[float, str]]:
    """What the form of the title weighs."""
    found = []
    first = words[0]
    if first in _OPENINGS and not (first == "this" and words[1:2] and words[1] in _PERIODS):
        found.append(_OPENINGS[first])
    opening = words[1:] if first == "the" else words
    if opening and (_NUMBER.fullmatch(opening[0]) or (opening[0] in _NUMBER_WORDS and _LISTED & {*opening[1:4]})):
        lexicon = _lexicon()
        near = {lexicon.get(word) for word in opening[1:5]}
        hard = any(word in _HARM for word in words) or bool(near & _HARD and not near & _SOFT)
        found.append((-0.8, "") if hard else (2.6, "it announces a list"))
    if "this" in words[1:]:
        after = words[words.index("this", 1) + 1 :][:1]
        if after and after[0] not in _PERIODS:
            found.append((1.0, "it points at what it does not say"))
    for form, weight, reason in _PHRASES:
        if form.search(text):
            found.append((weight, reason))
    if _SCORE.search(text):
        found.append((-1.0, ""))
    if _COLON.search(text):
        found.append((-0.5, ""))
    if ";" in text:
        found.append((-1.0, ""))
    if _COMMA.search(text):
        # In headlines a comma stands for 'and', or sets off who it was.
        found.append((-0.7, ""))
    if _QUOTED.search(text):
        found.append((0.6, "it is about leisure"))
    if len(words) <= 3:
        found.append((-0.5, ""))
    if _EXPLAINS.search(text):
        found.append((-4.5, ""))
    if "!" in text:
        found.append((0.6, "it exclaims"))
    return found


def _is_foreign(text: str, words: list[str]) -> bool:
    letters = len(_LETTERS.findall(text))
    if letters == 0 or len(_LATIN.findall(text)) < 0.7 * letters:
        return True
    foreign = sum(word in _FOREIGN for word in words)
    return foreign >= 2 and foreign > sum(word in _ENGLISH for word in words)
