"""When a document was published, from what speaks of it. Pure: `retrieved_at` is the only 'now'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import pairwise

from inquest.domain.document import DateEvidence, Document, Precision, Published
from inquest.domain.source import Source
from inquest.text.dates import date_from_parts, parse_date, utc
from inquest.text.lexicon import entries, pattern
from inquest.text.month_names import fold
from inquest.text.regex import regex
from inquest.text.written_dates import WrittenDate, written_dates


@dataclass(frozen=True, slots=True)
class DateWitness:
    """One thing that says when a document was published: the date, with `how` (metadata, visible text, url, file) in
    it, and where exactly it stands ('JSON-LD datePublished')."""

    published: Published
    where: str


@dataclass(frozen=True, slots=True)
class Dated:
    """The date that stands, and what a person should know of it."""

    published: Published | None
    notes: tuple[str, ...] = ()
    evidence: tuple[DateEvidence, ...] = ()
    """Every witness, heard or not, weightiest first."""


# What a page declares outweighs what is printed on it, which outweighs its address, which outweighs a library's search.
_ORDER = ("user", "feed", "metadata", "visible text", "url", "file", "detected", "archive")
_ARCHIVE = "archive"
_TOLERANCE = timedelta(days=1)
"""The same moment is two calendar days in two time zones."""
_EPOCHS = {date(1970, 1, 1), date(1969, 12, 31), date(1900, 1, 1), date(1980, 1, 1)}
"""What systems write where they know no date."""
_EARLIEST = 1500
_QUARTER_ENDS = ((3, 31), (6, 30), (9, 30), (12, 31))


def publication_date(witnesses: Sequence[DateWitness], retrieved_at: datetime) -> Dated:
    """The date on which most kinds of witness agree; among equals, the word of the weightiest kind, first come first.

    Dates that begin after the document was retrieved, and the dates that systems write for 'unknown', are no witnesses.
    A first capture by an archive is an upper bound: nothing is published after it was captured, so that later dates are
    those of a change. It is the date itself only where nothing else speaks. Where dates more than a day apart remain,
    a note says so. Of dates that agree, the most precise of the weightiest
    kind is given.
    """
    now = retrieved_at if retrieved_at.tzinfo else retrieved_at.replace(tzinfo=UTC)
    notes = []
    heard = []
    evidence = []
    captures = [one for one in witnesses if one.published.how == _ARCHIVE and one.published.at <= now]
    bound = min((one for one in captures), key=lambda one: one.published.latest, default=None)
    for witness in sorted(witnesses, key=_rank):
        at = witness.published.at
        usable = at.date() not in _EPOCHS and at.year >= _EARLIEST
        if at > now:
            usable = False
            notes.append(f"{witness.where} gives a date after retrieval, {witness.published.iso}; it is not used")
        elif bound and witness is not bound and disproved_by(witness.published, bound.published.latest):
            usable = False
            notes.append(
                f"{witness.where} says {witness.published.iso}, but {bound.where} is of {bound.published.iso}, and "
                "nothing is published after it was captured"
            )
        evidence.append(_evidence(witness, usable))
        if usable:
            heard.append(witness)
    stated = [one for one in heard if one.published.how != _ARCHIVE]
    # A capture says when the page was there at the latest; the date itself it is only for want of another.
    heard = stated or heard
    if not heard:
        return Dated(None, tuple(dict.fromkeys(notes)), tuple(evidence))
    heard = [one for one in heard if not _is_balance_date(one, heard)] or heard
    best = max(heard, key=lambda one: (_support(one, heard), -heard.index(one)))
    kin = [one for one in heard if _agree(one, best) and _rank(one) == _rank(best)]
    chosen = max(kin, key=lambda one: (list(Precision).index(one.published.precision), -kin.index(one)))
    notes += [
        f"dates disagree: {chosen.where} says {chosen.published.iso}, {other.where} says {other.published.iso}"
        for other in heard
        if not _agree(other, chosen)
    ]
    return Dated(chosen.published, tuple(dict.fromkeys(notes)), tuple(evidence))


def _is_balance_date(witness: DateWitness, heard: Sequence[DateWitness]) -> bool:
    """Whether a text's date is the last day of a quarter, and something else dates it later: accounts and tables give
    the day that they are drawn up to ('31 December 2024') and come out months after it."""
    at = witness.published.at
    last = (at.month, at.day) in _QUARTER_ENDS and witness.published.precision is Precision.DAY
    later = any(one.published.at - at > _TOLERANCE for one in heard)
    return witness.published.how == "visible text" and last and later


def _evidence(witness: DateWitness, used: bool) -> DateEvidence:
    published = witness.published
    return DateEvidence(where=witness.where, iso=published.iso, how=published.how, used=used)


def first_capture(at: datetime, archive: str) -> DateWitness:
    """An archive's first capture of the page. `archive` is its name: 'the Wayback Machine'."""
    published = Published(at=utc(at), precision=Precision.TIME, how=_ARCHIVE)
    return DateWitness(published, f"the first capture by {archive}")


