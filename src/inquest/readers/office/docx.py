"""Word documents, as a reader of the final version sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inquest.domain.document import BlockKind, Document, Snapshot
from inquest.kit.reader import Reader
from inquest.readers.office.package import Package, child, children, local, value, whole, words
from inquest.readers.office.writing import Facts, Line, Writer
from inquest.readers.plain import one_line

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_GOES_THROUGH = frozenset(
    "ins moveTo hyperlink smartTag sdt sdtContent customXml fldSimple dir bdo ruby rubyBase body txbxContent".split()
)
_LEFT_OUT = {"del": "tracked deletions", "moveFrom": "passages moved away"}
_OFF = ("0", "false", "off", "none")


class DocxReader(Reader):
    """Reads DOCX and its kin with macros or of templates."""

    name: ClassVar[str] = "docx"
    content_types: ClassVar[tuple[str, ...]] = (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    )

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """The text with insertions and without tracked deletions, hidden text, heads, feet and fields' codes; footnotes
        and comments at the end. Raises PageUnreadable, PageTooLarge."""
        package = Package(body, snapshot.final_url or snapshot.url)
        main = package.main("word/document.xml")
        root = package.xml(main)
        if root is None:
            raise package.damaged("is damaged: it lacks its main part")
        writer = Writer(self.name)
        _Walker(package, main, writer).blocks(root)
        if any(name.endswith("vbaProject.bin") for name in package.names):
            writer.notes.append("has macros, which are neither read nor run")
        return writer.document(snapshot, core_facts(package), "holds no text")


def core_facts(package: Package) -> Facts:
    """What an Office document's core properties say."""
    targets = (target for kind, target in package.related("").values() if kind == "core-properties")
    root = package.xml(next(targets, "docProps/core.xml"))
    dates = [
        ("the file's creation date", words(child(root, "created"))),
        ("the file's date of change", words(child(root, "modified"))),
    ]
    if dates[1][1] < dates[0][1]:
        dates.pop()  # left from the template
    return Facts(words(child(root, "title")), words(child(root, "creator")), [each for each in dates if each[1]])


