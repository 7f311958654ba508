"""Sentences that decide the claims of a simulated web, each with its claim, and passages that say nothing about one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from inquest.domain.finding import Stance
from inquest.entailment.parsed_text import Page, share_of
from inquest.text.sentences import content_words

__all__ = ["GoldPair", "gold_pairs"]

_NEUTRAL = 6
"""Number of passages per claim that say nothing about it: those with most of its words."""


class GoldPair(NamedTuple):
    """A claim, the paragraph of a page, and its stance on the claim."""

    claim: str
    passage: str
    page: Page
    stance: Stance


def gold_pairs(world: Path) -> list[GoldPair]:
    """Every English passage that decides a claim of the world, then for each claim those on the same affair that share
    most words with it and say nothing about it. Empty if the world is not installed."""
    if not (world / "gold.json").exists():
        return []
    lines = (world / "docs.jsonl").read_text("utf-8").splitlines()
    documents = {document["url"]: document for document in map(json.loads, filter(None, lines))}
    claims = json.loads((world / "gold.json").read_text("utf-8"))["claims"]
    return [
        *(pair for claim in claims for pair in _deciding(claim, documents)),
        *(pair for claim in claims for pair in _silent(claim, documents)),
    ]


def _deciding(claim: dict[str, Any], documents: dict[str, dict[str, Any]]) -> Iterator[GoldPair]:
    for url, gold in claim["stances"].items():
        if gold["language"] == "en":
            document = documents[url]
            passage = next((part for part in _paragraphs(document) if gold["quote"] in part), gold["quote"])
            yield GoldPair(claim["text"], passage, _page(document), Stance(gold["stance"]))


def _silent(claim: dict[str, Any], documents: dict[str, dict[str, Any]]) -> list[GoldPair]:
    others = [
        document
        for url, document in documents.items()
        if url not in claim["stances"] and document["affair"] == claim["affair"] and not document.get("language")
    ]
    terms = frozenset(content_words(claim["text"]))
    passages = [(part, document) for document in others for part in _paragraphs(document)]
    nearest = sorted(passages, key=lambda each: -share_of(terms, frozenset(content_words(each[0]))))[:_NEUTRAL]
    return [GoldPair(claim["text"], part, _page(document), Stance.NEUTRAL) for part, document in nearest]


def _paragraphs(document: dict[str, Any]) -> list[str]:
    return [part.strip() for part in document["text"].split("\n\n") if part.strip()]


def _page(document: dict[str, Any]) -> Page:
    day = datetime.fromisoformat(document["published"]).date() if document.get("published") else None
    return Page(document["title"], _paragraphs(document)[0], day)
