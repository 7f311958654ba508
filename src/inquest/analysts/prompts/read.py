"""Read: a document, or the passages of a long one that bear on the brief, and what it says to it."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from inquest.analysts.marking import PromptBlock, ShownText, message
from inquest.analysts.prompting import instructions
from inquest.analysts.replies import AnswerPart, Chance, Line, Unusable, items, object_in
from inquest.domain.brief import Brief
from inquest.domain.claim import ClaimType
from inquest.domain.document import Document
from inquest.domain.drafts import KeyClaim, SourceReading
from inquest.text.passages import best_passages
from inquest.text.sentences import Span, shorten

SUMMARY_LIMIT = 500
"""Characters (Q4)."""
MOST_CLAIMS = 3
_WHOLE = 8_000
"""Characters of a document that are shown as they are; of a longer one its beginning and its best passages."""
_LEAD = 2_500
_EXCERPTS, _EXCERPT = 6, 900
_SHORTEST_QUOTE = 12
"""Characters: less is found anywhere."""


class _Claim(AnswerPart):
    text: Line
    quote: str
    type: Any = None
    importance: Chance = 0.5


class _Reading(AnswerPart):
    summary: Line
    key_claims: Any = []
    relevance: Chance


def shown(document: Document, topic: str, brief: str) -> ShownText:
    """What of the document is put before the model."""
    text = document.text
    if len(text) <= _WHOLE:
        return ShownText(text)
    best = best_passages(f"{topic} {brief[:1_000]}", text[_LEAD:], limit=_EXCERPTS, size=_EXCERPT)
    passages = sorted(Span(span.start + _LEAD, span.end + _LEAD) for span, _ in best)
    return ShownText(text, [Span(0, _LEAD), *passages])


def ask(again: str = "") -> str:
    """The instructions."""
    return instructions("read", again, limit=SUMMARY_LIMIT)


def question(brief: Brief, topic: str, document: Document, seen: ShownText) -> str:
    """The message."""
    fields = (
        ("address", document.url),
        ("title", document.title),
        ("published", document.published.iso[:10] if document.published else ""),
    )
    about = PromptBlock("brief", brief.text[:4_000], fields=(("topic", topic),))
    return message([about, PromptBlock("document", seen.text, fields=fields)])


def answer(text: str, document: Document, seen: ShownText, *, final: bool) -> SourceReading:
    """The reading; claims whose quote does not stand in the document are left out.

    `final`: there is no further try. Raises Unusable where the answer has not its form, or where it claims something
    and nothing of it is grounded.
    """
    try:
        found = _Reading.model_validate(object_in(text, "summary"))
    except ValidationError as error:
        raise Unusable("summary or relevance were missing or of another form") from error
    given, malformed = items(found.key_claims or [], _Claim)
    claims: list[KeyClaim] = []
    for each in given[: 2 * MOST_CLAIMS]:
        span = seen.find(each.quote)
        if span is None or len(each.quote) < _SHORTEST_QUOTE or not each.text:
            malformed += 1
            continue
        claims.append(
            KeyClaim(
                text=shorten(each.text, 400),
                quote=span.of(document.text),
                start=span.start,
                end=span.end,
                type=claim_type(each.type),
                importance=each.importance,
            )
        )
    if malformed and not claims:
        raise Unusable("none of its quotes stands in the document")
    if not found.summary or (malformed and not final):
        raise Unusable("a quote does not stand in the document" if found.summary else "the summary was empty")
    return SourceReading(
        summary=shorten(found.summary, SUMMARY_LIMIT), key_claims=tuple(claims[:MOST_CLAIMS]), relevance=found.relevance
    )


def claim_type(value: object) -> ClaimType:
    """The type a model names; a statement where it names none that there is."""
    name = value.strip().lower().replace(" ", "_").replace("-", "_") if isinstance(value, str) else ""
    return ClaimType(name) if name in {kind.value for kind in ClaimType} else ClaimType.STATEMENT
