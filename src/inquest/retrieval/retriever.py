"""From searches to pages: query, fail over, follow links of aggregators, read, leave noise out.

All parts of a case that search use this: desks, an inquiry, a topic and a market question. Each query is sent to an
engine once and each page is read once, however many claims need them. Answers are processed as they arrive, but the
choice of pages depends only on the plan and the answers, so that a replay chooses the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from inquest.domain.case import UNASKED
from inquest.domain.errors import EngineUnavailable, PageUnavailable
from inquest.domain.event import EventType, Stage
from inquest.domain.reasons import Catalogue
from inquest.domain.report import OutageNote
from inquest.domain.search import Hit, Query
from inquest.retrieval.answers import Answer, AskedAll, Attempt, Found, Search
from inquest.retrieval.case_ports import CasePorts, WaitLimit, in_time
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.failover import MayReplace, is_for_others, next_engines
from inquest.retrieval.reading import Lead, PageRead, filtered, further_leads, left_out, read_page, resolved, search
from inquest.text.sentences import shorten

_late = Catalogue("outages")
_LEAST = 0.5
"""Minimum seconds left for asking a replacement."""


@dataclass(frozen=True)
class SearchRules:
    """Rules by which one part of a case searches."""

    stage: Stage
    verb: str = "ask"
    """The label of its searches if they may be cut off, unique among parts of a case that query the same engines."""
    agent: str = ""
    """The desk named in its events; '': none."""
    suited: Callable[[Query], Sequence[EngineChoice]] | None = None
    """Engines that may replace another for a query, in order of preference; None: every engine of the case."""
    may: MayReplace = lambda out, other, query: True
    links_by: tuple[str, ...] = ()
    """Engines that find the articles behind an aggregator's links; (): such hits are left out."""
    asking: WaitLimit | None = None
    """The limit for all engines together, including replacements."""
    engine_seconds: Callable[[], float | None] = lambda: None
    page_seconds: Callable[[], float | None] = lambda: None
    """The time limits of an engine and a page from now on; None: those of the HTTP client."""
    answered: Callable[[list[Hit]], None] | None = None
    """Called with the hits of each answer as it arrives, to begin reading."""
    looked: Callable[[PageRead], Awaitable[PageRead]] | None = None
    """Called once with each page that is worth reading; it may leave out the document."""


