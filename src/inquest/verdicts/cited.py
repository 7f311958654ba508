"""Outcome of an audit: how a source that was read supports the statement that cites it. Pure.

Quotes are compared verbatim and figures with their units, whichever reader read the source; the rest depends on its
readings. No statement holds without a quote of the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from inquest.claims.parts_of_claim import assertions
from inquest.domain.audit import CitedWork, Outcome
from inquest.domain.document import Document
from inquest.domain.finding import Reading, SpeakerKind, Stance
from inquest.domain.reasons import Reason, ReasonData, as_written
from inquest.domain.search import Hit
from inquest.domain.source import CreditKind
from inquest.sources.credits import credits_at
from inquest.sources.publisher_names import name_key
from inquest.text.blocks import evidence_sentences
from inquest.text.entities import names, names_met
from inquest.text.grounding import ground
from inquest.text.languages import detect_language
from inquest.text.moments import moments
from inquest.text.phrases import stated
from inquest.text.quantities import Dimension, Quantity, Relation, compare, quantities, shown
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words, fold, shorten, words
from inquest.text.written_dates import written_dates

NOT_JUDGED = frozenset(f"audit.not_judged_{name}" for name in "found rest extent figure".split())
"""Codes of reasons for what no language model judged."""

_QUOTED = regex(r"“([^“”]{8,1500})”|(?<!\w)\"([^\"]{8,1500})\"(?!\w)|«\s?([^«»]{8,1500})\s?»|„([^„“”]{8,1500})[“”]")
_INSERTED = regex(r"\[[^\]]*\]|…|\.\.\.")
_YEAR = regex(r"\b(?:1[89]|20)\d\d\b")
_DIGITS = regex(r"\d+(?:[.,]\d+)*")
_LISTED = regex(r",\s+|,?\s+(?:and|&)\s+")
_LEAST_WORDS = 4
"""Fewer words in quotation marks may be a name or a title."""
_ALTERED = 0.6
"""Share of the quoted words from which a sentence counts as the original of an altered quote."""
_SAID_BY_QUOTE = 0.7
"""Share of the statement's content words in its exact quote from which the quote shows all of it."""
_SURE = 0.7
"""Confidence from which a reading without a language model counts."""
_SHARED = 0.7
"""Share of the statement's content words that supporting words must have if no language model reads them."""
_PLAIN = (Dimension.COUNT, Dimension.FACTOR)
_NEAR = 600
"""Characters around the supporting words in which a figure of the statement may be."""


class Found(NamedTuple):
    """An outcome, its reasons, and the place in the document of the words it rests on."""

    outcome: Outcome
    reasons: tuple[Reason, ...]
    span: Span | None = None

    @property
    def reason(self) -> str:
        """The reasons in words."""
        return stated(self.reasons)


def reason(name: str, /, **data: ReasonData | Reason | list[Reason]) -> tuple[Reason, ...]:
    """A reason of this package, worded in `domain/wording/audit.toml`."""
    return (Reason.of(f"audit.{name}", **data),)


class Judged(NamedTuple):
    """A reading with the place of its quote in the document."""

    reading: Reading
    span: Span


def quotes_in(statement: str) -> list[str]:
    """Return the quotes in the statement, without the punctuation around them."""
    found = (next(filter(None, match.groups())) for match in _QUOTED.finditer(statement))
    return [quote for quote in (each.strip(" ,.;:") for each in found) if len(words(quote)) >= _LEAST_WORDS]


def exact(quote: str, text: str) -> list[Span] | None:
    """Return the places of the quote's pieces in the text, apart from omissions and insertions; None if not there."""
    spans: list[Span] = []
    for piece in filter(None, (each.strip(" ,.;:") for each in _INSERTED.split(quote))):
        span = ground(text, piece, spans[-1].end if spans else None)
        if span is None:
            return None
        spans.append(span)
    return spans or None


def outcome(
    statement: str, document: Document, judged: Sequence[Judged], *, parts: Sequence[str] = (), by_model: bool
) -> Found:
    """Return the outcome of a source that was read. `judged`: its readings; `parts`: the parts of the statement."""
    support = _best(judged, Stance.SUPPORTS)
    against = _best(judged, Stance.CONTRADICTS)
    quoted: Span | None = None
    for quote in quotes_in(statement):
        spans = exact(quote, document.text)
        if spans is None:
            return _inexact(quote, document, support)
        quoted = quoted or Span(spans[0].start, max(each.end for each in spans))
    found = None if by_model or against else _verbatim(statement, document)
    if not found and quoted is not None and not (by_model and (support or against)):
        found = _quoted(statement, document, quoted, against=against is not None, by_model=by_model)
    if found:
        return found
    if support and (not against or support.reading.confidence >= against.reading.confidence):
        return _supported(statement, document, support, parts, by_model=by_model)
    if against and (by_model or against.reading.confidence >= _SURE):
        return Found(Outcome.SAYS_OTHERWISE, _why(against.reading) or reason("contradicts"), against.span)
    return Found(Outcome.NOT_THERE, reason("neither" if by_model else "not_judged_found"))


