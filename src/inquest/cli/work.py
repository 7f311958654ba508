"""`inquest worker` and `inquest db`: work on many machines, and the database they share."""

from __future__ import annotations

import asyncio
import signal

import typer

from inquest.cli.common import print_json, run_async

database = typer.Typer(name="db", help="The database: whether its tables fit this version, and bringing them up to it.")


def worker(
    at_once: int = typer.Option(8, "--at-once", min=1, max=200, help="Cases that are worked on at a time."),
    grace: float = typer.Option(20, min=0, help="Seconds that cases are given to end when the worker is told to."),
) -> None:
    """Work on the cases that servers of the same database put into the queue (PostgreSQL). SIGTERM and Ctrl-C: what
    does not end within the grace is handed to another worker; a second one: all of it at once."""
    from inquest.app.build import open_app
    from inquest.app.logs import log_to_stderr
    from inquest.app.settings import for_operators, load_settings
    from inquest.app.work.worker import Worker

    async def work() -> None:
        async with open_app(for_operators(load_settings())) as app:
            worker = Worker(app, at_once=at_once, grace=grace)
            running = asyncio.ensure_future(worker.run())

            def told_to_end() -> None:
                if running.cancelling():
                    worker.hand_over()
                else:
                    running.cancel()

            for each in (signal.SIGTERM, signal.SIGINT):
                asyncio.get_running_loop().add_signal_handler(each, told_to_end)
            await asyncio.wait([running])
            if not running.cancelled():
                running.result()

    log_to_stderr()
    run_async(work())


@database.command("status")
def status(as_json: bool = typer.Option(False, "--json", help="As JSON.")) -> None:
    """Say which revision the tables have and which this version wants; exit code 1 where they differ."""
    from inquest.app.work.queue import database_status

    found = run_async(database_status())
    if as_json:
        print_json(found)
    else:
        typer.echo(f"{found['where']}: revision {found['revision'] or 'none'}, this version wants {found['wanted']}.")
        if not found["up_to_date"]:
            typer.echo("Bring it up to date with: inquest db upgrade")
    if not found["up_to_date"]:
        raise typer.Exit(1)


@database.command("upgrade")
def upgrade() -> None:
    """Bring the tables up to this version, those of the queue too. Servers and workers do so themselves when they
    start; a worker of an older version that runs meanwhile goes on."""
    from inquest.app.work.queue import upgrade_database

    typer.echo(f"{run_async(upgrade_database())} is up to date.")
