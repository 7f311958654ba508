"""Signing in and out, also through the identity provider; and administration: users, teams, tokens, the audit log."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
from dataclasses import asdict
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field

from inquest.api.access import COOKIE, Administrating, CurrentPerson, Opened, Serving, address_of, root_of
from inquest.api.problems import problems
from inquest.api.shapes import Body, Name, Number
from inquest.app.access import accounts
from inquest.app.access.accounts import AccountChanges, Shown, accounts_of
from inquest.app.access.oidc import Begun, begin, finish
from inquest.app.cases.case_request import Short
from inquest.domain.errors import InputError, NotSignedIn
from inquest.domain.person import AuditLine, Credential, Role, Team, User

router = APIRouter(tags=["access"])

Password = Annotated[str, Field(max_length=1024)]


class SignIn(Body):
    """A name and its password."""

    name: Name = Field(examples=["Ada"])
    password: Password


class Me(BaseModel):
    """The person of the request."""

    name: str
    role: Role
    teams: list[int] = Field(description="numbers of the teams")
    how: str = Field(description="loopback, session or token")


class UserBody(Body):
    """A new user. Without a password they sign in through the identity provider or use tokens."""

    name: Name = Field(examples=["Ada"])
    role: Role = Role.INVESTIGATOR
    teams: list[Short] = Field([], max_length=50, description="names; unknown teams are created")
    password: Password | None = None


class TokenBody(Body):
    """A token for programs."""

    name: Name = Field(examples=["nightly checks"])
    scope: Role = Field(Role.INVESTIGATOR, description="its highest role")
    days: int | None = Field(90, ge=1, le=3650, description="until it expires; null: never")
    user: Short | None = Field(None, description="its owner; admins may name another user")


class TokenShown(BaseModel):
    """A new token with its secret, which is not shown again."""

    token: str = Field(examples=["inq_0f3..."])
    credential: Credential


class Users(BaseModel):
    """All users."""

    users: list[User]


class Teams(BaseModel):
    """All teams."""

    teams: list[Team]


class Tokens(BaseModel):
    """Tokens without their secrets, newest first."""

    tokens: list[Credential]


class AuditPage(BaseModel):
    """Lines of the audit log, newest first."""

    lines: list[AuditLine]


class AuditQuery(Body):
    """A page of the audit log."""

    before: Number | None = Field(None, description="only lines with a smaller number")
    limit: int = Field(100, ge=1, le=1000)


class TeamBody(Body):
    """People who share cases and collections."""

    name: Name = Field(examples=["City desk"])


@router.post("/sign-in", responses=problems())
async def sign_in(body: SignIn, request: Request, response: Response, serving: Serving) -> Me:
    """Begin a session and store it in a cookie that no script can read."""
    app = serving.app
    shown = await accounts.sign_in(app, body.name, body.password, address=address_of(request))
    keep_session(response, shown, secure=is_https(request, app.settings.public_url))
    return await me(await accounts.person_of(app, shown.secret, kind="session"))


@router.post("/sign-out", status_code=204, responses=problems())
async def sign_out(person: CurrentPerson, app: Opened, response: Response) -> None:
    """End this session."""
    if person.how == "session" and person.credential is not None:
        await (await accounts_of(app)).revoke(person.credential, at=app.clock.now(), user_id=person.id)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")


@router.get("/me", responses=problems())
async def me(person: CurrentPerson) -> Me:
    """Your name, role and teams."""
    return Me(name=person.name, role=person.role, teams=list(person.teams), how=person.how)


@router.get("/users", responses=problems())
async def list_users(acting: Administrating) -> Users:
    """All users."""
    return Users(users=await (await accounts_of(acting.app)).users())


@router.post("/users", status_code=201, responses=problems(404, 409))
async def add_user(body: UserBody, acting: Administrating) -> User:
    """Add a user."""
    by = acting.person.name
    return await accounts.add_user(acting.app, body.name, body.role, teams=body.teams, password=body.password, by=by)


@router.patch("/users/{name}", responses=problems(404, 409))
async def change_user(name: str, body: AccountChanges, acting: Administrating) -> User:
    """Change a user's role, teams or password, or lock the account."""
    return await accounts.change_user(acting.app, name, body, by=acting.person.name)


@router.get("/teams", responses=problems())
async def list_teams(acting: Administrating) -> Teams:
    """All teams."""
    return Teams(teams=await (await accounts_of(acting.app)).teams())


@router.post("/teams", status_code=201, responses=problems(409))
async def add_team(body: TeamBody, acting: Administrating) -> Team:
    """Create a team."""
    return await accounts.add_team(acting.app, body.name, by=acting.person.name)


