"""Names in a text, recognised by their form alone (organisations, people, places, acronyms), and their comparison."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from inquest.text.company_names import LEGAL_WORDS
from inquest.text.dates import MONTHS, WEEKDAYS
from inquest.text.lexicon import pattern, word_set
from inquest.text.regex import regex
from inquest.text.sentences import STOP_WORDS, Span, fold, sentences, stem
from inquest.text.units import WORD_NUMBERS
from inquest.text.vocabulary import rarity


class NameKind(StrEnum):
    """The kind of a name, by its form."""

    ORGANISATION = "organisation"
    PERSON = "person"
    PLACE = "place"
    ACRONYM = "acronym"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written at its first occurrence in a text."""

    span: Span
    text: str
    kind: NameKind
    acronym: str = ""  # The acronym that the text gives it: 'Environment Protection Authority (EPA)'
    sure: bool = True  # False for a single capitalised word at the start of a sentence, which need not be a name


class NamesMet(NamedTuple):
    """The names of a claim that a passage has, and those it lacks."""

    met: tuple[str, ...]
    missing: tuple[str, ...]


_PARTICLE = r"(?:of|for|de|der|van|von|du|da|di|la|le|al|bin|&)"
_CAPITAL = r"(?:[A-Z]\.(?:[A-Z]\.)*|[^\W\d_a-zß-öø-ÿ][\w'’]*(?:[-.&/][\w'’]+)*|\b[a-z]{1,2}[A-Z]\w+)"
_NAME = regex(rf"{_CAPITAL}(?:(?:\s+{_PARTICLE})?\s+{_CAPITAL})*(?:\s\d{{1,2}}\b(?![.,%–-]\d|\s?%))?")
_ACRONYM_AFTER = regex(r"\s*\(\s*(?:the\s+)?[\"“']?([A-Z][A-Za-z&-]{1,9})[\"”']?\s*\)")
_ORGANISATION = word_set(__name__, "organisation")
_UNSAID = LEGAL_WORDS | {"the", "of", "and", "for", "s"}
_PLACES = word_set(__name__, "places")
_TITLES = word_set(__name__, "titles")
_NOT_NAMES = STOP_WORDS.union(
    word_set(__name__, "not_names"),
    WEEKDAYS,
    (f"{day}s" for day in WEEKDAYS),
    (name for name in MONTHS if len(name) > 3),
    [*WORD_NUMBERS][1:11],
)
_SOLID = regex(r"\S+")
_OWNING = regex(r"(?:(?<=s)['’]|['’]s)$")
_OWNER = regex(r"(?:[^\W\d_][\w&.-]*\s+){0,4}?[^\W\d_][\w&.-]*['’]s\s+")
# Possessions and measures of a company, which are not part of its name.
_MEASURED = pattern(__name__, "measured")
_THING_AFTER = pattern(__name__, "thing_after")
_SHORT_WORD = 4  # Maximum letters of a word in which 'ue' is rarely an umlaut
_RARE = 7.0  # Inverse document frequency (natural logarithm) from which hardly any stem is a common word
_HEADLINE = 6  # Minimum capitalised words of a headline, and minimum for each content word in lower case
_LOWER = regex(r"\b[a-z]{4,}\b")
_CAPITALISED = regex(r"\b[A-Z][a-z]+")


@lru_cache(maxsize=2048)
def names(text: str) -> tuple[Name, ...]:
    """The names in a text, each once, in order of first occurrence. A text mostly in capitals (a headline, a table)
    gives none, because capitals mean nothing there."""
    capitals = len(_CAPITALISED.findall(text))
    if capitals >= _HEADLINE and capitals > _HEADLINE * sum(w not in STOP_WORDS for w in _LOWER.findall(text)):
        return ()
    starts = {span.start for span in sentences(text)}
    found: dict[str, Name] = {}
    for written in (part for match in _NAME.finditer(text) for part in _owner_and_owned(text, Span(*match.span()))):
        if (span := _trimmed(text, written)) is None:
            continue
        spelled = span.of(text)
        key = fold(spelled)
        if key in found and found[key].sure:
            continue
        lead = text[max(0, span.start - 2) : span.start].strip(" ")
        first = span.start in starts or lead in ('"', "“", "(", ":", "'", "‘", "•", "-")
        acronym = _ACRONYM_AFTER.match(text, span.end)
        sure = not first or " " in spelled or spelled.isupper() or acronym is not None
        found[key] = Name(span, spelled, _kind(text, span), acronym.group(1) if acronym else "", sure)
    return tuple(sorted(found.values(), key=lambda name: name.span))