def disproved_by(published: Published, seen: datetime) -> bool:
    """Whether a date cannot be true of what was there at `seen`: it begins more than a day later."""
    return utc(published.at) - _TOLERANCE > utc(seen)


def date_and_capture(source: Source, document: Document) -> tuple[Published | None, datetime | None]:
    """When a source says that it was published, and when an archive found it there first; None: not known.

    A date after its reading or after its capture is wrong and left out. A capture that stands in for a date is a bound
    and no date.
    """
    published = source.published or document.published
    stated = [one.published for each in (*source.dates, *document.dates) if (one := _capture(each))]
    if published and published.how == _ARCHIVE:
        stated, published = [*stated, published], None
    seen = min((utc(each.at) for each in stated), default=None)
    if published and (utc(published.at) > utc(source.retrieved_at) or (seen and disproved_by(published, seen))):
        published = None
    return published, seen


def _capture(date: DateEvidence) -> DateWitness | None:
    return from_value(date.iso, date.where, how=_ARCHIVE) if date.how == _ARCHIVE and date.used else None


def with_witnesses(document: Document, witnesses: Sequence[DateWitness], retrieved_at: datetime) -> Document:
    """The document with its date found anew from what it says itself and from further witnesses (an
    archive's first capture), its notes on dates with it. Asking twice changes nothing.

    `retrieved_at`: of its snapshot.
    """
    known = [witness for one in document.dates if (witness := from_value(one.iso, one.where, how=one.how))]
    if not document.dates and document.published:
        known.append(DateWitness(document.published, f"the {document.published.how or 'page'}"))
    before = publication_date(known, retrieved_at)
    fresh = [one for one in witnesses if _evidence(one, True).where not in {other.where for other in known}]
    dated = publication_date([*known, *fresh], retrieved_at)
    notes = [note for note in document.notes if note not in before.notes]
    return document.model_copy(
        update={"published": dated.published, "dates": dated.evidence, "notes": (*notes, *dated.notes)}
    )


def _rank(witness: DateWitness) -> int:
    how = witness.published.how
    return _ORDER.index(how) if how in _ORDER else len(_ORDER)


def _support(witness: DateWitness, heard: Sequence[DateWitness]) -> int:
    return len({other.published.how for other in heard if _agree(witness, other)})


def _agree(one: DateWitness, other: DateWitness) -> bool:
    first, second = one.published, other.published
    return first.at - _TOLERANCE <= second.latest and second.at - _TOLERANCE <= first.latest


def from_value(
    value: object,
    where: str,
    *,
    how: str = "metadata",
    now: datetime | None = None,
    month_first: bool | None = None,
    language: str | None = None,
) -> DateWitness | None:
    """A machine-readable or written date (JSON-LD, meta tag, time element, feed); None where it is no date.

    `month_first` and `language` (two letters) as for parse_date.
    """
    published = parse_date(value, now=now, how=how, month_first=month_first, language=language)
    return DateWitness(published, where) if published else None


_IN_URL = (
    pattern(__name__, "url_day"),
    regex(r"(?<![\dA-Za-z])(?P<year>(?:19[89]|20[0-4])\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)"),
    regex(r"/(?P<year>(?:19[89]|20[0-4])\d)/(?P<month>0[1-9]|1[0-2])(?:/|$)"),
)


def from_url(url: str) -> DateWitness | None:
    """A date in the address: /2024/03/05/, /2024/mar/05/, 2024-03-05, 20240305 (a day), /2024/03/ (a month)."""
    path = "/" + url.split("://", 1)[-1].partition("/")[2].split("?")[0]
    match = next(filter(None, (form.search(path) for form in _IN_URL)), None)
    return from_value("-".join(match.groupdict().values()), "the address", how="url") if match else None


