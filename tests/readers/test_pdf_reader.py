"""PDFs: whole sentences, page by page."""

from __future__ import annotations

from typing import Any

import pytest
import typst

from inquest.domain.document import Document
from inquest.domain.errors import PageUnreadable
from inquest.readers.pdf.reader import PdfReader

BODY = 11.0


def paragraph(top: float, *lines: str, left: float = 72, size: float = BODY) -> list[tuple[float, float, float, str]]:
    return [(left, top - 14 * number, size, line) for number, line in enumerate(lines)]


@pytest.fixture
def read(snapshot_of: Any) -> Any:
    def reading(body: bytes) -> Document:
        return PdfReader().read(
            body, snapshot_of(body, "https://firm.example/report.pdf", content_type="application/pdf")
        )

    return reading


def test_lines_of_a_paragraph_are_joined_and_paragraphs_kept_apart(read: Any, pdf_of: Any) -> None:
    document = read(
        pdf_of(
            [
                [
                    *paragraph(
                        700,
                        "The plant emitted 4,300 tonnes of solvent in 2023, which",
                        "is a fifth less than a year before.",
                    ),
                    *paragraph(640, "The permit allows 5,000 tonnes."),
                ]
            ]
        )
    )
    assert document.text == (
        "The plant emitted 4,300 tonnes of solvent in 2023, which is a fifth less than a year before.\n\n"
        "The permit allows 5,000 tonnes."
    )


def test_words_divided_at_a_lines_end_are_joined_as_the_document_spells_them(read: Any, pdf_of: Any) -> None:
    document = read(
        pdf_of(
            [
                [
                    *paragraph(
                        700,
                        "Emissions fell, and the company calls its long-term target ambi-",
                        "tious. It is a science-",
                    ),
                    *paragraph(
                        672,
                        "based target, and the emis-",
                        "sions count from 2019. A state-of-the-",
                        "art filter helps.",
                    ),
                ]
            ]
        )
    )
    assert "its long-term target ambitious." in document.text
    assert "a science-based target, and the emissions count from 2019. A state-of-the-art filter" in document.text


def test_a_hyphen_added_by_hyphenation_is_undone(read: Any) -> None:
    source = r"The mill’s emis‐\ sions fell by 3.4 mil‐\ lion litres of Rhine‐\ Main wa‐#pagebreak()ter in 2023."
    assert read(typst.compile(source.encode())).text == (
        "The mill’s emissions fell by 3.4 million litres of Rhine-Main water in 2023."
    )


def test_a_soft_hyphen_painted_within_a_line_is_a_hyphen(read: Any, pdf_of: Any) -> None:
    lines = ("Twenty\xadfour mills counted their long\xadterm emis\xad", "sions in the years 2019\xad2023.")
    assert read(pdf_of([paragraph(700, *lines)])).text == (
        "Twenty-four mills counted their long-term emissions in the years 2019-2023."
    )


def test_wide_gaps_of_justified_lines_are_spaces_and_those_of_contents_are_not(read: Any) -> None:
    prose = (
        "Our mills emitted less solvent than in the year before. Nonchlorinated polymerisation alternatives "
        "unquestionably contributed considerably to the lower emissions of the plant in Ostrey, which is the largest."
    )
    contents = "#grid(columns: (1fr, auto), row-gutter: 6pt, [Waste], [3], [Water], [12])"
    setting = (
        "#set page(width: 180pt, height: 400pt, margin: 20pt)\n#set text(hyphenate: false)\n#set par(justify: true)"
    )
    source = f"{setting}\n{prose}\n\n{contents}"
    assert read(typst.compile(source.encode())).text == f"{prose}\n\nWaste | 3\nWater | 12"


@pytest.mark.parametrize("later", [0, 110])
def test_a_raised_mark_written_later_ends_a_justified_line(read: Any, pdf_of: Any, later: int) -> None:
    words = "open pond band upon been done good hand".split()  # of one width
    full = [(72 + 26.6 * at, top, 10, word) for top in (700, 676) for at, word in enumerate(words)]
    wide = [(72 + 60.8 * at, 688, 10, word) for at, word in enumerate(words[:4])]
    below = [(72, 600 - 5 * at, 4, "Waste") for at in range(later)]
    text = read(pdf_of([[*full[:8], *wide, *full[8:], *below, (277.1, 691, 6, "2")]])).text
    assert "open pond band upon" in text.split("hand")[1]


def test_a_word_divided_at_the_foot_of_a_page_is_not_joined_to_the_note_below(read: Any, pdf_of: Any) -> None:
    note = (72, 62, 7, "4 See the report of 1999.")
    document = read(pdf_of([[*paragraph(700, "The railway hired buses, of which only seventy-"), note]]))
    assert "seventy-\n\n4 See the report" in document.text


