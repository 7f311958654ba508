"""Collections: documents indexed per second, search times, memory and disk, as they grow.

`python -m bench.speed collection [DOCUMENTS...]`: 5,000 and 100,000 documents by default. The documents are made up:
150 words each, drawn so that few words are frequent and many are rare (Zipf), as in real text. Each size is measured in
a separate process, so that its memory is measured alone.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from bench.figures import Figure

SIZES = (5_000, 100_000)
WORDS, VOCABULARY, QUERIES, WORDS_A_QUERY = 150, 100_000, 500, 8


def measure(arguments: list[str]) -> list[Figure]:
    """The figures for each requested size."""
    figures = []
    for size in [int(argument) for argument in arguments] or list(SIZES):
        command = [sys.executable, "-m", "bench.speeds.collection", str(size)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        figures += [Figure("collection", **row, details={"documents": size}) for row in json.loads(said)]
    return figures


def measure_one(size: int) -> list[dict[str, Any]]:
    """Make the documents, add them, search; in this process."""
    import psutil

    from bench.collections import in_folder

    random_words = random.Random(size)
    vocabulary = [_word(random_words) for _ in range(VOCABULARY)]
    frequency = list(accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        _write(home / "documents.jsonl", size, vocabulary, frequency, random_words)
        collections = in_folder(home)
        begun = time.perf_counter()
        with _PrivateMemory(psutil.Process()) as private:
            asyncio.run(collections.add("bench", [home / "documents.jsonl"]))
        took = time.perf_counter() - begun
        times = []
        for _ in range(QUERIES):
            asked = " ".join(random_words.choices(vocabulary, cum_weights=frequency, k=WORDS_A_QUERY))
            begun = time.perf_counter()
            for answer in collections.search_many("bench", [{"id": 0, "text": asked}]):
                assert answer["results"]
            times.append((time.perf_counter() - begun) * 1000)
        times.sort()
        return [
            {"name": "indexed_per_second", "value": size / took, "unit": "documents/s"},
            {"name": "query_p50", "value": times[len(times) // 2], "unit": "ms"},
            {"name": "query_p95", "value": times[int(len(times) * 0.95)], "unit": "ms"},
            {"name": "peak_private_memory", "value": private.peak, "unit": "MB"},
            {"name": "peak_memory", "value": _peak(psutil.Process()), "unit": "MB"},
            {"name": "index_on_disk", "value": collections.info("bench").bytes_indexed / 1e6, "unit": "MB"},
        ]


def _write(
    path: Path, size: int, vocabulary: Sequence[str], frequency: Sequence[float], random_words: random.Random
) -> None:
    with path.open("w") as lines:
        for number in range(size):
            drawn = random_words.choices(vocabulary, cum_weights=frequency, k=WORDS)
            row = {
                "id": number,
                "title": " ".join(drawn[:8]),
                "text": " ".join(drawn),
                "date": f"20{number % 24:02d}-03-05",
            }
            lines.write(json.dumps(row) + "\n")


def _word(random_words: random.Random) -> str:
    return "".join(random_words.choices("etaoinshrdlucmfwypvbgk", k=random_words.randint(3, 10)))


class _PrivateMemory:
    """The peak private memory of a process in MB, sampled 20 times per second.

    Resident memory also includes pages of the index that the system keeps mapped while there is room, and releases when
    there is none.
    """

    def __init__(self, process: Any) -> None:
        self._process = process
        self._done = threading.Event()
        self._watching = threading.Thread(target=self._watch)
        self.peak = 0.0

    def __enter__(self) -> _PrivateMemory:
        self._watching.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._done.set()
        self._watching.join()

    def _watch(self) -> None:
        while not self._done.wait(0.05):
            memory = self._process.memory_info()
            self.peak = max(self.peak, (memory.rss - getattr(memory, "shared", 0)) / 1e6)


def _peak(process: Any) -> float:
    """Peak resident memory in MB, including mapped files, if the system reports it; else the current resident
    memory."""
    try:
        import resource
    except ImportError:
        return float(process.memory_info().rss) / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if sys.platform == "darwin" else 1024) / 1e6


if __name__ == "__main__":
    print(json.dumps(measure_one(int(sys.argv[1]))))
