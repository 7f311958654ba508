"""Reader of rich text (RTF 1.9.1) in its final version."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace
from typing import ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.kit.reader import Reader
from inquest.readers import unpacked
from inquest.readers.documents import NOTE
from inquest.readers.office.writing import Draft, Facts, Page, in_font
from inquest.text.regex import regex

MAX_BYTES = 100_000_000
_TOKEN = regex(r"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|[\r\n]+|([^\\{}\r\n]+)", re.S)
_SKIPPED = frozenset(
    """fonttbl colortbl stylesheet listtable listoverridetable rsidtbl pict header headerl headerr headerf footer
    footerl footerr footerf fldinst listtext pntext nonshppict shprslt sp object themedata datastore xmlnstbl
    atnid atntime atnref generator operator company comment keywords subject doccomm category revtbl filetbl ftnsep
    ftnsepc aftnsep aftnsepc xe tc tcn""".split()
)
_KEPT = frozenset("shpinst shptxt fldrslt info title author atnauthor annotation footnote shp field".split())
"""Groups that are read although programs may skip them."""
_ASIDE = frozenset("title author atnauthor annotation footnote".split())
_SIGNS = {
    "tab": " ", "line": "\n", "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", "emspace": " ", "enspace": " ", "nestcell": " ", "nestrow": " ",
}  # fmt: skip
_DATES = {"creatim": "the file's creation date", "revtim": "the file's date of change"}
_MARKS = {"strike": "s", "striked": "s", "super": "sup", "up": "sup", "sub": "sub", "dn": "sub"}
_CHARSETS = {2: 2, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256,
             186: 1257, 204: 1251, 222: 874, 238: 1250}  # fmt: skip
"""Code pages by the character set of a font (RTF 1.9.1, Font Table); 2 is that of fonts of symbols, which have none."""
_Pieces = list[tuple[str, str]]  # Pieces of running text, each with its mark.


class RtfReader(Reader):
    """Reads RTF."""

    name: ClassVar[str] = "rtf"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the text with tables, without deleted and hidden text, headers, footers and pictures. Raises
        PageUnreadable, PageTooLarge."""
        url = snapshot.final_url or snapshot.url
        body = unpacked(body, url, MAX_BYTES, "file")
        if not body.lstrip().startswith(b"{\\rtf"):
            raise PageUnreadable(url, f"The file at {url} is not RTF.", advice="Check its name and its content.")
        parser = _Parser(Draft(self.name))
        parser.parse(body.decode("latin-1"))
        parser.draft.write(parser.page.leaves())
        return parser.draft.document(snapshot, parser.facts)


@dataclass(frozen=True, slots=True)
class _State:
    """The state of a group."""

    skip: bool = False
    hidden: bool = False
    deleted: bool = False
    mark: str = ""
    stand_ins: int = 1
    """Characters after one given in Unicode, for programs that do not support it."""
    font: int = -1
    in_fonts: bool = False
    aside: str = ""


