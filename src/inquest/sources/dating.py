"""The date of publication of a document, from its witnesses; `retrieved_at` is the only 'now'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from itertools import pairwise

from inquest.domain.document import DateEvidence, Document, Precision, Published
from inquest.domain.reasons import Reason, coded, in_words, noted, plain, sentences
from inquest.domain.source import Source
from inquest.text.calendars import fold
from inquest.text.dates import date_from_parts, parse_date, utc
from inquest.text.lexicon import entries, pattern
from inquest.text.regex import regex
from inquest.text.written_dates import WrittenDate, written_dates


@dataclass(frozen=True, slots=True)
class DateWitness:
    """A date of publication, with its kind as `how`, and the place that gives it ('JSON-LD datePublished')."""

    published: Published
    where: str | Reason


@dataclass(frozen=True, slots=True)
class Dated:
    """The chosen date, notes on it for readers, and every witness, used or not, in order of trust."""

    published: Published | None
    notes: tuple[Reason, ...] = ()
    evidence: tuple[DateEvidence, ...] = ()


_TRUST = ("user", "feed", "metadata", "visible text", "url", "file", "detected", "archive")
"""Kinds of witness in order of trust: declared by the page, printed on it, in its address, found by a library."""
_DECLARED = frozenset(("feed", "metadata", "url", "file"))
"""Kinds of witness whose order of day and month is certain."""
DATES_DISAGREE = "pages.dates_disagree"  # Code of the note on contradictory dates
_ARCHIVE = "archive"
_TOLERANCE = timedelta(days=1)  # One moment may be two calendar days in two time zones
_PLACEHOLDERS = {date(1970, 1, 1), date(1969, 12, 31), date(1900, 1, 1), date(1980, 1, 1)}
"""Dates that systems write for 'unknown'."""
_EARLIEST = 1500
_QUARTER_ENDS = ((3, 31), (6, 30), (9, 30), (12, 31))


def publication_date(witnesses: Sequence[DateWitness], retrieved_at: datetime) -> Dated:
    """Choose the date on which most kinds of witness agree; if tied, that of the most trusted kind. Of dates that
    agree, the most precise of that kind is chosen; dates more than a day apart make a note. Dates after retrieval and
    placeholders are not used. An archive's first capture is an upper bound, because later dates are those of a change;
    it is the date itself only if there is no other."""
    now = utc(retrieved_at)
    captures = [one for one in witnesses if one.published.how == _ARCHIVE and one.published.at <= now]
    bound = min(captures, key=lambda one: one.published.latest, default=None)
    ranked = sorted(witnesses, key=_rank)
    notes = [note for one in ranked if (note := _contradiction(one, bound, now))]
    usable = [
        one
        for one in ranked
        if not _contradiction(one, bound, now)
        and not _is_swapped(one, witnesses)
        and one.published.at.date() not in _PLACEHOLDERS
        and one.published.at.year >= _EARLIEST
    ]
    evidence = tuple(
        DateEvidence(
            where=plain(one.where),
            where_code=one.where if isinstance(one.where, Reason) else None,
            iso=one.published.iso,
            how=one.published.how,
            used=one in usable,
        )
        for one in ranked
    )
    stated = [one for one in usable if one.published.how != _ARCHIVE] or usable
    stated = [one for one in stated if not _is_balance_date(one, stated)] or stated
    if not stated:
        return Dated(None, tuple(notes), evidence)
    support = {one: len({other.published.how for other in stated if _agree(one, other)}) for one in stated}
    best = max(stated, key=lambda one: (support[one], -stated.index(one)))
    kin = [one for one in stated if _agree(one, best) and _rank(one) == _rank(best)]
    chosen = max(kin, key=lambda one: (list(Precision).index(one.published.precision), -kin.index(one)))
    notes += [_disagreeing(DATES_DISAGREE, chosen, other) for other in stated if not _agree(other, chosen)]
    return Dated(chosen.published, tuple(notes), evidence)


def _disagreeing(code: str, one: DateWitness, other: DateWitness) -> Reason:
    dates = {"date": one.published.iso, "then": other.published.iso}
    return Reason.of(code, one=one.where, other=other.where, **dates)


def _contradiction(witness: DateWitness, bound: DateWitness | None, now: datetime) -> Reason | None:
    """Return why a date cannot be correct; None if it can."""
    published = witness.published
    if published.at > now:
        return Reason.of("pages.date_after_reading", one=witness.where, date=published.iso)
    if bound and witness is not bound and disproved_by(published, bound.published.latest):
        return _disagreeing("pages.date_after_capture", witness, bound)
    return None


def _is_swapped(witness: DateWitness, others: Sequence[DateWitness]) -> bool:
    """True for a printed date that is the declared one with day and month in the wrong order."""
    at = witness.published.at
    declared = [one.published.at for one in others if one.published.how in _DECLARED]
    return witness.published.how == "visible text" and any(
        (at.year, at.month, at.day) == (one.year, one.day, one.month) and at.month != at.day for one in declared
    )


def _is_balance_date(witness: DateWitness, others: Sequence[DateWitness]) -> bool:
    """Test for a text's date on the last day of a quarter where another witness is later. Accounts name their balance
    sheet date ('31 December 2024') and are published months after it."""
    at = witness.published.at
    last = (at.month, at.day) in _QUARTER_ENDS and witness.published.precision is Precision.DAY
    return (
        witness.published.how == "visible text" and last and any(one.published.at - at > _TOLERANCE for one in others)
    )


def _rank(witness: DateWitness) -> int:
    how = witness.published.how
    return _TRUST.index(how) if how in _TRUST else len(_TRUST)


def _agree(one: DateWitness, other: DateWitness) -> bool:
    first, second = one.published, other.published
    return first.at - _TOLERANCE <= second.latest and second.at - _TOLERANCE <= first.latest


def disproved_by(published: Published, seen: datetime) -> bool:
    """Test if a date begins more than a day after the document was seen."""
    return utc(published.at) - _TOLERANCE > utc(seen)


def date_and_capture(source: Source, document: Document) -> tuple[Published | None, datetime | None]:
    """Return the stated date of a source and its first capture by an archive, None if not known. A date after reading
    or capture is wrong and left out. A capture in place of a date is a bound, not a date."""
    published = source.published or document.published
    captures = [
        witness.published
        for each in (*source.dates, *document.dates)
        if each.how == _ARCHIVE and each.used and (witness := from_value(each.iso, each.where, how=_ARCHIVE))
    ]
    if published and published.how == _ARCHIVE:
        captures, published = [*captures, published], None
    seen = min((utc(each.at) for each in captures), default=None)
    if published and (utc(published.at) > utc(source.retrieved_at) or (seen and disproved_by(published, seen))):
        published = None
    return published, seen


def with_capture(document: Document, captured: datetime, archive: str, retrieved_at: datetime) -> Document:
    """Date a document again with an archive's first capture of it; a second time changes nothing. `archive` is a name:
    'the Wayback Machine'; `retrieved_at`: of the document's snapshot."""
    known = [
        witness for one in document.dates if (witness := from_value(one.iso, one.where_code or one.where, how=one.how))
    ]
    if not document.dates and document.published:
        known.append(DateWitness(document.published, f"the {document.published.how or 'page'}"))
    capture = DateWitness(
        Published(at=utc(captured), precision=Precision.TIME, how=_ARCHIVE),
        Reason(code="pages.where_capture", data={"archive": archive}),
    )
    fresh = [capture] if plain(capture.where) not in {plain(one.where) for one in known} else []
    before, dated = publication_date(known, retrieved_at), publication_date([*known, *fresh], retrieved_at)
    old = set(sentences(before.notes))
    notes = [note for note in coded(document.notes, document.note_codes) if in_words(note) not in old]
    return document.model_copy(
        update={"published": dated.published, "dates": dated.evidence, **noted((*notes, *dated.notes))}
    )