class Retriever:
    """The searches of one part of a case, and the pages found."""

    def __init__(self, searches: Iterable[Search], rules: SearchRules, ports: CasePorts) -> None:
        self._rules, self._ports = rules, ports
        self._searches: dict[tuple[str, str], Search] = {}
        self._asked: dict[str, list[str]] = {}
        for each in searches:
            key = _key(each.query)
            if (each.engine, key) not in self._searches:
                self._searches[each.engine, key] = each
                self._asked.setdefault(key, []).append(each.engine)
        self._attempts: dict[tuple[str, str], asyncio.Task[Attempt]] = {}
        self._fetched: dict[str, asyncio.Task[PageRead]] = {}
        self._pages: dict[tuple[str, bool], asyncio.Task[PageRead]] = {}
        self._addresses: dict[str, str] = {}

    async def ask_all(self) -> AskedAll:
        """Return every answer that arrives before the budget is met."""
        searches = list(self._searches.values())
        answers = await self._ports.side_by_side(
            [(self._label(each.engine, _key(each.query)), partial(self.answer, each)) for each in searches]
        )
        cut = dict.fromkeys(each.engine for each, given in zip(searches, answers, strict=True) if given is None)
        late = self._late("engine_not_in_time", cut)
        unasked = [await self._ports.outage("engine", each.who, each, self._rules.stage) for each in late]
        return AskedAll([each for each in answers if each is not None], unasked)

    async def answer(self, search: Search) -> Answer:
        """Return the engine's answer, or that of the next suitable one if it cannot answer.

        The next engine depends only on those that did not answer, and is the same on a replay.
        """
        key, kinds = _key(search.query), self._suited(search)
        asked = self._asked.get(key, [search.engine])
        attempts: list[Attempt] = []
        for engine in (search.engine, *next_engines(search.engine, asked, kinds)):
            label, asking = self._label(engine, key), self._rules.asking
            if attempts and asking is not None and asking.is_over(f"begin: {label}", _LEAST):
                break
            if (engine, key) not in self._attempts:
                self._attempts[engine, key] = asyncio.ensure_future(self._ask(label, engine, search.query))
            attempts.append(await asyncio.shield(self._attempts[engine, key]))
            if not is_for_others(attempts[-1].error):
                break
        own = {kind for each in kinds if each.name == search.engine for kind in each.kinds}
        named = {each.name for each in kinds if own & set(each.kinds)}
        beside = tuple(name for name in asked if name != search.engine and name in named)
        return Answer(tuple(attempts), beside)

    async def find(self, searches: Sequence[Search], choose: Callable[[list[Hit]], Sequence[Lead]]) -> Found:
        """Return the answers to searches on one claim, and the pages chosen from all their hits."""
        answers = list(await asyncio.gather(*(self.answer(each) for each in searches)))
        leads = choose([hit for each in answers for hit in each.hits])
        # Each page has this claim's lead: the result must not depend on which fetch finished first.
        pages = await asyncio.gather(*(self.page(lead) for lead in leads))
        return Found(answers, [*pages, *await asyncio.gather(*(self.page(lead) for lead in further_leads(pages)))])

    async def page(self, lead: Lead) -> PageRead:
        """Read a page; it has no document if it could not be read or is noise."""
        return replace(await asyncio.shield(self.begin(lead)), lead=lead)

    def begin(self, lead: Lead) -> asyncio.Task[PageRead]:
        """Begin to read a page unless it has begun."""
        key = (lead.key, lead.user_provided)
        if key not in self._pages:
            self._addresses[lead.key] = lead.url
            self._pages[key] = asyncio.ensure_future(self._filtered(lead))
        return self._pages[key]

    def has_read(self, lead: Lead) -> bool:
        """True if a page has been read; never in a replay, which follows the recorded labels."""
        task = self._pages.get((lead.key, lead.user_provided))
        done = task is not None and task.done() and not task.cancelled() and task.exception() is None
        return done and not self._ports.replayed

    def fetch(self, lead: Lead) -> asyncio.Task[PageRead]:
        """Begin to fetch a page, unfiltered."""
        if lead.key not in self._fetched:
            self._fetched[lead.key] = asyncio.ensure_future(self._fetch(lead))
        return self._fetched[lead.key]

    async def unanswered(self, cut_off: Iterable[Search]) -> tuple[OutageNote, ...]:
        """Return the outages of engines without an answer to the searches of cut-off work, and of pages not yet read.

        To be called when all other work is done, before `close`.
        """
        stage, note, cut = self._rules.stage, self._ports.outage, self._ports.cut
        names = dict.fromkeys(each.engine for each in cut_off if self._has_no_answer(each))
        mark = f"{UNASKED}{self._rules.verb} page "
        if not self._ports.replayed:  # what was being read is random, and so recorded like searches
            for url in sorted({self._addresses[key] for (key, _), task in self._pages.items() if not task.done()}):
                cut.add(f"{mark}{url}")
        unread = [label.removeprefix(mark) for label in cut.labels if label.startswith(mark)]
        engines = self._late("engine_unanswered", names)
        pages = [PageUnavailable(url, _late("page_not_in_time", url=url)) for url in unread]
        return (
            *[await note("engine", each.who, each, stage) for each in engines],
            *[await note("page", each.who, each, stage) for each in pages],
        )

    def _late(self, why: str, names: Iterable[str]) -> list[EngineUnavailable]:
        titled = zip(names, self._ports.titles(names), strict=True)
        return [EngineUnavailable(name, _late(why, name=title)) for name, title in titled]

    def _has_no_answer(self, search: Search) -> bool:
        """Test if a search has no answer, which is random and therefore recorded for a replay."""
        key, cut = _key(search.query), self._ports.cut
        mark = f"{UNASKED}{self._label(search.engine, key)}"
        task = self._attempts.get((search.engine, key))
        if not self._ports.replayed and (task is None or not task.done() or not task.result().answered):
            cut.add(mark)
        return mark in cut.labels

    async def close(self) -> None:
        """Cancel all work that is still running."""
        tasks = [*self._attempts.values(), *self._pages.values(), *self._fetched.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _suited(self, search: Search) -> list[EngineChoice]:
        """The engine itself, and its possible replacements."""
        ports, query = self._ports, search.query
        everybody = ports.engines if self._rules.suited is None else self._rules.suited(query)
        own = [each for each in ports.engines if each.name == search.engine]
        return own + [
            each
            for each in everybody
            if each.name != search.engine and self._rules.may(search.engine, each.name, query)
        ]

    def _label(self, engine: str, key: str) -> str:
        """The label of an attempt if it may be cut off, independent of its first caller."""
        planned, verb = list(self._searches), self._rules.verb
        if (engine, key) in self._searches:
            return f"{verb} {engine}: {planned.index((engine, key))}"
        return f"{verb} {engine} in place of another: {list(self._asked).index(key)}"

    async def _ask(self, label: str, engine: str, query: Query) -> Attempt:
        rules, ports = self._rules, self._ports
        (title,) = ports.titles([engine])
        await ports.progress(rules.stage, f'Searching {title} for "{shorten(query.text, 90)}"')
        begin = partial(search, engine, query, ports, rules.stage)
        try:
            hits, outage, error = await in_time(label, begin, rules.engine_seconds(), ports)
        except TimeoutError:
            (error,) = self._late("engine_late", [engine])
            hits, outage = [], await ports.outage("engine", engine, error, rules.stage)
        hits, outages, added = await resolved(hits, rules.links_by, ports, rules.stage)
        if rules.answered is not None:
            rules.answered(hits)
        if outage is None:
            await self._report_hits(engine, query, hits)
        notes = ((outage,) if outage else ()) + tuple(outages)
        return Attempt(engine, query, hits, notes, tuple(added), answered=outage is None, error=error)

    async def _report_hits(self, engine: str, query: Query, hits: list[Hit]) -> None:
        (title,) = self._ports.titles([engine])
        words = f'{title} returned {len(hits)} {"hit" if len(hits) == 1 else "hits"} for "{shorten(query.text, 90)}"'
        type, more = EventType.QUERY_ANSWERED, dict[str, Any](hits=len(hits))
        if agent := self._rules.agent:
            type, more = EventType.SEARCH_EXECUTED, {"agent_name": agent, "results_count": len(hits)}
        await self._ports.events.emit(type, words, stage=self._rules.stage, engine=engine, query=query.text, **more)

    async def _fetch(self, lead: Lead) -> PageRead:
        ports, stage = self._ports, self._rules.stage
        begin = partial(read_page, lead, ports, stage)
        try:
            return await in_time(f"page {lead.key}", begin, self._rules.page_seconds(), ports)
        except TimeoutError:
            error = PageUnavailable(lead.url, _late("page_late", url=lead.url))
            return PageRead(lead, outages=(await ports.outage("page", lead.url, error, stage),))

    async def _filtered(self, lead: Lead) -> PageRead:
        page = replace(await asyncio.shield(self.fetch(lead)), lead=lead)
        if page.document is None:
            for note in page.outages:
                await left_out(lead.url, note.why, self._ports, self._rules.stage)
        page = await filtered(page, self._ports, self._rules.stage)
        looked = self._rules.looked
        return page if looked is None or page.document is None else await looked(page)


def _key(query: Query) -> str:
    """Identify a query without its purpose."""
    return query.model_dump_json(exclude={"purpose"})
