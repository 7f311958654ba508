"""`inquest serve`, `worker`, `mcp`, `db`, `users` and `tokens`: services for other programs, machines and people."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from inquest.cli.common import print_result, run_async, with_app
from inquest.domain.errors import InputError, SettingError
from inquest.domain.person import Role

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

log = logging.getLogger("inquest.service")


def serve(
    host: str = typer.Option("127.0.0.1", help="The address to listen on. Beyond loopback, users must sign in."),
    port: int = typer.Option(8311, min=0, max=65535, help="0: any free port."),
    log_form: Literal["text", "json"] = typer.Option(
        "text", "--log", help="json: log one object per line on standard error, with a line for each request."
    ),
) -> None:
    """Serve the newsroom page and the API (docs at /api/docs), and run the cases opened there."""
    from inquest.api import server
    from inquest.app.logs import log_to_stderr
    from inquest.app.sockets import listening
    from inquest.app.work.worker import dispatcher_of
    from inquest.web.pages import add_pages

    bound, is_loopback = listening(host, port)

    as_json = log_form == "json"
    if as_json:
        log_to_stderr()

    def on_ready(address: str) -> None:
        if as_json:
            log.info("Inquest at %s", address)
        else:
            typer.echo(f"Inquest at {address}  ·  API docs: {address}/api/docs", err=True)

    made = server.create_app(dispatcher=dispatcher_of, extend=add_pages, open_at_loopback=is_loopback)
    if as_json:
        server.log_requests(made)
    with bound:
        with_app(lambda app: app.database())  # a database that cannot be used is reported in a sentence
        run_async(server.serve(bound, made, on_ready))


def mcp(
    http: str | None = typer.Option(
        None,
        metavar="HOST:PORT",
        help="Serve HTTP at this address under /mcp instead of using standard input and output.",
    ),
    files: bool = typer.Option(False, "--files", help="Let clients read files on this machine by path."),
    expose: bool = typer.Option(False, "--expose", help="With --http: accept connections from other machines."),
    token_file: Path | None = typer.Option(
        None, "--token-file", metavar="FILE", help="With --http: require the token in this file as a bearer token."
    ),
) -> None:
    """Serve the Model Context Protocol: tools for assistants to check claims, run inquiries and read cases."""
    from importlib.util import find_spec

    for name, is_set in (("--expose", expose), ("--token-file", token_file is not None)):
        if is_set and http is None:
            raise InputError(f"{name} applies only with --http.", advice="Leave it out.")
    if find_spec("fastmcp") is None:
        raise SettingError(
            "Serving MCP needs the extra packages of `inquest[mcp]`.",
            advice="Install them: pip install 'inquest[mcp]'.",
        )
    from inquest.mcp import server

    if http is None:
        run_async(server.serve_stdio(files=files))
        return
    token = server.token_in(token_file) if token_file else None
    bound = server.listening(http, exposed=expose)

    def on_ready(address: str) -> None:
        typer.echo(f"MCP at {address}", err=True)

    with bound:
        run_async(server.serve_http(bound, on_ready, files=files, token=token))


database = typer.Typer(name="db", help="Check and upgrade the tables of the database.")


def worker(
    at_once: int = typer.Option(8, "--at-once", min=1, max=200, help="Cases to run at the same time."),
    grace: float = typer.Option(20, min=0, help="Seconds that cases have to end once the worker is stopped."),
) -> None:
    """Run the cases queued by servers that use the same database (PostgreSQL). On SIGTERM or Ctrl-C, cases that do not
    end within the grace period are left to another worker; a second signal leaves all of them at once."""
    from inquest.app.logs import log_to_stderr
    from inquest.app.settings import for_operators, load_settings
    from inquest.app.wiring.resources import open_resources
    from inquest.app.work.worker import Worker

    async def work() -> None:
        async with open_resources(for_operators(load_settings())) as app:
            worker = Worker(app, at_once=at_once, grace=grace)
            running = asyncio.ensure_future(worker.run())

            def stop() -> None:
                if running.cancelling():
                    worker.hand_over()
                else:
                    running.cancel()

            for each in (signal.SIGTERM, signal.SIGINT):
                asyncio.get_running_loop().add_signal_handler(each, stop)
            await asyncio.wait([running])
            if not running.cancelled():
                running.result()

    log_to_stderr()
    run_async(work())


@database.command("status")
def status(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """Show the revision of the tables and the one that this version needs. Exit code 1 if they differ."""
    from inquest.app.work.queue import database_status

    found = run_async(database_status())
    words = f"{found['where']}: revision {found['revision'] or 'none'}, this version needs {found['wanted']}."
    upgrade = "" if found["up_to_date"] else "\nUpgrade it with: inquest db upgrade"
    print_result(found, words + upgrade, as_json=as_json)
    if not found["up_to_date"]:
        raise typer.Exit(1)


@database.command("upgrade")
def upgrade() -> None:
    """Upgrade the tables, including those of the queue, to this version. Servers and workers do so when they start;
    running workers of an older version keep working."""
    from inquest.app.work.queue import upgrade_database

    typer.echo(f"{run_async(upgrade_database())} is up to date.")


users = typer.Typer(help="Manage the users of `inquest serve` and their roles.", no_args_is_help=True)
tokens = typer.Typer(help="Manage tokens for programs that use `inquest serve`.", no_args_is_help=True)
RoleName = Literal["reader", "investigator", "editor", "admin"]  # roles, each with the permissions of those before it


def _password(from_input: bool) -> str:
    if from_input:
        return sys.stdin.readline().rstrip("\r\n")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))


@users.command("add")
def add_user(
    name: str = typer.Argument(..., help="The name used to sign in and shown on decisions."),
    role: Role = typer.Option(Role.INVESTIGATOR, help="The role."),
    team: list[str] = typer.Option([], help="A team, created if it is new. Repeatable."),
    password_stdin: bool = typer.Option(False, "--password-stdin", help="Read the password from standard input."),
    no_password: bool = typer.Option(False, "--no-password", help="Allow only tokens or the identity provider."),
) -> None:
    """Add a user."""
    from inquest.app.access import accounts
    from inquest.app.cases.requests import user_name

    if password_stdin and no_password:
        raise InputError("--password-stdin and --no-password cannot be combined.", advice="Use one of them.")
    password = None if no_password else _password(password_stdin)
    by = user_name()
    made = with_app(lambda app: accounts.add_user(app, name, role, teams=team, password=password, by=by))
    typer.echo(f"{made.name} was added as {made.role.value}.", err=True)


@users.command("list")
def list_users(as_json: bool = typer.Option(False, "--json", help="Print a JSON array.")) -> None:
    """List all users."""
    from inquest.app.access.accounts import accounts_of

    async def work(app: Resources) -> list[dict[str, Any]]:
        return [each.model_dump(mode="json") for each in await (await accounts_of(app)).users()]

    found = with_app(work)
    lines = (
        f"{each['name']}  {each['role']}  {', '.join(team['name'] for team in each['teams']) or 'no team'}"
        + ("" if each["active"] else "  (blocked)")
        for each in found
    )
    print_result(found, lines, as_json=as_json)


@users.command("change")
def change_user(
    name: str = typer.Argument(...),
    role: Role | None = typer.Option(None, help="The new role."),
    team: list[str] | None = typer.Option(None, help="A team, replacing the current ones. Repeatable."),
    password: bool = typer.Option(False, "--password", help="Ask for a new password, and end all sessions."),
    password_stdin: bool = typer.Option(False, "--password-stdin", help="Read the new password from standard input."),
    active: bool | None = typer.Option(None, "--let-in/--shut-out", help="Shut out: end every session and token."),
) -> None:
    """Change the role, teams or password of a user, or block the user."""
    from inquest.app.access import accounts
    from inquest.app.cases.requests import user_name

    changes = accounts.AccountChanges(
        role=role,
        active=active,
        password=_password(password_stdin) if password or password_stdin else None,
        teams=team or None,
    )
    if changes == accounts.AccountChanges():
        raise InputError("Nothing to change.", advice="Add --role, --team, --password or --shut-out.")
    made = with_app(lambda app: accounts.change_user(app, name, changes, by=user_name()))
    typer.echo(f"{made.name} is {made.role.value}{'' if made.active else ', and blocked'}.", err=True)


@tokens.command("add")
def add_token(
    user: str = typer.Argument(..., help="The user of the token."),
    name: str = typer.Option(..., help="Its purpose."),
    scope: Role = typer.Option(Role.INVESTIGATOR, help="The highest role of the token."),
    days: int | None = typer.Option(None, min=1, max=3650, help="Days until it expires. Default: never."),
) -> None:
    """Create a token and print it once."""
    from inquest.app.access import accounts
    from inquest.app.cases.requests import user_name

    async def work(app: Resources) -> accounts.Shown:
        whose = await (await accounts.accounts_of(app)).user(user)
        return await accounts.add_token(app, whose, name, scope=scope, days=days, by=user_name())

    typer.echo(with_app(work).secret)


@tokens.command("list")
def list_tokens(as_json: bool = typer.Option(False, "--json", help="Print a JSON array.")) -> None:
    """List all tokens without their secrets, newest first."""
    from inquest.app.access.accounts import accounts_of

    async def work(app: Resources) -> list[dict[str, object]]:
        rows = await accounts_of(app)
        names = {each.id: each.name for each in await rows.users()}
        found = await rows.credentials(None, "token")
        return [each.model_dump(mode="json") | {"user": names.get(each.user_id, "")} for each in found]

    found = with_app(work)
    lines = (
        f"{each['id']}  {each['user']}  {each['name']}  {each['scope']}  "
        + ("revoked" if each["revoked_at"] else f"until {each['expires_at'] or 'it is revoked'}")
        for each in found
    )
    print_result(found, lines, as_json=as_json)


@tokens.command("revoke")
def revoke_token(number: int = typer.Argument(..., min=1, help="Its number in `inquest tokens list`.")) -> None:
    """Revoke a token immediately."""
    from inquest.app.access.accounts import accounts_of
    from inquest.app.cases.requests import user_name

    async def work(app: Resources) -> None:
        rows, now = await accounts_of(app), app.clock.now()
        await rows.revoke(number, at=now)
        await rows.note("token revoked", str(number), by=user_name(), at=now)

    with_app(work)
