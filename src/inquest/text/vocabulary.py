"""English words: rarity, words for the same act or measure (`[synonyms]` in `words.toml`) and opposites; and what turns
a statement round: negations with their scope, hedges and speakers.

`word_weights.json` is written by `training/word_weights.py`; `training/README.md` names its sources."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from functools import cache, lru_cache, partial
from importlib.resources import files
from itertools import islice
from typing import NamedTuple

from inquest.text.lexicon import pattern, verbose_patterns, word_lists
from inquest.text.regex import regex
from inquest.text.sentences import Span, fold, stem, words

_UNKNOWN_RARITY = 8.0
_SHORTEST = 4
_SHARED_LETTERS = 4  # First letters that two forms of one word share: 'inspect', 'inspection'
IRREGULAR = dict(pair.split(":") for pair in word_lists(__name__, "irregular")["verbs"])
"""Irregular past forms of English verbs, with their base forms."""


@lru_cache(maxsize=1)
def _rarities() -> dict[str, float]:
    loaded = json.loads(files("inquest.text").joinpath("word_weights.json").read_text("utf-8"))
    return {term: float(level) for level, listed in loaded["rarity"].items() for term in listed.split()}


def rarity(term: str) -> float:
    """The inverse document frequency of a stem, in natural logarithms to half a unit; unlisted stems count as rare."""
    return _rarities().get(term, _UNKNOWN_RARITY)


@lru_cache(maxsize=1)
def _rows() -> dict[str, tuple[str, ...]]:
    """Map each stem to the first row that has it."""
    table: dict[str, tuple[str, ...]] = {}
    for first, others in word_lists(__name__, "synonyms").items():
        for word in (first, *others):
            table.setdefault(stem(word), (first, *others))
    forms: dict[str, list[str]] = {}
    for past, base in IRREGULAR.items():
        forms.setdefault(base, [base]).append(past)
    for base, every in forms.items():
        row = table.get(stem(base), tuple(every))
        for form in every:
            table.setdefault(stem(form), row)
    return table


@lru_cache(maxsize=1024)
def same_act(stemmed: str) -> frozenset[str]:
    """The stems of all words for the same act or measure as a stem; empty if no row has it."""
    return frozenset(map(stem, _rows().get(stemmed, ())))


def other_words(word: str) -> tuple[str, ...]:
    """Up to three other words for the same act or measure, each with a different stem, most common first: 'fine' has
    'penalty', 'strike' has none. For searching, since a report may use any of them."""
    if len(word) < _SHORTEST:
        return ()
    row = _rows().get(stem(word), ())
    by_stem = {stem(other): other for other in reversed(row)}
    beginning = fold(word)[:_SHARED_LETTERS]
    distinct = (other for other in row if by_stem[stem(other)] == other and other[:_SHARED_LETTERS] != beginning)
    return tuple(islice(distinct, 3))


class Negation(NamedTuple):
    """A word that negates, and the span it negates. `whole`: the clause before an object that does not exist, which is
    denied too: 'raised' in 'the council raised no taxes'; empty for other negations."""

    cue: Span
    scope: Span
    whole: Span


class Pole(NamedTuple):
    """A word that appears at one end of an opposition: 'rose' is the + end of rise and fall."""

    span: Span
    axis: str
    sign: int  # +1 or -1, with negation already counted
    negated: bool


_NEGATORS = pattern(__name__, "negators")
# 'not only' and 'not just' assert the words after them; 'no more than' limits a number.
_NO_NEGATION = pattern(__name__, "no_negation")
_AFTER_PREFIX = regex(r"non-(\w+)", re.IGNORECASE)
_SCOPE_END = pattern(__name__, "scope_end")
_CLAUSE_START = regex(rf"{_SCOPE_END.pattern}|\bthat\b", re.IGNORECASE)
_NONE = regex(r"no|none|nobody|no one|nothing", re.IGNORECASE)
_WITH = regex(r"\b(?:with|in|at|on|by|for|of|from|to|under|after|through)\s+$", re.IGNORECASE)
_MOVE = regex(
    r"\b(?:(?:go(?:es|ing|ne)?|went|came|is|are|was|were|move[ds]?|clos(?:es?|ed)|ends?|ended(?:\s+\w+\s+\w+)?)\s+(up|down)\b|(?:up|down)(?=\s+(?:by\s+)?[€$£]?\d))",
    re.IGNORECASE,
)
_UNTAKEN = regex(r"\s+(?:yet\s+)?be(?:en)?\s+(?:taken|made|reached|given)\b", re.I)
_VERB_AFTER = r"[^.,;:!?]*\b(?:is|are|was|were|has|have|had|do|does|did|will|would)\b"
_BUT_NO = regex(rf"[^.,;:!?]*(?=\sbut\s+(?:no|none|nothing)\b(?!{_VERB_AFTER}))", re.I)
_AND = regex(r"\band\s+$", re.I)
_IS_SUBJECT = regex(_VERB_AFTER, re.I)
_LET_STAND = regex(
    r"\b(?:let|lets|letting|left|leav(?:es?|ing)|allow(?:s|ed|ing)?|keep(?:s|ing)?|kept)\b"
    r"(?=\s[^.,;:!?]{1,80}?\s(?:stand|standing|intact|in\s+(?:place|force))\b)",
    re.IGNORECASE,
)
_AS_NOUN = regex(r"(?<=\bthe )(?:end|start|close|opening)\b", re.IGNORECASE)
_UP_OR_DOWN = {"up": ("amount", 1), "down": ("amount", -1)}
_HEDGES = pattern(__name__, "hedges")
_SAID = pattern(__name__, "said")
_ACCORDING = pattern(__name__, "according")
_SPEAKER = pattern(__name__, "speaker")


def negations(text: str) -> tuple[Negation, ...]:
    """The negations of a text. A scope runs from its cue to the end of the clause, of 'non-' over one word; 'nor'
    continues the last one."""
    found: list[Negation] = []
    starts = [0, *(match.end() for match in _CLAUSE_START.finditer(text))]
    for match in _NEGATORS.finditer(text):
        goes_on = match.group().lower() == "nor" and found and match.end() <= found[-1].scope.end
        if goes_on or _NO_NEGATION.match(text, match.end()):
            continue
        if word := _AFTER_PREFIX.match(text, match.start()):
            # 'Smokers and non-smokers' denies nothing of smokers.
            if len(re.findall(rf"\b{re.escape(word[1])}\b", text, re.IGNORECASE)) == 1:
                found.append(Negation(Span(*match.span()), Span(*word.span(1)), Span(match.start(), match.start())))
            continue
        end = _SCOPE_END.search(text, match.end())
        start = max(place for place in starts if place <= match.start())
        if _UNTAKEN.match(text, match.end()):  # 'A decision has yet to be taken' denies that it was decided
            found.append(Negation(Span(*match.span()), Span(start, match.start()), Span(start, start)))
            continue
        if _AND.search(text, start, match.start()) and _IS_SUBJECT.match(text, match.end()):
            start = match.start()  # 'It is safe and no fault was found'
        is_object = _NONE.fullmatch(match[0]) and not _WITH.search(text, start, match.start())
        found.append(
            Negation(
                Span(*match.span()),
                Span(match.end(), end.start() if end else len(text)),
                Span(start if is_object else match.start(), match.start()),
            )
        )
    return tuple(found)


def is_negated(place: Span, among: tuple[Negation, ...]) -> bool:
    """True if a span is in the scope of an odd number of negations: two cancel each other."""
    return sum(part.start <= place.start and place.end <= part.end for _, *both in among for part in both) % 2 == 1


wordings = partial(verbose_patterns, "inquest.text", "framing", re.I | re.S)
"""Return the patterns of `framing.toml`, by kind."""


def is_unrealised(text: str) -> bool:
    """True for what is planned, expected, possible, alleged or imagined, or did not happen."""
    return any(wordings()[kind].search(text) for kind in ("planned", "unrealised", "accused", "imagined"))


def hedges(text: str) -> tuple[Span, ...]:
    """Words that make a statement less than certain."""
    return tuple(Span(*match.span()) for match in _HEDGES.finditer(text) if match.group() != "May")


@cache
def _axes() -> dict[str, tuple[tuple[str, int], ...]]:
    """Map each word (as written and as its stem) to its axes, each with its end: +1 or -1."""
    ends = {1: word_lists(__name__, "opposites_plus"), -1: word_lists(__name__, "opposites_minus")}
    table: dict[str, list[tuple[str, int]]] = {}
    for axis in ends[1]:
        for sign, lists in ends.items():
            for word in lists[axis]:
                for key in {fold(word), stem(word)}:
                    if (axis, sign) not in table.setdefault(key, []):
                        table[key].append((axis, sign))
    return {key: tuple(entries) for key, entries in table.items()}


@lru_cache(maxsize=65536)
def _axes_of(spelled: str) -> tuple[tuple[str, int], ...]:
    word, axes = fold(spelled), _axes()
    return tuple(dict.fromkeys((*axes.get(word, ()), *axes.get(stem(IRREGULAR.get(word, word)), ()))))


def poles(text: str, among: tuple[Negation, ...] | None = None) -> tuple[Pole, ...]:
    """The opposition words of a text, each with its sign after negation. `among`: the text's negations, if known."""
    among = negations(text) if among is None else among
    found = []
    ends = [
        (span, end) for span in words(text) if not _AS_NOUN.match(text, span.start) for end in _axes_of(span.of(text))
    ]
    ends += [(Span(*move.span()), _UP_OR_DOWN[(move[1] or move[0]).lower()]) for move in _MOVE.finditer(text)]
    ends += [(Span(*kept.span()), ("validity", 1)) for kept in _LET_STAND.finditer(text)]
    divided = [Span(*match.span()) for match in _BUT_NO.finditer(text)]
    for span, (axis, sign) in ends:
        signs = {is_negated(span, among)}
        if any(span.meets(one) for one in divided):  # 'found a leak but no fault'
            signs = {False, True}
        found += [Pole(span, axis, -sign if negated else sign, negated) for negated in sorted(signs)]
    return tuple(found)


def speakers(text: str) -> tuple[str, ...]:
    """The speakers that a text names, as written: 'The company denies', 'according to the regulator'."""
    found = [match.group(1).strip(" ,.") for match in _ACCORDING.finditer(text)]
    starts = [0, *(match.end() for match in re.finditer(r"[.;!?]\s", text))]
    for match in _SAID.finditer(text):
        clause = text[max(starts[bisect_right(starts, match.start()) - 1], match.start() - 120) : match.start()]
        if speaker := _SPEAKER.search(clause):
            found.append(speaker.group(1).strip(" ,"))
    return tuple(found)
