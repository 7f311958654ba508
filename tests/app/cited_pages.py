"""A text whose citations are wrong in each way, and the pages that it cites, served."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bench.measures.spoiled import html_page, served
from bench.simulated.server import Reply
from inquest import Inquest
from inquest.kit.engine import Limits
from inquest.second_readers.copies import WaybackCopies

_SITE = "http://norvane.example"
_FILLER = """

The council met on Tuesday evening and went through the minutes of its last meeting in the old town hall.

Buses will stop at the market until the bridge is open again, and the ferry keeps to its winter timetable.

A choir from the next valley sang for the visitors, who stayed until the lamps along the quay were lit."""
_FINE = """The Air Authority fined Norvane 150,000 euros in March 2023.

“We regret every one of these nights at the works in Lund,” said the director."""
_MOVED = "Norvane paid 90,000 euros to the fishers of Tarn in May 2018."
REPLIES: dict[str, Reply] = {
    f"{_SITE}/fine": html_page("The fine", _FINE + _FILLER),
    f"{_SITE}/jobs": html_page("Jobs", f"Norvane employed 640 people at its works in Lund in 2024.{_FILLER}"),
    f"{_SITE}/work": html_page("RETRACTED: Dust", f"Dust halved the breath of 312 workers in 2019.{_FILLER}"),
    f"{_SITE}/moved": html_page("The fishers", _FILLER.strip()),
    f"{_SITE}/down": (403, "text/html", b"<html><body>Forbidden</body></html>"),
    "https://archive.org/wayback/available?url=http%3A%2F%2Fnorvane.example%2Fmoved": (
        200, "application/json", b'{"archived_snapshots": {"closest": {"available": true, "status": "200", '
        b'"timestamp": "20240305101500", "url": "http://web.archive.org/web/20240305101500/moved"}}}',
    ),
    f"https://web.archive.org/web/20240305101500id_/{_SITE}/moved": html_page("The fishers", _MOVED + _FILLER),
}  # fmt: skip
TEXT = """# Report

The Air Authority fined Norvane 150,000 euros in March 2023 [1]. The Air Authority fined Norvane 510,000 euros in March 2023 [1]. “We regret every one of these nights at the works in Lund,” said the director [1]. “We regret not one of these nights at the works in Lund,” said the director [1]. Norvane employed 640 people at its works in Lund in 2024 [1]. Dust halved the breath of 312 workers in 2019 [3]. Norvane opened a hall in Oslo in 2021 [4]. Norvane closed a hall in Bergen in 2022 [5].

Norvane sold 12 million tonnes of glass in 2020.

## Sources

1. http://norvane.example/fine
2. http://norvane.example/jobs
3. http://norvane.example/work
4. http://norvane.example/gone
5. http://norvane.example/down
"""  # noqa: E501


@asynccontextmanager
async def with_cited_pages(home: Path) -> AsyncIterator[Inquest]:
    """Inquest without a model, before the pages; no sentence of the text cites the page on jobs, which its list has."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(WaybackCopies, "limits", Limits(per_second=1_000, concurrency=100))
        async with served(home, REPLIES) as opened:
            yield opened