_LED_IN = pattern(__name__, "led_in")
"""What stands before a date and names no event."""
_APART = regex(r"[|·•;\n]|\s[–—-]\s")
_DATELINE = 600
"""Characters from the top within which a full date on a line of its own is taken to be the date of the text."""
_PROSE = 60
"""Characters of a line of running text; a summary may stand above the date, but what follows two of them is below."""
_TO = ("-", "–", "—", "to", "bis", "au", "al", "a", "tot", "do", "until")
_BESIDE, _LED_IN_BY = 40, 24
"""Characters that may stand beside a date on its line, and before one that is led in by a word."""
_LABEL = 40
"""Characters of a label that stands apart from its date."""


@cache
def _labels() -> re.Pattern[str]:
    """Any label of a date, in folded text: of publication ('published'), or of another event ('other')."""
    listed = entries(__name__, "dating")
    kinds = {kind: fold(listed[kind]).replace("*", r"[^\W\d]*") for kind in ("other", "published")}
    either = "|".join(f"(?P<{kind}>{words})" for kind, words in kinds.items())
    return re.compile(rf"(?<![\w-])(?:{either})(?!\w)")


def label_of(text: str) -> str | None:
    """What a short text calls a date: 'published', 'other' (received, updated, valid until), or None where it is no
    label. Of two labels that of another event counts: what is 'accepted for publication' is not published."""
    kinds = {str(match.lastgroup) for match in _labels().finditer(fold(text))}
    return min(kinds, default=None)


def from_text(text: str, *, month_first: bool | None = None, language: str | None = None) -> DateWitness | None:
    """A full date printed at the top of a text as its date: labelled 'published', or else nearly alone on its line.

    In the languages of written_dates; `month_first` and `language` (two letters) as for parse_date. A date inside a
    sentence dates what the sentence speaks of, not the page, and is passed over, as are one that a label gives to
    another event (received, accepted, updated, valid until) and the two ends of a period. A label may stand on the line
    above, and labels in a row above their dates in a row.
    """
    prose = 0
    label = ""
    bare = None
    for line in text[:_DATELINE].split("\n"):
        said = f"{label}: {line}" if label else line
        found, labelled = _date_of_line(said, written_dates(said, month_first=month_first, language=language))
        if labelled:
            return found
        bare = bare or found
        if said := line.strip():
            is_label = len(said) <= _LABEL and not any(map(str.isdigit, said)) and _labels().match(fold(said))
            label = "" if not is_label else f"{label} | {said}" if label else said
        prose += len(line) >= _PROSE and line.rstrip().endswith((".", "!", "?", "”", "»"))
        if prose > 1:
            break
    return bare


def _date_of_line(line: str, dates: Sequence[WrittenDate]) -> tuple[DateWitness | None, bool]:
    """The date that a line gives to the text, and whether a label says so."""
    between = [line[one.end : other.start].strip().lower() for one, other in pairwise(dates)]
    # 'From 5 March 2024 to 7 March 2024': the ends of a period.
    if not dates or any(said in _TO for said in between):
        return None, False
    tail = line[dates[-1].end :].strip()
    beside = len(line) - sum(date.end - date.start for date in dates)
    alone = beside <= _BESIDE * len(dates) and (tail == "." or not tail.endswith((".", ",", "?")))
    bare = None
    for found, start, label in zip(dates, (0, *(one.end for one in dates)), _labels_of(line, dates), strict=False):
        before = _APART.split(line[start : found.start])[-1].strip()
        published = date_from_parts(found.parts, how="visible text")
        witness = DateWitness(published, "the text") if published else None
        if label == "published" and (alone or len(before) <= _LED_IN_BY):
            return witness, True
        # 'By Ida Holm, 5 March 2024' is a date line; 'Correction of our statement of 5 March 2024' is a heading.
        set_off = alone and (not before or before[-1] in ",:/(：")
        led_in = len(before) <= _LED_IN_BY and tail != "." and _LED_IN.search(before)
        if label is None and (set_off or led_in):
            bare = bare or witness
    return bare, False


def _labels_of(line: str, dates: Sequence[WrittenDate]) -> list[str | None]:
    """The kind of label of each date: it stands before its date, or after it where none stands before the first, or the
    labels of all stand before the first in a row."""
    starts = (0, *(date.end for date in dates))
    parts = [line[start : date.start] for start, date in zip(starts, dates, strict=False)]
    before = [label_of(next(filter(str.strip, reversed(_APART.split(part))), "")) for part in parts]
    row = [str(match.lastgroup) for match in _labels().finditer(fold(parts[0]))]
    if len(row) == len(dates) > 1 and not any(before[1:]):
        return list(row)
    after = label_of(line[dates[-1].end :][:_LABEL])
    return [*before[1:], after] if after and not before[0] else list(before)
