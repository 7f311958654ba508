"""Retrieval by words, by meaning and by both: nDCG@10 and recall@10 over queries with known relevant documents.

The data: `*corpus*.jsonl` with lines of id, title and text; `*queries*.jsonl` with lines of id, text and relevant ids.
The corpus is processed like any user's documents: `collection add`, `collection embed`, `collection search --queries`.
"""

from __future__ import annotations

import asyncio
import json
import math
import tempfile
import time
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from bench.collections import in_folder
from bench.figures import Figure
from inquest.app.settings import load_settings
from inquest.app.wiring.collections import Encoding, encoding_of
from inquest.collection.index import Index
from inquest.collection.library import Library
from inquest.collection.vectors import VectorTable

DATA = "data/retrieval"
DEPTH = 10


def measure(data: Path, *, by_meaning: bool = True) -> list[Figure]:
    """Build a collection from the corpus and run every query. `by_meaning`: embed it too, which takes minutes."""
    folder = data if data.is_dir() else data.parent
    corpus, queries = sorted(folder.glob("*corpus*.jsonl")), sorted(folder.glob("*queries*.jsonl"))
    with tempfile.TemporaryDirectory() as home:
        collections = in_folder(Path(home))
        added = asyncio.run(collections.add("bench", corpus))
        asked = [json.loads(line) for file in queries for line in file.read_text("utf-8").splitlines() if line.strip()]
        details = {"documents": added.documents, "queries": len(asked)}
        figures = _figures("", map(_ids, collections.search_many("bench", asked, limit=DEPTH)), asked, details)
        if by_meaning:
            collections.encoding = encoding = encoding_of(load_settings())
            assert encoding, "there is no sentence encoder"
            begun = time.perf_counter()
            asyncio.run(collections.embed("bench"))
            speed = added.documents / (time.perf_counter() - begun)
            figures.append(Figure("retrieval", "embedded_per_second", speed, "documents/s", details))
            together = in_folder(Path(home))
            together.encoding = encoding
            answers = together.search_many("bench", asked, limit=DEPTH)
            figures += _figures("_hybrid", map(_ids, answers), asked, details)
            library = Library(Path(home))
            index, vectors = library.index("bench"), library.vectors("bench")
            assert vectors
            nearest = (_nearest(index, vectors, encoding, query["text"]) for query in asked)
            figures += _figures("_vectors", nearest, asked, details)
    return figures


def ndcg(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Normalised discounted cumulative gain of a ranking, with relevance 0 or 1."""
    gained = sum(1 / math.log2(rank + 1) for rank, one in enumerate(ranked[:DEPTH], 1) if one in relevant)
    return gained / sum(1 / math.log2(rank + 1) for rank in range(1, min(DEPTH, len(relevant)) + 1))


def recall(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """The share of the relevant documents that are among the first ten."""
    return len(set(ranked[:DEPTH]) & set(relevant)) / len(relevant)


def _figures(
    by: str, answers: Iterable[Sequence[str]], asked: Sequence[dict[str, Any]], details: dict[str, Any]
) -> list[Figure]:
    pairs = [(answer, set(map(str, query["relevant"]))) for answer, query in zip(answers, asked, strict=True)]
    return [
        Figure("retrieval", f"ndcg_10{by}", _mean([ndcg(*pair) for pair in pairs]), details=details),
        Figure("retrieval", f"recall_10{by}", _mean([recall(*pair) for pair in pairs]), details=details),
    ]


def _nearest(index: Index, vectors: VectorTable, encoding: Encoding, text: str) -> list[str]:
    best = vectors.compared_with(encoding.encoder.encode([text])[0]).best(DEPTH, -1.0)
    ids = {found.snapshot: found.id for found, _ in index.texts(list(best))}
    return [ids[snapshot] for snapshot in best if snapshot in ids]


def _ids(answer: dict[str, Any]) -> list[str]:
    return [result["id"] for result in answer["results"]]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
