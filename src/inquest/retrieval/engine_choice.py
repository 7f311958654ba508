"""An engine for the plan of a case: its kinds, its price and its pace."""

from __future__ import annotations

from dataclasses import dataclass

from inquest.domain.search import EngineKind, Query


@dataclass(frozen=True)
class EngineChoice:
    """One engine in a plan."""

    name: str
    kinds: tuple[EngineKind, ...]
    lacks: str | None = None
    """The reason why it is not available; None: it is."""
    asked_for: bool = False
    """Named by the user."""
    title: str = ""
    """Its name for users."""
    pause: float = 0.0
    """Seconds between two calls."""
    usd: float = 0.0
    """US dollars per call."""
    sees_days: int | None = None
    """Days that it keeps; None: all."""
    filters_language: bool = False
    """It can restrict results to one language."""
    site: str = ""
    """The host of its publisher, without 'www.': several registers share one registrable domain."""

    def suits(self, query: Query, kinds: frozenset[EngineKind]) -> bool:
        """Test if a query is for a kind of the engine; `kinds` counts if the query names none.

        The user's own documents suit all queries except those for fact checks or registries only. A query for
        registries that names domains suits only the registries with a host in one of them.
        """
        wanted = set(query.kinds or kinds)
        named = any(f".{self.site}".endswith(f".{domain}") for domain in query.domains)
        if wanted == {EngineKind.REGISTRY} and query.domains and not named:
            return False
        own = set() if wanted in ({EngineKind.FACT_CHECK}, {EngineKind.REGISTRY}) else {EngineKind.OWN}
        return bool((wanted | own) & set(self.kinds))
