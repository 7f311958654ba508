"""What a brief is about, read by rule: whom and what it names, what it asks, and which time it means."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import NamedTuple

from inquest.text.entities import NameKind, by_bearer, names
from inquest.text.languages import detect_language
from inquest.text.lexicon import pattern, word_set
from inquest.text.moments import moments
from inquest.text.phrases import capitalised
from inquest.text.quantities import quantities, shown
from inquest.text.regex import regex
from inquest.text.sentences import ASKING, STOP_WORDS, content_words, fold, sentences, shorten, stem

READ_AT_MOST = 6000
"""Characters of a brief that the plan is made from."""

# Words a user writes to us, not about the subject.
_ADDRESS = word_set(__name__, "address")
_ADDRESS_STEMS = frozenset(stem(word) for word in _ADDRESS)
_OPENING = pattern(__name__, "opening")
_LEADING_JOINT = regex(r"^(?:and|but|also|so|then|or|please)[,\s]+", re.I)
_QUESTION_LEAD = regex(
    r"^(?:what\s+(?:exactly\s+|really\s+)?(?:happened|happens|went\s+wrong|is\s+going\s+on|is\s+known)\s+"
    r"(?:at|to|in|with|on|about|of|during)\s+|(?:whether|if|how|why|that|about)\s+|is\s+it\s+true\s+that\s+)",
    re.I,
)
_ASKING = pattern(__name__, "asking")
_WORD = regex(r"\d+(?:,\d+)*-[\w-]+|\w+(?:[-'’.,]\w+)*", re.UNICODE)
_IN_QUOTES = regex(r"[\"“]([^\"”]{6,80})[\"”]")
_BREAK = regex(r"[.;:!?()\"“”]|,\s|\s[–—-]\s")
_JOINING = frozenset("of in into at for on from to near under by the de la du van von".split())
_VERBISH = regex(r"[a-z]{3,}(?:ed|ing|ise|ize|ify)")
_VERBS = word_set(__name__, "verbs")
_TECHNICAL = pattern(__name__, "technical")
_UNSAID = word_set(__name__, "unsaid")
_FOCUSING = pattern(__name__, "focusing")
_RESTRICTING = pattern(__name__, "restricting")


@dataclass(frozen=True)
class TimeRange:
    """The time a brief restricts itself to, as moments in UTC; None on a side that is open."""

    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class BriefReading:
    """What appears in a brief."""

    names: tuple[str, ...]
    """Most often named first, one spelling each."""
    organisations: tuple[str, ...]
    """Of these, what seems to be an organisation."""
    places: tuple[str, ...]
    terms: tuple[str, ...]
    """Words that carry the subject, as written, without names."""
    phrases: tuple[str, ...]
    """Quoted words, and the longest runs of words that name a thing."""
    figures: tuple[str, ...]
    asked: tuple[str, ...]
    """Questions the user asks, without the words addressed to us."""
    statement: str
    """The first sentence that states something, '' where the brief only asks."""
    opening: str
    """What the first sentence is about."""
    range: TimeRange
    technical: bool
    language: str | None


def read_brief(text: str, urls_titles: tuple[str, ...] = ()) -> BriefReading:
    """Read the first `READ_AT_MOST` characters. Where the brief names nobody, the titles of the user's pages do."""
    text = running_text(text)
    language = detect_language(text) if len(text) > 40 else None
    about = " ".join(_OPENING.sub("", _LEADING_JOINT.sub("", span.of(text))) for span in sentences(text))
    if urls_titles and not names(about):
        about = f"{about} {'. '.join(urls_titles)}"
    found = _names(about)
    asked, statement = _asked(text)
    return BriefReading(
        names=tuple(found),
        organisations=tuple(name for name, kind in found.items() if kind is NameKind.ORGANISATION),
        places=tuple(name for name, kind in found.items() if kind is NameKind.PLACE),
        terms=key_terms(about, tuple(found), shortest=3 if language in ("en", None) else 5),
        phrases=_phrases(about) if language in ("en", None) else (),
        figures=free_figures(text),
        asked=asked,
        statement=statement,
        opening=_opening(text or ". ".join(urls_titles)),
        range=time_range(text),
        technical=is_technical(about),
        language=language,
    )