@router.get("/tokens", responses=problems())
async def list_tokens(person: CurrentPerson, app: Opened) -> Tokens:
    """Your tokens; for admins, all tokens."""
    mine = None if person.sees_all else person.id
    return Tokens(tokens=await (await accounts_of(app)).credentials(mine, "token"))


@router.post("/tokens", status_code=201, responses=problems(404, 409))
async def add_token(body: TokenBody, person: CurrentPerson, app: Opened) -> TokenShown:
    """Create a token. Its secret is only in this reply."""
    rows = await accounts_of(app)
    if body.user is not None and person.sees_all:
        user = await rows.user(body.user)
    elif person.id is not None:
        user = await rows.user_of(person.id)
    else:
        raise InputError("A token belongs to a user: this token has no owner.", advice="Name one in `user`.")
    # A token cannot create one with a higher role.
    scope = min(body.scope, person.role, key=lambda role: role.rank)
    shown = await accounts.add_token(app, user, body.name, scope=scope, days=body.days, by=person.name)
    return TokenShown(token=shown.secret, credential=shown.credential)


@router.delete("/tokens/{number}", status_code=204, responses=problems(404))
async def revoke_token(number: Number, person: CurrentPerson, app: Opened) -> None:
    """Revoke one of your tokens or sessions; admins may revoke any."""
    rows, now = await accounts_of(app), app.clock.now()
    await rows.revoke(number, at=now, user_id=None if person.sees_all else person.id)
    await rows.note("token revoked", str(number), by=person.name, at=now)


@router.get("/audit", responses=problems())
async def audit(acting: Administrating, query: Annotated[AuditQuery, Query()]) -> AuditPage:
    """The audit log, newest first."""
    return AuditPage(lines=await (await accounts_of(acting.app)).log(before=query.before, limit=query.limit))


def is_https(request: Request, public_url: str | None) -> bool:
    """True if the user's browser reaches the server by https."""
    return request.url.scheme == "https" or (public_url or "").startswith("https://")


def keep_session(response: Response, shown: Shown, *, secure: bool) -> None:
    """Send the session as a cookie for this server alone that no script can read."""
    until: datetime | None = shown.credential.expires_at
    response.set_cookie(COOKIE, shown.secret, expires=until, path="/", secure=secure, httponly=True, samesite="lax")


_COOKIE, _SECONDS = "inquest_sign_in", 600
_BACK = "/api/v1/oidc/callback"
_SENT = {"description": "The browser is redirected."}


@router.get(
    "/oidc/sign-in",
    name="sign_in",
    status_code=302,
    response_class=RedirectResponse,
    responses={302: _SENT, **problems(404, 424)},
)
async def sign_in_elsewhere(request: Request, app: Opened) -> RedirectResponse:
    """Send the browser to the identity provider."""
    begun = await begin(app, root_of(request, app) + _BACK)
    reply = RedirectResponse(begun.url, 302)
    reply.set_cookie(
        _COOKIE,
        base64.urlsafe_b64encode(json.dumps(asdict(begun)).encode()).decode(),
        max_age=_SECONDS,
        path="/api/v1/oidc",
        secure=is_https(request, app.settings.public_url),
        httponly=True,
        samesite="lax",
    )
    return reply


@router.get(
    "/oidc/callback",
    status_code=302,
    response_class=RedirectResponse,
    responses={302: _SENT, **problems(404, 409, 424)},
)
async def callback(
    request: Request,
    app: Opened,
    code: Annotated[str, Query(max_length=4_000)] = "",
    state: Annotated[str, Query(max_length=500)] = "",
) -> Response:
    """Begin a session after the identity provider's redirection, and go to the newsroom page."""
    begun = _begun(request.cookies.get(_COOKIE, ""))
    if begun is None or not code or not hmac.compare_digest(begun.state.encode(), state.encode("utf-8", "replace")):
        raise NotSignedIn("This sign-in did not begin here, or has expired.", advice="Sign in again.")
    back = root_of(request, app) + _BACK
    shown = await finish(app, begun, code, back, address=address_of(request))
    reply = RedirectResponse("/", 302)
    reply.delete_cookie(_COOKIE, path="/api/v1/oidc")
    keep_session(reply, shown, secure=is_https(request, app.settings.public_url))
    return reply


def _begun(cookie: str) -> Begun | None:
    try:
        return Begun(**json.loads(base64.urlsafe_b64decode(cookie)))
    except (ValueError, TypeError, binascii.Error):
        return None
