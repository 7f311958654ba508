"""The checkable claims of a company's report, best first: each with its words, place, type and reasons (P1).

What can be a claim is a whole sentence, an item of a list with the sentence that opens it, or a row of a table; each is
a span of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from inquest.claims.claim_detection import (
    INSTRUCTING,
    LEAST,
    ReportStatement,
    StatementWorth,
    claim_reason,
    report_claim_type,
    worth_of,
)
from inquest.claims.leaning import WE
from inquest.claims.parts_of_claim import assertions
from inquest.claims.report.company import in_company_name, name_masked, named_in
from inquest.claims.report.disclosures import disclosures
from inquest.claims.report.given import amounts, placed
from inquest.claims.report.tables import TableReader, TableRow
from inquest.claims.standalone import depends_on_context, main_organisation, without_leader
from inquest.domain.claim import Claim, ClaimType, Excerpt
from inquest.domain.document import BlockKind, Document
from inquest.domain.reasons import worded
from inquest.text.languages import detect_language
from inquest.text.lexicon import pattern
from inquest.text.moments import moments
from inquest.text.phrases import capitalised, count, ended, language_name, page_ranges
from inquest.text.quantities import Dimension, quantities
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words, sentences, words

BULLET = regex(r"[^\S\n]*(?:[•◦▪▫■□●○‣⁃·>»→✓–—*-]|\(?\d{1,2}[.)]|\(?[a-z]\))[^\S\n]+(?=\S)")
_BLANK = regex(r"\n[^\S\n]*\n\s*")
_CELL = regex(r"\S[^\S\n]*\|[^\S\n]*\S|^\s*\|")
_ENDED = regex(r"[.!?…:;][\"'”’»)\]\d]{0,3}\s*$")
_LEADING_IN = regex(r":\s*$")
_HEADING = 60
"""Characters. What is shorter and ends in no mark is taken for a heading, not for half a sentence."""
_SEAM = regex(r"\s*\n\s*\n\s*")
_NOTE_MARK = regex(r"(?:(?<=[a-z)%][.!?])|(?<=\s(?:19|20)\d\d\.))\d{1,2}(?=\s+[A-Z]|\s*$)")
"""The number of a footnote after a sentence's end, as it is in text that has lost its raised letters."""


class PieceKind(StrEnum):
    """What a piece is in the layout of the report."""

    SENTENCE = "sentence"
    ITEM = "item"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class ReportBlock:
    """A span of the text that may state something."""

    kind: PieceKind
    span: Span
    lead: Span | None = None
    """For an item of a list, the sentence that opens the list."""


def pieces(text: str) -> Iterator[ReportBlock]:
    """The pieces in order. A sentence that runs over a page or a column is one, with the break inside its span."""
    lead: Span | None = None
    for block in _joined(text, _blocks(text)):
        content = block.of(text)
        if _CELL.search(content):
            lead = None
            yield ReportBlock(PieceKind.TABLE, block)
            continue
        item_starts = [block.start + match.start() for match in re.finditer(rf"(?m)^{BULLET.pattern}", content)]
        opening = Span(block.start, item_starts[0] if item_starts else block.end)
        cut = _sentences(text, opening) if opening.of(text).strip() else []
        yield from (ReportBlock(PieceKind.SENTENCE, span) for span in cut)
        if cut and _LEADING_IN.search(cut[-1].of(text)):
            lead = cut[-1]
        elif not item_starts:
            lead = None
        for start, end in zip(item_starts, (*item_starts[1:], block.end), strict=False):
            yield from _item(text, Span(start, end), lead)


