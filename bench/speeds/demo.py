"""The bundled inquiry as a user runs it (`inquest demo`): seconds, processor seconds and peak memory of the process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from bench.figures import Figure

__all__ = ["measure"]


def measure(arguments: list[str]) -> list[Figure]:
    """One run on a fresh data folder, including the adding of documents."""
    command = str(Path(sys.executable).with_name("inquest"))
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"INQUEST_HOME": home}
        began = time.perf_counter()
        process = subprocess.Popen(
            [command, "demo"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        watched, peak, processor = psutil.Process(process.pid), 0, 0.0
        while process.poll() is None:
            try:
                peak = max(peak, watched.memory_info().rss)
                processor = sum(watched.cpu_times()[:2])
            except psutil.NoSuchProcess:
                break
            time.sleep(0.02)
        if process.wait() != 0:
            raise SystemExit("inquest demo failed")
        return [
            Figure("demo", "seconds", time.perf_counter() - began, "s"),
            Figure("demo", "processor_seconds", processor, "s"),
            Figure("demo", "peak_memory", peak / 2**20, "MB"),
        ]
