"""Inquest ascertains the facts: every fact stated in a verdict has a verbatim quote from an archived page.

from inquest import Inquest
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inquest.app.client import Inquest
    from inquest.desks.market.questions import is_crag_fallback_needed, route_query

__all__ = ["Inquest", "__version__", "is_crag_fallback_needed", "route_query"]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    # Lazy, so that `import inquest` and `inquest --help` stay fast.
    if name == "Inquest":
        from inquest.app.client import Inquest

        return Inquest
    if name in ("is_crag_fallback_needed", "route_query"):
        from inquest.desks.market import questions

        return getattr(questions, name)
    raise AttributeError(f"module 'inquest' has no attribute {name!r}")