def from_value(
    value: object,
    where: str | Reason,
    *,
    how: str = "metadata",
    now: datetime | None = None,
    month_first: bool | None = None,
    language: str | None = None,
) -> DateWitness | None:
    """Parse a machine-readable or written date (JSON-LD, meta tag, time element, feed); None if it is not a date.
    `month_first` and `language` (two letters) as for parse_date."""
    published = parse_date(value, now=now, how=how, month_first=month_first, language=language)
    return DateWitness(published, where) if published else None


_IN_URL = (
    pattern(__name__, "url_day"),
    regex(r"(?<![\dA-Za-z])(?P<year>(?:19[89]|20[0-4])\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)"),
    regex(r"/(?P<year>(?:19[89]|20[0-4])\d)/(?P<month>0[1-9]|1[0-2])(?:/|$)"),
)


def from_url(url: str) -> DateWitness | None:
    """Find a date in the address: /2024/03/05/, /2024/mar/05/, 2024-03-05, 20240305 (a day), /2024/03/ (a month)."""
    path = "/" + url.split("://", 1)[-1].partition("/")[2].split("?")[0]
    match = next(filter(None, (form.search(path) for form in _IN_URL)), None)
    written = "-".join(match.groupdict().values()) if match else None
    return from_value(written, Reason(code="pages.where_address"), how="url")


