"""OpenDocument texts, spreadsheets and presentations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ClassVar

from inquest.domain.document import BlockKind, Document, Snapshot
from inquest.kit.reader import Reader
from inquest.readers.office.package import Package, child, children, local, value, whole, words
from inquest.readers.office.sheets import MAX_COLUMNS, MAX_ROWS, Sheet, write_sheets
from inquest.readers.office.writing import Facts, Line, Writer
from inquest.readers.plain import one_line

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_SIGNS = {"tab": " ", "line-break": "\n"}
_SILENT = frozenset(
    """note-citation forms variable-decls sequence-decls user-field-decls dde-connection-decls tracked-changes
    table-of-content alphabetical-index illustration-index table-index bibliography hidden-text ruby-text
    soft-page-break bookmark-ref event-listeners desc title settings""".split()
)
_OF_THE_PAGE = ("date-time", "footer", "header", "page-number")


class OdtReader(Reader):
    """Reads OpenDocument text."""

    name: ClassVar[str] = "odt"
    content_types: ClassVar[tuple[str, ...]] = ("application/vnd.oasis.opendocument.text",)

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """As of Word documents: deletions, hidden text and fields' codes are out, footnotes and comments at the end.

        Raises PageUnreadable, PageTooLarge."""
        package = opened(body, snapshot)
        writer = Writer(self.name)
        walker = _Walker(package, writer)
        walker.blocks(child(walker.root, "body", "text"))
        if deleted := sum(1 for each in walker.root.iter("{*}tracked-changes") for _ in each.iter("{*}deletion")):
            writer.count("tracked deletions", deleted)
        return writer.document(snapshot, odf_facts(package))


class OdpReader(Reader):
    """Reads OpenDocument presentations."""

    name: ClassVar[str] = "odp"
    content_types: ClassVar[tuple[str, ...]] = ("application/vnd.oasis.opendocument.presentation",)

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """The slides in order, each a place, with its notes. Raises PageUnreadable, PageTooLarge."""
        package = opened(body, snapshot)
        writer = Writer(self.name)
        walker = _Walker(package, writer)
        pages = [each for each in children(child(walker.root, "body", "presentation")) if local(each) == "page"]
        for number, page in enumerate(pages, 1):
            hidden = walker.styles.get(value(page, "style-name") or "", {}).get("visibility") == "hidden"
            writer.place(f"slide {number}", hidden=hidden)
            walker.blocks(page)
        return writer.document(snapshot, odf_facts(package), "holds no text: its slides are pictures or empty")


class OdsReader(Reader):
    """Reads OpenDocument spreadsheets."""

    name: ClassVar[str] = "ods"
    content_types: ClassVar[tuple[str, ...]] = ("application/vnd.oasis.opendocument.spreadsheet",)

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Each sheet's cells as displayed, with the sheet as a place. Raises PageUnreadable, PageTooLarge."""
        package = opened(body, snapshot)
        writer = Writer(self.name)
        write_sheets(_sheets(package), writer)
        return writer.document(snapshot, odf_facts(package), "is a workbook without cells: charts or empty sheets")


def opened(body: bytes, snapshot: Snapshot) -> Package:
    """The package of an OpenDocument file. Raises PageUnreadable where it has a password."""
    package = Package(body, snapshot.final_url or snapshot.url)
    manifest = package.xml("META-INF/manifest.xml")
    if manifest is not None and next(manifest.iter("{*}encryption-data"), None) is not None:
        raise package.damaged("opens with a password only", "Save it without a password.")
    if "content.xml" not in package.names:
        raise package.damaged("is damaged: it lacks its main part")
    return package


def odf_facts(package: Package) -> Facts:
    """What the metadata of an OpenDocument file say."""
    meta = child(package.xml("meta.xml"), "meta")
    dates = [
        ("the file's creation date", words(child(meta, "creation-date"))),
        ("the file's date of change", words(child(meta, "date"))),
    ]
    author = words(child(meta, "initial-creator")) or words(child(meta, "creator"))
    return Facts(words(child(meta, "title")), author, [each for each in dates if each[1]])


