"""Signing in by an identity provider (OpenID Connect, code flow with PKCE), which the operator names.

Authlib makes and checks what is exchanged; every request goes through a door of our own, and nothing of it is recorded.
"""

from __future__ import annotations

import base64
import json
import secrets
import warnings
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from inquest.app.access.accounts import LONGEST_NAME, Shown, accounts_of, begin_session
from inquest.app.callbacks.posting import door_of_its_own, host_and_port
from inquest.domain.errors import Conflict, NotAllowed, NotFound, NotSignedIn, Outage
from inquest.domain.person import Role, User
from inquest.kit.exchange import Purpose, Request
from inquest.net.door import Door
from inquest.net.manners import Manners

if TYPE_CHECKING:
    from inquest.app.settings import Settings
    from inquest.app.wiring.resources import Resources

LABEL = "sign-in"
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures by a key pair alone: with a shared secret whoever knows the client could make them."""
_LEEWAY = 60
"""Seconds by which clocks may differ."""


@dataclass(frozen=True)
class Begun:
    """A sign-in that is under way: where the browser goes, and what it keeps until it comes back."""

    url: str
    state: str
    nonce: str
    verifier: str


def _configured(settings: Settings) -> tuple[str, str, str]:
    """Issuer, client id and secret ('' for a public client). Raises NotFound where no provider is set."""
    issuer, client = settings.oidc_issuer, settings.key("OIDC_CLIENT_ID")
    if not issuer or not client or find_spec("authlib") is None:
        raise NotFound(
            "No identity provider is set here.",
            advice="Set INQUEST_OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and install inquest[server].",
        )
    return issuer.rstrip("/"), client, settings.key("OIDC_CLIENT_SECRET") or ""


async def begin(app: Resources, redirect_uri: str) -> Begun:
    """Where to send the browser. Raises NotFound where no provider is set, Outage where it cannot be asked."""
    issuer, client, _ = _configured(app.settings)
    from authlib.oauth2.rfc7636 import create_s256_code_challenge

    async with _provider(app, issuer) as provider:
        known = await provider.discover()
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    asked = {
        "response_type": "code",
        "client_id": client,
        "redirect_uri": redirect_uri,
        "scope": "openid profile email",
        "state": state,
        "nonce": nonce,
        "code_challenge": create_s256_code_challenge(verifier),
        "code_challenge_method": "S256",
    }
    address = str(known["authorization_endpoint"])
    return Begun(f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}", state, nonce, verifier)


async def finish(app: Resources, begun: Begun, code: str, redirect_uri: str, *, address: str) -> Shown:
    """A session for whom the provider vouches; somebody who is new has the role of INQUEST_OIDC_ROLE. Raises
    NotSignedIn where what the provider says does not hold, NotAllowed for who is shut out or not let in, Conflict where
    the name is another user's, Outage."""
    issuer, client, secret = _configured(app.settings)
    async with _provider(app, issuer) as provider:
        known = await provider.discover()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "client_id": client,
            "code_verifier": begun.verifier,
        }
        answer = await provider.ask(str(known["token_endpoint"]), _Form(form, secret, in_body=_takes_post(known)))
        keys = await provider.ask(str(known["jwks_uri"]))
    claims = _checked(
        answer.get("id_token"), keys, str(known["issuer"]), client, begun.nonce, app.clock.now().timestamp()
    )
    return await begin_session(app, await _user(app, claims), address=address)


def _takes_post(known: Mapping[str, Any]) -> bool:
    """True where the client's secret may stand in the body (OpenID Connect Discovery 1.0, section 3: where nothing is
    said of it, it may not)."""
    methods = known.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    return isinstance(methods, list) and "client_secret_post" in methods


@dataclass(frozen=True)
class _Form:
    """What is sent to the token endpoint."""

    fields: Mapping[str, str]
    secret: str
    """Of the client; '': it is a public one."""
    in_body: bool

    @property
    def body(self) -> bytes:
        secret = {"client_secret": self.secret} if self.secret and self.in_body else {}
        return urlencode({**self.fields, **secret}).encode()

    @property
    def basic(self) -> str:
        """The client's id and secret as a header has them (RFC 6749, section 2.3.1); '': they are not in a header."""
        if not self.secret or self.in_body:
            return ""
        pair = f"{quote(self.fields['client_id'], safe='')}:{quote(self.secret, safe='')}"
        return base64.b64encode(pair.encode()).decode()


