"""Who says that they have it from whom: credits to another publisher at the head of a text, in its by-line, by a link.

A credit is evidence of where a story comes from, and stronger than dates, which a copy can set as it likes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from inquest.domain.document import Document, Precision, Published
from inquest.domain.source import Category, Source
from inquest.logic.text import content_words, fold, sentences
from inquest.logic.urls import comparison_key

__all__ = ["Credit", "Telling", "credits_among", "later", "moment", "outside_credits", "same_matter", "telling_of"]

_HEAD_SENTENCES = 6
"""A report that is taken over is named at the head; further down it is background."""

_WINDOW = timedelta(days=21)
"""A report is taken over within days; who names it later looks back on it."""

_SAME_MATTER = 0.22
"""The least that a text and the one it credits must share of their carrying words and figures (Dice)."""

_SAME_REPORT = 0.3
"""The least that two texts must share to go back to one report that neither of them is."""

_WELL_KNOWN = (
    "reuters",
    "associated press",
    "agence france presse",
    "bloomberg",
    "dow jones",
    "press association",
    "new york times",
    "wall street journal",
    "washington post",
    "financial times",
    "guardian",
    "sunday times",
    "bbc",
    "cnn",
    "nbc news",
    "abc news",
    "cbs news",
    "fox news",
    "politico",
    "axios",
    "propublica",
    "spiegel",
    "suddeutsche zeitung",
    "frankfurter allgemeine zeitung",
    "handelsblatt",
    "bild",
    "le monde",
    "mediapart",
    "el pais",
    "corriere della sera",
    "la repubblica",
    "kyodo",
    "nikkei",
    "xinhua",
    "tass",
    "al jazeera",
    "haaretz",
    "afp",
    "dpa",
    "ap",
)
"""Publishers whose reports others take over, as they are named in texts, folded."""

# Only those who report can be the origin of a report: 'the authority reported' is a statement and not a story.
_OFFICIAL = frozenset(
    (
        Category.GOVERNMENT, Category.COURT, Category.REGULATOR, Category.STATISTICS, Category.INTERGOVERNMENTAL,
        Category.STANDARDS, Category.SCHOLARLY, Category.COMPANY, Category.PRESS_RELEASE, Category.ENCYCLOPEDIA,
        Category.SOCIAL,
    )
)  # fmt: skip
_REPORTS = r"(?:first |exclusively |had |has |have )*(?:report(?:s|ed)|reveal(?:s|ed)|broke the story)"
_PRESS = re.compile(
    r"agency|agentur|anzeiger|argus|blatt|bote|broadcast|bulletin|chronicle|courier|daily|diario|dispatch|echo|examiner|"
    r"express|gazette|globe|guardian|herald|independent|inquirer|journal|kurier|ledger|mail|mercury|monitor|nachrichten|"
    r"news|observer|post|press|radio|record|register|reporter|review|sentinel|standard|star|sun|telegraph|television|"
    r"times|tribun|tv|wire|weekly|zeitung"
)
_BY_REPORT = (
    r"(?:first |originally )?(?:reported|revealed|published) (?:\w+ ){0,2}?(?:by|in)|"
    r"(?:in |to |from |of )?(?:a |an |the )?(?:report|article|story|investigation|account)s? "
    r"(?:\w+ )?(?:by|in|from|of)|according to|citing|via|"
    r"(?:nach|laut) (?:einem |dem )?(?:bericht(?:en)? )?(?:des|der|von)?|(?:wie|das) (?:der|die|das)|"
    r"selon|d'apres|segun|secondo|volgens|enligt|ifolge"
)
_GERMAN_REPORTS = r"(?:berichtet(?:e)?|meldet(?:e)?|schreibt)"
_ON_THEIR_OWN = re.compile(
    r"\bindependent(?:ly)? of\b|\bindependently (?:confirmed|verified|obtained)\b|\bunabhangig von\b"
)
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_TAILS = ("wire", "news", "press", "online", "agency", "media", "group", "newsagency", "times", "post", "daily")


@dataclass(frozen=True, slots=True)
class Telling:
    """One document as a telling of a story."""

    id: str
    url: str
    domain: str
    title: str
    text: str
    published: Published | None
    author: str
    names: tuple[str, ...]
    """What others may call its publisher, folded, longest first."""
    links: frozenset[str]
    """Comparison keys of what it links to."""
    score: int
    category: str
    press_release: bool


@dataclass(frozen=True, slots=True)
class Credit:
    """`teller` says that it has the story from `origin`: by its words, its by-line or a link."""

    teller: str
    origin: str
    reason: str
    alike: float
    """How much of their matter the two share, 0 to 1."""


def telling_of(source: Source, document: Document) -> Telling:
    """What a source and its text contribute to finding out who has it from whom."""
    names = {_folded(name) for name in (document.publisher or "", *_names_in(source.domain)) if name}
    return Telling(
        id=source.id,
        url=source.url,
        domain=source.domain,
        title=source.title or document.title,
        text=document.text,
        published=source.published or document.published,
        author=source.author or document.author or "",
        names=tuple(sorted((name for name in names if len(name) > 2), key=lambda name: (-len(name), name))),
        links=frozenset(comparison_key(link) for link in document.links),
        score=source.rating.score,
        category=source.rating.category,
        press_release=source.rating.press_release,
    )


def _names_in(domain: str) -> list[str]:
    """`veldra-courier.example` -> 'veldra courier'; `halyardwire.example` -> 'halyardwire', 'halyard'."""
    label = domain.split(".")[0]
    names = [label.replace("-", " ")]
    names += [label[: -len(tail)] for tail in _TAILS if label.endswith(tail) and len(label) - len(tail) > 3]
    if "-" in label:
        names.append(label.split("-", 1)[1].replace("-", " "))
    return [name for name in names if len(name) > 3]


def credits_among(tellings: Sequence[Telling]) -> list[Credit]:
    """The credits that these tellings give one another, in their order; of one publisher's documents, to the one that
    is meant: linked to, else not later, else nearest in matter. Never to one's own domain."""
    heads = {telling.id: _head(telling) for telling in tellings}
    bags = {telling.id: _bag(telling) for telling in tellings}
    by_domain: dict[str, list[Telling]] = defaultdict(list)
    for telling in tellings:
        if _reports(telling):
            by_domain[telling.domain].append(telling)
    found = []
    for teller in tellings:
        for domain, others in by_domain.items():
            if domain == teller.domain:
                continue
            meant = []
            for other in others:
                reason = _reason(teller, other, heads[teller.id])
                linked = comparison_key(other.url) in teller.links
                alike = _alike(bags[teller.id], bags[other.id])
                if reason and _near(teller, other) and (linked or alike >= _SAME_MATTER):
                    early = not later(other.published, teller.published)
                    meant.append((not linked, not early, -alike, other.id, Credit(teller.id, other.id, reason, alike)))
            if meant:
                found.append(min(meant, key=lambda each: each[:4])[4])
    return found


