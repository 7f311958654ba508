"""A yes/no question as the statement that a 'yes' would assert: 'Did X know of it?' is 'X knew of it'."""

from __future__ import annotations

import re
from itertools import pairwise

from inquest.claims.claim_detection import ACTIONS
from inquest.text.entities import names
from inquest.text.lexicon import pattern, word_set
from inquest.text.phrases import capitalised
from inquest.text.regex import regex
from inquest.text.vocabulary import IRREGULAR

_AUXILIARY, _ADVERB, _UNCLEAR, _RELATIVE = (
    pattern(__name__, name) for name in ("auxiliary", "adverb", "unclear", "relative")
)
_PRONOUNS, _DETERMINERS, _PREPOSITIONS = (
    word_set(__name__, name) for name in ("pronouns", "determiners", "prepositions")
)
_WORD = regex(r"\S+")
_ANY = {"any": "some", "anyone": "someone", "anybody": "somebody", "anything": "something"}
_BE, _PERFECT = ("is", "are", "was", "were"), ("has", "have", "had")
_LONGEST = 9
"""Maximum number of words of a subject."""
_LEAD = "And did "
"""Put before the words, so that a capital at their beginning marks a name."""
_REGULAR = re.findall(r"[a-z]{2,}ed\b", ACTIONS.pattern)
_BASES = frozenset({
    *IRREGULAR.values(),
    *(base for word in _REGULAR for base in (word[:-1], word[:-2], word[:-3])),
    *(f"{word[:-3]}y" for word in _REGULAR if word.endswith("ied")),
})  # fmt: skip
_PAST: dict[str, str] = {}
for _past, _base in IRREGULAR.items():
    _PAST.setdefault(_base, _past)


def statement_of(question: str) -> str:
    """Return the statement with a full stop; '' unless it is a yes/no question with a subject that ends clearly."""
    asks = _AUXILIARY.match(question)
    rest = re.sub(r",?\s+or\s+not$", "", question[asks.end() :].rstrip(" ?!.")) if asks else ""
    if not asks or not rest or _UNCLEAR.search(rest):
        return ""
    does = asks["word"].lower()
    at = _predicate_at(rest, does)
    if at is None:
        return ""
    subject = _ADVERB.sub("", f"{rest[:at].strip()} ").strip()
    if len(subject.split()) > _LONGEST or _RELATIVE.search(subject):
        return ""
    verb, _, more = _ADVERB.sub("", rest[at:].strip()).partition(" ")
    if does == "did":
        verb = _past_of(verb)
    elif does == "does":
        verb = third_person(verb)
    elif does != "do":
        verb = f"{does} {verb}"
    if subject.split()[0].lower() in _ANY:
        subject = _affirmed(f"{subject[:1].lower()}{subject[1:]}")
    return f"{capitalised(f'{subject} {verb} {_affirmed(more)}'.strip())}."


def _affirmed(text: str) -> str:
    return " ".join(_ANY.get(word, word) for word in text.split())


def _predicate_at(rest: str, does: str) -> int | None:
    """Return the start of the predicate after the subject; None if it is uncertain."""
    words = list(_WORD.finditer(rest))
    low = [word.group().lower().strip(",;:'’\"") for word in words]
    if len(words) < 2 or low[0] in _PRONOUNS:
        return words[1].start() if len(words) > 1 else None
    spans = [(name.span.start - len(_LEAD), name.span.end - len(_LEAD)) for name in names(_LEAD + rest)]
    named = [any(begin <= word.start() < end for begin, end in spans) for word in words]
    first = 2 if low[0] in _DETERMINERS else 1
    joined = {k for k, (one, _) in enumerate(pairwise(low), 1) if one in _PREPOSITIONS or one in _DETERMINERS}
    open_ = [k for k in range(first, len(words)) if not named[k] and k not in joined and low[k] not in _PREPOSITIONS]
    if does in _BE:
        return _after_be(words, low, named, open_)
    for k in open_:
        after_name = named[k - 1] and not words[k - 1].group().endswith(("'s", "’s", "s'", "s’"))
        if _ADVERB.match(f"{low[k]} "):
            continue
        following = low[k + 1] if k + 1 < len(low) else ""
        if does in _PERFECT:
            is_verb = _participle(low[k])
        else:
            # After 'did' and 'does' a verb has its base form: 'works' in 'did the Tarn Bridge works' is not a verb.
            may_be = low[k].isalpha() and (not low[k].endswith("s") or low[k].endswith("ss"))
            is_verb = (after_name and may_be) or low[k] in _BASES or following in _DETERMINERS
        if is_verb:
            # 'the water plant release': either word may be the verb.
            unclear = not after_name and does not in _PERFECT and following in _BASES and not named[k + 1]
            return None if unclear else words[k].start()
    return None


def _after_be(words: list[re.Match[str]], low: list[str], named: list[bool], open_: list[int]) -> int | None:
    """The start of the predicate after a form of 'be': the first participle, second noun group, last word or place."""
    last = len(words) - 1
    for k in open_:
        if low[k] in _DETERMINERS or low[k] in ("being", "still"):
            return words[k].start()
        ends = k == last or named[k + 1] or low[k + 1] in _PREPOSITIONS or low[k + 1] in _DETERMINERS
        if _participle(low[k], ing=True) and (ends or low[k + 1].endswith("ly") or low[k + 1][:1].isdigit()):
            return words[k].start()
    if last in open_ and low[last].isalpha() and words[last].group().islower():
        return words[last].start()
    first = next((k for k in range(1, last) if low[k] in _PREPOSITIONS - {"of", "and"}), None)
    return words[first].start() if first is not None and not any(k > first for k in open_) else None


def _participle(word: str, *, ing: bool = False) -> bool:
    regular = len(word) > 4 and word.endswith("ed")
    return regular or word in IRREGULAR or word == "been" or (ing and len(word) > 5 and word.endswith("ing"))


def _past_of(verb: str) -> str:
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ied"
    doubled = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb)
    return f"{verb}{verb[-1] if doubled else ''}ed"


def third_person(verb: str) -> str:
    """Return the third person singular of a verb in the present tense."""
    if verb in ("have", "be"):
        return {"have": "has", "be": "is"}[verb]
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if re.search(r"(?:s|x|z|ch|sh|o)$", verb) else f"{verb}s"