class _Parser:
    def __init__(self, draft: Draft) -> None:
        self.draft, self.page, self.facts = draft, Page(), Facts()
        self._state, self._stack = _State(), list[_State]()
        self._pieces: list[_Pieces] = [[]]  # Pieces of the paragraph or cell, then of each note open in it.
        self._fresh = self._optional = False  # the group has just begun; it began with \*
        self._left = 0
        self._bytes = b""
        self._page, self._fonts = 1252, dict[int, int]()
        self._names = dict[int, str]()
        self._tag, self._in_table = "p", False
        self._row: list[_Pieces] = []
        self._rows: list[list[_Pieces]] = []
        self._author, self._date = "", list[int]()

    def parse(self, source: str) -> None:
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
            elif code and not self._left:
                self._bytes += bytes.fromhex(code)
            elif code:
                self._left -= 1
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
        self._fresh, self._optional = brace == "{", False
        if self._fresh:
            self._stack.append(self._state)
        elif self._stack:
            before, self._state = self._state, self._stack.pop()
            if before.aside != self._state.aside:
                self._end_aside(before.aside)

    def _word(self, word: str, number: int | None) -> None:
        fresh, self._fresh, state = self._fresh, False, self._state
        if fresh and (word in _SKIPPED or (self._optional and word not in _KEPT)):
            self._state = replace(state, skip=True, in_fonts=word == "fonttbl")
        elif fresh and word in _ASIDE and not state.skip:
            self._pieces.append([])
            self._state = replace(state, aside=word, mark="", hidden=False)
        elif word == "f":
            self._state = replace(state, font=number or 0)
        elif state.in_fonts and word == "fcharset":
            self._fonts[state.font] = _CHARSETS.get(number or 0, 0)
        elif word == "u" and number is not None:
            self._add(chr(number % 65_536))
            self._left = state.stand_ins
        elif word == "uc":
            self._state = replace(state, stand_ins=min(number or 0, 10))
        elif word == "ansicpg":
            self._page = number or 1252
        elif not self._character(word, number != 0) and not state.skip:
            self._layout(word, number or 0)

    def _character(self, word: str, on: bool) -> bool:
        """Apply a word that changes the look of characters; return False for other words."""
        state = self._state
        if word == "plain":
            self._state = replace(state, hidden=False, deleted=False, mark="", font=-1)
        elif word == "v":
            self._state = replace(state, hidden=on)
        elif word == "deleted":
            self._state = replace(state, deleted=on)
            self.draft.left_out["tracked deletions"] += on and not state.skip
        elif word in _MARKS or word == "nosupersub":
            self._state = replace(state, mark=_MARKS.get(word, "") if on else "")
        else:
            return False
        return True

    def _layout(self, word: str, number: int) -> None:
        if word in _SIGNS:
            self._add(_SIGNS[word])
        elif word in ("par", "sect", "page"):
            self._end_paragraph()
        elif word == "pard":
            self._tag, self._in_table = "p", False
        elif word == "intbl":
            self._in_table = True
        elif word in ("ls", "pn"):
            self._tag = "li"
        elif word == "outlinelevel" and number < 9:
            self._tag = "h2"
        elif word in _DATES:
            self._date = []
            self.facts.dates.append((_DATES[word], ""))
        elif word in ("yr", "mo", "dy") and self.facts.dates:
            self._date.append(number)
            self.facts.dates[-1] = (self.facts.dates[-1][0], "-".join(f"{each:02}" for each in self._date[:3]))
        else:
            self._cells(word)

    def _cells(self, word: str) -> None:
        if word == "cell":
            self._row.append(self._pieces[0])
            self._pieces[0] = []
        elif word == "row":
            self._rows.append(self._row)
            self._row = []

    def _write(self, pieces: _Pieces) -> None:
        for text, mark in pieces:
            if text == "\n":
                self.page.add("br")
            elif mark.startswith(NOTE):
                self.page.add("a", href=mark)
            else:
                self.page.text(text, mark)

    def _end_paragraph(self) -> None:
        if len(self._pieces) > 1 or self._in_table:
            self._add(" ")
            return
        self._end_table()
        with self.page.within(self._tag):
            self._write(self._pieces[0])
        self._pieces[0] = []

    def _end_table(self) -> None:
        rows, self._rows = self._rows, []
        with self.page.within("table" if rows else "p"):
            for row in rows:
                with self.page.within("tr"):
                    for cell in row:
                        with self.page.within("td"):
                            self._write(cell)

    def _end_aside(self, aside: str) -> None:
        pieces = self._pieces.pop()
        text = "".join(text for text, _ in pieces).strip()
        if aside == "footnote" and text:
            with self.page.note(marked=False) as address:
                self._write(pieces)
            self._pieces[-1].append(("", address))
        elif aside == "annotation" and text:
            with self.page.comment(self._author):
                self._write(pieces)
        elif aside == "atnauthor":
            self._author = text
        elif aside in ("title", "author"):
            setattr(self.facts, aside, text)

    def _decode(self) -> None:
        if self._bytes:
            page = self._fonts.get(self._state.font) or self._page
            try:
                codecs.lookup(f"cp{page}")
            except LookupError:
                page = 1252
            given, self._bytes = self._bytes, b""
            is_sign = self._fonts.get(self._state.font) == 2 and not self._state.in_fonts
            signs = (chr(0xF000 + code) for code in given)
            self._add("".join(signs) if is_sign else given.decode(f"cp{page}", "replace"))

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self._optional = True
        elif sign in "\\{}~_":
            self._add({"~": " ", "_": "-"}.get(sign, sign))
        elif sign in "\r\n":
            self._end_paragraph()

    def _add(self, text: str) -> None:
        self._fresh = False
        state, pieces = self._state, self._pieces[-1]
        if state.in_fonts:
            self._names[state.font] = text
        if state.skip or state.hidden or state.deleted:
            self.draft.left_out["hidden text"] += state.hidden and not state.skip and bool(text.strip())
            return
        if "\udc00" <= text[:1] < "\ue000" and pieces and "\ud800" <= pieces[-1][0][-1:] < "\udc00":
            text = (pieces.pop()[0] + text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        pieces.append((in_font(text, self._names.get(state.font, "")), state.mark))
