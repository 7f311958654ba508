"""Web search for programs and models: the engines of the settings, queried in turn or all at once.

The HTTP client applies quotas, retries, timeouts and the 24 h cache. Hits are not evidence before they are read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, ValidationError, field_validator

from inquest.app.invalid import fault_of
from inquest.app.wiring.case_services import Ratings
from inquest.domain.document import Document
from inquest.domain.errors import EngineError, InputError, SearchError, SettingError
from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.value import Value
from inquest.kit.engine import Engine
from inquest.sources.ranking import rank_hits
from inquest.sources.source_types import SOURCE_TYPES, known_type, source_type_of
from inquest.sources.source_worth import worth_of
from inquest.text.regex import regex
from inquest.text.sentences import shorten
from inquest.text.urls import host_of

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

TIME_RANGES = {"day": 1, "week": 7, "month": 31, "year": 366, "all": 0}
"""Days back from now; 0: unlimited."""
_LOWER = BeforeValidator(lambda value: value.strip().lower() if isinstance(value, str) else value)
_MOST_RESULTS = 50
_HOST = regex(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)+")


class SearchArguments(Value, defer_build=False):
    """The arguments of `search_web` (spec 000 §1.3, 002 §4.1)."""

    query: str = Field(
        max_length=2_000,
        description="What to look for, as words for a search engine.",
        examples=["Tarn Bridge works dust limit"],
    )
    max_results: int = Field(
        default=10, ge=1, le=_MOST_RESULTS, description="Maximum results to return, 1 to 50; 10 unless given."
    )
    include_domains: tuple[str, ...] = Field(
        default=(), description='Only results of these domains, such as ["reuters.com", "sec.gov"].'
    )
    exclude_domains: tuple[str, ...] = Field(default=(), description="No results of these domains.")
    time_range: Annotated[Literal["day", "week", "month", "year", "all"], _LOWER] = Field(
        default="all",
        description="How far back results may go; 'all' unless given. Undated ones are kept and marked.",
    )
    search_depth: Annotated[Literal["basic", "advanced"], _LOWER] = Field(
        default="basic",
        description="'basic' asks one engine, 'advanced' all that fit, merged by relevance and credibility.",
    )
    source_types: tuple[str, ...] = Field(
        default=(),
        description="Kinds of source wanted: news, press_release, company, academic, research, benchmark, standard, "
        "government, regulatory, filing, fact_check, social, reference, ngo, web, own. Any unless given.",
    )

    @field_validator("query")
    @classmethod
    def _something_to_look_for(cls, query: str) -> str:
        words = " ".join(query.split())
        if not words:
            raise ValueError("it is empty")
        return words

    @field_validator("include_domains", "exclude_domains", "source_types", mode="before")
    @classmethod
    def _a_list(cls, value: Any) -> Any:
        """Split a string: models often write names separated by commas instead of a list."""
        return [part for part in value.split(",") if part.strip()] if isinstance(value, str) else value

    @field_validator("include_domains", "exclude_domains")
    @classmethod
    def _hosts(cls, domains: tuple[str, ...]) -> tuple[str, ...]:
        hosts = {domain: host_of(domain).removeprefix("www.") for domain in domains}
        for domain, host in hosts.items():
            if not _HOST.fullmatch(host):
                raise ValueError(f"'{domain}' is not a domain; write it like reuters.com")
        return tuple(dict.fromkeys(hosts.values()))

    @field_validator("source_types")
    @classmethod
    def _known_types(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        known = {word: known_type(word) for word in words}
        for word, name in known.items():
            if name is None:
                raise ValueError(f"invalid value '{word}': expected one of {', '.join(SOURCE_TYPES)}")
        return tuple(dict.fromkeys(name for name in known.values() if name))


def search_arguments(given: Mapping[str, Any]) -> SearchArguments:
    """Validate the arguments; None counts as not given. Raises InputError."""
    try:
        return SearchArguments.model_validate({name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        name = shorten(" ".join(str(first["loc"][0]).split()), 40) if first["loc"] else "query"
        # One line of limited length, because it repeats the input.
        why = shorten("".join(char for char in fault_of(first) if char.isprintable()), 250)
        raise InputError(
            f"Invalid search argument {name}: {why}.",
            advice=f"Arguments: {', '.join(SearchArguments.model_fields)}.",
        ) from error


_USUAL = ("tavily", "brave", "serpapi", "exa", "serper", "google", "searxng", "jina", "duckduckgo", "google_news",
          "openalex", "crossref", "semantic_scholar")  # fmt: skip
"""The default order of engines: first those of requirement N2."""
_IN_TURN = 5
"""Maximum engines tried in one basic search."""
_MOST_ASKED_FOR = 50
_NOT_BY_WORDS = {EngineKind.OWN, EngineKind.ARCHIVE, EngineKind.MARKET, EngineKind.REGISTRY}
"""Engines with queries of their own kind: own documents, captures of a URL, figures of a company."""


async def search_web(app: Resources, arguments: SearchArguments) -> dict[str, Any]:
    """Return the results in the form of spec 000 §1.3, with type and tier of each source (spec 002 §4.2). `notes`:
    engines that failed, and results left out. Raises SearchError if no engine answered."""
    await app.collections.refresh()
    question = _Question(app, arguments)
    ready = question.ready()
    if not ready:
        raise SearchError(
            f"No search engine is ready for this search: {question.lacking()}.",
            advice="Set its key, or name others with INQUEST_ENGINES; `inquest engines` shows them.",
        )
    answers = await _answers(question, ready)
    if not answers.asked:
        raise SearchError(
            f"No search engine answered: {' '.join(answers.notes)}",
            advice="Check the network and the keys, then try again.",
        )
    return question.reported(answers)


class _Answers(NamedTuple):
    """Hits with their scores, the engines that answered, and notes on failures."""

    hits: list[tuple[Hit, float | None]]
    asked: list[str]
    notes: list[str]


class _Question:
    """The search in the engines' terms, and the form of its results."""

    def __init__(self, app: Resources, arguments: SearchArguments) -> None:
        self.app, self.arguments = app, arguments
        self._types = [SOURCE_TYPES[name] for name in arguments.source_types]
        kinds = [kind for each in self._types for kind in each.kinds] or [EngineKind.WEB, EngineKind.NEWS]
        self.kinds = tuple(dict.fromkeys(kinds))
        days = TIME_RANGES[arguments.time_range]
        self.since = app.clock.now() - timedelta(days=days) if days else None
        self.engines = self._engines()
        self.ratings = Ratings(app.settings)

    def _engines(self) -> Mapping[str, Engine]:
        """Return the suitable engines in the order of use."""
        named, known = self.app.settings.engines, self.app.engines
        for name in named:
            if name.lower() not in known:
                raise SettingError(
                    f"INQUEST_ENGINES names '{name}', which does not exist.",
                    advice=f"Engines: {', '.join(sorted(known))}.",
                )
        fit = {name: known[name] for name in dict.fromkeys(each.lower() for each in named or known)}
        fit = {name: engine for name, engine in fit.items() if self._fits(name, engine)}
        if EngineKind.OWN in self.kinds:
            collections = {"collections": tuple(self.app.collections.names())}
            own = {name: engine for name, engine in known.items() if EngineKind.OWN in engine.spec.kinds}
            fit |= {name: type(each)(each.access.model_copy(update=collections)) for name, each in own.items()}
        return fit if named else dict(sorted(fit.items(), key=lambda item: self._place(*item)))

    def _fits(self, name: str, engine: Engine) -> bool:
        if not self._types:
            # Engines named by the user are suitable, unless they cannot be searched by words.
            wanted = set(EngineKind) - _NOT_BY_WORDS if self.app.settings.engines else set(self.kinds)
            return bool(wanted & set(engine.spec.kinds))
        return any(
            set(each.kinds) & set(engine.spec.kinds) and (not each.engines or name in each.engines)
            for each in self._types
        )

    def _place(self, name: str, engine: Engine) -> tuple[bool, bool, int, str]:
        """Return the sort key: engines that filter by domain come first, because few hits of others would remain."""
        filters = engine.spec.filters_domains or not self.arguments.include_domains
        own = EngineKind.OWN in engine.spec.kinds
        return (not own, not filters, _USUAL.index(name) if name in _USUAL else len(_USUAL), name)

    def _lacks(self, engine: Engine) -> str | None:
        if EngineKind.OWN in engine.spec.kinds and not engine.access.collections:
            return "has no collection: add one with `inquest collection add`"
        return engine.lacks()

    def ready(self) -> dict[str, Engine]:
        return {name: engine for name, engine in self.engines.items() if not self._lacks(engine)}

    def lacking(self) -> str:
        lacks = [f"{name} {self._lacks(engine)}" for name, engine in self.engines.items()]
        return "; ".join(lacks) or f"INQUEST_ENGINES names none that searches {' or '.join(self.kinds)}"

    def query(self) -> Query:
        """Return the query in neutral form. Time counts from the start of a day, which keeps it cacheable."""
        asked, since = self.arguments, self.since
        filtered = asked.include_domains or asked.exclude_domains or since or asked.source_types
        return Query(
            text=asked.query,
            kinds=self.kinds if self._types else (),
            since=datetime.combine(since.date(), time.min, since.tzinfo) if since else None,
            domains=asked.include_domains,
            exclude_domains=asked.exclude_domains,
            # Extra hits make up for those filtered out afterwards.
            limit=min(_MOST_ASKED_FOR, asked.max_results * (2 if filtered else 1)),
        )

    def reported(self, answers: _Answers) -> dict[str, Any]:
        """Return the reply as JSON."""
        from inquest.kit.engine import in_time

        fits = frozenset().union(*(each.fits for each in self._types), ("web",)) if self._types else None
        results, old, others = [], 0, 0
        for hit, score in answers.hits:
            if not in_time(hit, self.since, None):
                old += 1
                continue
            publisher = str(hit.details.get("publisher_domain") or "")  # for a redirect, its target's publisher
            url = f"https://{publisher}/" if publisher else hit.url
            document = Document(snapshot="", url=url, title=hit.title, author=hit.author, text=hit.snippet)
            rating = worth_of(self.ratings.document(document), hit.work).rating
            engine = self.engines[hit.engine].spec.kinds if hit.engine in self.engines else ()
            asked = [kind for kind in self.kinds if kind in engine] if self._types else engine
            published = hit.published.iso if hit.published else None
            result = {
                "title": hit.title,
                "url": hit.url,
                "snippet": hit.snippet,
                "published_date": published,
                "source_domain": host_of(url).removeprefix("www."),
                "relevance_score": score,
                "source_type": source_type_of(hit, rating, asked),
                "publication_date": published,
                "credibility_tier": rating.tier,
                "undated": published is None,
                "engine": hit.engine,
            }
            if fits is not None and result["source_type"] not in fits:
                others += 1
                continue
            results.append(result)
        notes = list(answers.notes)
        if old:
            notes.append(f"Left out {old} published before the time asked for.")
        if others:
            notes.append(f"Left out {others} of other kinds than {', '.join(self.arguments.source_types)}.")
        results = results[: self.arguments.max_results]
        return {
            "results": results,
            "total_results": len(results),
            "query": self.arguments.query,
            "search_provider": ", ".join(answers.asked),
            "notes": notes,
        }


