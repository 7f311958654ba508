"""The output side of office readers: pages are built as HTML trees, by a walker over XML, and read like web pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import ClassVar

from lxml import etree
from lxml.etree import _Element as Element
from lxml.html import HtmlElement

from inquest.domain.document import BlockKind, Document, Place, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.readers.documents import NOTE, Laid, document_of, first_line, own_text
from inquest.readers.html.leaves import Leaf, leaves
from inquest.readers.html.marks import settle_marks
from inquest.readers.html.tree import NOT_XML, drop_hidden, lay_out, parse
from inquest.readers.office.package import Package, child, local, words
from inquest.readers.plain import one_line, struck_note
from inquest.sources.dating import from_document, from_url, from_value, labelled
from inquest.text.blocks import TableText, moved
from inquest.text.languages import detect_language
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.sentences import content_words
from inquest.text.urls import clean as clean_url
from inquest.text.urls import is_web_url

MAX_CHARACTERS = 20_000_000
"""Characters of a document's text; about 5,000 printed pages."""
_NO_TITLE = pattern("inquest.readers.pdf.reader", "no_title")
_COMMENT = "data-inquest-comment"
_OF_TEMPLATES = ("2013-12-23T23:15:00Z", "2013-01-27T09:14:16Z", "2013-01-27T09:15:58Z")
"""Dates of the templates of python-docx and python-pptx, which keep them."""
_TOP, _TOP_LINES = 20_000, 6
"""Characters in which a document has a word of its title, and lines in which a table is dated."""
_SYMBOLS = dict(zip((*range(0xF020, 0xF07F), *range(0xF0A1, 0xF0FF)),
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧ∆ΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
    "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…��↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉"
    "∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑����������ð〉∫⌠�⌡���������", strict=True))  # fmt: skip
"""The Symbol encoding (unicode.org/Public/MAPPINGS/VENDORS/ADOBE/symbol.txt) without the parts of tall brackets."""
_OF_SYMBOL_FONTS = regex("[\uf020-\uf0ff]")
MAX_ELEMENTS = 500_000
"""Elements of a part that are read; they take about 15 seconds."""


@dataclass(slots=True)
class Facts:
    """Metadata of a file. `dates` are pairs of a label ('the file's creation date') and a value. The latest counts:
    a creation date may be that of a template, or of the document that was saved under another name."""

    title: str = ""
    author: str = ""
    dates: list[tuple[str, str]] = field(default_factory=list)
    publisher: str = ""
    language: str = ""


def core_facts(package: Package, draft: Draft) -> Facts:
    """Return the core properties of a written Office document, and add a note on macros to the draft. A title is that
    of its template if the document has a heading and none of the title's words."""
    if any(name.endswith("vbaProject.bin") for name in package.names):
        draft.notes.append("has macros, which are neither read nor run")
    targets = (target for kind, target in package.related("").values() if kind == "core-properties")
    root = package.xml(next(targets, "docProps/core.xml"))
    named = {"the file's creation date": "created", "the file's date of change": "modified"}
    dates = [(where, words(child(root, name))) for where, name in named.items()]
    dates = [each for each in dates if each[1] not in _OF_TEMPLATES]
    title, text = words(child(root, "title")), "".join(draft.parts)[:_TOP]
    names = {word for word in content_words(title) if word.isalpha()}
    if draft.heading and names.isdisjoint(content_words(text)):
        title = ""
    return Facts(title, words(child(root, "creator")), dates)


