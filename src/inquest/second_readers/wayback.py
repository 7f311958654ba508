"""The Internet Archive's latest copy of a page, with the bytes as captured. No key.

https://archive.org/help/wayback_api.php; `id_` after the date in an address requests the original bytes, without the
archive's own frame and rewritten links.
"""

from __future__ import annotations

import re
from collections.abc import Generator

from inquest.domain.reasons import Reason
from inquest.kit.dialect import address
from inquest.kit.engine import Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dig, mapping
from inquest.kit.second_reader import Copy, SecondReader
from inquest.sources.captures import captures_of_json
from inquest.text.dates import parse_date


class WaybackCopies(SecondReader):
    """The newest capture by the Wayback Machine that is not of an error."""

    name = "wayback"
    title = "The Wayback Machine"
    limits = Limits(per_second=1, concurrency=1)
    keeps_what_is_gone = True

    def ask(self, url: str) -> Generator[Request, Reply, Copy | None]:
        reply = yield Request(url=address("https://archive.org/wayback/available", {"url": url}))
        self.check(reply)
        data = reply.json()
        if dig(data, "archived_snapshots", "closest", "available") is False:
            return None
        for capture in captures_of_json(data):
            stamp, status = as_text(mapping(capture).get("timestamp")), as_text(mapping(capture).get("statuscode"))
            captured = parse_date(stamp, now=reply.at, how="archive")
            if captured is None or not re.fullmatch(r"\d{8,14}", stamp):
                raise ValueError("a capture without a date")
            if status[:1] in ("4", "5"):
                return None  # the archive captured an error instead of the page
            raw = yield Request(url=f"https://web.archive.org/web/{stamp}id_/{url}")
            if raw.status in (403, 404, 451):
                return None  # listed but not served: withdrawn, or the capture of an error
            self.check(raw)
            day = f"{captured.at:%Y-%m-%d}"
            return Copy(
                reply=raw,
                provenance=f"archived copy web.archive.org {day}",
                note=Reason(code="pages.wayback", data={"date": day}),
            )
        return None
