"""The JSON of a page or file as read, of the standards that claims are checked against, and of judged passages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field

from inquest.analysts.assessing import LocalJudge
from inquest.app.settings import Settings, load_settings
from inquest.app.wiring.case_services import Ratings
from inquest.app.wiring.pages import local_path, page_address, parts_in
from inquest.app.wiring.small_models import pair_reader
from inquest.domain.errors import BudgetMet, InputError, ModelError, PageError
from inquest.domain.finding import Reading
from inquest.domain.plan import Brief
from inquest.domain.value import Value
from inquest.kit.analyst import Passage
from inquest.kit.files import MARK, Part, PartProblem
from inquest.sources.standards import standard_called, standards_book
from inquest.text.blocks import blocks_of

if TYPE_CHECKING:
    from inquest.analysts.model import ModelAnalyst
    from inquest.app.wiring.resources import Resources

_OF_DOCUMENT = {
    *("title", "author", "publisher", "language", "text", "pages", "parent", "links", "text_links", "more_pages"),
    *("kind", "notes"),
}
"""Fields of a page's JSON that are copied from its document unchanged."""


class PageShape(BaseModel):
    """A page with its readable text and metadata."""

    url: str
    final_url: str
    title: str
    author: str | None
    published: str | None
    published_how: str | None = Field(description="origin of the date")
    language: str | None
    snapshot: str = Field(description="hash of the archived bytes")
    retrieved_at: str
    text: str


async def read_page(app: Resources, what: str) -> dict[str, Any]:
    """The JSON of `inquest read` (INTERFACES.md). Raises InputError, PageError."""
    path = local_path(what)
    if path is not None:
        snapshot, document = await app.pages_offline.read_file(path)
    else:
        snapshot, document = await app.pages(await app.door()).read(page_address(what))
    is_message = path is not None and document.kind in ("eml", "msg") and MARK not in what
    parts = [_part(each, what) for each in await asyncio.to_thread(parts_in, path)] if path and is_message else []
    rating = Ratings(app.settings).document(document)
    return {
        "url": what,
        "final_url": snapshot.final_url,
        **document.model_dump(mode="json", include=_OF_DOCUMENT),
        "published": document.published.iso if document.published else None,
        "published_how": document.published.how if document.published else None,
        "parts": parts,
        "blocks": [block.model_dump(mode="json", exclude_none=True) for block in blocks_of(document)],
        "tier": rating.tier,
        "rating": rating.model_dump(mode="json"),
        "snapshot": snapshot.hash,
        "retrieved_at": snapshot.retrieved_at.isoformat(),
        "provenance": snapshot.provenance,
    }


def _part(part: Part | PartProblem, of: str) -> dict[str, Any]:
    """The JSON of an attachment, with the argument that reads it."""
    if isinstance(part, PartProblem):
        return {"part": part.number, "name": part.where, "problem": part.why}
    return {
        "part": part.number,
        "name": part.where,
        "content_type": part.content_type,
        "size": len(part.body),
        "read": f"{of}{MARK}{part.number}",
    }


def standards_json(name: str | None = None) -> list[dict[str, Any]]:
    """All standards, or those that a name may mean, with rules and sources. Raises InputError for an unknown name."""
    found = standards_book() if name is None else standard_called(name)
    if not found:
        raise InputError(f"There is no standard called '{name}'.", advice="`inquest standards` lists them all.")
    return [standard.model_dump(mode="json") for standard in found]


class SourceAnalysis(Value):
    """The analysis of a page named by the user (spec 004, `analyze_source_tool`)."""

    url: str
    title: str = ""
    content_summary: str = ""
    """At most 500 characters, verbatim from the page."""
    key_claims: tuple[str, ...] = ()
    domain: str
    credibility_score: int = 0
    """1 to 5; 0: not readable."""
    is_user_provided: bool = True
    is_reachable: bool
    error: str | None = None
    snapshot: str | None = None


async def analyse_source(app: Resources, url: str) -> SourceAnalysis:
    """Read and analyse a page; for one that cannot be read the result has the reason. Raises InputError."""
    from inquest.analysts.local import LocalAnalyst
    from inquest.app.wiring.case_services import rate_urls
    from inquest.text.sentences import shorten

    (rated,) = rate_urls([url], app.settings)
    try:
        _, document = await app.pages(await app.door()).read(url)
    except PageError as error:
        return SourceAnalysis(url=url, domain=rated["domain"], is_reachable=False, error=error.sentence)
    reading = await LocalAnalyst(app.reader, app.encoder).read(Brief(text=document.title or url), "", document)
    return SourceAnalysis(
        url=url,
        title=document.title,
        content_summary=shorten(reading.summary, 500),
        key_claims=tuple(each.text for each in reading.key_claims),
        domain=rated["domain"],
        credibility_score=rated["stars"],
        is_reachable=True,
        snapshot=document.snapshot,
    )


_AT_ONCE = 256
"""Lines judged together: enough for every core, few enough for early results."""
_CALLS_AT_ONCE = 8
Note = Callable[[str], None]
"""Called once for each reason why a model could not be used, with a sentence that names the replacement."""


