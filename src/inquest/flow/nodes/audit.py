"""Audit the citations of a text: each source is read once, and each pair of statement and source judged once.

Statements are judged in batches, and the results are saved after each: a case that was cut off continues with the next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from inquest.claims.citations import WORTH_CITING, citations_of
from inquest.claims.claim_detection import check_worth
from inquest.claims.parts_of_claim import assertions
from inquest.domain.audit import (
    WORKS,
    Audit,
    AuditAsked,
    AuditItem,
    CitedSource,
    CitedStatement,
    CitedText,
    CitedWork,
    Outcome,
)
from inquest.domain.document import PAGE_GONE, Document, Snapshot
from inquest.domain.errors import NotFound, NotRecorded, Outage, PageError, PageUnavailable
from inquest.domain.event import EventType, Stage
from inquest.domain.languages import capitalised
from inquest.domain.plan import Plan
from inquest.domain.reasons import Reason, as_written, coded, plain, sentence, sentences
from inquest.domain.report import OutageNote, Summary
from inquest.domain.search import Hit
from inquest.domain.source import Source
from inquest.flow.services import Services
from inquest.flow.state import AuditState, CaseState, CitedRead, Delta
from inquest.kit.analyst import Analyst, SourceReading
from inquest.retrieval.passages import passages_on
from inquest.retrieval.reading import Lead, PageRead, source_of
from inquest.retrieval.search_plan import estimated
from inquest.sources.credits import credits_at
from inquest.sources.look_alikes import look_alike
from inquest.sources.noise import noise_of_page
from inquest.sources.source_worth import too_noisy, worth_of
from inquest.sources.works import RETRACTING, title_mark
from inquest.text.phrases import count
from inquest.text.quantities import quantities
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words, shorten, words
from inquest.text.urls import comparison_key, doi_in_address, doi_of, is_web_url
from inquest.verdicts.cited import NOT_JUDGED, Found, Judged, exact, of_work, outcome, quotes_in, reason, work_named

_BATCH = 64
"""Statements that are judged before the results are saved."""
_VOLUME = regex(r"\b\d{1,3}\s?\(\d{1,4}\)|\b\d{1,3}\s?[:,]\s?(?:pp?\.\s?)?e?\d{1,6}\s?[–-]\s?e?\d")
"""Volume and number or pages of an article: '12(3)', '41: 203-217'."""
_LONGEST_REFERENCE = 300
_LEAST_WORDS = 5
_AT_ONCE = 32
"""Sources that are read concurrently; each host has its own limits."""
_ELSEWHERE = 0.6
"""Minimum share of a statement's words in another source of the text for that source to be checked too."""
_ITSELF = Reason(code="pages.is_audited")
_NOTHING = SourceReading(summary="", key_claims=())


async def plan_audit(state: CaseState, services: Services) -> Delta:
    """Plan the sources to read and the statements to judge. Raises NotFound if the text is no longer in the archive."""
    asked, document = await _text(state, services)
    whole = await asyncio.to_thread(citations_of, document)
    text = limited(whole, asked.limit)
    left_out = cited_in(whole) - cited_in(text)
    notes = [f"{count(left_out, 'citation')} beyond the limit."] if left_out else []
    cost = estimated({"citation": cited_in(text)}, 0.0, services.analyst.price).in_words(state.brief.budget_usd)
    plan = Plan(
        topic=state.brief.text,
        questions=(f"{count(cited_in(text), 'citation')}, {count(len(text.sources), 'source')} to read. {cost}",),
        queries=(),
        engines=(),
        mode=state.brief.mode,
        analyst=services.analyst.name,
        local_model=services.local.local_model,
        revision=state.plan.revision + 1 if state.plan else 1,
        notes=tuple(notes),
    )
    await services.progress(Stage.PLAN, capitalised(plan.questions[0]))
    return {"plan": plan, "auditing": AuditState(asked=text.model_copy(update={"text": ""}), left_out=left_out)}


def cited_in(text: CitedText) -> int:
    """Return the number of citations in the text."""
    return sum(len(each.sources) for each in text.statements)


def limited(text: CitedText, limit: int | None) -> CitedText:
    """Return the text with only its first citations, at most `limit`; None: all."""
    if limit is None:
        return text
    room, statements = limit, []
    for each in text.statements:
        statements.append(each.model_copy(update={"sources": each.sources[:room]}) if each.sources else each)
        room -= len(statements[-1].sources)
        if each.sources and not statements[-1].sources:
            statements.pop()
    used = {name for each in statements for name in (*each.sources, *each.later)}
    sources = tuple(each for each in text.sources if each.id in used)
    return text.model_copy(update={"statements": tuple(statements), "sources": sources})


