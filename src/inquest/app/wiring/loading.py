"""Modules and models that a case needs later, loaded in threads during network waits."""

from __future__ import annotations

import asyncio
import importlib
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from inquest.domain.case import CaseKind
from inquest.domain.document import Snapshot
from inquest.domain.errors import InquestError
from inquest.entailment.stance import prepare

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_PAGE = b"""<!doctype html><html lang="en"><head><title>A leak at the plant</title>
<meta name="date" content="2023-05-04"></head><body><article><h1>A leak at the plant</h1>
<p>The plant at the river leaked for three days in May 2023, the authority said on Thursday after an inspection.</p>
<p>Nobody was hurt. The company, which employs 340 people there, did not answer.</p></article></body></html>"""
_PAIR = ("The plant leaked in 2023.", "The plant did not leak, a spokesman said.")
CONNECTING = 0.05
"""Seconds for opening a connection and sending the request."""
STORE = ("inquest.store.cases", "inquest.store.events", "inquest.store.recording", "inquest.store.quotas")
_LAST = ("inquest.readers", "inquest.readers.html.reader", "inquest.archive.files", "inquest.reports.html",
         "inquest.app.cases.reporting")  # fmt: skip


async def loaded(*names: str) -> None:
    """Import the modules in a thread."""

    def load() -> None:
        for name in names:
            importlib.import_module(name)

    await asyncio.to_thread(load)


async def load_graph(kind: CaseKind, *names: str) -> None:
    """Import the nodes of a kind of case and the modules in a thread."""
    await loaded("inquest.flow.graphs", *names)
    from inquest.flow.graphs import profile_of

    await asyncio.to_thread(profile_of, kind)


async def load_last(app: Resources, kind: CaseKind) -> None:
    """Load readers, reports and small models, and use each once."""
    await loaded(*_LAST)
    await asyncio.to_thread(read_a_page)
    await asyncio.to_thread(_warm_up, app, kind)


def read_a_page() -> None:
    """Read a page so that the extractor, the table of languages and many patterns are loaded before pages arrive."""
    from inquest.readers.html.reader import HtmlReader

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


def _warm_up(app: Resources, kind: CaseKind) -> None:
    """Judge a pair, which compiles patterns, and load the weights of the small models. A model service needs them, too:
    the encoder chooses the passages sent to it, and the reader checks its answers."""
    prepare(*_PAIR)
    if app.settings.uses_model and kind is CaseKind.MARKET:
        return
    with suppress(InquestError):  # the code that needs the model reports it
        if app.encoder is not None:
            app.encoder.encode(_PAIR)
        if app.reader is not None:
            app.reader.read([_PAIR])
