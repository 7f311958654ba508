"""An inquiry over real documents: sustainability reports as PDF, and twenty pages of the real web."""

from __future__ import annotations

from pathlib import Path

from inquest import Inquest
from inquest.domain.case import CaseStatus

BRIEF = "What does Vonovia say about the energy efficiency and carbon intensity of its buildings?"


async def test_reports_and_pages_give_a_grounded_report(shared: Path, tmp_path: Path) -> None:
    async with Inquest(home=tmp_path / "home") as inquest:
        pages = sorted((shared / "data" / "pages" / "html").iterdir())[::3]
        added = await inquest.app.collections.add("real", [*pages, shared / "data" / "reports"])
        assert added.documents == len(pages) + 2
        case = await inquest.inquiry(BRIEF, collections=["real"], engines=["collection"], mode="detailed")
        assert case.status is CaseStatus.COMPLETED
        assert any("Vonovia" in claim.text for claim in case.claims)
        for finding in case.findings:
            text = await inquest.app.snapshot_text(finding.snapshot)
            assert text[finding.start : finding.end] == finding.quote
        paged = [finding for finding in case.findings if finding.page is not None]
        assert paged, "what stands in a PDF names its page"
        assert len((await inquest.report(case.id, "html")).decode()) > 10_000
        assert (await inquest.replay(case.id)).difference == ""