def test_a_sentence_that_runs_over_a_page_is_whole(read: Any, pdf_of: Any) -> None:
    document = read(
        pdf_of([paragraph(700, "The council decided that the bridge"), paragraph(700, "will be closed until spring.")])
    )
    assert document.text == "The council decided that the bridge will be closed until spring."
    assert document.page_of(document.text.index("will be")) == 2


def test_notes_at_the_foot_do_not_cut_a_sentence_that_runs_over_the_page(read: Any, pdf_of: Any) -> None:
    notes = [(72, 112, 7, "4 See the report of 1999."), (72, 102, 7, "5 Minutes, page 8.")]
    first = [*paragraph(700, "The council decided that the bridge"), *notes]
    below = [*paragraph(700, "will be closed until spring."), *paragraph(600, "The ferry carries cars.")]
    assert read(pdf_of([first, below])).text == (
        "The council decided that the bridge will be closed until spring.\n\n4 See the report of 1999.\n"
        "5 Minutes, page 8.\n\nThe ferry carries cars."
    )
    apart = read(pdf_of([[*paragraph(700, "The bridge is closed."), *notes], below]))
    assert apart.text.startswith("The bridge is closed.\n\n4 See") and apart.page_of(apart.text.index("5 Min")) == 1


def test_running_heads_feet_and_page_numbers_are_left_out(read: Any, pdf_of: Any) -> None:
    pages = [
        [
            (72, 810, 8, "Annual Report 2023"),
            *paragraph(700, f"Chapter {word} says something that stands only here."),
            (290, 30, 8, f"Page {number} of 4"),
        ]
        for number, word in enumerate(("one", "two", "three", "four"), 1)
    ]
    text = read(pdf_of(pages)).text
    assert "Annual Report" not in text and "Page" not in text
    assert text.count("says something") == 4
    first = [*paragraph(700, "The council decided that the"), (72, 30, 8, "Harbour Board 1")]
    second = [*paragraph(700, "bridge will be closed."), (72, 30, 8, "Harbour Board 2")]
    assert read(pdf_of([first, second])).text == "The council decided that the bridge will be closed."
    assert "Harbour Board" in read(pdf_of([first])).text


def test_bullets_and_numbers_apart_from_their_items_are_joined_with_them(read: Any, pdf_of: Any) -> None:
    items = paragraph(600, "Wells were drilled.", "Pumps were sold.", left=100)
    marks = [(85, 600, BODY, "1."), (85, 586, BODY, "2.")]
    assert read(pdf_of([[*items, *marks]])).text == "1. Wells were drilled.\n2. Pumps were sold."
    numbered = [(40, 700, BODY, "12."), *paragraph(700, "The claimant ran a ferry between Ostrey", "and Velmark.")]
    assert read(pdf_of([numbered])).text == "12. The claimant ran a ferry between Ostrey and Velmark."


def test_short_lines_indented_from_the_text_are_the_items_of_a_list(read: Any, pdf_of: Any) -> None:
    prose = paragraph(700, "The council of the town adopted these measures on Monday and will review them in June:")
    items = paragraph(660, "Insulate 1,200 flats by 2027", "Commission a heat pump", left=100)
    assert read(pdf_of([[*prose, *items]])).text.endswith("flats by 2027\nCommission a heat pump")
    quote = paragraph(660, "The harbour shall keep the lights", "upon the piers of Ostrey and", "Velmark.", left=100)
    assert "lights upon the piers of Ostrey and Velmark." in read(pdf_of([[*prose, *quote]])).text


def test_text_written_across_two_columns_is_read_column_by_column(read: Any, pdf_of: Any) -> None:
    rows = [
        ("The county closed the old pier after an inspec-", "road along the water stayed open. Members of"),
        ("tion of its piles, and the boats are to leave", "the council will meet next week to discuss a"),
        ("from the fish quay until the end of the year.", "bill that the treasurer has put at 2.6 million"),
        ("nobody was hurt there, the police said, and the", "crowns, and for which she has asked for a loan."),
    ]
    lines = [
        (left, 700.0 - 14 * number, BODY, words)
        for number, row in enumerate(rows)
        for left, words in zip((40.0, 330.0), row, strict=True)
    ]
    text = read(pdf_of([lines])).text
    assert "an inspection of its piles, and the boats are to leave from the fish quay" in text
    assert "the police said, and the road along the water stayed open. Members of the council" in text


