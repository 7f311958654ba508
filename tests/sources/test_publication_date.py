"""The date of publication of a document, from its date witnesses."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.document import Document, Precision
from inquest.domain.reasons import in_words, noted, sentences
from inquest.sources.dating import (
    DateWitness,
    from_document,
    from_text,
    from_url,
    from_value,
    publication_date,
    with_capture,
)

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)


def said(value: str, how: str = "metadata", where: str = "a tag") -> DateWitness:
    witness = from_value(value, where, how=how)
    assert witness
    return witness


def test_metadata_outweighs_the_address_and_two_kinds_of_witness_outweigh_one() -> None:
    dated = publication_date([said("2024-02-01", "url", "the address"), said("2024-03-05")], NOW)
    assert dated.published and dated.published.iso == "2024-03-05"
    assert sentences(dated.notes) == ("dates disagree: a tag says 2024-03-05, the address says 2024-02-01",)
    witnesses = [said("2024-03-05"), said("2019-11-18", "visible text"), said("2019-11-18", "url")]
    dated = publication_date(witnesses, NOW)
    assert dated.published and dated.published.iso == "2019-11-18"
    assert "2024-03-05" in in_words(dated.notes[0])


def test_the_day_that_accounts_are_drawn_up_to_is_not_the_day_they_come_out() -> None:
    drawn_up = said("2024-12-31", "visible text", "the text")
    dated = publication_date([drawn_up, said("2025-04-15", "file", "the file")], NOW)
    assert dated.published and dated.published.iso == "2025-04-15"
    alone = publication_date([drawn_up], NOW)
    assert alone.published and alone.published.iso == "2024-12-31"
    within = publication_date([said("2024-12-30", "visible text", "the text"), said("2025-04-15", "file")], NOW)
    assert within.published and within.published.iso == "2024-12-30"


def test_a_printed_date_with_day_and_month_the_other_way_round_is_the_declared_one() -> None:
    printed, declared = said("2024-05-03", "visible text", "the text"), said("2024-03-05", "file", "a tag")
    dated = publication_date([printed, declared], NOW)
    assert dated.published and dated.published.iso == "2024-03-05"
    assert dated.notes == () and not dated.evidence[0].used


def test_dates_that_agree_give_the_most_precise_one_without_a_note() -> None:
    dated = publication_date([said("2024-03-05"), said("2024-03-05T10:20:30Z"), said("2024-03", "url")], NOW)
    assert dated.published and dated.published.iso == "2024-03-05T10:20:30Z"
    assert dated.notes == ()
    dated = publication_date([said("2024-03-05T23:30:00-08:00"), said("2024-03-05", "url")], NOW)
    assert dated.published and dated.published.iso == "2024-03-06T07:30:00Z"
    assert dated.notes == ()


def test_a_date_after_retrieval_is_never_used() -> None:
    dated = publication_date([said("2025-06-02"), said("2024-01-01", "url")], NOW)
    assert dated.published and dated.published.iso == "2024-01-01"
    assert sentences(dated.notes) == ("a tag gives a date after retrieval, 2025-06-02; it is not used",)
    assert publication_date([said("2026-01-01")], NOW).published is None


@pytest.mark.parametrize("unknown", ["1970-01-01T00:00:00Z", "1970-01-01", "1900-01-01"])
def test_what_systems_write_for_unknown_is_no_date(unknown: str) -> None:
    assert publication_date([said(unknown)], NOW).published is None


@pytest.mark.parametrize(
    ("url", "iso"),
    [
        ("https://a.example/2024/03/05/bridge", "2024-03-05"),
        ("https://a.example/news/2024/mar/05/bridge", "2024-03-05"),
        ("https://a.example/bridge-20240305.html", "2024-03-05"),
        ("https://a.example/2024/03/bridge", "2024-03"),
    ],
)
def test_an_address_may_hold_a_date(url: str, iso: str) -> None:
    witness = from_url(url)
    assert witness and (witness.published.iso, witness.published.how) == (iso, "url")


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/bridge",
        "https://a.example/report-2024",
        "https://a.example/item/120240305123",
        "https://2024-03-05.example/bridge",
        "https://a.example/2024/13/05/x",
        "https://a.example/v2.4.1/api",
    ],
)
def test_other_numbers_in_an_address_are_no_date(url: str) -> None:
    assert from_url(url) is None


@pytest.mark.parametrize(
    "text",
    [
        "Bridge shut\n\nPublished 5 March 2024\n\nThe bridge is shut.",
        "Bridge shut\n\n5 March 2024\n\nThe bridge is shut.",
        "Bridge shut\n\nBy Ida Holm, March 5, 2024\n\nThe bridge is shut.",
        "Bridge shut\n\nUpdated: 7 March 2024\nPublished: 5 March 2024\n\nThe bridge is shut.",
        "Bridge shut\n\nUpdated: 7 March 2024 – Created: 5 March 2024\n\nThe bridge is shut.",
        "Bridge shut\n\nHearing: 1 March 2024\nIda Holm on 5 March 2024\n\nThe bridge is shut.",
        "Puente cerrado\n\nPublicado el 5 de marzo de 2024 · Actualizado el 7 de marzo de 2024\n\nEl puente.",
        "Bridge shut\n\nReceived 14 June 2022; accepted 2 December 2022; published 5 March 2024\n\nThe bridge is shut.",
        "Bridge shut\n\nReceived | Accepted | Published\n14 June 2022 | 2 May 2023 | 5 March 2024\n\nIt is shut.",
        "Bridge shut\n\nReceived | In revised form | Accepted | Available online\n"
        "14 June 2022 | 1 May 2023 | 2 May 2023 | 5 March 2024\n\nIt is shut.",
        "Bridge shut\n\nReceived 14.06.2022, published 05.03.2024\n\nThe bridge is shut.",
        "Brücke\n\nEingang | Veröffentlichung\n14.6.2022 | 5.3.2024\n\nSie ist zu.",
        "Bridge shut\n\n- Manuscript accepted 2 May 2023\n- Version of record online 5 March 2024\n\nIt is shut.",
        "Ponte chiuso\n\n5 marzo 2024 - Aggiornato alle 09:02\n\nIl ponte.",
        "Bridge shut\n\nSource: Vale Courier 2024-03-05 06:15:22\n\nThe bridge is shut.",
        "Ponte fechada\n\nPor Redação — Torne 05.03.2024 06h15\n\nA ponte.",
        "Bridge shut\n\nVale Papers:2403v2 [hist.BR] 5 Mar 2024\n\nThe bridge is shut.",
        "Bridge shut\n\nEingegangen: 4. Juni 2023 / Online publiziert: 5. März 2024\n\nThe bridge is shut.",
        "Holm v Vale\n\nClaim issued: 11 January 2023\nDate of judgment: 5 March 2024\n\nIt is shut.",
        "Bridge shut\n\nDate issued: 5 March 2024\n\nThe bridge is shut.",
        "[Record of the Council of Harrowgate Vale, Number 46 (5 March 2024)]\n\nThe bridge is shut.",
        "جسر\n\nنُشر 5 مارس 2024، آخر تحديث 7 مارس 2024\n\nجسر",
        "Pont fermé\n\nCommuniqué de presse du 5 mars 2024\n\nLe pont.",
        "橋\n\n受付日: 2023/05/04\nPDF公開日: 2024/03/05\n\n橋",
        "다리\n\n입력 2024.03.05 14:30 수정 2024.03.06 09:00\n\n다리",
        "橋\n\n公開日：2024年3月5日 更新日：2024年3月7日\n\n橋",
        "Most\n\nZaktualizowano: 7 marca 2024, 9:00 | Opublikowano: wtorek, 5 marca 2024, 10:30 CET\n\nMost",
    ],
)
def test_a_date_line_dates_the_text(text: str) -> None:
    witness = from_text(text)
    assert witness and witness.published.iso == "2024-03-05"
    assert (witness.published.how, witness.published.precision) == ("visible text", Precision.DAY)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("Nachhaltigkeitsbericht 2023\n\nStand: March 2024\n\nVorwort", "2024-03"),
        ("Rechnung Nr.: R-2024-0417 Datum: 05.03.2024 Kundennummer: 10388\n\nTafelwerk GmbH", "2024-03-05"),
        (f"{'We have audited the accounts of the pier. ' * 20}\n\nOslo, 5 March 2024\n\nIda Holm", "2024-03-05"),
        (f"{'We have audited the accounts of the pier. ' * 20}\n\n5 March 2024 | 12", None),
        ("Annual report\n\nNext: March 2024\n\nForeword", None),
    ],
)
def test_a_document_is_dated_by_its_labels_and_where_it_is_signed(text: str, iso: str | None) -> None:
    witness = from_document(text)
    assert (witness and witness.published.iso) == iso


@pytest.mark.parametrize(
    "text",
    [
        "The bridge, which had been closed for repairs since 5 March 2024, is open again, the council said on Monday.",
        "Bridge shut\n\nLast updated 5 March 2024\n\nThe bridge is shut.",
        "A report from 2019 says so.",
        "Letters\n\n2. Ida Holm, 5 March 2024\n3. Ulf Berg, 7 March 2024\n\nThe bridge is shut.",
        "Festival\n\n5 March 2024 – 7 March 2024\n\nMusic on three stages.",
        "Correction of our statement of 5 March 2024\n\nWe said that the bridge was open.",
        "Correction of our press release of 5 March 2024\n\nWe said that the bridge was open.",
        "Under the Bridge Act of 3 June 1977, as amended on 5 March 2024:\n\nThe bridge is shut.",
        "The bridge is shut. " * 40 + "\n\n5 March 2024",
        "Bridge shut\n\n5 March 2024 Starts at 19:30\n\nThe bridge is shut.",
        "Bridge shut\n\n5 March 2024 (updated)\n\nThe bridge is shut.",
        "Bridge shut\n\nAccepted for publication: 5 March 2024\n\nThe bridge is shut.",
        "Bridge shut\n\nDeadline | 5 March 2024\n\nThe bridge is shut.",
        "Bridge shut\n\nOpened by the mayor on 5 March 2024\n\nThe bridge is shut.",
        "Bridge shut\n\nHearing: 5 March 2024\n\nThe bridge is shut.",
        "Bridge shut\n\nClaim issued: 5 March 2024\n\nThe bridge is shut.",
        "Bridge shut\n\nHearing: | 5 March 2024 |\n\nThe bridge is shut.",
        "Bridge shut\n\nInspected | 5 March 2024 |\nPainted | 7 March 2024 |\n\nThe bridge is shut.",
        "橋\n\n最終更新日 2024年3月5日\n\n橋",
    ],
)
def test_a_date_in_a_sentence_does_not(text: str) -> None:
    assert from_text(text) is None


dates = st.dates(date(1200, 1, 1), date(2040, 1, 1)).map(date.isoformat)
kinds = st.sampled_from(["metadata", "visible text", "url", "file", "detected"])


@given(st.lists(st.tuples(dates, kinds), max_size=6))
def test_what_is_given_is_one_of_the_dates_and_not_in_the_future(said_dates: list[tuple[str, str]]) -> None:
    witnesses = [witness for value, how in said_dates if (witness := from_value(value, "there", how=how))]
    dated = publication_date(witnesses, NOW)
    if dated.published:
        assert dated.published in [witness.published for witness in witnesses]
        assert dated.published.at <= NOW
    else:
        placeholders = (1900, 1969, 1970, 1980)
        years = [one.published.at.year for one in witnesses if one.published.at <= NOW]
        assert all(year < 1500 or year in placeholders for year in years)


@given(st.text(max_size=300))
def test_any_text_and_address_can_be_asked(text: str) -> None:
    from_text(text)
    from_url(text)


class TestFirstCapture:
    """An archive's first capture, found after the page was read."""

    PAGE = Document(snapshot="s", url="https://a.example/bridge", text="The bridge is shut.")

    def read(self, *witnesses: DateWitness) -> Document:
        dated = publication_date(witnesses, NOW)
        return self.PAGE.model_copy(
            update={"published": dated.published, "dates": dated.evidence, **noted(("a scan", *dated.notes))}
        )

    def test_a_capture_before_the_stated_date_shows_that_the_date_is_wrong(self) -> None:
        page = self.read(said("2024-03-05"), said("2024-02-20", "url", "the address"))
        capture = datetime(2024, 3, 2, 9, tzinfo=UTC)
        found = with_capture(page, capture, "the archive", NOW)
        assert found.published and found.published.iso == "2024-02-20"
        assert [(one.where, one.iso, one.used) for one in found.dates] == [
            ("a tag", "2024-03-05", False),
            ("the address", "2024-02-20", True),
            ("the first capture by the archive", "2024-03-02T09:00:00Z", True),
        ]
        assert found.notes == (
            "a scan",
            "a tag says 2024-03-05, but the first capture by the archive is dated 2024-03-02T09:00:00Z, and nothing is "
            "published after it was captured",
        )

    def test_the_capture_is_the_date_where_the_stated_one_is_later_and_the_only_one(self) -> None:
        capture = datetime(2024, 3, 2, 9, tzinfo=UTC)
        found = with_capture(self.read(said("2024-03-05")), capture, "the archive", NOW)
        assert found.published and (found.published.iso, found.published.how) == ("2024-03-02T09:00:00Z", "archive")
        page = self.read(said("2024-03-05"))
        capture = datetime(2024, 9, 2, 9, tzinfo=UTC)
        found = with_capture(page, capture, "the archive", NOW)
        assert (found.published, found.notes) == (page.published, page.notes)