class ControlLines(NamedTuple):
    """What a brief says to the program (spec 004: 'Investigation ID: ...', 'Mode: quick'), and the brief without it."""

    text: str
    reference: str = ""
    mode: str = ""


def control_lines(brief: str) -> ControlLines:
    """The control lines of a brief, of which the first of each kind counts."""
    ids, modes = _REFERENCE.findall(brief), _MODE.findall(brief)
    text = _MARKER_LINE.sub("", _MODE.sub("", _REFERENCE.sub("", brief))).strip()
    return ControlLines(text, ids[0].lower() if ids else "", modes[0].lower() if modes else "")


_REFERENCE = regex(r"\bInvestigation ID:[ \t]*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b[.,;]?[ \t]*\n?", re.I)
_MODE = regex(
    r"^[ \t]*(?:investigation[ \t]+)?mode:[ \t]*(quick|detailed)(?:[ \t]+(?:search|inquiry))?\.?[ \t]*(?:\n|\Z)",
    re.I | re.M,
)
_MARKER_LINE = regex(r"^[ \t]*\[[A-Z]+(?:_[A-Z]+)+\][ \t]*(?:\n|\Z)", re.M)


def running_text(brief: str) -> str:
    """The first `READ_AT_MOST` characters as running text without addresses; a heading above a paragraph is a sentence
    of its own."""
    text = re.sub(r"https?://\S+", " ", brief[:READ_AT_MOST])
    return " ".join(_HEADING.sub(".\n\n", text.strip()).split())


_HEADING = regex(r"(?<=[\w)\"”'’%])[ \t]*\n[ \t]*\n\s*(?=\S)")


def names_nothing(text: str) -> bool:
    """True for a text that nothing can be searched for by: it has no name, and no word but those that point to
    something unsaid ('it was done by someone')."""
    text = text[:READ_AT_MOST]
    return not _names(text) and all(fold(term) in _UNSAID for term in key_terms(text))


def is_technical(text: str) -> bool:
    """True where the matter is one that studies are made of: health, climate, chemistry, energy."""
    return bool(_TECHNICAL.search(text))


def free_figures(text: str) -> tuple[str, ...]:
    """The figures of a text in its own words, without those that are part of a name."""
    # The numbers of '1,4-dioxane' or 'a 3-year plan' are part of a name.
    free = [q for q in quantities(text) if not q.spelled and not re.match(r"-\w", text[q.span.end :])]
    return tuple(dict.fromkeys(shown(quantity) for quantity in free))


def subject_of(topic: str) -> tuple[str, ...]:
    """The names a topic is about, the first the most likely subject."""
    return tuple(_names(topic))


def _names(text: str) -> dict[str, NameKind]:
    """Names with their kinds, most often named first, and of two spellings of one the longer."""
    amounts = [amount for amount in quantities(text) if not amount.spelled and " " in amount.text]
    met: list[tuple[str, NameKind]] = [
        (name.text, name.kind)
        for name in names(text)
        if (name.sure or text.count(name.text) > 1)
        and fold(name.text) not in _ADDRESS
        and not any(name.span.start < amount.span.end and amount.span.start < name.span.end for amount in amounts)
    ]
    kinds = dict(reversed([each for each in met if each[1] is not NameKind.NAME]))
    counted = [
        (-sum(len(re.findall(rf"\b{re.escape(spelled)}\b", text)) for spelled in group), position, group)
        for position, group in enumerate(by_bearer(spelled for spelled, _ in met))
    ]
    ordered: dict[str, NameKind] = {}
    for _, _, group in sorted(counted):
        kind = next((kinds[spelled] for spelled in group if spelled in kinds), NameKind.NAME)
        ordered[max(group, key=len)] = kind
    return ordered