def test_title_author_and_date_come_from_the_file(read: Any, pdf_of: Any) -> None:
    info = "/Title (Climate Report) /Author (Ida Holm) /CreationDate (D:20240510144701+02'00')"
    document = read(pdf_of([paragraph(700, "Some text of the report.")], info))
    assert (document.title, document.author) == ("Climate Report", "Ida Holm")
    assert document.published and (document.published.iso, document.published.how) == ("2024-05-10T12:47:01Z", "file")


@pytest.mark.parametrize("declared", ["", "Microsoft Word - draft7.docx", "Untitled"])
def test_without_a_real_title_the_largest_line_is_it(read: Any, pdf_of: Any, declared: str) -> None:
    lines = [(72, 740, 24, "Water in the valley"), *paragraph(690, "What the measurements of a year have shown.")]
    assert read(pdf_of([lines], f"/Title ({declared})")).title == "Water in the valley"


@pytest.mark.parametrize("day", ["Wenby, 5 March 2024", "Judgment of 5 March 2024"])
def test_the_head_of_a_letter_has_its_date_and_no_title(read: Any, pdf_of: Any, day: str) -> None:
    sides = [*paragraph(700, "Ms Ann Lee", "The Quay"), *paragraph(660, "Ref: V4-118", day, left=330)]
    wrote = "You asked on 12 January 2024 how much mud was dumped in the"
    text = paragraph(580, "Dear Ms Lee,", wrote, "harbour. It was 5,020 tonnes. None of", "it was tested.")
    document = read(pdf_of([[(72, 790, 9, "Ministry of Ports"), *sides, *text]], "/CreationDate (D:20250510144701)"))
    assert document.title == "Ministry of Ports"
    assert document.published and document.published.iso == "2024-03-05"


@pytest.mark.parametrize(
    ("below", "author"),
    [
        ("Ida van der Holm\xb9, Ulf Berg\xb2 and Ann Lee\xb9", "Ida van der Holm, Ulf Berg, Ann Lee"),
        ("Ida Holm\xb9 of Wenby, Ulf Berg\xb2", None),
        ("Interim Results\xb9", None),
    ],
)
def test_names_with_marks_below_the_title_are_authors(read: Any, pdf_of: Any, below: str, author: str | None) -> None:
    lines = [(72, 740, 24, "Water in the valley"), (72, 710, 11, below), *paragraph(670, "We measured it for a year.")]
    assert read(pdf_of([lines])).author == author


def test_an_encrypted_file_says_so(read: Any, pdf_of: Any) -> None:
    with pytest.raises(PageUnreadable, match="is encrypted: it opens only with a password"):
        read(pdf_of([paragraph(700, "secret")], encrypted=True))


def test_a_scan_says_that_it_needs_ocr(read: Any, pdf_of: Any) -> None:
    with pytest.raises(PageUnreadable, match="is a scan: there is no text on its 3 pages") as caught:
        read(pdf_of([[], [], []]))
    assert "OCR" in caught.value.advice


def test_pages_without_text_are_counted(read: Any, pdf_of: Any) -> None:
    document = read(pdf_of([paragraph(700, "First page."), [], paragraph(700, "Third page.")]))
    assert document.notes == ("no text on 1 of 3 pages",)
    assert document.page_of(document.text.index("Third")) == 3


@pytest.mark.parametrize("kept", [8, 300])
def test_a_file_cut_off_early_says_so(read: Any, pdf_of: Any, kept: int) -> None:
    with pytest.raises(PageUnreadable, match=r"damaged|no pages"):
        read(pdf_of([paragraph(700, "Some text.")])[:kept])


def test_a_file_cut_off_late_is_read_with_a_note(read: Any, pdf_of: Any) -> None:
    document = read(pdf_of([paragraph(700, "Some text that is whole.")])[:-8])
    assert document.text == "Some text that is whole."
    assert "the file looks cut off" in document.notes


def test_real_reports_are_read_in_whole_sentences(read: Any, shared: Any) -> None:
    body = (shared / "data/reports/BMW_SR_2022.pdf").read_bytes()
    text = read(body).text
    assert "people around us, managing relationships" in text
    assert text.count("Our Memberships – our positions are consistent") == 1  # printed beside every page
    assert "\x02" not in text and "\ufffe" not in text


def test_rows_of_a_table_are_lines_and_headings_stand_alone(read: Any, pdf_of: Any) -> None:
    lines = [
        (72.0, 740.0, 20.0, "Emissions by scope"),
        (72.0, 700.0, BODY, "Scope 1"),
        (250.0, 700.0, BODY, "1,204 t"),
        (72.0, 686.0, BODY, "Scope 2"),
        (250.0, 686.0, BODY, "3,310 t"),
    ]
    text = read(pdf_of([lines])).text
    assert text.startswith("Emissions by scope\n\n")
    assert "Scope 1 | 1,204 t" in text and "Scope 2 | 3,310 t" in text
