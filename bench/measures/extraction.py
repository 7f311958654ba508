"""Share of the text marked by a person on real pages that the reader finds, compared with the library it is built on.

The measure is token F1 per page (multisets of words), averaged over the pages, as in article-extraction-benchmark. The
library alone is run without comments, its best plain setting on such pages. Time is processor time, so that a busy
machine has little influence; `time_ratio` is ours relative to the library's alone.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from bench.figures import Figure
from inquest.domain.document import Snapshot
from inquest.domain.errors import PageError
from inquest.readers.html.reader import HtmlReader
from inquest.text.languages import detect_language

__all__ = ["DATA", "measure", "token_f1"]

DATA = "data/pages"
_TOKEN = re.compile(r"\w+")
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
"""The time of retrieval of the pages; it limits their dates and nothing else."""


def measure(data: Path) -> list[Figure]:
    """`data` is a folder with gold.jsonl (`id`, `url`, `text`) and html/ID.html or html/ID.html.gz."""
    from trafilatura import extract

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    ours: list[float] = []
    library: list[float] = []
    titled = dated = 0
    seconds = library_seconds = 0.0
    worst: list[tuple[float, str]] = []
    lines = (data / "gold.jsonl").read_text("utf-8").splitlines()
    _warmed_up(data, [json.loads(line) for line in lines], extract)
    for line in lines:
        gold = json.loads(line)
        body = _page(data, gold["id"])
        snapshot = _snapshot(body, gold["url"])
        start = time.process_time()
        try:
            document = HtmlReader().read(body, snapshot)
            text, titled, dated = document.text, titled + bool(document.title), dated + bool(document.published)
        except PageError:
            text = ""
        seconds += time.process_time() - start
        start = time.process_time()
        alone = extract(body, url=gold["url"], include_comments=False) or ""
        library_seconds += time.process_time() - start
        ours.append(token_f1(text, gold["text"]))
        library.append(token_f1(alone, gold["text"]))
        worst.append((round(ours[-1], 3), gold["url"]))
    count = len(ours)
    f1, alone_f1 = sum(ours) / count, sum(library) / count
    details = {"pages": count, "worst": sorted(worst)[:3], "ms_per_page": round(1000 * seconds / count, 1)}
    return [
        Figure("extraction", "token_f1", f1, "mean over pages", details),
        Figure(
            "extraction", "library_token_f1", alone_f1, "", {"ms_per_page": round(1000 * library_seconds / count, 1)}
        ),
        Figure("extraction", "ratio", f1 / alone_f1 if alone_f1 else 0.0, "ours over the library alone"),
        Figure("extraction", "pages_per_second", count / seconds if seconds else 0.0, "on one core, processor time"),
        Figure("extraction", "time_ratio", seconds / library_seconds if library_seconds else 0.0, "over the library"),
        Figure("extraction", "titled", titled / count, "share of pages"),
        Figure("extraction", "dated", dated / count, "share of pages"),
    ]


def _warmed_up(data: Path, every: Sequence[dict[str, str]], extract: Callable[..., object]) -> None:
    """Read every page before any is timed, so that data loaded once (patterns, the names of months in a language) does
    not count for a page."""
    detect_language("Die Tabelle der Sprachen wird mit dem ersten Text gelesen, der nicht englisch ist.")
    for gold in every:
        body = _page(data, gold["id"])
        with suppress(PageError):
            HtmlReader().read(body, _snapshot(body, gold["url"]))
        extract(body, url=gold["url"], include_comments=False)


def token_f1(found: str, marked: str) -> float:
    """Harmonic mean of precision and recall over the words of two texts, repeats counted; 1.0 if both are empty."""
    one, other = Counter(_TOKEN.findall(found)), Counter(_TOKEN.findall(marked))
    if not one and not other:
        return 1.0
    return 2 * (one & other).total() / (one.total() + other.total())


def _page(data: Path, name: str) -> bytes:
    packed = data / "html" / f"{name}.html.gz"
    return gzip.decompress(packed.read_bytes()) if packed.exists() else (data / "html" / f"{name}.html").read_bytes()


def _snapshot(body: bytes, url: str) -> Snapshot:
    return Snapshot(
        hash="sha256:" + hashlib.sha256(body).hexdigest(),
        url=url,
        final_url=url,
        content_type="text/html",
        retrieved_at=_NOW,
        size=len(body),
    )
