"""Services with copies of pages: Jina Reader and the Wayback Machine."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import replace

from inquest.domain.reasons import Reason
from inquest.kit.dialect import address, json_post, with_key
from inquest.kit.engine import Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dig, mapping
from inquest.kit.second_reader import Copy, SecondReader
from inquest.sources.originals import captures_of_json
from inquest.text.dates import parse_date
from inquest.text.regex import regex

_FAILED = regex(r"target url returned error [45]\d\d|captcha", re.IGNORECASE)
_NOT_READ = (400, 404, 409, 422, 451)
"""Statuses with which it reports that it could not or will not open the page: no copy, but not an outage either."""


class JinaReader(SecondReader):
    """The page's HTML as the browser of Jina Reader (https://jina.ai/reader) sees it, or its Markdown if there is none.
    A key is optional. The service learns the address of every requested page, so it is used only if the user names it
    in INQUEST_SECOND_READERS."""

    name = "jina"
    title = "Jina Reader"
    key = "JINA_API_KEY"
    limits = Limits(per_second=0.33, concurrency=2, timeout=45)  # 20 a minute without a key
    keeps_what_is_gone = False

    def ask(self, url: str) -> Generator[Request, Reply, Copy | None]:
        request = json_post("https://r.jina.ai/", {"url": url})
        wanted = (("accept", "application/json"), ("x-return-format", "html"))
        reply = yield with_key(replace(request, headers=(*request.headers, *wanted)), self.access_key)
        if reply.status in _NOT_READ:
            return None
        self.check(reply)
        answer = reply.json()
        if not isinstance(answer, dict) or "data" not in answer:
            raise ValueError("neither a page nor an error")
        page = mapping(answer["data"])
        if _FAILED.search(as_text(page.get("warning"))):
            return None
        html, markdown = page.get("html"), page.get("content")
        text = html if isinstance(html, str) and html.strip() else markdown
        if not isinstance(text, str) or not text.strip():
            return None
        kind = "text/html" if text is html else "text/markdown"
        return Copy(
            reply=replace(
                reply,
                url=url,
                headers=(("content-type", f"{kind}; charset=utf-8"),),
                body=text.encode("utf-8", errors="replace"),
            ),
            provenance="reader jina",
            note=Reason(code="pages.jina"),
        )


class WaybackCopies(SecondReader):
    """The newest capture by the Wayback Machine that is not of an error. No key. https://archive.org/help/wayback_api.php;
    `id_` after the date in an address requests the original bytes, without the archive's own frame and links."""

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
