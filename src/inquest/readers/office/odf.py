"""OpenDocument texts, spreadsheets and presentations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from lxml.etree import _Element as Element

from inquest.domain.document import Document, Snapshot
from inquest.kit.reader import Reader
from inquest.readers.office.package import Package, child, children, local, value, whole, words
from inquest.readers.office.sheets import MAX_COLUMNS, MAX_ROWS, Sheet, write_sheets
from inquest.readers.office.writing import Draft, Facts, Page, Walker

_OF_THE_PAGE = ("date-time", "footer", "header", "page-number")
_GONE = ("collapse", "filter")


class OdtReader(Reader):
    """Reads OpenDocument text."""

    name: ClassVar[str] = "odt"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Leave out, as for Word, deletions, hidden text and field codes; footnotes and comments come last. Raises
        PageUnreadable, PageTooLarge."""
        package = _opened(body, snapshot)
        draft = Draft(self.name)
        walker = _Walker(package, draft)
        walker.walk(child(walker.root, "body", "text"))
        draft.write(walker.page.leaves())
        return draft.document(snapshot, _facts(package))


class OdpReader(Reader):
    """Reads OpenDocument presentations."""

    name: ClassVar[str] = "odp"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the slides as places, with their notes. Raises PageUnreadable, PageTooLarge."""
        package = _opened(body, snapshot)
        draft = Draft(self.name)
        walker = _Walker(package, draft)
        pages = [each for each in children(child(walker.root, "body", "presentation")) if local(each) == "page"]
        for number, page in enumerate(pages, 1):
            draft.place(f"slide {number}", hidden=walker.style(page).get("visibility") == "hidden")
            walker.walk(page)
            draft.write(walker.page.leaves())
            walker.page = Page()
        return draft.document(snapshot, _facts(package), "holds no text: its slides are pictures or empty")


class OdsReader(Reader):
    """Reads OpenDocument spreadsheets."""

    name: ClassVar[str] = "ods"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the displayed cells with each sheet as a place. Raises PageUnreadable, PageTooLarge."""
        package = _opened(body, snapshot)
        draft = Draft(self.name)
        write_sheets(_sheets(package), draft)
        empty = "is a workbook without cells: charts or empty sheets"
        return draft.document(snapshot, _facts(package), empty, dated=False)


def _opened(body: bytes, snapshot: Snapshot) -> Package:
    package = Package(body, snapshot.final_url or snapshot.url)
    manifest = package.xml("META-INF/manifest.xml")
    if manifest is not None and next(manifest.iter("{*}encryption-data"), None) is not None:
        raise package.locked()
    if "content.xml" not in package.names:
        raise package.damaged("is damaged: its main part is missing")
    return package


def _facts(package: Package) -> Facts:
    meta = child(package.xml("meta.xml"), "meta")
    named = {"the file's creation date": "creation-date", "the file's modification date": "date"}
    dates = [(where, words(child(meta, name))) for where, name in named.items()]
    author = words(child(meta, "initial-creator")) or words(child(meta, "creator"))
    return Facts(words(child(meta, "title")), author, dates)


def _is_hidden(element: Element) -> bool:
    return value(element, "is-hidden") == "true"


def _properties(style: Element) -> dict[str, str]:
    return {str(key).rpartition("}")[2]: str(held) for each in style for key, held in each.attrib.items()}


