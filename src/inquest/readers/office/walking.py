"""A walker over the XML of a document, which builds a page of HTML; each format defines the meaning of its elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from inquest.readers.office.package import local, words
from inquest.readers.office.writing import Draft, Page

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
    from lxml.html import HtmlElement

MAX_ELEMENTS = 500_000
"""Elements of a part that are read; they take about 15 seconds."""


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
            with self.page.within(tag):
                self.walk(element)
        elif name in self.left_out:
            self.draft.left_out[self.left_out[name]] += 1
        else:
            self.walk(element)

    def paragraph(self, element: Element, tag: HtmlElement | str) -> None:
        """Write a paragraph, then the text boxes anchored in it. In a note it is part of a line."""
        if self._inline:
            self.walk(element)
            self.page.text(" ")
            return
        outer, self._in_paragraph = self._in_paragraph, True
        with self.page.within(tag):
            self.walk(element)
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

    def turned(self) -> Page:
        """Return the finished page and begin a new one."""
        done, self.page = self.page, Page()
        return done
