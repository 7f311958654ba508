"""What the index keeps of a document, and what a search gives back."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime

from inquest.domain.document import Document, Precision, Published, Snapshot
from inquest.domain.value import JsonObject, Value

ALWAYS, NEVER = -(2**60), 2**60
"""The period of an undated document, in seconds: it lies in every range that is asked for (N4)."""


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """What a search is to give back."""

    limit: int = 10
    exact: bool = False
    """Only what holds the phrase, as it is."""
    since: datetime | None = None
    until: datetime | None = None
    """Published from then to then; what is undated lies in every period."""
    semantic: bool = True
    """By meaning, too, where documents have vectors."""


USUAL = SearchFilter()
"""What a search gives back where nothing is said."""


@dataclass(frozen=True, slots=True)
class Original:
    """A document's bytes and all that is known of them: what the archive wants."""

    body: bytes
    snapshot: Snapshot
    document: Document

    def facts(self) -> bytes:
        """All but the bytes and the text, as it is stored."""
        snapshot = self.snapshot.model_dump(mode="json", exclude_defaults=True)
        document = self.document.model_dump(mode="json", exclude_defaults=True, exclude={"text"})
        return json.dumps([snapshot, document], ensure_ascii=False).encode("utf-8", "replace")

    @classmethod
    def from_stored(cls, body: bytes, facts: bytes, text: str) -> Original:
        """The reverse of `facts`."""
        snapshot, document = json.loads(facts)
        return cls(body, Snapshot.model_validate(snapshot), Document.model_validate({**document, "text": text}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A document on its way into the index."""

    id: str
    """The row's own, or short and stable from the hash."""
    key: str
    """What it is a version of (a file's address, a row's id in its file): a later version takes its place. '': of
    nothing, it is beside all others."""
    snapshot: str
    url: str
    title: str
    text: str
    author: str | None = None
    published: Published | None = None
    language: str | None = None
    kind: str = ""
    original: Original | None = None
    """Where the index keeps the bytes itself, until somebody finds the document; None: they are in the archive."""

    def shown(self) -> bytes:
        """All but the text, as it is stored."""
        published = self.published
        record: JsonObject = {
            "id": self.id,
            "snapshot": self.snapshot,
            "url": self.url,
            "title": self.title,
            "author": self.author,
            "language": self.language,
            "kind": self.kind,
            "published": [published.at.isoformat(), published.precision.value, published.how] if published else None,
        }
        return json.dumps({name: value for name, value in record.items() if value}, ensure_ascii=False).encode()


class FoundEntry(Value):
    """A document that answers a search."""

    id: str
    score: float
    """BM25; comparable within one search only."""
    title: str = ""
    snippet: str = ""
    """At most 300 characters, as they stand in the text."""
    url: str
    published: Published | None = None
    author: str | None = None
    language: str | None = None
    kind: str = ""
    snapshot: str

    @classmethod
    def from_stored(cls, shown: bytes, *, score: float, snippet: str) -> FoundEntry:
        """The reverse of `Entry.shown`."""
        record = json.loads(shown)
        if published := record.get("published"):
            at, precision, how = published
            record["published"] = Published(at=datetime.fromisoformat(at), precision=Precision(precision), how=how)
        return cls(**record, score=score, snippet=snippet)


@dataclass(frozen=True, slots=True)
class Info:
    """What a collection holds."""

    name: str
    documents: int
    kinds: dict[str, int] = field(default_factory=dict)
    """Documents by the reader that read them."""
    languages: dict[str, int] = field(default_factory=dict)
    dated: int = 0
    first: datetime | None = None
    last: datetime | None = None
    """Earliest and latest date of publication."""
    bytes_indexed: int = 0
    """Of the index on disk."""
    rated_domains: int | None = None
    """Domains in the collection's own ratings file; None: it has none."""


def period(published: Published | None) -> tuple[int, int]:
    """First and last second that the date can mean."""
    if published is None:
        return ALWAYS, NEVER
    return seconds(published.at), seconds(published.latest)


def seconds(moment: datetime) -> int:
    """Since 1970, in UTC; what the index compares."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return int(aware.timestamp())
