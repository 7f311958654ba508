"""The construction of a document from text and dates, shared by all readers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from inquest.domain.document import Block, BlockKind, Document, NoteMark, Snapshot, Table, TextLink
from inquest.domain.reasons import Reason, noted
from inquest.sources.dating import BYLINE, LED_IN, DateWitness, is_prose, publication_date
from inquest.text.blocks import moved
from inquest.text.languages import detect_language
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.sentences import shorten
from inquest.text.urls import clean as clean_url
from inquest.text.urls import is_web_url
from inquest.text.written_dates import written_dates

if TYPE_CHECKING:
    from inquest.readers.html.leaves import Leaf

NOBODY = pattern(__name__, "nobody")
"""Authors that pages and programs write if they know none: a role, or the name of the program or its library."""
NOTE = "note:"
"""Begins the address of an empty link that replaces a note mark; the rest is its label and, each on a line of its own,
the first address in the note and the note."""
_TOP, _PARTICLE, _SHORT = 600, 3, 2
"""Characters of the top of a text, most letters of a small word in a name ('van', 'de', 'and'), and words of a byline
that is only a name."""
_PLACE = regex(r"\s(?:in|at|from|aus|à)\s")
_PIECES, _COMMA = regex(r"[\n|;·•]|\s[–—/-]\s"), regex(r"[,，、]")
_NO_NAME, _OTHERS_WORK = regex(r"\([^()]*\)|\S*@\S*|https?:\S+"), regex(r"(?i)[\d:!?]|\bby\b")
"""Brackets, addresses and handles; signs that no name has, as in 'edited by' or 'Photos:'."""
_LAST_TWO = regex(r"\S+ \S+ [^\W\d_]{1,3} \S+ \S")
"""Two names and a word between them, which end a list: 'Ida Holm and Per Aas'."""
_WHOLE = ("https://", "http://")
_PLAIN = regex(r"https?://[a-z0-9.-]+[/?]")


class Laid:
    """A text under construction, with a blank line between its blocks."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.blocks: list[Block] = []
        self.tables: list[Table] = []
        self.links: list[TextLink] = []
        self.marks: list[NoteMark] = []
        self.length = 0

    def put(self, text: str, kind: BlockKind, *, joined: bool = False) -> int:
        """Write a block, or a further line of the last one if `joined`, and return its offset."""
        gap = "" if not self.parts else "\n" if joined else "\n\n"
        self.parts.append(gap + text)
        start, self.length = self.length + len(gap), self.length + len(gap) + len(text)
        if joined:
            self.blocks[-1] = self.blocks[-1].model_copy(update={"end": self.length})
        else:
            self.blocks.append(Block(kind=kind, start=start, end=self.length))
        return start

    def leaf(self, leaf: Leaf, base: str = "", cut: int = 0) -> None:
        """Write a leaf of a page without its first `cut` characters, then its struck-out passages as blocks of their
        own. Adjacent list items form one list; `base` is the base address of links."""
        is_item = leaf.kind is BlockKind.LIST and bool(self.blocks) and self.blocks[-1].kind is leaf.kind
        text = leaf.number + leaf.text[1:] if leaf.number and not cut else leaf.text[cut:]
        start = self.put(text, leaf.kind, joined=is_item)
        self.link((each for each in leaf.links if each[1] >= cut), start + len(text) - len(leaf.text), base)
        if leaf.table is not None:
            self.tables.append(moved(leaf.table, start))
        for words in leaf.struck:
            self.put(words, BlockKind.WITHDRAWN)

    def fields(self) -> dict[str, Any]:
        """Return what was written beside the text, by the names of Document's fields."""
        blocks, tables = tuple(self.blocks), tuple(self.tables)
        return {"blocks": blocks, "tables": tables, "text_links": tuple(self.links), "note_marks": tuple(self.marks)}

    def link(self, links: Iterable[tuple[str, int, int]], moved: int, base: str = "") -> None:
        """Store the links and note marks of the last block, given as in `Leaf`; `moved` is added to their offsets."""
        for url, start, end in links:
            if url.startswith(NOTE):
                label, target, note, *_ = (*url.removeprefix(NOTE).split("\n"), "", "")
                self.marks.append(NoteMark(at=start + moved, label=label, url=target, note=note))
            elif address := target_of(url, base):
                block = len(self.blocks) - 1
                self.links.append(TextLink(url=address, start=start + moved, end=end + moved, block=block))


def own_text(text: str, blocks: Iterable[Block]) -> str:
    """Return the text without passages struck out and comments, for the title and the date of a document."""
    parts, end = [], 0
    for block in blocks:
        if block.kind in (BlockKind.WITHDRAWN, BlockKind.COMMENT):
            parts.append(text[end : block.start])
            end = block.end
    return "".join(parts) + text[end:]