def _styles(*roots: Element | None) -> dict[str, dict[str, str]]:
    """The properties of each style by its name, those of its parents with them."""
    found: dict[str, dict[str, str]] = {}
    for style in (each for root in roots if root is not None for each in root.iter("{*}style")):
        up = found.get(value(style, "parent-style-name") or "", {})
        found[value(style, "name") or ""] = {**up, **_properties(style)}
    return found


def _properties(style: Element) -> dict[str, str]:
    return {str(key).rpartition("}")[2]: str(held) for each in style for key, held in each.attrib.items()}


class _Walker:
    """Walks the content of a text or presentation and writes its blocks."""

    def __init__(self, package: Package, writer: Writer) -> None:
        root = package.xml("content.xml")
        if root is None:
            raise package.damaged("is damaged: its main part is empty")
        self.root, self.styles, self._writer = root, _styles(package.xml("styles.xml"), root), writer
        self._line = Line()
        self._boxes: list[Element] = []
        self._struck: list[str] = []

    def blocks(self, element: Element | None, kind: BlockKind = BlockKind.PARAGRAPH) -> None:
        """Write what an element holds, block by block."""
        for each in element if element is not None else ():
            name = local(each)
            if name in ("p", "h"):
                self._paragraph(each, BlockKind.HEADING if name == "h" else kind)
            elif name == "table":
                self._table(each)
            elif name == "notes":
                self._notes(each)
            elif name == "annotation":
                self._comment(each)
            elif self._is_shown(each, name):
                within = BlockKind.LIST if name == "list" else kind
                self.blocks(each, BlockKind.HEADING if value(each, "class") == "title" and name == "frame" else within)

    def _is_shown(self, element: Element, name: str) -> bool:
        if name in _SILENT or value(element, "class") in _OF_THE_PAGE or value(element, "placeholder") == "true":
            return False
        if name == "section" and value(element, "display") == "none":
            self._writer.count("hidden sections")
            return False
        return True

    def _paragraph(self, paragraph: Element, kind: BlockKind) -> None:
        self._inline(paragraph, "")
        text, struck = self._line.take()
        style = value(paragraph, "style-name") or ""
        if kind is BlockKind.PARAGRAPH and style in ("Title", "Subtitle"):
            kind = BlockKind.HEADING
        self._writer.block(kind, f"- {one_line(text)}" if kind is BlockKind.LIST and text else text, struck)
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self.blocks(box)

    def _inline(self, element: Element, mark: str) -> None:
        style = self.styles.get(value(element, "style-name") or "", {})
        if style.get("display") == "none" or local(element) == "hidden-paragraph":
            self._writer.count("hidden text", 1 if words(element) else 0)
            return
        mark = _mark(style) or mark
        self._line.add(element.text or "", mark)
        for each in element:
            self._piece(each, mark)
            self._line.add(each.tail or "", mark)

    def _piece(self, piece: Element, mark: str) -> None:
        name = local(piece)
        if name == "s":
            self._line.add(" " * min(whole(value(piece, "c"), 1), 100))
        elif name in _SIGNS:
            self._line.add(_SIGNS[name])
        elif name == "note":
            self._writer.below(self._flat(child(piece, "note-body")))
        elif name == "annotation":
            self._comment(piece)
        elif name in ("frame", "custom-shape", "g", "rect"):
            self._boxes.append(piece)
        elif name not in _SILENT:
            if name == "a":
                self._writer.links.append(value(piece, "href") or "")
            self._inline(piece, mark)

    def _comment(self, element: Element) -> None:
        self._writer.comment(self._flat(element), words(child(element, "creator")))

    def _notes(self, notes: Element) -> None:
        text = " ".join(self._flat(each) for each in notes if value(each, "class") == "notes")
        self._writer.block(BlockKind.PARAGRAPH, f"Notes: {text}" if text else "")

    def _flat(self, element: Element | None) -> str:
        """All paragraphs of a note, comment or cell on one line."""
        outer, self._line = self._line, Line()
        parts = []
        for each in element.iter("{*}p", "{*}h") if element is not None else ():
            self._inline(each, "")
            text, struck = self._line.take()
            parts.append(text)
            self._struck += struck
        self._line = outer
        return one_line(" ".join(parts))

    def _table(self, table: Element) -> None:
        heads = sum(1 for group in table.iter("{*}table-header-rows") for _ in group.iter("{*}table-row"))
        grid: list[list[str]] = []
        hidden = []
        below: dict[tuple[int, int], str] = {}
        self._struck = []
        for row in table.iter("{*}table-row"):
            if value(row, "visibility") in ("collapse", "filter"):
                hidden.append(len(grid))
            grid.append(_row(row, len(grid), below, self._flat))
        if sum(map(len, grid)) == 1:
            self.blocks(next(table.iter("{*}table-cell")))
        else:
            self._writer.table(grid, heads=heads, hidden=hidden)
        self._writer.block(BlockKind.PARAGRAPH, "", self._struck)


