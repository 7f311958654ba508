"""`inquest users` and `inquest tokens`: who may use `inquest serve` beyond this machine."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING

import typer

from inquest.cli.common import print_json, with_app
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from inquest.app.build import App

users = typer.Typer(help="Who may sign in to `inquest serve`, and as what.", no_args_is_help=True)
tokens = typer.Typer(help="Tokens for programs that use `inquest serve`.", no_args_is_help=True)


class RoleOption(StrEnum):
    """Each may do what those before it may."""

    reader = "reader"
    investigator = "investigator"
    editor = "editor"
    admin = "admin"


def _password(from_input: bool) -> str:
    """From standard input, or asked for twice without showing it."""
    if from_input:
        return sys.stdin.readline().rstrip("\r\n")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))


@users.command("add", epilog='[bold]Example[/bold]\n\n    inquest users add Ada --role editor --team "City desk"')
def add_user(
    name: str = typer.Argument(..., help="As they sign in and as decisions are signed."),
    role: RoleOption = typer.Option(RoleOption.investigator, help="What they may do."),
    team: list[str] = typer.Option([], help="A team they are in; one that is new is made. Repeatable."),
    password_stdin: bool = typer.Option(False, "--password-stdin", help="Read the password from standard input."),
    no_password: bool = typer.Option(False, "--no-password", help="They use tokens or the identity provider only."),
) -> None:
    """Let somebody in."""
    from inquest.app.access.accounts import NewUser, Passwords
    from inquest.app.access.accounts import add_user as add
    from inquest.app.cases.requests import user_name
    from inquest.domain.person import Role

    if password_stdin and no_password:
        raise InputError("--password-stdin and --no-password exclude each other.", advice="Give one of them.")
    new = NewUser(name, Role(role.value), team, None if no_password else _password(password_stdin))

    made = with_app(lambda app: add(app, Passwords(), new, by=user_name()))
    typer.echo(f"{made.name} may sign in as {made.role.value}.", err=True)


@users.command("list", epilog="[bold]Example[/bold]\n\n    inquest users list --json")
def list_users(as_json: bool = typer.Option(False, "--json", help="A JSON array.")) -> None:
    """Everybody who may sign in."""
    from inquest.app.access.accounts import accounts_of

    async def work(app: App) -> list[dict[str, object]]:
        return [each.model_dump(mode="json") for each in await (await accounts_of(app)).users()]

    found = with_app(work)
    if as_json:
        print_json(found)
        return
    for each in found:
        teams = each["teams"]
        assert isinstance(teams, list)
        in_teams = ", ".join(str(team["name"]) for team in teams) or "no team"
        shut = "" if each["active"] else "  (shut out)"
        typer.echo(f"{each['name']}  {each['role']}  {in_teams}{shut}")


@users.command("change", epilog="[bold]Example[/bold]\n\n    inquest users change Ada --role admin")
def change_user(
    name: str = typer.Argument(...),
    role: RoleOption | None = typer.Option(None, help="What they may do from now on."),
    team: list[str] | None = typer.Option(None, help="The teams they are in from now on. Repeatable."),
    password: bool = typer.Option(False, "--password", help="Ask for a new password, and end their sessions."),
    password_stdin: bool = typer.Option(False, "--password-stdin", help="Read the new one from standard input."),
    active: bool | None = typer.Option(None, "--let-in/--shut-out", help="Shut out: every session and token ends."),
) -> None:
    """Change what somebody may do, their teams or their password, or shut them out."""
    from inquest.app.access.accounts import AccountChanges, Passwords
    from inquest.app.access.accounts import change_user as change
    from inquest.app.cases.requests import user_name
    from inquest.domain.person import Role

    changes = AccountChanges(
        role=Role(role.value) if role else None,
        active=active,
        password=_password(password_stdin) if password or password_stdin else None,
        teams=team or None,
    )
    if changes == AccountChanges():
        raise InputError("It is not said what is to change.", advice="Give --role, --team, --password or --shut-out.")
    made = with_app(lambda app: change(app, Passwords(), name, changes, by=user_name()))
    typer.echo(f"{made.name} is {made.role.value}{'' if made.active else ', and shut out'}.", err=True)


@tokens.command("add", epilog="[bold]Example[/bold]\n\n    inquest tokens add Ada --name 'nightly checks' --days 90")
def add_token(
    user: str = typer.Argument(..., help="Whose it is."),
    name: str = typer.Option(..., help="What it is for."),
    scope: RoleOption = typer.Option(RoleOption.investigator, help="The highest role that it lends."),
    days: int | None = typer.Option(None, min=1, max=3650, help="Until it expires; otherwise it never does."),
) -> None:
    """Make a token and print it, this once, on standard output."""
    from inquest.app.access.accounts import Shown, accounts_of
    from inquest.app.access.accounts import add_token as add
    from inquest.app.cases.requests import user_name
    from inquest.domain.person import Role

    async def work(app: App) -> Shown:
        whose = await (await accounts_of(app)).user(user)
        return await add(app, whose, name, scope=Role(scope.value), days=days, by=user_name())

    typer.echo(with_app(work).secret)


@tokens.command("list", epilog="[bold]Example[/bold]\n\n    inquest tokens list")
def list_tokens(as_json: bool = typer.Option(False, "--json", help="A JSON array.")) -> None:
    """All tokens without their secrets, newest first."""
    from inquest.app.access.accounts import accounts_of

    async def work(app: App) -> list[dict[str, object]]:
        rows = await accounts_of(app)
        names = {each.id: each.name for each in await rows.users()}
        found = await rows.credentials(None, "token")
        return [each.model_dump(mode="json") | {"user": names.get(each.user_id, "")} for each in found]

    found = with_app(work)
    if as_json:
        print_json(found)
        return
    for each in found:
        state = "revoked" if each["revoked_at"] else f"until {each['expires_at'] or 'it is revoked'}"
        typer.echo(f"{each['id']}  {each['user']}  {each['name']}  {each['scope']}  {state}")


@tokens.command("revoke", epilog="[bold]Example[/bold]\n\n    inquest tokens revoke 3")
def revoke_token(number: int = typer.Argument(..., min=1, help="As `inquest tokens list` has it.")) -> None:
    """Revoke a token at once."""
    from inquest.app.access.accounts import accounts_of
    from inquest.app.cases.requests import user_name

    async def work(app: App) -> None:
        rows, now = await accounts_of(app), app.clock.now()
        await rows.revoke(number, at=now)
        await rows.note("token revoked", str(number), by=user_name(), at=now)

    with_app(work)