BYLINE = regex(
    r"^\s*(?:(?:written|posted|submitted|researched|rédigé|écrit|soumis|geschrieben|verfasst|eingereicht|escrito|"
    r"redactado|scritto|geschreven)\s+)?"
    r"(?:(?:by|von|par|por|di|door|af|av)\s*:?|aut(?:h?or[aei]?|eur)s?\s*:)\s+",
    re.IGNORECASE,
)
"""The words before an author's name."""
IN_BRACKETS = regex(r"\(([^()]*\d{4})\)\s*$")
"""A date at the end of a title, as decisions of courts have."""
_OWN = regex(r"^\W*$|\d$|^[^\W\d_a-z][\w.'’-]*(?: [^\W\d_a-z][\w.'’-]*)+$")
"""What a word that leads to the date of the text may follow: nothing, a number, a name ('Ida Holm on')."""
_NUMBER = regex(r"\d{3}")
LED_IN = pattern(__name__, "led_in")  # A word that leads to a date ('on').
_RELEASE = pattern(__name__, "release")  # 'Press release of': the date of the text itself.
_SEPARATOR = regex(r"[|·•;\n]|\s[–—-]\s")
_DATELINE = 600
"""Characters from the top within which a full date on a line of its own is taken for the date of the text."""
_PROSE = 60
"""Characters of a line of running text; a summary may precede the date, but text after two such lines is below it."""
_RANGE_WORDS = ("-", "–", "—", "to", "bis", "au", "al", "a", "tot", "do", "until")
_MOST_BESIDE, _MOST_BEFORE = 40, 24
"""Maximum characters beside a date on its line, and before a date that a word introduces (letters after a label)."""
_HISTORY = 200  # Maximum characters of a line of a paper's history
_DIGIT, _LETTER = regex(r"[\d年]"), regex(r"[^\W\d_]")
# A time or a number with a unit ('09:02', '2 hours', '19 March'), vowels of Arabic words, and two precisions of a clock
_WHEN = regex(r"(?<!\w)\d{1,2}(?:[:.h]\d|\s?[^\W\d_]{3})")
_MARKS = regex("[\u064b-\u0652]")
_TO_THE_SECOND, _TO_THE_MINUTE = regex(r"\d:\d\d:\d\d"), regex(r"\d[:hH]\d\d")
_CLOSING = 5  # Last lines of a document, which hold the signature and the date of a letter
_LABEL = 40  # Maximum characters of a label on another line than its date
_YEAR_SIGN = regex(r"-?(?:[^\W\d_]{1,2})?\.")
"""The end of a date that does not end a sentence: the dot after the year, or a word for it ('r.', 'g.', '-ж.')."""


