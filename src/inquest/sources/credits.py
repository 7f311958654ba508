"""Credits to other publishers in a page's text, found by words of credit beside a name or a link, without a model.

The words are English (`words.toml`). In other languages only names and links are found: each may be a credit
(`CreditKind.POSSIBLE`), and is one if a report of that publisher on the same event is known."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property, lru_cache

from inquest.domain.claim import Excerpt
from inquest.domain.document import Document
from inquest.domain.source import CreditKind, PageCredit, PageReading
from inquest.sources.publisher_names import is_press_name, known_as, known_keys, name_key, names_of, spelt_alike
from inquest.text.blocks import blocks_of
from inquest.text.languages import detect_language
from inquest.text.lexicon import entries, word_set
from inquest.text.regex import regex
from inquest.text.sentences import Span, sentences
from inquest.text.urls import registrable_domain

_HEAD = 10  # Sentences: a report that is taken over is named at the head; further down it is background
_TOKEN = regex(r"\w+")
_LONGEST_NAME = 6
_REACH = 3  # Words between a name and the verb that credits it, at most
_DATELINE = 8  # Words of a sentence within which an agency in brackets belongs to a dateline
_Phrases = frozenset[tuple[str, ...]]


def _phrases(listed: str) -> _Phrases:
    return frozenset(tuple(phrase.split()) for phrase in listed.split("|"))


_LISTED = entries(__name__, "credits")
_BEFORE = _phrases("|".join((_LISTED["before"], *(f"{word} by" for word in _LISTED["by"].split()))))
_AFTER, _SAME, _BETWEEN, _LEADING, _PUBLICATION = (
    word_set(__name__, name) for name in ("after", "same", "between", "leading", "publication")
)
_OWN_WORK = _phrases(_LISTED["own_work"])
_OURS = _LISTED["ours"].split("|")
_FIRST_HAND = _phrases("|".join(f.replace("OURS", our) for f in _LISTED["first_hand"].split("|") for our in _OURS))
_UNNAMED = {kind: _phrases(_LISTED[kind]) for kind in (CreditKind.AUTHORITY, CreditKind.POSTS, CreditKind.MEDIA)}
SOURCE_LABELS = frozenset(_LISTED["labels"].split("|"))  # Folded texts of links that name the source of a whole article


@lru_cache(maxsize=512)
def credits_in(document: Document) -> PageReading:
    """Find the credits of a page, and the words that show that it is first-hand."""
    text = document.text
    head = [_Sentence(text, span) for span in sentences(text)[:_HEAD]]
    if (document.language or detect_language(text) or "en") != "en":
        possible = []
        for sentence in head:
            for first, last in sentence.capitalised():
                name = sentence.written(first, last)
                known = bool(known_as(name)) and last - first <= _LONGEST_NAME
                possible.append(sentence.credit(CreditKind.PRESS if known else CreditKind.POSSIBLE, name))
        return PageReading(credits=(*_linked(document, in_english=False), *possible))
    first_hand = next((sentence.quote for sentence in head if [*sentence.places_of(_FIRST_HAND)]), None)
    named = [*_linked(document), *_named(head)]
    if any([*sentence.places_of(_OWN_WORK)] for sentence in head):
        named = [credit.model_copy(update={"kind": CreditKind.MENTION}) for credit in named]
    unnamed = [
        next((s.credit(kind) for s in head if any(s.credits(*place) for place in s.places_of(phrases))), None)
        for kind, phrases in _UNNAMED.items()
    ]
    return PageReading(credits=(*filter(None, unnamed), *named), first_hand=first_hand)


def credits_at(document: Document, place: Span) -> list[PageCredit]:
    """Return what a page credits for the words at a place: publishers in their sentence or before it in its paragraph,
    in the page's byline, dateline or line of sources, and as a mention each link in their sentence. Its own site does
    not count."""
    begin = next((each.start for each in blocks_of(document) if each.start <= place.start < each.end), place.start)
    spans = [each for each in sentences(document.text) if each.start < place.end]
    near = [_Sentence(document.text, each) for each in spans if each.end > begin]
    head = [_Sentence(document.text, each) for each in spans[:2]]
    found = [*_named(near), *(each for each in _linked(document) if begin < each.end and each.start < place.end)]
    found += [each for each in _named(head) if f"({each.name})" in each.quote]  # a dateline
    found += _for_the_whole(document)
    own = names_of(document.publisher, registrable_domain(document.url))
    return [
        each
        for each in found
        if (each.kind is CreditKind.PRESS or (each.url and each.end > place.start))
        and name_key(each.name) not in own
        and registrable_domain(each.url) != registrable_domain(document.url)
    ]


def _for_the_whole(document: Document) -> Iterator[PageCredit]:
    """Credits outside the text: a byline that is a publisher, and the only link of a line of sources."""
    if known_as(document.author or ""):
        yield PageCredit(kind=CreditKind.PRESS, name=document.author or "", quote="", start=0, end=0)
    if len(document.source_links) == 1:  # with several sources, it is a work of its own
        (url,) = document.source_links
        yield PageCredit(kind=CreditKind.PRESS, name=registrable_domain(url), url=url, quote="", start=0, end=0)


def _named(head: Collection[_Sentence]) -> Iterator[PageCredit]:
    """Find the names in sentences and how each is credited. A name counts as a publisher's if it is well known, looks
    like one, or is called one; so does each name credited on a page that continues with 'the paper said'."""
    spoken_of = any(
        sentence.credits(*place)
        for sentence in head
        for place in sentence.places_of(frozenset((word,) for word in _PUBLICATION))
    )
    for sentence in head:
        for first, last in sentence.capitalised():
            name = sentence.written(first, last)
            if not sentence.credits(first, last):
                yield sentence.credit(CreditKind.MENTION, name)
                continue
            beside = {*sentence.tokens[max(0, first - _REACH) : first], *sentence.tokens[last : last + _REACH]}
            several = last - first > 1
            called = several and (spoken_of or is_press_name(name_key(name)) or bool(beside & _PUBLICATION))
            known = bool(known_as(name)) if several else name_key(name) in known_keys()
            yield sentence.credit(CreditKind.PRESS if called or known else CreditKind.NAMED, name)


def _linked(document: Document, *, in_english: bool = True) -> Iterator[PageCredit]:
    """Find links in sentences that may credit them."""
    spans = sentences(document.text) if document.text_links else ()
    for link in document.text_links:
        span = next((each for each in spans if each.start <= link.start and link.end <= each.end), None)
        if span is None:
            continue
        sentence, name = _Sentence(document.text, span), document.text[link.start : link.end]
        if not in_english:
            yield sentence.credit(CreditKind.POSSIBLE, name, link.url)
        else:
            credited = sentence.credits_link(link.start, link.end)
            yield sentence.credit(CreditKind.PRESS if credited else CreditKind.MENTION, name, link.url)


class _Sentence:
    def __init__(self, text: str, span: Span) -> None:
        self._text, self._span = text, span
        self._found = list(_TOKEN.finditer(text, span.start, span.end))

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        return tuple(spelt_alike(match[0]) for match in self._found)

    @property
    def quote(self) -> Excerpt:
        return Excerpt(quote=self._span.of(self._text), start=self._span.start, end=self._span.end)

    def credit(self, kind: CreditKind, name: str = "", url: str = "") -> PageCredit:
        return PageCredit(kind=kind, name=name, url=url, **self.quote.model_dump())

    def written(self, first: int, last: int) -> str:
        return " ".join(self._text[self._found[first].start() : self._found[last - 1].end()].split())

    def places_of(self, phrases: _Phrases) -> Iterator[tuple[int, int]]:
        """Yield the places of the phrases, as (first, end) of words."""
        for size in {len(phrase) for phrase in phrases}:
            for start in range(len(self.tokens) - size + 1):
                if self.tokens[start : start + size] in phrases:
                    yield start, start + size

    def capitalised(self) -> Iterator[tuple[int, int]]:
        """Yield runs of words that are capitalised, figures, or in a script without capitals, as (first, end). Words
        that open a sentence and are not part of a name are left out."""
        start = 0
        while start < len(self._found):
            end = start
            while end < len(self._found) and not self._found[end][0][0].islower() and not self._has_gap(start, end):
                end += 1
            first = start
            while first < end and self.tokens[first] in _LEADING:
                first += 1
            if first < end:
                yield first, end
            start = max(end, start + 1)

    def _has_gap(self, start: int, place: int) -> bool:
        """Test if a comma, a colon or the like is between a word and the one before it in a run."""
        if place == start:
            return False
        between = self._text[self._found[place - 1].end() : self._found[place].start()]
        return any(sign in between for sign in ",;:!?()\n—–/|")

    def credits(self, first: int, last: int) -> bool:
        """Test if the sentence credits its report to the words in this place."""
        if any(token in _SAME for token in self.tokens[last : last + _REACH + 2]):
            return False
        if any(token in _AFTER for token in self.tokens[last : last + _REACH]):
            return True
        for end in range(first, max(0, first - _REACH) - 1, -1):
            if any(self.tokens[max(0, end - size) : end] in _BEFORE for size in (1, 2, 3)):
                return True
            if end == 0 or self.tokens[end - 1] not in _BETWEEN:
                break
        # The agency of a dateline: 'LENN, May 4 (Halyard) - ...'
        opening = self._text[self._span.start : self._found[first].start()].rstrip()
        closing = self._text[self._found[last - 1].end() : self._span.end]
        return last <= _DATELINE and opening.endswith("(") and closing.startswith(")")

    def credits_link(self, start: int, end: int) -> bool:
        """Test if it credits the link at these characters of the text, beside the link or in its words."""
        inside = [n for n, match in enumerate(self._found) if match.end() > start and match.start() < end]
        if not inside:
            return False
        if self.credits(inside[0], inside[-1] + 1):
            return True
        tokens = frozenset(self.tokens[inside[0] : inside[-1] + 1])
        return bool(tokens & _AFTER) and not tokens & _SAME
