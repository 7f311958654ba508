"""Readers of Word documents, in their final version, and of PowerPoint presentations (ECMA-376)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import ClassVar

from lxml.etree import _Element as Element
from lxml.html import HtmlElement

from inquest.domain.document import Document, Snapshot
from inquest.kit.reader import Reader
from inquest.readers.html.leaves import LABEL
from inquest.readers.office.numbering import Numbering
from inquest.readers.office.package import Package, child, children, local, value, whole, words
from inquest.readers.office.sheets import shown
from inquest.readers.office.writing import Draft, Walker, core_facts, in_font

_OFF = ("0", "false", "off", "none")
_RAISED = {"superscript": "sup", "subscript": "sub"}
_STYLED = {"title": "h1", "subtitle": "h2", "caption": "figcaption", "quote": "blockquote",
           "intense quote": "blockquote"}  # fmt: skip
_OF_THE_PAGE = ("dt", "ftr", "sldNum", "hdr", "sldImg")
_TITLES = ("title", "ctrTitle", "subTitle")
_ON = ("1", "true")


class DocxReader(Reader):
    """Reads DOCX and its variants for macros and templates."""

    name: ClassVar[str] = "docx"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Include insertions; leave out tracked deletions, hidden text, headers, footers and field codes. Footnotes and
        comments come last. Raises PageUnreadable, PageTooLarge."""
        package = Package(body, snapshot.final_url or snapshot.url)
        root, main = package.main("word/document.xml")
        draft = Draft(self.name)
        walker = _TextWalker(package, main, draft)
        walker.walk(root)
        draft.write(walker.page.leaves())
        return draft.document(snapshot, core_facts(package, draft))


class _OfficeWalker(Walker):
    """Walks the elements that Word and PowerPoint have in common."""

    tags: ClassVar[Mapping[str, str]] = {"br": "br", "cr": "br", "tbl": "table", "tr": "tr", "sub": "sub", "sup": "sup"}
    """Line breaks, tables, and the indices and exponents of formulas (OMML)."""
    signs: ClassVar[Mapping[str, str]] = {"tab": " ", "noBreakHyphen": "-", "ptab": " "}
    silent: ClassVar[frozenset[str]] = frozenset("pPr rPr tcPr trPr tblPr sectPr instrText rt".split())
    methods: ClassVar[Mapping[str, str]] = {
        "t": "_text", "sym": "_symbol", "r": "_run", "p": "_paragraph", "tc": "_cell",
        "AlternateContent": "_newer", "relIds": "_diagram", "chart": "_chart",
        "num": "_part_of_fraction", "den": "_part_of_fraction",
    }  # fmt: skip

    def __init__(self, package: Package, part: str, draft: Draft) -> None:
        super().__init__(draft)
        self._package, self._related = package, package.related(part)

    def _text(self, element: Element) -> None:
        fonts = child(element.getparent(), "rPr")
        font = value(child(fonts, "rFonts"), "ascii") or value(child(fonts, "sym"), "typeface") or ""
        self.page.text(in_font(element.text or "", font), self.mark)
        self.walk(element)  # in diagrams it holds paragraphs

    def _symbol(self, sign: Element) -> None:
        with suppress(ValueError, OverflowError):
            self.page.text(in_font(chr(int(value(sign, "char") or "", 16)), value(sign, "font") or ""), self.mark)

    def _diagram(self, reference: Element) -> None:
        data = self._package.xml(self._related.get(value(reference, "dm") or value(reference, "id") or "", ("", ""))[1])
        if data is not None:
            self.box(data)

    def _chart(self, chart: Element) -> None:
        """Write the values kept of a chart as a table of series below its titles, or count a chart of another form."""
        if value(chart, "id"):
            self._diagram(chart)
            return
        series = list(chart.iter("{*}ser"))
        names = [_points(child(each, "cat")) for each in series]
        if not series or not names[0] or any(each != names[0] for each in names):
            self.draft.left_out["charts"] += 1
            return
        heads = [next(iter(_points(child(each, "tx")).values()), "") for each in series]
        values = [_points(child(each, "val")) for each in series]
        titled = (text for each in (chart, *chart.iter("{*}valAx")) for text in each.iterfind("{*}title/{*}tx"))
        titles = (words(line) for text in titled for line in text.iter("{*}p", "{*}pt"))
        with self.page.within("table"):
            with self.page.within("caption"):
                self.page.text(", ".join(filter(None, titles)))
            for row in (["", *heads], *([name, *(v.get(at, "") for v in values)] for at, name in names[0].items())):
                with self.page.within("tr"):
                    for cell in row:
                        with self.page.within("td"):
                            self.page.text(cell)

    def _newer(self, element: Element) -> None:
        self.walk(next(iter(element), None))  # the following children are fallbacks

    def _part_of_fraction(self, element: Element) -> None:
        before, after = ("", "") if words(element).isalnum() else ("(", ")")
        self.page.text(f"/{before}" if local(element) == "den" else before)
        self.walk(element)
        self.page.text(after)