def _owner_and_owned(text: str, span: Span) -> tuple[Span, ...]:
    """'Norvane's Scope 1' and 'Norvane's Haverley works' are two names, 'Lloyd's Register' and 'King's College' one."""
    owner = _OWNER.match(text, *span)
    if owner is None or owner.end() >= span.end:
        return (span,)
    owned = Span(owner.end(), span.end)
    body = bool(_ORGANISATION.intersection(fold(owned.of(text)).split()))
    several = " " in owner.group().strip() and not body
    if several or _MEASURED.match(owned.of(text)) or _THING_AFTER.match(text, owned.end):
        return Span(span.start, span.start + len(owner.group().rstrip())), owned
    return (span,)


def _trimmed(text: str, span: Span) -> Span | None:
    """Remove common words with a capital at the start of a sentence, and the possessive ending."""
    words = list(_SOLID.finditer(text, *span))
    while words and fold(words[0].group().strip(".,'’")).removesuffix("'s") in _NOT_NAMES:
        words = words[1:]
    if not words:
        return None
    start = words[0].start()
    end = start + len(_OWNING.sub("", text[start : span.end]))
    short = end - start < 2 or (end - start == 2 and not text[start:end].isupper())
    return None if short else Span(start, end)


def _kind(text: str, span: Span) -> NameKind:
    spelled = span.of(text)
    tokens = fold(spelled).split()
    before = text[max(0, span.start - 12) : span.start].split()
    if _ORGANISATION.intersection(tokens):
        return NameKind.ORGANISATION
    if tokens[0].strip(".") in _TITLES or (before and fold(before[-1]).strip(".") in _TITLES):
        return NameKind.PERSON
    if tokens[-1] in _PLACES or tokens[0] in ("river", "lake", "mount"):
        return NameKind.PLACE
    if spelled.isupper() and len(tokens) == 1:
        return NameKind.ACRONYM
    if before and fold(before[-1]) in ("in", "near", "across", "throughout"):
        return NameKind.PLACE
    return NameKind.NAME


@lru_cache(maxsize=8192)
def _tokens(name: str) -> tuple[str, ...]:
    spelled = re.findall(r"[^\W_]+", fold(name).replace(".", ""))
    kept = tuple(token for token in spelled if token not in _UNSAID)
    return kept or tuple(spelled)


def same_name(one: str, other: str) -> bool:
    """True if two names can refer to the same bearer: 'Harlow Chemicals plc' ~ 'Harlow', 'EPA' ~ 'Environment
    Protection Authority', 'Angela Merkel' ~ 'Merkel', 'Germany' ~ 'German'. The shorter form must begin or end the
    longer one; different first names with one surname are different people."""
    left, right = sorted((_tokens(one), _tokens(other)), key=len)
    if not left:
        return False
    if len(left) == 1 and len(right) > 1 and left[0] == "".join(word[0] for word in right):
        return True
    if len(left) > 1 and left[0] == right[0] and left[-1] == right[-1]:
        return True  # a middle name
    beginning = all(same_token(a, b) for a, b in zip(left, right, strict=False))
    return beginning or all(same_token(a, b) for a, b in zip(left, right[-len(left) :], strict=True))


def by_bearer(spelled: Iterable[str]) -> list[list[str]]:
    """Group the names of one text by bearer, in order of the first name of each group."""
    groups: list[list[str]] = []
    for name in spelled:
        group = next((group for group in groups if any(same_name(other, name) for other in group)), None)
        if group is None:
            groups.append([name])
        else:
            group.append(name)
    return groups


def same_token(one: str, other: str) -> bool:
    """True if two words of names are forms of one: 'Germany' and 'German', 'company' and 'company's', 'Muller' and
    'Mueller'."""
    if one == other or _without_umlauts(one) == _without_umlauts(other):
        return True
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= 5 and longer.startswith(shorter[:-1]) and len(longer) - len(shorter) <= 3


def _without_umlauts(word: str) -> str:
    return word.replace("ue", "u").replace("oe", "o").replace("ae", "a") if len(word) > _SHORT_WORD else word


def is_likely(name: Name) -> bool:
    """True for a sure name, or a word at the start of a sentence that is not a common word."""
    return name.sure or all(rarity(stem(token)) >= _RARE for token in _tokens(name.text))


def names_met(claim: str, passage: str, *, context: str = "") -> NamesMet:
    """Find the names of a claim, in any of their forms, in a passage or its `context` (the title of its document). A
    page about a company need not name it in every sentence."""
    around = passage + "\n\n" + context
    folded = " " + " ".join(re.findall(r"[^\W_]+", fold(around))) + " "
    found = names(around)
    expansions = {name.acronym: name.text for name in found if name.acronym}
    there = [*(name.text for name in found), *expansions]
    met: dict[str, bool] = {}
    for name in names(claim):
        if is_likely(name):
            forms = [form for form in (name.text, name.acronym, expansions.get(name.text)) if form]
            spelled = f" {' '.join(_tokens(name.text))} " in folded
            met[name.text] = spelled or any(same_name(form, other) for form in forms for other in there)
    return NamesMet(tuple(name for name in met if met[name]), tuple(name for name in met if not met[name]))
