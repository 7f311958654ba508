"""Calls of engines and rerankers through the door, and cleaning of hits: URLs, dates and domains, plain text."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import lru_cache, partial
from typing import TypeVar
from urllib.parse import quote, urlsplit

from inquest.domain.errors import EngineError, EngineFormat, EngineUnavailable, InputError, InquestError, NotRecorded
from inquest.domain.report import Cost
from inquest.domain.search import Hit, Query
from inquest.domain.value import Published, Value
from inquest.kit.dialect import hosts, secrets
from inquest.kit.engine import Engine, in_time
from inquest.kit.exchange import MALFORMED, Purpose, Reply, Request
from inquest.kit.ports import Archive, HttpClient
from inquest.kit.reranker import Reranked, Reranker
from inquest.kit.rows import archived_row
from inquest.text import markup
from inquest.text.regex import regex
from inquest.text.sentences import shorten
from inquest.text.urls import host_of, is_web_url

_MAX_URL = 2048
_MAX_TITLE = 300
_MAX_SNIPPET = 2000
_MAX_NAME = 200
_MAX_RAW = 20_000
"""Characters of a field that are processed."""
_ADDRESSES = frozenset(("url", "original", "links", "open_access_url"))
"""Fields of posts, works and other leads that contain URLs."""
_CONTROL = regex(r"[\x00-\x1f\x7f]")
_SURROGATE = regex(r"[\ud800-\udfff]")
_UNQUOTED = frozenset(' <>"\\')
"""Characters that are invalid in a URL or could end it where it is shown."""

Lead = TypeVar("Lead", bound=Value)


def tidy(hits: Iterable[Hit], query: Query) -> list[Hit]:
    """Return the hits with valid URLs that match the query's dates and domains, as plain text, in order, up to limit.
    Hits without a date are kept (requirement N4): a missing date says nothing about the date."""
    kept: list[Hit] = []
    for hit in hits:
        if len(kept) >= query.limit:
            break
        url = hit.url.strip()
        # The user's own documents, which may be files.
        ours = hit.snapshot is not None or url.lower().startswith("collection://")
        if not (_may_be_followed(url) or (ours and len(url) <= _MAX_URL and not _CONTROL.search(url))):
            continue
        if not in_time(hit, query.since, query.until) or not (ours or in_domains(hit, query)):
            continue
        url = _escaped(url, ours=ours)
        review = hit.review and _only_text(hit.review)
        kept.append(
            hit.model_copy(
                update={
                    "url": url,
                    "title": plain(hit.title, _MAX_TITLE),
                    "snippet": plain(hit.snippet, _MAX_SNIPPET),
                    "author": plain(hit.author, _MAX_NAME) or None if hit.author else None,
                    "publisher": plain(hit.publisher, _MAX_NAME) or None if hit.publisher else None,
                    "post": hit.post and _only_text(hit.post),
                    "work": hit.work and _only_text(hit.work),
                    "review": review and review.model_copy(update={"url": review.url or url}),
                    "filing": hit.filing and _only_text(hit.filing),
                    "figures": tuple(_only_text(figure) for figure in hit.figures),
                }
            )
        )
    return kept


def _may_be_followed(url: str) -> bool:
    """Reject hosts with invisible characters, which imitate others, and lone surrogates, which are not text."""
    if len(url) > _MAX_URL or not is_web_url(url) or _CONTROL.search(url) or _SURROGATE.search(url):
        return False
    return urlsplit(url).netloc.isprintable()


def _escaped(url: str, *, ours: bool) -> str:
    """Escape invisible characters (except in names of own files) and those that could end the URL where it is shown."""
    return "".join(quote(char) if char in _UNQUOTED or not (ours or char.isprintable()) else char for char in url)


def _only_text(lead: Lead) -> Lead:
    """Return the lead with plain texts and without invalid URLs."""
    return lead.model_copy(update={name: _held(name, value) for name, value in lead})


def _held(name: str, value: object) -> object:
    if isinstance(value, tuple):
        return tuple(held for each in value if (held := _held(name, each)))
    if isinstance(value, Value):
        return value if isinstance(value, Published) else _only_text(value)
    if not isinstance(value, str) or isinstance(value, Enum):
        return value
    if name in _ADDRESSES:
        return _escaped(value.strip(), ours=False) if _may_be_followed(value.strip()) else None
    return plain(value, _MAX_SNIPPET)


def in_domains(hit: Hit, query: Query) -> bool:
    """Return True if the hit is of a domain that the query names, and of none that it excludes. Not every engine
    filters by domain. A redirect counts as its publisher's if the engine names the publisher."""
    host = str(hit.details.get("publisher_domain") or "") or host_of(hit.url)

    def among(domains: tuple[str, ...]) -> bool:
        return any(host == domain or host.endswith(f".{domain}") for domain in domains)

    wanted = _written(query.domains)
    return (not wanted or among(wanted)) and not among(_written(query.exclude_domains))