@cache
def _labels() -> re.Pattern[str]:
    """The pattern of labels of a date in folded text: of publication ('published'), of receipt or acceptance
    ('before'), of a change ('changed'), or of another event ('other')."""
    listed = entries(__name__, "dating")
    kinds = {kind: fold(listed[kind]).replace("*", r"[^\W\d]*") for kind in ("before", "changed", "other", "published")}
    either = "|".join(f"(?P<{kind}>{words})" for kind, words in kinds.items())
    # Where the script changes, a word ends: 'PDF公開日'.
    return re.compile(rf"(?:(?<![\w-])|(?<=[a-z\d])(?=[\u3040-\u9fff\uac00-\ud7af]))(?:{either})(?!\w)")


def label_of(text: str) -> str | None:
    """Return the kind of label in a short text: 'published', 'before' (received), 'changed' (updated), 'other' (valid
    until), or None. Of two labels, that of another event counts: 'accepted for publication' is not yet published. What
    is 'submitted by' somebody is a post, and a name that a comma ends ('By Ada Born,') is no label."""
    byline = BYLINE.match(text)
    name, comma, rest = text[byline.end() if byline else 0 :].partition(",")
    kinds = _kinds(f"{byline[0]}{rest if comma else name}" if byline else text)
    is_post = byline is not None and kinds == {"before"} == _kinds(byline[0])
    return "published" if is_post else min(kinds, default=None)


def _kinds(text: str) -> set[str]:
    return {str(match.lastgroup) for match in _labels().finditer(_unmarked(text))}


def _unmarked(text: str) -> str:
    return _MARKS.sub("", fold(text))


_ROW = regex(r"[^|\d]*[^|\d\s][^|\d]* \| ")
"""The cell before a date in a table of two columns."""
_ITEM = regex(r"- |\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)] ")
"""The marker of a list item."""


def from_text(text: str, *, month_first: bool | None = None, language: str | None = None) -> DateWitness | None:
    """Find the date printed at the top of a text: labelled 'published', or else nearly alone on its line. In the
    languages of written_dates; `month_first` and `language` (two letters) as for parse_date. Dates in sentences, of
    other events by their label (received, accepted, updated, valid until) and the two ends of a period are skipped. A
    label may be on the line above, and labels in a row above their dates in a row. Further down, only a date beside
    those of receipt and acceptance counts."""
    prose = 0
    label = ""
    bare: list[tuple[int, DateWitness]] = []
    rows: list[list[tuple[int, DateWitness]]] = []
    for line in text[:_DATELINE].split("\n"):
        labelled = f"{label}: {line}" if label else line
        dates = written_dates(labelled, month_first=month_first, language=language)
        # An item of a list dates something else unless its label says so.
        item = _ITEM.match(line)
        is_item = item and dates and item.end() <= dates[0].start - len(labelled) + len(line)
        found = [one for one in _dates_of_line(labelled, dates) if one[0] == 0 or not is_item]
        if _ROW.fullmatch(labelled[: dates[0].start] if dates[:1] and not labelled[dates[0].end :].strip(" |") else ""):
            rows.append(found)
        bare += [*found, *_month_of(labelled, language)]
        if published := next((one for rank, one in bare if rank == 0), None):
            return published
        if shown := line.strip(" |"):
            cells = shown.split(" | ")
            is_short = max(map(len, cells)) <= _LABEL and not any(map(str.isdigit, shown))
            is_label = is_short and any(_labels().match(_unmarked(cell)) for cell in cells)
            label = "" if not is_label else f"{label} | {shown}" if label else shown
        prose += is_prose(line)
        if prose > 1:
            break
    # Of the rows of a table of dates only those with a known label count.
    bare = [one for one in bare if len(rows) < 2 or not any(one in row for row in rows)]
    return _of_history(text, month_first, language) or min(bare, key=lambda one: one[0], default=(0, None))[1]