class _Walker:
    """Walks one part (the body; footnotes and comments have walkers of their own) and writes its blocks."""

    def __init__(self, package: Package, main: str, writer: Writer) -> None:
        self._package, self._writer = package, writer
        self._related = package.related(main)
        parts = dict(self._related.values())
        self._notes = {kind: _by_id(package.xml(parts.get(f"{kind}s", ""))) for kind in ("footnote", "endnote")}
        self._remarks = _by_id(package.xml(parts.get("comments", "")))
        self._styles = _styles(package.xml(parts.get("styles", "")))
        self._line = Line()
        self._boxes: list[Element] = []
        self._struck: list[str] = []  # in the cells of a table
        self._fields: list[bool] = []  # for each field that is open: its result has begun

    def blocks(self, element: Element) -> None:
        """Write what an element holds, block by block."""
        for each in element:
            name = local(each)
            if name == "p":
                self._paragraph(each)
            elif name == "tbl":
                self._table(each)
            elif name == "AlternateContent":
                self.blocks(_chosen(each))
            elif name in _GOES_THROUGH:
                self.blocks(each)
            elif name == "altChunk":
                self._writer.notes.append("a file embedded in the text is not read")
            elif name in _LEFT_OUT:
                self._writer.count(_LEFT_OUT[name])

    def _paragraph(self, paragraph: Element) -> None:
        kind = self._kind(paragraph)
        self._runs(paragraph, self._style(child(paragraph, "pPr", "pStyle")))
        if child(paragraph, "pPr", "rPr", "del") is not None:
            return  # its end is deleted: it goes on in the next one
        text, struck = self._line.take()
        if kind is not None:
            self._writer.block(kind, f"- {one_line(text)}" if kind is BlockKind.LIST else text, struck)
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self.blocks(box)

    def _kind(self, paragraph: Element) -> BlockKind | None:
        """None: an entry of a table of contents."""
        properties = child(paragraph, "pPr")
        style = self._style(child(properties, "pStyle"))
        name = style.get("name") or (value(child(properties, "pStyle")) or "").lower()
        level = value(child(properties, "outlineLvl")) or style.get("outlineLvl")
        if name.startswith("toc "):
            return None
        if name.startswith("heading") or name in ("title", "subtitle") or (level or "9") < "9":
            return BlockKind.HEADING
        if name == "caption":
            return BlockKind.CAPTION
        listed = value(child(properties, "numPr", "numId")) or style.get("numId") or "0"
        if listed != "0" or name.startswith("list "):
            return BlockKind.LIST
        return BlockKind.QUOTE if name in ("quote", "intense quote") else BlockKind.PARAGRAPH

    def _style(self, element: Element | None) -> dict[str, str]:
        return self._styles.get(value(element) or "", {})

    def _runs(self, element: Element, style: dict[str, str]) -> None:
        for each in element:
            name = local(each)
            if name == "r":
                self._run(each, style)
            elif name in ("oMath", "oMathPara"):
                self._line.add(f" {equation(each)} ")
            elif name in _LEFT_OUT:
                self._writer.count(_LEFT_OUT[name])
            elif name in _GOES_THROUGH:
                if name == "hyperlink":
                    self._writer.links.append(self._related.get(value(each, "id") or "", ("", ""))[1])
                self._runs(each, style)

    def _run(self, run: Element, style: dict[str, str]) -> None:
        properties = child(run, "rPr")
        set_here = {local(each): value(each) or "1" for each in properties} if properties is not None else {}
        marks = {**style, **self._style(child(properties, "rStyle")), **set_here}
        if _on(marks, "vanish"):
            if words(run):
                self._writer.count("hidden text")
            return
        for each in run:
            self._piece(each, _mark(marks))

    def _piece(self, piece: Element, mark: str) -> None:
        name = local(piece)
        if name == "fldChar":
            self._field(value(piece, "fldCharType"))
        elif name in ("footnoteReference", "endnoteReference"):
            note = self._notes[name.removesuffix("Reference")].get(value(piece, "id") or "")
            if note is not None:
                self._writer.below(self._flat(note))
        elif name == "commentReference":
            remark = self._remarks.get(value(piece, "id") or "")
            if remark is not None:
                self._writer.comment(self._flat(remark), value(remark, "author") or "")
        elif name == "ruby":
            self._runs(piece, {})
        elif name in ("drawing", "pict", "object", "AlternateContent"):
            chosen = _chosen(piece) if name == "AlternateContent" else piece
            found = [each for each in chosen.iter("{*}txbxContent") if not _within(each, chosen)]
            self._boxes += found
        elif all(self._fields):
            self._line.add({"t": piece.text or "", **_SIGNS}.get(name, ""), mark)

    def _field(self, kind: str | None) -> None:
        if kind == "begin":
            self._fields.append(False)
        elif kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _flat(self, element: Element) -> str:
        """All paragraphs of a note, comment or cell on one line; struck words are blocks of their own."""
        outer, self._line = self._line, Line()
        parts = []
        for paragraph in element.iter("{*}p"):
            if not _is_left_out(paragraph, element):
                self._runs(paragraph, self._style(child(paragraph, "pPr", "pStyle")))
                text, struck = self._line.take()
                parts.append(text)
                self._struck += struck
        self._line = outer
        return one_line(" ".join(parts))

    def _table(self, table: Element) -> None:
        rows = [each for each in _through(table) if local(each) == "tr"]
        cells = [[cell for cell in _through(row) if local(cell) == "tc"] for row in rows]
        if sum(map(len, cells)) == 1:
            return self.blocks(next(cell for row in cells for cell in row))  # a frame around text
        self._struck = []
        grid: list[list[str]] = []
        heads, hidden = 0, []
        for row, found in zip(rows, cells, strict=True):
            properties = child(row, "trPr")
            if child(properties, "del") is not None:
                self._writer.count("deleted rows")
                continue
            if child(properties, "hidden") is not None:
                hidden.append(len(grid))
            heads += heads == len(grid) and child(properties, "tblHeader") is not None
            line = [""] * min(whole(value(child(properties, "gridBefore")), 0), 1_000)
            for cell in found:
                line += self._cell(cell, grid[-1][len(line) :] if grid else [])
            grid.append(line)
        self._writer.table(grid, heads=heads, hidden=hidden)
        self._writer.block(BlockKind.PARAGRAPH, "", self._struck)
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self.blocks(box)
        return None

    def _cell(self, cell: Element, above: list[str]) -> list[str]:
        properties = child(cell, "tcPr")
        merged = child(properties, "vMerge")
        span = min(whole(value(child(properties, "gridSpan")), 1), 1_000)
        if merged is not None and value(merged) != "restart" and above:
            return [above[0]] * span
        return [self._flat(cell)] * span


