"""Office documents and books, each made here part by part."""

from __future__ import annotations

import io
import struct
import zipfile
from typing import Any

import pytest

from inquest.domain.document import BlockKind, Document
from inquest.domain.errors import PageError, PageTooLarge, PageUnreadable
from inquest.readers import pick
from inquest.readers.office import package, writing
from inquest.readers.office.sheets import shown
from inquest.text.blocks import cell_at
from inquest.text.grounding import place_of
from tests.readers.compound_file import compound_file

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
STYLE = "urn:oasis:names:tc:opendocument:xmlns:style:1.0"
ODF = f'xmlns:office="{OFFICE}" xmlns:text="{TEXT}" xmlns:table="{TABLE}" xmlns:style="{STYLE}"'


def zipped(parts: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in parts.items():
            packed.writestr(name, text)
    return out.getvalue()


def word(body: str, **more: str) -> bytes:
    document = f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
    return zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": document, **more})


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*runs: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{''.join(runs)}</w:p>"


def workbook(rows: str, *, after: str = "", state: str = "visible", **parts: str) -> bytes:
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "xl/workbook.xml": f'<workbook xmlns="{S}" xmlns:r="r"><sheets><sheet name="Emissions" state="{state}" '
            'r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": '<R><R Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/>'
            '<R Id="r2" Type="x/styles" Target="styles.xml"/></R>',
            "xl/styles.xml": f'<styleSheet xmlns="{S}"><fonts><font/><font><strike/></font></fonts><cellXfs>'
            '<xf/><xf numFmtId="9"/><xf numFmtId="4"/><xf fontId="1"/></cellXfs></styleSheet>',
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{S}"><sheetData>{rows}</sheetData>{after}</worksheet>',
            **parts,
        }
    )


def cells(number: int, *given: object, hidden: bool = False) -> str:
    """A row; a pair is a value and the number of its style."""
    made = ""
    for column, each in zip("BCDE", given, strict=False):
        value, style = each if isinstance(each, tuple) else (each, 0)
        kind = ' t="str"' if isinstance(value, str) else ""
        made += f'<c r="{column}{number}" s="{style}"{kind}><v>{value}</v></c>' if value != "" else ""
    return f'<row r="{number}" hidden="{int(hidden)}">{made}</row>'


@pytest.fixture
def read(snapshot_of: Any) -> Any:
    def make(body: bytes, url: str = "file:///report") -> Document:
        return pick("", body, url).read(body, snapshot_of(body, url=url))

    return make


def texts(document: Document, kind: BlockKind) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks if block.kind is kind]


def test_a_word_document_is_read_as_its_final_version(read: Any) -> None:
    document = read(
        word(
            paragraph(run("Harbour works"), properties='<w:pStyle w:val="Heading1"/>')
            + paragraph(run("It has "), f"<w:del>{run('six')}</w:del>", f"<w:ins>{run('four')}</w:ins>", run(" docks."))
            + paragraph(f"<w:moveFrom>{run('It opened late.')}</w:moveFrom>")
            + paragraph(run("Two were sold.", "<w:strike/>"), run(" One leaks."), run(" Secret", "<w:vanish/>"))
            + paragraph(f"<w:moveTo>{run('It opened late.')}</w:moveTo>")
            + paragraph(run("One half"), properties="<w:rPr><w:del/></w:rPr>")
            + paragraph(run(" was joined."))
        )
    )
    assert document.title == "Harbour works"
    assert texts(document, BlockKind.PARAGRAPH) == [
        "It has four docks.",
        "One leaks.",
        "It opened late.",
        "One half was joined.",
    ]
    assert texts(document, BlockKind.WITHDRAWN) == ["Two were sold."]
    assert "six" not in document.text and "Secret" not in document.text
    assert any("tracked deletions (1)" in note for note in document.notes)
    assert "1 passage is struck out: shown, but not used as evidence" in document.notes


@pytest.mark.parametrize(
    ("before", "raised", "after", "shown_as"),
    [
        ("emitted 320", "1", " tonnes", "emitted 320 [1] tonnes"),
        ("over 7 m", "2", " of land", "over 7 m² of land"),
    ],
)
def test_raised_text_never_joins_a_figure(read: Any, before: str, raised: str, after: str, shown_as: str) -> None:
    up = run(raised, '<w:vertAlign w:val="superscript"/>')
    assert read(word(paragraph(run(before), up, run(after)))).text == shown_as