def _row(row: Element, number: int, below: dict[tuple[int, int], str], flat: Callable[[Element], str]) -> list[str]:
    """The cells of a row with those that span it repeated; `below` keeps what reaches into further rows."""
    line: list[str] = []
    for cell in row:
        name, again = local(cell), min(whole(value(cell, "number-columns-repeated"), 1), MAX_COLUMNS)
        if name not in ("table-cell", "covered-table-cell"):
            continue
        text = flat(cell) if name == "table-cell" else ""
        across, down = (min(whole(value(cell, f"number-{way}-spanned"), 1), MAX_COLUMNS) for way in ("columns", "rows"))
        for column in range(len(line), len(line) + across) if across * down > 1 else ():
            for deeper in range(down):
                below[number + deeper, column] = text
        line += [below.get((number, len(line) + each), text) for each in range(again)]
    return line


def _mark(style: dict[str, str]) -> str:
    if style.get("text-line-through-style", "none") != "none" or style.get("text-line-through-type", "none") != "none":
        return "struck"
    moved = style.get("text-position", "").split(" ")[0]
    if moved in ("super", "sub"):
        return "up" if moved == "super" else "down"
    return "" if moved in ("", "0%") else "down" if moved.startswith("-") else "up"


def _sheets(package: Package) -> Iterator[Sheet]:
    """The sheets of a spreadsheet; rows are read one by one, up to the limits of a sheet."""
    styles: dict[str, dict[str, str]] = {}
    sheet = Sheet("")
    number = 0
    with package.stream("content.xml") as stream:
        for each in package.ended(stream, ("style", "table-row", "table")):
            name = local(each)
            if name == "style":
                styles[value(each, "name") or ""] = _properties(each)
                continue
            table = each if name == "table" else next(each.iterancestors("{*}table"))
            if not sheet.name:
                style = styles.get(value(table, "style-name") or "", {})
                sheet = Sheet(value(table, "name") or "?", hidden=style.get("display") == "false")
            if name == "table":
                yield sheet
                sheet, number = Sheet(""), 0
            else:
                number = _cells(each, number, sheet)
                if sheet.is_full:
                    yield sheet
                    return


def _cells(row: Element, number: int, sheet: Sheet) -> int:
    """Put the cells of a row into the sheet; gives the number of the next row."""
    again = whole(value(row, "number-rows-repeated"), 1)
    column, hidden = 0, value(row, "visibility") in ("collapse", "filter")
    for cell in row:
        name, repeats = local(cell), whole(value(cell, "number-columns-repeated"), 1)
        if name not in ("table-cell", "covered-table-cell"):
            continue
        paragraphs = [words(each) for each in cell if local(each) == "p"]
        text = one_line(" ".join(paragraphs)) if name == "table-cell" else ""
        across, down = (whole(value(cell, f"number-{way}-spanned"), 1) for way in ("columns", "rows"))
        if across * down > 1:
            sheet.merged.append((number, column, number + down - 1, column + across - 1))
        for remark in cell.iter("{*}annotation"):
            note = " ".join(words(each) for each in remark if local(each) == "p")
            sheet.comment(number, column, note, words(child(remark, "creator")))
        for deeper in range(min(again, MAX_ROWS) if text else 0):
            for further in range(min(repeats, MAX_COLUMNS)):
                sheet.put(number + deeper, column + further, text)
        column += repeats
    if hidden:
        sheet.hidden_rows.update(range(number, number + min(again, MAX_ROWS)))
    return number + again
