"""Claims of a report that came as a message: what it repeats of others is none of its sender's."""

from __future__ import annotations

from inquest.claims.report.extraction import read_report
from inquest.domain.document import Block, BlockKind, Document


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