def labelled(line: str, *, month_first: bool | None = None, language: str | None = None) -> DateWitness | None:
    """Return the date of a line that is only a label of publication and a date: 'Date published: 5 March 2024'."""
    dates = written_dates(line, month_first=month_first, language=language)
    label = _unmarked(line[: dates[0].start]) if dates else ""
    match = _labels().search(label)
    if match is None or match.lastgroup != "published" or _LETTER.search(line[dates[0].end :]):
        return None
    rest = f"{label[: match.start()]}{label[match.end() :]}".strip(" :|")
    return next((found for _, found in _dates_of_line(line, dates)), None) if not LED_IN.sub("", rest) else None


def from_title(title: str, *, month_first: bool | None = None, language: str | None = None) -> DateWitness | None:
    """Find the date of a document in its title: at the end in brackets, or beside the document's number ('Order of
    5 March 2024 – 9 K 123'). Other titles name the dates of events."""
    if match := IN_BRACKETS.search(title):
        return from_text(match[1], language=language)
    dates = written_dates(title, month_first=month_first, language=language)
    is_numbered = len(dates) == 1 and _NUMBER.search(f"{title[: dates[0].start]} {title[dates[0].end :]}")
    return from_text(title, month_first=month_first, language=language) if is_numbered else None


def is_prose(line: str) -> bool:
    """Test for a line of running text."""
    return len(line) >= _PROSE and line.rstrip().endswith((".", "!", "?", "”", "»"))


def _of_history(text: str, month_first: bool | None, language: str | None) -> DateWitness | None:
    """Find the date labelled 'published' beside those of receipt and acceptance, as below a paper."""
    lines = [line for line in text.split("\n") if line.strip()]
    kinds = [_kinds(line) if len(line) <= _HISTORY and _DIGIT.search(line) else set() for line in lines]
    for place, line in enumerate(lines):
        if "published" in kinds[place] and any("before" in each for each in kinds[max(0, place - 1) : place + 2]):
            found = _dates_of_line(line, written_dates(line, month_first=month_first, language=language))
            if found and found[0][0] == 0:
                return found[0][1]
    return None


def _dates_of_line(line: str, dates: Sequence[WrittenDate]) -> list[tuple[int, DateWitness]]:
    """Return the date that a line labels as that of publication (rank 0), or else those that it gives without a label:
    set off (1), or behind words of any meaning ('Ida Holm on', 'Figures of:': 2)."""
    between = [line[one.end : other.start].strip(" |").lower() for one, other in pairwise(dates)]
    # 'From 5 March 2024 to 7 March 2024': the ends of a period.
    if not dates or any(words in _RANGE_WORDS for words in between):
        return []
    tail = line[dates[-1].end :].strip()
    beside = len(line) - sum(date.end - date.start for date in dates)
    # '[Record of the Council, Number 46 (5 March 2024)] [Page 12]' describes the text.
    most = _MOST_BESIDE * len(dates) * (2 if line.startswith("[") else 1)
    alone = beside <= most and (not tail.endswith((".", ",", "?")) or _YEAR_SIGN.fullmatch(tail))
    bare: list[tuple[int, DateWitness]] = []
    labels = _labels_of(line, dates)
    for found, start, label in zip(dates, (0, *(one.end for one in dates)), labels, strict=False):
        cells = line[start : found.start].rstrip(" |")  # 'Hearing: | 14 June 2023'
        before = _SEPARATOR.split(cells if cells.endswith(":") else line[start : found.start])[-1].strip()
        # '5 March 2024 until 18:00': the time is that of the other event.
        is_other = label_of(line[found.start : found.end]) in ("before", "other") or label not in (None, "published")
        # A year in characters alone, as in tables, or a fiscal one (年度).
        is_year = len(found.parts) == 1 and line[found.start : found.end].endswith(("年", "년"))
        is_other |= is_year and (not label or line[found.end : found.end + 1] in ("度", "도"))
        if is_other or not (published := date_from_parts(found.parts, how="visible text")):
            continue
        witness = DateWitness(published, Reason(code="pages.where_text"))
        is_short, rest = len(_LETTER.findall(before)) <= _MOST_BEFORE, LED_IN.sub("", before).rstrip()
        if label and (alone or is_short):
            return [(0, witness)]
        # 'By Ida Holm, 5 March 2024' is a date line; 'Correction of our statement of 5 March 2024' is a heading.
        # 'Source: Courier 2024-03-05 06:15:22', 'By Ida Holm 2024-03-05 06:15': the time of a record, or behind a name.
        clock = _TO_THE_MINUTE if BYLINE.match(line) else _TO_THE_SECOND
        set_off = alone and (clock.search(line, found.start, found.end) or not rest or rest[-1] in ",/()]")
        # 'Press release No 23/2024 of': a number is what is dated.
        clause = _SEPARATOR.split(line[: found.start])[-1].strip()  # 'Act of 3 June 1977, as amended on'
        is_led = len(clause) <= _MOST_BEFORE or before.endswith((":", "：")) or (is_short and rest[-1:].isdigit())
        # 'Lower court: | Order of 5 March 2024': a cell with more words than the date's own describes something else.
        is_led = is_led and " | " not in line[start : found.start]
        is_release = is_led and alone and _RELEASE.fullmatch(clause)
        is_sentence = is_prose(line) and len(tail) > _MOST_BEFORE  # 'In its order of 5 March 2024, the court fined …'
        led_in = is_led and tail != "." and len(tail) <= _PROSE and rest != before and not is_sentence
        # 'Updated: 7 March 2024 – Created: 5 March 2024'
        is_own = led_in if _OWN.search(rest) or _NUMBER.search(tail) else "changed" in labels and rest.endswith(":")
        if not label and (set_off or is_own or is_release):
            bare.append((1 if set_off else 2, witness))
    return bare