class PairJudge:
    """Judges (claim, passage) pairs. Created by `pair_judge`."""

    def __init__(self, local: LocalJudge, model: ModelAnalyst | None, note: Note) -> None:
        self._local = local
        self._model = model
        self._note = note
        self._noted: set[str] = set()
        self._calls = asyncio.Semaphore(_CALLS_AT_ONCE)

    async def pairs(self, pairs: Sequence[tuple[str, str]]) -> list[Reading]:
        """Return one judgement per pair, in order. Raises InputError for an empty claim or passage."""
        if not all(claim.strip() and passage.strip() for claim, passage in pairs):
            raise InputError("The claim and the passage must both have text.")
        by_model = await asyncio.gather(*(self._by_model(*pair) for pair in pairs))
        left = [pair for pair, judged in zip(pairs, by_model, strict=True) if judged is None]
        by_rule = iter(await asyncio.to_thread(self._local.pairs, left) if left else ())
        if self._local.outage is not None:
            self._say(f"{self._local.outage} The rules judge alone.")
        return [judged if judged is not None else next(by_rule) for judged in by_model]

    async def _by_model(self, claim: str, passage: str) -> Reading | None:
        """None: there is no model, or it failed, which is noted."""
        if self._model is None:
            return None
        try:
            async with self._calls:
                (judged,) = await self._model.assess(claim, [Passage(id="1", source_id="", snapshot="", text=passage)])
        except (ModelError, BudgetMet) as error:
            self._say(f"{error.sentence} The local judge answers instead.")
            return None
        return judged

    def _say(self, why: str) -> None:
        if why not in self._noted:
            self._noted.add(why)
            self._note(why)


@asynccontextmanager
async def pair_judge(settings: Settings | None = None, *, note: Note) -> AsyncIterator[PairJudge]:
    """The judge of the settings: INQUEST_MODEL_ASSESS, INQUEST_MODEL, or the local one. Raises SettingError."""
    settings = settings or load_settings()
    local = LocalJudge(pair_reader(settings))
    if settings.model_for("assess") is None:
        yield PairJudge(local, None, note)
        return
    from inquest.analysts.local import LocalAnalyst
    from inquest.app.wiring.model_services import model_analyst
    from inquest.app.wiring.resources import open_resources
    from inquest.retrieval.budget import CaseBudget

    only_assess = settings.model_copy(update={"model_fact_check": None})
    async with open_resources(settings) as app:
        budget = CaseBudget(usd=settings.budget_usd, seconds=settings.deadline_seconds)
        door = (await app.door()).for_case(None, budget)
        analyst = model_analyst(only_assess, door, budget, LocalAnalyst(app.reader, None))
        yield PairJudge(local, analyst, note)


class Judgement(BaseModel):
    """The stance of a passage on a claim; `passage[start:end] == quote`."""

    stance: Literal["supports", "contradicts", "neutral", "unassessed"]
    confidence: float = Field(description="0 to 1")
    contradiction_type: Literal["direct", "contextual", "omission", "timeline"] | None
    quote: str = Field(description="the words of the passage on which it is based")
    start: int
    end: int
    reasons: list[str]
    reason_codes: list[dict[str, Any]] = Field(description="the same reasons as codes with their data")
    judged_without: str = Field(description="why a model could not judge, and the analyst that replaced it")


async def judged_pair(settings: Settings, claim: str, passage: str) -> dict[str, Any]:
    """The fields of `Judgement` on one pair. Raises InputError, SettingError."""
    why: list[str] = []
    async with pair_judge(settings, note=why.append) as judge:
        (judged,) = await judge.pairs([(claim, passage)])
    return judgement_json(judged) | {"judged_without": " ".join(why)}


async def judge_pairs(judge: PairJudge, lines: Iterable[Mapping[str, Any]]) -> AsyncIterator[dict[str, Any]]:
    """Yield one judgement per line, with the line's `id` or number. Raises InputError, after the lines before."""
    numbered = enumerate(lines, 1)
    wrong: InputError | None = None
    while wrong is None:
        good: list[tuple[object, str, str]] = []
        try:
            for number, line in islice(numbered, _AT_ONCE):
                claim, passage = line.get("claim"), line.get("passage")
                if not isinstance(claim, str) or not isinstance(passage, str):
                    raise InputError(f"Line {number} has no `claim` and `passage` of text.")
                if not claim.strip() or not passage.strip():
                    raise InputError(f"Line {number} has an empty claim or passage.")
                good.append((line.get("id", number), claim, passage))
        except InputError as error:
            wrong = error
        if not good and wrong is None:
            return
        judgements = await judge.pairs([(claim, passage) for _, claim, passage in good])
        for (name, _, _), judged in zip(good, judgements, strict=True):
            yield {"id": name} | judgement_json(judged)
    raise wrong


def judgement_json(judged: Reading) -> dict[str, Any]:
    """The JSON of a judgement."""
    shown = {"stance", "confidence", "contradiction_type", "quote", "start", "end", "reasons", "reason_codes"}
    return judged.model_dump(mode="json", include=shown) | {"confidence": round(judged.confidence, 4)}
