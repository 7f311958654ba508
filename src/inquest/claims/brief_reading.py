"""Rule-based reading of a brief: its names, terms, questions and time range."""

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

READ_AT_MOST = 6000  # Characters of a brief that are read
_ADDRESS = word_set(__name__, "address")  # Words addressed to the researcher, not about the subject
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
_NO_TERMS = STOP_WORDS | _ADDRESS | word_set(__name__, "verbs")
_TECHNICAL = pattern(__name__, "technical")
_UNSAID = word_set(__name__, "unsaid")
_FOCUSING = pattern(__name__, "focusing")
_RESTRICTING = pattern(__name__, "restricting")


@dataclass(frozen=True)
class TimeRange:
    """The time to which a brief is restricted, in UTC; None for an open end."""

    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class BriefReading:
    """The content of a brief."""

    names: tuple[str, ...]  # One spelling each, most frequent first
    organisations: tuple[str, ...]  # Names that look like organisations
    places: tuple[str, ...]
    terms: tuple[str, ...]  # Key terms as written, without names
    phrases: tuple[str, ...]  # Quoted words, and the longest noun phrases
    figures: tuple[str, ...]
    asked: tuple[str, ...]  # Questions without 'I want to know' and similar words
    statement: str  # The first sentence that states something; '' for questions only
    opening: str  # The subject of the first sentence
    range: TimeRange
    technical: bool
    language: str | None


def read_brief(text: str, urls_titles: tuple[str, ...] = ()) -> BriefReading:
    """Read the first `READ_AT_MOST` characters. The titles of the user's pages supply names if the brief has none."""
    text = running_text(text)
    language = detect_language(text) if len(text) > 40 else None
    about = " ".join(_OPENING.sub("", _LEADING_JOINT.sub("", span.of(text))) for span in sentences(text))
    if urls_titles and not names(about):
        about = f"{about} {'. '.join(urls_titles)}"
    named = _names(about)
    beginning = text or ". ".join(urls_titles)
    first = next((span.of(beginning) for span in sentences(beginning)), "")
    asked, statement = _asked(text)
    return BriefReading(
        names=tuple(named),
        organisations=tuple(name for name, kind in named.items() if kind is NameKind.ORGANISATION),
        places=tuple(name for name, kind in named.items() if kind is NameKind.PLACE),
        terms=key_terms(about, tuple(named), shortest=3 if language in ("en", None) else 5),
        phrases=_phrases(about) if language in ("en", None) else (),
        figures=free_figures(text),
        asked=asked,
        statement=statement,
        opening=_QUESTION_LEAD.sub("", _OPENING.sub("", _LEADING_JOINT.sub("", first))).strip().rstrip(".?!:; "),
        range=time_range(text),
        technical=is_technical(about),
        language=language,
    )


class ControlLines(NamedTuple):
    """Control lines of a brief (spec 004: 'Investigation ID: ...', 'Mode: quick'), and the brief without them."""

    text: str
    reference: str = ""
    mode: str = ""


def control_lines(brief: str) -> ControlLines:
    """Extract the control lines; the first of each kind counts."""
    ids, modes = _REFERENCE.findall(brief), _MODE.findall(brief)
    text = _MARKER_LINE.sub("", _MODE.sub("", _REFERENCE.sub("", brief))).strip()
    reference = (ids[0][0].lower() or ids[0][1]) if ids else ""
    return ControlLines(text, reference, modes[0].lower() if modes else "")


_REFERENCE = regex(
    r"\bInvestigation ID:[ \t]*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b[.,;]?[ \t]*\n?"
    r"|^[ \t]*Investigation ID:[ \t]*(\S{1,100})[ \t]*(?:\n|\Z)",
    re.I | re.M,
)
_MODE = regex(
    r"^[ \t]*(?:investigation[ \t]+)?mode:[ \t]*(quick|detailed)(?:[ \t]+(?:search|inquiry))?\.?[ \t]*(?:\n|\Z)",
    re.I | re.M,
)
_MARKER_LINE = regex(r"^[ \t]*\[[A-Z]+(?:_[A-Z]+)+\][ \t]*(?:\n|\Z)", re.M)


