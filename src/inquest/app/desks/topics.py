"""Topics: adding them, finding candidates for an investigation, and the use cases behind the three endpoints of the
verification desk (start an investigation, get its state, list candidates), with the specification's JSON shapes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from inquest.app.cases.topic_records import Run, carry_out, investigations_of, topic_number, topics_of
from inquest.app.desks.topic_input import GivenTopic, given_topic, topic_rows
from inquest.app.files import is_there
from inquest.app.tools.reading import read_page
from inquest.app.wiring.pages import local_path, page_address
from inquest.domain.errors import InputError, PageError
from inquest.domain.investigation import Investigation
from inquest.domain.reasons import sentences
from inquest.domain.topic import Priority, Topic
from inquest.kit.files import endings, split_part
from inquest.text.dates import utc
from inquest.text.urls import is_web_url, with_scheme
from inquest.verdicts.levels import AGAIN_AFTER, Due, due, why_not_investigated

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

USUAL_TIME = timedelta(minutes=5)
"""The usual maximum duration of an investigation (spec 001: 2 to 5 minutes)."""
MOST_CANDIDATES = 1_000
_RANK = {Priority.HIGH: 0, Priority.NORMAL: 1, Priority.LOW: 2}


@dataclass
class AddedTopics:
    """The result of adding topics."""

    added: list[Topic] = field(default_factory=list)
    known: list[Topic] = field(default_factory=list)
    """Stored before, unchanged."""
    refused: list[tuple[str, str]] = field(default_factory=list)
    """Locations of rows, each with the reason."""
    notes: list[tuple[str, str]] = field(default_factory=list)
    """Locations of rows, each with a note on missing or ignored fields."""

    def keep(self, where: str, given: GivenTopic, topic: Topic, is_new: bool) -> None:
        """Record a topic that was added or already known."""
        (self.added if is_new else self.known).append(topic)
        if is_new:
            self.notes += [(where, note) for note in given.notes]

    @property
    def json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "added": [topic_json(each) for each in self.added],
            "known": [topic_json(each) for each in self.known],
            "refused": [{"where": where, "why": why} for where, why in self.refused],
            "notes": [{"where": where, "note": note} for where, note in self.notes],
        }


async def add_topics(app: Resources, what: str, *, priority: str | None = None) -> AddedTopics:
    """Add the topics of a file (.json, .jsonl, .csv), or the topic of a URL's page. Unusable rows are refused one by
    one. Raises InputError if nothing can be used, PageError if the page cannot be read, StorageError."""
    wanted = _priority(priority)
    found = AddedTopics()
    path = local_path(what)
    if path is None:
        given = await topic_from_url(app, what, priority=wanted)
        found.keep(what, given, *await (await topics_of(app)).add(given.topic))
        return found
    store = await topics_of(app)
    found = await add_rows(app, topic_rows(path), lambda topic: store.add(topic), priority=wanted)
    if found == AddedTopics():
        raise InputError(f"There is no topic in {path}.", advice="Each needs a title, or a URL.")
    return found


async def add_rows(
    app: Resources,
    rows: Iterable[tuple[str, Any]],
    add: Callable[[Topic], Awaitable[tuple[Topic, bool]]],
    *,
    priority: Priority | None = None,
) -> AddedTopics:
    """Add rows, each with its location; unusable rows are refused one by one. `add` stores a topic and returns it with
    True if it is new."""
    found = AddedTopics()
    for where, row in rows:
        try:
            if isinstance(row, InputError):
                raise row
            given = given_topic(row, now=app.clock.now(), priority=priority)
            if not given.topic.title:
                page = (await topic_from_url(app, given.topic.url or "")).topic
                missing = {"title": page.title} | ({} if given.topic.text else {"text": page.text})
                given = GivenTopic(given.topic.model_copy(update=missing), given.notes)
        except InputError as error:
            found.refused.append((where, error.sentence))
        except PageError as error:
            found.refused.append((where, f"It has no title, and none could be read from its URL. {error.sentence}"))
        else:
            found.keep(where, given, *await add(given.topic))
    return found


async def topic_from_url(app: Resources, url: str, *, priority: Priority | None = None) -> GivenTopic:
    """Return the topic of a page, from its title, text and date. Raises InputError for an invalid URL or a page without
    a title, PageError."""
    address = page_address(url)
    try:
        page = await read_page(app, address)
    except PageError as error:
        own = "If the page cannot be read, write the topic into a file: title, url, date, text."
        error.advice = f"{error.advice} {own}".strip()
        raise
    row = {"title": page["title"], "url": page["final_url"], "text": page["text"], "date": page["published"]}
    given = given_topic(row, now=app.clock.now(), priority=priority)
    if not given.topic.title:
        raise InputError(f"The page {address} has no title.", advice="Give it in a file: title, url, date, text.")
    return given


async def topic_from_text(app: Resources, path: Path, *, priority: Priority | None = None) -> GivenTopic:
    """Return the topic of a text whose first line is the title. Raises InputError, PageError (no readable text)."""
    _, document = await app.pages_offline.read_file(path)
    text = document.text
    if document.kind in ("eml", "msg") and document.title:  # the title of a message is its subject, not its first line
        text = f"{document.title}\n{text}"
    title, _, rest = text.strip().partition("\n")
    row = {"title": title.lstrip("# ").strip(), "text": rest.strip()}
    return given_topic(row, now=app.clock.now(), priority=priority)


async def kept_topic(
    app: Resources, what: str, *, priority: str | None = None, on_note: Callable[[str], object] | None = None
) -> Topic:
    """Return the topic with this number, or the one of a URL or file, added if missing. `on_note` is called with the
    page being read, and with notes on missing or ignored fields. Raises InputError, NotFound, PageError,
    StorageError."""
    notify = on_note or (lambda note: None)
    wanted = _priority(priority)
    if not what.strip():
        raise InputError("Missing topic.", advice="Give a URL, a file with one topic, or a stored topic's number.")
    if (number := topic_number(what)) is not None:
        return await (await topics_of(app)).get(number)
    path = local_path(what)
    if path is not None and " " in what.strip() and not is_there(path):
        raise InputError(
            f"Invalid topic '{what}': expected a file, a URL or a topic's number.",
            advice='Write a headline into a file: {"title": "...", "discovery_date": "..."}.',
        )
    if path is not None and split_part(str(path))[0].suffix.lower() in endings("one", "parts"):
        given = await topic_from_text(app, path, priority=wanted)
        topic, is_new = await (await topics_of(app)).add(given.topic)
        for note in given.notes if is_new else ():
            notify(note)
        return topic
    if path is None and is_web_url(with_scheme(what)):
        # The page of a known topic is not read: it may be gone.
        known = await (await topics_of(app)).find(Topic(title="", url=with_scheme(what)))
        if known is not None:
            return known
        notify(f"Reading {with_scheme(what)} for its title, text and date.")
    found = await add_topics(app, what, priority=priority)
    topics = [*found.added, *found.known]
    if not topics:
        raise InputError(f"{what} has no topic that can be used: {found.refused[0][1]}")
    if len(topics) > 1:
        raise InputError(
            f"{what} contains {len(topics)} topics.", advice="Choose one by its number: `inquest topics list`."
        )
    for _, note in found.notes:
        notify(note)
    return topics[0]


async def list_topics(app: Resources, seen: Container[int | None] | None = None) -> list[Topic]:
    """Return all topics, or those with the numbers `seen`, oldest first. Raises StorageError."""
    return [each for each in await (await topics_of(app)).list() if seen is None or each.id in seen]


async def candidates(app: Resources, *, limit: int = 20, seen: Container[int | None] | None = None) -> CandidatesFound:
    """GET /api/investigations/candidates: topics (of those `seen`) that call for an investigation, most urgent and
    newsworthy first; `due_again`: those to be investigated once more; `left_out`: all others, with the trigger rules
    that they do not meet. Raises InputError, StorageError."""
    if not 1 <= limit <= MOST_CANDIDATES:
        raise InputError(f"Invalid limit {limit}: expected a number from 1 to {MOST_CANDIDATES}.")
    now = app.clock.now()
    wanted: list[Topic] = []
    left_out: list[CandidateLeftOut] = []
    again: list[CandidateAgain] = []
    for topic in await list_topics(app, seen):
        why_not = why_not_investigated(topic)
        if not why_not:
            wanted.append(topic)
            continue
        state = await _due(app, topic)
        if state is not None and state.due:
            again.append({**_candidate(topic), "reason": state.reason})
        else:
            at = state.next_at.isoformat() if state and state.next_at and state.next_at > now else None
            left_out.append({**_candidate(topic), "reasons": list(sentences(why_not)), "next_at": at})
    wanted.sort(key=lambda each: (_RANK[each.priority], -each.newsworthiness_score, each.id or 0))
    return {
        "topics": [_candidate(topic) for topic in wanted[:limit]],
        "total": len(wanted),
        "due_again": again[:limit],
        "left_out": left_out,
    }


async def start_investigation(
    app: Resources,
    body: Mapping[str, Any],
    run: Run,
    *,
    background: Callable[[Coroutine[Any, Any, Investigation]], object] | None = None,
    again: bool = False,
) -> InvestigationBegun:
    """POST /api/investigations/: begin the investigation of a stored topic. `body`: `topic_id`, optionally `priority`.
    `run` carries it out; `background` schedules the work (like a task group's `create_task`; the task raises as
    `carry_out`), without it the answer waits for the result. `again`: even if the trigger rules say no. Raises
    InputError for an invalid body or if the triggers say no, NotFound, Busy, StorageError."""
    topic_id = body.get("topic_id")
    if isinstance(topic_id, bool) or not isinstance(topic_id, int):
        raise InputError("Invalid topic_id: expected a whole number.", advice="`inquest topics list` shows them.")
    unknown = sorted(set(body) - {"topic_id", "priority"})
    if unknown:
        raise InputError(f"The request has a field that does not exist: {unknown[0]}.")
    wanted = body.get("priority")
    if wanted is not None and not isinstance(wanted, str):
        raise InputError("Invalid priority: expected high, normal or low.")
    topic = await (await topics_of(app)).get(topic_id)
    why_not = () if again else why_not_investigated(topic)
    if why_not:
        state = await _due(app, topic)
        if state is None or not state.due:
            raise InputError(
                f"Topic {topic_id} does not need an investigation. {' '.join(sentences(why_not))}",
                advice="To investigate it anyway, add again=true.",
            )
    now = app.clock.now()
    begun = await (await investigations_of(app)).start(
        topic_id, at=now, priority=_priority(wanted) or topic.priority, estimated=now + USUAL_TIME
    )
    work = carry_out(app, begun, run)
    if background is None:
        begun = await work
    else:
        background(work)
    return {
        "investigation_id": begun.id,
        "status": begun.status.value,
        "estimated_completion": (
            utc(begun.estimated_completion).isoformat().replace("+00:00", "Z") if begun.estimated_completion else None
        ),
    }


def investigation_json(found: Investigation) -> dict[str, Any]:
    """GET /api/investigations/ID: the specification's keys, then all other fields."""
    rest = found.model_dump(mode="json", exclude={"id", "topic_id", "status", "sources_found"})
    return {
        "id": found.id,
        "topic_id": found.topic_id,
        "status": found.status.value,
        "sources_found": found.sources_found,
        "verification_upgraded": found.upgraded,
        "new_verification_level": found.verification_level_after.value,
        **rest,
    }