async def _text(state: CaseState, services: Services) -> tuple[AuditAsked, Document]:
    asked = state.brief.audit
    assert asked is not None
    document = await services.archive.document(asked.snapshot)
    if document is None:
        raise NotFound("The text to audit is no longer in the archive.", advice="Audit it again.")
    return asked, document


class _Looked(NamedTuple):
    """A cited source, looked up."""

    read: CitedRead
    source: Source | None = None
    outages: tuple[OutageNote, ...] = ()


async def read_cited(state: CaseState, services: Services) -> Delta:
    """Read every source of the text that has an address, and the record of its DOI."""
    assert state.auditing is not None
    asked, text = await _text(state, services)
    cited, room, done = state.auditing.asked.sources, asyncio.Semaphore(_AT_ONCE), 0

    async def look(source: CitedSource) -> _Looked:
        nonlocal done
        async with room:
            looked = await _look(source, state, services)
        done += 1
        if done % 10 == 0 or done == len(cited):
            await services.progress(Stage.SOURCES, f"Sources read: {done} of {len(cited)}.")
        return looked

    found = await services.side_by_side([(f"cited {each.id}", partial(look, each)) for each in cited])
    looked = [each or _Looked(_unread(reason("cut_before_reading"))) for each in found]
    snapshot = await services.archive.snapshot(asked.snapshot)
    own = source_of(PageRead(Lead(text.url), snapshot, text), _NOTHING, None, services)
    sources = [own.left_out(_ITSELF), *(each.source for each in looked if each.source)]
    return {
        "auditing": state.auditing.model_copy(
            update={"read": {source.id: each.read for source, each in zip(cited, looked, strict=True)}}
        ),
        "sources": tuple(each.model_copy(update={"id": f"S{n}"}) for n, each in enumerate(sources, 1)),
        "outages": tuple(note for each in looked for note in each.outages),
    }


def _unread(reasons: tuple[Reason, ...]) -> CitedRead:
    return CitedRead(outcome=Outcome.COULD_NOT_BE_READ, reasons=reasons)


async def _look(source: CitedSource, state: CaseState, services: Services) -> _Looked:
    if not source.url:
        named = await _named(source.entry, services)
        if isinstance(named, CitedRead):
            return _Looked(named)
        source = source.model_copy(update={"url": named.url, "doi": doi_of(named.url) or ""})
    registered, withdrawn, record = await _work(source, services)
    if withdrawn:
        return _Looked(CitedRead(outcome=Outcome.WITHDRAWN, reasons=reason("withdrawn", why=withdrawn)))
    try:
        if registered is False and doi_in_address(source.url) != source.doi:
            await _page(f"https://doi.org/{source.doi}", services)  # another agency may have registered it
        snapshot, document = await _page(source.url, services)
    except (PageError, Outage) as error:
        if isinstance(error, PageUnavailable) and error.is_gone:
            return _Looked(_gone(source, error, registered))
        note = await services.outage("page", source.url, error, Stage.SOURCES)
        unread = _unread((note.why_code or as_written(note.why), *_imitates(source.url)))
        return _Looked(unread.model_copy(update={"record": record}), outages=(note,))
    kept = source_of(PageRead(Lead(source.url), snapshot, document), _NOTHING, state.brief.as_of, services)
    mark = title_mark(document.title)
    if mark and not mark.is_notice and mark.kind in RETRACTING:
        return _Looked(CitedRead(outcome=Outcome.WITHDRAWN, reasons=reason("titled", title=document.title)), kept)
    noise = noise_of_page(document)
    noted = reason("noise", why=why) if (why := too_noisy(noise, own=False)) else ()
    if noise.paywalled:
        noted = (sentence(Reason(code="pages.paywall")),)
    read = CitedRead(
        url=document.url,
        snapshot=document.snapshot,
        notes=noted if document.text.strip() else reason("no_text"),
        imitates=_imitates(document.url),
        gone=any(code.code == PAGE_GONE for code in document.note_codes),
        copy_of="" if snapshot.provenance == "fetched" else snapshot.provenance,
        record=record,
    )
    return _Looked(read, kept)


def _imitates(url: str) -> tuple[Reason, ...]:
    """Return the reason to doubt a domain whose letters imitate another's; () without one."""
    like = look_alike(url)
    if like is None:
        return ()
    return reason("may_imitate" if like.original else "may_imitate_some", name=like.original, how=like.how)


async def _page(url: str, services: Services) -> tuple[Snapshot, Document]:
    return await services.shared.once(f"page {url}", partial(services.pages.read, url))


