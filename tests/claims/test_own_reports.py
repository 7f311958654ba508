"""What a company files with a register is its own word, wherever it is kept."""

from __future__ import annotations

import pytest

from inquest.claims.own_pages import is_own_report
from inquest.domain.source import Category
from tests.case_parts import source


@pytest.mark.parametrize(
    ("title", "category", "own"),
    [
        ("Veldoro plc: annual report 2024, extract from the management report", Category.GOVERNMENT, True),
        ("Veldoro plc - Sustainability Report 2023", Category.REGULATOR, True),
        ("Veldoro's annual report shows a hole of 3 million", Category.NEWSPAPER, False),
        ("Enforcement in 2023: annual report, chapter 4", Category.GOVERNMENT, False),
        ("Orle Glass plc: annual report 2024", Category.GOVERNMENT, False),
        ("Penalty register: Veldoro plc", Category.GOVERNMENT, False),
    ],
)
def test_a_title_that_begins_with_the_company_says_so(title: str, category: Category, own: bool) -> None:
    page = source("S1", 1)
    page = page.model_copy(update={"title": title, "rating": page.rating.model_copy(update={"category": category})})
    assert is_own_report(page, "Veldoro plc") is own
    assert not is_own_report(page, "")
