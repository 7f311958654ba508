"""Jina Reader: a service that opens a page in its own browser and returns the text. The key is optional.

https://jina.ai/reader. It learns the address of every requested page, so it is used only if the user names it in
INQUEST_SECOND_READERS.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from dataclasses import replace

from inquest.domain.reasons import Reason
from inquest.kit.dialect import secrets
from inquest.kit.engine import Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, mapping
from inquest.kit.second_reader import Copy, SecondReader
from inquest.text.regex import regex

_FAILED = regex(r"target url returned error [45]\d\d|captcha", re.IGNORECASE)
_NOT_READ = (400, 404, 409, 422, 451)
"""Statuses with which it reports that it could not or will not open the page: no copy, but not an outage either."""


class JinaReader(SecondReader):
    """The page's HTML as Jina's browser sees it, or its Markdown if there is no HTML."""

    name = "jina"
    title = "Jina Reader"
    key = "JINA_API_KEY"
    limits = Limits(per_second=0.33, concurrency=2, timeout=45)  # 20 a minute without a key
    keeps_what_is_gone = False

    def ask(self, url: str) -> Generator[Request, Reply, Copy | None]:
        headers = [("Accept", "application/json"), ("Content-Type", "application/json"), ("X-Return-Format", "html")]
        if self.access_key:
            headers.append(("Authorization", f"Bearer {self.access_key}"))
        body = json.dumps({"url": url}).encode()
        reply = yield Request(
            url="https://r.jina.ai/",
            method="POST",
            headers=tuple(headers),
            body=body,
            secrets=secrets(self.access_key),
        )
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