def _month_of(line: str, language: str | None) -> list[tuple[int, DateWitness]]:
    """Return the month that a label dates ('Stand: April 2023'), after every full date."""
    label, colon, rest = line.rpartition(":")
    if colon and label_of(label) in (None, "published") and (label_of(label) or LED_IN.search(line[: -len(rest)])):
        found = from_value(rest.strip(), Reason(code="pages.where_text"), how="visible text", language=language)
        return [(3, found)] if found and found.published.precision is Precision.MONTH else []
    return []


def from_document(text: str) -> DateWitness | None:
    """Find the date printed at the top of a document, or else with a place at its end: 'Oslo, 5 March 2024'."""
    ends = reversed([line for line in text.split("\n") if line.strip()][-_CLOSING:])
    dates = ((line, written_dates(line)) for line in ends if len(line) <= _PROSE)
    placed = (
        one for line, on in dates if len(on) == 1 and "," in line[: on[0].start] for one in _dates_of_line(line, on)
    )
    return from_text(text) or next((witness for rank, witness in placed if rank == 1), None)


def _labels_of(line: str, dates: Sequence[WrittenDate]) -> list[str | None]:
    """Return the kind of label of each date: before its date, or after it where none precedes the first date, or all
    labels in a row before the first date."""
    starts = (0, *(date.end for date in dates))
    parts = [line[start : date.start] for start, date in zip(starts, dates, strict=False)]
    before = [label_of(next(filter(_LETTER.search, reversed(_SEPARATOR.split(part))), "")) for part in parts]
    row = [str(match.lastgroup) for match in _labels().finditer(_unmarked(parts[0]))]
    heads = _SEPARATOR.split(parts[0].strip(" :|"))
    if row and len(heads) == len(dates):
        row = [label_of(head) or "other" for head in heads]
    if len(row) == len(dates) > 1 and not any(before[1:]):
        return list(row)
    after = label_of(tail) if len(tail := line[dates[-1].end :]) <= _LABEL else None  # else the verb of a sentence
    if after == "changed" and _WHEN.search(tail):  # 'Updated at 10:32' labels its own time
        after = None
    return [*before[1:], after] if after and not before[0] else list(before)