def pages_without_text(text: str, pages: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers (from 1) of the pages on which nothing appears."""
    ends = (*pages[1:], len(text)) if pages else ()
    return tuple(
        number for number, (start, end) in enumerate(zip(pages, ends, strict=True), 1) if not text[start:end].strip()
    )


def _blocks(text: str) -> Iterator[Span]:
    start = 0
    for match in _BLANK.finditer(text):
        if text[start : match.start()].strip():
            yield Span(start, match.start())
        start = match.end()
    if text[start:].strip():
        yield Span(start, len(text))


def _joined(text: str, blocks: Iterable[Span]) -> list[Span]:
    """The blocks, those put together again that a page's or a column's end has parted inside a sentence."""
    joined: list[Span] = []
    for block in blocks:
        if joined and _goes_on(joined[-1].of(text), block.of(text)):
            joined[-1] = Span(joined[-1].start, block.end)
        else:
            joined.append(block)
    return joined


def _goes_on(above: str, below: str) -> bool:
    last = above.rsplit("\n", 1)[-1]
    if _ENDED.search(last) or "|" in last or "|" in below.split("\n", 1)[0]:
        return False
    # What is broken off appears at the end of a paragraph; a heading is all of its block.
    enough = len(above) >= _HEADING and re.search(r"[a-z]", last) is not None
    return enough and below.lstrip()[:1].islower() and not BULLET.match(below)


def _sentences(text: str, block: Span) -> list[Span]:
    # Same length, so that offsets hold: a break inside a sentence that was joined does not end it.
    flat = _SEAM.sub(lambda seam: " " * len(seam.group()), block.of(text))
    flat = _NOTE_MARK.sub(lambda mark: " " * len(mark.group()), flat)
    return [Span(block.start + each.start, block.start + each.end) for each in sentences(flat)]


def _item(text: str, item: Span, lead: Span | None) -> Iterator[ReportBlock]:
    bullet = BULLET.match(text, item.start)
    whole: list[Span] = []
    for span in _sentences(text, Span(bullet.end() if bullet else item.start, item.end)):
        # Lines of one item belong together unless a sentence ends: a heading's line does not end one here.
        if whole and not re.search(r"[.!?…][\"'”’»)\]]*$", whole[-1].of(text)):
            whole[-1] = Span(whole[-1].start, span.end)
        else:
            whole.append(span)
    for place, span in enumerate(whole):
        yield ReportBlock(PieceKind.SENTENCE, span) if place else ReportBlock(PieceKind.ITEM, span, lead)


_SHORT, _LONG = 5, 80
"""Words of a sentence that can be a claim."""
_LAYOUT = regex(r"\bPhoto:|\|| {2,}\w|(?:^|\s)[>»]\s|\.\.\.\.|·\s·")
_NOT_OWN = (BlockKind.WITHDRAWN, BlockKind.COMMENT)
_ROW_WORTH = 0.62
_NOTE = pattern(__name__, "note")
"""Marks of footnotes and links, which are no part of a claim's text."""
_DIVIDED = pattern(__name__, "divided")
_WHOLE = regex(r"^[\"“‘(]?[A-ZÄÖÜÀ-Þ0-9€$£].*[.!][\"”’)\d]{0,4}$", re.S)
_VERB = pattern(__name__, "verb")
_COMPANY_WORDS = regex(r"\b(?:the\s+(?:company|group)|our|we|us)\b", re.I)
_FOLLOWS = pattern(__name__, "follows")
_THE_COMPANY = regex(r"\b[Tt]he\s+(?:[Cc]ompany|Group)(?!\w)(?!['’]?s\s+of\b)")
_FOREIGN_WHOLE = regex(r"^[\"“„«»¿¡(]*(?![a-zß-ÿ])[^\W_].*[.!…][\"”“»)]*$", re.S)
_LETTERS = 0.55
"""Least share of letters of a sentence; tables and lines of figures have less."""
_PAGE = 4000
"""Characters of a page of a document that has none."""
_LABEL = regex(r"^(?:[A-Z]:|[A-Z]\d?\.?\)|\d{1,2}\s(?=[A-Z]\w+\s–))\s*")


class _Context(NamedTuple):
    text: str
    company: str
    """As the report calls it; '' where it is not known."""
    industry: str
    reference: date | None


class ReportClaims(NamedTuple):
    """What a report claims, and what a person should know of the reading."""

    claims: tuple[Claim, ...]
    notes: tuple[str, ...]
    company: str


def read_report(
    document: Document, *, company: str = "", industry: str = "", tables: TableReader | None = None
) -> Iterator[Claim]:
    """The claims in the order of the text, unnumbered; so a caller can show how far the reading is."""
    text = document.text
    tables = tables or TableReader()
    name = company or main_organisation(document.title, text) or ""
    reference = document.published.at.date() if document.published else None
    context = _Context(text, name, industry, reference)
    languages: dict[int, str | None] = {}
    for piece in pieces(text):
        if piece.kind is PieceKind.TABLE:
            made = [claim for row in tables.read(document, piece.span) if (claim := _of_row(context, row))]
        else:
            foreign = _language_at(document, piece.span.start, languages)
            claim = _of_sentence(context, piece) if foreign is None else _of_foreign(context, piece, foreign)
            made = [claim] if claim else []
        for claim in made:
            if _is_own(document, claim.start):
                yield claim.model_copy(update={"page": document.page_of(claim.start)})


def _is_own(document: Document, place: int) -> bool:
    """False for what the document withdraws, for notes that others left on it, and for what a message repeats."""
    kind = next((block.kind for block in document.blocks if block.start <= place < block.end), None)
    is_message = document.kind in ("eml", "msg")
    return kind not in _NOT_OWN and not (is_message and kind in (BlockKind.QUOTE, BlockKind.BYLINE))


def _language_at(document: Document, offset: int, known: dict[int, str | None]) -> str | None:
    """The language of the page at an offset, where that is not English. `known`: of the pages asked about before."""
    page = document.page_of(offset) or 1 + offset // _PAGE
    if page not in known:
        starts = document.pages or range(0, len(document.text), _PAGE)
        end = starts[page] if page < len(starts) else len(document.text)
        known[page] = detect_language(document.text[starts[page - 1] : end]) or document.language
    return known[page] if known[page] != "en" else None


def _of_sentence(context: _Context, piece: ReportBlock) -> Claim | None:
    quote = piece.span.of(context.text)
    flat = _read_aloud(quote)
    note_form = piece.kind is PieceKind.ITEM and (piece.lead is not None or not _is_whole(flat))
    if not _can_be_claim(context, piece, flat, note_form=note_form):
        return None
    own, loose = _speaks_of(context.company, flat), False
    stated = _LABEL.sub("", without_leader(flat))
    lead: tuple[Excerpt, ...] = ()
    if note_form and piece.lead is not None:
        opening = _read_aloud(piece.lead.of(context.text))
        own = own or _speaks_of(context.company, opening)
        stated = f"{opening} {stated[:1].lower() + stated[1:] if stated[1:2].islower() else stated}"
        lead = (_excerpt(context.text, piece.lead),)
    elif note_form:
        own = True
        stated = f"{context.company}: {stated}" if context.company else stated
    else:
        stated, loose = depends_on_context(stated, context.company or None)
    stated = _naming_company(stated, context.company)
    dates = _dates(stated, context.reference)
    loose = loose or bool(_FOLLOWS.match(flat))
    said = ReportStatement(stated, quantities(stated), dated=bool(dates), own=own, loose=loose, whole=not note_form)
    worth = worth_of(said, industry=context.industry, company=context.company)
    if worth.checkability < LEAST:
        return None
    return _claim(context, piece.span, said._replace(text=ended(stated), figures=quantities(flat)), worth, lead)


def _can_be_claim(context: _Context, piece: ReportBlock, flat: str, *, note_form: bool) -> bool:
    """True for a whole sentence, or an item in note form that gives a figure; not for what layout has broken off."""
    if not _SHORT <= len(words(flat)) <= _LONG or _LAYOUT.search(flat) or INSTRUCTING.search(flat):
        return False
    if flat.count("(") != flat.count(")") or flat.count("“") != flat.count("”"):
        return False
    if note_form:
        return any(not each.spelled for each in quantities(flat))
    # What follows such a mark is broken off from what is before it by a picture or a column.
    return _is_whole(flat) and context.text[: piece.span.start].rstrip()[-1:] not in (":", ",", "–")


def _speaks_of(company: str, words: str) -> bool:
    return bool(_COMPANY_WORDS.search(words)) or named_in(company, words)


def _naming_company(stated: str, company: str) -> str:
    """The statement with the company's name for 'the company', 'we' and 'our'."""
    if company and not named_in(company, stated):
        stated = _THE_COMPANY.sub(company, stated, count=1)
    return in_company_name(stated, company) if company and WE.search(stated) else stated


def _read_aloud(quote: str) -> str:
    """The words of a quote in one line, without marks of notes; words that a line's end divides are put together."""
    return " ".join(_NOTE.sub("", _DIVIDED.sub("", quote)).split())


def _is_whole(flat: str) -> bool:
    return bool(_WHOLE.match(flat) and _VERB.search(flat))


def _of_row(context: _Context, row: TableRow) -> Claim | None:
    text = f"{context.company}, {row.text}" if context.company else capitalised(row.text)
    head = (_excerpt(context.text, row.head),) if row.head else ()
    said = ReportStatement(text, quantities(row.span.of(context.text)), dated=True, whole=False)
    if row.is_goal:
        worth = worth_of(said, industry=context.industry, company=context.company)
        if worth.checkability < LEAST:
            return None
        worth = worth._replace(reasons=(claim_reason("table_goal"), *worth.reasons))
    else:
        extra = 0.1 if len(row.years) > 1 else 0.0
        worth = StatementWorth(_ROW_WORTH + extra, _ROW_WORTH, (claim_reason("table_row"),))
    return _claim(context, row.span, said._replace(text=ended(text)), worth, head)


def _of_foreign(context: _Context, piece: ReportBlock, language: str) -> Claim | None:
    """A sentence of another language that gives a figure with a unit: no more of it is read."""
    text = _read_aloud(piece.span.of(context.text))
    figures = tuple(each for each in quantities(piece.span.of(context.text)) if not each.spelled)
    letters = sum(char.isalpha() or char.isspace() for char in text)
    if (
        not (_SHORT <= len(words(text)) <= _LONG and _FOREIGN_WHOLE.match(text) and letters >= _LETTERS * len(text))
        or all(each.dimension is Dimension.COUNT for each in figures)
        or "|" in text
    ):
        return None
    said = ReportStatement(text, figures, dated=False)
    why = claim_reason("foreign_figure", language=language_name(language))
    return _claim(context, piece.span, said, StatementWorth(0.5, 0.5, (why,)), ())


def _claim(
    context: _Context, span: Span, said: ReportStatement, worth: StatementWorth, lead: tuple[Excerpt, ...]
) -> Claim:
    quote = span.of(context.text)
    masked = name_masked(said.text, context.company)
    type_, why = report_claim_type(masked, tuple(said.figures), own=said.own)
    parts = assertions(quote, span.start) if "|" not in quote else ()
    several = (claim_reason("assertions", number=len(parts)),) if parts else ()
    reasons = (why, *several, *worth.reasons)
    return Claim(
        id="C0",
        text=said.text,
        type=ClaimType(type_),
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


def _notes(document: Document, claims: tuple[Claim, ...], found: int, tables: TableReader) -> tuple[str, ...]:
    notes = [*document.notes]
    empty = pages_without_text(document.text, document.pages)
    if empty:
        notes.append(f"nothing was read of {page_ranges(empty)}: scanned or empty")
    if document.language not in (None, "en"):
        language = language_name(document.language or "")
        notes.append(
            f"the report is in {language}, which is not read as English is: claims are found by figures and units alone"
        )
    if tables.incomplete:
        rows = count(tables.incomplete, "table row")
        notes.append(f"{rows} with figures left out: no unit or no year stands with them")
    if len(claims) < found:
        notes.append(f"the first {len(claims)} of {found} claims are given")
    if not claims:
        where = count(len(document.pages), "page") if document.pages else "this document"
        notes.append(f"no checkable claim was found {'on' if document.pages else 'in'} {where}")
    return tuple(notes)


def claims_found(
    document: Document,
    *,
    company: str = "",
    industry: str = "",
    limit: int | None = None,
    given: tuple[Claim, ...] = (),
    tell: Callable[[int, int], None] = lambda page, pages: None,
) -> ReportClaims:
    """The report's claims, best first and at most `limit`, after the user's own (`given`). `tell` is given the page
    that is being read and how many there are; what it raises ends the reading."""
    if not company:
        company = next((claim.company for claim in given if claim.company), "")
    tables, found, last = TableReader(), [], 0
    pages = len(document.pages)
    for claim in read_report(document, company=company, industry=industry, tables=tables):
        found.append(claim)
        if claim.page and claim.page > last:
            last = claim.page
            tell(last, pages)
    once: dict[frozenset[str], Claim] = {}
    for claim in found:
        key = frozenset(content_words(claim.text))
        if key not in once or claim.importance > once[key].importance:
            once[key] = claim
    best = sorted(once.values(), key=lambda claim: (-claim.importance, claim.start))
    kept = tuple(claim.model_copy(update={"id": f"C{place}"}) for place, claim in enumerate(best[:limit], 1))
    name = company or next((claim.company for claim in kept), "")
    notes = _notes(document, kept, len(best), tables)
    if not given:
        return ReportClaims(kept, notes, name)
    own = tuple(placed(claim, document) for claim in given)
    absent = sum(not claim.quote for claim in own)
    spans = {(claim.start, claim.end) for claim in own if claim.quote}
    taken = {claim.id for claim in own}
    rest = [claim for claim in kept if (claim.start, claim.end) not in spans]
    numbers = (f"C{number}" for number in range(1, len(rest) + len(taken) + 1))
    free = (name for name in numbers if name not in taken)
    named = tuple(claim.model_copy(update={"id": name}) for claim, name in zip(rest, free, strict=False))
    if absent:
        notes = (f"{absent} of the {len(own)} claims given do not stand in the report in these words", *notes)
    return ReportClaims(own + named, notes, name)
