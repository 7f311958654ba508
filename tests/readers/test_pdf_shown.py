"""PDFs: visible text is read, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from inquest.domain.document import Block, BlockKind, Document
from inquest.domain.errors import PageUnreadable
from inquest.readers.pdf.reader import PdfReader

FILLER = "The county council met in March and approved the accounts of the year without a change."
Read = Callable[..., Document]


def words(text: str, left: float, baseline: float, size: float = 11, more: str = "") -> str:
    """Content that sets a text; `more`: operators before it."""
    return f" BT {more} /F1 {size} Tf 1 0 0 1 {left} {baseline} Tm ({text}) Tj ET\n"


def risen(*parts: str | tuple[str, float, float], left: float = 72, baseline: float = 700, size: float = 11) -> str:
    """A line in which some parts have a size and a rise of their own."""
    shown = ""
    for part in parts:
        text, own, rise = part if isinstance(part, tuple) else (part, size, 0.0)
        shown += f"/F1 {own} Tf {rise} Ts ({text}) Tj "
    return f"BT 1 0 0 1 {left} {baseline} Tm {shown}0 Ts ET\n"


def made(content: str, annotations: Sequence[str] = (), catalog: str = "", form: str = "null") -> bytes:
    """A page with a picture /Im, a form object /Form, states /Clear, /Full and /Through (the form object), a layer
    /Off that is switched off, and annotations from object 8 on."""
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {catalog} /OCProperties << /OCGs [7 0 R] /D << /OFF [7 0 R] >> >> >>",
        "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> "
        f"/XObject << /Im 6 0 R /Form {8 + len(annotations)} 0 R >> "
        f"/ExtGState << /Clear << /ca 0 >> /Full << /ca 1 >> "
        f"/Through << /SMask << /S /Alpha /G {8 + len(annotations)} 0 R >> >> >> "
        "/Properties << /Off 7 0 R >> >> "
        f"/Annots [{' '.join(f'{8 + n} 0 R' for n in range(len(annotations)))}] >>",
        f"<< /Length {len(content.encode('cp1252'))} >>\nstream\n{content}\nendstream",
        "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>"
        "\nstream\nx\nendstream",
        "<< /Type /OCG /Name (Off) >>",
        *annotations,
        form,
    ]
    out = bytearray(b"%PDF-1.5\n")
    places = []
    for number, text in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n".encode("cp1252")
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)


@pytest.fixture
def read(snapshot_of: Any) -> Read:
    def reading(content: str, *annotations: str, **more: str) -> Document:
        body = made(words(FILLER, 72, 760) + content, annotations, **more)
        return PdfReader().read(body, snapshot_of(body, "https://firm.example/r.pdf", content_type="application/pdf"))

    return reading


NOTES = words("1 Measured at the outlet.", 72, 80, 8) + words("2 Estimated in March.", 72, 68, 8)


@pytest.mark.parametrize(
    ("parts", "wanted"),
    [
        (("It emitted 320", ("1", 7, 4), " tonnes of methane."), "It emitted 320 tonnes of methane."),
        (("It was built in 2019", ("1", 7, 4), ", and it paid $320", ("2", 7, 4), "."), "in 2019, and it paid $320."),
        (("It lost 12", ("1", 11, 4), " of them."), "It lost 12 of them."),
        (("It lost 12", ("7", 7, 4), " of them."), "It lost 12 [7] of them."),
        (("It lost 12¹ of them and 30³."), "It lost 12 of them and 30 [3]."),
        (("The site has 40 m", ("2", 7, 4), " and 12 km", ("2", 7, 4), "."), "The site has 40 m² and 12 km²."),
        (("It emits CO", ("2", 7, -2), " and N", ("2", 7, -2), "O."), "It emits CO2 and N2O."),
        (("It was 9 s", ("–", 7, 4), ("1", 7, 4), " or 10", ("–", 7, 4), ("4", 7, 4), "."), "9 s⁻¹ or 10^-4."),
        (("It took 3", ("1", 7, 4), "/", ("2", 7, -1), " hours."), "It took 3 1/2 hours."),
    ],
)  # fmt: skip
def test_raised_text_never_joins_a_figure(read: Read, parts: Any, wanted: str) -> None:
    parts = (parts,) if isinstance(parts, str) else parts
    assert wanted in read(risen(*parts) + NOTES).text


def test_the_places_of_note_marks_and_links_are_kept(read: Read) -> None:
    parts = risen("It emitted 320", ("1", 7, 4), " tonnes. It paid a fine in March.")
    link = (
        "<< /Type /Annot /Subtype /Link /Rect [72 652 140 664] /Border [0 0 0]"
        " /A << /S /URI /URI (https://board.example/fine) >> >>"
    )
    document = read(parts + words("The fine was paid. More is due.", 72, 654) + NOTES, link)
    assert "320 tonnes" in document.text
    found = {document.text[mark.at - 5 : mark.at + 5]: (mark.label, mark.url) for mark in document.note_marks}
    assert list(found.values()) == [("1", ""), ("", "https://board.example/fine")], found


def test_an_address_on_two_lines_is_one(read: Read) -> None:
    lines = (
        "See https://www.board.",
        "example/levels/2024/annual-report for the levels of",
        "2024 and of the years before.",
    )
    document = read("".join(words(line, 72, 640 - 14 * number) for number, line in enumerate(lines)))
    assert "See https://www.board.example/levels/2024/annual-report for the levels" in document.text


def test_a_numbered_list_is_no_list_of_notes(read: Read) -> None:
    listed = words("1. It has 320 plants.", 72, 640) + words("2. It has a wharf.", 72, 626)
    text = read(risen("The site of 320 m", ("2", 7, 4), " has 45", ("2", 7, 4), " parts.") + listed).text
    assert "The site of 320 m² has 45 [2] parts." in text


@pytest.mark.parametrize(
    "hidden",
    [
        words("never happened anywhere", 72, 700, 11, "3 Tr") + " BT 0 Tr ET",
        words("never happened anywhere", 72, 700, 11, "1 g") + " 0 g ",
        words("never happened anywhere", 72, 700, 11, "0.98 0.99 1 rg") + " 0 g ",
        words("never happened anywhere", 72, 700, 0.8),
        words("never happened anywhere", 72, 700, 11, "1 Tz") + " BT 100 Tz ET",
        words("never happened anywhere", 700, 700),
        words("never happened anywhere", 72, -60),
        words("never happened anywhere", 72, 700, 11, "/Clear gs") + " /Full gs ",
        words("never happened anywhere", 72, 700) + "0 g 60 690 300 30 re f",
        "0.1 g 60 690 300 30 re f " + words("never happened anywhere", 72, 700, 11, "0.1 g") + " 0 g ",
        "/OC /Off BDC " + words("never happened anywhere", 72, 700) + "EMC",
        "q 300 90 80 40 re W n " + words("never happened anywhere", 72, 700) + "Q",
        "q " + words("never happened anywhere", 72, 700, 11, "7 Tr") + "60 90 300 30 re f Q",
    ],
    ids="mode|white|near white|tiny|squeezed|right|below|alpha|covered|dark on dark|layer|clipped|clip".split("|"),
)
def test_words_that_nobody_sees_are_left_out_with_a_note(read: Read, hidden: str) -> None:
    document = read(hidden + words("The mill closed in May.", 72, 600))
    assert "The mill closed in May." in document.text and FILLER in document.text
    assert "never" not in document.text and "never" not in document.title
    assert "hidden text left out (3 words on page 1)" in document.notes


def test_covered_words_within_a_line_are_left_out(read: Read) -> None:
    document = read(words("The mill paid Ragna Oskarsdal in May.", 72, 700) + "0 g 136 694 87.5 18 re f")
    assert "The mill paid in May." in " ".join(document.text.split())
    assert "hidden text left out (2 words on page 1)" in document.notes


def form(text: str, more: str = "") -> str:
    """A form object with a text."""
    content = words(text, 72, 700)
    font = "/Resources << /Font << /F1 3 0 R >> >>"
    return (
        f"<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] {font} {more} /Length {len(content)} >>\n"
        f"stream\n{content}\nendstream"
    )


@pytest.mark.parametrize("subtype", ["Square", "Stamp", "Redact"])
@pytest.mark.parametrize(("paint", "is_read"), [("0 g 0 0 300 30 re f", False), ("0 0 300 30 re S", True)])
def test_words_under_an_annotation_are_read_if_they_can_be_seen(
    read: Read, subtype: str, paint: str, is_read: bool
) -> None:
    box = f"<< /Type /XObject /Subtype /Form /BBox [0 0 300 30] /Length {len(paint)} >>\nstream\n{paint}\nendstream"
    annotation = f"<< /Type /Annot /Subtype /{subtype} /F 4 /Rect [60 690 360 720] /AP << /N 9 0 R >> >>"
    document = read(words("It never closed at all.", 72, 700) + words("It paid.", 72, 600), annotation, form=box)
    assert ("never closed" in document.text) is is_read and bool(document.notes) is not is_read


@pytest.mark.parametrize(("layer", "is_read"), [("", True), ("/OC 7 0 R", False)], ids=["of no layer", "switched off"])
def test_a_form_object_is_read_unless_its_layer_is_switched_off(read: Read, layer: str, is_read: bool) -> None:
    inner = form("It never closed at all.", layer)
    document = read("/Form Do q 0.5 0 0 0.5 0 60 cm /Form Do Q " + words("It paid.", 72, 600), form=inner)
    assert document.text.count("never closed") == 2 * is_read and "It paid." in document.text
    assert bool(document.notes) is not is_read


@pytest.mark.parametrize(
    "shown",
    [
        "0 0 0.4 rg 60 690 400 30 re f " + words("It closed in June.", 72, 700, 11, "1 g") + " 0 g ",
        "0.8 g 60 690 400 30 re f 0 g " + words("It closed in June.", 72, 700),
        words("It closed in June.", 72, 700, 11, "0.6 g") + " 0 g ",
        words("It closed in June.", 72, 700, 11, "1 Tr") + " BT 0 Tr ET",
        "q 400 0 0 40 60 690 cm /Im Do Q " + words("It closed in June.", 72, 700, 11, "1 g") + " 0 g ",
        "q 60 690 300 30 re W n " + words("It closed in June.", 72, 700) + "Q",
        "q " + words("It closed in June.", 72, 700, 11, "7 Tr") + "0 0.3 0.6 rg 60 690 300 30 re f Q",
        "q " + words("It closed in June.", 72, 700, 11, "7 Tr") + "400 0 0 40 60 690 cm /Im Do Q",
        "q /Through gs 60 690 300 30 re f Q " + words("It closed in June.", 72, 700, 11, "/Clear gs") + "/Full gs ",
    ],
    ids="on a dark box|on a grey box|grey|outlined|on a picture|within a clip|clip|clip of a picture|mask".split("|"),
)
def test_words_that_can_be_seen_are_kept(read: Read, shown: str) -> None:
    document = read(shown, form=form("It closed in June.", "/Group << /S /Transparency >>"))
    assert document.text.count("It closed in June.") == 1 and not document.notes


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_upright_text_on_a_turned_page_is_read_from_top_to_bottom(snapshot_of: Any, angle: int) -> None:
    lines = ("The ferry took 300 passengers in May and", "twice as many in June, when the pier", "had been widened.")
    body = made("".join(words(line, 72, 700 - 14 * number) for number, line in enumerate(lines)))
    body = body.replace(b"/MediaBox [0 0 595 842]", f"/Rotate {angle} /MediaBox [0 0 595 842]".encode())
    assert PdfReader().read(body, snapshot_of(body, "https://firm.example/r.pdf")).text == " ".join(lines)


def test_an_ocr_layer_over_a_picture_of_the_page_is_its_text(read: Read, snapshot_of: Any) -> None:
    body = made("q 595 0 0 842 0 0 cm /Im Do Q " + words("The mill closed in May.", 72, 600, 11, "3 Tr"))
    document = PdfReader().read(body, snapshot_of(body, "https://firm.example/r.pdf"))
    assert document.text == "The mill closed in May."
    assert any("OCR layer" in note for note in document.notes)
    body = made("q 595 0 0 842 0 0 cm /Im Do Q " + words(FILLER, 72, 640) + words("never", 72, 600, 11, "3 Tr"))
    assert PdfReader().read(body, snapshot_of(body, "https://firm.example/r.pdf")).text == FILLER


def test_a_page_of_hidden_words_alone_says_so(snapshot_of: Any) -> None:
    body = made(words("The mill closed in May.", 72, 600, 11, "3 Tr"))
    with pytest.raises(PageUnreadable, match="5 words in it are hidden"):
        PdfReader().read(body, snapshot_of(body, "https://firm.example/r.pdf"))


def text_of(block: Block, document: Document) -> str:
    return document.text[block.start : block.end]


def struck(document: Document) -> list[str]:
    return [text_of(block, document) for block in document.blocks if block.kind is BlockKind.WITHDRAWN]


@pytest.mark.parametrize(
    "line", ["0.7 w 107 703.5 m 166 703.5 l S", "1.2 w 107 703.5 m 166 703.5 l S", "107 703.2 59 0.6 re f"]
)
def test_words_that_a_line_crosses_are_withdrawn(read: Read, line: str) -> None:
    document = read(risen("It spilt nothing at all into the river.") + line)
    assert struck(document) == ["nothing at all"]
    assert "It spilt into the river." in document.text
    assert any("struck out" in note for note in document.notes)


def test_what_is_struck_or_noted_follows_its_paragraph(read: Read) -> None:
    document = read(
        risen("It spilt nothing at all into the river.") + "0.7 w 107 703.5 m 166 703.5 l S "
        + words("The mill closed in May.", 72, 600) + words("Nobody was asked.", 72, 500),
        "<< /Type /Annot /Subtype /Highlight /Rect [72 598 200 610] /Contents (Is this so?) >>",
    )  # fmt: skip
    assert document.text.split("\n\n")[1:] == [
        "It spilt into the river.",
        "nothing at all",
        "The mill closed in May.",
        "Note: Is this so?",
        "Nobody was asked.",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "0.7 w 107 698 m 166 698 l S",
        "0.5 w 60 703.5 m 540 703.5 l S",
    ],
)
def test_underlines_and_rules_withdraw_nothing(read: Read, line: str) -> None:
    document = read(risen("It spilt nothing at all.") + line)
    assert "It spilt nothing at all." in document.text and not document.blocks


def test_notes_are_comments_and_text_on_the_page_is_text(read: Read) -> None:
    document = read(
        risen("It spilt nothing at all into the river."),
        "<< /Type /Annot /Subtype /Text /Rect [300 700 320 720] /Contents (Is this so?) >>",
        "<< /Type /Annot /Subtype /FreeText /Rect [72 500 300 520] /Contents (Seen by the board.) /DA (/F1 11 Tf) >>",
        "<< /Type /Annot /Subtype /Text /F 2 /Rect [300 700 320 720] /Contents (Unseen.) >>",
        "<< /Type /Annot /Subtype /StrikeOut /Rect [107 698 166 710] /QuadPoints [107 710 166 710 107 698 166 698] >>",
    )
    kinds = {text_of(block, document): block.kind for block in document.blocks}
    assert kinds["Note: Is this so?"] is BlockKind.COMMENT
    assert kinds["Seen by the board."] is BlockKind.PARAGRAPH
    assert struck(document) == ["nothing at all"] and "Unseen" not in document.text


def test_filled_fields_are_read_with_their_labels(read: Read) -> None:
    widget = "<< /Type /Annot /Subtype /Widget /F 4 /P 4 0 R"
    fields = (
        f"{widget} /FT /Tx /T (a1) /V (Ragna Oskarsdal) /Rect [200 596 400 612] >>",
        f"{widget} /FT /Tx /T (a2) /TU (Shares held) /V (14,500) /Rect [200 566 400 582] >>",
        f"{widget} /FT /Tx /T (a3) /V () /Rect [200 536 400 552] >>",
        f"{widget} /FT /Tx /T (a4) /V (Printed already) /Rect [200 496 400 512] >>",
        f"{widget} /FT /Btn /T (a5) /V /Yes /AS /Yes /Rect [72 466 84 478] /AP << /N << /Yes 5 0 R /Off 5 0 R >> >> >>",
        f"{widget} /FT /Ch /Ff 131072 /T (region) /Opt [(North) (South)] /V (South) /Rect [200 436 400 452] >>",
        f"{widget} /FT /Ch /Ff 2097152 /T (catch) /Opt [[(0) (Cod)] [(1) (Eel)] [(2) (Ling)]] /V [(0) (2)]"
        " /Rect [200 406 400 422] >>",
    )
    document = read(
        words("Name:", 72, 600) + words("Address:", 72, 540) + words("Printed already", 202, 500)
        + words("Lives in the county", 90, 468),
        *fields,
        catalog=f"/AcroForm << /Fields [{' '.join(f'{8 + n} 0 R' for n in range(len(fields)))}] >>",
    )  # fmt: skip
    block = next(block for block in document.blocks if block.kind is BlockKind.LIST)
    assert text_of(block, document).split("\n") == [
        "Name: Ragna Oskarsdal",
        "Shares held: 14,500",
        "Lives in the county: yes",
        "region: South",
        "catch: Cod, Ling",
    ]
    assert document.text.count("Printed already") == 1


def test_raised_figures_of_the_font_itself_join_no_figure(snapshot_of: Any) -> None:
    typst = pytest.importorskip("typst")
    body = typst.compile(
        b"The plant emitted 320#footnote[Measured at the outlets.] tonnes on 45 m#super[2]. #strike[It spilt oil.] Dry."
    )
    document = PdfReader().read(body, snapshot_of(body, "https://firm.example/r.pdf"))
    assert document.text.startswith("The plant emitted 320 tonnes on 45 m². Dry.")
    assert struck(document) == ["It spilt oil."]
    body = typst.compile(b"#rotate(-90deg, reflow: true)[Turned 45#super[1] words]")
    document = PdfReader().read(body, snapshot_of(body, "https://firm.example/r.pdf"))
    assert document.text == "Turned 45 [1] words"


def test_a_hidden_word_leaves_no_gap_in_its_sentence(read: Read) -> None:
    shown = "BT /F1 11 Tf 1 0 0 1 72 700 Tm (It spilt ) Tj 3 Tr (nothing at all) Tj 0 Tr ( into the river.) Tj ET"
    assert "It spilt into the river." in read(shown).text


def test_marks_painted_after_their_row_belong_to_the_figures_that_they_stand_behind(read: Read) -> None:
    rows = [("", "2021", "2022", "2023"), ("Crew (number)", "412", "397", "388"), ("Boats (number)", "41", "40", "39")]
    cells = [
        (cell, (72, 280, 360, 440)[n], 640 - 17 * row, 9)
        for row, line in enumerate(rows)
        for n, cell in enumerate(line)
    ]
    marks = [("1", 381, 644, 5), ("2", 461, 644, 5)]
    document = read("".join(words(*each) for each in cells[:4] + marks + cells[4:]) + NOTES)
    (table,) = document.tables
    assert [[document.text[start:end] for start, end in row] for row in table.rows] == [list(row) for row in rows]


def test_several_raised_marks_in_a_row_are_one_group(read: Read) -> None:
    document = read(risen("Of 250", ("17", 7, 4), (",", 7, 4), ("18", 7, 4), " wells", ("a,b", 7, 4), " some are dry."))
    assert "Of 250 [17,18] wells [a,b] some are dry." in document.text


@pytest.mark.parametrize(
    ("labels", "below", "wanted"),
    [
        (("Keeper:", "Soot in 2023:"), "", "Keeper: Tove Ramsli\nSoot in 2023: 4,120 tonnes"),
        (("Keeper", "Soot"), FILLER, "Keeper | Tove Ramsli\n\nSoot | 4,120 tonnes"),
        (("The keeper signed for:", "the soot"), "", "The keeper signed for: the soot"),
    ],
    ids=["colons", "written after text below", "columns of text"],
)
def test_values_written_after_all_labels_stay_with_them(
    read: Read, labels: Sequence[str], below: str, wanted: str
) -> None:
    values = words("Tove Ramsli", 190, 700) + words("4,120 tonnes", 190, 674 if below else 686)
    first, second = words(labels[0], 72, 700), words(labels[1], 72, 674 if below else 686)
    assert wanted in read(first + second + words(below, 72, 640) + values).text


@pytest.mark.parametrize(
    ("initial", "goes_on", "wanted"),
    [
        ("T", "he wells of the island gave", "The wells of the island gave less water than a boat brought."),
        ("A", "boat of the island brought", "A boat of the island brought less water than a boat brought."),
    ],
    ids=["of a word", "a word"],
)
def test_a_large_initial_joins_its_line_and_is_no_title(read: Read, initial: str, goes_on: str, wanted: str) -> None:
    lines = words(goes_on, 104, 728) + words("less water than a boat brought.", 104, 714)
    document = read(words("Wells and boats", 72, 770, 20) + words(initial, 72, 714, 36) + lines)
    assert wanted in document.text and document.title == "Wells and boats"
