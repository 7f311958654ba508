"""Sources, claims and findings for tests: everything that does not matter has a default."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from inquest.domain.claim import Claim, Mention
from inquest.domain.document import Document, Precision, Published
from inquest.domain.finding import Finding, Stance
from inquest.domain.source import Rating, Source

NOON = datetime(2024, 6, 1, 12, tzinfo=UTC)


def dated(text: str, precision: Precision = Precision.DAY) -> Published:
    return Published(at=datetime.fromisoformat(text).replace(tzinfo=UTC), precision=precision, how="metadata")


def source(
    name: str,
    tier: int = 2,
    *,
    domain: str = "",
    press_release: bool = False,
    owner: str | None = None,
    category: str = "newspaper",
    **more: Any,
) -> Source:
    domain = domain or f"{name.lower()}.example"
    rating = Rating(
        domain=domain,
        score=100 - 20 * tier,
        tier=tier,
        stars=6 - tier,
        known=True,
        category=category,
        press_release=press_release,
        owner=owner,
        reasons=("given",),
    )
    values: dict[str, Any] = {
        "id": name,
        "url": f"https://{domain}/{name}",
        "title": f"Report {name}",
        "domain": domain,
        "rating": rating,
        "snapshot": f"sha256:{name}",
        "retrieved_at": NOON,
    }
    return Source(**values | more)


def claim(
    text: str = "The works spilled 300 tonnes of brine.", *mentioned_by: str, id: str = "C1", **more: Any
) -> Claim:
    mentions = tuple(
        Mention(source_id=each, snapshot=f"sha256:{each}", quote=text, start=0, end=len(text)) for each in mentioned_by
    )
    return Claim(id=id, text=text, mentions=mentions, **more)


def finding(
    id: str,
    source_id: str,
    stance: Stance = Stance.SUPPORTS,
    confidence: float = 0.9,
    quote: str = "The works did spill 300 tonnes of brine.",
    **more: Any,
) -> Finding:
    values: dict[str, Any] = {
        "id": id,
        "claim_id": "C1",
        "source_id": source_id,
        "agent": "inquiry",
        "stance": stance,
        "confidence": confidence,
        "quote": quote,
        "snapshot": f"sha256:{source_id}",
        "start": 0,
        "end": len(quote),
    }
    return Finding(**values | more)


def document(text: str, **more: Any) -> Document:
    values: dict[str, Any] = {"snapshot": "sha256:d", "url": "https://gazette.example/a", "text": text}
    return Document(**values | more)


def spoken(kind: str, name: str = "", **more: Any) -> dict[str, Any]:
    """The details of a finding that is somebody's statement."""
    return {"speaker": {"kind": kind, "name": name}, **more}