def pages_ahead(state: CaseState, services: Services) -> Iterator[Awaitable[object]]:
    """Read the first sources before the graph is loaded. Those with a DOI wait for its record, because a withdrawn work
    is not read."""
    assert state.auditing is not None
    urls = [each.url for each in state.auditing.asked.sources if each.url and not each.doi]
    return (_page(url, services) for url in urls[:_AT_ONCE])


async def _named(entry: str, services: Services) -> Hit | CitedRead:
    """Find the work of a reference without an address by its title. A journal article that is in no registry does not
    exist; registries lack many books and reports."""
    unknown = _unread(reason("no_address"))
    if services.works_like is None or len(words(entry)) < _LEAST_WORDS:
        return unknown
    try:
        found = await services.works_like(shorten(entry, _LONGEST_REFERENCE))
    except Outage:
        return unknown
    if (work := work_named(entry, found)) is not None:
        return work
    why = reason("no_such_work", asked=[*WORKS.values()], entry=shorten(entry, 120))
    return CitedRead(outcome=Outcome.DOES_NOT_EXIST, reasons=why) if _VOLUME.search(entry) else _unread(why)


async def _work(source: CitedSource, services: Services) -> tuple[bool | None, str, CitedWork | None]:
    """Return if Crossref knows the DOI (None: not asked, or no answer), how the work was withdrawn, and the record."""
    if not source.doi or services.work_of is None:
        return None, "", None
    try:
        hit = await services.work_of(source.doi)
    except Outage:
        return None, "", None
    if hit is None:
        return False, "", None
    year = str(hit.published.at.year) if hit.published else ""
    record = CitedWork(title=hit.title, authors=(hit.author,) if hit.author else (), year=year)
    return True, plain(worth_of(services.rater.publisher(source.url), hit.work, [hit.title]).excluded or ""), record


def _gone(source: CitedSource, error: PageError, registered: bool | None) -> CitedRead:
    if source.doi and registered is not False:
        return _unread((error.sentence_code or as_written(str(error)),))
    reasons = reason("no_such_doi", doi=source.doi)
    if not source.doi:
        reasons = (*reason("asked_for", url=source.url, why=error.sentence_code or str(error)), *_imitates(source.url))
    return CitedRead(outcome=Outcome.DOES_NOT_EXIST, reasons=reasons)


class _Page(NamedTuple):
    """A source that was read, with the words of its content."""

    document: Document
    words: frozenset[str]


