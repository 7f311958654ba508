"""`inquest watch`: a topic is investigated again and again, and what changed is shown."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inquest.app.grouped import spelled_out
from inquest.cli.common import print_json, tell_of_topic, with_app
from inquest.cli.options import PriorityOption
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from inquest.app.build import App
    from inquest.app.cases.topic_records import Run
    from inquest.app.desks.watching import WatchRun
    from inquest.domain.case import Case
    from inquest.domain.topic import Topic

EXAMPLES = """
[bold]Examples[/bold]

    inquest watch https://example.org/2026/11/strike --every 12h

    inquest watch 17 --once

    inquest watch --run        (for cron: run what is due, and end)

    inquest watch --forever    (run what is due, and wait for more)
"""


@dataclass(frozen=True)
class _Mode:
    """What is to be done, where it is not to watch a topic from now on: one of these."""

    once: Annotated[bool, typer.Option("--once", help="Investigate it once, now, and tell what changed.")] = False
    remove: Annotated[bool, typer.Option("--remove", help="Watch it no longer.")] = False
    list_: Annotated[bool, typer.Option("--list", help="What is watched, and when next.")] = False
    run: Annotated[bool, typer.Option("--run", help="Run what is due, and end.")] = False
    forever: Annotated[bool, typer.Option("--forever", help="Run what is due, and go on until interrupted.")] = False

    @property
    def asked(self) -> str:
        """The option that was given; '' where none was. Raises InputError where several were."""
        given = [f"--{each.name.rstrip('_')}" for each in fields(self) if getattr(self, each.name)]
        if len(given) > 1:
            raise InputError(f"{' and '.join(given)} do not go together.", advice="Give one of them.")
        return given[0] if given else ""


@spelled_out
def watch(
    mode: _Mode,
    topic: str | None = typer.Argument(None, metavar="[TOPIC]", help="A topic's number, a URL, or a file of one."),
    priority: PriorityOption | None = typer.Option(
        None, help="How soon it is wanted, of one that is not kept yet; default: as given, else normal."
    ),
    every: str | None = typer.Option(None, metavar="24h", help="How often: 10m to 366d; default 24h."),
    by: str = typer.Option("", metavar="NAME", help="Who approves of the plans of its runs; default: this user."),
    as_json: bool = typer.Option(False, "--json", help="JSON; with --run and --forever a line for each run."),
) -> int:
    """Watch a topic: it is investigated on a schedule with the settings of this folder, and what changed is shown.

    Whoever adds a watch approves of its plans beforehand.
    """
    asked = mode.asked
    if (topic is None) == (asked in ("", "--once", "--remove")):
        wrong = "No topic is named." if topic is None else f"{asked} takes no topic."
        raise InputError(wrong, advice="See `inquest watch --help`.")
    if priority is not None and (topic is None or mode.remove):
        raise InputError("--priority says nothing here.", advice="Give it with a topic that is to be taken in.")
    if every is not None and asked:
        raise InputError(f"--every says nothing with {asked}.", advice="Leave it out.")

    async def work(app: App) -> int:
        if mode.list_:
            return await _list(app, as_json)
        if mode.run or mode.forever:
            return await _run(app, as_json, mode.forever)
        assert topic is not None
        from inquest.app.desks.topics import kept_topic

        wanted = priority.value if priority else None
        found = await kept_topic(app, topic, priority=wanted, on_note=tell_of_topic)
        if mode.remove:
            return await _remove(app, found)
        if mode.once:
            return await _once(app, found, by, as_json)
        return await _add(app, found, every or "24h", by, as_json)

    return with_app(work)


async def _add(app: App, topic: Topic, every: str, by: str, as_json: bool) -> int:
    from inquest.app.cases.requests import user_name
    from inquest.app.desks.watching import parse_every, watch

    kept, is_new = await watch(app, topic, every=parse_every(every), by=by or user_name())
    if as_json:
        print_json(_watch_json(kept, topic))
        return 0
    typer.echo(
        f"Topic {topic.id} is {'watched' if is_new else 'still watched'}, every {_interval(kept)}; "
        f"next {_when(kept.next_at)}: {topic.title}"
    )
    typer.echo("`inquest watch --run` (from cron) or `--forever` runs what is due.", err=True)
    return 0


async def _remove(app: App, topic: Topic) -> int:
    from inquest.app.desks.watching import unwatch

    if not await unwatch(app, topic):
        raise InputError(f"Topic {topic.id} is not watched.", advice="`inquest watch --list` shows what is.")
    typer.echo(f"Topic {topic.id} is no longer watched: {topic.title}")
    return 0


async def _list(app: App, as_json: bool) -> int:
    from inquest.app.desks.watching import watched

    rows = await watched(app)
    if as_json:
        print_json([_watch_json(each, topic) for each, topic in rows])
        return 0
    if not rows:
        typer.echo("Nothing is watched.", err=True)
    for each, topic in rows:
        typer.echo(f"{topic.id:>5}  every {_interval(each):<5} next {_when(each.next_at)}  {topic.title[:80]}")
        for line in (each.why and f"The last run failed: {each.why}", *each.changes):
            if line:
                typer.echo(f"       {line}")
    return 0


async def _once(app: App, topic: Topic, by: str, as_json: bool) -> int:
    from inquest.app.cases.requests import user_name
    from inquest.app.desks.watching import run_once

    done = await run_once(app, topic, _runs(app, by or user_name()))
    if as_json:
        print_json(done.json)
    else:
        _tell(done)
    return 2 if done.failed else 0


async def _run(app: App, as_json: bool, forever: bool) -> int:
    import asyncio

    from inquest.app.desks.watching import keep_watching, run_due, watched

    names = {topic.id: each.added_by for each, topic in await watched(app)}

    async def one(topic: Topic) -> Case:
        return await _runs(app, names.get(topic.id) or "watch")(topic)

    def show(done: WatchRun) -> None:
        if as_json:
            print_json(done.json, indent=None)
        else:
            _tell(done)

    if forever:
        await keep_watching(app, one, sleep=asyncio.sleep, on_run=show)
    done = await run_due(app, one, on_run=show)
    if not done and not as_json:
        typer.echo("Nothing is due.", err=True)
    return 2 if any(each.failed for each in done) else 0


def _runs(app: App, by: str) -> Run:
    from inquest.app.desks.briefs import run_topic

    async def run(topic: Topic) -> Case:
        return await run_topic(app, topic, by=by)

    return run


def _tell(done: WatchRun) -> None:
    typer.echo(f"Topic {done.topic.id}, {done.topic.verification_status.value}: {done.topic.title}")
    for line in done.lines:
        typer.echo(f"  {line}")
    if done.changes is not None and not done.changes.anything:
        complete = done.changes.complete and not done.why
        typer.echo("  Nothing changed." if complete else "  Nothing changed in what could be asked and read.")
    if done.why:
        typer.echo(f"  {done.why}", err=done.failed)
    if done.case_id:
        typer.echo(f"  Case {done.case_id} (inquest show {done.case_id})", err=True)


def _watch_json(each: Any, topic: Topic) -> dict[str, Any]:
    row: dict[str, Any] = each.model_dump(mode="json", exclude={"every"})
    return row | {
        "every_seconds": int(each.every.total_seconds()),
        "title": topic.title,
        "level": topic.verification_status.value,
    }


def _interval(each: Any) -> str:
    minutes = int(each.every.total_seconds()) // 60
    days, hours = divmod(minutes // 60, 24)
    if minutes % 60:
        return f"{minutes}m"
    return f"{minutes // 60}h" if hours else f"{days}d"


def _when(moment: Any) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
