"""The path of one claim through the entailment: files it passes through, and calls from one file to another."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import inquest
from bench.figures import Figure
from inquest.analysts.assessing import LocalJudge
from inquest.kit.analyst import Passage

__all__ = ["DATA", "measure"]

DATA = ""
_CLAIM = "Harlow Chemicals emitted 12 tonnes of mercury in 2023."
_PASSAGE = (
    "The agency said on Tuesday that Harlow Chemicals emitted 14 tonnes of mercury in 2023. The company denied it. "
    "Residents had complained about the smell for years. A further report is due in May 2025."
)
_PACKAGE = Path(inquest.__file__).resolve().parent


def measure(data: Path | None) -> list[Figure]:
    """For one claim and a passage of four sentences: `files`, and `calls` from a function of one file to one of
    another, each pair counted once; for the entailment's own files, and for all files of the package."""
    judge = LocalJudge()
    passage = Passage(id="1", source_id="S1", snapshot="", text=_PASSAGE)
    judge.passages(_CLAIM, [passage])  # the first call loads tables
    calls: set[tuple[str, str, str, str]] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_back is not None:
            pair = (*_place(frame.f_back), *_place(frame))
            if pair[0] and pair[2] and pair[0] != pair[2]:
                calls.add(pair)

    sys.setprofile(note)
    try:
        judge.passages(_CLAIM.replace("12", "13"), [passage.model_copy(update={"text": f"{_PASSAGE} It rained."})])
    finally:
        sys.setprofile(None)
    own = {call for call in calls if call[0].startswith("entailment/") and call[2].startswith("entailment/")}
    return [
        Figure("calls", "files", len({each for call in own for each in (call[0], call[2])})),
        Figure("calls", "calls", len(own)),
        Figure("calls", "files_of_the_package", len({each for call in calls for each in (call[0], call[2])})),
        Figure("calls", "calls_of_the_package", len(calls)),
    ]


def _place(frame: FrameType) -> tuple[str, str]:
    """File within the package, and function; ('', '') outside it."""
    path = Path(frame.f_code.co_filename)
    inside = path.is_relative_to(_PACKAGE)
    return (path.relative_to(_PACKAGE).as_posix(), frame.f_code.co_name) if inside else ("", "")