class _Batch:
    """Shared data of the statements in a batch: the sources that were read, and the outages."""

    def __init__(self, state: AuditState, pages: Mapping[str, _Page], services: Services, *, own: str = "") -> None:
        """Begin a batch. `own`: the address of the text, if it has one."""
        self._own = comparison_key(own) if is_web_url(own) else None
        self.read, self._pages, self._services = state.read, pages, services
        self._named = {each.id: each for each in state.asked.sources}
        self.outages: dict[OutageNote, None] = {}

    async def items(self, statement: CitedStatement) -> list[AuditItem]:
        """Return the outcomes of a statement, one for each source that it cites; () if it needs no citation and the
        sources of its paragraph do not decide it."""
        if statement.sources:
            return list(await asyncio.gather(*(self._item(statement, name) for name in statement.sources)))
        for name in statement.later:
            if name in self._pages:
                found, by = await self._judged(statement.text, self._pages[name].document)
                if found.outcome in (Outcome.HOLDS, Outcome.SAYS_OTHERWISE):
                    return [_made(statement, self._named[name], found, self._pages[name].document, by)]
        if statement.later and check_worth(statement.text).score <= WORTH_CITING:
            return []
        why = reason("cites_nothing")
        if statement.unlisted:
            why = reason("no_entry", names=", ".join(statement.unlisted))
        return [_made(statement, None, Found(Outcome.NO_CITATION, why))]

    def cut(self, statement: CitedStatement) -> list[AuditItem]:
        """Return the outcomes of a statement that was cut off before it was judged."""
        sources: list[CitedSource | None] = [*map(self._named.get, statement.sources)] or [None]
        unread, uncited = (Outcome.COULD_NOT_BE_READ, Outcome.NO_CITATION)
        return [
            _made(statement, each, Found(unread if each else uncited, reason("cut_before_judging"))) for each in sources
        ]

    async def _judged(self, statement: str, document: Document) -> tuple[Found, str]:
        services = self._services
        by = services.local

        async def judge(analyst: Analyst) -> Found:
            nonlocal by
            by = analyst
            return await found_by(analyst, statement, document, by_model=analyst is not services.local)

        found, outages = await services.answered(judge, Stage.JUDGE)
        self.outages.update(dict.fromkeys(outages))
        return found, by.name

    async def _item(self, statement: CitedStatement, name: str) -> AuditItem:
        source, read = self._named[name], self.read[name]
        page = self._pages.get(name)
        if statement.work and read.outcome in (None, Outcome.COULD_NOT_BE_READ) and (page or read.record):
            return self._named_work(statement, source, statement.work, page.document if page else None)
        if page is None:
            fault = statement.work.fault if statement.work else ""
            why = reason("no_bibtex", fault=fault) if fault else read.reasons
            return _made(statement, source, Found(read.outcome or Outcome.COULD_NOT_BE_READ, why))
        document = page.document
        found, by = await self._judged(statement.text, document)
        if found.span and found.outcome in (Outcome.HOLDS, Outcome.SECOND_HAND) and self._own:
            credited = credits_at(document, found.span)
            if any(comparison_key(each.url) == self._own for each in credited if each.url):
                found = found._replace(outcome=Outcome.SECOND_HAND, reasons=reason("cites_itself"))
        read_as = reason("read_as", copy=read.copy_of) if read.copy_of else ()
        paged = _on_page(document, found, statement.pages.get(name))
        found = found._replace(reasons=(*found.reasons, *paged, *read.imitates, *read_as))
        if found.outcome is Outcome.NOT_THERE:
            if read.notes:
                return _made(statement, source, Found(Outcome.COULD_NOT_BE_READ, read.notes), document, by)
            others = self._others(statement, document, judged=by != self._services.local.name)
            answers = (self._judged(statement.text, self._pages[other].document) for other in others)
            for other, (elsewhere, by_other) in zip(others, await asyncio.gather(*answers), strict=True):
                if elsewhere.outcome is Outcome.HOLDS:
                    label, url = self._named[other].label, self._pages[other].document.url
                    why = reason("another_says", name=url if label == url else f"[{label}] {url}")
                    elsewhere = Found(Outcome.MISATTRIBUTED, why, elsewhere.span)
                    return _made(statement, source, elsewhere, self._pages[other].document, by_other)
        elif found.outcome is not Outcome.SAYS_OTHERWISE:
            made = _made(statement, source, found, document, by)
            return _changed(made, read.copy_of) if read.gone and found.outcome is Outcome.HOLDS else made
        # Archives allow one request a second, so they are asked only if the statement was looked for and not found.
        was_sought = by != self._services.local.name or quotes_in(statement.text) or quantities(statement.text)
        earlier = await self._before(statement, source, document) if was_sought and not read.copy_of else None
        return earlier or _made(statement, source, found, document, by)

    def _named_work(
        self, statement: CitedStatement, source: CitedSource, work: CitedWork, document: Document | None
    ) -> AuditItem:
        """Return the outcome of a bibliography entry, by its record and its page."""
        read = self.read[source.id]
        found = of_work(work, document, read.record, unread=read.reasons or read.notes)
        return _made(statement, source, found._replace(reasons=(*found.reasons, *read.imitates)), document)

    async def _before(self, statement: CitedStatement, source: CitedSource, now: Document) -> AuditItem | None:
        """Return the outcome if an archived copy of the page supports it; the copy is requested once per source."""
        services = self._services
        copy = await services.shared.once(f"copy of {source.url}", partial(_copy_of, source.url, services))
        if copy is None or copy[0].snapshot == now.snapshot:
            return None
        document, copied = copy
        found, by = await self._judged(statement.text, document)
        if found.outcome is not Outcome.HOLDS:
            return None
        says = found._replace(reasons=reason("copy_says", copy=copied))
        return _changed(_made(statement, source, says, document, by), copied)

    def _others(self, statement: CitedStatement, own: Document, *, judged: bool) -> Sequence[str]:
        """Return the other sources that may support it, the likeliest two first. If no language model `judged` the
        cited source, only those with more of the statement's words: the cited one may support it in words that were not
        understood."""
        wanted, scored = set(content_words(statement.text)), []
        has = 0 if judged else len(wanted & set(content_words(own.text)))
        for name, (document, has_words) in self._pages.items():
            if name in statement.sources or document.snapshot == own.snapshot:
                continue
            quoted = any(exact(quote, document.text) for quote in quotes_in(statement.text))
            share = 1.0 if quoted else len(wanted & has_words) / max(1, len(wanted))
            if share >= _ELSEWHERE and (quoted or len(wanted & has_words) > has):
                scored.append((-share, name))
        return [name for _, name in sorted(scored)[:2]]


