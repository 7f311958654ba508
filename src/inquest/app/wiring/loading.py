"""What a case needs later is loaded in a thread while its first question is on its way.

Loading the graph library, the database, the page readers and the small models takes longer than all else that a command
computes. None of it is needed before the first reply is there.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from typing import Protocol

from inquest.app.settings import Settings
from inquest.domain.case import CaseKind
from inquest.domain.document import Snapshot
from inquest.domain.errors import InquestError
from inquest.entailment.page import Page
from inquest.entailment.stance import attribution_in, prepare
from inquest.kit.small_models import PairReader, SentenceEncoder
from inquest.text.languages import load_table
from inquest.text.sentences import Span

_PAGE = b"""<!doctype html><html lang="en"><head><title>A leak at the plant</title>
<meta name="date" content="2023-05-04"></head><body><article><h1>A leak at the plant</h1>
<p>The plant at the river leaked for three days in May 2023, the authority said on Thursday after an inspection.</p>
<p>Nobody was hurt. The company, which employs 340 people there, did not answer.</p></article></body></html>"""
_PAIR = ("The plant leaked in 2023.", "The plant did not leak, a spokesman said.")


class SmallModels(Protocol):
    """The settings, and the small models that they choose."""

    @property
    def settings(self) -> Settings: ...

    @property
    def reader(self) -> PairReader | None: ...

    @property
    def encoder(self) -> SentenceEncoder | None: ...


CONNECTING = 0.05
"""Seconds in which a connection is made and the question sent."""

LATER: dict[CaseKind, str] = {
    CaseKind.INQUIRY: "inquest.flow.graphs.inquiry",
    CaseKind.CLAIMS: "inquest.flow.graphs.claims",
    CaseKind.TOPIC: "inquest.flow.graphs.topic",
    CaseKind.MARKET: "inquest.flow.graphs.market",
}
"""The graph of each kind of case."""
_MERGING = (CaseKind.INQUIRY, CaseKind.TOPIC)
"""What has claims of its sources checked side by side, short sentences some of them, whose language is asked for all at
once."""
_STORE = ("inquest.store.cases", "inquest.store.events", "inquest.store.recording", "inquest.store.quotas")
_RUNNER = ("inquest.flow.runner",)
_SQLITE = ("aiosqlite", "langgraph.checkpoint.sqlite.aio")
_PRICES = ("genai_prices",)
_PAGES = ("inquest.readers", "inquest.readers.html", "inquest.archive.files")
_REPORTS = ("inquest.reports.html", "inquest.app.cases.reporting")


class Loading:
    """Loads what the next step needs, and, when somebody is `asking` again, what the steps after it need: loading takes
    time from whatever else is computed, and costs none while replies are waited for."""

    def __init__(self, kind: CaseKind, app: SmallModels, asking: asyncio.Event) -> None:
        self._kind, self._app, self._asking = kind, app, asking
        self.next_step = asyncio.Event()
        """Set when all is there that the plan needs to come to its searches; the graph is needed after these."""
        self.question_out = asyncio.Event()
        """Set by whoever knows that the first question outside is on its way, or that there will be none before a
        person has decided: the graph's library takes time from whatever else is computed."""
        self.task = asyncio.ensure_future(self._load())

    async def _load(self) -> None:
        settings = self._app.settings
        sqlite = _SQLITE if settings.resolved_database_url.startswith("sqlite") else ()
        prices = _PRICES if settings.uses_model else ()
        try:
            if self._asking.is_set():
                await asyncio.sleep(CONNECTING)
                self._asking.clear()
            await asyncio.to_thread(_load, (*_STORE, *prices))
        finally:
            self.next_step.set()
        await self.question_out.wait()
        await asyncio.to_thread(_load, (*_RUNNER, LATER[self._kind], *sqlite))
        await self._asking.wait()
        await asyncio.to_thread(_load, _PAGES)
        await asyncio.to_thread(read_a_page)
        await asyncio.to_thread(_warm_up, self._app, self._kind)
        await asyncio.to_thread(_load, _REPORTS)
        if settings.uses_model and self._kind in _MERGING:
            await asyncio.to_thread(load_table)


def read_a_page() -> None:
    """The first page that is read loads the extractor and the table of languages, and compiles many patterns; of pages
    that come together all would wait for that."""
    from inquest.readers.html import HtmlReader

    snapshot = Snapshot(
        hash=f"sha256:{sha256(_PAGE).hexdigest()}",
        url="https://example.org/leak",
        final_url="https://example.org/leak",
        content_type="text/html; charset=utf-8",
        retrieved_at=datetime(2023, 5, 5, tzinfo=UTC),
        size=len(_PAGE),
    )
    with suppress(InquestError):
        HtmlReader().read(_PAGE, snapshot)


def _warm_up(app: SmallModels, kind: CaseKind) -> None:
    """Patterns are compiled at the first pair that is judged. Small models read their weights: the encoder, which also
    chooses what a service is shown of many passages on a claim, and the one that judges, which also holds what a
    service said against figures."""
    prepare(*_PAIR)
    attribution_in(*_PAIR, Span(0, 1), Page())
    if app.settings.uses_model and kind is CaseKind.MARKET:
        return
    # What cannot be used is said by whoever needs it.
    with suppress(InquestError):
        if app.encoder is not None:
            app.encoder.encode(_PAIR)
        if app.reader is not None:
            app.reader.read([_PAIR])


def _load(names: Sequence[str]) -> None:
    for name in names:
        importlib.import_module(name)