class Page:
    """A part of a document (a whole text, a slide) as an HTML tree under construction, with its notes and comments."""

    def __init__(self) -> None:
        tree = parse("<body></body>")
        assert tree is not None
        self.root = tree.root
        self._make = etree.SubElement
        self._open = [self.root[-1]]
        self._pieces: list[tuple[str, str]] = []
        self._notes: list[HtmlElement] = []
        self._comments: list[HtmlElement] = []

    def text(self, text: str, mark: str = "") -> None:
        """Add running text with a mark (sup, sub, s or none); adjacent pieces with the same mark are joined."""
        if text:
            self._pieces.append((text, mark))

    def add(self, tag: str, **attributes: str) -> HtmlElement:
        """Add an element to the current one."""
        self._settle()
        return self._make(self._open[-1], tag, attributes)

    def last_or_new(self, tag: str) -> HtmlElement:
        """Return the last element of the current one if it has this tag, else add a new one."""
        self._settle()
        last = next(reversed(self._open[-1]), None)
        return last if last is not None and last.tag == tag else self.add(tag)

    @contextmanager
    def within(self, element: HtmlElement | str, **attributes: str) -> Iterator[None]:
        """Put the following content into an element, or into a new one for a tag."""
        self._settle()
        self._open.append(self.add(element, **attributes) if isinstance(element, str) else element)
        yield
        self._settle()
        self._open.pop()

    @contextmanager
    def note(self, *, marked: bool = True) -> Iterator[str]:
        """Put the following content into a note at the end of the page, with a link to it here if `marked`; yields the
        address of such a link."""
        self._notes.append(self.root.makeelement("p"))
        address = f"{NOTE}{len(self._notes)}"
        if marked:
            self.add("a", href=address)
        with self.within(self._notes[-1]):
            self.text(f"[{len(self._notes)}] ")
            yield address

    @contextmanager
    def comment(self, author: str = "") -> Iterator[None]:
        """Put the following content into a comment at the end of the page."""
        self._comments.append(self.root.makeelement("p", {_COMMENT: ""}))
        with self.within(self._comments[-1]):
            self.text(f"Comment by {author}: " if author else "Comment: ")
            yield

    def _settle(self) -> None:
        at, pieces = self._open[-1], self._pieces
        self._pieces = []
        for mark, group in groupby(pieces, key=itemgetter(1)):
            text = _OF_SYMBOL_FONTS.sub("\ufffd", NOT_XML.sub("", "".join(piece for piece, _ in group)))
            if mark:
                self._make(at, mark).text = text
            elif len(at):
                at[-1].tail = (at[-1].tail or "") + text
            else:
                at.text = (at.text or "") + text

    def leaves(self) -> list[Leaf]:
        """Return the blocks of the page, with notes and comments last."""
        self._settle()
        self.root[-1].extend([*self._notes, *self._comments])
        found = leaves_of(self.root)
        for leaf in found:
            if leaf.kind is BlockKind.PARAGRAPH and leaf.element.get(_COMMENT) is not None:
                leaf.kind = BlockKind.COMMENT
        return found


def in_font(text: str, font: str) -> str:
    """Return the text with the signs that the font Symbol shows for private use characters."""
    # A bullet is often pasted without its font.
    return text.translate(_SYMBOLS) if font.startswith("Symbol") else text.replace("\uf0b7", "•")


def leaves_of(root: HtmlElement, url: str = "") -> list[Leaf]:
    """Return the blocks of a tree as a browser shows them."""
    lay_out(root)
    settle_marks(root, url)
    drop_hidden(root)
    return leaves(root)


