"""Raised and lowered text, struck-out words, unknown elements and tables of a page, as readers see them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.document import BlockKind, Document
from inquest.readers.grids import MAX_CELLS, GridCell, expanded
from inquest.readers.html.reader import HtmlReader
from inquest.text.blocks import cell_at, evidence_sentences
from inquest.text.quantities import quantities

Read = Callable[..., Document]
FRAME = (
    "<p>The water board said on Friday that the level of its lake had been lower than in any year on record.</p>"
    "<p>It will publish the readings of its stations in the spring, and has asked the mills to save what they can.</p>"
)
NOTICE = (
    "<p>Together with our 640 partners we keep cookies and other data on your device to measure what you read.</p>"
    "<p>You can change your choices or withdraw your consent at any time in the settings of this page.</p>"
    "<p>Some partners rely on what they call an interest of their own, and you have a right to object to that.</p>"
)
SHEET = (
    "<style>a:hover, p .raised { vertical-align: super } @media print { .fine, p { text-decoration: line-through } }"
    "</style><style media=print>.fine { text-decoration: line-through }</style>"
)


@pytest.fixture
def read(snapshot_of: Any) -> Read:
    def reading(body: str, head: str = "", language: str = "en") -> Document:
        page = (
            f"<html lang={language}><head><meta charset='utf-8'><title>Low water</title>{head}</head>"
            f"<body>{body}</body></html>"
        )
        address = "https://gazette.example/news/low-water"
        return HtmlReader().read(page.encode(), snapshot_of(page.encode(), address, content_type="text/html"))

    return reading


@pytest.fixture
def sentence(read: Read) -> Callable[..., str]:
    def of(markup: str, head: str = "", language: str = "en", below: str = "") -> str:
        document = read(f"<article><h1>Low water</h1>{FRAME}<p>{markup}</p>{below}</article>", head, language)
        return document.text.split("\n\n")[2]

    return of


@pytest.mark.parametrize(
    ("style", "words", "shown"),
    [
        ("position: relative; top: -.5em; font-size: 60%", "2", "480 [2]"),
        ("font-size: 9px; bottom: .4em; position: relative", "2", "480 [2]"),
        ("vertical-align: 35%; font-size: .6rem", "2", "480 [2]"),
        ("vertical-align: top; font-size: small", "2", "480 [2]"),
        ("font-variant-position: super", "2", "480 [2]"),
        ("position: relative; margin-top: -.5em; font-size: 60%", "2", "4802"),
        ("bottom: .5em; font-size: 60%", "2", "4802"),
        ("vertical-align: 35%; font-size: 20px", "2", "4802"),
        ("vertical-align: top; font-size: 60%", "kg", "480kg"),
    ],
)
def test_a_sheet_may_raise_small_digits_by_a_length(read: Any, style: str, words: str, shown: str) -> None:
    head = f"<style>.r {{ {style} }}</style>"
    document = read(f"<h1>Low water</h1>{FRAME}<p>They lost 480<span class='r'>{words}</span> in all.</p>", head)
    assert f"They lost {shown} in all." in document.text


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("They lost 480<sup>1</sup> litres.", "They lost 480 [1] litres."),
        ("They lost 480<sup><a href='#n1'>1</a></sup> litres.", "They lost 480 litres."),
        ("They lost 480<span style='vertical-align: super'>b</span> litres.", "They lost 480 [b] litres."),
        ("They lost 480<i style='position:relative; top:-.4em'>2</i> litres.", "They lost 480 [2] litres."),
        ("They lost 480<span class='raised'>2</span> litres.", "They lost 480 [2] litres."),
        ("Some 3×10<sup>4</sup> cells on 9 m<sup>2</sup> a s<sup>−1</sup>.", "Some 3×10^4 cells on 9 m² a s⁻¹."),
        ("They lost 480 <i class='fine'>in all</i> litres.", "They lost 480 in all litres."),
        ("A ticket is $19<sup>99</sup> and 3<sup>1</sup>/<sub>2</sub> hours.", "A ticket is $19.99 and 3 1/2 hours."),
        ("A bed is <i>$</i><b>89</b><b class=f>50</b> each.", "A bed is $89.50 each."),
        ("Ayle <b class=n>FC</b><b class=h>3</b><b class=a>2</b> in May.", "Ayle FC 3 2 in May."),
        (
            "They lost <b class=n>480</b><b class=l>litres</b>, <b class=d>1</b><b class=d>2</b> days.",
            "They lost 480 litres, 12 days.",
        ),
        (
            "They lost <b data-to-value=480 data-from-value=0>0</b>, <b data-id=7>0</b> today.",
            "They lost 480, 0 today.",
        ),
        ("<b class=n>72 GWh</b><b class=l>used</b> in May.", "72 GWh used in May."),
        ("A bed is <b>64</b><sup>90</sup><b>€</b>.", "A bed is 64.90€."),
        ("They lost 480<button>2</button> in pre<button>view</button>.", "They lost 480 [2] in preview."),
        ("They lost 480<i class='sidenote'>Until May.</i> litres.", "They lost 480 litres."),
        ("They lost 480<b><button>1</button> <span popover>Until May.</span></b> litres.", "They lost 480 [1] litres."),
        ("So <math><msup><mn>10</mn><mn>6</mn></msup></math> litres went.", "So 10^6 litres went."),
        (
            "So <math><semantics><mn>4.2</mn><annotation-xml encoding='MathML-Content'><cn>4.2</cn></annotation-xml>"
            "<annotation encoding='application/x-tex'>4.2</annotation></semantics></math> litres went.",
            "So 4.2 litres went.",
        ),
    ],
)
def test_raised_text_never_joins_a_figure(sentence: Callable[..., str], written: str, shown: str) -> None:
    assert sentence(written, head=SHEET) == shown


def test_a_mark_whose_note_is_below_is_left_out(sentence: Callable[..., str]) -> None:
    below = "<p><sup>7</sup> Without the upper lake.</p><ol class='endnotes'><li>Measured at noon.</li></ol>"
    assert sentence(
        "They lost 480<sup>7</sup> litres in 3<sup>1</sup>/<sub>2</sub> days<sup>1</sup>.", below=below
    ) == ("They lost 480 litres in 3 1/2 days.")


def test_a_note_in_a_quote_follows_it(read: Read) -> None:
    quote = "<blockquote>They lost 480<i class='sidenote'>Until the end of May.</i> litres.</blockquote>"
    text = read(
        f"<a href='#top'>Top</a><main class='notes'><h1>Low water</h1>{FRAME}{quote}<p>It rained.</p></main>"
    ).text
    assert "They lost 480 litres.\n\nUntil the end of May.\n\nIt rained." in text


@given(st.integers(1, 10**6), st.integers(1, 99))
def test_a_quantity_is_the_same_with_a_mark_behind_its_figure(figure: int, mark: int) -> None:
    (plain,) = quantities(f"They lost {figure:,} litres")
    (marked,) = quantities(f"They lost {figure:,} [{mark}] litres")
    assert (marked.low, marked.unit) == (plain.low, plain.unit)


@pytest.mark.parametrize(
    "struck",
    ["<s>{}</s>", "<del>{}</del>", "<strike>{}</strike>", "<span role='deletion'>{}</span>", "<i class='old'>{}</i>",
     "<q><i>{}</i></q>", "<i id='gone'>{}</i>", "<i data-state='void'>{}</i>", "<b></b><i>{}</i>",
     "<span style='color: red; text-decoration-line: line-through'>{}</span>", "<i class='Cut'>{}</i>",
     "<i class='mt-1 line-through'>{}</i>", "<i class='text-decoration-line-through'>{}</i>",
     "<FONT STYLE='COLOR: red; Text-Decoration : underline LINE-THROUGH'>{}</FONT>"],
)  # fmt: skip
def test_struck_words_are_shown_and_no_evidence(read: Read, struck: str) -> None:
    said = "The mills have stopped for good."
    document = read(
        f"<article><h1>Low water</h1>{FRAME}<p>It fell by {struck.format('91')} <ins>19</ins> centimetres.</p>"
        f"<p>{struck.format(said)}</p><ul><li>It named {struck.format('four')}, five mills.</li></ul></article>",
        head="<style>article .old, q > i:first-child, #gone, [data-state=void], b + i {text-decoration:line-through}"
        " li + i, p > b > i, i[data-x], i:hover {text-decoration:line-through}"
        " h1 + p {text-decoration:line-through; text-decoration:none}</style>"
        "<STYLE><!-- .Cut { TEXT-DECORATION: Line-Through } --></STYLE>",
    )
    withdrawn = [document.text[b.start : b.end] for b in document.blocks if b.kind is BlockKind.WITHDRAWN]
    assert withdrawn == ["91", said, "four"]
    evidence = [span.of(document.text) for span in evidence_sentences(document)]
    assert "It fell by 19 centimetres." in evidence and said not in " ".join(evidence)
    assert "3 passages are struck out: shown, but not used as evidence" in document.notes


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("The <fig-ure>480</fig-ure> litres of <blink>Tarn</blink>mill.", "The 480 litres of Tarnmill."),
        ("Press <button>Save</button> and <label>sign</label> it.", "Press Save and sign it."),
        ("It is <b aria-hidden='true'>€9</b><b class='sr-only'>nine euros</b> now.", "It is €9 now."),
        ("<b aria-hidden=true>It is €9 now.</b> <b class=sr-only>It is nine euros now.</b>", "It is €9 now."),
        ("The <x-gap>480 <x-in>litres went.<p>Nobody saw it.<p>It rained.", "The 480 litres went."),
        ("On <time datetime='2024-01-01'>Monday</time> it <output>rose</output>.", "On Monday it rose."),
        ("<ruby>湖<rp>(</rp><rt>みずうみ<rb>水<rp>(</rp><rt>みず</ruby>が減った。", "湖水が減った。"),
        ("<ruby>湖<rt>みずうみ</rt><rtc>Lake<rt>mere</rtc></ruby>が減った。", "湖が減った。"),
    ],
)
def test_unknown_elements_stay_in_their_sentence(sentence: Callable[..., str], written: str, shown: str) -> None:
    assert sentence(written) == shown


@pytest.mark.parametrize(
    "block",
    [
        "<x-list><x-item>Depth: 7 metres</x-item><x-item>Fee: 12 crowns</x-item></x-list>",
        "<center><font size=4><b>Depth: 7 metres</b></font></center><center>Fee: 12 crowns</center>",
    ],
    ids=["items", "center"],
)
def test_short_blocks_of_unusual_elements_are_read(read: Read, block: str) -> None:
    text = read(
        f"<article><h1>Low water</h1>{FRAME}{block}<p>Its keeper, Ida Tarn, left the lake in May.</p></article>"
    )
    assert "Depth: 7 metres\n\nFee: 12 crowns\n\nIts keeper" in text.text


def test_a_figure_of_sentences_alone_is_read(read: Read) -> None:
    words = "Two of nine sluices had no gates on the day of the visit."
    box = f"<figure class='callout'><div>!</div><div>{words}</div></figure><h2>Findings</h2>"
    document = read(f"<article><h1>Low water</h1><div>{FRAME}{box}{FRAME.replace('Friday', 'Monday')}</div></article>")
    assert words in document.text


def test_a_shadow_root_is_shown_with_its_slots_filled(read: Read) -> None:
    host = (
        "<x-story><template shadowrootmode='open'><p>The keeper of the lake, <slot name='who'>nobody</slot>, left.</p>"
        "<slot></slot></template><b slot='who'>Ida Tarn</b><p>Her deputy has taken over the gauges of the lake.</p>"
        "</x-story><template><p>Nobody ever sees this sentence of a template.</p></template>"
    )
    text = read(f"<article><h1>Low water</h1>{FRAME}{host}</article>").text
    assert "The keeper of the lake, Ida Tarn, left.\n\nHer deputy has taken over" in text
    assert "template" not in text


def test_each_cell_knows_its_heads(read: Read) -> None:
    table = (
        "<table><caption>Levels (cm)</caption><thead><tr><th rowspan=2>Lake</th><th colspan=2>Spring</th></tr>"
        "<tr><th>2022</th><th>2023<sup>a</sup></th></tr></thead>"
        "<tr><td rowspan=0>Tarn</td><td>310</td><td>290</td></tr><tr><td>311</td><td>291</td></tr>"
        "<tfoot><tr><td colspan=3>a Until May.</td></tr></tfoot></table>"
    )
    document = read(f"<article><h1>Low water</h1>{FRAME}{table}</article>")
    (grid,) = document.tables
    assert [[document.text[a:b] for a, b in row] for row in grid.rows][1:] == [
        ["Lake", "2022", "2023"],
        ["Tarn", "310", "290"],
        ["Tarn", "311", "291"],
    ]
    start = document.text.index("291")
    cell = cell_at(document, start, start + 3)
    assert cell is not None and (cell.row_heads, cell.column_heads) == (("Tarn",), ("Spring", "2023"))
    assert grid.caption == "Levels (cm)"


@pytest.mark.parametrize(
    "table",
    [
        "<div role=grid><div role=rowgroup><p role=row><b role=columnheader>Lake</b><b role=columnheader>2023</b></p>"
        "</div><div role=row><b role=rowheader>Tarn</b><b role=cell>310</b></div></div>",
        "<table><tr><th>Lake</th><th>2023</th></tr>"
        "<tr><td><b>Lake:</b> Tarn</td><td><b class=narrow>2023</b><i>310</i></td></tr></table>",
    ],
)
def test_a_cell_holds_its_own_figure_alone(read: Read, table: str) -> None:
    (grid,) = (document := read(f"<article><h1>Low water</h1>{FRAME}{table}</article>")).tables
    assert [[document.text[a:b] for a, b in row] for row in grid.rows] == [["Lake", "2023"], ["Tarn", "310"]]


def cells(*rows: str) -> list[list[GridCell]]:
    return [[GridCell(text) for text in row.split("|")] for row in rows]


@pytest.mark.parametrize(
    ("rows", "heads"),
    [
        (("Lake|2022|2023", "Tarn|310|290", "Esk|–|41"), (1, 1)),
        (("|Cod|Cod", "Port|2022|2023", "Tarn|31|29"), (2, 1)),
        (("Mayor|Ida Roy", "People|5,300", "Area|41 km²"), (0, 1)),
        (("Lake|Year|cm", "Tarn|2022|310", "Tarn|2023|290"), (1, 2)),
        (("1|2", "3|4"), (0, 1)),
    ],
)
def test_heads_that_nothing_declares_are_found_by_their_figures(rows: tuple[str, ...], heads: tuple[int, int]) -> None:
    grid = expanded(cells(*rows))
    assert grid is not None and (grid.head_rows, grid.head_columns) == heads


def test_a_cell_as_wide_as_the_table_heads_the_rows_below_it(read: Read) -> None:
    table = (
        "<table><tr><th>Lake</th><th>2022</th><th>2023</th></tr><tr><td colspan=3>Hills</td></tr>"
        "<tr><td>Tarn</td><td>310</td><td>290</td></tr><tr><td colspan=3>Coast</td></tr>"
        "<tr><td>Esk</td><td>41</td><td>40</td></tr><tr><td colspan=3>Read at noon.</td></tr></table>"
    )
    document = read(f"<article><h1>Low water</h1>{FRAME}{table}</article>")
    start = document.text.index("290")
    cell = cell_at(document, start, start + 3)
    assert cell is not None and (cell.row_heads, cell.column_heads) == (("Hills", "Tarn"), ("2023",))
    assert "Coast | Esk | 41 | 40" in document.text


def test_spans_of_a_table_too_large_for_a_grid_are_not_followed(read: Read) -> None:
    row = "<tr><td rowspan=1000 colspan=1000>Tarn</td><td>310</td></tr>"
    document = read(f"<article><h1>Low water</h1>{FRAME}<table>{row * 300}</table></article>")
    assert document.text.count("Tarn | 310") == 300
    assert any(f"more than {MAX_CELLS:,} cells" in note for note in document.notes)


def test_spans_are_bounded() -> None:
    wide = expanded([[GridCell("a"), GridCell("b", column_span=10**8)], [GridCell("c"), GridCell("d")]])
    assert wide is not None and max(map(len, wide.rows)) <= 3
    many = [[GridCell("x", row_span=1000, column_span=1000)] for _ in range(MAX_CELLS // 1000)]
    assert expanded(many) is None


@pytest.mark.parametrize(
    "page",
    [
        "<div class='layer'>{notice}</div><main><aside><h1>Low water</h1>{article}</aside></main>",
        "<div id='root' aria-hidden='true'><h1>Low water</h1>{article}</div><div class='o'>{notice}</div>",
        "<div aria-hidden='true'><h1>Low water</h1>{article}</div><div role='dialog'>{notice}</div>",
        "<div class='x'><div class='layer'>{notice}{notice}</div></div><section><h1>Low water</h1>{article}</section>",
        "<div role='dialog' aria-modal='true'><h1>Low water</h1>{article}</div>",
        "<h1>Low water</h1><div role='dialog'>{article}</div>",
        "<main><h1>Low water</h1><p>The water fell lower than in any year.</p></main><div><div>{notice}</div></div>",
        "<h1>Low water</h1><p>The water fell lower than in any year.</p><div class='popup'>{notice}</div>",
    ],
)
def test_the_article_is_read_behind_a_question_of_consent(read: Read, page: str) -> None:
    text = read(page.format(notice=NOTICE, article=FRAME)).text
    assert "lower than in any year" in text and "partners" not in text


def test_a_wall_that_shares_only_function_words_with_the_title_is_noted(read: Read) -> None:
    wall = (
        "<h2>Mit Werbung lesen</h2><p>Details zu Cookies stehen in der Erklärung zum Schutz der Daten.</p>"
        "<p>Wir und unsere Partner speichern Daten auf Ihrem Gerät und werten sie aus; widerrufen können Sie das.</p>"
    )
    page = f"<main><h1>Feuer auf der Werft</h1><p>Niemand wurde verletzt.</p><div>{wall}</div></main>"
    assert any("consent" in note for note in read(page).notes)


@pytest.mark.parametrize(
    "wall",
    [
        f"<h2>Before you go on</h2>{NOTICE}",
        "<h1>The Gazette with or without advertising</h1><p>With advertising: 640 partners follow what you read.</p>"
        "<p>Without advertising: subscribe to the Gazette for 3 euros a month, and nobody follows what you read.</p>",
    ],
)
def test_a_page_that_is_a_question_of_consent_says_so(read: Read, wall: str) -> None:
    document = read(f"<div>{wall}</div>")
    assert any("consent" in note for note in document.notes)
    kept = read(f"<h1>A wreck at Ayle</h1>{FRAME}").notes
    assert not any("consent" in note for note in kept)


def test_the_beginning_of_an_article_is_kept_above_an_offer_to_subscribe(read: Read) -> None:
    terms = "<p>Read every report on the web and in the app for four weeks, and cancel whenever you like to.</p>" * 3
    terms = terms.replace("four", "{}").format("two", "four", "six")
    lead = "<p>The low water of the autumn has laid a wreck bare, the office said.</p>"
    text = read(f"<main><h1>Low water</h1>{lead}<div class='offer'><h2>Read on</h2>{terms}</div></main>").text
    assert text.startswith("The low water of the autumn")


@pytest.mark.parametrize(
    ("node", "author"),
    [
        ('"headline": "Low water", "mainEntityOfPage": {"@id": "https://other.example/x"}', "Per Esk"),
        ('"headline": "New mill", "url": "/news/low-water#top"', "Per Esk"),
        ('"headline": "A mill burns down in the hills"', None),
        ('"headline": "New mill", "url": "https://gazette.example/news/mill"', None),
        ('"datePublished": "2024-02-01"', "Per Esk"),
    ],
)
def test_only_this_page_s_data_name_its_author(read: Read, node: str, author: str | None) -> None:
    data = f'{{"@graph": [{{"@type": ["NewsArticle"], {node}, "author": {{"name": "Per Esk"}}}}]}}'
    document = read(
        f"<article><h1>Low water</h1>{FRAME}</article>", head=f"<script type='application/ld+json'>{data}</script>"
    )
    assert (document.author, document.title) == (author, "Low water")  # as shown in heading and title


@pytest.mark.parametrize(
    ("mark", "note"),
    [
        ("<sup><a href='#n1'>[1]</a></sup>", "<li id=n1><a href='#b'>^</a> {}</li>"),
        ("<a href='#n1'><sup>1</sup></a>", "<li id=n1>{}</li>"),
        ("<sup>1</sup>", "<li>{} <a href='#b'>↩</a></li>"),
    ],
)
def test_the_place_of_a_note_mark_is_kept_with_its_note(read: Read, mark: str, note: str) -> None:
    entry = note.format("Board: <a href='https://board.example/levels'>Levels of 2024</a>")
    notes = f"<h2>References</h2><ol class=references>{entry}</ol>"
    document = read(f"<article><h1>Low water</h1>{FRAME}<p>They lost 480 litres.{mark} It rained.</p>{notes}</article>")
    (kept,) = document.note_marks
    assert document.text[: kept.at].endswith("They lost 480 litres.")
    assert (kept.label, kept.url) == ("1", "https://board.example/levels")
    assert kept.note == "Board: Levels of 2024"
