"""The names of sources for readers: the file name for a document without a useful title, the number for a page.

Before a source has its number, desks refer to it by its page's hash.
"""

from __future__ import annotations

import pytest

from inquest.domain.finding import Finding, Stance
from inquest.sources.source_names import named_sources, telling_title, with_names

ONE, TWO = f"sha256:{'1' * 64}", f"sha256:{'2' * 64}"


def finding() -> Finding:
    return Finding(
        id="F1", claim_id="C1", source_id="S9", agent="academic", evidence_type="benchmark_comparison",
        stance=Stance.NEUTRAL, confidence=0.3, quote="", snapshot=ONE, start=0, end=0,
        summary=f"From “A benchmark” ({ONE}).",
        details={"finding_sources": [ONE, TWO], "range": {"citations": [{"source_id": ONE, "snapshot": ONE, "n": 1}]}},
        references=({"title": "A benchmark", "source_id": TWO},),
        reasons=(f"‘ten’ ({TWO})",),
    )  # fmt: skip


def test_all_that_it_names_is_found_wherever_it_stands() -> None:
    assert named_sources(finding()) == {ONE, TWO}


def test_the_number_takes_the_place_of_the_hash_and_the_archive_s_own_field_keeps_it() -> None:
    named = with_names(finding(), {ONE: "S1", TWO: "S2"})
    assert named.summary == "From “A benchmark” (S1)."
    assert named.details["finding_sources"] == ["S1", "S2"]
    assert named.details["range"] == {"citations": [{"source_id": "S1", "snapshot": ONE, "n": 1}]}
    assert named.references[0]["source_id"] == "S2" and named.reasons == ("‘ten’ (S2)",)
    assert named.snapshot == ONE and named_sources(named) == frozenset()


def test_a_page_without_a_number_keeps_the_hash_by_which_the_archive_knows_it() -> None:
    assert with_names(finding(), {}) == finding()
    assert with_names(finding(), {TWO: "S2"}).summary == f"From “A benchmark” ({ONE})."


@pytest.mark.parametrize("title", ["CLIMATE ENGAGEMENT", "Report 2022", "Cover", "", "Annual Report"])
def test_a_file_whose_title_says_nothing_is_known_by_its_name(title: str) -> None:
    assert telling_title(title, "file:///home/a/Harlow%20SR_2022.pdf") == "Harlow SR_2022.pdf"


def test_a_telling_title_and_that_of_a_page_stay() -> None:
    assert telling_title("Sustainability at Harlow", "file:///home/a/b.pdf") == "Sustainability at Harlow"
    assert telling_title("HARLOW FINED", "https://courier.example/a") == "HARLOW FINED"
