"""An engine as a case plans with it: what it searches, what it costs, how fast it may be asked."""

from __future__ import annotations

from dataclasses import dataclass

from inquest.domain.search import EngineKind, Query


@dataclass(frozen=True)
class EngineChoice:
    """One engine as the planner sees it."""

    name: str
    kinds: tuple[EngineKind, ...]
    lacks: str | None = None
    """Why it cannot be asked; None: it is ready."""
    asked_for: bool = False
    """The user named it."""
    title: str = ""
    """What it is called before a user."""
    pause: float = 0.0
    """Seconds that it wants between two calls."""
    usd: float = 0.0
    """US dollars for one call."""
    sees_days: int | None = None
    """How many days back it sees, where that is all it keeps."""
    filters_language: bool = False
    """It can be asked for pages in one language."""
    site: str = ""
    """The registrable domain of its publisher."""

    def suits(self, query: Query, kinds: frozenset[EngineKind]) -> bool:
        """True where the query is for what the engine searches; `kinds` counts where the query names none. The user's
        own documents are asked everything but who has checked a claim, and what a register has; of registers those
        whose publishers' domains it names, where it names any."""
        wanted = set(query.kinds or kinds)
        if wanted == {EngineKind.REGISTRY} and query.domains and self.site not in query.domains:
            return False
        own = set() if wanted in ({EngineKind.FACT_CHECK}, {EngineKind.REGISTRY}) else {EngineKind.OWN}
        return bool((wanted | own) & set(self.kinds))
