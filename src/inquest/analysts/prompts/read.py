"""Read: a document, or the passages of a long one that are relevant to the brief, and what it says about it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from inquest.analysts.marking import PromptBlock, ShownText, joined, message
from inquest.analysts.prompts import instructions
from inquest.analysts.replies import AnswerPart, Chance, Line, Listed, Unusable, kept, parse
from inquest.domain.claim import ClaimType, Excerpt
from inquest.domain.document import Document
from inquest.domain.drafts import KeyClaim, SourceReading
from inquest.domain.plan import Brief
from inquest.domain.source import CreditKind, PageCredit, PageReading
from inquest.text.blocks import evidence_sentences
from inquest.text.quantities import has_figure
from inquest.text.sentences import Span, content_words, fold, shorten
from inquest.text.similarity import best_passages
from inquest.text.urls import comparison_key

SUMMARY_LIMIT = 500
"""Maximum characters (Q4)."""
MOST_CLAIMS = 3
_ROOM = 2_000
"""Characters of a document's sentences above which only those most relevant to the brief are shown. In two simulated
worlds, all 318 sentences of 492 pages that state what a brief asks for are shown, with three quarters of the
characters. With the encoder, 1,200 would be enough, but it would take half a second for twenty pages."""
_OF_WORDS, _OF_FIGURES, _OF_LENGTH, _LONG = 0.05, 0.15, 0.3, 300
"""Added to the score of a sentence for each word of the brief, for a figure, and for its length in units of so many
characters."""
_BRIEF = 1_000
"""Characters of a brief with which sentences are compared."""
_WHOLE = 8_000
"""Characters of a document up to which all its sentences are considered; in a longer one, those of its beginning and of
the passages that share most words with the brief."""
_LEAD = 2_500
_EXCERPTS, _EXCERPT = 6, 900
_SHORTEST_QUOTE = 12
"""Minimum characters of a quote; a shorter one would be found anywhere."""
_MOST_CREDITS = 3
_KINDS = frozenset((CreditKind.PRESS, CreditKind.AUTHORITY, CreditKind.MEDIA, CreditKind.POSTS))
"""Kinds of credit that a model may report."""


class _Claim(AnswerPart):
    text: Line
    quote: str
    importance: Chance = 0.5
    type: str = ""


class _Credit(AnswerPart):
    kind: str = CreditKind.PRESS
    name: Line = ""
    quote: str
    url: str = ""


class Answer(AnswerPart):
    """A document's content, and its statements about itself."""

    summary: Line
    key_claims: Listed[_Claim] = []
    relevance: Chance
    credits: Listed[_Credit] | None = None
    first_hand: str = ""
    withdrawn: str = ""
    date: str = ""


def shown(document: Document, topic: str, brief: str) -> ShownText:
    """The text of the document shown to the model: all of a short one; otherwise the first sentence and those with most
    of the brief's words, with figures, and long ones."""
    text = document.text
    if len(text) <= _ROOM:
        return ShownText(text)
    wanted = f"{topic} {brief[:_BRIEF]}"
    parts = _parts(text, wanted)
    said = [span for span in evidence_sentences(document) if any(p.start <= span.start < p.end for p in parts)]
    return ShownText(text, joined(text, _best(text, said, frozenset(content_words(wanted)))) if said else parts)


def _parts(text: str, wanted: str) -> list[Span]:
    """The whole text; for a long one, its beginning and the passages that share most words with the brief."""
    if len(text) <= _WHOLE:
        return [Span(0, len(text))]
    best = best_passages(wanted, text[_LEAD:], limit=_EXCERPTS, size=_EXCERPT)
    return [Span(0, _LEAD), *sorted(Span(span.start + _LEAD, span.end + _LEAD) for span, _ in best)]


