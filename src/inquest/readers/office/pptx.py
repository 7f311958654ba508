"""PowerPoint presentations: slides in order, with tables and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inquest.domain.document import BlockKind, Document, Snapshot
from inquest.kit.reader import Reader
from inquest.readers.office.docx import core_facts
from inquest.readers.office.package import Package, child, children, local, value, words
from inquest.readers.office.writing import Line, Writer
from inquest.readers.plain import one_line

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_OF_THE_PAGE = ("dt", "ftr", "sldNum", "hdr", "sldImg")


class PptxReader(Reader):
    """Reads PPTX."""

    name: ClassVar[str] = "pptx"
    content_types: ClassVar[tuple[str, ...]] = (
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    )

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """The text of each slide, a place of its own, without what its master shows; its notes begin with 'Notes:'.

        Raises PageUnreadable, PageTooLarge."""
        package = Package(body, snapshot.final_url or snapshot.url)
        main = package.main("ppt/presentation.xml")
        root = package.xml(main)
        if root is None:
            raise package.damaged("is damaged: it lacks its main part")
        related = package.related(main)
        writer = Writer(self.name)
        for number, each in enumerate(children(child(root, "sldIdLst")), 1):
            key = next((held for name, held in each.attrib.items() if str(name).endswith("}id")), "")
            part = related.get(str(key), ("", ""))[1]
            slide = package.xml(part)
            if slide is None:
                writer.notes.append(f"slide {number} is missing from the file")
                continue
            writer.place(f"slide {number}", hidden=value(slide, "show") in ("0", "false"))
            _shapes(child(slide, "cSld", "spTree"), writer)
            _beside(package, part, writer)
        if any(name.endswith("vbaProject.bin") for name in package.names):
            writer.notes.append("has macros, which are neither read nor run")
        return writer.document(snapshot, core_facts(package), "holds no text: its slides are pictures or empty")


def _shapes(tree: Element | None, writer: Writer) -> None:
    for shape in tree if tree is not None else ():
        name = local(shape)
        about = child(next(iter(shape), None), "cNvPr") if name in ("sp", "grpSp", "graphicFrame") else None
        if value(about, "hidden") in ("1", "true"):
            writer.count("hidden shapes", 1 if words(shape) else 0)
        elif name == "grpSp":
            _shapes(shape, writer)
        elif name == "AlternateContent":
            chosen = child(shape, "Choice")
            _shapes(chosen if chosen is not None else child(shape, "Fallback"), writer)
        elif name == "graphicFrame":
            for table in shape.iter("{*}tbl"):
                _table(table, writer)
        elif name == "sp" and _placeholder(shape) not in _OF_THE_PAGE:
            title = _placeholder(shape) in ("title", "ctrTitle", "subTitle")
            kind = BlockKind.HEADING if title else BlockKind.PARAGRAPH
            for text, struck in _paragraphs(shape):
                writer.block(kind, text, struck)


def _placeholder(shape: Element) -> str | None:
    """The type of the placeholder that a shape fills; None: it is no placeholder."""
    held = next(shape.iter("{*}ph"), None)
    return None if held is None else value(held, "type") or "body"


def _paragraphs(shape: Element) -> list[tuple[str, list[str]]]:
    return [_line(paragraph).take() for paragraph in shape.iter("{*}p")]


def _line(paragraph: Element) -> Line:
    line = Line()
    for each in paragraph:
        name = local(each)
        if name == "br":
            line.add("\n")
        elif name in ("r", "fld"):
            properties = child(each, "rPr")
            raised = value(properties, "baseline") or "0"
            mark = "" if raised in ("0", "0%") else "down" if raised.startswith("-") else "up"
            struck = value(properties, "strike") in ("sngStrike", "dblStrike")
            line.add("".join(t.text or "" for t in each.iter("{*}t")), "struck" if struck else mark)
        elif name in ("m", "AlternateContent"):
            chosen = child(each, "Choice")
            line.add(words(chosen if chosen is not None else each))
    return line


def _table(table: Element, writer: Writer) -> None:
    grid: list[list[str]] = []
    struck: list[str] = []
    for row in (each for each in table if local(each) == "tr"):
        line: list[str] = []
        for cell in (each for each in row if local(each) == "tc"):
            if value(cell, "hMerge") in ("1", "true") and line:
                line.append(line[-1])
            elif value(cell, "vMerge") in ("1", "true") and grid and len(line) < len(grid[-1]):
                line.append(grid[-1][len(line)])
            else:
                taken = _paragraphs(cell)
                line.append(one_line(" ".join(text for text, _ in taken)))
                struck += [each for _, out in taken for each in out]
        grid.append(line)
    first = value(child(table, "tblPr"), "firstRow") in ("1", "true")
    writer.table(grid, heads=int(first) if len(grid) > 1 else 0)
    writer.block(BlockKind.PARAGRAPH, "", struck)


def _beside(package: Package, part: str, writer: Writer) -> None:
    """The speaker's notes and the comments of a slide."""
    for kind, target in package.related(part).values():
        root = package.xml(target) if kind in ("notesSlide", "comments") else None
        if root is not None and kind == "notesSlide":
            shapes = [each for each in root.iter("{*}sp") if _placeholder(each) == "body"]
            text = " ".join(text for shape in shapes for text, _ in _paragraphs(shape) if text)
            writer.block(BlockKind.PARAGRAPH, f"Notes: {one_line(text)}" if text else "")
        elif root is not None:
            for each in root:
                writer.comment(words(each))