def topic_json(topic: Topic) -> dict[str, Any]:
    """Return a topic as JSON."""
    rest = topic.model_dump(mode="json", exclude={"id", "title"})
    return {"topic_id": topic.id, "title": topic.title, **rest}


def _candidate(topic: Topic) -> Candidate:
    return {
        "topic_id": topic.id,
        "title": topic.title,
        "current_verification": topic.verification_status.value,
        "source_count": topic.source_count or 0,
        "newsworthiness_score": topic.newsworthiness_score,
        "priority": topic.priority.value,
    }


async def _due(app: Resources, topic: Topic) -> Due | None:
    """Return when an investigated topic is due again; None: never investigated."""
    if not topic.investigated or topic.id is None:
        return None
    kept = await (await investigations_of(app)).of_topic(topic.id)
    known = [source.url for each in kept[:1] for source in each.sources]
    fresh = await (await topics_of(app)).new_pages(topic, known) if kept else []
    return due(topic, app.clock.now(), after=AGAIN_AFTER, new_evidence=fresh)


def _priority(word: str | None) -> Priority | None:
    if word is None:
        return None
    try:
        return Priority(word.strip().lower())
    except ValueError as error:
        raise InputError(f"Invalid priority '{word}': expected high, normal or low.") from error


class InvestigationBegun(TypedDict):
    """POST /investigations."""

    investigation_id: int
    status: str
    estimated_completion: str | None
    """The usual time of completion, in UTC."""


class Candidate(TypedDict):
    """A topic in the list of candidates."""

    topic_id: int | None
    title: str
    current_verification: str
    source_count: int
    newsworthiness_score: float
    priority: str


class CandidateAgain(Candidate):
    """A topic that is due for another investigation."""

    reason: str


class CandidateLeftOut(Candidate):
    """A topic that calls for no investigation."""

    reasons: list[str]
    """The trigger rules that it does not meet, as sentences."""
    next_at: str | None
    """The latest time at which it is due again; None: not by time alone."""


class CandidatesFound(TypedDict):
    """GET /candidates; `topics` is the specification's."""

    topics: list[Candidate]
    total: int
    due_again: list[CandidateAgain]
    left_out: list[CandidateLeftOut]