async def _answers(question: _Question, ready: Mapping[str, Engine]) -> _Answers:
    """The hits of the first engine that answers, or of an advanced search of all, each document once and ranked."""
    from inquest.net.searcher import Searcher

    searcher, query = Searcher(ready, (await question.app.door()).for_case(None)), question.query()
    found: dict[str, list[Hit]] = {}
    notes: list[str] = []

    async def ask(name: str) -> None:
        try:
            found[name] = await searcher.search(name, query)
        except EngineError as error:
            notes.append(f"{name}: {error}")

    if question.arguments.search_depth == "advanced":
        await asyncio.gather(*map(ask, ready))
        asked = [name for name in ready if name in found]
        hits = [hit for name in asked for hit in found[name]]
        ranked = rank_hits(hits, topic=question.arguments.query, rate=question.ratings.publisher)
        return _Answers([(lead.hit, round(lead.relevance, 4)) for lead in ranked], asked, sorted(notes))
    for name in list(ready)[:_IN_TURN]:
        await ask(name)
        if name in found:
            break
    # The engine's own score, if it has the requested scale.
    hits = [hit for each in found.values() for hit in each]
    scored = [(hit, hit.score if hit.score is not None and 0 <= hit.score <= 1 else None) for hit in hits]
    return _Answers(scored, list(found), notes)