def running_text(brief: str) -> str:
    """Return the first `READ_AT_MOST` characters as running text without URLs, headings as sentences."""
    text = re.sub(r"https?://\S+", " ", brief[:READ_AT_MOST])
    return " ".join(_HEADING.sub(".\n\n", text.strip()).split())


_HEADING = regex(r"(?<=[\w)\"”'’%])[ \t]*\n[ \t]*\n\s*(?=\S)")


def names_nothing(text: str) -> bool:
    """Return True for a text without names and search terms ('it was done by someone')."""
    text = text[:READ_AT_MOST]
    return not _names(text) and all(fold(term) in _UNSAID for term in key_terms(text))


def is_technical(text: str) -> bool:
    """Return True for a subject of scientific studies: health, climate, chemistry, energy."""
    return bool(_TECHNICAL.search(text))


def free_figures(text: str) -> tuple[str, ...]:
    """Return the figures of a text verbatim, without those within a name ('1,4-dioxane', 'a 3-year plan')."""
    free = [q for q in quantities(text) if not q.spelled and not re.match(r"-\w", text[q.span.end :])]
    return tuple(dict.fromkeys(shown(quantity) for quantity in free))


def subject_of(topic: str) -> tuple[str, ...]:
    """Return the names in a topic, the most likely subject first."""
    return tuple(_names(topic))


def _names(text: str) -> dict[str, NameKind]:
    """Return the names with their kinds, in the longest spelling, most frequent first."""
    amounts = [amount for amount in quantities(text) if not amount.spelled and " " in amount.text]
    mentions: list[tuple[str, NameKind]] = [
        (name.text, name.kind)
        for name in names(text)
        if (name.sure or text.count(name.text) > 1)
        and fold(name.text) not in _ADDRESS
        and not any(name.span.start < amount.span.end and amount.span.start < name.span.end for amount in amounts)
    ]
    kinds = dict(reversed([each for each in mentions if each[1] is not NameKind.NAME]))
    counted = [
        (-sum(len(re.findall(rf"\b{re.escape(spelled)}\b", text)) for spelled in group), position, group)
        for position, group in enumerate(by_bearer(spelled for spelled, _ in mentions))
    ]
    ordered: dict[str, NameKind] = {}
    for _, _, group in sorted(counted):
        kind = next((kinds[spelled] for spelled in group if spelled in kinds), NameKind.NAME)
        ordered[max(group, key=len)] = kind
    return ordered


def key_terms(text: str, without: tuple[str, ...] = (), limit: int = 12, *, shortest: int = 3) -> tuple[str, ...]:
    """Return the words that describe the subject, as first written, most frequent first. `without`: names to leave out.
    `shortest`: minimum letters of a word; more for a language without stop words."""
    stems = _ADDRESS_STEMS | {stem(word) for name in without for word in re.findall(r"\w+", name)}
    dates = {number for moment in moments(text) for number in range(moment.span.start, moment.span.end)}
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for match in _WORD.finditer(text):
        word = match.group()
        if match.start() in dates or len(word) < shortest or word.replace(",", "").replace(".", "").isdigit():
            continue
        if fold(word) not in _NO_TERMS and (key := stem(word)) not in stems:
            first.setdefault(key, word)
            counts[key] += 1
    return tuple(first[key] for key, _ in counts.most_common(limit))


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
    """Return the question in a sentence without 'I want to know': 'how far it exceeded the permit'; or None."""
    plain = _LEADING_JOINT.sub("", sentence)
    stripped = _OPENING.sub("", plain)
    asks = sentence.endswith(ASKING) or (stripped != plain and _ASKING.match(stripped))
    return stripped.rstrip(".") if asks else None


def _phrases(text: str) -> tuple[str, ...]:
    runs: list[list[str]] = [[]]
    for part in _BREAK.split(text):
        runs.append([])
        for word in (match.group() for match in _WORD.finditer(part)):
            plain = fold(word)
            if plain in _JOINING or not (plain in _NO_TERMS or plain.isdigit() or _VERBISH.fullmatch(word)):
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
    """Return the time to which a text is restricted: 'since 2020', 'between 2019 and 2021', 'focus on 2023'. A date
    that is merely mentioned is not a restriction."""
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
            since = begins  # pages about a period are published in it or after it
    if since and until and since > until:
        return TimeRange()
    return TimeRange(since, until)