@lru_cache(maxsize=256)
def _written(domains: tuple[str, ...]) -> tuple[str, ...]:
    """Normalize all domains; unlike those sent to engines, they are not limited in number."""
    return tuple(written for domain in domains for written in hosts((domain.strip().removeprefix("www."),)))


def plain(text: str, limit: int) -> str:
    """Return the text of markup on one line (`text.markup.plain`), shortened to the limit."""
    return shorten(markup.plain(text[:_MAX_RAW]), limit)


_LIKELY = 3
"""Hits per answer whose sites' robots.txt is fetched in advance."""
_MOST_CALLS = 20
"""Maximum requests per search; an engine that makes more is in a loop."""


class Searcher:
    """Calls engines by name. Implements `kit.ports.EngineSearch`."""

    def __init__(
        self,
        engines: Mapping[str, Engine],
        door: HttpClient,
        spend: Callable[[Cost], None] | None = None,
        *,
        otherwise: Mapping[str, Engine] | None = None,
        expect: Callable[[Iterable[str]], None] = lambda urls: None,
        archive: Archive | None = None,
    ) -> None:
        """`door`: the case's view; `spend` (of a Budget) is charged with every call not served from a recording, except
        sign-ins, whose reply is a secret. `otherwise`, for a replay: engines with an optional key, created the other
        way (with or without it), used if a request was not recorded. `expect` receives the URLs of each answer's first
        hits, which are most likely to be read. `archive` stores rows of registers and the replies they come from."""
        self._engines = engines
        self._door = door
        self._spend = spend
        self._otherwise = otherwise or {}
        self._expect = expect
        self._archive = archive

    async def search(self, engine: str, query: Query) -> list[Hit]:
        """Return the engine's cleaned hits for the query. Raises EngineError, BudgetMet, NotRecorded, InputError for an
        unknown engine."""
        asked = self._engines.get(engine)
        if asked is None:
            raise InputError(
                f"There is no search engine named '{engine}'.",
                advice=f"Known here: {', '.join(sorted(self._engines)) or 'none'}.",
            )
        try:
            hits = await self._driven(asked, query)
        except NotRecorded:
            if engine not in self._otherwise:
                raise
            hits = await self._driven(self._otherwise[engine], query)
        found = tidy(hits, query)
        self._expect(hit.url for hit in found[:_LIKELY] if not hit.snapshot)
        return found

    async def _driven(self, engine: Engine, query: Query) -> list[Hit]:
        conversation: Generator[Request, Reply, list[Hit]] | None = None
        # Keys, accounts and contacts of the user, which do not affect the answer, are secrets, so that another user's
        # replay makes the same requests.
        access = engine.access
        values = (access.key, access.second_key, access.account, access.contact)
        own = [form for value in values for form in secrets(value)]

        def begun() -> Request:
            nonlocal conversation
            conversation = engine.search(query)
            return next(conversation)

        try:
            request = self._next(engine, begun)
            assert conversation is not None
            replies: list[Reply] = []
            for _ in range(_MOST_CALLS):
                if not isinstance(request, Request):
                    return [await self._kept(hit, replies, engine) for hit in request]
                declared = tuple(dict.fromkeys((*request.secrets, *own)))
                request = replace(request, secrets=declared, usd=engine.usd_per_call)
                try:
                    reply = await self._door.fetch(request, purpose=Purpose.ENGINE, label=engine.name)
                except EngineError as error:
                    # Raised inside the engine, so that it can still return the hits found before.
                    request = self._next(engine, partial(conversation.throw, error))
                    continue
                replies.append(reply)
                if self._spend is not None and not reply.recorded and not request.reply_secrets:
                    try:
                        paid = engine.usd_of(reply)
                    except MALFORMED:
                        paid = engine.usd_per_call
                    self._spend(Cost(search_calls=1, usd=paid))
                request = self._next(engine, partial(conversation.send, reply))
        finally:
            if isinstance(conversation, Generator):
                conversation.close()
        raise EngineFormat(engine.name, f"{engine.spec.title} still had no answer after {_MOST_CALLS} requests.")

    async def _kept(self, hit: Hit, replies: Sequence[Reply], engine: Engine) -> Hit:
        """Return the hit; a row of a register gets the snapshot of the document made from it."""
        if self._archive is None or hit.snapshot or not {"registry", "fields"} <= hit.details.keys():
            return hit
        kept = archived_row(hit, replies, engine.spec.terms)
        for body, snapshot in kept:
            await self._archive.put(body, snapshot)
        return hit.model_copy(update={"snapshot": kept[-1][1].hash})

    def _next(self, engine: Engine, step: Callable[[], Request]) -> Request | list[Hit]:
        """Return the engine's next request, or its hits. Only the engine's code runs here: MALFORMED errors come from
        the reply, all others are defects of the engine (perhaps a plug-in) and fail only this query."""
        try:
            request = step()
        except StopIteration as end:
            if isinstance(end.value, list) and all(isinstance(hit, Hit) for hit in end.value):
                return end.value
            raise EngineFormat(engine.name, f"{engine.spec.title} did not return a list of hits.") from None
        except InquestError:
            raise
        except MALFORMED as error:
            raise EngineFormat(engine.name, f"{engine.spec.title} did not reply in its documented format.") from error
        except (Exception, SystemExit) as error:
            defect = f"The engine for {engine.spec.title} has a defect ({type(error).__name__})."
            raise EngineFormat(engine.name, defect, advice="Report this to its developer.") from error
        if not isinstance(request, Request):
            raise EngineFormat(engine.name, f"The engine for {engine.spec.title} did not yield a request.")
        return request


