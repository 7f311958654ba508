"""`inquest assess` on many pairs, as a user runs it: the first answer from a cold start, pairs per second, peak memory.

`python -m bench.speed assess [PAIRS]`; 10,000 pairs by default. The pairs are made up here, with the typical lengths of
claims and passages, and all different, so that nothing is answered from the cache.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from bench.figures import Figure

__all__ = ["measure"]

_NAMES = "Harlow Calder Dorn Ansel Veltra Marsh Orrin Tovey Lund Brask".split()
_VERBS = "reduced raised closed opened bought sold reported denied approved rejected".split()
_THINGS = (
    "emissions of its plants, the price of water, two factories, a new line, its shares, the permit, the fine".split(
        ", "
    )
)
_FILLERS = (
    "The council met on Tuesday and heard several residents on the matter.",
    "According to the annual report, the figures had been checked by an outside auditor.",
    "Critics said that the measure came too late and would change little.",
    "The company's spokeswoman did not answer questions about the previous years.",
)


def measure(arguments: list[str]) -> list[Figure]:
    """The figures of one process for all pairs, and of one that judges a single pair."""
    count = int(arguments[0]) if arguments else 10_000
    command = str(Path(sys.executable).with_name("inquest"))
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"INQUEST_HOME": home}
        cold = []
        for _ in range(3):
            began = time.perf_counter()
            subprocess.run(
                [command, "assess", "--claim", "The plant's emissions rose.", "--passage", "Its emissions fell."],
                env=environment, check=True, capture_output=True,
            )  # fmt: skip
            cold.append(time.perf_counter() - began)
        path = Path(home) / "pairs.jsonl"
        path.write_text("".join(json.dumps(pair) + "\n" for pair in _pairs(count)), "utf-8")
        began = time.perf_counter()
        with (Path(home) / "out.jsonl").open("wb") as out:
            process = subprocess.Popen([command, "assess", "--jsonl", str(path)], env=environment, stdout=out)
            watched, peak = psutil.Process(process.pid), 0
            while process.poll() is None:
                try:
                    peak = max(peak, watched.memory_info().rss)
                except psutil.NoSuchProcess:
                    break
                time.sleep(0.02)
        if process.wait() != 0:
            raise SystemExit("inquest assess failed")
        seconds = time.perf_counter() - began
    return [
        Figure("assess", "first_answer_seconds", min(cold), "s"),
        Figure("assess", "pairs_per_second", count / seconds, "1/s", details={"pairs": count}),
        Figure("assess", "peak_memory", peak / 2**20, "MB", details={"pairs": count}),
    ]


def _pairs(count: int) -> list[dict[str, str]]:
    chance = random.Random(17)
    return [_pair(chance) for _ in range(count)]


def _pair(chance: random.Random) -> dict[str, str]:
    name, thing = chance.choice(_NAMES), chance.choice(_THINGS)
    year, share = chance.randint(2005, 2024), chance.randint(2, 90)
    claim = f"{name} {chance.choice(_VERBS)} {thing} by {share} % in {year}."
    sentences = [
        f"In {chance.randint(2005, 2024)} {name} {chance.choice(_VERBS)} {thing} by {chance.randint(2, 90)} %."
    ]
    sentences += chance.sample(_FILLERS, chance.randint(1, 3))
    chance.shuffle(sentences)
    return {"claim": claim, "passage": " ".join(sentences)}
