"""Quality of reading pages from pictures: pages of real reports, and real articles set in one column.

Each page is drawn at 150 and 300 dots per inch, saved as JPEG, and read as a picture. Its text is known: that of the
PDF, or the text that was set. `char_error` is the edit distance relative to the length, for the articles (in reports it
would measure the order of boxes, not letters); `quotes` is the share of sentences of at least 40 letters that are found
with at most two edits, with curly quotation marks and long dashes treated as plain ones. `sure_right` and
`unsure_wrong` show what the confidence threshold for lines keeps and leaves out.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

import numpy as np

from bench.figures import Figure
from inquest.domain.document import Snapshot
from inquest.readers import ocr
from inquest.readers.ocr import ImageReader
from inquest.readers.pdf.reader import PdfReader
from inquest.text.sentences import sentences

__all__ = ["DATA", "edits", "measure"]

DATA = "data"
_PAGES = 4
"""Number of pages of each kind; a page takes two to ten seconds at each size."""
_DOTS = (75, 150, 300)
_LETTERS = 2_000
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_PLAIN = str.maketrans("“”„‘’–—", '"""\'\'--')
_SETTING = b"""#set page(paper: "a4", margin: 25mm)
#set text(size: 10pt)
#set par(justify: true)
#for each in sys.inputs.text.split("\\n\\n") [#par(each)]"""


def measure(data: Path) -> list[Figure]:
    """`data` is a folder with pages/gold.jsonl (`text`) and reports/*.pdf."""
    engine = ocr.engine()
    if engine is None:
        print(f"ocr: not measured. {ocr.INSTALL}", file=sys.stderr)
        return []
    kinds = (_articles(data / "pages" / "gold.jsonl"), _reports(data / "reports"))
    pages = [(body, truth.translate(_PLAIN), article) for kind in kinds for body, truth, article in kind]
    figures = []
    for dots in _DOTS:
        recorded = _Recording(engine)
        errors, letters, found, quotes, pages_read = 0, 0, 0, 0, 0
        missed: list[str] = []
        started = time.process_time()
        with patch.object(ocr, "engine", return_value=recorded):
            for body, truth, is_article in pages:
                text = " ".join(_read(_picture(body, dots)).translate(_PLAIN).split())
                pages_read += 1
                recorded.judge(truth)
                if is_article:
                    errors += edits(" ".join(truth.split()), text)
                    letters += len(truth)
                for sentence in _quotes(truth):
                    quotes += 1
                    hit = edits(sentence, text, anywhere=True) <= 2
                    found += hit
                    missed += [] if hit else [sentence[:90]]
        details = {"pages": pages_read, "sentences": quotes, "missed": missed[:5]}
        seconds = (time.process_time() - started) / pages_read
        figures += [
            Figure("ocr", f"char_error_{dots}", errors / letters, "edits over letters", {"letters": letters}),
            Figure("ocr", f"quotes_{dots}", found / quotes, "within two edits", details),
            Figure("ocr", f"seconds_{dots}", seconds, "of the processor a page, one thread"),
            Figure("ocr", f"sure_right_{dots}", recorded.sure_right, "of the lines read rightly, those kept"),
            Figure("ocr", f"unsure_wrong_{dots}", recorded.unsure_wrong, "of the lines misread, those left out"),
        ]
    return figures


def edits(text: str, other: str, *, anywhere: bool = False) -> int:
    """The edit distance of two texts, or, if `anywhere`, of the first and the most similar part of the second."""
    wide = np.array([ord(char) for char in other], dtype=np.int32)
    places = np.arange(len(wide) + 1)
    row = np.zeros_like(places) if anywhere else places
    for number, char in enumerate(text, 1):
        best = np.minimum(row[1:] + 1, row[:-1] + (wide != ord(char)))
        row = np.minimum.accumulate(np.concatenate(([number], best)) - places) + places
    return int(row.min() if anywhere else row[-1])


class _Recording:
    """An engine, with counts of right and wrong lines among those it was sure and unsure of."""

    def __init__(self, engine: ocr.OcrEngine) -> None:
        self._engine = engine
        self._lines: list[ocr.OcrLine] = []
        self._right: list[float] = []
        self._wrong: list[float] = []

    def lines(self, dots: ocr.Dots) -> list[ocr.OcrLine]:
        self._lines = self._engine.lines(dots)
        return self._lines

    def judge(self, truth: str) -> None:
        bare = ocr.bare_letters(truth)
        for line in self._lines:
            letters = ocr.bare_letters(line.text)
            (self._right if letters.translate(_PLAIN) in bare else self._wrong).append(line.confidence)

    @property
    def sure_right(self) -> float:
        return sum(sure >= ocr.LEAST_SURE for sure in self._right) / max(1, len(self._right))

    @property
    def unsure_wrong(self) -> float:
        return sum(sure < ocr.LEAST_SURE for sure in self._wrong) / max(1, len(self._wrong))


def _articles(gold: Path) -> Iterator[tuple[bytes, str, bool]]:
    import typst

    lines = gold.read_text("utf-8").splitlines()
    for line in lines[:: max(1, len(lines) // _PAGES)][:_PAGES]:
        text = json.loads(line)["text"][:_LETTERS].rsplit(" ", 1)[0]
        yield typst.compile(_SETTING, sys_inputs={"text": text}), text, True


def _reports(folder: Path) -> Iterator[tuple[bytes, str, bool]]:
    from pypdfium2 import PdfDocument

    files = sorted(folder.glob("*.pdf"))
    for file in files:
        whole = PdfDocument(file.read_bytes())
        wanted = max(1, _PAGES // len(files))
        full = [number for number in range(len(whole)) if whole[number].get_textpage().count_chars() > 1_500]
        for number in full[:: max(1, len(full) // wanted)][:wanted]:
            single, body = PdfDocument.new(), io.BytesIO()
            single.import_pages(whole, [number])
            single.save(body)
            yield body.getvalue(), PdfReader().read(body.getvalue(), _snapshot(body.getvalue())).text, False


def _quotes(truth: str) -> list[str]:
    found = (" ".join(truth[span.start : span.end].split()) for span in sentences(truth))
    return [text for text in found if len(text) >= 40 and "|" not in text]


def _picture(body: bytes, dots: int) -> bytes:
    from pypdfium2 import PdfDocument

    out = io.BytesIO()
    PdfDocument(body)[0].render(scale=dots / 72).to_pil().convert("RGB").save(out, "JPEG", quality=70)
    return out.getvalue()


def _read(body: bytes) -> str:
    return ImageReader().read(body, _snapshot(body)).text


def _snapshot(body: bytes) -> Snapshot:
    hash_ = "sha256:" + hashlib.sha256(body).hexdigest()
    url = "https://pages.example/page"
    return Snapshot(hash=hash_, url=url, final_url=url, retrieved_at=_NOW, size=len(body))
