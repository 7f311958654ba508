"""Dates of publication found by the reader of web pages, compared with the library htmldate alone.

Without `--data`: generated pages with known dates (bench/dated_pages.py); seeds from 10,000 on are for measuring, lower
ones for development. With `--data FOLDER` in the form of the extraction pages (html/*.html.gz and gold.jsonl) the truth
is unknown: the figures are then how often our date is within a day of the one in the page's own address, and of the one
in its JSON-LD, if it has them. This shows whether we agree with the page, not whether the page is right.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from statistics import fmean

from bench.dated_pages import RETRIEVED, Page, pages
from bench.figures import ROOT, Figure
from inquest.domain.document import Precision, Published, Snapshot
from inquest.domain.errors import PageError
from inquest.readers.html.reader import HtmlReader
from inquest.text.dates import parse_date

__all__ = ["DATA", "figures", "measure"]

DATA = str(ROOT / "bench" / "dated_pages.py")
"""The generator of the pages; its hash serves as that of the data."""

_SEED, _PAGES = 10_000, 400
_IN_ADDRESS = re.compile(r"/((?:19|20)\d\d)[/-](\d\d?)[/-](\d\d?)(?!\d)")
_IN_JSON_LD = re.compile(r'"datePublished"\s*:\s*"((?:19|20)\d\d)-(\d\d)-(\d\d)')


def measure(data: Path | None = None) -> list[Figure]:
    """`right`, `wrong` and `missed` are shares of the pages that give their date, `invented` of those that do not; a
    date known only to the month or year is right if it includes the day, and is also counted as `coarse`."""
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    logging.getLogger("htmldate").setLevel(logging.CRITICAL)
    return consistency(data) if data and data.is_dir() else figures(_SEED, _PAGES)


def figures(seed: int, count: int) -> list[Figure]:
    """The figures for the given number of generated pages from this seed."""
    made = pages(count, seed)
    return [*_against_truth("", made, [_ours(page.html.encode(), page.url) for page in made]),
            *_against_truth("htmldate_", made, [_of_the_library(page.html, page.url) for page in made])]  # fmt: skip


def _against_truth(prefix: str, made: Sequence[Page], found: Sequence[Published | None]) -> list[Figure]:
    dated = [(page, date) for page, date in zip(made, found, strict=True) if page.published]
    undated = [date for page, date in zip(made, found, strict=True) if page.published is None]
    verdicts = [_verdict(page.published, date) for page, date in dated if page.published]
    by_form: dict[str, list[bool]] = defaultdict(list)
    by_language: dict[str, list[bool]] = defaultdict(list)
    for (page, _), verdict in zip(dated, verdicts, strict=True):
        by_form[page.form].append(verdict == "right")
        by_language[page.language].append(verdict == "right")
    shares = {
        "pages": len(dated),
        "by_form": {form: round(fmean(right), 3) for form, right in sorted(by_form.items())},
        "by_language": {language: round(fmean(right), 3) for language, right in sorted(by_language.items())},
    }
    return [
        Figure("dates", f"{prefix}right", verdicts.count("right") / len(dated), "share of dated pages", shares),
        Figure("dates", f"{prefix}coarse", verdicts.count("coarse") / len(dated), "share of dated pages"),
        Figure("dates", f"{prefix}wrong", verdicts.count("wrong") / len(dated), "share of dated pages"),
        Figure("dates", f"{prefix}missed", verdicts.count("missed") / len(dated), "share of dated pages"),
        Figure(
            "dates",
            f"{prefix}invented",
            fmean(date is not None for date in undated),
            "share of undated pages",
            {"pages": len(undated)},
        ),
    ]


def _verdict(truth: date, found: Published | None) -> str:
    if found is None:
        return "missed"
    if found.precision in (Precision.YEAR, Precision.MONTH):
        return "coarse" if found.at.date() <= truth <= found.latest.date() else "wrong"
    return "right" if found.at.date() == truth else "wrong"


def consistency(data: Path) -> list[Figure]:
    """Shares in which our date, and the library's, agree with that of the page's address and that of its JSON-LD,
    within a day."""
    agreed: dict[str, list[bool]] = defaultdict(list)
    count = dated = 0
    for line in (data / "gold.jsonl").read_text("utf-8").splitlines():
        gold = json.loads(line)
        packed = data / "html" / f"{gold['id']}.html.gz"
        body = gzip.decompress(packed.read_bytes()) if packed.exists() else packed.with_suffix("").read_bytes()
        html = body.decode("utf-8", "replace")
        said = {"address": _day(_IN_ADDRESS.search(gold["url"])), "json_ld": _day(_IN_JSON_LD.search(html))}
        ours = _ours(body, gold["url"])
        count, dated = count + 1, dated + (ours is not None)
        library = _of_the_library(html, gold["url"]) if any(said.values()) else None
        for where, day in said.items():
            if day:
                agreed[f"agrees_with_{where}"].append(_within_a_day(ours, day))
                agreed[f"htmldate_agrees_with_{where}"].append(_within_a_day(library, day))
        if said["address"] and said["json_ld"]:
            agreed["address_agrees_with_json_ld"].append(abs((said["address"] - said["json_ld"]).days) <= 1)
    return [
        Figure("dates", "dated", dated / max(1, count), "share of pages", {"pages": count}),
        *(
            Figure("dates", name, fmean(same), "share of pages that have one", {"pages": len(same)})
            for name, same in sorted(agreed.items())
        ),
    ]


def _day(match: re.Match[str] | None) -> date | None:
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:
        return None


def _within_a_day(found: Published | None, day: date) -> bool:
    return (
        found is not None
        and found.precision in (Precision.DAY, Precision.TIME)
        and abs((found.at.date() - day).days) <= 1
    )


def _ours(body: bytes, url: str) -> Published | None:
    snapshot = Snapshot(
        hash="sha256:" + hashlib.sha256(body).hexdigest(),
        url=url,
        final_url=url,
        content_type="text/html",
        retrieved_at=RETRIEVED,
        size=len(body),
    )
    try:
        return HtmlReader().read(body, snapshot).published
    except PageError:
        return None


def _of_the_library(html: str, url: str) -> Published | None:
    """The date that htmldate finds by itself, as original date and not after retrieval."""
    from htmldate import find_date

    if not html.strip():
        return None
    found = find_date(html, url=url, original_date=True, max_date=f"{RETRIEVED:%Y-%m-%d}")
    return parse_date(found)
