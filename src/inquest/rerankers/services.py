"""Rerankers that are services: models that read query and text together; each needs a key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inquest.kit.dialect import json_post, with_key
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
        body = {"model": self.model, "query": query, "documents": list(texts)}
        return with_key(json_post("https://api.cohere.com/v2/rerank", body), self.access.key)

    def parse(self, reply: Reply, count: int) -> list[float]:
        data = reply.json()
        if "results" not in data and data.get("message"):
            raise self.refusal(data["message"])
        return scores_in_order(data["results"], count)


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
        body = {"model": self.model, "query": query, "documents": list(texts), "return_documents": False}
        request = json_post("https://api.jina.ai/v1/rerank", body)
        request = replace(request, headers=(*request.headers, ("accept", "application/json")))
        return with_key(request, self.access.key)

    def parse(self, reply: Reply, count: int) -> list[float]:
        data = reply.json()
        if "results" not in data and (said := data.get("detail") or data.get("message")):
            raise self.refusal(said)
        return scores_in_order(data["results"], count)
