"""Accuracy of an audit without a language model in deciding that a citation holds, on pairs judged by people.

Rows of AttributionBench have a `claim`, its `references` and an `attribution_label`; of Factcheck-GPT a `claim`, one
`evidence` and a `stance`; of SciTab a `claim`, a table and a `label`. HoVer names its pages but does not have their
text. By the data, a statement holds if its source supports it completely. One half of each set, by the hash of the row,
is measured, at most `_MOST` rows; the other half is only for `--held-back`, and nobody has read its rows.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from bench.figures import Figure
from bench.rows import rows_of
from inquest.analysts.local import LocalAnalyst
from inquest.app.settings import load_settings
from inquest.app.wiring.small_models import pair_reader, sentence_encoder
from inquest.domain.audit import Outcome
from inquest.domain.document import Block, BlockKind, Document
from inquest.domain.errors import ModelError
from inquest.flow.nodes.audit import found_by
from inquest.kit.analyst import Analyst
from inquest.text.blocks import grid_text, moved

__all__ = ["DATA", "figures_of", "judged_rows", "measure"]

DATA = "data/audit"
_MOST = 240
_KEYS = {"attributionbench": "references", "factcheckgpt": "evidence", "scitab": "table_content_values"}
_HOLDS = ("attributable", "completely-support", "supports")


Judged = dict[str, list[tuple[dict[str, Any], bool, Outcome]]]
"""By set: the rows, each with whether it holds according to the data, and the outcome."""


def measure(data: Path, *, held_back: bool = False) -> list[Figure]:
    """For each set: accuracy, macro-F1 of the two classes, and the precision of 'holds'."""
    analyst = LocalAnalyst(pair_reader(load_settings()), sentence_encoder(load_settings()))
    return figures_of(asyncio.run(judged_rows(data, analyst, held_back=held_back)))


def figures_of(found: Judged, *, measure: str = "audit", by: str = "") -> list[Figure]:
    """The figures of `measure`; `by` ends their names."""
    figures = []
    for name, judged in found.items():
        pairs = Counter((gold, found is Outcome.HOLDS) for _, gold, found in judged)
        right, said, wanted = pairs[True, True], pairs[True, True] + pairs[False, True], sum(g for _, g, _ in judged)
        f1 = [
            2 * pairs[side, side] / max(1, 2 * pairs[side, side] + pairs[True, False] + pairs[False, True])
            for side in (True, False)
        ]
        outcomes = {
            gold: dict(Counter(found.value for _, is_so, found in judged if is_so is gold)) for gold in (True, False)
        }
        details = {"rows": len(judged), "supported": outcomes[True], "not_supported": outcomes[False]}
        precise = {"right": right, "said": said, "of": wanted}
        figures += [
            Figure(measure, f"accuracy_{name}{by}", (right + pairs[False, False]) / len(judged), details=details),
            Figure(measure, f"macro_f1_{name}{by}", sum(f1) / 2),
            Figure(measure, f"holds_precision_{name}{by}", right / said if said else 1.0, details=precise),
        ]
    return figures


async def judged_rows(
    data: Path, analyst: Analyst, *, held_back: bool = False, by_model: bool = False, most: int = _MOST
) -> Judged:
    """The rows of the half, up to a limit per set, with their outcomes. An unusable reply of a model leaves a statement
    unjudged: `could_not_be_read`."""
    found: Judged = defaultdict(list)
    for name, key in _KEYS.items():
        keyed = sorted((_hash(row), n, row) for n, row in enumerate(rows_of(data, "claim", key)))
        half = [row for number, _, row in keyed if number % 2 == held_back]
        for row in half[:most]:
            gold = (row.get("attribution_label") or row.get("stance") or row["label"]) in _HOLDS
            try:
                outcome = (await found_by(analyst, row["claim"], _document(row), by_model=by_model)).outcome
            except ModelError:
                outcome = Outcome.COULD_NOT_BE_READ
            found[name].append((row, gold, outcome))
    return found


def _hash(row: dict[str, Any]) -> int:
    return int(hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()[:8], 16)


def _document(row: dict[str, Any]) -> Document:
    if "table_content_values" not in row:
        text = row.get("evidence") or "\n\n".join(row["references"])
        return Document(snapshot="row", url="https://source.example/", text=text)
    plain = [[cell.replace("[BOLD]", "").strip() for cell in line] for line in row["table_content_values"]]
    text, table = grid_text([row["table_column_names"], *plain], head_rows=1, head_columns=1)
    head = f"{row['paper']}\n\n{row['table_caption']}\n\n"
    spans = ((BlockKind.PARAGRAPH, 0, len(head) - 2), (BlockKind.TABLE, len(head), len(head) + len(text)))
    blocks = tuple(Block(kind=kind, start=start, end=end) for kind, start, end in spans)
    tables = (moved(table, len(head)),)
    return Document(
        snapshot="row",
        url="https://source.example/",
        title=row["paper"],
        text=head + text,
        blocks=blocks,
        tables=tables,
    )
