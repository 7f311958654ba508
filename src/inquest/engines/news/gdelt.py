"""GDELT DOC 2.0: the world's online news since 2017, in 65 languages, without a key."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, keywords, language_name, language_of, site_operators, stamp
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, mapping, present, web_url
from inquest.text.dates import parse_date, utc
from inquest.text.regex import regex

_BEGINNING = datetime(2017, 1, 1, tzinfo=UTC)
"""The beginning of its archive; without a start, it searches three months."""
_LEAST_QUOTED = 5
"""The minimum number of letters and digits between quotation marks; it rejects a shorter word."""
_BAD_ESCAPE = regex(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')


class Gdelt(Engine):
    """News articles, dated by when GDELT first saw them, at most 15 minutes after publication."""

    spec = EngineSpec(
        name="gdelt",
        title="GDELT",
        kinds=(EngineKind.NEWS,),
        homepage="https://www.gdeltproject.org/",
        documentation="https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/",
        # One request in five seconds, according to its error messages.
        limits=Limits(per_second=0.2, concurrency=1),
        filters_time=True,
        filters_domains=True,
        filters_language=True,
    )

    def request(self, query: Query) -> Request:
        since = max(utc(query.since), _BEGINNING) if query.since else _BEGINNING
        parameters = {"query": _query(query), "mode": "ArtList", "format": "json", "sort": "HybridRel"} | {
            "maxrecords": count(query, 250),
            "startdatetime": stamp(since),
            "enddatetime": stamp(query.until),
        }
        return self.get("https://api.gdeltproject.org/api/v2/doc/doc", parameters)

    def parse(self, reply: Reply) -> list[Hit]:
        text = reply.text().strip().removeprefix("\ufeff")
        if text and text[0] not in "{[<":
            raise self.refusal(text)  # errors are sentences with status 200
        # Titles in the JSON may have stray backslashes and control characters.
        data = json.loads(_BAD_ESCAPE.sub(r"\\\\", text), strict=False)
        return self.hits(data["articles"] if data != {} else [], lambda item: self._hit(mapping(item), reply))

    def _hit(self, fields: Fields, reply: Reply) -> Hit:
        return Hit(
            url=web_url(fields.get("url")),
            title=as_text(fields.get("title")),
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
    """Write words and operators in GDELT's syntax: words with hyphens must be quoted, short ones must not."""
    language = language_name(query.language)
    parts = [*map(_word, keywords(query)), *site_operators(query, "domainis:")]
    return " ".join(part for part in (*parts, f"sourcelang:{language}" if language else "") if part)
