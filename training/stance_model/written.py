"""The pairs in `written/`: claims and passages written for this project, in groups with one passage or one claim.

A line of a file is a group, in one of two forms: a passage with its claims, `{"p": PASSAGE, "c": [["s", CLAIM], ...]}`,
or a claim with its passages, `{"c": CLAIM, "p": [["n", PASSAGE], ...]}`; s, c, n are supports, contradicts, neutral. In
the files `near-*.jsonl` the texts of a group share most of their words, and one construction is decisive; those of
`plain-*.jsonl` are plain paraphrases, half of them supported.
"""

# mypy: ignore-errors
from __future__ import annotations

import json
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "written"
KEPT_APART = "01"
"""Files with this number are not used for training."""
NEAR, PLAIN, PAGE = "near-", "plain-", "page-"
"""The files of pairs with similar words, of plain pairs, and of pages (`pages.py`), which `written` leaves out."""
_STANCES = {"s": "supports", "c": "contradicts", "n": "neutral"}


def written(kind: str = "", *, apart: bool = False) -> list[dict[str, str]]:
    """The pairs for training, or those kept apart; their source is "written". `kind`: NEAR, PLAIN, or "" for others."""
    files = [
        path for path in sorted(FOLDER.glob(f"{kind}*.jsonl"))
        if path.stem.endswith(KEPT_APART) == apart and (kind or not path.name.startswith((NEAR, PLAIN, PAGE)))
    ]  # fmt: skip
    return [pair for path in files for line in path.open(encoding="utf-8") for pair in _pairs(json.loads(line))]


def _pairs(group: dict) -> list[dict[str, str]]:
    if isinstance(group["p"], str):
        found = [(label, claim, group["p"]) for label, claim in group["c"]]
    else:
        found = [(label, group["c"], passage) for label, passage in group["p"]]
    return [
        {"claim": claim, "passage": passage, "stance": _STANCES[label], "source": "written"}
        for label, claim, passage in found
    ]