_SIGNS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}


def _mark(marks: dict[str, str]) -> str:
    if _on(marks, "strike") or _on(marks, "dstrike"):
        return "struck"
    align = marks.get("vertAlign", "")
    if align in ("superscript", "subscript"):
        return "up" if align == "superscript" else "down"
    moved = marks.get("position", "0")  # half-points
    return "" if not moved.lstrip("-").isdigit() or abs(int(moved)) < 4 else "down" if moved[0] == "-" else "up"


def _on(marks: dict[str, str], name: str) -> bool:
    return name in marks and marks[name] not in _OFF


def _chosen(element: Element) -> Element:
    """The newer of the two ways in which the same thing is written."""
    chosen = child(element, "Choice")
    return chosen if chosen is not None else next(iter(element), element)


def _through(element: Element) -> list[Element]:
    """The children of an element and those in wrappers (content controls, insertions) around them."""
    found = []
    for each in element:
        found += _through(each) if local(each) in _GOES_THROUGH else [each]
    return found


def _within(element: Element, top: Element) -> bool:
    """True for a text box inside another one, or in the older form of what is read."""
    above = (local(each) for each in element.iterancestors() if each is not top and _is_below(each, top))
    return any(name in ("txbxContent", "Fallback") for name in above)


def _is_below(element: Element, top: Element) -> bool:
    return any(each is top for each in element.iterancestors())


def _is_left_out(paragraph: Element, top: Element) -> bool:
    """True for a paragraph of a cell or note that is in a text box or a deletion."""
    for each in paragraph.iterancestors():
        if each is top:
            return False
        if local(each) in ("txbxContent", *_LEFT_OUT):
            return True
    return False


def _by_id(root: Element | None) -> dict[str, Element]:
    """The notes or comments of a part; separators are none."""
    found = root if root is not None else ()
    return {value(each, "id") or "": each for each in found if value(each, "type") in (None, "normal")}


def _styles(root: Element | None) -> dict[str, dict[str, str]]:
    """The properties of each style by its id, those of the styles that it is based on with them."""
    found: dict[str, dict[str, str]] = {}
    based: dict[str, str] = {}
    for style in root if root is not None else ():
        if local(style) == "style":
            name = value(style, "styleId") or ""
            based[name] = value(child(style, "basedOn")) or ""
            found[name] = {local(each): value(each) or "1" for held in style.iter("{*}rPr", "{*}pPr") for each in held}
            found[name] |= {"numId": value(child(style, "pPr", "numPr", "numId")) or "0"}
            found[name]["name"] = (value(child(style, "name")) or "").lower()
    for name, own in list(found.items()):
        up, seen = based[name], {name}
        while up in found and up not in seen:
            seen.add(up)
            own = {**found[up], **own, "numId": own["numId"] if own["numId"] != "0" else found[up]["numId"]}
            up = based[up]
        found[name] = own
    return found


def equation(element: Element) -> str:
    """An equation (OMML) on a line: (a + b)/2, x^2, √(y)."""
    name = local(element)
    if name == "t":
        return element.text or ""
    held = {local(each): equation(each) for each in children(element) if not local(each).endswith("Pr")}
    grouped = {key: part if len(part) < 2 or part.isalnum() else f"({part})" for key, part in held.items()}
    base, sub, sup = (held.get(key, "") for key in ("e", "sub", "sup"))
    if name == "nary":
        return f"{value(child(element, 'naryPr', 'chr')) or '∫'}_{sub}^{sup} {base}"
    written = {
        "f": f"{grouped.get('num', '')}/{grouped.get('den', '')}",
        "sSup": f"{grouped.get('e', '')}^{grouped.get('sup', '')}",
        "sSub": f"{base}_{sub}",
        "rad": f"√({base})",
        "d": f"({base})",
    }
    return written.get(name) or "".join(map(equation, children(element)))
