"""Signing in by a whole identity provider: Authlib's own server, which checks what we send it."""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2
import pytest
from authlib.oauth2.rfc6749 import AuthorizationServer, OAuth2Request, grants
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc6750 import BearerTokenGenerator
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oidc.core import OpenIDCode
from joserfc.jwk import RSAKey

from inquest import Inquest
from inquest.api.server import create_app
from tests.net.loopback import Asked, LoopbackWeb, http, says

SECRET = "s3cret: with a colon"
BACK = "https://desk.example/api/v1/oidc/callback"


class Asking(OAuth2Request):  # type: ignore[misc]
    """A request as the provider's library reads it."""

    def __init__(self, asked: Asked) -> None:
        super().__init__(asked.method, asked.path, headers={k.title(): v for k, v in asked.headers.items()})
        self._args = dict(parse_qsl(urlsplit(asked.path).query))
        self._form = dict(parse_qsl(asked.body.decode()))
        self.payload = BasicOAuth2Payload({**self._args, **self._form})

    @property
    def args(self) -> Mapping[str, str]:
        return self._args

    @property
    def form(self) -> Mapping[str, str]:
        return self._form


class Client:
    """The one client of the provider."""

    id_token_signed_response_alg = "RS256"

    def __init__(self, method: str) -> None:
        self.method = method

    def get_client_id(self) -> str:
        return "desk"

    def get_default_redirect_uri(self) -> str:
        return BACK

    def get_allowed_scope(self, scope: str) -> str:
        return scope

    def check_redirect_uri(self, uri: str) -> bool:
        return uri == BACK

    def check_client_secret(self, secret: str) -> bool:
        return secret == SECRET

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == self.method

    def check_response_type(self, kind: str) -> bool:
        return kind == "code"

    def check_grant_type(self, kind: str) -> bool:
        return kind == "authorization_code"


@dataclass
class Code:
    """An authorization code that was given out."""

    given: Mapping[str, str]
    user: str
    code_challenge: str = field(init=False)
    code_challenge_method: str = field(init=False)

    def __post_init__(self) -> None:
        self.code_challenge = self.given["code_challenge"]
        self.code_challenge_method = self.given["code_challenge_method"]

    def get_redirect_uri(self) -> str:
        return self.given["redirect_uri"]

    def get_scope(self) -> str:
        return self.given["scope"]

    def get_nonce(self) -> str:
        return self.given["nonce"]

    def get_auth_time(self) -> None:
        return None

    get_acr = get_amr = get_auth_time


class Grant(grants.AuthorizationCodeGrant):  # type: ignore[misc]
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]

    def save_authorization_code(self, code: str, request: OAuth2Request) -> None:
        self.server.codes[code] = Code(dict(request.payload.data), request.user)

    def query_authorization_code(self, code: str, client: Client) -> Code | None:
        found: Code | None = self.server.codes.get(code)
        return found

    def delete_authorization_code(self, code: Code) -> None:
        self.server.codes = {name: each for name, each in self.server.codes.items() if each is not code}

    def authenticate_user(self, code: Code) -> str:
        return code.user


class OpenID(OpenIDCode):  # type: ignore[misc]
    def __init__(self, issuer: str, key: RSAKey) -> None:
        super().__init__(require_nonce=True)
        self._issuer, self._key = issuer, key

    def exists_nonce(self, nonce: str, request: OAuth2Request) -> bool:
        return False

    def resolve_client_private_key(self, client: Client) -> RSAKey:
        return self._key

    def get_encode_header(self, client: Client) -> dict[str, str]:
        return {"alg": "RS256", "kid": "1"}

    def get_client_claims(self, client: Client) -> dict[str, Any]:
        return {"iss": self._issuer, "aud": [client.get_client_id()]}

    def generate_user_info(self, user: str, scope: str) -> dict[str, str]:
        return {"sub": f"id of {user}", "preferred_username": user}