_MOST_RERANKS = 20
"""Maximum requests per ranking: two thousand texts for services that take a hundred at a time."""


def label_of(reranker: str) -> str:
    """Return the name for a reranker's limits, counts and messages, distinct from an engine of the same name."""
    return f"{reranker}_reranker"


class Reranking:
    """Scores texts for one case. Implements `kit.ports.TextRanker`."""

    def __init__(
        self,
        rerankers: Sequence[Reranker],
        local: Reranker,
        door: HttpClient,
        spend: Callable[[Cost], None] | None = None,
    ) -> None:
        """`rerankers`: the one to use, or for a replay all that the case may have used; the first one recorded answers.
        `spend` (of a Budget) is charged with every call not served from a recording."""
        self._rerankers, self._local, self._door, self._spend = tuple(rerankers), local, door, spend

    @property
    def is_local(self) -> bool:
        """True if only the local ranking by words is used, which is computed anyway."""
        return all(reranker.name == self._local.name for reranker in self._rerankers)

    async def rank(self, query: str, texts: Sequence[str]) -> Reranked:
        """Return one score from 0 to 1 for each text, in order. If the service fails, `outage` has the reason and all
        scores are local ones. Raises BudgetMet, StorageError."""
        for reranker in self._rerankers if texts else ():
            try:
                return await self._driven(reranker, query, texts)
            except NotRecorded:
                continue  # a replay of a case that did not use it
        return await self._driven(self._local, query, texts)

    async def _driven(self, reranker: Reranker, query: str, texts: Sequence[str]) -> Reranked:
        asking, calls, cost = reranker.rank(query, texts), 0, Cost()
        try:
            request = next(asking)
            while True:
                if calls == _MOST_RERANKS:
                    title = reranker.spec.title
                    raise EngineUnavailable(reranker.name, f"{title} is not used for this many texts at once.")
                request = replace(request, usd=reranker.spec.usd_per_call)
                reply = await self._door.fetch(request, purpose=Purpose.ENGINE, label=label_of(reranker.name))
                calls += 1
                if not reply.recorded:
                    paid = Cost(search_calls=1, usd=reranker.spec.usd_per_call)
                    cost += paid
                    if self._spend is not None:
                        self._spend(paid)
                request = asking.send(reply)
        except StopIteration as end:
            return Reranked(end.value, reranker.name, calls, cost.usd)
        except EngineError as error:
            # Scores of the two rerankers are never mixed.
            local = await self._driven(self._local, query, texts)
            return replace(local, calls=calls, usd=cost.usd, outage=error)
        finally:
            asking.close()
