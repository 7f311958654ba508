"""Cohere Rerank: a multilingual model that reads query and text together; needs a key."""

from __future__ import annotations

import json
from collections.abc import Sequence

from inquest.kit.dialect import secrets
from inquest.kit.engine import Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.reranker import RerankerSpec, ServiceReranker, scores_in_order


class Cohere(ServiceReranker):
    """Version 2 of its API; the model is that of the settings, or the fast one of the current generation."""

    spec = RerankerSpec(
        name="cohere",
        title="Cohere Rerank",
        key="COHERE_API_KEY",
        homepage="https://cohere.com/rerank",
        documentation="https://docs.cohere.com/reference/rerank",
        model="rerank-v4.0-fast",
        # 10 calls a minute with a trial key, 1,000 with a paid one: docs.cohere.com/docs/rate-limits.
        limits=Limits(per_second=10, concurrency=2),
        # One search unit, which is a query with up to 100 texts: cohere.com/pricing.
        usd_per_call=0.002,
        texts_per_call=100,
    )
    refused_in = (("message",),)

    def request(self, query: str, texts: Sequence[str]) -> Request:
        key = self.access.key or ""
        body = {"model": self.model, "query": query, "documents": list(texts)}
        return Request(
            url="https://api.cohere.com/v2/rerank",
            method="POST",
            headers=(("authorization", f"Bearer {key}"), ("content-type", "application/json")),
            body=json.dumps(body).encode("ascii"),
            secrets=secrets(key),
        )

    def parse(self, reply: Reply, count: int) -> list[float]:
        data = reply.json()
        if "results" not in data and data.get("message"):
            raise self.refusal(data["message"])
        return scores_in_order(data["results"], count)