class Provider(AuthorizationServer):  # type: ignore[misc]
    """At the loopback; whoever comes is `ada`."""

    def __init__(self, web: LoopbackWeb, method: str) -> None:
        super().__init__()
        self.codes: dict[str, Code] = {}
        self._client, key = Client(method), RSAKey.generate_key(2048, {"kid": "1"})
        issuer = web.url("")
        self.register_grant(Grant, [CodeChallenge(required=True), OpenID(issuer, key)])
        self.register_token_generator("default", BearerTokenGenerator(lambda *_, **__: os.urandom(16).hex()))
        known: dict[str, Any] = {
            "issuer": issuer,
            "authorization_endpoint": web.url("/authorize"),
            "token_endpoint": web.url("/token"),
            "jwks_uri": web.url("/keys"),
        }
        if method == "client_secret_post":  # the other is what holds where nothing is said
            known["token_endpoint_auth_methods_supported"] = [method]
        keys = {"keys": [key.as_dict(private=False)]}
        web.at["/.well-known/openid-configuration"] = says(http(200, json.dumps(known).encode(), "application/json"))
        web.at["/keys"] = says(http(200, json.dumps(keys).encode(), "application/json"))
        web.at["/authorize"], web.at["/token"] = self._authorize, self._token

    def query_client(self, client_id: str) -> Client | None:
        return self._client if client_id == "desk" else None

    def save_token(self, token: Mapping[str, str], request: OAuth2Request) -> None:
        pass

    def send_signal(self, name: str, *args: object, **more: object) -> None:
        pass

    def create_oauth2_request(self, request: Asked) -> OAuth2Request:
        return Asking(request)

    def handle_response(self, status: int, body: Any, headers: list[tuple[str, str]]) -> bytes:
        named = {name.replace("-", "_"): value for name, value in headers if name.lower() != "content-type"}
        return http(status, json.dumps(body).encode() if body else b"", "application/json", **named)

    async def _authorize(self, asked: Asked, writer: asyncio.StreamWriter) -> bool:
        request = Asking(asked)
        request.user = "ada"
        grant = self.get_authorization_grant(request)
        writer.write(self.create_authorization_response(request, grant_user="ada", grant=grant))
        return True

    async def _token(self, asked: Asked, writer: asyncio.StreamWriter) -> bool:
        writer.write(self.create_token_response(asked))
        return True


@pytest.fixture(params=["client_secret_basic", "client_secret_post"])
async def web(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[LoopbackWeb]:
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")  # of the provider: it is at the loopback
    async with LoopbackWeb() as made:
        Provider(made, request.param)
        yield made


async def test_a_whole_provider_signs_somebody_in_once_for_each_code(web: LoopbackWeb, tmp_path: Path) -> None:
    settings = {"oidc_issuer": web.url(""), "keys": {"OIDC_CLIENT_ID": "desk", "OIDC_CLIENT_SECRET": SECRET}}
    async with Inquest(home=tmp_path / "home", **settings) as inquest:
        api = create_app(inquest.app)
        transport = httpx2.ASGITransport(api, client=("203.0.113.9", 5000))
        async with (
            api.router.lifespan_context(api),
            httpx2.AsyncClient(transport=transport, base_url="https://desk.example") as desk,
            httpx2.AsyncClient(trust_env=False) as browser,
        ):
            begun = await desk.get("/api/v1/oidc/sign-in")
            sent_back = await browser.get(begun.headers["Location"])
            assert sent_back.status_code == 302, sent_back.text
            back = sent_back.headers["Location"]
            assert back.startswith(BACK)
            cookie = desk.cookies.get("inquest_sign_in", path="/api/v1/oidc")
            done = await desk.get(back)
            assert (done.status_code, done.headers.get("Location")) == (302, "/"), done.text
            me = (await desk.get("/api/v1/me")).json()
            assert (me["name"], me["role"]) == ("ada", "reader")

            assert cookie is not None
            desk.cookies.clear()
            again = await desk.get(back, headers={"Cookie": f"inquest_sign_in={cookie}"})
            assert again.status_code == 401, "a code is good for one sign-in"
            begun_says = json.loads(base64.urlsafe_b64decode(cookie.strip('"')))
            assert SECRET not in json.dumps(begun_says)