def _points(given: Element | None) -> dict[str, str]:
    """Return the values that a chart keeps of its cells, by their number, as the cells show them."""
    found = {}
    for point in given.iter("{*}pt") if given is not None else ():
        text = words(child(point, "v"))
        code = value(point, "formatCode") or words(child(point.getparent(), "formatCode"))
        with suppress(ValueError, OverflowError):  # then it is shown as written
            text = shown(float(text), code) if code else text
        found[value(point, "idx") or ""] = text
    return found


class _TextWalker(_OfficeWalker):
    left_out: ClassVar[Mapping[str, str]] = {"del": "tracked deletions", "moveFrom": "passages moved away"}
    methods: ClassVar[Mapping[str, str]] = {
        **_OfficeWalker.methods, "tbl": "_table", "tr": "_row", "hyperlink": "_link", "txbxContent": "box",
        "altChunk": "_embedded", "sdt": "_control", "fldChar": "_field",
        "footnoteReference": "_note", "endnoteReference": "_note", "commentReference": "_note",
    }  # fmt: skip

    def __init__(self, package: Package, main: str, draft: Draft) -> None:
        super().__init__(package, main, draft)
        parts = dict(self._related.values())
        self._aside = {
            kind: {value(each, "id"): each for each in children(package.xml(parts.get(f"{kind}s", "")))}
            for kind in ("footnote", "endnote", "comment")
        }
        self._styles = _styles(package.xml(parts.get("styles", "")))
        self._numbering = Numbering(package.xml(parts.get("numbering", "")), self._styles)
        self._paragraph_style: dict[str, str] = {}
        self._unended: HtmlElement | None = None
        self._cells: dict[int, HtmlElement] = {}
        self._column = 0
        self._fields: list[str] = []
        """The part of each field open in the paragraph: 'begin' in its code, 'separate' in its result."""

    def _text(self, element: Element) -> None:
        if "begin" not in self._fields:
            super()._text(element)

    def _field(self, char: Element) -> None:
        kind = value(char, "fldCharType") or ""
        if kind != "begin" and self._fields:
            self._fields.pop()
        if kind != "end":
            self._fields.append(kind)

    def _control(self, control: Element) -> None:
        if child(control, "sdtPr", "showingPlcHdr") is not None:
            self.draft.left_out["placeholder text"] += 1
        else:
            self.walk(control)

    def _paragraph(self, paragraph: Element) -> None:
        self._fields.clear()
        properties = child(paragraph, "pPr")
        given = value(child(properties, "pStyle")) or ""
        style = self._styles.get(given, {})
        name = style.get("name") or given.lower()
        if name.startswith("toc "):
            return
        level = value(child(properties, "outlineLvl")) or style.get("outlineLvl") or "9"
        listed = value(child(properties, "numPr", "numId")) or style.get("numId") or "0"
        tag = _STYLED.get(name) or ("li" if listed != "0" or name.startswith("list ") else "p")
        if name.startswith("heading") or level < "9":
            tag = "h2"
        place: HtmlElement | str = tag
        if self._unended is not None:
            place = self._unended
        elif not self._inline:
            at = value(child(properties, "numPr", "ilvl")) or style.get("ilvl")
            label = self._numbering.label(listed, at, given)
            place = self.page.add(tag, **({LABEL: label} if tag == "li" else {}))
            if tag != "li" and label:
                with self.page.within(place):
                    self.page.text(f"{label} ")
        outer, self._paragraph_style = self._paragraph_style, style
        self.paragraph(paragraph, place)
        self._paragraph_style = outer
        # A paragraph with a deleted end continues in the next one.
        ends = child(properties, "rPr", "del") is None
        self._unended = None if ends or isinstance(place, str) else place

    def _run(self, run: Element) -> None:
        properties = child(run, "rPr")
        if properties is None and not self._paragraph_style:
            self.walk(run)
            return
        own = {local(each): value(each) or "1" for each in children(properties)}
        marks = {**self._paragraph_style, **self._styles.get(value(child(properties, "rStyle")) or "", {}), **own}
        if marks.get("vanish", "0") not in _OFF:
            self.draft.left_out["hidden text"] += bool(words(run))
            return
        struck = any(marks.get(name, "0") not in _OFF for name in ("strike", "dstrike"))
        moved = marks.get("position", "0")[:9]  # in half-points; two points raise or lower text
        shift = "" if abs(whole(moved.lstrip("-"), 0)) < 4 else "sub" if moved[0] == "-" else "sup"
        outer, self.mark = self.mark, "s" if struck else _RAISED.get(marks.get("vertAlign", ""), shift)
        self.walk(run)
        self.mark = outer

    def _link(self, link: Element) -> None:
        self.inside(link, "a", href=self._related.get(value(link, "id") or "", ("", ""))[1])

    def _note(self, reference: Element) -> None:
        kind = local(reference).removesuffix("Reference")
        note = self._aside[kind].get(value(reference, "id"))
        if note is not None:
            with self.page.comment(value(note, "author") or "") if kind == "comment" else self.page.note():
                self.flat(note)

    def _embedded(self, _: Element) -> None:
        self.draft.notes.append("a file embedded in the text is not read")

    def _table(self, element: Element) -> None:
        outer, self._cells = self._cells, {}
        self.inside(element, "table")
        self._cells = outer

    def _row(self, row: Element) -> None:
        properties = child(row, "trPr")
        if child(properties, "del") is not None or child(properties, "hidden") is not None:
            self.draft.left_out["deleted or hidden rows"] += 1
            return
        outer, self._column = self._column, 0
        group = "thead" if child(properties, "tblHeader") is not None else "tbody"
        with self.page.within(self.page.last_or_new(group)), self.page.within("tr"):
            if before := whole(value(child(properties, "gridBefore")), 0):
                self.page.add("td", colspan=str(before))
                self._column = before
            self.walk(row)
        self._column = outer

    def _cell(self, cell: Element) -> None:
        properties = child(cell, "tcPr")
        merged = child(properties, "vMerge")
        at, across = self._column, whole(value(child(properties, "gridSpan")), 1)
        self._column += across
        above = self._cells.get(at)
        if merged is not None and value(merged) != "restart" and above is not None:
            above.set("rowspan", str(int(above.get("rowspan", "1")) + 1))
            return
        self._cells[at] = self.page.add("td", colspan=str(across))
        if child(properties, "cellDel") is None:
            self.inside(cell, self._cells[at])
        else:
            self.draft.left_out["tracked deletions"] += 1


