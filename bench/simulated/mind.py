"""The simulated model: reads the marked blocks of a request, and answers from the facts of the world."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from bench.simulated.worlds import BRIEF, Telling, World

__all__ = ["answer_to", "completion"]

_BLOCK = r"^\[\[data {key} (\w+)(?: ([\w.-]+))?\]\]\n(.*?)\n\[\[end {key}\]\]$"
Blocks = list[tuple[str, str, str]]
"""Kind, id, body."""


def answer_to(world: World, request: dict[str, Any]) -> str:
    """The model's reply. Its task is recognised by the instructions, its material by the blocks."""
    system, user = request["messages"][0]["content"], request["messages"][-1]["content"]
    key = re.search(r"key (\w+)\.", user)
    blocks: Blocks = []
    if key:
        pattern = re.compile(_BLOCK.format(key=key[1]), re.DOTALL | re.MULTILINE)
        blocks = [(match[1], match[2] or "", match[3]) for match in pattern.finditer(user)]
    for words, task in _TASKS:
        if words in system:
            return json.dumps(task(world, blocks))
    if _QUERIES in system:
        return json.dumps(_desk_queries(world, blocks, _angles(system)))
    return "I do not know what is wanted."


def completion(text: str, request: dict[str, Any]) -> dict[str, Any]:
    """The answer as a chat completion; four characters are counted as a token."""
    asked = sum(len(message["content"]) for message in request["messages"]) // 4
    said = max(1, len(text) // 4)
    return {
        "id": "chatcmpl-simulated",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": request["model"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said},
    }


def _told(world: World, text: str) -> list[Telling]:
    return [telling for sentence, telling in world.tellings().items() if sentence in text]


def _claim(world: World, telling: Telling) -> str:
    fact = world.fact(telling.fact)
    return fact.told if telling.supports else fact.denied


def _field(body: str, name: str) -> str:
    match = re.search(rf"^{name}: (.*)$", body, re.MULTILINE)
    return match[1] if match else ""


def _plan(world: World, blocks: Blocks) -> dict[str, Any]:
    # Worded so that together they find every page that is not late.
    texts = [
        "Aldermoor battery plant fire report",
        "Aldermoor battery plant fire investigation safety authority",
        "Aldermoor fire inspectors confirmed workers",
        "Voltrane statement Aldermoor battery plant",
        "Aldermoor fire district court documents filed",
        "Aldermoor town council residents fire report",
    ]
    queries = [{"text": text, "kinds": ["news", "web"], "purpose": BRIEF[:80]} for text in texts]
    questions = ["What caused the fire?", "What was released?", "Who knew before?"]
    return {"topic": world.topic, "questions": questions, "queries": queries, "source_kinds": ["Press", "Authorities"]}


def _read(world: World, blocks: Blocks) -> dict[str, Any]:
    body = next(body for kind, _, body in blocks if kind == "document")
    told = _told(world, body)
    claims = [
        {"text": _claim(world, telling), "quote": telling.sentence, "type": "event", "importance": 0.9 - 0.1 * n}
        for n, telling in enumerate(told[:3])
    ]
    said = " ".join(str(claim["text"]) for claim in claims)
    summary = f"The page reports: {said}" if claims else "Nothing on the matter."
    return {"summary": summary[:480], "key_claims": claims, "relevance": 0.9 if claims else 0.05}


def _merge(world: World, blocks: Blocks) -> dict[str, Any]:
    known = world.claims()
    members: dict[str, list[str]] = {}
    for kind, block_id, body in blocks:
        if kind == "claim":
            text = body.rsplit("text:\n", 1)[-1]
            members.setdefault(text, []).append(block_id)
    claims = [
        {"text": text, "members": ids, "importance": min(1.0, 0.3 + 0.1 * len(ids)), "queries": [known[text][0].query]}
        for text, ids in members.items()
        if text in known
    ]
    return {"claims": claims}


def _assess(world: World, blocks: Blocks) -> dict[str, Any]:
    claim = next(body for kind, _, body in blocks if kind == "claim")
    fact, side = world.claims().get(claim, (None, True))
    judgements = []
    for kind, block_id, body in blocks:
        if kind != "passage":
            continue
        telling = next((one for one in _told(world, body) if fact and one.fact == fact.id), None)
        stance = "neutral" if telling is None else "supports" if telling.supports == side else "contradicts"
        judgements.append(
            {
                "passage": block_id,
                "stance": stance,
                "contradiction_type": _type(telling) if stance == "contradicts" else None,
                "quote": telling.sentence if telling else "",
                "confidence": 0.9,
                "why": "The passage says so." if telling else "The passage is about something else.",
            }
        )
    return {"judgements": judgements}


def _type(telling: Telling | None) -> str:
    return (telling and telling.contradiction) or "direct"


def _desk_queries(world: World, blocks: Blocks, angles: list[str]) -> dict[str, Any]:
    """For each claim and angle, the words that find its pages."""
    known = world.claims()
    claims = [(block_id, body.rsplit("text:\n", 1)[-1]) for kind, block_id, body in blocks if kind == "claim"]
    found = [(block_id, known[text][0].query) for block_id, text in claims if text in known]
    return {"queries": [{"claim": claim, "angle": a, "text": f"{text} {a}"} for claim, text in found for a in angles]}


def _angles(system: str) -> list[str]:
    """The names in the list of angles, which is the second paragraph of the task."""
    return re.findall(r"^- (\w+): ", system.split(_QUERIES)[1].split("\n\n")[1], re.MULTILINE)


def _classify(world: World, blocks: Blocks) -> dict[str, Any]:
    return {"category": "unknown", "why": "The page does not show it."}


def _events(world: World, blocks: Blocks) -> dict[str, Any]:
    by_fact: dict[str, list[str]] = {}
    for kind, block_id, body in blocks:
        if kind == "passage":
            for telling in _told(world, body):
                by_fact.setdefault(_claim(world, telling), []).append(block_id)
    return {"events": [{"text": text, "passages": ids} for text, ids in by_fact.items()]}


def _leanings(world: World, blocks: Blocks) -> dict[str, Any]:
    rows = []
    for kind, block_id, body in blocks:
        if kind == "source":
            denies = any(not telling.supports for telling in _told(world, body))
            leaning, bias = ("favourable", 7.0) if denies else ("neutral", 1.0)
            rows.append({"source": block_id, "leaning": leaning, "bias": bias, "why": "By its wording."})
    return {"sources": rows}


def _write(world: World, blocks: Blocks) -> dict[str, Any]:
    statements = []
    for kind, _, body in blocks:
        if kind == "claim":
            text = body.rsplit("text:\n", 1)[-1]
            backing = [name for name in _field(body, "for").split(", ") if name]
            against = [name for name in _field(body, "against").split(", ") if name]
            if backing:
                statements.append({"text": f"Sources report: {text}", "findings": backing[:2]})
            elif against:
                statements.append({"text": f"Sources contradict this: {text}", "findings": against[:2]})
    statements.append({"text": "Everybody knows who is to blame.", "findings": []})
    return {"title": world.topic, "sections": [{"heading": "What was found", "statements": statements}]}


def _market_question(world: World, blocks: Blocks) -> dict[str, Any]:
    article = (
        f"{world.topic} shares fell sharply after the company lowered its guidance. Management named weak orders and "
        "full warehouses. Analysts cut their price targets, and the sector followed. Traders fear for demand."
    )
    return {"article": article}


def _answer(world: World, blocks: Blocks) -> dict[str, Any]:
    """The first sentence told by each of the first two passages."""
    told = [
        (block_id, tellings[0].sentence)
        for kind, block_id, body in blocks
        if kind == "passage"
        if (tellings := _told(world, body))
    ]
    quotes = [{"passage": block_id, "quote": sentence} for block_id, sentence in told[:2]]
    return {
        "answer": f"According to the page, {told[0][1]}" if told else "",
        "quotes": quotes,
        "why": "Nothing says it.",
    }


_TASKS: tuple[tuple[str, Callable[[World, Blocks], dict[str, Any]]], ...] = (
    ("Task: plan an inquiry", _plan),
    ("Task: say what the document", _read),
    ("Task: merge what several sources", _merge),
    ("Task: judge how each block", _assess),
    ("Task: choose the events", _events),
    ("Task: say how the coverage", _leanings),
    ("Task: write the summary", _write),
    ("Task: say what kind of publisher", _classify),
    ("Task: read the question to a market", _market_question),
    ("Task: answer the question", _answer),
)
_QUERIES = "Task: write the searches"
