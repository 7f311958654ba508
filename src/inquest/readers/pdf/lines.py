"""The lines of a PDF page with their places, as the library finds them; raised and lowered text spelled out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, pairwise
from statistics import median
from typing import NamedTuple

from inquest.domain.document import Table
from inquest.readers.pdf.chars import HYPHEN, PageChars
from inquest.readers.raised import MARKS, exponent, lowered, raised
from inquest.text.regex import regex

CELL = " | "
"""Separator between texts far apart on a line: cells of a row, or columns side by side."""
_CELL_GAP = 1.9
"""Relative to the type size. A space is 0.25 of it, justified lines rarely stretch one beyond 1, an icon in the text
takes 1.8; columns of tables in the reports used to set this value begin at 2.0."""
_COLUMN_LINES, _COLUMN_WIDTH = 4, 25
"""Lines, and the usual characters per line, that make two cells side by side columns of running text."""
_FAR = 12  # In type sizes, at most, between a label and its value.
_PIECE_GAP = 0.36  # In type sizes. Cells of dense tables may be this close; the rows around them decide.
Words = list[tuple[int, int]]
"""Start and end of each word among the characters of a page."""
RAISED, LINKED, LOWERED, END = "\ue000\ue001\ue002\ue003"
"""Signs before raised text, raised text that is a link of its own, and lowered text, and after each of them. They are
in the private use area, from which a line has no other characters."""
_SHIFTED = regex(
    rf"(?P<gap>\s*)(?P<kind>[{RAISED}{LINKED}{LOWERED}])(?P<text>[^{END}]*){END}(?:\s+(?=[,;:.)](?:\s|$)))?"
)
_ONE_AFTER_ANOTHER = regex(rf"{END}([,;]?\s?)[{RAISED}{LINKED}]")
_FIRST_NOTE = 0x60000
"""Signs from here on keep the place of a note mark or of a link; they are in a Unicode plane without characters."""
_NOTES = "[\U00060000-\U0006ffff]"
NOTES = regex(_NOTES)
_NOTED = regex(rf"(\s\S*)({_NOTES}+)")
_SIGNS = regex(rf"[{RAISED}{LINKED}{LOWERED}{END}]|{_NOTES}")
_LABEL = r"\d{1,3}|[a-z]|[*†‡§¶]{1,3}"
_LABELS = regex(_LABEL)
_NOTE = regex(rf"\s*[\[(]?({_LABEL})(?:[\])][.:]?|[.:]?(?=\s)|(?<=[*†‡§¶])(?=\w))\s*\S")
_RAISED_NOTE = regex(rf"\s*[{RAISED}{LINKED}]({_LABEL}){END}")
_PRINTED = regex("[⁰¹²³⁴-⁹]+")
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LETTERS, _LINKS = 0x1000, 0x8000
_DIGIT = regex(r"\d")
_MARKER = regex(r"[•◦▪▫■□●○‣⁃]|\(?(?:\d{1,3}|[a-z])[.)]")
"""The bullet or number of an item or paragraph."""
_INITIAL = regex(r"[^\w\s]?[^\W\d_a-z]")
_INITIAL_SIZE = 1.8  # Of an initial, relative to the type beside it, at least.
_SMALL = 0.95  # Relative to the usual type size: notes are set smaller than the text, unlike numbered lists.


class PdfPiece(NamedTuple):
    """Words of a line closer together than cells, with left and right edge in points."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class PdfLine:
    """One line. Places in points from the lower left corner of the page; `top` and `bottom` are the baselines of its
    first and last characters, which differ where a divided word ties two lines together."""

    text: str
    left: float
    right: float
    top: float
    bottom: float
    size: float
    """Type size in points."""
    weight: int
    """Font weight of the first character, 400 for regular; -1 if the font does not declare it."""
    end_weight: int
    pieces: tuple[PdfPiece, ...] = ()
    """The line, cut wherever two cells of a table could meet."""
    table: Table | None = None
    """The table, with offsets into `text`, if the line represents one."""
    added: str = ""
    """Signs of blocks that follow the paragraph of this line (see form)."""


