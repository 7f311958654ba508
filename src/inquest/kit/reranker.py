"""The contract of a reranker: how well each of some texts fits a query, 0 to 1. It never does I/O.

A reranker is one file in `rerankers/`, found like an engine. `rank` is a generator that yields requests and is sent
replies, so that the network, a recording and a test drive the same code; the local one yields none, and stands in for
a service that fails.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from inquest.domain.errors import EngineError
from inquest.domain.value import Value
from inquest.kit.discover import discover
from inquest.kit.engine import Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import dig, number, whole
from inquest.kit.service import Service
from inquest.text.sentences import shorten

LOCAL = "local"
"""The name of the reranker that needs nothing."""


class RerankerSpec(Value):
    """What there is to know of a reranker before it is asked."""

    name: str
    """The file's name, and what users write in INQUEST_RERANKER."""
    title: str
    key: str | None = None
    """The name its own clients use for the key's environment variable; None: keyless."""
    homepage: str = ""
    documentation: str = ""
    model: str | None = None
    """The model that is asked where the settings name none."""
    limits: Limits = Limits()
    usd_per_call: float = 0.0
    """For one request of at most `texts_per_call` texts."""
    texts_per_call: int = 1000
    characters_per_text: int = 2000
    """What is longer is cut: services count long texts several times over."""


class RerankerAccess(Value):
    """What the settings say about one reranker."""

    key: str | None = None
    model: str | None = None


class Reranker(Service):
    """One reranker. `spec` comes first in the file; an instance holds its key and model."""

    spec: ClassVar[RerankerSpec]
    access: RerankerAccess
    where_it_changed = "set INQUEST_RERANKER=local and tell us."

    def __init__(self, access: RerankerAccess | None = None) -> None:
        self.access = access or RerankerAccess()

    def lacks(self) -> str | None:
        """What is missing before it can be asked, in words; None: it is ready."""
        return f"needs a key: set {self.spec.key}" if self.spec.key and not self.access.key else None

    @abstractmethod
    def rank(self, query: str, texts: Sequence[str]) -> Generator[Request, Reply, list[float]]:
        """One score from 0 to 1 for each text, in the order given: yields requests, is sent replies, returns scores.
        Raises EngineKeyRefused, EngineQuota, EngineUnavailable or EngineFormat; never leaves out a text."""


class ServiceReranker(Reranker):
    """A reranker that is asked over the network: a request for each `texts_per_call` texts."""

    @abstractmethod
    def request(self, query: str, texts: Sequence[str]) -> Request:
        """The question in this service's form."""

    @abstractmethod
    def parse(self, reply: Reply, count: int) -> list[float]:
        """The scores of a reply with status 2xx for `count` texts. May raise anything a malformed body leads to."""

    @property
    def model(self) -> str:
        """The model that is asked."""
        return self.access.model or self.spec.model or ""

    def rank(self, query: str, texts: Sequence[str]) -> Generator[Request, Reply, list[float]]:
        asked = shorten(query, self.spec.characters_per_text)
        # Services refuse an empty text; a dash fits nothing.
        cut = [shorten(_clean(text), self.spec.characters_per_text) or "-" for text in texts]
        if not asked:
            return [1.0] * len(cut)
        scores: list[float] = []
        for start in range(0, len(cut), self.spec.texts_per_call):
            batch = cut[start : start + self.spec.texts_per_call]
            reply = yield self.request(_clean(asked), batch)
            scores += self.parsed(reply, partial(self.parse, count=len(batch)))
        return scores


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def scores_in_order(results: object, count: int) -> list[float]:
    """The scores of `[{"index": 2, "relevance_score": 0.9}, ...]` in the order of the texts, each within 0 and 1.
    Raises ValueError where a text has no score or two, or a score is no number: a text without a score would be taken
    for one that does not fit."""
    if not isinstance(results, list):
        raise TypeError(f"expected a list of results, got {type(results).__name__}")
    found: dict[int, float] = {}
    for item in results:
        place, score = whole(dig(item, "index")), number(dig(item, "relevance_score"))
        if place is None or score is None or not 0 <= place < count or place in found:
            raise ValueError("a result without a place and a score of its own")
        found[place] = min(1.0, max(0.0, score))
    if len(found) != count:
        raise ValueError(f"{len(found)} scores for {count} texts")
    return [found[place] for place in range(count)]


@dataclass(frozen=True, slots=True)
class Reranked:
    """The scores of some texts, and whose they are."""

    scores: list[float]
    by: str
    """The name of the reranker whose scores these are."""
    calls: int = 0
    """Requests that were answered."""
    usd: float = 0.0
    outage: EngineError | None = None
    """Why the one that was asked for did not answer, where the scores are the local one's for that reason."""


def rerankers(package: str) -> dict[str, type[Reranker]]:
    """The reranker classes of a package by name, the local one first. Two with one name raise ValueError."""
    found: dict[str, type[Reranker]] = {}
    # mypy: an abstract class is asked for on purpose; only concrete ones come back.
    classes = discover(package, Reranker)  # type: ignore[type-abstract]
    for each in sorted(classes, key=lambda each: (each.spec.name != LOCAL, each.spec.name)):
        if each.spec.name in found:
            raise ValueError(f"two rerankers are named {each.spec.name}")
        found[each.spec.name] = each
    return found
