"""Signing in through an identity provider: only users that it confirms have access."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote_plus, urlsplit

import httpx2
import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey

from inquest import Inquest
from tests.faces_api.conftest import served
from tests.net.loopback import Asked, LoopbackWeb, http, says

SECRET = "s3cret: with a colon"


class Provider:
    """An identity provider on loopback; `change` alters its data on the user."""

    def __init__(self, web: LoopbackWeb, method: str) -> None:
        self.web, self.key = web, RSAKey.generate_key(2048, {"kid": "1"})
        self.signer: RSAKey | None = None
        self.nonce, self.challenge, self.method = "", "", method
        self.change: Callable[[dict[str, Any]], None] = lambda claims: None
        issuer = web.url("")
        self.claims = {"iss": issuer, "aud": "desk", "sub": "248289", "preferred_username": "ada"}
        known: dict[str, Any] = {
            "issuer": issuer,
            "authorization_endpoint": "https://login.example/authorize",
            "token_endpoint": web.url("/token"),
            "jwks_uri": web.url("/keys"),
        }
        if method == "client_secret_post":  # the other is the default if nothing is stated
            known["token_endpoint_auth_methods_supported"] = [method]
        web.at["/.well-known/openid-configuration"] = says(http(200, json.dumps(known).encode(), "application/json"))
        keys = {"keys": [self.key.as_dict(private=False)]}
        web.at["/keys"] = says(http(200, json.dumps(keys).encode(), "application/json"))
        web.at["/token"] = self._token

    async def _token(self, asked: Asked, writer: asyncio.StreamWriter) -> bool:
        form = {name: values[0] for name, values in parse_qs(asked.body.decode()).items()}
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        if (
            base64.urlsafe_b64encode(digest).decode().rstrip("=") != self.challenge
            or self._secret(asked, form) != SECRET
        ):
            writer.write(http(401, b'{"error": "invalid_client"}', "application/json"))
            return True
        now = int(time.time())
        claims: dict[str, Any] = {**self.claims, "nonce": self.nonce, "iat": now, "exp": now + 300}
        self.change(claims)
        token = jwt.encode({"alg": "RS256", "kid": "1"}, claims, self.signer or self.key)
        writer.write(http(200, json.dumps({"id_token": token, "access_token": "x"}).encode(), "application/json"))
        return True

    def _secret(self, asked: Asked, form: dict[str, str]) -> str:
        """The client's credentials, sent by the one method that is allowed."""
        if self.method == "client_secret_post":
            return form.get("client_secret", "")
        sent = {name.lower(): value for name, value in asked.headers.items()}.get("authorization", "")
        return unquote_plus(base64.b64decode(sent.removeprefix("Basic ")).decode().partition(":")[2])


@pytest.fixture
async def provider(request: pytest.FixtureRequest) -> AsyncIterator[Provider]:
    async with LoopbackWeb() as web:
        yield Provider(web, getattr(request, "param", "client_secret_basic"))


@pytest.fixture
async def client(provider: Provider, tmp_path: Path) -> AsyncIterator[httpx2.AsyncClient]:
    settings = {"oidc_issuer": provider.web.url(""), "keys": {"OIDC_CLIENT_ID": "desk", "OIDC_CLIENT_SECRET": SECRET}}
    async with Inquest(home=tmp_path / "home", **settings) as inquest, served(inquest) as api:
        transport = httpx2.ASGITransport(api, client=("203.0.113.9", 5000))
        async with httpx2.AsyncClient(transport=transport, base_url="https://desk.example") as connected:
            yield connected


async def come_back(client: httpx2.AsyncClient, provider: Provider, **changed: str) -> httpx2.Response:
    """The steps from the sign-in to the address to which the provider returns the browser."""
    sent = await client.get("/api/v1/oidc/sign-in")
    assert sent.status_code == 302
    asked = parse_qs(urlsplit(sent.headers["Location"]).query)
    assert asked["code_challenge_method"] == ["S256"] and asked["client_id"] == ["desk"]
    assert asked["redirect_uri"] == ["https://desk.example/api/v1/oidc/callback"]
    provider.nonce, provider.challenge = asked["nonce"][0], asked["code_challenge"][0]
    return await client.get("/api/v1/oidc/callback", params={"code": "c0de", "state": asked["state"][0], **changed})


@pytest.mark.parametrize("provider", ["client_secret_basic", "client_secret_post"], indirect=True)
async def test_whom_the_provider_vouches_for_is_let_in_as_a_reader(
    client: httpx2.AsyncClient, provider: Provider
) -> None:
    for _ in range(2):  # the second time they are known
        back = await come_back(client, provider)
        assert back.status_code == 302 and back.headers["Location"] == "/", back.text
        me = (await client.get("/api/v1/me")).json()
        assert (me["name"], me["role"], me["how"]) == ("ada", "reader", "session")


def _other(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda claims: claims.__setitem__(name, value)


async def test_what_was_not_said_for_this_sign_in_lets_nobody_in(
    client: httpx2.AsyncClient, provider: Provider
) -> None:
    for name, value in (("nonce", "another"), ("aud", "somebody"), ("iss", "https://other.example"), ("exp", 1)):
        provider.change = _other(name, value)
        assert (await come_back(client, provider)).status_code == 401, name
    provider.change = lambda claims: claims.pop("sub")
    assert (await come_back(client, provider)).status_code == 401
    assert (await client.get("/api/v1/me")).status_code == 401
    provider.change = lambda claims: None
    provider.signer = RSAKey.generate_key(2048, {"kid": "1"})
    assert (await come_back(client, provider)).status_code == 401
    provider.signer = None
    assert (await come_back(client, provider, state="another")).status_code == 401
    assert (await client.get("/api/v1/me")).status_code == 401
