"""PowerPoint presentations: slides in order, with tables and notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.kit.reader import Reader
from inquest.readers.office.docx import OfficeWalker, core_facts
from inquest.readers.office.package import Package, child, children, local, value, words
from inquest.readers.office.writing import Draft

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_OF_THE_PAGE = ("dt", "ftr", "sldNum", "hdr", "sldImg")
_TITLES = ("title", "ctrTitle", "subTitle")
_ON = ("1", "true")


class PptxReader(Reader):
    """Reads PPTX."""

    name: ClassVar[str] = "pptx"
    content_types: ClassVar[tuple[str, ...]] = (
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    )

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return each slide as a place, without content of its master; speaker notes begin with 'Notes:'. Raises
        PageUnreadable, PageTooLarge."""
        package = Package(body, snapshot.final_url or snapshot.url)
        root, main = package.main("ppt/presentation.xml")
        related = package.related(main)
        draft = Draft(self.name)
        for number, each in enumerate(children(child(root, "sldIdLst")), 1):
            key = next((held for name, held in each.attrib.items() if str(name).endswith("}id")), "")
            part = related.get(str(key), ("", ""))[1]
            slide = package.xml(part)
            if slide is None:
                draft.notes.append(f"slide {number} is missing from the file")
                continue
            draft.place(f"slide {number}", hidden=value(slide, "show") in ("0", "false"))
            walker = _Walker(draft)
            walker.walk(slide)
            for kind, target in package.related(part).values():
                if kind in ("notesSlide", "comments"):
                    walker.beside(package.xml(target), kind)
            draft.write(walker.page.leaves())
        return draft.document(snapshot, core_facts(package, draft), "holds no text: its slides are pictures or empty")


class _Walker(OfficeWalker):
    methods: ClassVar[Mapping[str, str]] = {
        **OfficeWalker.methods, "sp": "_shape", "grpSp": "_shape", "graphicFrame": "_shape", "fld": "_run",
    }  # fmt: skip
    _tag = "p"

    def _shape(self, shape: Element) -> None:
        if value(child(next(iter(shape), None), "cNvPr"), "hidden") in _ON:
            self.draft.left_out["hidden shapes"] += bool(words(shape))
        elif (filled := _placeholder(shape)) not in _OF_THE_PAGE:
            self._tag = "h2" if filled in _TITLES else "p"
            self.walk(shape)

    def _paragraph(self, paragraph: Element) -> None:
        self.paragraph(paragraph, self._tag)

    def _run(self, run: Element) -> None:
        properties = child(run, "rPr")
        moved = (value(properties, "baseline") or "0").rstrip("%")
        self.mark = "" if moved == "0" else "sub" if moved.startswith("-") else "sup"
        if value(properties, "strike") in ("sngStrike", "dblStrike"):
            self.mark = "s"
        self.walk(run)
        self.mark = ""

    def _row(self, row: Element) -> None:
        with self.page.within("tr"):
            self.walk(row)

    def _cell(self, cell: Element) -> None:
        if value(cell, "hMerge") not in _ON and value(cell, "vMerge") not in _ON:
            spans = {html: value(cell, name) or "1" for html, name in (("colspan", "gridSpan"), ("rowspan", "rowSpan"))}
            with self.page.within("td", **spans):
                self.walk(cell)

    def beside(self, root: Element | None, kind: str) -> None:
        """Add the speaker notes or the comments of the slide."""
        shapes = [each for each in root.iter("{*}sp") if _placeholder(each) == "body"] if root is not None else []
        if any(map(words, shapes)):
            with self.page.within("p"):
                self.page.text("Notes: ")
                for shape in shapes:
                    self.flat(shape)
        for each in children(root) if kind == "comments" else ():
            with self.page.comment():
                self.page.text(words(each))


def _placeholder(shape: Element) -> str | None:
    """Return the type of placeholder that a shape fills, or None."""
    held = next(shape.iter("{*}ph"), None) if local(shape) == "sp" else None
    return None if held is None else value(held, "type") or "body"
