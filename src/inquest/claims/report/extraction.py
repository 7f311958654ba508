"""Extraction of the checkable claims of a company's report, with place, type and reasons (P1).

A claim is a whole sentence, an item of a list with its opening sentence, or a row of a table: a span of the text."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Literal, NamedTuple

from inquest.claims.claim_detection import (
    INSTRUCTING,
    LEAST,
    ReportStatement,
    StatementWorth,
    claim_reason,
    concern,
    disclosures,
    report_claim_type,
    worth_of,
)
from inquest.claims.leaning import WE
from inquest.claims.parts_of_claim import assertions
from inquest.claims.report.company import in_company_name, name_masked, named_in
from inquest.claims.report.given import amounts, placed
from inquest.claims.report.tables import TableReader, TableRow
from inquest.claims.standalone import depends_on_context, main_organisation, refers_back, without_leader
from inquest.domain.claim import Claim, Excerpt
from inquest.domain.document import BlockKind, Document
from inquest.domain.reasons import Catalogue, Reason, coded, worded
from inquest.text.languages import detect_language
from inquest.text.lexicon import pattern
from inquest.text.moments import moments
from inquest.text.phrases import capitalised, ended, language_name, page_ranges
from inquest.text.quantities import Dimension, quantities
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words, sentences, words

_note = Catalogue("pages")
BULLET = regex(r"[^\S\n]*(?:[•◦▪▫■□●○‣⁃·>»→✓–—*-]|\(?\d{1,2}[.)]|\(?[a-z]\))[^\S\n]+(?=\S)")
_BLANK = regex(r"\n[^\S\n]*\n\s*")
_CELL = regex(r"\S[^\S\n]*\|[^\S\n]*\S|^\s*\|")
_ENDED = regex(r"[.!?…:;][\"'”’»)\]\d]{0,3}\s*$")
_LEADING_IN = regex(r":\s*$")
_HEADING = 60  # Characters below which a block without final punctuation is a heading, not half a sentence
_SEAM = regex(r"\s*\n\s*\n\s*")
_NOTE_MARK = regex(r"(?:(?<=[a-z)%][.!?])|(?<=\s(?:19|20)\d\d\.))\d{1,2}(?=\s+[A-Z]|\s*$)")
"""The number of a footnote after a sentence, in text without superscripts."""


class _Piece(NamedTuple):
    """A span of the text that may state something."""

    span: Span
    layout: Literal["sentence", "item", "table"] = "sentence"
    lead: Span | None = None  # For an item, the sentence that opens the list


def _pieces(text: str) -> Iterator[_Piece]:
    """Yield the pieces in order. A sentence across a page or column break is one, with the break in its span."""
    lead: Span | None = None
    for block in _blocks(text):
        content = block.of(text)
        if _CELL.search(content):
            lead = None
            yield _Piece(block, "table")
            continue
        item_starts = [block.start + match.start() for match in re.finditer(rf"(?m)^{BULLET.pattern}", content)]
        opening = Span(block.start, item_starts[0] if item_starts else block.end)
        cut = _sentences(text, opening) if opening.of(text).strip() else []
        yield from map(_Piece, cut)
        if cut and _LEADING_IN.search(cut[-1].of(text)):
            lead = cut[-1]
        elif not item_starts:
            lead = None
        for start, end in zip(item_starts, (*item_starts[1:], block.end), strict=False):
            yield from _item(text, Span(start, end), lead)


def _blocks(text: str) -> list[Span]:
    """Return the blocks between blank lines, those joined that a page or column break separates inside a sentence."""
    joined: list[Span] = []
    start = 0
    for end, following in (*(match.span() for match in _BLANK.finditer(text)), (len(text), 0)):
        if joined and _goes_on(joined[-1].of(text), text[start:end]):
            joined[-1] = Span(joined[-1].start, end)
        elif text[start:end].strip():
            joined.append(Span(start, end))
        start = following
    return joined


def _goes_on(above: str, below: str) -> bool:
    last = above.rsplit("\n", 1)[-1]
    if _ENDED.search(last) or "|" in last or "|" in below.split("\n", 1)[0]:
        return False
    is_heading = len(above) < _HEADING or re.search(r"[a-z]", last) is None
    return not is_heading and below.lstrip()[:1].islower() and not BULLET.match(below)


def _sentences(text: str, block: Span) -> list[Span]:
    # A break inside a joined sentence does not end it; spaces of the same length keep the offsets.
    flat = _SEAM.sub(lambda seam: " " * len(seam.group()), block.of(text))
    flat = _NOTE_MARK.sub(lambda mark: " " * len(mark.group()), flat)
    return [Span(block.start + each.start, block.start + each.end) for each in sentences(flat)]


def _item(text: str, item: Span, lead: Span | None) -> Iterator[_Piece]:
    bullet = BULLET.match(text, item.start)
    whole: list[Span] = []
    for span in _sentences(text, Span(bullet.end() if bullet else item.start, item.end)):
        # The lines of an item belong together unless a sentence ends.
        if whole and not re.search(r"[.!?…][\"'”’»)\]]*$", whole[-1].of(text)):
            whole[-1] = Span(whole[-1].start, span.end)
        else:
            whole.append(span)
    for place, span in enumerate(whole):
        yield _Piece(span) if place else _Piece(span, "item", lead)


_SHORT, _LONG = 4, 80  # Minimum and maximum words of a claim; an item in note form needs one more
_LAYOUT = regex(r"\bPhoto:|\|| {2,}\w|(?:^|\s)[>»]\s|\.\.\.\.|·\s·")
_ROW_WORTH = 0.62
_NOTE = pattern(__name__, "note")  # Marks of footnotes and links
_DIVIDED = pattern(__name__, "divided")
_WHOLE = regex(r"^[\"“‘(]?[A-ZÄÖÜÀ-Þ0-9€$£].*[.!][\"”’)\d]{0,4}$", re.S)
_VERB = pattern(__name__, "verb")
_COMPANY_WORDS = regex(r"\b(?:the\s+(?:company|group)|our|we|us)\b", re.I)
_FOLLOWS = pattern(__name__, "follows")
_THE_COMPANY = regex(r"\b[Tt]he\s+(?:[Cc]ompany|Group)(?!\w)(?!['’]?s\s+of\b)")
_FOREIGN_WHOLE = regex(r"^[\"“„«»¿¡(]*(?![a-zß-ÿ])[^\W_].*[.!…][\"”“»)]*$", re.S)
_LETTERS = 0.55  # Minimum share of letters in a sentence; tables and lines of figures have fewer
_PAGE = 4000  # Characters of a page in a document without pages
_LABEL = regex(r"^(?:[A-Z]:|[A-Z]\d?\.?\)|\d{1,2}\s(?=[A-Z]\w+\s–))\s*")


class _Context(NamedTuple):
    text: str
    company: str  # Its name as the report spells it; '' if unknown
    industry: str
    reference: date | None


class ReportClaims(NamedTuple):
    """The claims of a report, with notes for readers on how it was read."""

    claims: tuple[Claim, ...]
    notes: tuple[Reason, ...]
    company: str


def read_report(
    document: Document, *, company: str = "", industry: str = "", tables: TableReader | None = None
) -> Iterator[Claim]:
    """Yield the claims in the order of the text, unnumbered, so that a caller can show progress."""
    text = document.text
    tables = tables or TableReader()
    name = company or main_organisation(document.title, text) or ""
    reference = document.published.at.date() if document.published else None
    context = _Context(text, name, industry, reference)
    languages: dict[int, str | None] = {}
    # Withdrawn text, comments by others, and text quoted in a message are not the company's statements.
    quoted = (BlockKind.QUOTE, BlockKind.BYLINE) if document.kind in ("eml", "msg") else ()
    left_out = (BlockKind.WITHDRAWN, BlockKind.COMMENT, *quoted)
    pieces = list(_pieces(text))
    rows = tables.read_all(document, (piece.span for piece in pieces if piece.layout == "table"))
    for piece in pieces:
        if piece.layout == "table":
            made = [_of_row(context, row) for row in rows[piece.span]]
        else:
            foreign = _language_at(document, piece.span.start, languages)
            claim = _of_sentence(context, piece) if foreign is None else _of_foreign(context, piece, foreign)
            made = [claim] if claim else []
        for claim in made:
            kind = next((block.kind for block in document.blocks if block.start <= claim.start < block.end), None)
            if kind not in left_out:
                yield claim.model_copy(update={"page": document.page_of(claim.start)})


def _language_at(document: Document, offset: int, known: dict[int, str | None]) -> str | None:
    """Return the language of the page at an offset, or None for English. `known` caches it by page."""
    page = document.page_of(offset) or 1 + offset // _PAGE
    if page not in known:
        starts = document.pages or range(0, len(document.text), _PAGE)
        end = starts[page] if page < len(starts) else len(document.text)
        known[page] = detect_language(document.text[starts[page - 1] : end]) or document.language
    return known[page] if known[page] != "en" else None


def _of_sentence(context: _Context, piece: _Piece) -> Claim | None:
    quote = piece.span.of(context.text)
    flat = _flattened(quote)
    note_form = piece.layout == "item" and (piece.lead is not None or not _is_whole(flat))
    if not _can_be_claim(context, piece, flat, note_form=note_form):
        return None
    own, loose = _speaks_of(context.company, flat), False
    stated = _LABEL.sub("", without_leader(flat))
    lead: tuple[Excerpt, ...] = ()
    if note_form and piece.lead is not None:
        opening = _flattened(piece.lead.of(context.text))
        own = own or _speaks_of(context.company, opening)
        stated = f"{opening} {stated[:1].lower() + stated[1:] if stated[1:2].islower() else stated}"
        lead = (_excerpt(context.text, piece.lead),)
    elif note_form:
        own = True
        stated = f"{context.company}: {stated}" if context.company else stated
    elif refers_back(stated):
        return None
    else:
        stated, loose = depends_on_context(stated, context.company or None)
    company = context.company
    if company and not named_in(company, stated):
        stated = _THE_COMPANY.sub(company, stated, count=1)
    stated = in_company_name(stated, company) if company and WE.search(stated) else stated
    dates = _dates(stated, context.reference)
    loose = loose or bool(_FOLLOWS.match(flat))
    statement = ReportStatement(stated, quantities(stated), bool(dates), own=own, loose=loose, whole=not note_form)
    worth = worth_of(statement, industry=context.industry, company=context.company)
    if worth.checkability < LEAST:
        return None
    return _claim(context, piece.span, statement._replace(text=ended(stated), figures=quantities(flat)), worth, lead)


def _can_be_claim(context: _Context, piece: _Piece, flat: str, *, note_form: bool) -> bool:
    """Return True for a whole sentence, or an item in note form with a figure; False for fragments of the layout."""
    if not _SHORT + note_form <= len(words(flat)) <= _LONG or _LAYOUT.search(flat) or INSTRUCTING.search(flat):
        return False
    if flat.count("(") != flat.count(")") or flat.count("“") != flat.count("”"):
        return False
    if note_form:
        return any(not each.spelled for each in quantities(flat))
    # Text after such a mark is separated from its beginning by a picture or a column.
    return _is_whole(flat) and context.text[: piece.span.start].rstrip()[-1:] not in (":", ",", "–")


def _speaks_of(company: str, words: str) -> bool:
    return not company or bool(_COMPANY_WORDS.search(words)) or named_in(company, words)


def _flattened(quote: str) -> str:
    """Return a quote in one line, without footnote marks and hyphenation."""
    return " ".join(_NOTE.sub("", _DIVIDED.sub("", quote)).split())


def _is_whole(flat: str) -> bool:
    return bool(_WHOLE.match(flat) and _VERB.search(flat))


def _of_row(context: _Context, row: TableRow) -> Claim:
    text = f"{context.company}, {row.text}" if context.company else capitalised(row.text)
    head = (_excerpt(context.text, row.head),) if row.head else ()
    statement = ReportStatement(text, quantities(row.span.of(context.text)), dated=True, whole=False)
    extra = 0.1 if len(row.amounts) > 1 else 0.0
    rank = _ROW_WORTH * (0.5 + 0.5 * concern(row.text))
    worth = StatementWorth(_ROW_WORTH + extra, rank, (claim_reason("table_row"),))
    return _claim(context, row.span, statement._replace(text=ended(text)), worth, head)


def _of_foreign(context: _Context, piece: _Piece, language: str) -> Claim | None:
    """Make a claim of a sentence in another language that has a figure with a unit."""
    quote = piece.span.of(context.text)
    text = _flattened(quote)
    figures = tuple(each for each in quantities(quote) if not each.spelled)
    letters = sum(char.isalpha() or char.isspace() for char in text)
    if (
        not (_SHORT <= len(words(text)) <= _LONG and _FOREIGN_WHOLE.match(text) and letters >= _LETTERS * len(text))
        or all(each.dimension is Dimension.COUNT for each in figures)
        or "|" in text
    ):
        return None
    why = claim_reason("foreign_figure", language=language_name(language))
    statement = ReportStatement(text, figures, dated=False)
    return _claim(context, piece.span, statement, StatementWorth(0.5, 0.5, (why,)), ())


def _claim(
    context: _Context, span: Span, statement: ReportStatement, worth: StatementWorth, lead: tuple[Excerpt, ...]
) -> Claim:
    quote = span.of(context.text)
    masked = name_masked(statement.text, context.company)
    type_, why = report_claim_type(masked, tuple(statement.figures), own=statement.own)
    parts = assertions(quote, span.start) if "|" not in quote else ()
    several = (claim_reason("assertions", number=len(parts)),) if parts else ()
    reasons = (why, *several, *worth.reasons)
    return Claim(
        id="C0",
        text=statement.text,
        type=type_,
        importance=round(worth.rank, 3),
        company=context.company,
        quote=quote,
        start=span.start,
        end=span.end,
        context=lead,
        assertions=parts,
        quantities=amounts(quote, span.start),
        dates=_dates(quote, context.reference),
        disclosures=disclosures(masked),
        checkability=round(worth.checkability, 3),
        **worded(reasons),
    )


def _dates(text: str, reference: date | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.iso for each in moments(text, reference)))


def _excerpt(text: str, span: Span) -> Excerpt:
    return Excerpt(quote=span.of(text), start=span.start, end=span.end)


def _notes(document: Document, kept: int, total: int, tables: TableReader) -> tuple[Reason, ...]:
    notes = [*coded(document.notes, document.note_codes)]
    text, starts = document.text, document.pages
    bounds = enumerate(zip(starts, (*starts[1:], len(text)), strict=False), 1)
    if empty := tuple(number for number, (start, end) in bounds if not text[start:end].strip()):
        notes.append(_note("pages_empty", pages=page_ranges(empty)))
    if document.language not in (None, "en"):
        notes.append(_note("report_in", language=language_name(document.language or "")))
    if tables.incomplete:
        notes.append(_note("rows_left_out", number=tables.incomplete))
    if kept < total:
        notes.append(_note("first_claims", number=kept, total=total))
    if not kept:
        notes.append(_note("no_claim_on" if document.pages else "no_claim_in", number=len(document.pages)))
    return tuple(notes)


def claims_found(
    document: Document,
    *,
    company: str = "",
    industry: str = "",
    limit: int | None = None,
    given: tuple[Claim, ...] = (),
    progress: Callable[[int, int], None] = lambda page, pages: None,
) -> ReportClaims:
    """Return the report's claims, best first and at most `limit`, after the user's own (`given`). `progress` is called
    with the current page and the number of pages; an exception from it ends the reading."""
    if not company:
        company = next((claim.company for claim in given if claim.company), "")
    tables, last = TableReader(), 0
    distinct: dict[frozenset[str], Claim] = {}
    for claim in read_report(document, company=company, industry=industry, tables=tables):
        if claim.page and claim.page > last:
            last = claim.page
            progress(last, len(document.pages))
        key = frozenset(content_words(claim.text))
        if key not in distinct or claim.importance > distinct[key].importance:
            distinct[key] = claim
    best = sorted(distinct.values(), key=lambda claim: (-claim.importance, claim.start))
    kept = best[:limit]
    name = company or next((claim.company for claim in kept), "")
    notes = _notes(document, len(kept), len(best), tables)
    own = tuple(placed(claim, document) for claim in given)
    if absent := sum(not claim.quote for claim in own):
        notes = (_note("not_verbatim", number=absent, total=len(own)), *notes)
    spans = {(claim.start, claim.end) for claim in own if claim.quote}
    taken = {claim.id for claim in own}
    free = (id_ for id_ in map("C{}".format, itertools.count(1)) if id_ not in taken)
    rest = (claim for claim in kept if (claim.start, claim.end) not in spans)
    numbered = tuple(claim.model_copy(update={"id": id_}) for claim, id_ in zip(rest, free, strict=False))
    return ReportClaims(own + numbered, notes, name)
