"""What a case needs later is loaded in a thread while its first question is on its way.

Loading the graph library, the database, the page readers and the small models takes longer than all else that a command
computes. None of it is needed before the first reply is there.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Sequence

from inquest.app.settings import Settings
from inquest.domain.case import CaseKind

__all__ = ["LATER", "load_later"]

LATER: dict[CaseKind, str] = {
    CaseKind.INQUIRY: "inquest.flow.graphs.inquiry",
    CaseKind.CLAIMS: "inquest.flow.graphs.claims",
    CaseKind.TOPIC: "inquest.flow.graphs.topic",
    CaseKind.MARKET: "inquest.flow.graphs.market",
}
"""The graph of each kind of case."""
_STORE = ("inquest.store.cases", "inquest.store.events", "inquest.store.recording", "inquest.store.quotas")
_RUNNER = ("inquest.flow.runner",)
_SQLITE = ("aiosqlite", "langgraph.checkpoint.sqlite.aio")
_PRICES = ("genai_prices",)
_PAGES = ("inquest.readers", "inquest.readers.html", "inquest.archive.files")
_SMALL_MODELS = ("inquest.local_models.running",)
_REPORTS = ("inquest.reports.html", "inquest.app.cases.reporting")


def load_later(kind: CaseKind, settings: Settings) -> asyncio.Future[None]:
    """Begin to load, in the order in which it will be needed."""
    sqlite = settings.resolved_database_url.startswith("sqlite")
    prices = _PRICES if settings.uses_model else ()
    names = (*_STORE, *_RUNNER, LATER[kind], *(_SQLITE if sqlite else ()), *prices, *_PAGES, *_SMALL_MODELS, *_REPORTS)
    return asyncio.get_running_loop().run_in_executor(None, _load, names)


def _load(names: Sequence[str]) -> None:
    for name in names:
        importlib.import_module(name)
