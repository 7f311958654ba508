"""A page of an archived PDF, drawn."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inquest.app.pages.evidence_page import quoted_in
from inquest.domain.case import Case
from inquest.domain.errors import NotFound

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


async def drawn_page(app: Resources, case: Case, source_id: str, number: int, finding_id: str = "") -> bytes:
    """Page `number` of the PDF of a source as PNG, the quote of the finding marked. Raises NotFound, PageUnreadable."""
    from inquest.readers.pdf_drawing import draw_page

    source = next((each for each in case.sources if each.id == source_id), None)
    if source is None:
        raise NotFound(f"The case {case.id} has no source {source_id[:80]!r}.")
    finding = quoted_in(case, finding_id)
    if finding is not None and finding.source_id != source_id:
        finding = None
    body = await app.snapshot_bytes(finding.snapshot if finding else source.snapshot)
    return await asyncio.to_thread(draw_page, body, number, finding.quote if finding else "")
