"""`inquest assess`: does a passage support or contradict a claim?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from inquest.cli.common import json_lines, print_json, run_async
from inquest.domain.errors import InputError

EXAMPLES = """
[bold]Examples[/bold]

    inquest assess --claim "Emissions rose by 40 %." --passage "The agency measured a rise of 28 % in emissions."

    inquest assess --jsonl pairs.jsonl > judged.jsonl
"""


def assess(
    claim: str | None = typer.Option(None, help="The claim, as one sentence."),
    passage: str | None = typer.Option(None, help="The passage that may bear on it."),
    jsonl: Path | None = typer.Option(None, help="A file of lines with `claim` and `passage` (`-`: standard input)."),
    as_json: bool = typer.Option(False, "--json", help="One JSON object on standard output."),
) -> None:
    """Judge whether a passage supports or contradicts a claim: stance, confidence, type, quote, reasons."""
    if jsonl is not None and (claim or passage):
        raise InputError("Give either --jsonl or --claim and --passage, not both.")
    if jsonl is None and (claim is None or passage is None):
        raise InputError("A claim and a passage are needed.", advice="Give --claim and --passage, or --jsonl FILE.")

    async def work() -> None:
        from inquest.app.tools.assessing import judge_pairs, judgement_json, pair_judge

        async with pair_judge(note=lambda why: typer.echo(why, err=True)) as judge:
            if jsonl is not None:
                async for judged in judge_pairs(judge, json_lines(jsonl)):
                    print_json(judged, indent=None)
                return
            (one,) = await judge.pairs([(claim or "", passage or "")])
        if as_json:
            print_json(judgement_json(one))
        else:
            _show(judgement_json(one))

    run_async(work())


def _show(judged: dict[str, Any]) -> None:
    kind = f" ({judged['contradiction_type']})" if judged["contradiction_type"] else ""
    typer.echo(f"{judged['stance']}{kind}, confidence {judged['confidence']:.2f}")
    if judged["quote"]:
        typer.echo(f"  “{judged['quote']}”  [{judged['start']}:{judged['end']}]")
    for reason in judged["reasons"]:
        typer.echo(f"  - {reason}")
