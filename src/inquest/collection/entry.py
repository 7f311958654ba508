"""The stored form of a document, search filters and search results."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime

from inquest.domain.document import Document, Precision, Published, Snapshot
from inquest.domain.value import JsonObject, Value
from inquest.text.dates import utc

ALWAYS, NEVER = -(2**60), 2**60
"""The period of an undated document in seconds, which is in every range (N4)."""


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """The options of a search."""

    limit: int = 10
    exact: bool = False
    """Only documents with the exact phrase."""
    since: datetime | None = None
    until: datetime | None = None
    """The period of publication; undated documents are in every period."""
    semantic: bool = True
    """Search also by meaning if documents have vectors."""


USUAL = SearchFilter()


@dataclass(frozen=True, slots=True)
class Original:
    """A document's bytes with the data that the archive needs."""

    body: bytes
    snapshot: Snapshot
    document: Document

    def facts(self) -> bytes:
        """The stored form without the bytes and the text."""
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
    """A document to be indexed."""

    id: str
    """The row's own id, or the beginning of the hash."""
    key: str
    """Identity of its versions (a file's address, a row's id in its file): a later version replaces it; '': none."""
    snapshot: str
    url: str
    title: str
    text: str
    author: str | None = None
    published: Published | None = None
    language: str | None = None
    kind: str = ""
    original: Original | None = None
    """The bytes, if only the index has them until a search finds the document; None: the archive has them."""

    def shown(self) -> bytes:
        """The stored form without the text."""
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
    """A search result."""

    id: str
    score: float
    """Comparable only within one search."""
    title: str = ""
    snippet: str = ""
    """At most 300 verbatim characters of the text."""
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
    """Figures of a collection."""

    name: str
    documents: int
    kinds: dict[str, int] = field(default_factory=dict)
    """Number of documents by reader."""
    languages: dict[str, int] = field(default_factory=dict)
    dated: int = 0
    first: datetime | None = None
    last: datetime | None = None
    """Earliest and latest date of publication."""
    bytes_indexed: int = 0
    """Size of the index on disk."""
    rated_domains: int | None = None
    """Domains in the collection's own ratings file, if any."""


def period(published: Published | None) -> tuple[int, int]:
    """The first and last second that the date can mean."""
    if published is None:
        return ALWAYS, NEVER
    return seconds(published.at), seconds(published.latest)


def seconds(moment: datetime) -> int:
    """Seconds since 1970 in UTC, as the index compares them."""
    return int(utc(moment).timestamp())