def _verbatim(statement: str, document: Document) -> Found | None:
    """Return the outcome if a sentence of the source is the statement, apart from its figures or words of credit."""
    wanted, other_figures = _plain(statement), None
    for span in evidence_sentences(document):
        said = _plain(span.of(document.text))
        if wanted in said and (found := _second_hand(statement, document, span)):
            return found
        if wanted == said:
            return Found(Outcome.HOLDS, reason("same_words"), span)
        if other_figures is None and _DIGITS.sub("0", wanted) == _DIGITS.sub("0", said):
            changes = _changes(span.of(document.text), statement)
            other_figures = Found(Outcome.PARTLY, reason("other_figures", changes=changes), span)
    return other_figures


def _plain(sentence: str) -> str:
    return fold(" ".join(sentence.split())).strip(" .")


def _shares(statement: str, document: Document, span: Span, least: float) -> bool:
    """True if the span has at least this share of the statement's content words."""
    wanted = set(content_words(statement))
    return len(wanted & set(content_words(span.of(document.text)))) >= least * len(wanted)


def _quoted(statement: str, document: Document, span: Span, *, against: bool, by_model: bool) -> Found:
    """Return the outcome if the exact quote is in the source and nothing else is known about the statement."""
    if not against and _shares(statement, document, span, _SAID_BY_QUOTE):
        holds = Found(Outcome.HOLDS, reason("to_the_letter"), span)
        return _figures(statement, document, span) or _second_hand(statement, document, span) or holds
    return Found(Outcome.PARTLY, reason("rest_not_said" if by_model else "not_judged_rest"), span)


def _best(judged: Sequence[Judged], stance: Stance) -> Judged | None:
    of_stance = [each for each in judged if each.reading.stance is stance and each.reading.quote]
    return max(of_stance, key=lambda each: each.reading.confidence, default=None)


def _why(reading: Reading) -> tuple[Reason, ...]:
    if len(reading.reason_codes) == len(reading.reasons):
        return reading.reason_codes[:2]
    return tuple(as_written(f"{why.rstrip('.')}.") for why in reading.reasons[:2])


def _inexact(quote: str, document: Document, support: Judged | None) -> Found:
    """Return the outcome if the quote is not in the source verbatim: altered, or not there at all."""
    wanted = [fold(span.of(quote)) for span in words(quote)]
    nearest, share = None, 0.0
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    for span in evidence_sentences(document):
        sentence = span.of(document.text)
        matcher.set_seq1([fold(each.of(sentence)) for each in words(sentence)])
        same = sum(block.size for block in matcher.get_matching_blocks()) / len(wanted)
        if same > share:
            nearest, share = span, same
    if nearest is not None and share >= _ALTERED:
        changes = _changes(nearest.of(document.text), quote)
        return Found(Outcome.SAYS_OTHERWISE, reason("altered", changes=changes), nearest)
    missing = shorten(quote, 120)
    if support:
        return Found(Outcome.PARTLY, reason("in_other_words", words=missing), support.span)
    return Found(Outcome.NOT_THERE, reason("words_missing", words=missing))


def _changes(source: str, quote: str) -> list[Reason]:
    """The words that differ, from the first quoted word to the last: 'it has “fell sharply” for “fell”'."""
    old, new = ([span.of(each) for span in words(each)] for each in (source, quote))
    matcher = SequenceMatcher(None, [fold(each) for each in old], [fold(each) for each in new], autojunk=False)
    blocks = [each for each in matcher.get_matching_blocks() if each.size]
    low, high = blocks[0].a, blocks[-1].a + blocks[-1].size
    changes: list[Reason] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        in_source = " ".join(old[a:b]) if low <= a <= high and b <= high else ""
        in_quote = " ".join(new[c:d])
        if tag == "equal" or not (in_source or in_quote):
            continue
        name = ("changes" if in_source else "adds") if in_quote else "leaves_out"
        changes += reason(name, new=in_quote, old=in_source)
    return changes[:4] or [*reason("other_marks")]


