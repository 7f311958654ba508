"""Signing in by an identity provider: whom it vouches for is let in, and nobody else's word counts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey

from inquest import Inquest
from inquest.api.server import create_app
from tests.net.loopback import Asked, LoopbackWeb, http, says


class Provider:
    """An identity provider at the loopback; `change` alters what it says of the user."""

    def __init__(self, web: LoopbackWeb) -> None:
        self.web, self.key = web, RSAKey.generate_key(2048, {"kid": "1"})
        self.signer: RSAKey | None = None
        self.nonce, self.asked = "", list[dict[str, list[str]]]()
        self.change: Callable[[dict[str, Any]], None] = lambda claims: None
        issuer = web.url("")
        self.claims = {"iss": issuer, "aud": "desk", "sub": "248289", "preferred_username": "ada"}
        known = {
            "issuer": issuer,
            "authorization_endpoint": "https://login.example/authorize",
            "token_endpoint": web.url("/token"),
            "jwks_uri": web.url("/keys"),
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        }
        web.at["/.well-known/openid-configuration"] = says(http(200, json.dumps(known).encode(), "application/json"))
        keys = {"keys": [self.key.as_dict(private=False)]}
        web.at["/keys"] = says(http(200, json.dumps(keys).encode(), "application/json"))
        web.at["/token"] = self._token

    async def _token(self, asked: Asked, writer: asyncio.StreamWriter) -> bool:
        self.asked.append(parse_qs(asked.body.decode()))
        import time

        now = int(time.time())
        claims: dict[str, Any] = {**self.claims, "nonce": self.nonce, "iat": now, "exp": now + 300}
        self.change(claims)
        token = jwt.encode({"alg": "RS256", "kid": "1"}, claims, self.signer or self.key)
        writer.write(http(200, json.dumps({"id_token": token, "access_token": "x"}).encode(), "application/json"))
        return True


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    async with LoopbackWeb() as web:
        yield Provider(web)


@pytest.fixture
async def client(provider: Provider, tmp_path: Path) -> AsyncIterator[httpx2.AsyncClient]:
    settings = {"oidc_issuer": provider.web.url(""), "keys": {"OIDC_CLIENT_ID": "desk", "OIDC_CLIENT_SECRET": "s3cret"}}
    async with Inquest(home=tmp_path / "home", **settings) as inquest:
        api = create_app(inquest.app)
        async with api.router.lifespan_context(api):
            transport = httpx2.ASGITransport(api, client=("203.0.113.9", 5000))
            async with httpx2.AsyncClient(transport=transport, base_url="https://desk.example") as connected:
                yield connected


async def come_back(client: httpx2.AsyncClient, provider: Provider, **changed: str) -> httpx2.Response:
    """From the sign-in to where the provider sends the browser back to."""
    sent = await client.get("/api/v1/oidc/sign-in")
    assert sent.status_code == 302
    asked = parse_qs(urlsplit(sent.headers["Location"]).query)
    assert asked["code_challenge_method"] == ["S256"] and asked["client_id"] == ["desk"]
    assert asked["redirect_uri"] == ["https://desk.example/api/v1/oidc/callback"]
    provider.nonce = asked["nonce"][0]
    return await client.get("/api/v1/oidc/callback", params={"code": "c0de", "state": asked["state"][0], **changed})


async def test_whom_the_provider_vouches_for_is_let_in_as_a_reader(
    client: httpx2.AsyncClient, provider: Provider
) -> None:
    for _ in range(2):  # the second time they are known
        back = await come_back(client, provider)
        assert back.status_code == 302 and back.headers["Location"] == "/", back.text
        me = (await client.get("/api/v1/me")).json()
        assert (me["name"], me["role"], me["how"]) == ("ada", "reader", "session")
    assert provider.asked[0]["client_secret"] == ["s3cret"] and provider.asked[0]["code_verifier"]


def _other(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda claims: claims.__setitem__(name, value)


@pytest.mark.parametrize(
    "change",
    [
        _other("nonce", "another"),
        _other("aud", "somebody else"),
        _other("iss", "https://other.example"),
        _other("exp", 1),
        lambda claims: claims.pop("sub"),
    ],
)
async def test_what_was_not_said_for_this_sign_in_lets_nobody_in(
    client: httpx2.AsyncClient, provider: Provider, change: Callable[[dict[str, Any]], None]
) -> None:
    provider.change = change
    assert (await come_back(client, provider)).status_code == 401
    assert (await client.get("/api/v1/me")).status_code == 401


async def test_another_key_or_another_browser_lets_nobody_in(client: httpx2.AsyncClient, provider: Provider) -> None:
    provider.signer = RSAKey.generate_key(2048, {"kid": "1"})
    assert (await come_back(client, provider)).status_code == 401
    provider.signer = None
    assert (await come_back(client, provider, state="another")).status_code == 401
    assert (await client.get("/api/v1/me")).status_code == 401
