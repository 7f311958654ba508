"""Pictures and scanned pages, read by an OCR engine."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.errors import BudgetMet, PageTooLarge, PageUnreadable
from inquest.kit.reader import page_progress
from inquest.readers import ocr, pick
from inquest.readers.ocr import ImageReader, OcrLine, OcrPage, OcrWord, read_picture
from inquest.readers.pdf import drawing, reader
from inquest.readers.pdf.drawing import draw_page
from inquest.readers.pdf.layout import text_of_pages
from inquest.readers.pdf.reader import PdfReader

HAS_OCR = pytest.mark.skipif(find_spec("rapidocr") is None, reason="the extra ocr is not installed")
INK = np.zeros((1_200, 900, 3), dtype=np.uint8)
INK[::50] = 255


class Engine:
    """Finds given lines, whatever the rotation of a picture: one list of lines for each picture."""

    def __init__(self, *found: Sequence[OcrLine]) -> None:
        self._found = list(found)
        self.shown: list[tuple[int, ...]] = []

    def lines(self, dots: ocr.Dots) -> list[OcrLine]:
        self.shown.append(dots.shape)
        return list(self._found[min(len(self.shown), len(self._found)) - 1])


def line(text: str, left: float, top: float, *, sure: float = 0.98, slope: float = 0.0, wide: float = 8.0) -> OcrLine:
    """A line 20 dots high with `wide` dots per letter, each word with its box; a sloping one falls to the right."""
    words, at = [], left
    for word in text.split():
        down = slope * (at - left)
        words.append(OcrWord(word, (at, top + down, at + wide * len(word), top + down + 20)))
        at += wide * (len(word) + 1)
    right = at - wide
    return OcrLine(
        text,
        (left, top + min(0, slope * (right - left)), right, top + 20 + max(0, slope * (right - left))),
        sure,
        slope,
        tuple(words),
    )


def text_of(page: OcrPage) -> str:
    made = page.laid_out(0.36)
    return text_of_pages([made])[0].text


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Make the readers use an engine, or none."""

    def put(engine: Any) -> None:
        for module in (reader, ocr, drawing):
            monkeypatch.setattr(module, "engine", lambda: engine)

    return put


LEFT = [
    "The council met on Monday evening to",
    "discuss the plan for the new harbour.",
    "It was adopted by nine votes to four.",
]
RIGHT = [
    "Ferries will run from the old quay un-",
    "til the works are finished in autumn.",
    "The mayor thanked all the residents.",
]


def test_columns_are_read_one_after_the_other_under_their_heading() -> None:
    found = [line("Harbour plan adopted after long debate", 60, 40, wide=14)]
    for place, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        found += [line(right, 480, 120 + 24 * place), line(left, 60, 121 + 24 * place)]
    text = text_of(read_picture(Engine(found), INK))
    assert text.startswith("Harbour plan adopted after long debate\n\nThe council met on Monday evening to discuss")
    assert text.index("nine votes to four") < text.index("Ferries will run from the old quay until the works")


def test_the_rows_of_a_table_stay_rows_with_their_heads() -> None:
    rows = [
        ("Emissions in tonnes", "2021", "2022"),
        ("Scope 1", "140", "120"),
        ("Scope 2", "90", "75"),
        ("Scope 3", "410", "388"),
    ]
    found = [
        line(cell, left, 100 + 32 * row)
        for row, cells in enumerate(rows)
        for left, cell in zip((60, 420, 620), cells, strict=True)
    ]
    page = read_picture(Engine(found[::-1]), INK).laid_out(0.36)
    (text, tables), _ = text_of_pages([page])
    assert "Scope 1 | 140 | 120" in text
    assert [text[slice(*cell)] for cell in tables[0].rows[0]][-2:] == ["2021", "2022"]


