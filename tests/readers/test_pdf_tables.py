"""Tables on PDF pages: each figure keeps its heads; other text stays text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import typst

from inquest.domain.document import Document, Snapshot
from inquest.readers.pdf.reader import PdfReader
from inquest.text.blocks import Cell, cells_of_row

Read = Callable[[str], Document]
YEARS = ("2021", "2022", "2023")
ROWS = (
    ("Methane emitted", ("310.5", "298", "320.25")),
    ("Water lost", ("13", "", "12")),
    ("Staff", ("", "1,187", "1,152")),
    ("Net result", ("(12)", "–", "(7.5)")),
)
FISH = ("Herring", "Cod", "Hake")
PROSE = (
    "Tarnvik Water serves the northern districts and runs four plants and two reservoirs. In 2023 it sold 45 million "
    "litres, which is 3 % more than in 2022, and the board approved the accounts for the year without changes.\n\n"
)
RIGHT = "align: (x, y) => if x == 0 { left } else { right }"


@pytest.fixture
def read(snapshot_of: Callable[..., Snapshot]) -> Read:
    def reading(source: str) -> Document:
        body = typst.compile(f'#set page(paper: "a4", margin: 2cm)\n#set text(size: 10pt)\n{source}'.encode())
        return PdfReader().read(body, snapshot_of(body, "https://tarnvik.example/a.pdf"))

    return reading


def cells(rows: Sequence[Sequence[str]]) -> str:
    return ",\n".join(", ".join("[" + cell.replace("%", "\\%") + "]" for cell in row) for row in rows)


def table(rows: Sequence[Sequence[str]], settings: str = RIGHT, head: str = "") -> str:
    return f"#table(columns: {len(rows[-1])}, stroke: none, {settings},\n{head}{cells(rows)})"


def simple(settings: str) -> str:
    return table([("Indicator", *YEARS), *((label, *values) for label, values in ROWS)], settings)


def figures(document: Document) -> list[Cell]:
    """The cells of all tables except heads; asserts that each is the text at its place."""
    found = [
        cell for each in document.tables for row in range(len(each.rows)) for cell in cells_of_row(document, each, row)
    ]
    for each in document.tables:
        for row in each.rows[each.head_rows :]:
            assert document.text[row[0][0] : row[-1][1]] == " | ".join(document.text[start:end] for start, end in row)
    return found


def expected(rows: Sequence[tuple[str, Sequence[str]]], heads: Sequence[tuple[str, ...]]) -> set[tuple[object, ...]]:
    return {(value, label, head) for label, values in rows for value, head in zip(values, heads, strict=True) if value}


def stated(document: Document) -> set[tuple[object, ...]]:
    return {(cell.text, ", ".join(cell.row_heads), cell.column_heads) for cell in figures(document)}


@pytest.mark.parametrize(
    "settings",
    [
        RIGHT,
        "align: left",
        "align: center, fill: (x, y) => if calc.odd(y) { luma(230) }",
        RIGHT + ", inset: (x: 4pt, y: 2pt)",
    ],
    ids=["right", "left", "centred on zebra", "dense"],
)
def test_every_figure_keeps_its_row_and_year_and_empty_cells_their_place(read: Read, settings: str) -> None:
    document = read(PROSE + simple(settings) + "\n\n" + PROSE)
    assert stated(document) == expected(ROWS, [(year,) for year in YEARS])
    assert "Water lost | 13 |  | 12\n" in document.text
    assert document.text.startswith("Tarnvik Water serves") and document.text.endswith("without changes.")


@pytest.mark.parametrize("space", [" ", "\u00a0"], ids=["space", "no-break space"])
def test_a_space_beside_the_white_of_a_figure_is_within_its_cell(
    snapshot_of: Callable[..., Snapshot], pdf_of: Callable[..., bytes], space: str
) -> None:
    rows = (
        ("Sold (MWh)", ("41 120", "11 190")),
        ("Staff", ("1 152", "1 181")),
        ("Methane, scope 1 (t)", ("298", "320")),
        ("Lost", ("4.1 %", "6.1 %")),
    )
    lines = [(left, 700, 9, year) for left, year in zip((340, 420), YEARS, strict=False)]
    for row, (label, values) in enumerate(rows):
        lines.append((150, 680 - 18 * row, 9, label))
        # Helvetica has much white beside a 1.
        lines += [
            (left - 5 * len(value), 680 - 18 * row, 9, value.replace(" ", space))
            for left, value in zip((365, 445), values, strict=True)
        ]
    body = pdf_of([lines])
    document = PdfReader().read(body, snapshot_of(body, "https://tarnvik.example/a.pdf"))
    assert stated(document) == expected(rows, [("2021",), ("2022",)])


def test_the_spaces_of_a_wide_font_are_within_a_cell_or_a_sentence(
    snapshot_of: Callable[..., Snapshot], pdf_of: Callable[..., bytes]
) -> None:
    rows = [("2021", "1 310", "212"), ("2022", "1 455", "190"), ("2023", "1 390", "174")]
    at = (50, 210, 360)
    lines = [(50, 730, 9, "All seals (in full) are seen (until late) in June."), (50, 710, 9, "Year")]
    lines += [(180, 710, 9, "Grey (all) seal"), (320, 710, 9, "Common (all) seal")]
    lines += [(x, 692 - 16 * n, 9, cell) for n, row in enumerate(rows) for x, cell in zip(at, row, strict=True)]
    widths = f"/FirstChar 32 /LastChar 126 /Widths [350{' 600' * 94}]"
    body = pdf_of([lines]).replace(b"/Encoding", f"{widths} /Encoding".encode())
    document = PdfReader().read(body, snapshot_of(body, "https://tarnvik.example/a.pdf"))
    heads = ("Year", "Grey (all) seal", "Common (all) seal")
    assert [" | ".join(row) for row in (heads, *rows)] == document.text.splitlines()[-4:]
    assert document.text.startswith(lines[0][3])


@pytest.mark.parametrize("place", ["top", "horizon", "bottom"])
def test_a_head_of_two_lines_does_not_repeat_its_year_over_that_of_the_next_column(read: Read, place: str) -> None:
    rows = [("Clay", ("412", "390", "377")), ("Firings", ("1,260", "1,195", "1,204"))]
    heads = "[], [2024], [2023 \\ (restated)], [2022 \\ (unaudited)]"
    head = f"table.header(..({heads}).map(table.cell.with(align: right + {place}))),"
    document = read(PROSE + table([(label, *values) for label, values in rows], head=head))
    assert stated(document) == expected(rows, [("2024",), ("2023", "(restated)"), ("2022", "(unaudited)")])


@pytest.mark.parametrize("align", ["center", "right"])
def test_a_head_over_several_columns_is_the_head_of_each(read: Read, align: str) -> None:
    measures = ("Methane (t)", "Water lost (%)", "Energy (GWh)")
    rows = [
        (plant, [str(100 + 7 * column + row) if (row + column) % 5 else "" for column in range(6)])
        for row, plant in enumerate(("Ostrey", "Velmark", "Tarn", "Ulmen"))
    ]
    over = ", ".join(f"table.cell(colspan: 2, align: {align})[{each.replace('%', chr(92) + '%')}]" for each in measures)
    head = f"table.cell(rowspan: 2)[Plant], {over}, {cells([('2022', '2023') * 3])},\n"
    document = read(PROSE + table([(label, *values) for label, values in rows], head=head) + "\n\n" + PROSE)
    assert stated(document) == expected(rows, [(each, year) for each in measures for year in ("2022", "2023")])


@pytest.mark.parametrize("is_last_empty", [False, True])
def test_heads_at_the_left_of_columns_with_figures_at_their_right(read: Read, is_last_empty: bool) -> None:
    over = [f"table.cell(colspan: 2)[{place}]" for place in ("Lomvi", "Skarv")]
    head = f"table.cell(rowspan: 2, align: horizon)[Fish], {', '.join(over)}, {cells([('2022', '2023') * 2])},\n"
    rows = [(fish, [f"{n}10", f"{n}20", f"{n}30", "" if is_last_empty else f"{n}40"]) for n, fish in enumerate(FISH, 3)]
    settings = "align: (x, y) => if x == 0 or y < 2 { left } else { right }"
    source = table([(fish, *values) for fish, values in rows], settings, head)
    document = read(PROSE + source.replace("columns: 5", "columns: (3cm,) * 5") + "\n\n" + PROSE)
    heads = [(place, year) for place in ("Lomvi", "Skarv") for year in ("2022", "2023")]
    if is_last_empty:
        assert not any(cell.column_heads for cell in figures(document)), "which of the columns is empty cannot be told"
    else:
        assert stated(document) == expected(rows, heads)


@pytest.mark.parametrize("place", ["top", "bottom"])
def test_lines_of_one_label_and_of_one_head_are_one(read: Read, place: str) -> None:
    rows = [
        ("Withdrawal of surface water and ground water in areas of high stress", ["12", "13"]),
        ("Sites", ["9", ""]),
        ("Share of electricity from renewable sources in the whole consumption", ["41", "40"]),
    ]
    heads = ("Total of the group (all sites)", "Of which in the northern districts (%)")
    settings = f"align: (x, y) => (if x == 0 {{ left }} else {{ right }}) + {place}"
    source = table([("Indicator", *heads), *((label, *values) for label, values in rows)], settings)
    document = read(PROSE + source.replace("columns: 3", "columns: (4cm, 3cm, 3cm)"))
    assert stated(document) == expected(rows, [(head,) for head in heads])


def test_a_table_over_several_pages_has_its_head_on_each(read: Read) -> None:
    rows = [
        (f"Plant {chr(65 + n // 26)}{chr(65 + n % 26)}", [str(100 + n), "" if n % 4 == 1 else str(400 + n)])
        for n in range(120)
    ]
    body = [(label, *values) for label, values in rows]
    settings = RIGHT + ", inset: 3pt"
    running = "#set page(header: [Tarnvik Water #h(1fr) Report], footer: context counter(page).display())\n"
    for head in ("table.header([Plant], [2022], [2023]),\n", "[Plant], [2022], [2023],\n"):
        document = read(running + PROSE + table(body, settings, head) + "\n\n" + PROSE)
        assert len(document.pages) == 3
        assert stated(document) == expected(rows, [("2022",), ("2023",)])
        assert "Report" not in document.text


def test_the_only_row_below_its_years_is_a_table_and_its_figures_are_no_page_numbers(read: Read) -> None:
    rows = [("Indicator", *YEARS), ("Oil spills", "3", "0", "1")]
    document = read(f"#set page(margin: 1cm)\n{PROSE}#pagebreak()\n{table(rows)}")
    assert stated(document) == expected([("Oil spills", ("3", "0", "1"))], [(year,) for year in YEARS])


def test_two_tables_side_by_side_are_two(read: Read) -> None:
    other = [
        ("Waste", ["7", "6", "5"]),
        ("Paper", ["1.5", "4", "2"]),
        ("Trips", ["88", "77", "66"]),
        ("Cars", ["21", "20", "19"]),
    ]
    wide: list[tuple[str, ...]] = [("Indicator", *YEARS, "", "Indicator", *YEARS)]
    wide += [(a, *left, "", b, *right) for (a, left), (b, right) in zip(ROWS, other, strict=True)]
    beside = table([("Indicator", *YEARS), *((label, *values) for label, values in other)])
    one_after_another = f"#grid(columns: 2, gutter: 8mm, {simple(RIGHT)[1:]}, {beside[1:]})"
    row_by_row = table(wide, "align: (x, y) => if x in (0, 5) { left } else { right }")
    for source in (one_after_another, row_by_row):
        document = read(PROSE + source)
        assert len(document.tables) == 2
        assert stated(document) == expected([*ROWS, *other], [(year,) for year in YEARS])


def test_a_table_that_is_turned_on_its_page_is_read_upright(read: Read) -> None:
    for angle in ("-90deg", "90deg"):
        document = read(PROSE + f"#rotate({angle}, reflow: true)[{simple(RIGHT)}]\n\n" + PROSE)
        assert stated(document) == expected(ROWS, [(year,) for year in YEARS])


def test_a_table_within_a_column_of_text_leaves_the_text_beside_it_whole(read: Read) -> None:
    document = read(f"#set par(justify: true)\n#columns(2)[{PROSE * 4}#colbreak()\n{PROSE}{simple(RIGHT)}\n\n{PROSE}]")
    assert stated(document) == expected(ROWS, [(year,) for year in YEARS])
    assert document.text.count("runs four plants and two reservoirs. In 2023 it sold 45 million litres") == 6


@pytest.mark.parametrize("mark", ["1", "b", "†", "1,2"])
def test_a_raised_mark_is_not_part_of_a_year_or_figure(read: Read, mark: str) -> None:
    rows = ("Methane (t)", ("298", "320")), ("Staff", ("1,187", "1,152"))
    for marked in ("2022", "1,152"):
        source = table([("Indicator", *YEARS[1:]), *((label, *values) for label, values in rows)])
        document = read(source.replace(f"[{marked}]", f"[{marked}#super(typographic: false)[{mark}]]"))
        assert stated(document) == expected(rows, [("2022",), ("2023",)])


def test_labels_alone_above_rows_with_the_same_labels_name_their_groups(read: Read) -> None:
    groups = {"Northern mill": ("310", "298"), "Southern mill": ("120", "131")}
    rows = [("Indicator", *YEARS[:2])]
    for name, values in groups.items():
        rows += [(name, "", ""), ("Methane (t)", *values), ("Staff", "41", "40")]
    document = read(PROSE + table([*rows, ("Spills", "4", "6")], RIGHT))
    shown = {(*cell.row_heads, cell.text, *cell.column_heads) for cell in figures(document)}
    for name, values in groups.items():
        assert {(name, "Methane (t)", value, year) for value, year in zip(values, YEARS, strict=False)} <= shown
    assert ("Spills", "4", "2021") in shown, "the last row may be of all mills"


@pytest.mark.parametrize("more", [(), (("Crew", "", ""), ("Ostrey", "41", "40"))], ids=["alone", "one of two"])
def test_the_first_label_alone_below_the_head_is_no_part_of_it(read: Read, more: tuple[tuple[str, ...], ...]) -> None:
    rows = [("Plant", *YEARS[:2]), ("Sales", "", ""), ("Boats", "812", "798"), ("Oars", "90", "77"), *more]
    (made,) = (document := read(PROSE + table(rows))).tables
    written = [tuple(document.text[start:end] for start, end in row) for row in made.rows]
    assert (written, made.head_rows) == (rows, 1)


def test_the_last_line_of_a_paragraph_is_no_caption_and_a_line_apart_is(read: Read) -> None:
    prose = PROSE.strip().replace("the year without changes", "the year, the third in a row, without any changes")
    tight = f"#set block(spacing: 0.65em)\n{prose}\n\n"
    assert "changes." in (before := read(f"{tight}{simple(RIGHT)}")).text and before.tables[0].caption == ""
    assert read(f"{PROSE}In tonnes\n\n{simple(RIGHT)}").tables[0].caption == "In tonnes"


@pytest.mark.parametrize(
    "source",
    [
        f"#set par(justify: true)\n#columns(3)[{PROSE * 8}]",
        "#grid(columns: (2cm, 1fr), gutter: 8pt, [1.], [We went in 2021 and saw 12 boats], [2.], [In 2022 we saw 14])",
        "#grid(columns: (4cm, 1fr), gutter: 8pt, [Born], [12.03.1980], [Post code], [44803], [Fax], [0234 3147])",
        "#grid(columns: (1cm, 1fr, auto), gutter: 8pt, [1], [Our way], [3], [2], [Strategy], [7], [3], [Place], [12])",
    ],
    ids=["columns of text", "list", "form", "contents"],
)
def test_what_is_no_table_stays_text(read: Read, source: str) -> None:
    assert read(PROSE + source).tables == ()


def test_units_below_some_heads_and_brackets_below_a_label_stay_in_their_places(read: Read) -> None:
    rows = [
        ("", "Honey", "Hives", "Water", "Remarks"),
        ("Year", "kg", "", "m³", ""),
        ("2022", "640", "31", "8,044", ""),
        ("2023", "702", "35", "8,310", "a good spring"),
        ("2024", "", "36", "", "meter changed"),
        ("(part)", "", "", "", ""),
    ]
    document = read(PROSE + table(rows) + "\n\n" + PROSE)
    shown = {cell.text: cell.column_heads for cell in figures(document)}
    assert shown["31"] == shown["36"] == ("Hives",) and shown["8,310"] == ("Water", "m³")
    assert shown["meter changed"] == ("Remarks",)
    (made,) = document.tables
    assert document.text[slice(*made.rows[-1][0])] == "(part)"