def page_lines(page: PageChars, added: Sequence[tuple[int, str]] = ()) -> list[PdfLine]:
    """Return the lines of a page in content order. `added`: pairs of a character and the sign for its line."""
    lines: list[PdfLine] = []
    waiting = sorted(added, reverse=True)
    start, count = 0, len(page.texts) if page.runs else -1
    for index in range(1, count - 1):
        # A word at the foot of a column goes on elsewhere, not in the note below it, which is set smaller.
        if page.texts[index] == HYPHEN and page.run_at(index + 1).size < _SMALL * page.run_at(index - 1).size:
            page.texts[index - 1 : index + 1] = page.texts[index - 1] + "-", "\n"
    for index in range(count + 1):
        if index < count and page.texts[index] != "\n":
            continue
        if words := list(page.words(start, index)):
            size = _usual_size(page, words)
            parts = _on_one_baseline(page, words, 0.5 * size)
            lines += [_line(page, part, size if part == words else _usual_size(page, part)) for part in parts]
        start = index + 1
        while lines and waiting and waiting[-1][0] < index:
            lines[-1] = replace(lines[-1], added=lines[-1].added + waiting.pop()[1])
    lines = [_joined(line) if CELL in line.text and _is_stretched(line, lines) else line for line in lines]
    lines = _with_initials(lines)
    return _labelled(_marked(lines) if any(_MARKER.fullmatch(line.text) for line in lines) else lines)