def outside_credits(tellings: Sequence[Telling]) -> dict[str, str]:
    """By id of the teller: the agency or newspaper that it names as its source and that is not among the tellings."""
    inside = {name for telling in tellings for name in telling.names}
    found = {}
    for telling in tellings:
        for sentence in _head(telling):
            name = next((name for name in _WELL_KNOWN if _credits_name(sentence, name)), None)
            if name and name not in inside and name not in telling.names and not _ON_THEIR_OWN.search(sentence):
                found[telling.id] = name
                break
    return found


def same_matter(first: Telling, second: Telling) -> bool:
    """Whether two tellings that name the same outside report can be of one report: near in time, and much alike."""
    return _near(first, second) and _alike(_bag(first), _bag(second)) >= _SAME_REPORT


def _reason(teller: Telling, other: Telling, head: list[str]) -> str | None:
    by_line = _folded(teller.author)
    named = False
    for name in other.names:
        if name in teller.names:
            continue
        word = _as_word(name)
        if by_line and re.search(word, by_line):
            return f"its by-line names {name!r}"
        for sentence in head:
            if _ON_THEIR_OWN.search(sentence):
                continue
            if _credits_name(sentence, name):
                return f"it says that it has it from {name!r}"
            named = named or bool(re.search(word, sentence))
    if named and comparison_key(other.url) in teller.links:
        return "it names the other at its head and links to it"
    return None


def _as_word(name: str) -> str:
    return rf"(?<!\w)(?:the )?{re.escape(name)}(?!\w)"


@lru_cache(maxsize=2048)
def _credit_pattern(name: str) -> re.Pattern[str]:
    word = _as_word(name)
    return re.compile(
        rf"{word}(?: \w+){{0,2}}? {_REPORTS}|(?:{_BY_REPORT})\s*(?:the |der |die |das |des |le |la |el |il )?{word}|"
        rf"{_GERMAN_REPORTS} (?:\w+ ){{0,2}}?{word}|{word} {_GERMAN_REPORTS}|^[^.]{{0,60}}\({re.escape(name)}\)"
    )


def _credits_name(sentence: str, name: str) -> bool:
    return name in sentence and bool(_credit_pattern(name).search(sentence))


def _reports(telling: Telling) -> bool:
    """Whether it is a publisher of reports. A name that nobody rated is taken for a newspaper's only if it sounds so:
    'Norvane reported a profit' credits nobody."""
    if telling.category == Category.UNKNOWN:
        return any(_PRESS.search(name) for name in telling.names)
    return telling.category not in _OFFICIAL and not telling.press_release


def _near(teller: Telling, other: Telling) -> bool:
    if teller.published is None or other.published is None:
        return True
    return abs(teller.published.at - other.published.at) <= _WINDOW


def later(first: Published | None, second: Published | None) -> bool:
    """Whether the first is certainly later than the second, as exactly as both are known."""
    if first is None or second is None:
        return False
    end = second.latest if second.precision is not Precision.TIME else second.at
    return first.at > end


def _head(telling: Telling) -> list[str]:
    spans = sentences(telling.text)[:_HEAD_SENTENCES]
    return [_folded(span.of(telling.text)) for span in spans]


def _bag(telling: Telling) -> frozenset[str]:
    text = f"{telling.title}\n{telling.text[:4000]}"
    return frozenset(content_words(text)) | frozenset(_FIGURE.findall(text))


def _alike(first: frozenset[str], second: frozenset[str]) -> float:
    return 2 * len(first & second) / (len(first) + len(second)) if first and second else 0.0


def _folded(text: str) -> str:
    folded = " ".join(fold(text).replace("-", " ").split())
    return folded.removeprefix("the ")


def moment(telling: Telling) -> datetime:
    """When it was published, for ordering; what has no date comes last."""
    return telling.published.at if telling.published else datetime.max.replace(tzinfo=UTC)
