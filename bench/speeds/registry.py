"""Tables of registers: seconds to add one, look-up times, and disk.

`python -m bench.speed registry [ROWS...]`: 100,000 and 1,000,000 rows by default. The rows are made up, in the format
of OffsetsDB's credits: a beneficiary as written and as harmonised, most of them named in several rows.
"""

from __future__ import annotations

import csv
import io
import random
import string
import tempfile
import time
from pathlib import Path

from bench.figures import Figure
from inquest.collection.registry_store import RegistryFacts, RegistryStore
from inquest.collection.registry_tables import rows_of_table, table_named

SIZES, WORDS, QUERIES = (100_000, 1_000_000), 20_000, 500
FORMS = ("GmbH", "AG", "plc", "Inc.", "Ltd", "S.A.", "AB", "Pty Ltd", "S.p.A.", "GmbH & Co. KG")


def measure(arguments: list[str]) -> list[Figure]:
    """The figures for each requested number of rows."""
    return [figure for size in [int(each) for each in arguments] or SIZES for figure in _of_size(size)]


def _of_size(size: int) -> list[Figure]:
    chance, table = random.Random(size), table_named("offsets")
    words = ["".join(chance.choices(string.ascii_lowercase, k=chance.randint(4, 10))).title() for _ in range(WORDS)]
    names = [f"{' '.join(chance.choices(words, k=2))} {chance.choice(FORMS)}" for _ in range(size // 4)]
    form = next(each for each in table.forms if each.name == "credits")
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(form.columns.values())
    for number in range(size):
        name = chance.choice(names)
        rows.writerow((f"VCS{number % 5000}", 100, 2020, "2024-03-01", "retirement", name.upper(), name, name))
    body, details = written.getvalue().encode(), {"rows": size}
    with tempfile.TemporaryDirectory() as folder:
        store, begun = RegistryStore(Path(folder)), time.perf_counter()
        facts = RegistryFacts(table.name, "sha256:0", "made up", "2026-01-01", 0)
        store.build(table, rows_of_table(table, body, lambda *_: iter(())), facts)
        took, times = time.perf_counter() - begun, []
        for name in chance.choices(names, k=QUERIES):
            begun = time.perf_counter()
            store.find(table, name, 10)
            times.append(time.perf_counter() - begun)
        disk = store.path(table.name).stat().st_size
    p95 = sorted(times)[int(QUERIES * 0.95)] * 1000
    given = (("update", took, "s"), ("look-up p95", p95, "ms"), ("disk", disk / 2**20, "MB"))
    return [Figure("registry", name, value, unit, details=details) for name, value, unit in given]