def key_terms(text: str, without: tuple[str, ...] = (), limit: int = 12, *, shortest: int = 3) -> tuple[str, ...]:
    """Words that carry the subject, as first written: oftener named first, then in order. `without`: names to leave.
    `shortest`: letters a word must have; more where the small words of the language are not known."""
    named = {stem(word) for name in without for word in re.findall(r"\w+", name)}
    dates = {number for moment in moments(text) for number in range(moment.span.start, moment.span.end)}
    first: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for match in _WORD.finditer(text):
        word = match.group()
        key = stem(word)
        if match.start() in dates or fold(word) in STOP_WORDS or fold(word) in _ADDRESS or key in _ADDRESS_STEMS:
            continue
        if (
            key in named
            or fold(word) in _VERBS
            or len(word) < shortest
            or word.replace(",", "").replace(".", "").isdigit()
        ):
            continue
        first.setdefault(key, word)
        seen[key] += 1
    order = {key: place for place, key in enumerate(first)}
    ranked = sorted(first, key=lambda key: (-seen[key], order[key]))
    return tuple(first[key] for key in ranked[:limit])


def _asked(text: str) -> tuple[tuple[str, ...], str]:
    asked: list[str] = []
    statement = ""
    for span in sentences(text):
        sentence = span.of(text)
        question = question_in(sentence)
        if question is not None and len(content_words(question)) >= 2:
            asked.append(shorten(capitalised(question), 220))
            continue
        stripped = _OPENING.sub("", plain := _LEADING_JOINT.sub("", sentence))
        was_addressed = stripped != plain
        if was_addressed and len(content_words(stripped)) >= 2 and re.match(r"(?:whether|if)\b", stripped, re.I):
            asked.append(shorten(capitalised(stripped.rstrip(".")), 220))
        elif not statement and not was_addressed and len(content_words(stripped)) >= 3:
            statement = shorten(stripped, 220)
    return tuple(dict.fromkeys(asked)), statement


def question_in(sentence: str) -> str | None:
    """What a sentence of a brief asks, without 'I want to know': 'how far it exceeded the permit'; None: nothing."""
    plain = _LEADING_JOINT.sub("", sentence)
    stripped = _OPENING.sub("", plain)
    asks = sentence.endswith(ASKING) or (stripped != plain and _ASKING.match(stripped))
    return stripped.rstrip(".") if asks else None


def _opening(text: str) -> str:
    first = next((span.of(text) for span in sentences(text)), "")
    return _QUESTION_LEAD.sub("", _OPENING.sub("", _LEADING_JOINT.sub("", first))).strip().rstrip(".?!:; ")


def _phrases(text: str) -> tuple[str, ...]:
    runs: list[list[str]] = [[]]
    for part in _BREAK.split(text):
        runs.append([])
        for word in (match.group() for match in _WORD.finditer(part)):
            plain = fold(word)
            if plain in _JOINING or not (
                plain in _VERBS | _ADDRESS | STOP_WORDS or plain.isdigit() or _VERBISH.fullmatch(word)
            ):
                runs[-1] += [word] if runs[-1] or plain not in _JOINING else []
            else:
                runs.append([])
    named: list[tuple[int, str]] = []
    for run in runs:
        while run and fold(run[-1]) in _JOINING:
            run.pop()
        carrying = [word for word in run if fold(word) not in _JOINING]
        if len(carrying) >= 2 and len(run) <= 10:
            value = len(carrying) + sum(word[0].isupper() or word[0].isdigit() for word in carrying)
            named.append((value, " ".join(run)))
    longest = [phrase for _, phrase in sorted(named, key=lambda each: -each[0])]
    return tuple(dict.fromkeys((*_IN_QUOTES.findall(text), *longest)))[:5]


def time_range(text: str) -> TimeRange:
    """The time that the text restricts itself to: 'since 2020', 'between 2019 and 2021', 'focus on 2023'.

    A date that is merely mentioned restricts nothing.
    """
    since: datetime | None = None
    until: datetime | None = None
    for moment in moments(text):
        before = text[max(0, moment.span.start - 40) : moment.span.start]
        begins = datetime.combine(moment.start, time.min, UTC)
        ends = datetime.combine(moment.end, time(23, 59, 59), UTC)
        if moment.order in ("since", "after"):
            since = begins
        elif moment.order in ("before", "until"):
            until = begins if moment.order == "before" else ends
        elif _FOCUSING.search(before):
            since, until = since or begins, ends
        elif _RESTRICTING.search(before) and since is None:
            # What is written about a time is written in it or after it.
            since = begins
    if since and until and since > until:
        return TimeRange()
    return TimeRange(since, until)
