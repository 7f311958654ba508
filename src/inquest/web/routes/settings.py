"""Settings (engines and keys, models, ratings, users, tokens, callbacks) and the status of the server."""

from __future__ import annotations

from typing import Annotated

from fastapi import File, Form, Response, UploadFile
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field

from inquest.api.access import Acting, Administrating
from inquest.api.routes import outgoing
from inquest.api.routes.access import revoke_token
from inquest.app.access import accounts
from inquest.app.access.accounts import accounts_of
from inquest.app.callbacks.relay import outbox_of
from inquest.app.pages import settings_page as pages
from inquest.app.tools.local_models import ModelTrial, choose_model, forget_model, try_again
from inquest.domain.person import Role
from inquest.web.render import page, page_router, words

router = page_router()

Name = Annotated[str, Form(min_length=1, max_length=200)]


class UserForm(BaseModel):
    """The new values of a user; an empty password leaves it unchanged."""

    role: Role
    active: bool = True
    teams: Annotated[str, Field(max_length=2_000)] = ""
    password: Annotated[str, Field(max_length=1024)] = ""


@router.get("/settings")
async def settings(visit: Administrating) -> Response:
    """Show the settings."""
    return await _settings(visit)


@router.post("/settings/engines/{name}/key")
async def keep_key(visit: Administrating, name: str, key: Annotated[str, Form(max_length=4_000)]) -> Response:
    """Test and store the key of an engine."""
    return await _settings(visit, tried=await pages.give_key(visit.app, name, key))


@router.post("/settings/engines/{name}/try")
async def try_engine(visit: Administrating, name: str) -> Response:
    """Send a test query to an engine."""
    return await _settings(visit, tried=await pages.try_by_name(visit.app, name))


@router.post("/settings/model")
async def pick_model(
    visit: Administrating,
    model: Annotated[str, Form(min_length=1, max_length=300)],
    provider: Annotated[str, Form(max_length=40)] = "",
    address: Annotated[str, Form(max_length=500)] = "",
    key: Annotated[str, Form(max_length=4_000)] = "",
) -> Response:
    """Test a model and use it for new cases. Without a provider, `model` is written as in settings."""
    name = f"{provider}:{model.strip()}" if provider else model.strip()
    where = f" at {address.strip()}" if address.strip() else ""
    return await _settings(visit, trial=await choose_model(visit.app, name + where, key))


@router.post("/settings/model/try")
async def test_model(visit: Administrating) -> Response:
    """Test the stored untested model, or the one in use."""
    return await _settings(visit, trial=await try_again(visit.app))


@router.post("/settings/model/none")
async def no_model(visit: Administrating) -> Response:
    """Use the local analyst for new cases."""
    forget_model(visit.app)
    return RedirectResponse("/settings#models", 303)


@router.post("/settings/ratings")
async def ratings(visit: Administrating, file: Annotated[UploadFile, File()]) -> Response:
    """Import ratings from a file."""
    number = await pages.import_ratings(visit.app, await file.read())
    return await _settings(visit, said=words().settings.ratings_kept.format(number=number))


@router.post("/settings/ratings/one")
async def rate_one(
    visit: Administrating,
    domain: Annotated[str, Form(max_length=300)],
    score: Annotated[str, Form(max_length=20)],
    reason: Annotated[str, Form(max_length=1_000)] = "",
) -> Response:
    """Overrule the rating of one source."""
    kept = await pages.overrule_rating(visit.app, domain, score, reason)
    rows, now = await accounts_of(visit.app), visit.app.clock.now()
    await rows.note("source rated", f"{kept}: {score.strip()}", by=visit.person.name, at=now)
    return await _settings(visit, said=words().settings.rated.format(domain=kept, score=score.strip()))


@router.post("/settings/teams")
async def add_team(visit: Administrating, name: Name) -> Response:
    """Add a team."""
    await accounts.add_team(visit.app, name, by=visit.person.name)
    return RedirectResponse("/settings#teams", 303)


@router.post("/settings/callbacks/{case_id}/again")
async def send_again(visit: Administrating, case_id: str) -> Response:
    """Send failed callbacks again."""
    await outgoing.send_again(visit, case_id)
    return RedirectResponse("/settings#callbacks", 303)


@router.post("/settings/users")
async def add_user(
    visit: Administrating,
    name: Name,
    password: Annotated[str, Form(max_length=1024)],
    role: Annotated[Role, Form()] = Role.INVESTIGATOR,
) -> Response:
    """Add a user."""
    await accounts.add_user(visit.app, name, role, password=password, by=visit.person.name)
    return RedirectResponse("/settings#users", 303)


@router.post("/settings/users/{name}")
async def change_user(visit: Administrating, name: str, given: Annotated[UserForm, Form()]) -> Response:
    """Change a user's role, teams or password, or deactivate them."""
    teams, password = [each.strip() for each in given.teams.split(",") if each.strip()], given.password or None
    changes = accounts.AccountChanges(role=given.role, active=given.active, teams=teams, password=password)
    await accounts.change_user(visit.app, name, changes, by=visit.person.name)
    return RedirectResponse("/settings#users", 303)


@router.post("/settings/tokens")
async def add_token(
    visit: Administrating, user: Name, name: Name, scope: Annotated[Role, Form()] = Role.INVESTIGATOR
) -> Response:
    """Add a token for programs of a user; its secret is shown only in this response."""
    owner = await (await accounts_of(visit.app)).user(user)
    shown = await accounts.add_token(visit.app, owner, name, scope=scope, days=90, by=visit.person.name)
    return await _settings(visit, secret=shown.secret)


@router.post("/settings/tokens/{number}/revoke")
async def revoke(visit: Administrating, number: int) -> Response:
    """Revoke a token or a session."""
    await revoke_token(number, visit.person, visit.app)
    return RedirectResponse("/settings#tokens", 303)


@router.get("/status")
async def status(visit: Administrating) -> Response:
    """Show the status of the server."""
    return page(visit, "status.html", status=200, shown=await pages.status_page(visit.app))


async def _settings(
    visit: Acting,
    *,
    tried: pages.Tried | None = None,
    trial: ModelTrial | None = None,
    secret: str = "",
    said: str = "",
) -> Response:
    rows = await accounts_of(visit.app)
    if trial is not None:
        w = words().settings
        used = "" if visit.app.settings.chosen.over else w.used
        kept = used if trial.ok else w.not_kept if trial.refused else w.kept_untested
        tried = pages.Tried("", w.model, trial.ok, f"{trial.says}. {kept}")
    return page(
        visit,
        "settings.html",
        settings=await pages.settings_page(visit.app, tried),
        users=await rows.users(),
        teams=await rows.teams(),
        outbox=await (await outbox_of(visit.app)).standings(limit=30),
        tokens=[each for each in await rows.credentials(None, "token") if each.revoked_at is None],
        log=await rows.log(before=None, limit=30),
        secret=secret,
        said=said,
        roles=[each.value for each in Role],
    )