def document_of(
    snapshot: Snapshot,
    text: str,
    witnesses: Iterable[DateWitness | None],
    notes: Iterable[Reason | str | None] = (),
    **fields: Any,
) -> Document:
    """Make a document from a text, dated by its date witnesses; notes on the date come last.

    `fields` are further fields of Document. Defaults: the snapshot's address, the first line as the title, and the
    detected language. An author that is a role or a program (NOBODY) is left out; without one, the names
    in a line of the text count.
    """
    dated = publication_date([witness for witness in witnesses if witness], snapshot.retrieved_at)
    fields.setdefault("url", snapshot.final_url or snapshot.url)
    if NOBODY.fullmatch(fields.get("author") or "none"):
        fields["author"] = signed(text)
    if "title" not in fields:
        fields["title"] = first_line(text)
    if "language" not in fields:
        fields["language"] = detect_language(text)
    fields |= noted((*notes, *dated.notes))
    return Document(snapshot=snapshot.hash, text=text, published=dated.published, dates=dated.evidence, **fields)


def signed(text: str) -> str | None:
    """Return the names in a line of their own below the title ('By Ida Holm', 'By Ida Holm, 5 March 2024'), or None."""
    prose = 0
    for line in text[:_TOP].split("\n")[1:]:
        prose += is_prose(line)
        if prose > 1:
            break
        if line[:1].isupper() and (lead := BYLINE.match(line)):
            listed = _PIECES.split(undated(line)[lead.end() :])[0]
            if (names := _listed(listed)) and (":" in lead[0] or names[0] == _parts(listed)[0]):
                return ", ".join(names)
    return None


def names_in(byline: str) -> list[str]:
    """Return the names of a byline of one or more lines without roles, places and addresses: those after 'by', if
    anything is, or a label ('Text: Ida Holm'). One or two words ('idaholm', 'Holm, Ida') are taken for a name."""
    pieces = [piece for each in _PIECES.split(_NO_NAME.sub(" ", byline)) if (piece := undated(each))]
    pieces = pieces if len(pieces) > 1 else [each.rpartition(":")[2] for each in pieces]
    led = [each[lead.end() :] for each in pieces if (lead := BYLINE.match(each))]
    names = [name for each in led or pieces for name in _listed(each)]
    return names or ([" ".join(byline.split())] if len(byline.split()) <= _SHORT else [])


def undated(line: str) -> str:
    """Return what a line has before its first date and the word that leads to it."""
    dates = written_dates(line)
    before = line[: dates[0].start if dates else None].rstrip(" |")
    lead = LED_IN.search(before) if dates else None
    return before[: lead.start() if lead and lead[0].strip().islower() else None].strip(" ,;|·•–—-(")


def _parts(names: str) -> list[str]:
    return [" ".join(part.split()) for part in _COMMA.split(_PLACE.split(names)[0])]


def _listed(names: str) -> list[str]:
    """Return the names of a list. Anything but a name ends it: 'Ida Holm, correspondent', 'Ida Holm, Oslo'."""
    found: list[str] = []
    for name in takewhile(bool, map(_name_in, _parts(names))):
        found.append(name)
        if _LAST_TWO.match(name):
            break
    return found


def _name_in(part: str) -> str:
    """Return the name that begins or ends a part of a byline ('Ida Holm reports', 'court reporter Ida Holm'), or the
    first of two that a small word parts ('Ida Holm and court reporter Per Aas')."""
    runs = [list(run) for is_name, run in groupby(part.split(), _may_be_of_name) if is_name]
    is_parted = bool(runs) and runs[0][-1].islower()
    found: list[str] = []
    for words in [] if _OTHERS_WORK.search(part) else runs[:1] + runs[1:][-1:]:
        while words and words[-1].islower():
            words.pop()
        name = " ".join(words)
        if len(name) > 2 and not name[0].islower() and (len(words) > 1 or name.upper() == name.lower()):
            found.append(name)
    return found[0] if len(found) == 1 or (found and is_parted) else ""


def _may_be_of_name(word: str) -> bool:
    return not word.islower() or len(word) <= _PARTICLE


def first_line(text: str) -> str:
    """Return the first line with a letter or digit, shortened to serve as a title."""
    line = next((line for line in text.split("\n") if any(char.isalnum() for char in line)), "")
    return shorten(line.lstrip("#*=- "), 150)


@lru_cache(maxsize=4096)
def target_of(target: str, base: str) -> str | None:
    """Return the absolute http(s) address of a link without tracking parameters, or None for other links."""
    target = target.strip()
    if not target or target.startswith(("#", "javascript:", "mailto:", "tel:", "data:")):
        return None
    try:
        # Most links are absolute, which urljoin would parse and rebuild for nothing.
        address = clean_url(target if target.startswith(_WHOLE) else urljoin(base, target))
    except ValueError:
        return None
    return address if _PLAIN.match(address) or is_web_url(address) else None
