"""Sources as archived: complete, whatever their length; a PDF as it looks, page by page."""

from __future__ import annotations

import re

import httpx2
import pytest

from inquest import Inquest
from inquest.app.pages import evidence_page
from inquest.app.pages.evidence_page import From, drawn_page
from inquest.demo import report
from inquest.domain.errors import NotFound
from inquest.domain.finding import NearestPassage, Stance
from tests.faces_web.seeding import seed_report


async def test_a_long_text_is_read_to_its_end_from_page_to_page(
    inquest: Inquest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence_page, "_MOST", 700)
    case = await seed_report(inquest.app, report())
    source = case.sources[0]
    read, at = "", 0
    while True:
        shown = await evidence_page.evidence_page(inquest.app, case, source_id=source.id, start=From(at=at))
        assert shown.before == len(read)
        read += "".join(each.text for each in shown.pieces)
        if not shown.after:
            break
        assert shown.later > at
        at = shown.later
    assert read == await inquest.app.snapshot_text(source.snapshot)


async def test_a_pdf_is_scrolled_through_from_the_page_that_was_asked_for(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    case = await seed_report(inquest.app, report())
    finding, source = case.findings[0], case.sources[0]
    beside = (await client.get(f"/cases/{case.id}/evidence/{finding.id}")).text
    assert f'href="/cases/{case.id}/source/{source.id}?page={finding.page}"' in beside
    whole = (await client.get(f"/cases/{case.id}/source/{source.id}")).text
    last = (await client.get(f"/cases/{case.id}/source/{source.id}?page=9999")).text
    number = len(re.findall(r"/drawn/[^/]+/(\d+)\.png", whole))
    assert number > 1 and re.findall(r"/drawn/[^/]+/(\d+)\.png", last) == [str(number)]
    assert (await client.get(f"/cases/{case.id}/drawn/{source.id}/{number}.png")).content.startswith(b"\x89PNG")
    assert (await client.get(f"/cases/{case.id}/source/{source.id}?page=first")).status_code == 422


async def test_a_sentence_near_an_unverified_claim_is_marked_at_its_place(inquest: Inquest) -> None:
    case = await seed_report(inquest.app, report())
    found = case.findings[0]
    place = {"source_id": found.source_id, "snapshot": found.snapshot, "start": found.start, "end": found.end}
    near = NearestPassage(claim_id="C1", quote=found.quote, **place)
    case = case.model_copy(update={"nearest": (near,)})
    quoting = found.model_copy(update={"claim_id": "C1", "stance": Stance.CONTRADICTS})
    assert case.model_copy(update={"findings": ()}).nearest_to("C1") == (near,)
    assert case.model_copy(update={"findings": (quoting,)}).nearest_to("C1") == ()
    shown = await evidence_page.evidence_page(inquest.app, case, finding_id="near-1")
    assert shown.shown is not None and shown.shown.claim_id is None, "it is no finding on the claim"
    marked = "".join(each.text for each in shown.pieces if "near-1" in each.finding_ids)
    assert marked == near.quote
    assert (await drawn_page(inquest.app, case, found.source_id, found.page or 1, "near-1")).startswith(b"\x89PNG")
    for unknown in ("near-0", "near-2", "near-x", "near-"):
        with pytest.raises(NotFound):
            await evidence_page.evidence_page(inquest.app, case, finding_id=unknown)
