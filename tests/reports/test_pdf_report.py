"""The PDF: the same words on paper, and the same bytes each time."""

from __future__ import annotations

import builtins
import re
from typing import Any

import pypdfium2
import pytest

from inquest.domain.errors import SettingError
from inquest.reports.pdf import pdf
from inquest.reports.view import ReportView
from tests.reports.check_cases import LONG
from tests.reports.odd_check_cases import EVERY as VIEWS


def words(text: str) -> str:
    return re.sub(r"[\s\u200b\u0002\ufffe]+", "", text)


def read(content: bytes) -> tuple[str, dict[str, Any], int]:
    with pypdfium2.PdfDocument(content) as document:
        text = "".join(page.get_textpage().get_text_range() for page in document)
        return words(text), document.get_metadata_dict(), len(document)


def test_title_claims_verdicts_quotes_and_hashes_can_be_read_back() -> None:
    view = VIEWS["rich"]
    text, about, pages = read(pdf(view))
    assert about["Title"] == view.summary.title and pages > 1
    for line in (
        view.summary.title,
        *(checked.claim.text for checked in view.claims),
        *(checked.word for checked in view.claims),
        *(citation.quote for citation in view.case.citations),
        *(source.snapshot for source in view.counted_sources),
        "This report is partial",
        "gdelt is unavailable (503).",
        "Two copies of the same story, not counted again: S3 echo.example",
        "page 4",
    ):
        assert words(line) in text


def test_what_a_page_says_is_not_set_as_markup() -> None:
    text, _, _ = read(pdf(VIEWS["hostile"]))
    for line in ("$x^2$", "#panic()", "**bold**", "\\newline", "<script>alert("):
        assert line in text
    assert "\u202e" not in text


@pytest.mark.parametrize("view", [VIEWS[name] for name in ("hostile", "long", "company", "outages")])
def test_the_same_case_gives_the_same_bytes_with_the_date_of_the_case(view: ReportView) -> None:
    first = pdf(view)
    assert pdf(ReportView(view.case.model_copy(deep=True), dict(view.contexts))) == first
    assert read(first)[1]["CreationDate"].startswith(f"D:{view.case.created_at:%Y%m%d%H%M%S}")


def test_without_typst_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name == "typst":
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SettingError, match=r"inquest\[pdf\]"):
        pdf(VIEWS["bare"])


def test_the_pdf_of_a_check_reads_like_its_other_forms() -> None:
    view = VIEWS["company"]
    text, about, pages = read(pdf(view))
    assert about["Title"] == "Claims of Brünnfeld Werke AG checked" and pages > 3
    for line in (
        "31 claims found in the report that can be checked; six checked; one removed by the user; 24 left out",
        "not an accusation", "Contradicted (1)", "Verified (2)", LONG, "We cut our Scope 1 emissions by 42 %",
        "a decrease of 15 per cent", "Range: 0.55 to 0.7 t CO2e per tonne of clinker; reported 0.61",
        "Alignment with the standard: partially aligned",
        "The legal desk is not installed", "Two passages on C5",
    ):  # fmt: skip
        assert words(line) in text, line


def test_a_check_without_claims_and_one_of_outages_alone_are_reports_too() -> None:
    assert words("The report makes no claim that can be checked.") in read(pdf(VIEWS["no claims"]))[0]
    text, _, _ = read(pdf(VIEWS["outages"]))
    assert words("Each could not be reached.") in text and words("Could not be checked") in text