class _Walker(Walker):
    mixed: ClassVar[bool] = True
    tags: ClassVar[Mapping[str, str]] = {
        "line-break": "br", "list": "ul", "list-item": "li", "table": "table", "table-header-rows": "thead",
    }  # fmt: skip
    signs: ClassVar[Mapping[str, str]] = {"tab": " ", "s": " "}
    silent: ClassVar[frozenset[str]] = frozenset(
        """note-citation forms variable-decls sequence-decls user-field-decls dde-connection-decls table-of-content
        alphabetical-index illustration-index table-index bibliography hidden-paragraph ruby-text soft-page-break
        bookmark-ref event-listeners desc title settings covered-table-cell""".split()
    )
    left_out: ClassVar[Mapping[str, str]] = {"placeholder": "placeholder text"}
    methods: ClassVar[Mapping[str, str]] = {
        "p": "_paragraph", "h": "_paragraph", "span": "_span", "a": "_link", "note": "_note", "annotation": "_comment",
        "frame": "_frame", "custom-shape": "_frame", "g": "_frame", "rect": "_frame", "notes": "_speaker",
        "section": "_section", "hidden-text": "_section", "table-row": "_row", "table-cell": "_cell",
        "tracked-changes": "_changes",
    }  # fmt: skip

    def __init__(self, package: Package, draft: Draft) -> None:
        super().__init__(draft)
        self.root, _ = package.main("content.xml")
        self._title = False
        self._styles: dict[str, dict[str, str]] = {}
        tops = [top for top in (package.xml("styles.xml"), self.root) if top is not None]
        for style in (each for top in tops for each in top.iter("{*}style")):
            up = self._styles.get(value(style, "parent-style-name") or "", {})
            self._styles[value(style, "name") or ""] = {**up, **_properties(style)}

    def style(self, element: Element) -> dict[str, str]:
        """Return the properties of an element's style, including inherited ones."""
        return self._styles.get(value(element, "style-name") or "", {})

    def _paragraph(self, paragraph: Element) -> None:
        titled = self._title or value(paragraph, "style-name") in ("Title", "Subtitle")
        self._span(paragraph, "h2" if local(paragraph) == "h" or titled else "p")

    def _span(self, element: Element, tag: str = "") -> None:
        """Process a span or a paragraph with the marks of its style, unless the style hides it."""
        style = self.style(element)
        if style.get("display") == "none" or any(map(_is_hidden, element.iterchildren("{*}hidden-paragraph"))):
            self.draft.left_out["hidden text"] += bool(words(element))
            return
        line = style.get("text-line-through-style", "none"), style.get("text-line-through-type", "single")
        moved = style.get("text-position", "").split(" ")[0]
        shift = "" if moved in ("", "0%") else "sub" if moved.startswith(("-", "sub")) else "sup"
        outer, self.mark = self.mark, ("s" if "none" not in line else shift) or self.mark
        if tag:
            self.paragraph(element, tag)
        else:
            self.walk(element)
        self.mark = outer

    def _link(self, link: Element) -> None:
        self.inside(link, "a", href=value(link, "href") or "")

    def _note(self, note: Element) -> None:
        with self.page.note():
            self.flat(child(note, "note-body"))

    def _comment(self, remark: Element) -> None:
        with self.page.comment(words(child(remark, "creator"))):
            for each in remark:
                if local(each) in ("p", "list"):
                    self.flat(each)
                    self.page.text(" ")

    def _frame(self, frame: Element) -> None:
        if value(frame, "class") in _OF_THE_PAGE or value(frame, "placeholder") == "true":
            return
        outer, self._title = self._title, value(frame, "class") in ("title", "subtitle")
        self.box(frame)
        self._title = outer

    def _speaker(self, notes: Element) -> None:
        self.speaker_notes([each for each in notes if value(each, "class") == "notes"])

    def _section(self, section: Element) -> None:
        if value(section, "display") == "none" or _is_hidden(section):
            self.draft.left_out["hidden sections" if local(section) == "section" else "hidden text"] += 1
        else:
            self.walk(section)

    def _changes(self, changes: Element) -> None:
        self.draft.left_out["tracked deletions"] += sum(1 for _ in changes.iter("{*}deletion"))

    def _row(self, row: Element) -> None:
        if value(row, "visibility") in _GONE:
            self.draft.left_out["hidden rows"] += 1
        else:
            self.inside(row, "tr")

    def _cell(self, cell: Element) -> None:
        across = value(cell, "number-columns-spanned") or value(cell, "number-columns-repeated") or "1"
        self.inside(cell, "td", colspan=across, rowspan=value(cell, "number-rows-spanned") or "1")


def _sheets(package: Package) -> Iterator[Sheet]:
    """Yield the sheets of a spreadsheet, read row by row up to the limits of a sheet."""
    styles: dict[str, dict[str, str]] = {}
    sheet, number, columns = Sheet(""), 0, 0
    for each in package.ended("content.xml", ("style", "table-column", "table-row", "table")):
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
            sheet, number, columns = Sheet(""), 0, 0
        elif name == "table-column":
            following = columns + whole(value(each, "number-columns-repeated"), 1)
            if value(each, "visibility") in _GONE:
                sheet.hidden_columns.update(range(columns, min(following, MAX_COLUMNS)))
            columns = following
        else:
            number = _cells(each, number, sheet)
            if sheet.is_full:
                yield sheet
                return


def _cells(row: Element, number: int, sheet: Sheet) -> int:
    """Put the cells of a row into the sheet and return the number of the next row."""
    again = whole(value(row, "number-rows-repeated"), 1)
    column = 0
    if value(row, "visibility") in _GONE:
        sheet.hidden_rows.update(range(number, number + min(again, MAX_ROWS)))
    for cell in row:
        name, repeats = local(cell), whole(value(cell, "number-columns-repeated"), 1)
        if name not in ("table-cell", "covered-table-cell"):
            continue
        text = " ".join(words(each) for each in cell if local(each) == "p") if name == "table-cell" else ""
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
    return number + again