@given(st.floats(-0.087, 0.087))
def test_a_page_that_lies_askew_is_read_line_by_line(slope: float) -> None:
    found = [line(text, 60 + 24 * place, 300 + 24 * place, slope=slope) for place, text in enumerate([*LEFT, *RIGHT])]
    text = " ".join(" ".join(each.text for each in read_picture(Engine(found[::-1]), INK).lines).split())
    assert text == " ".join([*LEFT, *RIGHT])


@pytest.mark.parametrize(("turns", "tried"), [(1, [0, 1]), (3, [0, 1, 3]), (2, [0, 2])])
def test_a_page_on_its_side_or_its_head_is_turned(turns: int, tried: list[int]) -> None:
    upright = [line(text, 60, 100 + 24 * place) for place, text in enumerate(LEFT)]
    sideways = [OcrLine(each.text, (each.box[1], each.box[0], each.box[3], each.box[2]), 0.97) for each in upright]
    unsure = [line("oj 6u!uǝʌǝ", 60, 100, sure=0.6)]
    found = [sideways if turns != 2 else unsure, *([unsure] if turns == 3 else []), upright]
    engine = Engine(*found)
    page = read_picture(engine, INK)
    assert [each.text for each in page.lines] == LEFT
    assert len(engine.shown) == len(tried)
    # Words are placed on the original picture: rotated like the page, they are where the engine saw them.
    first = page.words[0].box
    height, width = INK.shape[:2]
    seen = upright[0].words[0].box
    middle = ((first[0] + first[2]) / 2, (first[1] + first[3]) / 2)
    x, y = (seen[0] + seen[2]) / 2, (seen[1] + seen[3]) / 2
    assert middle == {1: (width - y, x), 2: (width - x, height - y), 3: (y, height - x)}[turns]


def test_unsure_lines_are_left_out_and_counted_and_a_scrawl_is_no_text() -> None:
    page = read_picture(
        Engine(
            [*(line(text, 60, 100 + 24 * place) for place, text in enumerate(LEFT)), line("tke Wwq", 60, 400, sure=0.5)]
        ),
        INK,
    )
    assert ([each.text for each in page.lines], page.unsure) == (LEFT, 1)
    assert ocr.ocr_notes({1: page}, 1) == [
        "read by OCR (confidence 98%, 1 unsure line is left out): compare quotes with the picture"
    ]
    scrawl = read_picture(Engine([line(text, 60, 100, sure=0.4) for text in LEFT] + [line("and", 60, 300)]), INK)
    assert not scrawl.lines
    assert ocr.ocr_notes({2: scrawl}, 3) == ["OCR cannot read page 2: handwriting, or not sharp enough"]


def test_a_blank_page_is_not_shown_to_the_engine() -> None:
    engine = Engine([line(LEFT[0], 60, 100)])
    assert not read_picture(engine, np.full((800, 600, 3), 250, dtype=np.uint8)).lines
    assert not engine.shown


def test_pages_without_text_are_read_and_the_others_are_not(use: Any, pdf_of: Any, snapshot_of: Any) -> None:
    body = pdf_of([[(72, 700, 12, "The first page has its text.")], [(72, 700, 12, "####")]])
    engine = Engine([line(text, 160, 300 + 24 * place) for place, text in enumerate(LEFT)])
    use(engine)
    document = PdfReader().read(body, snapshot_of(body))
    assert len(engine.shown) == 1
    assert document.text.startswith("The first page has its text.\n\nThe council met")
    assert document.page_of(document.text.index("nine votes")) == 2
    assert document.notes == ("read by OCR on page 2 of 2 (confidence 98%): compare quotes with the picture",)
    marked, plain = (draw_page(body, 2, quote) for quote in ("It was adopted by nine votes to four.", ""))
    assert marked != plain