def _with_initials(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Join large initials with the first of the lines of running text beside them."""
    found = dict(enumerate(lines))
    for place, initial in enumerate(lines):
        if not _INITIAL.fullmatch(initial.text):
            continue
        beside = [
            (line.top, number)
            for number, line in enumerate(lines)
            if line.size * _INITIAL_SIZE <= initial.size
            and initial.top - 0.1 * initial.size < line.top < initial.top + initial.size
            and 0 <= line.left - initial.right + 0.1 * initial.size < 0.5 * initial.size
        ]
        _, first = max(beside, default=(0.0, place))
        text = lines[first].text
        word = text.split(" ")[0]
        if len(beside) > 1 and len(text) >= _COLUMN_WIDTH and (word.islower() or word.isupper()):
            known = {word for line in lines for word in line.text.lower().split()}
            is_word = {initial.text.lower(), word.lower()} <= known and f"{initial.text}{word}".lower() not in known
            start, *rest = lines[first].pieces
            gap, added = " " if is_word else "", initial.added + lines[first].added
            start = PdfPiece(initial.text + gap + start.text, start.left, start.right)
            found[first] = replace(lines[first], text=initial.text + gap + text, pieces=(start, *rest), added=added)
            del found[place]
    return list(found.values())


def _labelled(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Join labels with the values on their right that are written later, as those of a filled form are.

    Columns of text are also written one after the other: the labels of a column must end in a colon, or their values
    come after text further down the page, and neither may go on in a line that is no label or value.
    """
    pairs: dict[int, int] = {}
    order = sorted(range(len(lines)), key=lambda number: (-lines[number].top, lines[number].left))
    starts = [
        n for n, at in enumerate(order) if not n or lines[order[n - 1]].top - lines[at].top > 0.3 * lines[at].size
    ]
    for start, end in pairwise([*starts, len(order)]):
        first, second = order[start], order[end - 1]
        if (
            end - start == 2
            and first < second
            and 0 < lines[second].left - lines[first].right < _FAR * lines[first].size
        ):
            pairs[first] = second

    def is_label(first: int, second: int) -> bool:
        label, value, between = lines[first], lines[second], lines[first + 1 : second]
        is_late = any(o.top < value.top and o.left < value.right and o.right > value.left for o in between)
        return (is_late or label.text.endswith(":")) and not label.text[:1].islower() and not goes_on(first, second)

    def goes_on(*places: int) -> bool:
        below = [(lines[at], lines[at + 1]) for at in places if at + 1 < len(lines) and at + 1 not in paired]
        return any(0 < a.bottom - b.top < 1.5 * a.size and b.left < a.right and b.right > a.left for a, b in below)

    def columns(pair: tuple[int, int]) -> tuple[int, ...]:
        return tuple(round(lines[at].left / 6) for at in pair)

    paired = {*pairs, *pairs.values()}
    torn = {columns(pair) for pair in pairs.items() if not is_label(*pair)}
    pairs = {first: second for first, second in pairs.items() if columns((first, second)) not in torn}
    joined = {first: _beside(lines[first], lines[second]) for first, second in pairs.items()}
    return [joined.get(at, line) for at, line in enumerate(lines) if at not in pairs.values()]


def _beside(left: PdfLine, right: PdfLine) -> PdfLine:
    gap = CELL if right.left - left.right > _CELL_GAP * left.size else " "
    pieces, added = (*left.pieces, *right.pieces), left.added + right.added
    left = replace(left, text=f"{left.text}{gap}{right.text}", pieces=pieces, added=added, right=right.right)
    return replace(left, bottom=right.bottom, end_weight=right.end_weight)


def _marked(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Join bullets and numbers that are lines of their own with the lines on their right."""
    found = dict(enumerate(lines))
    for place, mark in enumerate(lines):
        beside = [
            number
            for number, line in found.items()
            if abs(line.top - mark.top) < 0.3 * mark.size and 0 < line.left - mark.right < 3 * mark.size
        ]
        if _MARKER.fullmatch(mark.text) and len(beside) == 1:
            line = found[beside[0]]
            pieces, added = (*mark.pieces, *line.pieces), mark.added + line.added
            found[beside[0]] = replace(line, text=f"{mark.text} {line.text}", pieces=pieces, added=added)
            del found[place]
    return list(found.values())


def _is_stretched(line: PdfLine, lines: Sequence[PdfLine]) -> bool:
    """Return True for a justified line: words at even distances, with both edges of other lines of running text."""
    gaps = [other.left - one.right for one, other in pairwise(line.pieces)]
    words = [piece.text for piece in line.pieces if not _DIGIT.search(piece.text)]
    if (
        2 * len(words) <= len(line.pieces)
        or any(" " in word for word in words)
        or max(gaps) - min(gaps) > 0.25 * line.size
    ):
        return False
    edge = 0.15 * line.size
    # A raised mark that is written later ends the line, or belongs to its last word and not to its right edge.
    marks = (o for o in lines if 0 < o.top - line.top < line.size and 0 < o.left - line.right < 2 * edge)
    right = max((mark.right for mark in marks), default=line.right)
    reach = line.size if line.text.endswith(END) else edge
    text = (other for other in lines if CELL not in other.text and len(other.pieces) > 1)
    return sum(abs(o.left - line.left) < edge and -edge < o.right - right < reach for o in text) > 1


def _joined(line: PdfLine) -> PdfLine:
    text = line.text.replace(CELL, " ")
    return replace(line, text=text, pieces=(PdfPiece(text, line.left, line.right),))


def by_columns(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Reorder lines written across two columns of running text column by column; rows of a table are kept."""
    found: list[PdfLine] = []
    halved = ((line, _halves(line)) for line in lines)
    for _, group in groupby(halved, key=lambda each: each[1] is None):
        rows = list(group)
        columns = list(zip(*(halves for _, halves in rows if halves), strict=True)) or [()]
        whole = [line for line, _ in rows]
        found += [line for column in columns for line in column] if all(map(_runs_on, columns)) else whole
    return found


def _halves(line: PdfLine) -> tuple[PdfLine, PdfLine] | None:
    """Split a line of two cells."""
    texts = line.text.split(CELL)
    cuts = [
        at for at, (one, other) in enumerate(pairwise(line.pieces), 1) if other.left - one.right > _CELL_GAP * line.size
    ]
    if len(texts) != 2 or len(cuts) != 1:
        return None
    first, second = line.pieces[: cuts[0]], line.pieces[cuts[0] :]
    left = replace(line, text=texts[0], right=first[-1].right, pieces=first)
    return left, replace(line, text=texts[1], left=second[0].left, pieces=second, added="")


def _runs_on(column: Sequence[PdfLine]) -> bool:
    """Return True for running text: long lines below one another, half of which begin in lower case."""
    if len(column) < _COLUMN_LINES or median(len(line.text) for line in column) < _COLUMN_WIDTH:
        return False
    lefts = [line.left for line in column]
    return max(lefts) - min(lefts) < 2 * column[0].size and 2 * sum(line.text[:1].islower() for line in column) >= len(
        column
    )


def _on_one_baseline(page: PageChars, words: Words, step: float) -> Iterator[Words]:
    """Yield the words of a line by baseline, as the library may join several."""
    first, last = page.run_at(words[0][0]), page.run_at(words[-1][1] - 1)
    begun = 0
    is_one = first.turn == last.turn and abs(first.base - last.base) <= step
    if not is_one and HYPHEN not in page.texts[words[0][0] : words[-1][1]]:
        for number, (above, run) in enumerate(pairwise([page.run_at(start) for start, _ in words]), 1):
            if run.turn != above.turn or abs(run.base - above.base) > step:
                yield words[begun:number]
                begun = number
    yield words[begun:]


def _line(page: PageChars, words: Words, size: float) -> PdfLine:
    first, last = page.run_at(words[0][0]), page.run_at(words[-1][1] - 1)
    text, pieces = _with_cells(page, words, size, first.turn)
    divided = [i for start, end in words for i in range(start + 1, end) if page.texts[i] == HYPHEN]
    # A line with a divided word extends to the end of the first half.
    right = max([pieces[-1].right, *(page.box(index - 1, first.turn)[2] for index in divided)])
    left, weights = page.origin(words[0][0], first.turn), (first.weight, last.weight)
    return PdfLine(text, left, right, first.base, last.base, size, *weights, pieces=tuple(pieces))


def _usual_size(page: PageChars, words: Words) -> float:
    """Return the size of most of a line; links and superscripts are often smaller."""
    seen = [index for start, end in words for index in range(start, end)]
    sampled = [round(page.run_at(index).size, 1) for index in seen[:: max(1, len(seen) // 7)]]
    size = max(sampled, key=lambda size: (sampled.count(size), size))
    return size if 0.5 < size < 1000 else 10.0


def _with_cells(page: PageChars, words: Words, size: float, turn: int) -> tuple[str, list[PdfPiece]]:
    """Return the text of a line, in cells where a gap is more than a space or hidden words, and its pieces."""
    text, gap = "", 0.0
    pieces: list[PdfPiece] = []
    for number, (start, end) in enumerate(words):
        left, right, word = page.box(start, turn)[0], page.box(end - 1, turn)[2], page.text(start, end)
        if number:
            before = words[number - 1][1]
            gap = 0.0 if page.gone and not page.gone.isdisjoint(range(before, start)) else left - pieces[-1].right
            text += CELL if gap > _CELL_GAP * size and not (number == 1 and _MARKER.fullmatch(text)) else " "
            if gap > _PIECE_GAP * size:
                # The ink of a 1 is narrow, and the space of some fonts wide: only the widths tell it from a gap.
                gap = min(gap, page.loose_box(start, turn)[0] - page.loose_box(before - 1, turn)[2])
        text += word
        if number and gap <= _PIECE_GAP * size:
            pieces[-1] = PdfPiece(f"{pieces[-1].text} {word}", pieces[-1].left, right)
        else:
            pieces.append(PdfPiece(word, left, right))
    return text, pieces


def without_marks(pages: Sequence[Sequence[PdfLine]], language: str = "") -> list[tuple[PdfLine, ...]]:
    """Spell out raised and lowered text in the lines of all pages, without note marks; `language` as in `raised`.

    A mark is removed if it is a link, or if a note with that mark, raised or in small print, begins a line of its page
    or one near the document's end; a sign of its label keeps its place (see `mark_of`). Anything else never joins a
    digit: '10^4', 'm²', '320 [7]'.
    """
    usual = usual_size(pages)
    labels = [[_label(line, usual) for line in lines] for lines in pages]
    every = list(chain.from_iterable(labels))
    at_end = set(every[-max(1, len(every) // 5) :])
    return [
        tuple(_settled(line, (at_end | set(own)) - {""}, language) for line in lines)
        for lines, own in zip(pages, labels, strict=True)
    ]


def usual_size(pages: Sequence[Sequence[PdfLine]]) -> float:
    """Return the type size of most of the text of a document."""
    sizes: Counter[float] = Counter()
    for line in chain.from_iterable(pages):
        sizes[round(line.size, 1)] += len(line.text)
    return max(sizes, key=lambda size: (sizes[size], size), default=0.0)


def foot(lines: Sequence[PdfLine], usual: float) -> int:
    """Return the number of the first line of the notes at the foot of a page, which alone are set smaller there."""
    at = len(lines)
    while at and lines[at - 1].size < _SMALL * usual and not lines[at - 1].table:
        at -= 1
    return at if at < len(lines) and _label(lines[at], usual) else len(lines)


def _label(line: PdfLine, usual: float) -> str:
    text = line.text[:12]
    if (found := _RAISED_NOTE.match(text)) or (line.size < _SMALL * usual and (found := _NOTE.match(text))):
        return found[1]
    return text[0] if text[:1] in ("*", "†", "‡", "§", "¶") and len(text) > 1 else ""


def _settled(line: PdfLine, notes: set[str], language: str) -> PdfLine:
    if line.text.isascii() or not (_SIGNS.search(line.text) or _PRINTED.search(line.text)):
        return line

    def spelled(text: str) -> str:
        text = _PRINTED.sub(lambda found: f"{RAISED}{found[0].translate(_PLAIN)}{END}", text)
        text = _ONE_AFTER_ANOTHER.sub(r"\1", text)
        return _SHIFTED.sub(lambda found: _spelled(found, notes, language), text)

    # Cells are compared, and the ends of lines examined: a sign is kept only in running text, before the last word.
    pieces = tuple(piece._replace(text=NOTES.sub("", spelled(piece.text))) for piece in line.pieces)
    text = spelled(line.text)
    text = NOTES.sub("", text) if CELL in text else _NOTED.sub(r"\2\1", text)
    return replace(line, text=text, pieces=pieces)


def link_sign(number: int) -> str:
    """Return the sign for the end of a link with that number among the links of a document."""
    return chr(_FIRST_NOTE + min(_LINKS + number, 0xFFFF))


def mark_of(sign: str, urls: Sequence[str]) -> tuple[str, str]:
    """Return the label of the note mark that a sign replaces, and '' or the address of the link that it ends."""
    number = ord(sign) - _FIRST_NOTE
    if number >= _LINKS:
        return "", urls[number - _LINKS]
    return str(number) if number < _LETTERS else chr(number - _LETTERS), ""


def _spelled(found: re.Match[str], notes: set[str], language: str) -> str:
    before, after = (_SIGNS.sub("", part) for part in (found.string[: found.start()], found.string[found.end() :]))
    gap, text = found["gap"], found["text"].strip(",; ")
    if found["kind"] == LOWERED:
        return gap + lowered(text, before + gap, after)
    labels = set(_LABELS.findall(text))
    if before and (spelled := exponent(text, before, noted=bool(labels & notes))):
        return spelled
    is_noted = labels & notes or (found["kind"] == LINKED and not text.isalpha())
    if before and is_noted and MARKS.fullmatch(text) and after[:1] not in ("/", "⁄"):
        numbers = (int(each) if each.isdigit() else _LETTERS + ord(each[0]) for each in _LABELS.findall(text))
        return "".join(chr(_FIRST_NOTE + each) for each in numbers) + (" " if gap and after[:1].isalnum() else "")
    spelled = raised(text, before + gap, after, language)
    return gap + spelled + (" " if spelled.endswith("]") and after[:1].isalnum() else "")
