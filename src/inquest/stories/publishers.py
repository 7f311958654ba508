"""Publishers as texts name them, and whether a sentence says that its report comes from one.

Names are compared letter by letter, without spaces and accents: 'Lincolnshire Live' is 'LincolnshireLive'. 'The Courier
reported' may mean the Lenn Valley Courier; 'the Harbour Courier reported' never does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from typing import NamedTuple

from inquest.stories.credit_tables import credit_words
from inquest.stories.matter import spelt_alike
from inquest.text.regex import regex
from inquest.text.sentences import Span, fold, sentences

_HEAD = 10
"""Sentences: a report that is taken over is named at the head; further down it is background."""
_TOKEN = regex(r"\w+")
_SEVERAL = regex(r"\s[/|–—]\s")
"""Between an agency and whoever prints it: 'AFP / France 24'."""
_LONGEST_NAME = 6
_LEAST = 3
"""Letters of a name that can be looked for."""
_INFLECTED, _OPENING, _ENDINGS, _ALIKE = 8, 5, 2, 0.8
"""A name in another case: letters that it has at least, letters that stay at its beginning, letters by which it may be
longer or shorter, and the share of letters in the same order ('Washington Times' and 'Post' share 0.76)."""
_REACH = 3
"""Words between a name and the verb that credits it, at most."""


class NamedAt(NamedTuple):
    """Where a publisher is named: the words `tokens[first:last]` of a sentence."""

    name: str
    first: int
    last: int


@dataclass(frozen=True)
class Sentence:
    """One sentence, or a byline, read for the publishers that it names."""

    text: str
    span: Span

    @cached_property
    def _found(self) -> list[re.Match[str]]:
        return list(_TOKEN.finditer(self.text))

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Its words, folded, umlauts as plain vowels."""
        return tuple(spelt_alike(fold(match[0])) for match in self._found)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Where each of its words stands."""
        found: dict[str, list[int]] = {}
        for place, token in enumerate(self.tokens):
            found.setdefault(token, []).append(place)
        return found

    @cached_property
    def capitals(self) -> tuple[bool, ...]:
        """Which of them are written with a capital or in a script without capitals, or are numbers."""
        return tuple(not match[0][0].islower() for match in self._found)

    def names(self, keys: Collection[str]) -> Iterator[NamedAt]:
        """The publishers named, by their keys; of overlapping ones the longest."""
        start = 0
        while start < len(self.tokens):
            found = next(
                (
                    NamedAt(key, start, end)
                    for end in range(min(len(self.tokens), start + _LONGEST_NAME), start, -1)
                    if (key := "".join(self.tokens[start:end])) in keys and self._stands_alone(start, end)
                ),
                None,
            )
            if found:
                yield found
            start = found.last if found else start + 1

    def inflected_names(self, keys: Collection[str]) -> Iterator[NamedAt]:
        """As `names`, and the publishers whose names stand there with other endings: 'Lesenských novin' for Lesenské
        noviny, 'Norrkustbladets' for Norrkustbladet."""
        found = list(self.names(keys))
        yield from found
        taken = {place for at in found for place in range(at.first, at.last)}
        by_opening: dict[str, list[str]] = {}
        for key in keys:
            if len(key) >= _INFLECTED:
                by_opening.setdefault(key[:_OPENING], []).append(key)
        for start in range(len(self.tokens)):
            if not self.capitals[start] or start in taken or not by_opening:
                continue
            for end in range(start + 1, min(len(self.tokens), start + _LONGEST_NAME) + 1):
                written = "".join(self.tokens[start:end])
                key = next(
                    (each for each in by_opening.get(written[:_OPENING], ()) if _is_inflected(written, each)), ""
                )
                if key and not taken.intersection(range(start, end)) and self._stands_alone(start, end):
                    yield NamedAt(key, start, end)
                    break

    def place_of(self, start: int, end: int) -> NamedAt | None:
        """The words that cover these characters of the text from which the sentence comes."""
        inside = [
            number
            for number, match in enumerate(self._found)
            if match.end() + self.span.start > start and match.start() + self.span.start < end
        ]
        if not inside:
            return None
        first, last = inside[0], inside[-1] + 1
        return NamedAt("".join(self.tokens[first:last]), first, last)

    def credits(self, at: NamedAt) -> bool:
        """Whether it says that its report comes from what is named there."""
        words = credit_words()
        if any(token in words.same for token in self.tokens[at.last : at.last + _REACH + 2]):
            return False
        if any(token in words.after for token in self.tokens[at.last : at.last + _REACH]):
            return True
        if self._ends_with(at.first, words.before):
            return True
        end = at.first
        for _ in range(_REACH):
            if end == 0 or self.tokens[end - 1] not in words.between:
                break
            end -= 1
            if self._ends_with(end, words.before):
                return True
        return self._in_dateline(at)

    def unnamed(self) -> Iterator[str]:
        """The kinds of sources that it has its report from without a name: authority, posts, media."""
        for kind, phrases in credit_words().unnamed.items():
            longest = max(map(len, phrases))
            places = (
                NamedAt("", start, start + size)
                for size in range(1, longest + 1)
                for start in range(len(self.tokens) - size + 1)
                if self.tokens[start : start + size] in phrases
            )
            if any(self.credits(place) for place in places):
                yield kind

    def press(self, *, spoken_of: bool = False) -> Iterator[NamedAt]:
        """What is named and is a publisher: well known, or with a newspaper's name, or called one beside its name.
        `spoken_of`: the text goes on with 'the paper says', so that whoever is credited is one."""
        words = credit_words()
        yield from self.names(known_keys())
        start = 0
        while start < len(self.tokens):
            end = start
            while end < len(self.tokens) and self.capitals[end]:
                end += 1
            first = start
            while first < end and self.tokens[first] in words.leading:
                first += 1
            if 1 < end - first <= _LONGEST_NAME:
                beside = frozenset((*self.tokens[max(0, first - _REACH) : first], *self.tokens[end : end + _REACH]))
                if spoken_of or self.tokens[end - 1].endswith(words.press) or beside & words.publication:
                    yield NamedAt(" ".join(self.tokens[first:end]), first, end)
            start = max(end, start + 1)

    def speaks_of_a_publication(self) -> bool:
        """Whether it credits 'the paper' or 'the website' without its name."""
        words = credit_words().publication
        return any(
            token in words and self.credits(NamedAt(token, place, place + 1)) for place, token in enumerate(self.tokens)
        )

    def has(self, phrases: Collection[tuple[str, ...]]) -> bool:
        """Whether one of the phrases stands in it."""
        return any(
            self.tokens[start : start + len(phrase)] == phrase
            for phrase in phrases
            for start in self._places.get(phrase[0], ())
        )

    def _ends_with(self, end: int, phrases: Collection[tuple[str, ...]]) -> bool:
        return any(self.tokens[max(0, end - size) : end] in phrases for size in range(1, credit_words().longest + 1))

    def _in_dateline(self, at: NamedAt) -> bool:
        """'LENN, May 4 (Halyard) - ...': the agency of a dateline."""
        head = self.text[: self._found[at.last - 1].end() + 1]
        return head.endswith(")") and at.last <= 8 and head[: self._found[at.first].start()].rstrip().endswith("(")

    def _stands_alone(self, start: int, end: int) -> bool:
        """Whether what is named is no part of a longer name, as the words beside it are written."""
        if not self.capitals[start]:
            return False
        if end - start > 1:
            return True
        before = start > 0 and self.capitals[start - 1] and self.tokens[start - 1] not in credit_words().leading
        apart = start > 0 and not self.text[self._found[start - 1].end() : self._found[start].start()].isspace()
        after = end < len(self.tokens) and self.capitals[end] and not self.tokens[end].isdigit()
        apart_after = (
            end < len(self.tokens) and not self.text[self._found[end - 1].end() : self._found[end].start()].isspace()
        )
        return not (before and not apart) and not (after and not apart_after)


def sentence_at(text: str, start: int, end: int) -> Sentence | None:
    """The sentence of a text in which these characters stand."""
    for span in _sentences(text):
        if span.start <= start and end <= span.end:
            return Sentence(span.of(text), span)
    return None


def _is_inflected(written: str, key: str) -> bool:
    """Whether what is written is the name with other endings: it has hardly a letter that the name has not."""
    if written == key or len(written) < _INFLECTED or abs(len(written) - len(key)) > _ENDINGS:
        return False
    return SequenceMatcher(None, written, key, autojunk=False).ratio() >= _ALIKE


def head_of(text: str) -> tuple[Sentence, ...]:
    """The sentences at the head of a text."""
    return tuple(Sentence(span.of(text), span) for span in _sentences(text)[:_HEAD])


@lru_cache(maxsize=512)
def _sentences(text: str) -> tuple[Span, ...]:
    return tuple(sentences(text))


def names_of(publisher: str | None, domain: str) -> frozenset[str]:
    """The keys of all names by which a publisher can be meant: in full, as its domain has it, by its last word."""
    words, label = credit_words(), domain.split(".")[0]
    names = [*words.known.get(domain, ()), label.replace("-", " ")]
    names += [label.removesuffix(tail) for tail in words.tails if label.endswith(tail) and len(label) > len(tail) + 3]
    if publisher:
        parts = folded_name(publisher).split()
        names += [publisher, *_SEVERAL.split(publisher)]
        if len(parts) > 1 and parts[-1].endswith(words.press):
            names.append(parts[-1])
    if "-" in label:
        names.append(label.split("-", 1)[1].replace("-", " "))
    keys = {name_key(name) for name in names}
    return frozenset(key for key in keys if len(key) >= _LEAST or key in known_keys())


def folded_name(text: str) -> str:
    """A name as it is compared: 'The Müller-Post' and 'mueller post' are one."""
    words = [spelt_alike(fold(word)) for word in _TOKEN.findall(text)]
    return " ".join(
        words[1:] if len(words) > 1 and words[0] in ("the", "der", "die", "das", "le", "la", "el") else words
    )


def name_key(text: str) -> str:
    """The same without spaces."""
    return folded_name(text).replace(" ", "")


def known_as(name: str) -> str:
    """The one name under which a publisher is known whose reports others take over: of 'AFP' and 'Agence France-Presse
    (AFP)' the same; '' where it is none of these."""
    words = folded_name(name).split()
    parts = {"".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, len(words) + 1)}
    known = (each for each in credit_words().known.values() if not parts.isdisjoint(map(name_key, each)))
    return next(known, ("",))[0]


@lru_cache(maxsize=1)
def known_keys() -> frozenset[str]:
    """The keys of publishers whose reports others take over (`credits.toml`)."""
    return frozenset(name_key(name) for names in credit_words().known.values() for name in names)