def _supported(statement: str, document: Document, support: Judged, parts: Sequence[str], *, by_model: bool) -> Found:
    reading, span = support
    if (found := _figures(statement, document, span, by_model=by_model)) is not None:
        return found
    if reading.covers and parts and len(set(reading.covers)) < len(parts):
        missing = [part for number, part in enumerate(parts, 1) if number not in reading.covers]
        return Found(Outcome.PARTLY, reason("does_not_say", parts=missing), span)
    if second_hand := _second_hand(statement, document, span, reading):
        return second_hand
    if not by_model and (unsure := _unsure(statement, document, support)):
        return unsure
    if reading.mode and reading.mode.is_open:
        return Found(Outcome.PARTLY, reason("no_fact", mode=reading.mode.value), span)
    return Found(Outcome.HOLDS, _why(reading) or reason("says_it"), span)


def _unsure(statement: str, document: Document, support: Judged) -> Found | None:
    """Return the outcome if no model read the supporting words, and they may not say everything in the statement."""
    span = support.span
    near = document.text[max(0, span.start - _NEAR) : span.end + _NEAR]
    head = f"{document.title}\n{document.publisher or ''}\n{document.author or ''}"
    if missing := names_met(statement, near, context=head).missing:
        return Found(Outcome.PARTLY, reason("names_missing", names=list(missing[:3])), span)
    said = span.of(document.text)
    listed_names = ((a, b) for a, b in pairwise(names(said)) if _LISTED.fullmatch(said, a.span.end, b.span.start))
    if quantities(statement) and any((a.text in statement) != (b.text in statement) for a, b in listed_names):
        return Found(Outcome.PARTLY, reason("not_judged_figure"), span)
    sure = support.reading.confidence >= _SURE and _shares(statement, document, span, _SHARED)
    return None if sure and not _across(statement, said) else Found(Outcome.PARTLY, reason("not_judged_extent"), span)


def _across(statement: str, said: str) -> bool:
    """True if words of the statement are in several clauses of the sentence, as 'laid in March 2026' in 'approved in
    March 2026 and to be laid in 2027'."""
    wanted, has = set(content_words(statement)), [set(content_words(each.quote)) for each in assertions(said, 0)]
    return max(len(wanted & each) for each in has) < len(wanted & set().union(*has)) if has else False


def _second_hand(statement: str, document: Document, span: Span, reading: Reading | None = None) -> Found | None:
    """The outcome if the source credits another publisher for these words; None if they are its own."""
    speaker = reading.speaker if reading else None
    names = [speaker.name] if speaker and speaker.kind is SpeakerKind.MEDIA else []
    names += [each.name for each in credits_at(document, span) if each.kind is CreditKind.PRESS]
    own = name_key(f"{document.publisher or ''} {document.title} {statement}")
    credited = next((name for name in names if name_key(name) and name_key(name) not in own), None)
    return Found(Outcome.SECOND_HAND, reason("has_it_from", name=credited), span) if credited else None


def _figures(statement: str, document: Document, span: Span, *, by_model: bool = False) -> Found | None:
    """The outcome if a figure of the statement is not near the supporting words, or a date differs. If a model read
    the supporting words, it has read what plain numbers in them count: '2025: 4,270'."""
    near = quantities(document.text[max(0, span.start - _NEAR) : span.end + _NEAR])
    read = [(each.dimension in _PLAIN, _number(each)) for each in quantities(span.of(document.text)) if by_model]
    foreign = by_model and document.language != detect_language(statement)
    dates = written_dates(statement)
    for figure in quantities(statement):
        if figure.dimension is Dimension.LIMIT or (figure.spelled and (figure.value < 3 or foreign)):
            continue
        if any(date.start <= figure.span.start < date.end for date in dates):
            continue
        if any(each.text == figure.text or compare(figure, each) is Relation.SAME for each in near):
            continue
        number, is_plain = _number(figure), figure.dimension in _PLAIN
        if any(number == other and (is_plain or other_is_plain) for other_is_plain, other in read):
            continue
        others = [each for each in quantities(span.of(document.text)) if each.dimension is figure.dimension]
        name, has = "other_figure" if others else "no_figure", [shown(each) for each in others[:3]]
        return Found(Outcome.PARTLY, reason(name, figure=shown(figure), others=has), span)
    return _dates(statement, document, span)


def _dates(statement: str, document: Document, span: Span) -> Found | None:
    """The outcome if the supporting words have other days, or a year of the statement is not in the source."""
    said = span.of(document.text)
    given = {each.parts: said[each.start : each.end] for each in written_dates(said)}
    for date in written_dates(statement) if given else ():
        if date.parts not in given:
            others, written = [*given.values()][:3], statement[date.start : date.end]
            return Found(Outcome.PARTLY, reason("other_date", date=written, others=others), span)
    published = document.published.at.date() if document.published else None
    around = document.text[max(0, span.start - _NEAR) : span.end + _NEAR]
    named = {moment.start.year for moment in moments(around, published)} | ({published.year} if published else set())
    for year in _YEAR.findall(statement):
        if year not in document.text and int(year) not in named:
            return Found(Outcome.PARTLY, reason("no_year", year=year), span)
    return None


