"""The contract of a reranker: the relevance of texts to a query, 0 to 1. It never does I/O.

A reranker is one class in `rerankers/`, found like an engine. `rank` is a generator that yields requests and is sent
replies, so that the network, a recording and a test drive the same code. The local one, which yields no requests,
replaces a service that fails.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from inquest.domain.errors import EngineError
from inquest.kit.discover import by_name, discover
from inquest.kit.engine import Limits
from inquest.kit.exchange import Reply, Request, Service, ServiceAccess, ServiceSpec
from inquest.kit.fields import dig, number, whole
from inquest.text.sentences import shorten

LOCAL = "local"
"""The name of the reranker without a service."""


class RerankerSpec(ServiceSpec):
    """The static description of a reranker; users write its name in INQUEST_RERANKER."""

    model: str | None = None
    """The default model."""
    limits: Limits = Limits()
    texts_per_call: int = 1000
    characters_per_text: int = 2000
    """Longer texts are cut, as services bill them several times."""


class RerankerAccess(ServiceAccess):
    """The settings of one reranker."""

    model: str | None = None


class Reranker(Service):
    """One reranker. `spec` comes first in the class; an instance holds its key and model."""

    spec: ClassVar[RerankerSpec]
    access: RerankerAccess
    where_it_changed = "set INQUEST_RERANKER=local and report it."

    def __init__(self, access: RerankerAccess | None = None) -> None:
        self.access = access or RerankerAccess()

    def lacks(self) -> str | None:
        """Name the missing setting; None: it is ready."""
        return f"needs a key: set {self.spec.key}" if self.spec.key and not self.access.key else None

    @abstractmethod
    def rank(self, query: str, texts: Sequence[str]) -> Generator[Request, Reply, list[float]]:
        """Score each text from 0 to 1, in order, as a generator: yields requests, is sent replies, returns scores.
        Raises EngineKeyRefused, EngineQuota, EngineUnavailable or EngineFormat."""


class ServiceReranker(Reranker):
    """A reranker over the network, with a request per `texts_per_call` texts."""

    @abstractmethod
    def request(self, query: str, texts: Sequence[str]) -> Request:
        """Build the request in this service's format."""

    @abstractmethod
    def parse(self, reply: Reply, count: int) -> list[float]:
        """Return the scores of a reply with status 2xx for `count` texts. May raise any of `MALFORMED`."""

    @property
    def model(self) -> str:
        """The model in use."""
        return self.access.model or self.spec.model or ""

    def rank(self, query: str, texts: Sequence[str]) -> Generator[Request, Reply, list[float]]:
        short = shorten(query, self.spec.characters_per_text)
        # Services refuse empty texts; a dash is relevant to nothing.
        cut = [shorten(_clean(text), self.spec.characters_per_text) or "-" for text in texts]
        if not short:
            return [1.0] * len(cut)
        scores: list[float] = []
        for start in range(0, len(cut), self.spec.texts_per_call):
            batch = cut[start : start + self.spec.texts_per_call]
            reply = yield self.request(_clean(short), batch)
            scores += self.parsed(reply, partial(self.parse, count=len(batch)))
        return scores


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def scores_in_order(results: object, count: int) -> list[float]:
    """Return the scores of `[{"index": 2, "relevance_score": 0.9}, ...]` in the order of the texts, limited to 0 to 1.
    Raises ValueError unless each text has exactly one score, so that a missing one does not pass for irrelevance."""
    if not isinstance(results, list):
        raise TypeError(f"expected a list of results, got {type(results).__name__}")
    found: dict[int, float] = {}
    for item in results:
        place, score = whole(dig(item, "index")), number(dig(item, "relevance_score"))
        if place is None or score is None or not 0 <= place < count or place in found:
            raise ValueError("a result without a valid index and score")
        found[place] = min(1.0, max(0.0, score))
    if len(found) != count:
        raise ValueError(f"{len(found)} scores for {count} texts")
    return [found[place] for place in range(count)]


@dataclass(frozen=True, slots=True)
class Reranked:
    """The scores of texts, and their reranker."""

    scores: list[float]
    by: str
    """The name of the reranker."""
    calls: int = 0
    """Answered requests."""
    usd: float = 0.0
    outage: EngineError | None = None
    """The failure of the configured reranker that the local one replaced."""


def rerankers(package: str) -> dict[str, type[Reranker]]:
    """Return the reranker classes of a package by name, the local one first. Raises ValueError for a duplicate name."""
    classes = discover(package, Reranker)  # type: ignore[type-abstract]
    return by_name(sorted(classes, key=lambda each: (each.spec.name != LOCAL, each.spec.name)))
