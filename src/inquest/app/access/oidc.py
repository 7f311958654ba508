"""Sign-in through an identity provider of the operator's choice (OpenID Connect, code flow with PKCE).

Authlib builds and checks the messages; all requests use a separate HTTP client, without recording.
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
from inquest.app.callbacks.posting import door_of_its_own
from inquest.app.settings import host_and_port
from inquest.domain.errors import Conflict, NotAllowed, NotFound, NotSignedIn, Outage
from inquest.domain.person import Role
from inquest.kit.exchange import Purpose, Request
from inquest.net.door import Door
from inquest.net.policy import RequestPolicy

if TYPE_CHECKING:
    from inquest.app.settings import Settings
    from inquest.app.wiring.resources import Resources

LABEL = "sign-in"
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Asymmetric signatures only: with a shared secret, the client could forge them."""
_JSON = ("Accept", "application/json")
_REPLY_SECRETS = ("access_token", "refresh_token")
_LEEWAY = 60
"""Maximum difference between clocks in seconds."""


@dataclass(frozen=True)
class Begun:
    """A sign-in in progress: the URL for the browser, and the values that it keeps until it returns."""

    url: str
    state: str
    nonce: str
    verifier: str


def _configured(settings: Settings) -> tuple[str, str, str]:
    """Return issuer, client id and secret ('' for a public client). Raises NotFound if no provider is set."""
    issuer, client = settings.oidc_issuer, settings.key("OIDC_CLIENT_ID")
    if not issuer or not client or find_spec("authlib") is None:
        raise NotFound(
            "No identity provider is set up here.",
            advice="Set INQUEST_OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and install inquest[server].",
        )
    return issuer.rstrip("/"), client, settings.key("OIDC_CLIENT_SECRET") or ""


async def begin(app: Resources, redirect_uri: str) -> Begun:
    """Begin a sign-in. Raises NotFound if no provider is set, Outage if it cannot be reached."""
    issuer, client, _ = _configured(app.settings)
    from authlib.oauth2.rfc7636 import create_s256_code_challenge

    async with _door_to(app, issuer) as door:
        known = await _discover(door, issuer)
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
    """Open a session for the authenticated user; a new user gets the role of INQUEST_OIDC_ROLE. Raises NotSignedIn for
    an invalid answer, NotAllowed for a user who is deactivated or not admitted, Conflict if the name is taken,
    Outage."""
    issuer, client, secret = _configured(app.settings)
    async with _door_to(app, issuer) as door:
        known = await _discover(door, issuer)
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "client_id": client,
            "code_verifier": begun.verifier,
        }
        # The secret may be in the body only if the provider says so (OpenID Connect Discovery 1.0, section 3).
        methods = known.get("token_endpoint_auth_methods_supported")
        in_body = isinstance(methods, list) and "client_secret_post" in methods
        answer = await _ask(door, _token_request(str(known["token_endpoint"]), form, secret, in_body=in_body))
        keys = await _ask(door, _get(str(known["jwks_uri"])))
    claims = _checked(
        answer.get("id_token"), keys, str(known["issuer"]), client, begun.nonce, app.clock.now().timestamp()
    )
    accounts = await accounts_of(app)
    subject = f"{claims['iss']} {claims['sub']}"
    user = await accounts.user_of_subject(subject)
    if user is None:
        if app.settings.oidc_role == "none":
            raise NotAllowed("You have no account here yet.", advice="Ask an admin.")
        named = (claims.get(name) for name in ("preferred_username", "email", "name", "sub"))
        name = next(str(each).strip()[:LONGEST_NAME] for each in named if each and str(each).strip())
        try:
            user = await accounts.add_user(name, Role(app.settings.oidc_role), at=app.clock.now(), subject=subject)
        except Conflict as error:
            raise Conflict(f"The name {name} is taken.", advice="Ask an admin.") from error
        await accounts.note("user added", f"{name} by the identity provider", by=name, at=app.clock.now())
    if not user.active:
        raise NotAllowed("Your account is deactivated.", advice="Ask an admin.")
    return await begin_session(app, user, address=address)


def _get(url: str) -> Request:
    return Request(url=url, headers=(_JSON,), reply_secrets=_REPLY_SECRETS)


def _token_request(url: str, form: dict[str, str], secret: str, *, in_body: bool) -> Request:
    """The request to the token endpoint, with the client's secret in the body or a header (RFC 6749, section 2.3.1)."""
    headers, basic = [_JSON, ("Content-Type", "application/x-www-form-urlencoded")], ""
    if secret and in_body:
        form = {**form, "client_secret": secret}
    elif secret:
        pair = f"{quote(form['client_id'], safe='')}:{quote(secret, safe='')}"
        basic = base64.b64encode(pair.encode()).decode()
        headers.append(("Authorization", f"Basic {basic}"))
    return Request(
        url=url,
        method="POST",
        headers=tuple(headers),
        body=urlencode(form).encode(),
        secrets=tuple(filter(None, (secret, basic))),
        reply_secrets=_REPLY_SECRETS,
    )


def _checked(
    token: object, keys: Mapping[str, Any], issuer: str, client: str, nonce: str, now: float
) -> Mapping[str, Any]:
    """Return the user claims after checking signature, audience, nonce and age."""
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
        raise NotSignedIn("Invalid answer from the identity provider.", advice="Sign in again.") from error
    return dict(claims)


async def _discover(door: Door, issuer: str) -> Mapping[str, Any]:
    """Return the provider's metadata. Raises Outage."""
    known = await _ask(door, _get(f"{issuer}/.well-known/openid-configuration"))
    needed = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")
    if any(not isinstance(known.get(name), str) for name in needed) or known["issuer"].rstrip("/") != issuer:
        raise Outage("Invalid metadata from the identity provider.", advice="Check INQUEST_OIDC_ISSUER.")
    return known


async def _ask(door: Door, request: Request) -> Mapping[str, Any]:
    """Return the JSON of a request. Raises NotSignedIn if the token endpoint refuses, Outage."""
    reply = await door.fetch(request, purpose=Purpose.ENGINE, label=LABEL)
    if reply.status in (400, 401, 403) and request.method == "POST":
        raise NotSignedIn("The identity provider refused the sign-in.", advice="Sign in again.")
    try:
        answer = json.loads(reply.body) if 200 <= reply.status < 300 else None
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise Outage(f"The identity provider answered with status {reply.status} and no JSON.", advice="Try again.")
    return answer


@asynccontextmanager
async def _door_to(app: Resources, issuer: str) -> AsyncIterator[Door]:
    """A client for the identity provider, which may access its host even if internal."""
    hosts, policy = (*app.settings.allow_hosts, host_and_port(issuer)), RequestPolicy(attempts=2, max_redirects=0)
    async with door_of_its_own(app.settings, app.clock, "sign-in", hosts, policy) as door:
        yield door.for_case(None, cache_age=None)