def _number(figure: Quantity) -> float:
    """The number of a quantity without its unit: 4,270 of '4,270 million gallons'."""
    digits = None if figure.dimension in _PLAIN else _DIGITS.search(figure.text)
    plain = quantities(f"{digits[0]} objects") if digits else ()
    return plain[0].value if plain else figure.value


def work_named(reference: str, works: Sequence[Hit]) -> Hit | None:
    """Return the work that a reference names: its title, without a subtitle, is in it, with its year or an author if it
    says more than the title."""
    wanted = f" {_folded(reference)} "
    for work in works:
        title = _folded(work.title.partition(":")[0])
        names = (name.split()[-1] for name in (work.author or "").split(",") if name.split())
        known = {str(work.published.at.year) if work.published else "", *map(_folded, names)} - {""}
        is_titled = len(title.split()) >= _LEAST_WORDS and f" {title} " in wanted
        is_all = len(wanted.split()) <= len(title.split()) + 1
        if is_titled and (is_all or any(f" {each} " in wanted for each in known)):
            return work
    return None


def of_work(
    work: CitedWork, document: Document | None, record: CitedWork | None, *, unread: tuple[Reason, ...] = ()
) -> Found:
    """Return the outcome of an entry of a bibliography: if its title, authors and year are those of the work's record
    and page. `unread`: why the page, or its text, could not be read."""
    if unread and not record:
        # A page that was not read shows nothing.
        return Found(Outcome.COULD_NOT_BE_READ, unread)
    title = _of_title(work, document, record)
    wrong = [each for each in (title, *_of_makers(work, document, record)) if each.outcome is not Outcome.HOLDS]
    if wrong:
        gravest = min((each.outcome for each in wrong), key=list(Outcome).index)
        return Found(gravest, tuple(code for each in wrong for code in each.reasons), title.span)
    if unread:
        return Found(Outcome.COULD_NOT_BE_READ, (*unread, *reason("record_agrees")))
    given = "_and_".join(name for name, has in (("authors", work.authors), ("year", work.year)) if has)
    return title._replace(reasons=(*title.reasons, *(reason(f"{given}_agree") if given else ())))


def _of_title(work: CitedWork, document: Document | None, record: CitedWork | None) -> Found:
    """The outcome of the title: in the text of the page, or as the record or page is titled."""
    if not work.title:
        return Found(Outcome.COULD_NOT_BE_READ, reason("no_title"))
    pieces = r"\W+".join(re.escape(each.of(work.title)) for each in words(work.title))
    there = re.search(pieces, document.text, re.I) if document and pieces else None
    span = Span(*there.span()) if there else None
    if span and not record:
        return Found(Outcome.HOLDS, reason("has_title"), span)
    known = record.title if record else document.title if document else ""
    wanted, has = _folded(work.title).split(), _folded(known).split()
    titled = "recorded" if record else "page_titled"
    # A register or a page may leave the subtitle out, and a page may add its publisher's name.
    shorter = min(len(wanted), len(has))
    if shorter and wanted[:shorter] == has[:shorter] and shorter >= min(len(wanted), _LEAST_WORDS):
        return Found(Outcome.HOLDS, reason(titled, title=known), span)
    if record or len(set(wanted) & set(has)) >= _ALTERED * len(set(wanted)):
        return Found(Outcome.SAYS_OTHERWISE, (*reason(titled, title=known), *reason("title_differs")), span)
    return Found(Outcome.NOT_THERE, reason("no_such_title", title=shorten(work.title, 120)))


def _of_makers(work: CitedWork, document: Document | None, record: CitedWork | None) -> Iterator[Found]:
    """Return the errors in the authors and the year."""
    text = document.text if document else ""
    by = " ".join(record.authors) if record else ""
    shown_ = (text, document.author or "", document.publisher or "", document.title) if document else ()
    there = f" {_folded(' '.join((*shown_, by)))} "
    absent = [each for each in work.authors if f" {_folded(each)} " not in there]
    if absent and (by or text):
        outcome_ = Outcome.SAYS_OTHERWISE if by and len(absent) == len(work.authors) else Outcome.PARTLY
        has = reason("recorded_authors", names=by) if by else ()
        yield Found(outcome_, (*reason("no_author", names=list(absent[:4])), *has))
    dated = record.year if record else str(document.published.at.year) if document and document.published else ""
    if work.year not in (dated, "") and (dated or text) and (record or work.year not in text):
        has = reason("recorded_year" if record else "page_year", year=dated) if dated else ()
        yield Found(Outcome.PARTLY, (*reason("other_year", year=work.year), *has))


def _folded(text: str) -> str:
    return " ".join(fold(each.of(text)) for each in words(text))