async def found_by(analyst: Analyst, statement: str, document: Document, *, by_model: bool) -> Found:
    """Return an analyst's outcome for the statement and a source that was read. Raises ModelError."""
    passages = passages_on(statement, {document.snapshot: document}, found_for_it=(document.snapshot,))
    cut = [each.quote for each in assertions(statement, 0)]
    parts = cut if len(cut) > 1 else []
    readings = await analyst.assess(statement, passages, statements=parts)
    judged = [
        Judged(reading, Span(passage.start + reading.start, passage.start + reading.end))
        for passage, reading in zip(passages, readings, strict=True)
        if reading.quote and passage.text[reading.start : reading.end] == reading.quote
    ]
    return outcome(statement, document, judged, parts=parts, by_model=by_model)


async def _copy_of(url: str, services: Services) -> tuple[Document, str] | None:
    try:
        found = await services.pages.archived_copy(url)
    except (PageError, NotRecorded):
        return None
    return (found[1], found[0].provenance) if found else None


async def judge_citations(state: CaseState, services: Services) -> Delta:
    """Judge the next batch of statements."""
    auditing = state.auditing
    assert auditing is not None
    pages = await services.shared.once("cited pages", partial(_pages, auditing, services))
    assert state.brief.audit is not None
    batch = _Batch(auditing, pages, services, own=state.brief.audit.what)
    statements = auditing.asked.statements
    asked = statements[auditing.judged : auditing.judged + _BATCH]
    work = [(f"statement at {each.start}", partial(batch.items, each)) for each in asked]
    found = await services.side_by_side(work)
    items = [batch.cut(each) if items is None else items for each, items in zip(asked, found, strict=True)]
    judged = auditing.judged + len(asked)
    if asked:
        await services.progress(Stage.JUDGE, f"Statements assessed: {judged} of {len(statements)}.")
    added = tuple(item for each in items for item in each)
    return {
        "auditing": auditing.model_copy(update={"judged": judged, "items": (*auditing.items, *added)}),
        "outages": tuple(batch.outages),
    }


async def _pages(auditing: AuditState, services: Services) -> dict[str, _Page]:
    found = {}
    for name, read in auditing.read.items():
        if read.snapshot and (document := await services.archive.document(read.snapshot)) is not None:
            document = document.model_copy(update={"url": read.url})
            found[name] = _Page(document, frozenset(content_words(document.text)))
    return found


async def report_audit(state: CaseState, services: Services) -> Delta:
    """Report the result for the citations."""
    asked, document = await _text(state, services)
    auditing = state.auditing
    assert auditing is not None
    items = sorted(auditing.items, key=lambda each: (each.statement.start, each.source.label if each.source else ""))
    models = dict.fromkeys(each.why for each in state.missing if each.what == "model")
    notes = [*coded(document.notes, document.note_codes)]
    notes += [code for why in models for code in reason("local_judge", why=why)]
    if any(code.code in NOT_JUDGED for each in items for code in each.reason_codes):
        notes += reason("no_model")
    audit = Audit(
        what=asked.what or state.brief.text,
        title=auditing.asked.title,
        text=document.text,
        items=tuple(items),
        left_out=auditing.left_out,
        notes=sentences(notes),
        note_codes=tuple(notes),
    )
    await services.progress(Stage.SUMMARY, audit.summary, EventType.SUMMARY_WRITTEN)
    return {"audit": audit, "summary": Summary(title=audit.summary, sections=())}


def _on_page(document: Document, found: Found, cited: tuple[int, int] | None) -> tuple[Reason, ...]:
    """Return the reason for doubt if the words are on a page that the citation does not name."""
    page = document.page_of(found.span.start) if found.span else None
    if page is None or cited is None or cited[0] <= page <= cited[1]:
        return ()
    return reason("other_page", page=page, cited="–".join(map(str, dict.fromkeys(cited))))


def _changed(item: AuditItem, copied: str) -> AuditItem:
    """Build the item of a statement that only an archived copy supports; `copied`: the provenance of the copy."""
    return item.model_copy(update={"outcome": Outcome.CHANGED_SINCE, "copied": copied.rpartition(" ")[2]})


def _made(
    statement: CitedStatement,
    source: CitedSource | None,
    found: Found,
    document: Document | None = None,
    judge: str = "",
) -> AuditItem:
    span = found.span or Span(0, 0)
    return AuditItem(
        statement=statement,
        source=source,
        outcome=found.outcome,
        reason=found.reason,
        reason_codes=found.reasons,
        quote=span.of(document.text) if document else "",
        snapshot=document.snapshot if document else "",
        start=span.start,
        end=span.end,
        page=document.page_of(span.start) if document and found.span else None,
        judge=judge,
    )