def _best(text: str, said: Sequence[Span], wanted: frozenset[str]) -> list[Span]:
    """The first sentence, and the best ones while there is room."""
    scores = {}
    for span in said:
        sentence = span.of(text)
        scores[span] = _OF_WORDS * len(wanted & set(content_words(sentence))) + _OF_LENGTH * min(
            1.0, len(sentence) / _LONG
        )
        scores[span] += _OF_FIGURES if has_figure(sentence) else 0.0
    kept = [said[0]]
    used = said[0].end - said[0].start
    for span in sorted(said[1:], key=lambda span: -scores[span]):
        if used >= _ROOM:
            break
        kept.append(span)
        used += span.end - span.start
    return kept


ask = partial(instructions, "read", limit=SUMMARY_LIMIT)
"""The instructions, and after an unusable answer the reason why it was unusable."""


def question(brief: Brief, topic: str, document: Document, seen: ShownText) -> str:
    """The message."""
    fields = (
        ("address", document.url),
        ("title", document.title),
        ("published", document.published.iso[:10] if document.published else ""),
    )
    repeated = set(content_words(topic)) <= set(content_words(brief.text))
    about = PromptBlock("brief", brief.text[:4_000], fields=(("topic", "" if repeated else topic),))
    return message([about, PromptBlock("document", seen.text, fields=fields)])


def answer(text: str, document: Document, seen: ShownText, *, final: bool) -> SourceReading:
    """The reading; claims whose quote is not in the document are left out.

    `final`: there is no further try. Raises Unusable if the answer is malformed, or if it makes claims and none is
    grounded.
    """
    found = parse(text, Answer)
    given, malformed = kept(found.key_claims)
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
                type=ClaimType(each.type) if each.type in set(ClaimType) else ClaimType.STATEMENT,
                importance=each.importance,
            )
        )
    if malformed and not claims:
        raise Unusable("none of its quotes stands in the document")
    if not found.summary or (malformed and not final):
        raise Unusable("a quote does not stand in the document" if found.summary else "the summary was empty")
    return SourceReading(
        summary=shorten(found.summary, SUMMARY_LIMIT),
        key_claims=tuple(claims[:MOST_CLAIMS]),
        relevance=found.relevance,
        page=_page(found, document, seen),
    )


def _page(found: Answer, document: Document, seen: ShownText) -> PageReading | None:
    """The page's statements about itself, without any that are not in its text. None if nothing is left."""
    page = PageReading(
        credits=_credits(found.credits, document, seen),
        first_hand=_quoted(found.first_hand, document, seen),
        withdrawn=_quoted(found.withdrawn, document, seen),
        date=_quoted(found.date, document, seen, shortest=1),
    )
    return None if page == PageReading() else page


def _credits(
    given: Sequence[_Credit | None] | None, document: Document, seen: ShownText
) -> tuple[PageCredit, ...] | None:
    """The credits whose quote, name and address are on the page. None if the answer has no credits, or none of them is
    on the page: then it is not known whom the page credits."""
    if given is None:
        return None
    links = {comparison_key(url): url for url in (*document.links, *(link.url for link in document.text_links))}
    credits, text = [], fold(" ".join(document.text.split()))
    for each in kept(given)[0][:_MOST_CREDITS]:
        quote = _quoted(each.quote, document, seen)
        if quote is None or each.kind not in _KINDS or fold(each.name) not in text:
            continue
        kind = CreditKind(each.kind)
        if kind is CreditKind.PRESS and not each.name:
            continue
        url = links.get(comparison_key(each.url), "") if each.url else ""
        name = each.name if kind is CreditKind.PRESS else ""
        credits.append(PageCredit(kind=kind, name=name, url=url, quote=quote.quote, start=quote.start, end=quote.end))
    return tuple(credits) if credits or not given else None


def _quoted(words: str, document: Document, seen: ShownText, shortest: int = _SHORTEST_QUOTE) -> Excerpt | None:
    span = seen.find(words) if len(words) >= shortest else None
    return Excerpt(quote=span.of(document.text), start=span.start, end=span.end) if span else None
