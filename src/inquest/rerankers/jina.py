"""Jina Reranker: a multilingual model that reads query and text together; needs a key."""

from __future__ import annotations

import json
from collections.abc import Sequence

from inquest.kit.dialect import secrets
from inquest.kit.engine import Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.reranker import RerankerSpec, ServiceReranker, scores_in_order


class Jina(ServiceReranker):
    """The model is that of the settings, or the multilingual one whose scores are between 0 and 1."""

    spec = RerankerSpec(
        name="jina",
        title="Jina Reranker",
        key="JINA_API_KEY",
        homepage="https://jina.ai/reranker",
        documentation="https://api.jina.ai/redoc#tag/rerank",
        model="jina-reranker-v2-base-multilingual",
        # 100 calls a minute with a free key: jina.ai/reranker, 'rate limit'.
        limits=Limits(per_second=1.5, concurrency=2),
        # Billed by the token, some $0.05 a million; an estimate for 100 texts of 2,000 characters, 50,000 tokens.
        usd_per_call=0.0025,
        texts_per_call=100,
    )
    refused_in = (("detail",), ("message",))

    def request(self, query: str, texts: Sequence[str]) -> Request:
        key = self.access.key or ""
        body = {"model": self.model, "query": query, "documents": list(texts), "return_documents": False}
        return Request(
            url="https://api.jina.ai/v1/rerank",
            method="POST",
            headers=(
                ("authorization", f"Bearer {key}"),
                ("accept", "application/json"),
                ("content-type", "application/json"),
            ),
            body=json.dumps(body).encode("ascii"),
            secrets=secrets(key),
        )

    def parse(self, reply: Reply, count: int) -> list[float]:
        data = reply.json()
        if "results" not in data and (said := data.get("detail") or data.get("message")):
            raise self.refusal(said)
        return scores_in_order(data["results"], count)
