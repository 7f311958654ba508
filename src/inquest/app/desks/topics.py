"""Topics: taking them in, which of them call for an investigation, and the use cases behind the three endpoints of the
verification desk (start an investigation, ask for its state, list candidates), with the specification's JSON shapes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from inquest.app.cases.topic_records import Run, carry_out, investigations_of, topic_number, topics_of
from inquest.app.desks.topic_input import GivenTopic, given_topic, topic_rows
from inquest.app.tools.reading import read_page
from inquest.app.wiring.pages import is_there, local_path
from inquest.domain.errors import InputError, PageError
from inquest.domain.reasons import Reason, sentences
from inquest.domain.topic import Priority, Topic
from inquest.domain.topic_history import Investigation
from inquest.kit.file_kinds import endings
from inquest.kit.parts import split_part
from inquest.stories.topic_after import AGAIN_AFTER, Due, due
from inquest.text.dates import utc
from inquest.text.urls import is_web_url, with_scheme
from inquest.verdicts.levels import why_not_investigated

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

USUAL_TIME = timedelta(minutes=5)
"""What an investigation takes at most, as a rule (spec 001: 2 to 5 minutes)."""

MOST_CANDIDATES = 1_000
_RANK = {Priority.HIGH: 0, Priority.NORMAL: 1, Priority.LOW: 2}


@dataclass
class AddedTopics:
    """What became of the topics that were handed in."""

    added: list[Topic] = field(default_factory=list)
    known: list[Topic] = field(default_factory=list)
    """There already; they stay as they are."""
    refused: list[tuple[str, str]] = field(default_factory=list)
    """Its row, and why it was not taken."""
    notes: list[tuple[str, str]] = field(default_factory=list)
    """What a topic lacks, and what of it was not taken: where, and in words."""

    def keep(self, where: str, given: GivenTopic, topic: Topic, is_new: bool) -> None:
        """Count a topic that was taken."""
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
    """Take in the topics of a file (.json, .jsonl, .csv), or the one that a URL's page is about. What cannot be used is
    refused row by row. Raises InputError where nothing at all can be used; PageError where the page of a URL cannot be
    read; StorageError."""
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
    """Take in rows, each with its place; what cannot be used is refused row by row. `add` keeps a topic and says
    whether it is new."""
    found = AddedTopics()
    for where, row in rows:
        try:
            if isinstance(row, InputError):
                raise row
            given = given_topic(row, now=app.clock.now(), priority=priority)
            if not given.has_title:
                given = await _titled(app, given)
        except InputError as error:
            found.refused.append((where, error.sentence))
        except PageError as error:
            found.refused.append((where, f"It has no title, and none could be read from its URL. {error.sentence}"))
        else:
            found.keep(where, given, *await add(given.topic))
    return found


async def topic_from_url(app: Resources, url: str, *, priority: Priority | None = None) -> GivenTopic:
    """The topic that a page is about: its title, text and date. Raises InputError where it is no web address or the
    page has no title, PageError where it cannot be read."""
    address = with_scheme(url)
    if not is_web_url(address):
        raise InputError(f"'{url}' is neither a file nor a web address.", advice="Check its spelling.")
    try:
        page = await read_page(app, address)
    except PageError as error:
        own = "Where the page cannot be had, write the topic into a file: title, url, date, text."
        error.advice = f"{error.advice} {own}".strip()
        raise
    row = {
        "title": page["title"],
        "url": page["final_url"],
        "text": page["text"],
        "date": page["published"],
    }
    given = given_topic(row, now=app.clock.now(), priority=priority)
    if not given.has_title:
        raise InputError(f"The page {address} has no title.", advice="Give it in a file: title, url, date, text.")
    return given


async def topic_from_text(app: Resources, path: Path, *, priority: Priority | None = None) -> GivenTopic:
    """The topic of a plain text: its first line is the title. Raises InputError, PageError (no readable text)."""
    _, document = await app.pages_offline.read_file(path)
    text = document.text
    if document.kind in ("eml", "msg") and document.title:  # the title of a message is its subject, not its first line
        text = f"{document.title}\n{text}"
    title, _, rest = text.strip().partition("\n")
    row = {"title": title.lstrip("# ").strip(), "text": rest.strip()}
    return given_topic(row, now=app.clock.now(), priority=priority)


MOST_OF_A_SHORTCUT = 10_000
"""Characters of a file in which an address is looked for."""


async def kept_topic(
    app: Resources, what: str, *, priority: str | None = None, on_note: Callable[[str], object] | None = None
) -> Topic:
    """The one topic that is meant: by its number, or by a URL or file (of one topic), which is added where it is not
    there yet. `on_note` is given which page is being read, what one that is added lacks, and what of it was not taken.
    Raises InputError, NotFound, PageError, StorageError."""
    tell = on_note or (lambda note: None)
    wanted = _priority(priority)
    if not what.strip():
        raise InputError("No topic is named.", advice="Give a URL, a file with one topic, or a kept topic's number.")
    if (number := topic_number(what)) is not None:
        return await (await topics_of(app)).get(number)
    path = local_path(what)
    if path is not None and " " in what.strip() and not is_there(path):
        raise InputError(
            f"'{what}' is no file, no URL and no topic's number.",
            advice='Write a headline into a file: {"title": "...", "discovery_date": "..."}.',
        )
    if path is not None and (address := _address_in(path)):
        what, path = address, None
    if path is not None and split_part(str(path))[0].suffix.lower() in endings("one", "parts"):
        given = await topic_from_text(app, path, priority=wanted)
        topic, is_new = await (await topics_of(app)).add(given.topic)
        for note in given.notes if is_new else ():
            tell(note)
        return topic
    if path is None and is_web_url(with_scheme(what)):
        # One that is there needs no look at its page, which may be gone.
        known = await (await topics_of(app)).find(Topic(title="", url=with_scheme(what)))
        if known is not None:
            return known
        tell(f"Reading {with_scheme(what)} for its title, text and date.")
    found = await add_topics(app, what, priority=priority)
    topics = [*found.added, *found.known]
    if not topics:
        raise InputError(f"{what} has no topic that can be used: {found.refused[0][1]}")
    if len(topics) > 1:
        raise InputError(f"{what} holds {len(topics)} topics.", advice="Name one by its number: `inquest topics list`.")
    for _, note in found.notes:
        tell(note)
    return topics[0]


def _address_in(path: Path) -> str | None:
    """The address that a text file, or a shortcut to a page (.url), holds and nothing beside it; else None."""
    if path.suffix.lower() not in (".txt", ".url"):
        return None
    try:
        lines = path.read_text("utf-8-sig", errors="replace")[:MOST_OF_A_SHORTCUT].split()
    except OSError:
        return None
    named = [line.removeprefix("URL=") for line in lines if line.startswith("URL=")] if len(lines) > 1 else lines
    return named[0] if len(named) == 1 and is_web_url(named[0]) else None


async def list_topics(app: Resources, seen: Container[int | None] | None = None) -> list[Topic]:
    """All topics, or those with the numbers `seen`, in the order in which they came. Raises StorageError."""
    return [each for each in await (await topics_of(app)).list() if seen is None or each.id in seen]


async def candidates(app: Resources, *, limit: int = 20, seen: Container[int | None] | None = None) -> CandidatesFound:
    """GET /api/investigations/candidates: topics (those `seen`) that call for an investigation, most urgent and
    newsworthy first. Beside the specification's `topics`: `left_out`, with the trigger rules that each other topic
    misses, and `due_again`, those that were investigated and should be once more. Raises InputError, StorageError."""
    if not 1 <= limit <= MOST_CANDIDATES:
        raise InputError(f"{limit} is no limit.", advice=f"Give a number from 1 to {MOST_CANDIDATES}.")
    now = app.clock.now()
    wanted: list[Topic] = []
    left_out: list[CandidateLeftOut] = []
    again: list[CandidateAgain] = []
    for topic in await list_topics(app, seen):
        why_not = why_not_investigated(topic)
        if not why_not:
            wanted.append(topic)
            continue
        said = await _due(app, topic)
        if said is not None and said.due:
            again.append({**_candidate(topic), "reason": said.reason})
        else:
            next_at = said.next_at if said and said.next_at and said.next_at > now else None
            left_out.append(_left_out(topic, why_not, next_at))
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
    """POST /api/investigations/: begin the investigation of a kept topic and answer at once. `body`: `topic_id`, and
    perhaps `priority`. `run` carries it out; `background` is given the work and sees to it that it is done (a task
    group's `create_task`, whose task ends with the same errors as `carry_out`); without it the work is done before the
    answer. `again`: begin also where the trigger rules say no (a person or a watch wants it). Raises InputError where
    the body is wrong or the triggers say no, NotFound, Busy, StorageError."""
    topic_id = body.get("topic_id")
    if isinstance(topic_id, bool) or not isinstance(topic_id, int):
        raise InputError("The topic_id is missing or no whole number.", advice="`inquest topics list` shows them.")
    unknown = sorted(set(body) - {"topic_id", "priority"})
    if unknown:
        raise InputError(f"The request has a field that does not exist: {unknown[0]}.")
    wanted = body.get("priority")
    if wanted is not None and not isinstance(wanted, str):
        raise InputError("The priority is no text.", advice="Priorities: high, normal, low.")
    topic = await (await topics_of(app)).get(topic_id)
    why_not = () if again else why_not_investigated(topic)
    if why_not:
        said = await _due(app, topic)
        if said is None or not said.due:
            raise InputError(
                f"Topic {topic_id} is not to be investigated. {' '.join(sentences(why_not))}",
                advice="Ask for it once more to insist.",
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
        "estimated_completion": _iso(begun.estimated_completion),
    }


async def investigation_status(app: Resources, investigation_id: int) -> dict[str, Any]:
    """GET /api/investigations/ID. Raises NotFound, StorageError."""
    return investigation_json(await (await investigations_of(app)).get(investigation_id))


def investigation_json(found: Investigation) -> dict[str, Any]:
    """The specification's keys first, then all else that is kept of it."""
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
    """A topic for programs; `topic_id` is its number."""
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


def _left_out(topic: Topic, why_not: Sequence[Reason], next_at: datetime | None) -> CandidateLeftOut:
    at = next_at.isoformat() if next_at else None
    return {**_candidate(topic), "reasons": list(sentences(why_not)), "next_at": at}


async def _due(app: Resources, topic: Topic) -> Due | None:
    """Whether it is due again; None: it was never investigated."""
    if not topic.investigated or topic.id is None:
        return None
    kept = await (await investigations_of(app)).of_topic(topic.id)
    known = [source.url for each in kept[:1] for source in each.sources]
    fresh = await (await topics_of(app)).new_pages(topic, known) if kept else []
    return due(topic, app.clock.now(), after=AGAIN_AFTER, new_evidence=fresh)


async def _titled(app: Resources, given: GivenTopic) -> GivenTopic:
    """The row with the title, and where it lacks them the text and the date, of its own page."""
    assert given.topic.url is not None
    page = (await topic_from_url(app, given.topic.url)).topic
    missing = {"title": page.title} | ({} if given.topic.text else {"text": page.text})
    return GivenTopic(given.topic.model_copy(update=missing), given.notes)


def _priority(word: str | None) -> Priority | None:
    if word is None:
        return None
    try:
        return Priority(word.strip().lower())
    except ValueError as error:
        raise InputError(f"There is no priority '{word}'.", advice="Priorities: high, normal, low.") from error


def _iso(moment: Any) -> str | None:
    return utc(moment).isoformat().replace("+00:00", "Z") if moment else None


class InvestigationBegun(TypedDict):
    """POST /investigations."""

    investigation_id: int
    status: str
    estimated_completion: str | None
    """A moment in UTC, by which it will have ended as a rule."""


class Candidate(TypedDict):
    """A topic as the list of candidates shows it."""

    topic_id: int | None
    title: str
    current_verification: str
    source_count: int
    newsworthiness_score: float
    priority: str


class CandidateAgain(Candidate):
    """A topic that was investigated and is due once more."""

    reason: str


class CandidateLeftOut(Candidate):
    """A topic that calls for no investigation."""

    reasons: list[str]
    """Each trigger rule that it misses, in a sentence."""
    next_at: str | None
    """When it will be due again at the latest; None: it will not by time alone."""


class CandidatesFound(TypedDict):
    """GET /candidates: the specification's `topics`, and what is beside them."""

    topics: list[Candidate]
    total: int
    due_again: list[CandidateAgain]
    left_out: list[CandidateLeftOut]
