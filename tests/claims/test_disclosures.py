"""Paragraphs of IFRS S1 and S2 that wording points to; what a message repeats is no claim of its sender."""

from __future__ import annotations

import pytest

from inquest.claims.report.disclosures import disclosures
from inquest.claims.report.extraction import read_report
from inquest.domain.document import Block, BlockKind, Document


@pytest.mark.parametrize(
    ("text", "paragraph"),
    [
        ("Norvane emitted 2.3 million t of CO2e in 2022.", "29(a)(i)"),
        ("Scope 3 emissions were calculated with the GHG Protocol.", "29(a)(ii)-(iii)"),
        ("All power is covered by guarantees of origin.", "29(a)(v)"),
        ("Norvane applies an internal carbon price of 90 EUR.", "29(f)"),
        ("A tenth of the bonus depends on CO2 targets.", "29(g)"),
        ("Norvane invested 40 million EUR in renewable energy.", "29(e)"),
        ("Norvane aims to be climate-neutral by 2045.", "33"),
        ("The emission target of 42 % by 2030 has the base year 2019.", "33(e)"),
        ("The target was validated by the SBTi.", "34(a)"),
        ("Norvane missed its emission targets in 2022.", "35"),
        ("Residual emissions are covered by carbon credits.", "36(e)"),
        ("The Supervisory Board oversees climate matters.", "6(a)"),
        ("A climate scenario analysis was made in 2022.", "22"),
    ],
)
def test_wording_points_to_a_paragraph(text: str, paragraph: str) -> None:
    found = {each.paragraph: each for each in disclosures(text) if each.standard == "IFRS S2"}
    assert paragraph in found
    word = found[paragraph].reason.removeprefix("it says ‘").removesuffix("’")
    assert word and word in text


def test_the_general_standard_is_for_what_is_not_climate() -> None:
    assert [each.standard for each in disclosures("The gender pay gap is 4 %.")] == ["IFRS S1"]


def test_other_words_point_nowhere() -> None:
    assert disclosures("Norvane opened an office in Oslo.") == ()


def test_what_a_message_repeats_is_no_claim_of_its_sender() -> None:
    own, repeated = "Our emissions fell by 42 percent since 2019.", "Our emissions rose by 10 percent in 2023."
    text = f"{own}\n\n{repeated}"
    blocks = (
        Block(kind=BlockKind.PARAGRAPH, start=0, end=len(own)),
        Block(kind=BlockKind.QUOTE, start=len(own) + 2, end=len(text)),
    )
    document = Document(snapshot="sha256:0", url="file:///mail.eml", text=text, blocks=blocks, kind="eml")
    assert [claim.quote for claim in read_report(document, company="Norvane")] == [own]
    assert len(list(read_report(document.model_copy(update={"kind": "pdf"}), company="Norvane"))) == 2
