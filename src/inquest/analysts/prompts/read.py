"""Read: a document, or the passages of a long one that bear on the brief, and what it says to it."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.analysts.marking import PromptBlock, ShownText, has_figure, joined, message
from inquest.analysts.prompts import instructions
from inquest.analysts.replies import AnswerPart, Chance, Line, Listed, Unusable, kept, parse
from inquest.domain.claim import ClaimType, Excerpt
from inquest.domain.document import Document
from inquest.domain.drafts import KeyClaim, SourceReading
from inquest.domain.plan import Brief
from inquest.domain.source import CreditKind, PageCredit, PageReading
from inquest.text.blocks import evidence_sentences
from inquest.text.passages import best_passages
from inquest.text.sentences import Span, content_words, fold, shorten
from inquest.text.urls import comparison_key

SUMMARY_LIMIT = 500
"""Characters (Q4)."""
MOST_CLAIMS = 3
_ROOM = 2_000
"""Characters of a document's sentences beyond which those are shown that bear most on the brief. On two simulated
worlds all of the 318 sentences are shown, of 492 pages, that state what a brief asks for, with three quarters of the
characters. By the encoder 1,200 would do; but it would be waited for, half a second with twenty pages."""
_OF_WORDS, _OF_FIGURES, _OF_LENGTH, _LONG = 0.05, 0.15, 0.3, 300
"""What each of the words of the brief adds to the score of a sentence, a figure, and its length in parts of so many."""
_BRIEF = 1_000
"""Characters of a brief that sentences are held against."""
_WHOLE = 8_000
"""Characters of a document up to which each of its sentences is looked at; of a longer one those of its beginning and
of the passages that share most words with the brief."""
_LEAD = 2_500
_EXCERPTS, _EXCERPT = 6, 900
_SHORTEST_QUOTE = 12
"""Characters: less is found anywhere."""
_MOST_CREDITS = 3
_KINDS = frozenset((CreditKind.PRESS, CreditKind.AUTHORITY, CreditKind.MEDIA, CreditKind.POSTS))
"""Kinds of credits that a model may give."""


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
    """What a document says, and what it says of itself."""

    summary: Line
    key_claims: Listed[_Claim] = []
    relevance: Chance
    credits: Listed[_Credit] | None = None
    first_hand: str = ""
    withdrawn: str = ""
    date: str = ""


def shown(document: Document, topic: str, brief: str) -> ShownText:
    """What of the document is put before the model: all of a short one, of others the first sentence and those that
    have most of the brief's words, figures and more to say."""
    text = document.text
    if len(text) <= _ROOM:
        return ShownText(text)
    wanted = f"{topic} {brief[:_BRIEF]}"
    parts = _parts(text, wanted)
    said = [span for span in evidence_sentences(document) if any(p.start <= span.start < p.end for p in parts)]
    return ShownText(text, joined(text, _best(text, said, frozenset(content_words(wanted)))) if said else parts)


def _parts(text: str, wanted: str) -> list[Span]:
    """The whole text; of a long one its beginning and the passages that share most words with what is wanted."""
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
    repeated = set(content_words(topic)) <= set(content_words(brief.text))
    about = PromptBlock("brief", brief.text[:4_000], fields=(("topic", "" if repeated else topic),))
    return message([about, PromptBlock("document", seen.text, fields=fields)])


def answer(text: str, document: Document, seen: ShownText, *, final: bool) -> SourceReading:
    """The reading; claims whose quote does not stand in the document are left out.

    `final`: there is no further try. Raises Unusable where the answer has not its form, or where it claims something
    and nothing of it is grounded.
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
    """What the page says about itself; what does not stand in it is left out. None where nothing is left."""
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
    """The credits of which quote, name and address stand in the page. None where none were given, or none of those that
    were: then it is not known whom the page credits."""
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