def test_a_footnote_of_rtf_is_marked_where_it_was_cited(read: Any) -> None:
    note = rb"{\super\chftn{\footnote\pard\plain {\super\chftn} As measured.}}"
    body = rb"{\rtf1\ansi It emitted 320 tonnes." + note + rb" It grew.\par}"
    document = read(body)
    (mark,) = document.note_marks
    assert (document.text[: mark.at], mark.label) == ("It emitted 320 tonnes.", "1")


def test_a_footnote_comes_at_the_end_and_its_mark_nowhere(read: Any) -> None:
    body = word(
        paragraph(run("It emitted 320"), '<w:r><w:footnoteReference w:id="2"/></w:r>', run(" tonnes.")),
        **{
            "word/_rels/document.xml.rels": '<R><R Id="a" Type="x/footnotes" Target="footnotes.xml"/></R>',
            "word/footnotes.xml": f'<w:footnotes xmlns:w="{W}"><w:footnote w:id="2">{paragraph(run("As measured."))}'
            "</w:footnote></w:footnotes>",
        },
    )
    document = read(body)
    assert document.text == "It emitted 320 tonnes.\n\n[1] As measured."
    assert [(mark.at, mark.label) for mark in document.note_marks] == [(len("It emitted 320"), "1")]


def test_merged_cells_of_a_word_table_are_heads_of_all_that_they_span(read: Any) -> None:
    def cell(text: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(run(text))}</w:tc>"

    rows = (
        cell("Source", "<w:vMerge w:val='restart'/>") + cell("Tonnes", "<w:gridSpan w:val='2'/>"),
        cell("", "<w:vMerge/>") + cell("2022") + cell("2023"),
        cell("Scope 1") + cell("150") + cell("140"),
    )
    document = read(word(f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"))
    at = document.text.index("140")
    found = cell_at(document, at, at + 3)
    assert found is not None
    assert (found.row_heads, found.column_heads) == (("Scope 1",), ("Tonnes", "2023"))


def field(code: str, result: str) -> str:
    begin, separate, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end"))
    return f"{begin}{code}{separate}{run(result)}{end}"


@pytest.mark.parametrize(
    ("body", "shown_as", "note"),
    [
        (paragraph(field(f"{field('', '7')}{run(' = 7')}", "ten"), run(" sank.")), "ten sank.", None),
        (paragraph("<w:r><w:fldChar w:fldCharType='begin'/></w:r>") + paragraph(run("Kept.")), "Kept.", None),
        (
            f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr>{paragraph(run('Enter a number'))}</w:sdt>"
            f"<w:sdt><w:sdtContent>{paragraph(run('Ten sank.'))}</w:sdtContent></w:sdt>",
            "Ten sank.",
            "left out: placeholder text (1)",
        ),
        (
            f"<w:tbl><w:tr><w:tc>{paragraph(run('Boats'))}</w:tc><w:tc>{paragraph(run('320'))}</w:tc></w:tr><w:tr><w:tc>"
            f"{paragraph(run('Cranes'))}</w:tc><w:tc><w:tcPr><w:cellDel/></w:tcPr>{paragraph(run('77'))}</w:tc></w:tr>"
            "</w:tbl>",
            "Boats | 320\nCranes | ",
            "left out: tracked deletions (1)",
        ),
    ],
)  # fmt: skip
def test_field_codes_placeholders_and_deleted_cells_of_a_word_document_are_left_out(
    read: Any, body: str, shown_as: str, note: str | None
) -> None:
    document = read(word(body))
    assert (document.text, document.notes) == (shown_as, (note,) if note else ())


SYMBOL = "<w:rFonts w:ascii='Symbol' w:hAnsi='Symbol'/>"


@pytest.mark.parametrize(
    "body",
    [
        word(
            paragraph(run("5 "), "<w:r><w:sym w:font='Symbol' w:char='F06D'/></w:r>", run("g "), run("\uf0b1", SYMBOL))
            + paragraph(field(run("SYMBOL 45"), "\uf02d").replace("<w:rPr>", f"<w:rPr>{SYMBOL}"), run("18"))
            + paragraph("<w:r><w:sym w:font='Wingdings' w:char='F0FE'/></w:r>", run(" Yes"))
        ),
        rb"{\rtf1{\fonttbl{\f0 Arial;}{\f1\fcharset2 Symbol;}{\f2\fcharset2 Wingdings;}}\f0 5 {\f1 m}g {\f1\u-3919\'b1}"
        rb"\par\f1 -\plain 18\par{\f2\'fe} Yes\par}",
    ],
    ids=["docx", "rtf"],
)
def test_signs_of_the_font_symbol_are_read_and_those_of_other_fonts_are_marked(read: Any, body: bytes) -> None:
    assert read(body).text == "5 μg ±\n\n−18\n\n\ufffd Yes"


@pytest.mark.parametrize(
    ("hidden", "note"),
    [
        ("<text:p>Secret.<text:hidden-paragraph text:is-hidden='true'/></text:p>", "hidden text"),
        ("<text:p><text:hidden-text text:is-hidden='true'>Secret.</text:hidden-text></text:p>", "hidden text"),
        ("<text:section text:is-hidden='true'><text:p>Secret.</text:p></text:section>", "hidden sections"),
        ("<text:p><text:placeholder>Secret.</text:placeholder></text:p>", "placeholder text"),
    ],
)
def test_conditions_hide_text_of_an_open_document_only_while_they_hold(read: Any, hidden: str, note: str) -> None:
    made = [hidden, hidden.replace("true", "false").replace("placeholder", "span").replace("Secret", "Shown")]
    body = f"<office:document-content {ODF}><office:body><office:text>{''.join(made)}</office:text></office:body>"
    parts = {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": f"{body}</office:document-content>"}
    document = read(zipped(parts))
    assert (document.text, document.notes) == ("Shown.", (f"left out: {note} (1)",))


def test_a_sheet_shows_its_numbers_and_names_its_cells(read: Any) -> None:
    document = read(
        workbook(
            cells(3, "Indicator", 2022, 2023)
            + cells(4, "Share", (0.11, 1), (0.12, 1))
            + cells(5, "Revenue", (1234.5, 2), ("gone", 3), hidden=True),
            state="hidden",
        )
    )
    at = document.text.index("12%")
    assert place_of(document, at, at + 3) == "sheet Emissions (hidden), cell D4 (Share, 2023)"
    assert "Revenue | 1,234.50 | " in document.text
    assert document.tables[0].hidden_rows == (2,)
    assert {"included: hidden rows (1)", "included: hidden sheets (1)"} <= set(document.notes)
    assert texts(document, BlockKind.WITHDRAWN) == ["gone"]
    assert document.published is None


def test_the_sheets_of_a_workbook_stand_under_their_names(read: Any) -> None:
    sheet = '<sheet name="{}" xmlns:r="r" r:id="r1"/>'.format
    sheets = "".join(map(sheet, ("Emissions", "Permits", "Sheet3")))
    parts = {"xl/workbook.xml": f'<workbook xmlns="{S}"><sheets>{sheets}</sheets></workbook>'}
    document = read(workbook(cells(1, "Site", "Ostrey"), **parts))
    assert texts(document, BlockKind.HEADING) == ["Emissions", "Permits"]
    assert [place.label for place in document.places] == ["sheet Emissions", "sheet Permits", "sheet Sheet3"]


def test_the_caption_of_the_first_sheet_names_and_dates_a_workbook(read: Any) -> None:
    sheet = '<sheet name="{}" xmlns:r="r" r:id="r1"/>'.format
    parts = {"xl/workbook.xml": f'<workbook xmlns="{S}"><sheets>{sheet("Sheet1")}{sheet("Share")}</sheets></workbook>'}
    table = cells(3, "Site", 2023) + cells(4, "Ostrey", 320)
    document = read(workbook(cells(1, "Boats by site") + cells(2, "Released 5 March 2024") + table, **parts))
    assert (document.title, document.published and document.published.iso) == ("Boats by site", "2024-03-05")
    assert read(workbook(table, **parts)).title != "Share"


def test_a_format_that_shows_nothing_hides_its_cells(read: Any) -> None:
    styles = f'<styleSheet xmlns="{S}"><numFmts><numFmt numFmtId="170" formatCode=";;;"/></numFmts><cellXfs><xf/>'
    body = workbook(
        cells(3, "Boats", 320, (17, 1), ("secret", 1)),
        **{"xl/styles.xml": f'{styles}<xf numFmtId="170"/></cellXfs></styleSheet>'},
    )
    document = read(body)
    assert document.text == "Boats | 320" and "left out: hidden cells (2)" in document.notes


def test_a_sheet_is_read_up_to_a_limit_and_far_cells_take_no_room(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inquest.readers.office.sheets.MAX_ROWS", 500)
    long = workbook("".join(cells(number, number) for number in range(1, 510)))
    assert any("the first 500" in note for note in read(long).notes)
    far = cells(1, "near") + '<row r="1048576"><c r="XFD1048576"><v>3</v></c></row>'
    document = read(workbook(far, after='<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'))
    assert len(document.text) < 100


@pytest.mark.parametrize(
    ("number", "code", "text"),
    [
        (12450.5, "#,##0", "12,451"),
        (-86.25, "0.0", "-86.3"),
        (1.005, "0.00", "1.01"),
        (0.125, "0.0%", "12.5%"),
        (-5, "#,##0;(#,##0)", "(5)"),
        (45352, "dd/mm/yyyy", "2024-03-01"),
        (45352.5, "yyyy-mm-dd hh:mm", "2024-03-01 12:00"),
        (2300, "[$€-407] #,##0", "€ 2,300"),
        (12.34, '0.0" t"', "12.3 t"),
        (2_500_000, '0.0,,"m"', "2.5m"),
        (0.1 + 0.2, "General", "0.3"),
        (742, "00000", "00742"),
        (7.5, "00.0", "07.5"),
        (742, "0,000", "0,742"),
        (200126, "00-00-00", "200126"),
        (0, '#,##0;-#,##0;"–"', "–"),
        (0, '_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-', "-"),
        (-3, "0;", ""),
        (0.5, "#.0", ".5"),
        (1234, "#,###", "1,234"),
    ],
)
def test_numbers_follow_their_format(number: float, code: str, text: str) -> None:
    assert shown(number, code) == text


def test_an_open_document_text_and_sheet(read: Any) -> None:
    note = (
        "<text:note><text:note-citation>1</text:note-citation>"
        "<text:note-body><text:p>Net.</text:p></text:note-body></text:note>"
    )
    body = (
        f"<office:document-content {ODF}><office:body><office:text><text:tracked-changes><text:changed-region>"
        "<text:deletion><text:p>six</text:p></text:deletion></text:changed-region></text:tracked-changes>"
        f"<text:p>It has 320{note} boats.</text:p></office:text></office:body></office:document-content>"
    )
    document = read(zipped({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": body}))
    assert document.text == "It has 320 boats.\n\n[1] Net."

    def row(*texts: str) -> str:
        filled = "".join(f"<table:table-cell><text:p>{each}</text:p></table:table-cell>" for each in texts)
        return f"<table:table-row>{filled}</table:table-row>"

    sheet = (
        f"<office:document-content {ODF}><office:body><office:spreadsheet><table:table table:name='Boats'>"
        f"{row('Kind', '2022', '2023')}{row('Ferries', '11%', '12%')}"
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    document = read(zipped({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": sheet}))
    at = document.text.index("12%")
    assert place_of(document, at, at + 3) == "sheet Boats, cell C2 (Ferries, 2023)"


def test_a_book_is_read_in_the_order_of_its_spine(read: Any) -> None:
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<c><rootfile full-path="O/b.opf"/></c>',
        "O/b.opf": '<p xmlns:dc="d"><metadata><dc:title>The Harbour</dc:title><dc:creator>Ann Lee</dc:creator>'
        "</metadata>"
        '<item id="b" href="b.xhtml"/><item id="a" href="a.xhtml"/><itemref idref="a"/><itemref idref="b"/></p>',
        "O/a.xhtml": "<html><body><h1>Storms</h1><p>In 1953 it took <s>nine</s> ten boats.</p></body></html>",
        "O/b.xhtml": "<html><body><h1>Peace</h1><p>Then it was quiet.</p></body></html>",
    }
    document = read(zipped(parts))
    assert (document.title, document.author) == ("The Harbour", "Ann Lee")
    assert place_of(document, *_span(document, "quiet")) == "chapter 2: Peace"
    assert texts(document, BlockKind.WITHDRAWN) == ["nine"]
    locked = parts | {"META-INF/encryption.xml": '<e><EncryptionMethod Algorithm="aes"/></e>'}
    with pytest.raises(PageUnreadable, match="copy-protected"):
        read(zipped(locked))


def _span(document: Document, words: str) -> tuple[int, int]:
    start = document.text.index(words)
    return start, start + len(words)


def test_rich_text_without_what_is_deleted_or_hidden(read: Any) -> None:
    document = read(
        rb"{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset204 Arial;}}{\info{\author Ann}}{\header Head}"
        rb"{\*\generator Riched20;}\f0 \'cf\'f0\'e8 "
        rb"{\deleted six}{\v secret}{\tc entry\tcl1}four{\super 1} of 320{\super 1} \u8364?5 {\strike gone}\par"
        rb"\trowd\cellx1\cellx2\pard\intbl Kind\cell 2023\cell\row"
        rb"\trowd\cellx1\cellx2\pard\intbl Boats\cell 320\cell\row"
        rb"\pard End\~of\_it \{1\}.\par}"
    )
    assert document.text == "При four [1] of 320 [1] €5\n\ngone\n\nKind | 2023\nBoats | 320\n\nEnd of-it {1}."
    assert document.author == "Ann" and len(document.tables) == 1


def test_what_is_struck_out_in_notes_and_comments_is_withdrawn(read: Any) -> None:
    struck = run("Not this.", "<w:strike/>")
    comment = f'<w:comment w:id="3" w:author="Ed">{paragraph(run("See."), struck)}</w:comment>'
    document = read(
        word(
            paragraph(
                run("It grew."), '<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="3"/></w:r>'
            ),
            **{
                "word/_rels/document.xml.rels": '<R><R Id="a" Type="x/footnotes" Target="footnotes.xml"/>'
                '<R Id="b" Type="x/comments" Target="comments.xml"/></R>',
                "word/footnotes.xml": f'<w:footnotes xmlns:w="{W}"><w:footnote w:id="2">'
                f"{paragraph(run('By half. '), struck)}</w:footnote></w:footnotes>",
                "word/comments.xml": f'<w:comments xmlns:w="{W}">{comment}</w:comments>',
            },
        )
    )
    assert texts(document, BlockKind.WITHDRAWN) == ["Not this.", "Not this."]
    assert texts(document, BlockKind.COMMENT) == ["Comment by Ed: See."]
    assert texts(document, BlockKind.PARAGRAPH) == ["It grew.", "[1] By half."]


def test_a_title_and_groups_above_the_years_are_heads_too_and_hidden_columns_are_marked(read: Any) -> None:
    rows = cells(3, "Energy by site") + cells(4, "", "Tonnes", "Tonnes") + cells(5, "Site", 2022, 2023)
    body = workbook(rows + cells(6, "North", 1200, 1300) + cells(7, "South", 10, 20))
    columns = f'<worksheet xmlns="{S}"><cols><col min="4" max="4" hidden="1"/></cols>'
    document = read(body)
    assert (document.tables[0].head_rows, document.tables[0].head_columns) == (3, 1)
    with zipfile.ZipFile(io.BytesIO(body)) as packed:
        parts = {name: packed.read(name).decode() for name in packed.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace(f'<worksheet xmlns="{S}">', columns)
    document = read(zipped(parts))
    at = document.text.index("1300")
    cell = cell_at(document, at, at + 4)
    assert cell is not None
    assert cell.label == "cell D6 (North, Tonnes, 2023) in a hidden column"


P, A = "urn:p", "urn:a"


def test_the_values_of_a_chart_are_a_table_and_other_charts_are_counted(read: Any) -> None:
    def kept(tag: str, *values: object) -> str:
        points = "".join(f'<c:pt idx="{at}"><c:v>{each}</c:v></c:pt>' for at, each in enumerate(values))
        return f"<c:{tag}><c:formatCode>0%</c:formatCode>{points}</c:{tag}>"

    series = f"<c:ser>{kept('tx', 'Ferries')}{kept('cat', 'North', 'South')}{kept('val', 0.25, 0.5)}</c:ser>"
    title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>{}</a:t></a:r></a:p></c:rich></c:tx></c:title>".format
    titles = f"{title('Growth in traffic')}<c:valAx>{title('Passengers')}</c:valAx><c:catAx>{title('Port')}</c:catAx>"
    parts = {
        "word/_rels/document.xml.rels": '<R><R Id="a" Type="x/chart" Target="a.xml"/><R Id="b" Type="x/chart" '
        'Target="b.xml"/></R>',
        "word/a.xml": f'<c:s xmlns:c="urn:c" xmlns:a="urn:a"><c:chart>{series}{titles}</c:chart></c:s>',
        "word/b.xml": '<c:s xmlns:c="urn:c"><c:chart/></c:s>',
    }
    charts = '<c:chart xmlns:c="urn:c" xmlns:r="r" r:id="a"/><c:chart xmlns:c="urn:c" xmlns:r="r" r:id="b"/>'
    document = read(word(paragraph(run("Traffic rose."), charts), **parts))
    assert document.text == "Traffic rose.\n\nGrowth in traffic, Passengers\n\n | Ferries\nNorth | 25%\nSouth | 50%"
    assert document.notes == ("left out: charts (1)",)


def slide(body: str, show: int = 1) -> str:
    return f'<p:sld xmlns:p="{P}" xmlns:a="{A}" show="{show}"><p:cSld><p:spTree>{body}</p:spTree></p:cSld></p:sld>'


def shape(kind: str, *runs: str) -> str:
    text = f"<p:txBody><a:p>{''.join(runs)}</a:p></p:txBody>"
    return f'<p:sp><p:nvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>{text}</p:sp>'


def slide_run(text: str, properties: str = "") -> str:
    return f"<a:r><a:rPr {properties}/><a:t>{text}</a:t></a:r>"


def test_slides_are_places_with_their_tables_and_notes(read: Any) -> None:
    def row(*texts: str) -> str:
        return (
            "<a:tr>"
            + "".join(f"<a:tc><a:txBody><a:p>{slide_run(t)}</a:p></a:txBody></a:tc>" for t in texts)
            + "</a:tr>"
        )

    first = slide(
        shape("title", slide_run("Harbour works"))
        + shape("body", slide_run("Some 10"), slide_run("4", 'baseline="30000"'), slide_run(" boats. "),
                slide_run("None sank.", 'strike="sngStrike"'))
        + shape("sldNum", slide_run("17"))
        + '<p:graphicFrame><dgm:relIds xmlns:dgm="urn:d" xmlns:r="urn:r" r:dm="d"/></p:graphicFrame>'
        + f"<p:graphicFrame><a:tbl>{row('Kind', '2022', '2023')}{row('Ferries', '3', '4')}</a:tbl></p:graphicFrame>"
    )  # fmt: skip
    document = read(
        zipped(
            {
                "[Content_Types].xml": "<Types/>",
                "ppt/presentation.xml": f'<p:x xmlns:p="{P}" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="a"/>'
                '<p:sldId id="257" r:id="b"/></p:sldIdLst></p:x>',
                "ppt/_rels/presentation.xml.rels": '<R><R Id="a" Type="x/slide" Target="slides/1.xml"/>'
                '<R Id="b" Type="x/slide" Target="slides/2.xml"/></R>',
                "ppt/slides/1.xml": first,
                "ppt/slides/_rels/1.xml.rels": '<R><R Id="n" Type="x/notesSlide" Target="../notes.xml"/>'
                '<R Id="d" Type="x/diagramData" Target="../diagram.xml"/></R>',
                "ppt/diagram.xml": f'<d:t xmlns:d="urn:d" xmlns:a="{A}"><a:p>{slide_run("Ten left.")}</a:p></d:t>',
                "ppt/notes.xml": slide(shape("body", slide_run("Speak slowly."))),
                "ppt/slides/2.xml": slide(shape("body", slide_run("Later.")), show=0),
            }
        )
    )
    assert document.title == "Harbour works"
    assert texts(document, BlockKind.PARAGRAPH) == ["Some 10^4 boats.", "Ten left.", "Notes: Speak slowly.", "Later."]
    assert texts(document, BlockKind.WITHDRAWN) == ["None sank."]
    assert place_of(document, *_span(document, "Later")) == "slide 2 (hidden)"
    assert "included: hidden slides (1)" in document.notes
    at = document.text.index("| 4") + 2
    assert place_of(document, at, at + 1) == "slide 1, Ferries, 2023"


def test_boxes_of_a_slide_are_read_from_top_to_bottom(read: Any) -> None:
    def box(left: int, top: int, text: str) -> str:
        place = f'<p:spPr><a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="80" cy="20"/></a:xfrm></p:spPr>'
        return f"<p:sp>{place}<p:txBody><a:p>{slide_run(text)}</a:p></p:txBody></p:sp>"

    held = '<p:nvGrpSpPr/><p:grpSpPr><a:xfrm><a:off x="0" y="90"/><a:ext cx="80" cy="40"/></a:xfrm></p:grpSpPr>'
    group = f"<p:grpSp>{held}{box(0, 25, 'It is now open.')}{box(0, 5, 'The quay was closed.')}</p:grpSp>"
    boxes = (group, box(0, 60, "It has 320 boats."), box(0, 0, "Ferries"), box(100, 60, "None sank."))
    parts = {"[Content_Types].xml": "<Types/>", "ppt/slides/1.xml": slide("".join(boxes))}
    parts["ppt/_rels/presentation.xml.rels"] = '<R><R Id="a" Type="x/slide" Target="slides/1.xml"/></R>'
    ids = '<p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst>'
    document = read(zipped({**parts, "ppt/presentation.xml": f'<p:x xmlns:p="{P}" xmlns:r="r">{ids}</p:x>'}))
    assert document.text.split("\n\n") == [
        "Ferries",
        "It has 320 boats.",
        "The quay was closed.",
        "It is now open.",
        "None sank.",
    ]
    assert document.title == "Ferries"


def test_an_open_document_presentation(read: Any) -> None:
    ns = f'{ODF} xmlns:draw="urn:draw" xmlns:presentation="urn:presentation"'

    def frame(kind: str, text: str) -> str:
        box = f"<draw:text-box><text:p>{text}</text:p></draw:text-box>"
        return f'<draw:frame presentation:class="{kind}">{box}</draw:frame>'

    notes = f"<presentation:notes>{frame('notes', 'Speak slowly.')}</presentation:notes>"
    body = (
        f"<office:document-content {ns}><office:body><office:presentation>"
        f"<draw:page>{frame('title', 'Harbour works')}{frame('outline', 'It has 320 boats.')}{frame('footer', 'Page')}"
        f"{notes}</draw:page><draw:page>{frame('outline', 'Later.')}</draw:page>"
        "</office:presentation></office:body></office:document-content>"
    )
    document = read(zipped({"mimetype": "application/vnd.oasis.opendocument.presentation", "content.xml": body}))
    assert document.text == "Harbour works\n\nIt has 320 boats.\n\nNotes: Speak slowly.\n\nLater."
    assert place_of(document, *_span(document, "Later")) == "slide 2"


@pytest.mark.parametrize(
    ("creator", "author"),
    [("openpyxl", None), ("XlsxWriter 3.2.0", None), ("Apache POI", None), ("Ida Holm", "Ida Holm")],
)
def test_a_program_is_no_author(read: Any, creator: str, author: str | None) -> None:
    core = f'<p xmlns:dc="d"><dc:creator>{creator}</dc:creator></p>'
    assert read(workbook(cells(1, "Boats", 3), **{"docProps/core.xml": core})).author == author


@pytest.mark.parametrize(("declared", "title"), [("Form 2011", "Boats sink"), ("Boats of 2011", "Boats of 2011")])
def test_the_title_of_a_template_is_none(read: Any, declared: str, title: str) -> None:
    body = paragraph(run("Boats sink"), properties='<w:outlineLvl w:val="0"/>') + paragraph(run("Nine in 2011."))
    core = f'<p xmlns:dc="d"><dc:title>{declared}</dc:title></p>'
    assert read(word(body, **{"docProps/core.xml": core})).title == title


@pytest.mark.parametrize(
    ("created", "modified", "published"),
    [
        ("2019-05-02T08:00:00Z", "2025-03-14T08:30:00Z", "2025-03-14T08:30:00Z"),
        ("2024-05-02T08:00:00Z", "2013-12-23T23:15:00Z", "2024-05-02T08:00:00Z"),
        ("2013-12-23T23:15:00Z", "2013-12-23T23:15:00Z", None),
    ],
)
def test_the_date_of_a_file_is_that_of_its_last_change(
    read: Any, created: str, modified: str, published: str | None
) -> None:
    core = f"<p><created>{created}</created><modified>{modified}</modified></p>"
    found = read(workbook(cells(1, "Boats", 3), **{"docProps/core.xml": core})).published
    assert (found and found.iso) == published


@pytest.mark.parametrize(
    ("line", "author"),
    [
        ("By Ida Holm, 5 March 2024", "Ida Holm"),
        ("Von Ida van der Holm und Ali Rahimi", "Ida van der Holm und Ali Rahimi"),
        ("Rédigé par : Ida Holm", "Ida Holm"),
        ("Par Ida Holm, correspondante, le 5 mars 2024", "Ida Holm"),
        ("By Ida Holm in Oslo", "Ida Holm"),
        ("By 5 March 2024, Holm had nine boats", None),
        ("By sea and air", None),
        ("By Monday", None),
    ],
)
def test_a_line_below_the_title_names_the_author_where_the_file_names_none(
    read: Any, line: str, author: str | None
) -> None:
    assert read(word("".join(paragraph(run(each)) for each in ("Harbour works", line, "It has")))).author == author


def test_a_workbook_of_the_old_kind(read: Any) -> None:
    """Written record by record (BIFF5, MS-XLS 2.4)."""

    def record(number: int, data: bytes) -> bytes:
        return struct.pack("<HH", number, len(data)) + data

    def text(row: int, column: int, said: bytes) -> bytes:
        return record(0x204, struct.pack("<HHHH", row, column, 0, len(said)) + said)

    def number(row: int, column: int, value: float, style: int = 0) -> bytes:
        return record(0x203, struct.pack("<HHHd", row, column, style, value))

    font = record(0x31, struct.pack("<HHHHHBBBx", 200, 0, 0x7FFF, 400, 0, 0, 0, 0) + b"\x05Arial")
    styles = [record(0xE0, struct.pack("<HHHHHHHH", 0, code, 0, 0, 0, 0, 0, 0)) for code in (0, 9)]
    head = record(0x809, struct.pack("<HHHH", 0x500, 5, 0, 1993)) + record(0x42, struct.pack("<H", 1252)) + 5 * font
    sheet = (
        record(0x809, struct.pack("<HHHH", 0x500, 0x10, 0, 1993))
        + text(0, 0, b"Kind") + number(0, 1, 2022) + number(0, 2, 2023)
        + text(1, 0, b"Share") + number(1, 1, 0.11, 1) + number(1, 2, 0.12, 1) + record(0x0A, b"")
    )  # fmt: skip
    before = head + b"".join(styles)
    where = len(before) + 4 + 6 + 1 + 5 + 4
    stream = before + record(0x85, struct.pack("<IBBB", where, 0, 0, 5) + b"Boats") + record(0x0A, b"") + sheet
    document = read(compound_file({"Book": stream}))
    assert place_of(document, *_span(document, "12%")) == "sheet Boats, cell C2 (Share, 2023)"


def test_a_very_long_document_is_read_up_to_a_limit(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MAX_ELEMENTS", 40)
    document = read(word(paragraph(run("The boat came in.")) * 40))
    assert document.text.count("The boat") < 20
    assert any("the first 40 elements" in note for note in document.notes)
    monkeypatch.setattr(package, "_MAX_TAGS", 100)
    with pytest.raises(PageTooLarge, match="more than 100 tags"):
        read(word("<w:p/>" * 101))


HARM = {
    "entities": zipped(
        {
            "[Content_Types].xml": "<T/>",
            "word/document.xml": f'<!DOCTYPE d [<!ENTITY a "boom">]><w:document xmlns:w="{W}"><w:body>'
            "<w:p><w:r><w:t>&a;</w:t></w:r></w:p></w:body></w:document>",
        }
    ),
    "too deep": word("<w:sdt>" * 300 + "</w:sdt>" * 300),
    "a bomb": word(paragraph(run("a" * 30_000_000))),
    "cut off": word(paragraph(run("Words.")))[:300],
    "empty": word(""),
    "password": b"\xd0\xcf\x11\xe0" + bytes(600) + "EncryptedPackage".encode("utf-16-le"),
    "charts": workbook("", **{"xl/charts/chart1.xml": "<c/>"}),
    "sheet with entities": zipped(
        {
            "[Content_Types].xml": "<T/>",
            "xl/workbook.xml": f'<!DOCTYPE d [<!ENTITY a "boom">]><workbook xmlns="{S}"/>',
        }
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HARM)
def test_what_cannot_be_read_is_one_sentence(read: Any, name: str) -> None:
    with pytest.raises((PageUnreadable, PageTooLarge)) as caught:
        read(HARM[name])
    error: PageError = caught.value
    assert str(error).count(". ") == 0 and "boom" not in str(error)
    assert error.advice


def test_the_content_decides_and_not_the_name(read: Any) -> None:
    assert read(word(paragraph(run("Words."))), "file:///notes.txt").kind == "docx"
    page = b"<html><body><p>The harbour closed in May, the county says.</p></body></html>"
    assert read(page, "file:///page.docx").kind == "html"


def test_paragraphs_have_the_numbers_that_word_shows(read: Any) -> None:
    forms = [("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)"), ("bullet", "o")]
    levels = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for at, (form, text) in enumerate(forms)
    )
    again = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    lists = f'<w:abstractNum w:abstractNumId="3">{levels}</w:abstractNum>' + "".join(
        f'<w:num w:numId="{number}"><w:abstractNumId w:val="3"/>{more}</w:num>'
        for number, more in ((1, ""), (2, again))
    )
    given = [(1, 0), (1, 1), (1, 1), (1, 2), (1, 2), (1, 3), (1, 0), (1, 1), (2, 0), (2, 1)]
    listed = '<w:numPr><w:ilvl w:val="{1}"/><w:numId w:val="{0}"/></w:numPr>'
    body = "".join(paragraph(run("Sand"), properties=listed.format(*each)) for each in given)
    parts = {
        "word/numbering.xml": f'<w:numbering xmlns:w="{W}">{lists}</w:numbering>',
        "word/_rels/document.xml.rels": '<R><R Id="r1" Type="x/numbering" Target="numbering.xml"/></R>',
    }
    heading = paragraph(run("Price"), properties='<w:outlineLvl w:val="0"/>' + listed.format(1, 1))
    shown = "1. 1.1 1.2 (a) (b) - 2. 2.1 5. 5.1".split()
    assert read(word(body + heading, **parts)).text == "\n".join(f"{each} Sand" for each in shown) + "\n\n5.2 Price"
