"""How the door behaves: what it waits for, how often it tries, how it treats the sites it visits. Figures only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from inquest.kit.exchange import Purpose
from inquest.net.ceilings import CEILINGS, Ceilings


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """The figures. Times in seconds."""

    ceilings: Mapping[Purpose, Ceilings] = field(default_factory=lambda: CEILINGS)

    attempts: int = 3
    """The first one included (requirement N3)."""
    first_wait: float = 1.0
    """Before the second attempt; it doubles with each."""
    jitter: float = 0.5
    """At most this much is added to a wait, by chance, so that many clients do not come back all at once."""
    longest_wait: float = 30.0
    """A Retry-After beyond this is not waited for: the reply is handed over as it is."""

    obey_robots: bool = True
    robots_age: timedelta = timedelta(hours=24)
    """How long a robots.txt is believed (RFC 9309, 2.4: not more than 24 h)."""
    page_interval: float = 0.5
    """Between two requests to one host; hosts of the user's own are not spared."""
    page_concurrency: int = 2
    """At once, to one host."""
    model_concurrency: int = 32
    """At once, to one model: all sources of a case are read at the same time."""
    max_redirects: int = 10

    breaker_threshold: int = 3
    """Failures in a row, each after all attempts, after which an engine, a model or a site is left alone ..."""
    breaker_rest: float = 60.0
    """... for this long."""
