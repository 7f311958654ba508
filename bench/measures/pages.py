"""Quality of judging whole pages, as a search returns them: claims of Wikipedia with the pages they cite, headlines
with articles.

Rows of WiCE have `sentences` (with the page's title among them as metadata) and a `label` of supported,
partially_supported or not_supported; rows of the Fake News Challenge have `text` and a `label` of agree, disagree,
discuss or unrelated. Others wrote the data. The combination was trained on the visible rows of both, so its quality is
shown only by rows that are not here, or by the cross-validated figures in `training/README.md`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.figures import Figure
from bench.rows import rows_of
from inquest.analysts.assessing import LocalJudge
from inquest.app.settings import load_settings
from inquest.app.wiring.small_models import pair_reader, sentence_encoder
from inquest.domain.finding import Reading, Stance
from inquest.kit.analyst import Passage

__all__ = ["DATA", "measure", "page_of"]

DATA = "data/pages_vs_claims"
_META = "(meta data)"
_TITLE = f"{_META} TITLE:"


def measure(data: Path) -> list[Figure]:
    """For WiCE: supported_found, unsupported_called_supported, supported_called_contradicted; for the Fake News
    Challenge: supports_precision and supports_recall ('agree'). All are shares."""
    rows = [row for row in rows_of(data, "claim", "label") if "sentences" in row or "text" in row]
    settings = load_settings()
    judge = LocalJudge(pair_reader(settings), sentence_encoder(settings))
    begun = time.perf_counter()
    judged = [(row["label"], _judged(judge, row)) for row in rows]
    seconds = time.perf_counter() - begun
    cited = [one for row, one in zip(rows, judged, strict=True) if "sentences" in row]
    articles = [one for row, one in zip(rows, judged, strict=True) if "sentences" not in row]
    return [
        *(_of_citations(cited) if cited else ()),
        *(_of_articles(articles) if articles else ()),
        Figure("pages", "pages_per_second", len(rows) / seconds, "1/s", details={"pages": len(rows)}),
    ]


def page_of(row: dict[str, Any]) -> tuple[str, str]:
    """Title and text of a row's page."""
    if "sentences" not in row:
        return "", row["text"]
    title = next((line.removeprefix(_TITLE).strip() for line in row["sentences"] if line.startswith(_TITLE)), "")
    return title, "\n".join(line for line in row["sentences"] if not line.startswith(_META))


def _judged(judge: LocalJudge, row: dict[str, Any]) -> Reading:
    title, text = page_of(row)
    (found,) = judge.passages(row["claim"], [Passage(id="1", source_id="S1", snapshot="", text=text, title=title)])
    return found


def _of_citations(judged: Sequence[tuple[str, Reading]]) -> list[Figure]:
    return [
        _share("supported_found", judged, "supported", Stance.SUPPORTS),
        _share("unsupported_called_supported", judged, "not_supported", Stance.SUPPORTS),
        _share("supported_called_contradicted", judged, "supported", Stance.CONTRADICTS),
    ]


def _share(name: str, judged: Sequence[tuple[str, Reading]], label: str, stance: Stance) -> Figure:
    """The share of the pages with a label that are given a stance."""
    of_label = [one for gold, one in judged if gold == label]
    count = sum(one.stance is stance for one in of_label)
    return Figure("pages", name, count / max(1, len(of_label)), details={"of": len(of_label), "count": count})


def _of_articles(judged: Sequence[tuple[str, Reading]]) -> list[Figure]:
    said = [gold for gold, one in judged if one.stance is Stance.SUPPORTS]
    right, wanted = said.count("agree"), sum(gold == "agree" for gold, _ in judged)
    details = {"of": len(said), "right": right}
    return [
        Figure("pages", "supports_precision", right / max(1, len(said)), details=details),
        Figure("pages", "supports_recall", right / max(1, wanted), details={"of": wanted}),
    ]
