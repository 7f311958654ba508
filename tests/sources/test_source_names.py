"""What a document is called whose title says nothing."""

from __future__ import annotations

import pytest

from inquest.sources.source_names import telling_title


@pytest.mark.parametrize("title", ["CLIMATE ENGAGEMENT", "Report 2022", "Cover", "", "Annual Report"])
def test_a_file_whose_title_says_nothing_is_known_by_its_name(title: str) -> None:
    assert telling_title(title, "file:///home/a/Harlow%20SR_2022.pdf") == "Harlow SR_2022.pdf"


def test_a_title_that_says_something_stays() -> None:
    assert telling_title("Sustainability at Harlow", "file:///home/a/b.pdf") == "Sustainability at Harlow"


def test_a_page_keeps_its_title() -> None:
    assert telling_title("HARLOW FINED", "https://courier.example/a") == "HARLOW FINED"