def test_reading_scans_can_be_stopped(use: Any, pdf_of: Any, snapshot_of: Any) -> None:
    body = pdf_of([[(72, 700, 12, "####")]] * 3)
    engine = Engine([line(LEFT[0], 60, 100)])
    use(engine)

    def stop(page: int, pages: int) -> None:
        if engine.shown:
            raise BudgetMet("cancelled", "The reading was stopped.")

    with page_progress(stop), pytest.raises(BudgetMet):
        PdfReader().read(body, snapshot_of(body))
    assert len(engine.shown) == 1


def test_without_the_extra_one_sentence_names_the_command(use: Any, pdf_of: Any, snapshot_of: Any) -> None:
    use(None)
    for body in (pdf_of([[], []]), b"\x89PNG\r\n\x1a\n" + b"0" * 50, b"RIFF0000WEBPVP8 "):
        with pytest.raises(PageUnreadable) as caught:
            pick("", body, "https://x.example/a").read(body, snapshot_of(body))
        assert "pip install 'inquest[ocr]'" in caught.value.advice
    with pytest.raises(PageUnreadable, match="cannot be drawn"):
        draw_page(b"\x89PNG\r\n\x1a\n", 1, "a quote")


@HAS_OCR
def test_frames_are_pages_and_the_camera_says_which_way_is_up(use: Any, snapshot_of: Any) -> None:
    from PIL import Image

    engine = Engine([line(text, 60, 100 + 24 * place) for place, text in enumerate(LEFT)], [line(RIGHT[2], 60, 100)])
    use(engine)
    frame = Image.fromarray(INK)
    turned = frame.rotate(90, expand=True)
    exif = Image.Exif()
    exif[0x0112] = 6
    photo = io.BytesIO()
    turned.save(photo, "JPEG", exif=exif)
    read(photo.getvalue(), snapshot_of)
    assert engine.shown.pop() == INK.shape
    scan = io.BytesIO()
    frame.save(scan, "TIFF", save_all=True, append_images=[frame])
    engine = Engine([line(text, 60, 100 + 24 * place) for place, text in enumerate(LEFT)], [line(RIGHT[2], 60, 100)])
    use(engine)
    document = read(scan.getvalue(), snapshot_of)
    assert document.page_of(document.text.index("The mayor")) == 2


@HAS_OCR
def test_a_picture_that_claims_too_many_dots_or_breaks_off_says_so(use: Any, snapshot_of: Any) -> None:
    use(Engine([]))
    header = b"IHDR" + (60_000).to_bytes(4) * 2 + b"\x08\x02\0\0\0"
    bomb = b"\x89PNG\r\n\x1a\n"
    for chunk in (header, b"IDAT" + zlib.compress(bytes(10**6))):
        bomb += (len(chunk) - 4).to_bytes(4) + chunk + zlib.crc32(chunk).to_bytes(4)
    with pytest.raises(PageTooLarge, match="more than 80 million pixels"):
        read(bomb, snapshot_of)
    whole = io.BytesIO()
    from PIL import Image

    Image.fromarray(np.random.default_rng(1).integers(0, 255, (300, 300, 3), dtype=np.uint8)).save(whole, "PNG")
    with pytest.raises(PageUnreadable, match="damaged or incomplete"):
        read(whole.getvalue()[:5_000], snapshot_of)


@HAS_OCR
def test_real_pictures_are_read_the_same_each_time_and_quotes_are_marked(pdf_of: Any, snapshot_of: Any) -> None:
    typst = pytest.importorskip("typst", reason="the extra pdf is not installed")
    words = "The harbour of Rolvsund handled 4,320 tonnes of salt in 2023, and 3,975 tonnes in the year before."
    body = typst.compile(f"#set page(width: 12cm, height: 8cm)\n{words}".encode(), format="png", ppi=200)
    document = read(body, snapshot_of)
    assert " ".join(document.text.split()) == words
    assert read(body, snapshot_of) == document
    assert draw_page(body, 1, "4,320 tonnes of salt in 2023") != draw_page(body, 1)


def read(body: bytes, snapshot_of: Any) -> Any:
    return ImageReader().read(body, snapshot_of(body))
