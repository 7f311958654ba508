"""`inquest topics`, `watch` and `stats`: topics of a newsroom, their schedule, and figures of its cases."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inquest.app.grouped import spelled_out
from inquest.cli.common import Priority, note_on_topic, print_json, with_app
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from inquest.app.desks.watching import WatchRun
    from inquest.app.wiring.resources import Resources
    from inquest.domain.case import Case
    from inquest.domain.topic import Topic

app = typer.Typer(
    help="Add topics to verify from JSON, CSV or a URL, list them, and see which need an investigation.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)


@app.command("add")
def add(
    what: str = typer.Argument(..., metavar="FILE.{json,jsonl,csv} | URL", help="A file of topics, or a page."),
    priority: Priority | None = typer.Option(None, help="Priority of all topics. Default: that of each, or normal."),
    as_json: bool = typer.Option(False, "--json", help="Print the outcome as one JSON object."),
) -> int:
    """Add topics. Known ones stay unchanged; unusable ones are listed with the reason."""
    from inquest.app.desks.topics import add_topics

    found = with_app(lambda app: add_topics(app, what, priority=priority))
    nothing = not found.added and not found.known
    if nothing and len(found.refused) == 1 and not as_json:
        where, why = found.refused[0]
        raise InputError(f"The topic cannot be used ({where} of {what}): {why}")
    if as_json:
        print_json(found.json)
    else:
        for topic in found.added:
            typer.echo(f"{topic.id:>5}  {topic.title}")
    for topic in found.known:
        already = "already exists and has been investigated" if topic.investigated else "already exists"
        typer.echo(f"Topic {topic.id} {already}: {topic.title}", err=True)
    for where, note in found.notes:
        typer.echo(f"{where}: {note}", err=True)
    for where, why in found.refused:
        typer.echo(f"{where} was rejected: {why}", err=True)
    return 1 if nothing else 2 if found.refused else 0


@app.command("list")
def list_(as_json: bool = typer.Option(False, "--json", help="Print a JSON array.")) -> None:
    """List all topics with level, priority and newsworthiness."""
    from inquest.app.desks.topics import list_topics, topic_json

    rows = [topic_json(topic) for topic in with_app(list_topics)]
    if as_json:
        print_json(rows)
        return
    if not rows:
        typer.echo("There are no topics yet. Add some with `inquest topics add`.", err=True)
    for row in rows:
        when = f"investigated {row['investigation_date'][:10]}" if row["investigation_date"] else row["status"]
        typer.echo(
            f"{row['topic_id']:>5}  {row['verification_status']:<10} {row['priority']:<6} "
            f"{row['newsworthiness_score']:>3.0f}  {when:<23} {row['title'][:80]}"
        )


@app.command("candidates")
def candidates(
    limit: int = typer.Option(20, help="The maximum number of topics, most urgent and newsworthy first."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """List topics that need an investigation, and the reasons why others do not."""
    from inquest.app.desks.topics import candidates as candidates_of

    found = with_app(lambda app: candidates_of(app, limit=limit))
    if as_json:
        print_json(found)
        return
    for row in found["topics"]:
        typer.echo(
            f"{row['topic_id']:>5}  {row['priority']:<6} {row['newsworthiness_score']:>3.0f}  "
            f"{row['source_count']} sources  {row['title'][:80]}"
        )
    if more := found["total"] - len(found["topics"]):
        typer.echo(f"and {more} more", err=True)
    for again in found["due_again"]:
        typer.echo(f"{again['topic_id']:>5}  again: {again['reason']}  {again['title'][:80]}")
    for left in found["left_out"]:
        typer.echo(f"Left out: {left['topic_id']} {left['title'][:60]}: {' '.join(left['reasons'])}", err=True)
    if not found["topics"] and not found["due_again"]:
        typer.echo("No topic needs an investigation.", err=True)


@dataclass(frozen=True)
class _Mode:
    """Alternatives to adding a watch, of which at most one is set."""

    once: Annotated[bool, typer.Option("--once", help="Run it once, and show what changed.")] = False
    remove: Annotated[bool, typer.Option("--remove", help="Stop watching it.")] = False
    list_: Annotated[bool, typer.Option("--list", help="List watches with their next run.")] = False
    run: Annotated[bool, typer.Option("--run", help="Run all that are due, and exit.")] = False
    forever: Annotated[bool, typer.Option("--forever", help="Run all that are due until interrupted.")] = False

    @property
    def chosen(self) -> str:
        """The option that is set, or ''. Raises InputError for several."""
        chosen = [f"--{each.name.rstrip('_')}" for each in fields(self) if getattr(self, each.name)]
        if len(chosen) > 1:
            raise InputError(f"{' and '.join(chosen)} cannot be combined.", advice="Use one of them.")
        return chosen[0] if chosen else ""


@spelled_out
def watch(
    mode: _Mode,
    subject: str | None = typer.Argument(
        None, metavar="[TOPIC|CASE]", help="A topic's number, URL or file, or a finished case."
    ),
    priority: Priority | None = typer.Option(
        None, help="Priority of a topic that is not stored yet. Default: its own, or normal."
    ),
    every: str | None = typer.Option(None, metavar="24h", help="Interval, from 10m to 366d. Default: 24h."),
    by: str = typer.Option("", metavar="NAME", help="Who approves the plans of its runs. Default: this user."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON; with --run or --forever, one line per run."),
) -> int:
    """Run a topic or a case again on a schedule with the settings of this data folder, and show what changed.

    Adding a watch approves its plans in advance.
    """
    chosen = mode.chosen
    if (subject is None) == (chosen in ("", "--once", "--remove")):
        wrong = "Missing topic or case." if subject is None else f"{chosen} takes no topic or case."
        raise InputError(wrong, advice="See `inquest watch --help`.")
    if priority is not None and (subject is None or mode.remove):
        raise InputError("--priority applies only to a new topic.", advice="Leave it out.")
    if every is not None and chosen:
        raise InputError(f"--every cannot be combined with {chosen}.", advice="Leave it out.")

    async def work(app: Resources) -> int:
        if mode.list_:
            return await _list(app, as_json)
        if mode.run or mode.forever:
            return await _run(app, as_json, mode.forever)
        assert subject is not None
        from inquest.app.desks.watching import watchable

        found = await watchable(app, subject, priority=priority, on_note=note_on_topic)
        if mode.remove:
            from inquest.app.desks.watching import described, name_of, unwatch

            if not await unwatch(app, found):
                advice = "`inquest watch --list` lists all watches."
                raise InputError(f"{name_of(found)} is not watched.", advice=advice)
            typer.echo(f"{name_of(found)} is no longer watched: {described(found)['title']}")
            return 0
        if mode.once:
            from inquest.app.cases.requests import user_name
            from inquest.app.desks.watching import run_once

            done = await run_once(app, found, by=by or user_name())
            if as_json:
                print_json(done.json)
            else:
                _show(done)
            return 2 if done.failed else 0
        return await _add_watch(app, found, every or "24h", by, as_json)

    return with_app(work)


async def _add_watch(app: Resources, subject: Topic | Case, every: str, by: str, as_json: bool) -> int:
    from inquest.app.cases.requests import user_name
    from inquest.app.desks.watching import described, name_of, parse_every, watch

    kept, is_new = await watch(app, subject, every=parse_every(every), by=by or user_name())
    if as_json:
        print_json(_watch_json(kept, subject))
        return 0
    typer.echo(
        f"{name_of(subject)} is {'watched' if is_new else 'still watched'}, every {_interval(kept)}; "
        f"next {_when(kept.next_at)}: {described(subject)['title']}"
    )
    typer.echo("`inquest watch --run` (from cron) or `--forever` runs all that are due.", err=True)
    return 0


async def _list(app: Resources, as_json: bool) -> int:
    from inquest.app.desks.watching import described, watches_of

    rows = await watches_of(app)
    if as_json:
        print_json([_watch_json(each, subject) for each, subject in rows])
        return 0
    if not rows:
        typer.echo("Nothing is watched.", err=True)
    for each, subject in rows:
        title = described(subject)["title"][:80]
        typer.echo(f"{subject.id:>5}  every {_interval(each):<5} next {_when(each.next_at)}  {title}")
        for line in (each.why and f"The last run failed: {each.why}", *each.changes):
            if line:
                typer.echo(f"       {line}")
    return 0


async def _run(app: Resources, as_json: bool, forever: bool) -> int:
    import asyncio

    from inquest.app.desks.watching import keep_watching, run_due

    def show(done: WatchRun) -> None:
        if as_json:
            print_json(done.json, indent=None)
        else:
            _show(done)

    if forever:
        await keep_watching(app, sleep=asyncio.sleep, on_run=show)
    done = await run_due(app, show)
    if not done and not as_json:
        typer.echo("Nothing is due.", err=True)
    return 2 if any(each.failed for each in done) else 0


def _show(done: WatchRun) -> None:
    from inquest.app.desks.watching import described, name_of

    what = described(done.subject)
    typer.echo(f"{', '.join(filter(None, (name_of(done.subject), what['level'])))}: {what['title']}")
    for line in done.lines:
        typer.echo(f"  {line}")
    if done.changes is not None and not done.changes.anything:
        complete = done.changes.complete and not done.why
        typer.echo("  Nothing changed." if complete else "  Nothing changed in the sources that could be reached.")
    if done.why:
        typer.echo(f"  {done.why}", err=done.failed)
    if done.case_id:
        typer.echo(f"  Case {done.case_id} (inquest show {done.case_id})", err=True)


def _watch_json(each: Any, subject: Topic | Case) -> dict[str, Any]:
    from inquest.app.desks.watching import described

    row: dict[str, Any] = each.model_dump(mode="json", exclude={"every"})
    return row | described(subject) | {"every_seconds": int(each.every.total_seconds())}


def _interval(each: Any) -> str:
    hours, minutes = divmod(int(each.every.total_seconds()) // 60, 60)
    if minutes:
        return f"{60 * hours + minutes}m"
    return f"{hours}h" if hours % 24 else f"{hours // 24}d"


def _when(moment: Any) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def stats(
    days: int | None = typer.Option(None, help="Count only this many past days. Default: all."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """Show success, upgrades, sources, time and cost of investigations, alerts, and counts of every kind of case."""
    from inquest.app.cases.statistics import statistics

    found = with_app(lambda app: statistics(app, days=days))
    if as_json:
        print_json(found)
        return
    numbers = found["investigations"]
    lines = [
        f"Investigations  {numbers['investigations']}: {numbers['completed']} completed, {numbers['partial']} partial, "
        f"{numbers['failed']} failed, {numbers['cancelled']} stopped, {numbers['running']} running",
        f"  three sources or more      {_share(numbers['success_rate'])}",
        f"  met a success criterion    {_share(numbers['criteria_met_rate'])}",
        f"  unverified topics upgraded {_share(numbers['upgrade_rate'])}",
        f"  sources, mean              {_plain(numbers['mean_sources'], '.1f')}",
        f"  seconds p50 / p95 / p99    {_plain(numbers['seconds_p50'], '.1f')} / "
        f"{_plain(numbers['seconds_p95'], '.1f')} / {_plain(numbers['seconds_p99'], '.1f')}",
        f"  cost, mean / highest       ${_plain(numbers['cost_mean_usd'], '.3f')} / "
        f"${_plain(numbers['cost_max_usd'], '.3f')}",
        f"  false upgrades             {_share(numbers['false_upgrade_rate'])} "
        f"({numbers['false_upgrades']} of {numbers['upgrades']}; {numbers['upgrades_reviewed']} reviewed)",
        f"  waiting for a review       {numbers['awaiting_review']}",
    ]
    lines += [f"! {alert['text']} Cases: {', '.join(alert['cases'])}" for alert in found["alerts"]]
    for kind, each in found["cases"]["by_kind"].items():
        how = ", ".join(f"{count} {status}" for status, count in each["by_status"].items())
        lines.append(f"{kind.capitalize()} cases  {each['cases']}: {how}; ${each['cost_usd']:.3f}")
        if each["verdicts"]:
            verdicts = ", ".join(f"{count} {verdict.replace('_', ' ')}" for verdict, count in each["verdicts"].items())
            lines.append(f"  verdicts: {verdicts}")
        if each["outages"]:
            shown = [f"{out['what']} {out['where']}".strip() + f" {out['times']}x" for out in each["outages"][:5]]
            lines.append(f"  could not be reached: {', '.join(shown)}")
    for line in lines:
        typer.echo(line)


def _share(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.0f}%"


def _plain(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)
