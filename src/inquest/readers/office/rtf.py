"""Rich text (RTF 1.9.1), as a reader of the final version sees it."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace
from typing import ClassVar

from inquest.domain.document import BlockKind, Document, Snapshot
from inquest.domain.errors import PageTooLarge, PageUnreadable
from inquest.kit.reader import Reader
from inquest.readers.office.writing import Facts, Line, Writer
from inquest.readers.plain import one_line
from inquest.text.regex import regex

MAX_BYTES = 100_000_000
_TOKEN = regex(r"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|[\r\n]+|([^\\{}\r\n]+)", re.S)
_SKIPPED = frozenset(
    """fonttbl colortbl stylesheet listtable listoverridetable rsidtbl pict header headerl headerr headerf footer
    footerl footerr footerf fldinst listtext pntext nonshppict shppict shprslt sp object objdata themedata
    datastore xmlnstbl bkmkstart bkmkend atnid atntime atnref generator operator company comment keywords subject
    doccomm category revtbl filetbl mmathPr ftnsep ftnsepc aftnsep aftnsepc""".split()
)
_KEPT = ("shpinst", "shptxt", "fldrslt", "info", "title", "author", "creatim", "revtim", "atnauthor", "annotation",
         "footnote", "shp", "field", "upr", "ud")  # fmt: skip
_ASIDE = ("title", "author", "atnauthor", "annotation", "footnote")
_SIGNS = {
    "tab": " ", "line": "\n", "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", "emspace": " ", "enspace": " ", "nestcell": " ", "nestrow": " ",
}  # fmt: skip
_CHARSETS = {128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257,
             204: 1251, 222: 874, 238: 1250}  # fmt: skip
"""Of fonts: the code pages (RTF 1.9.1, Font Table)."""


class RtfReader(Reader):
    """Reads RTF."""

    name: ClassVar[str] = "rtf"
    content_types: ClassVar[tuple[str, ...]] = ("application/rtf", "text/rtf")

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """The text with its tables; deleted and hidden text, heads, feet and pictures are out.

        Raises PageUnreadable, PageTooLarge."""
        url = snapshot.final_url or snapshot.url
        if len(body) > MAX_BYTES:
            raise PageTooLarge(
                url, f"The file at {url} has {len(body) / 1e6:.0f} MB; {MAX_BYTES // 1_000_000} MB are read."
            )
        if not body.lstrip().startswith(b"{\\rtf"):
            raise PageUnreadable(url, f"The file at {url} is not RTF.", advice="Check that it is what its name says.")
        parser = _Parser(Writer(self.name))
        parser.parse(body.decode("latin-1"))
        return parser.writer.document(snapshot, parser.facts)


@dataclass(frozen=True, slots=True)
class _State:
    """What holds in a group."""

    skip: bool = False
    hidden: bool = False
    deleted: bool = False
    mark: str = ""
    unicode_skip: int = 1
    font: int = -1
    fonts: bool = False
    within: str = ""


class _Parser:
    def __init__(self, writer: Writer) -> None:
        self.writer, self.facts = writer, Facts()
        self._state, self._stack = _State(), [_State()]
        self._lines = [Line()]
        self._fresh = self._optional = False  # the group has just begun; it began with \*
        self._left = 0  # characters that stand in for one given in Unicode
        self._bytes = b""
        self._page, self._fonts = 1252, dict[int, int]()
        self._in_table = self._listed = self._heading = False
        self._row: list[str] = []
        self._merges: list[str] = []
        self._merge = ""
        self._grid: list[list[str]] = []
        self._struck: list[str] = []
        self._author = ""
        self._time: list[int] = []
        self._time_of = "creation date"

    def parse(self, source: str) -> None:
        """Read all tokens and write the blocks."""
        place = 0
        while match := _TOKEN.match(source, place):
            place = match.end()
            word, number, code, sign, brace, text = match.groups()
            if code is None:
                self._decode()
            if brace:
                self._brace(brace)
            elif word == "bin":
                place += max(0, int(number or 0))
            elif word:
                self._word(word, int(number) if number else None)
            elif code:
                self._byte(bytes.fromhex(code))
            elif sign:
                self._sign(sign)
            elif text:
                left, self._left = self._left, max(0, self._left - len(text))
                self._bytes += text[left:].encode("latin-1")
                self._decode()
        self._decode()
        self._end_paragraph()
        self._end_table()

    def _brace(self, brace: str) -> None:
        if brace == "{":
            self._stack.append(self._state)
            self._fresh, self._optional = True, False
            return
        before, self._state = self._state, self._stack.pop() if len(self._stack) > 1 else self._state
        if before.within and before.within != self._state.within:
            self._end_aside(before.within)
        self._fresh = False

    def _word(self, word: str, number: int | None) -> None:
        fresh, self._fresh = self._fresh, False
        if fresh and (word in _SKIPPED or (self._optional and word not in _KEPT)):
            self._state = replace(self._state, skip=True, fonts=word == "fonttbl")
        elif fresh and word in _ASIDE and not self._state.skip:
            self._lines.append(Line())
            self._state = replace(self._state, within=word, mark="", hidden=False)
        elif self._state.fonts:
            self._font(word, number)
        elif word == "u" and number is not None:
            self._say(chr(number % 65_536))
            self._left = self._state.unicode_skip
        elif word == "ansicpg":
            self._page = number or 1252
        elif not self._character(word, number) and not self._state.skip:
            self._layout(word, number)

    def _font(self, word: str, number: int | None) -> None:
        if word == "f":
            self._state = replace(self._state, font=number or 0)
        elif word == "fcharset":
            self._fonts[self._state.font] = _CHARSETS.get(number or 0, 0)

    def _character(self, word: str, number: int | None) -> bool:
        """Follow a word that changes how characters look."""
        on, state = number != 0, self._state
        if word == "plain":
            self._state = replace(state, hidden=False, deleted=False, mark="")
        elif word == "v":
            self._state = replace(state, hidden=on)
        elif word == "deleted":
            self._state = replace(state, deleted=on)
            if on and not state.skip:
                self.writer.count("tracked deletions")
        elif word in ("strike", "striked"):
            self._state = replace(state, mark="struck" if on else "")
        elif word in ("super", "sub", "up", "dn"):
            raised = "up" if word in ("super", "up") else "down"
            self._state = replace(state, mark=raised if on else "")
        elif word == "nosupersub":
            self._state = replace(state, mark="")
        elif word == "uc":
            self._state = replace(state, unicode_skip=min(number or 0, 10))
        elif word == "f":
            self._state = replace(state, font=number or 0)
        else:
            return False
        return True

    def _layout(self, word: str, number: int | None) -> None:
        if word in _SIGNS:
            self._say(_SIGNS[word])
        elif word in ("par", "sect", "page"):
            self._end_paragraph()
        elif word == "pard":
            self._in_table = self._listed = self._heading = False
        elif word == "intbl":
            self._in_table = True
        elif word in ("ls", "pn"):
            self._listed = True
        elif word == "outlinelevel":
            self._heading = (number or 0) < 9
        elif not self._cells(word):
            self._dates(word, number or 0)

    def _cells(self, word: str) -> bool:
        """Follow a word of a table's rows."""
        if word == "trowd":
            self._merges, self._merge = [], ""
        elif word in ("clmrg", "clvmrg"):
            self._merge = word
        elif word == "cellx":
            self._merges.append(self._merge)
            self._merge = ""
        elif word == "cell":
            text, struck = self._lines[0].take()
            self._row.append(one_line(text))
            self._struck += struck
        elif word == "row":
            self._end_row()
        else:
            return False
        return True

    def _dates(self, word: str, number: int) -> None:
        if word in ("creatim", "revtim"):
            self._time = []
            self._time_of = "creation date" if word == "creatim" else "date of change"
        elif word in ("yr", "mo", "dy"):
            self._time.append(number)
            if word == "dy" and len(self._time) == 3:
                year, month, day = self._time
                self.facts.dates.append((f"the file's {self._time_of}", f"{year:04}-{month:02}-{day:02}"))

    def _end_row(self) -> None:
        above = self._grid[-1] if self._grid else []
        for column, merge in enumerate(self._merges[: len(self._row)]):
            if merge == "clmrg" and column:
                self._row[column] = self._row[column - 1]
            elif merge == "clvmrg" and column < len(above):
                self._row[column] = above[column]
        self._grid.append(self._row)
        self._row = []

    def _end_table(self) -> None:
        if self._grid:
            self.writer.table(self._grid)
        self.writer.block(BlockKind.PARAGRAPH, "", self._struck)
        self._grid, self._struck = [], []

    def _end_paragraph(self) -> None:
        if len(self._lines) > 1 or self._in_table:
            self._say("\n")
            return
        self._end_table()
        text, struck = self._lines[0].take()
        kind = BlockKind.HEADING if self._heading else BlockKind.LIST if self._listed else BlockKind.PARAGRAPH
        self.writer.block(kind, f"- {one_line(text)}" if kind is BlockKind.LIST else text, struck)

    def _end_aside(self, within: str) -> None:
        text = one_line(self._lines.pop().take()[0]) if len(self._lines) > 1 else ""
        if within == "footnote" and text:
            self.writer.below(text)
        elif within == "annotation":
            self.writer.comment(text, self._author)
        elif within == "atnauthor":
            self._author = text
        elif within == "title":
            self.facts.title = text
        elif within == "author":
            self.facts.author = text

    def _byte(self, byte: bytes) -> None:
        if self._left:
            self._left -= 1
        else:
            self._bytes += byte

    def _decode(self) -> None:
        if self._bytes:
            page = self._fonts.get(self._state.font) or self._page
            try:
                codecs.lookup(f"cp{page}")
            except LookupError:
                page = 1252
            text, self._bytes = self._bytes.decode(f"cp{page}", "replace"), b""
            self._say(text)

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self._optional = True
        elif sign in "~_":
            self._say(" " if sign == "~" else "-")
        elif sign in "\\{}":
            self._say(sign)
        elif sign in "\r\n":
            self._end_paragraph()

    def _say(self, text: str) -> None:
        self._fresh = False
        state, pieces = self._state, self._lines[-1].pieces
        if state.skip or state.hidden or state.deleted:
            if state.hidden and not state.skip and text.strip():
                self.writer.counts.setdefault("hidden text", 1)
            return
        if "\udc00" <= text[:1] < "\ue000" and pieces and "\ud800" <= pieces[-1][0][-1:] < "\udc00":
            text = (pieces.pop()[0] + text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        self._lines[-1].add(text, state.mark)
