"""GDELT DOC 2.0: the world's online news since 2017, in 65 languages, without a key."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import address, count, hosts, keywords, language_name, language_of, stamp
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, mapping, present, web_url
from inquest.kit.refusal import refusal
from inquest.text.dates import parse_date, utc
from inquest.text.regex import regex

_BEGINNING = datetime(2017, 1, 1, tzinfo=UTC)
"""The service has news from here on, and looks back three months where no start is given."""
_LEAST_QUOTED = 5
"""Letters and digits: it refuses words in quotes that are shorter."""
_BAD_ESCAPE = regex(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')


class Gdelt(Engine):
    """News articles as GDELT saw them: its dates say when it saw an article, at most 15 minutes after publication."""

    spec = EngineSpec(
        name="gdelt",
        title="GDELT",
        kinds=(EngineKind.NEWS,),
        homepage="https://www.gdeltproject.org/",
        documentation="https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/",
        # One request in five seconds, as its own refusal says.
        limits=Limits(per_second=0.2, concurrency=1),
        filters_time=True,
        filters_domains=True,
        filters_language=True,
        from_recordings=False,
    )

    def request(self, query: Query) -> Request:
        since = max(utc(query.since), _BEGINNING) if query.since else _BEGINNING
        parameters = {"query": _query(query), "mode": "ArtList", "format": "json", "sort": "HybridRel"} | {
            "maxrecords": count(query, 250),
            "startdatetime": stamp(since),
            "enddatetime": stamp(query.until),
        }
        return Request(url=address("https://api.gdeltproject.org/api/v2/doc/doc", parameters))

    def parse(self, reply: Reply) -> list[Hit]:
        text = reply.text().strip().removeprefix("\ufeff")
        if text and text[0] not in "{[<":
            raise refusal(self, text)  # errors are sentences, with status 200
        # Titles are copied into the JSON as they were found, stray backslashes and control characters included.
        data = json.loads(_BAD_ESCAPE.sub(r"\\\\", text), strict=False)
        return self.hits(data["articles"] if data != {} else [], lambda item, rank: self._hit(item, rank, reply))

    def _hit(self, item: Any, rank: int, reply: Reply) -> Hit:
        fields = mapping(item)
        return Hit(
            url=web_url(fields.get("url")),
            title=as_text(fields.get("title")),
            engine=self.name,
            rank=rank,
            published=parse_date(fields.get("seendate"), now=reply.at),
            publisher=as_text(fields.get("domain")) or None,
            language=language_of(fields.get("language")),
            details=present(country=as_text(fields.get("sourcecountry"))),
        )


def _word(word: str) -> str:
    bare = word.strip('"')
    if word.isalnum() or sum(map(str.isalnum, bare)) < _LEAST_QUOTED:
        return " ".join(re.findall(r"\w{3,}", bare))
    return f'"{bare}"'


def _query(query: Query) -> str:
    """Words and operators as GDELT takes them; a word with a hyphen must stand in quotes, and a short one must not."""
    quoted = (_word(word) for word in keywords(query))
    wanted = [f"domainis:{host}" for host in hosts(query.domains)]
    either = f"({' OR '.join(wanted)})" if len(wanted) > 1 else "".join(wanted)
    language = language_name(query.language)
    parts = [*quoted, either, *(f"-domainis:{host}" for host in hosts(query.exclude_domains))]
    return " ".join(part for part in (*parts, f"sourcelang:{language}" if language else "") if part)