def _styles(root: Element | None) -> dict[str, dict[str, str]]:
    """Return the properties of each style by its id, including those of the styles it is based on."""
    own: dict[str, dict[str, str]] = {}
    for style in root.iter("{*}style") if root is not None else ():
        holders = style.iter("{*}rPr", "{*}pPr", "{*}numPr")
        found = {local(each): value(each) or "1" for held in holders for each in held}
        about = {"name": (value(child(style, "name")) or "").lower(), "up": value(child(style, "basedOn")) or ""}
        own[value(style, "styleId") or ""] = found | about

    def whole_of(name: str, depth: int = 0) -> dict[str, str]:
        style = own.get(name, {})
        return {**whole_of(style["up"], depth + 1), **style} if style and depth < 20 else style

    return {name: whole_of(name) for name in own}


class PptxReader(Reader):
    """Reads PPTX."""

    name: ClassVar[str] = "pptx"

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
            walker = _SlideWalker(package, part, draft)
            for group in [*slide.iter("{*}spTree", "{*}grpSp")]:
                group[:] = _from_top(group)
            walker.walk(slide)
            for kind, target in package.related(part).values():
                if kind in ("notesSlide", "comments"):
                    walker.beside(package.xml(target), kind)
            draft.write(walker.page.leaves())
        return draft.document(snapshot, core_facts(package, draft), "holds no text: its slides are pictures or empty")


class _SlideWalker(_OfficeWalker):
    methods: ClassVar[Mapping[str, str]] = {
        **_OfficeWalker.methods, "sp": "_shape", "grpSp": "_shape", "graphicFrame": "_shape", "fld": "_run",
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

    def _cell(self, cell: Element) -> None:
        if value(cell, "hMerge") not in _ON and value(cell, "vMerge") not in _ON:
            self.inside(cell, "td", colspan=value(cell, "gridSpan") or "1", rowspan=value(cell, "rowSpan") or "1")

    def beside(self, root: Element | None, kind: str) -> None:
        """Add the speaker notes or the comments of the slide."""
        shapes = root.iter("{*}sp") if root is not None else ()
        self.speaker_notes([each for each in shapes if _placeholder(each) == "body"])
        for each in children(root) if kind == "comments" else ():
            with self.page.comment():
                self.page.text(words(each))


def _from_top(group: Element) -> list[Element]:
    """Return the shapes of a slide or group, which are in the order drawn, each before those that it is above."""
    ordered: list[tuple[int, int, int, int, Element]] = []
    for shape in children(group):
        box = next((found for name in ("spPr", "grpSpPr") if (found := child(shape, name)) is not None), shape)
        place, size = child(box, "xfrm", "off"), child(box, "xfrm", "ext")
        left, top = (whole(value(place, axis), 0) for axis in ("x", "y"))
        right = left + whole(value(size, "cx"), 0) if words(shape) else 0
        middle = top + whole(value(size, "cy"), 0) // 2
        is_above = (right > each[0] and each[1] > left and middle <= each[2] for each in ordered)
        at = next((number for number, found in enumerate(is_above) if found), len(ordered))
        ordered.insert(at, (left, right, top, middle, shape))
    return [each[-1] for each in ordered]


def _placeholder(shape: Element) -> str | None:
    """Return the type of placeholder that a shape fills, or None."""
    held = next(shape.iter("{*}ph"), None) if local(shape) == "sp" else None
    return None if held is None else value(held, "type") or "body"