class Draft(Laid):
    """Blocks, tables and places of a document under construction."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.notes: list[str] = []
        self.left_out: Counter[str] = Counter()
        """Number of omissions by label, such as 'tracked deletions'."""
        self.heading = ""
        """The first heading or title."""
        self._links: dict[str, None] = {}
        self._places: list[Place] = []

    def place(self, label: str, *, hidden: bool = False) -> None:
        """Begin a sheet, a slide or a chapter; a place without content is dropped."""
        if self._places and self._places[-1].start > self.length:
            self._places.pop()
        self._places.append(Place(label=label, start=self.length + 2 * bool(self.parts), hidden=hidden))

    def write(self, found: Sequence[Leaf]) -> None:
        """Write blocks, each followed by its struck-out passages as blocks of their own."""
        for leaf in found:
            if self.length > MAX_CHARACTERS:
                self.notes.append(f"the first {MAX_CHARACTERS:,} characters are read: the rest is too long")
                return
            if leaf.kind is BlockKind.HEADING:
                self.heading = self.heading or one_line(leaf.text)
            self.leaf(leaf)
            self._links |= {clean_url(url): None for url, _, _ in leaf.links if is_web_url(url)}

    def table(self, made: TableText) -> None:
        """Write a table."""
        self.tables.append(moved(made.table, self.put(made.text, BlockKind.TABLE)))

    def document(
        self, snapshot: Snapshot, facts: Facts, empty: str = "holds no text", *, dated: bool = True
    ) -> Document:
        """Return the document. `empty` describes a document without text; `dated` allows a date from its text, else
        only one that a line at its top labels. Raises PageUnreadable if nothing was written."""
        url = snapshot.final_url or snapshot.url
        if not any(block.kind.is_evidence or block.kind is BlockKind.HEADING for block in self.blocks):
            raise PageUnreadable(url, f"The document at {url} {empty}.", advice="Open it to see what is there.")
        self.place("")
        text = "".join(self.parts)
        own = own_text(text, self.blocks)
        top = (found for line in own.split("\n", _TOP_LINES)[:_TOP_LINES] if (found := labelled(line)))
        dates = sorted(facts.dates, key=itemgetter(1), reverse=True)
        given = [from_value(value, name, how="file", now=snapshot.retrieved_at) for name, value in dates if value]
        title = one_line(facts.title)
        places = tuple(self._places[:-1])
        hidden = Counter(f"hidden {place.label.split()[0]}s" for place in places if place.hidden)
        for table in self.tables:
            hidden["hidden rows"] += len(table.hidden_rows)
            hidden["hidden columns"] += len(table.hidden_columns)
        labels = {"left out": self.left_out, "included": hidden}
        counted = [f"{done}: {what} ({n})" for done, each in labels.items() for what, n in each.items() if n]
        return document_of(
            snapshot,
            text,
            (from_document(own) if dated else next(top, None), from_url(url), *given),
            (*counted, *dict.fromkeys(self.notes), *struck_note(self.blocks)),
            title=(title if not _NO_TITLE.match(title) else "") or self.heading[:300] or first_line(own),
            author=one_line(facts.author) or None,
            publisher=one_line(facts.publisher) or None,
            language=detect_language(text) or facts.language[:2].lower() or None,
            places=places,
            links=tuple(self._links),
            kind=self.kind,
            **self.fields(),
        )


class Walker:
    """Walks elements by their local names, which strict and transitional documents share. Elements without an entry in
    the tables below are traversed."""

    tags: ClassVar[Mapping[str, str]] = {}
    """HTML tags by element name."""
    signs: ClassVar[Mapping[str, str]] = {}
    silent: ClassVar[frozenset[str]] = frozenset()
    left_out: ClassVar[Mapping[str, str]] = {}
    """Labels, for notes, of elements that are left out and counted."""
    methods: ClassVar[Mapping[str, str]] = {}
    """Method names by element name."""
    mixed: ClassVar[bool] = False
    """True if text may appear between elements."""

    def __init__(self, draft: Draft) -> None:
        self.draft, self.page = draft, Page()
        self.mark = ""
        self._taken = 0
        self._inline = self._in_paragraph = False
        self._boxes: list[Element] = []

    def walk(self, element: Element | None) -> None:
        """Process the children of an element."""
        if element is None:
            return
        if self.mixed:
            self.page.text(element.text or "", self.mark)
        for each in element:
            if isinstance(each.tag, str):
                self._take(each, local(each))
            if self.mixed:
                self.page.text(each.tail or "", self.mark)

    def _take(self, element: Element, name: str) -> None:
        self._taken += 1
        if name in self.silent or self._taken > MAX_ELEMENTS:
            if self._taken == MAX_ELEMENTS + 1:
                self.draft.notes.append(f"the first {MAX_ELEMENTS:,} elements are read: the rest is too long")
        elif (sign := self.signs.get(name)) is not None:
            self.page.text(sign, self.mark)
        elif method := self.methods.get(name):
            getattr(self, method)(element)
        elif tag := self.tags.get(name):
            self.inside(element, tag)
        elif name in self.left_out:
            self.draft.left_out[self.left_out[name]] += 1
        else:
            self.walk(element)

    def inside(self, element: Element, tag: HtmlElement | str, **attributes: str) -> None:
        """Process the children of an element within an element of the page."""
        with self.page.within(tag, **attributes):
            self.walk(element)

    def paragraph(self, element: Element, tag: HtmlElement | str) -> None:
        """Write a paragraph, then the text boxes anchored in it. In a note it is part of a line."""
        if self._inline:
            self.walk(element)
            self.page.text(" ")
            return
        outer, self._in_paragraph = self._in_paragraph, True
        self.inside(element, tag)
        self._in_paragraph = outer
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self.walk(box)

    def box(self, element: Element) -> None:
        """Keep a text box for the end of its paragraph."""
        if self._in_paragraph and not self._inline:
            self._boxes.append(element)
        else:
            self.walk(element)

    def flat(self, element: Element | None) -> None:
        """Write the paragraphs of a note or a comment as one."""
        outer, self._inline = (self._inline, self.mark), True
        self.mark = ""
        self.walk(element)
        self._inline, self.mark = outer

    def speaker_notes(self, boxes: Sequence[Element]) -> None:
        """Write the notes of a slide as a paragraph."""
        if any(map(words, boxes)):
            with self.page.within("p"):
                self.page.text("Notes: ")
                for box in boxes:
                    self.flat(box)
