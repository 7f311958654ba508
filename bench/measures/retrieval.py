"""Retrieval by words: nDCG@10 and recall@10 over queries with known relevant documents.

The data: `*corpus*.jsonl` with lines of id, title and text; `*queries*.jsonl` with lines of id, text and relevant ids.
The corpus goes the way of every user's documents: `collection add`, then `collection search --queries`.
"""

from __future__ import annotations

import asyncio
import json
import math
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from bench.collections import in_folder
from bench.figures import Figure

DATA = "data/retrieval"
DEPTH = 10


def measure(data: Path) -> list[Figure]:
    """Build a collection of the corpus and ask it every query."""
    folder = data if data.is_dir() else data.parent
    corpus, queries = sorted(folder.glob("*corpus*.jsonl")), sorted(folder.glob("*queries*.jsonl"))
    with tempfile.TemporaryDirectory() as home:
        collections = in_folder(Path(home))
        added = asyncio.run(collections.add("bench", corpus))
        asked = [json.loads(line) for file in queries for line in file.read_text("utf-8").splitlines() if line.strip()]
        answers = collections.search_many("bench", asked, limit=DEPTH)
        pairs = [(_ids(answer), set(map(str, query["relevant"]))) for answer, query in zip(answers, asked, strict=True)]
    taken_over = {"documents": added.documents, "queries": len(pairs)}
    return [
        Figure("retrieval", "ndcg_10", _mean([ndcg(*pair) for pair in pairs]), details=taken_over),
        Figure("retrieval", "recall_10", _mean([recall(*pair) for pair in pairs]), details=taken_over),
    ]


def ndcg(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Normalised discounted cumulative gain of a ranking, with relevance 0 or 1."""
    gained = sum(1 / math.log2(rank + 1) for rank, one in enumerate(ranked[:DEPTH], 1) if one in relevant)
    return gained / sum(1 / math.log2(rank + 1) for rank in range(1, min(DEPTH, len(relevant)) + 1))


def recall(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """The share of the relevant documents that are among the first ten."""
    return len(set(ranked[:DEPTH]) & set(relevant)) / len(relevant)


def _ids(answer: dict[str, Any]) -> list[str]:
    return [result["id"] for result in answer["results"]]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