def _checked(
    token: object, keys: Mapping[str, Any], issuer: str, client: str, nonce: str, now: float
) -> Mapping[str, Any]:
    """What the provider says of the user, where it is signed by it, meant for us, for this sign-in, and not too old."""
    from authlib.common.errors import AuthlibBaseError
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from authlib.oidc.core import CodeIDToken
    try:
        read = jwt.decode(str(token), KeySet.import_key_set(dict(keys)), algorithms=list(ALGORITHMS))  # type: ignore[arg-type]
        wanted = {
            "iss": {"essential": True, "value": issuer},
            "aud": {"essential": True, "value": client},
            "nonce": {"essential": True, "value": nonce},
            "sub": {"essential": True},
        }
        params = {"nonce": nonce, "client_id": client}
        claims = CodeIDToken(read.claims, read.header, wanted, params)
        claims.validate(now=int(now), leeway=_LEEWAY)
    except (JoseError, AuthlibBaseError, ValueError, KeyError, TypeError) as error:
        raise NotSignedIn("The identity provider's word does not hold.", advice="Sign in again.") from error
    return dict(claims)


async def _user(app: Resources, claims: Mapping[str, Any]) -> User:
    accounts = await accounts_of(app)
    subject = f"{claims['iss']} {claims['sub']}"
    user = await accounts.user_of_subject(subject)
    if user is None:
        if app.settings.oidc_role == "none":
            raise NotAllowed("You are not let in here yet.", advice="Ask an admin.")
        named = (claims.get(name) for name in ("preferred_username", "email", "name", "sub"))
        name = next(str(each).strip()[:LONGEST_NAME] for each in named if each and str(each).strip())
        try:
            user = await accounts.add_user(name, Role(app.settings.oidc_role), at=app.clock.now(), subject=subject)
        except Conflict as error:
            raise Conflict(f"The name {name} is another user's.", advice="Ask an admin.") from error
        await accounts.note("user added", f"{name} by the identity provider", by=name, at=app.clock.now())
    if not user.active:
        raise NotAllowed("You are shut out here.", advice="Ask an admin.")
    return user


class _Provider:
    """The identity provider, asked through a door that reaches its host though it be inside."""

    def __init__(self, door: Door, issuer: str) -> None:
        self._door, self._issuer = door.for_case(None, cache_age=None), issuer

    async def discover(self) -> Mapping[str, Any]:
        """Its addresses. Raises Outage."""
        known = await self.ask(f"{self._issuer}/.well-known/openid-configuration")
        needed = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")
        if any(not isinstance(known.get(name), str) for name in needed) or known["issuer"].rstrip("/") != self._issuer:
            raise Outage("The identity provider does not say what it is.", advice="Check INQUEST_OIDC_ISSUER.")
        return known

    async def ask(self, url: str, form: _Form | None = None) -> Mapping[str, Any]:
        """Its JSON. Raises Outage."""
        headers = [("Accept", "application/json")]
        if form is not None:
            headers.append(("Content-Type", "application/x-www-form-urlencoded"))
            if form.basic:
                headers.append(("Authorization", f"Basic {form.basic}"))
        request = Request(
            url=url,
            method="POST" if form is not None else "GET",
            headers=tuple(headers),
            body=form.body if form is not None else None,
            secrets=tuple(each for each in (form.secret, form.basic) if each) if form is not None else (),
            reply_secrets=("access_token", "refresh_token"),
        )
        reply = await self._door.fetch(request, purpose=Purpose.ENGINE, label=LABEL)
        if reply.status in (400, 401, 403) and form is not None:
            raise NotSignedIn("The identity provider refused the sign-in.", advice="Sign in again.")
        try:
            claims = json.loads(reply.body) if 200 <= reply.status < 300 else None
        except ValueError:
            claims = None
        if not isinstance(claims, dict):
            raise Outage(f"The identity provider answered with status {reply.status} and no JSON.", advice="Try again.")
        return claims


@asynccontextmanager
async def _provider(app: Resources, issuer: str) -> AsyncIterator[_Provider]:
    own = host_and_port(issuer)
    hosts, manners = (*app.settings.allow_hosts, own), Manners(attempts=2, max_redirects=0)
    async with door_of_its_own(app.settings, app.clock, "sign-in", hosts, manners) as door:
        yield _Provider(door, issuer)
