"""Connections: to the checked addresses, under the requested name; through proxies; with custom certificate
authorities."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inquest.domain.errors import EngineUnavailable, PageForbidden, PageUnavailable, SettingError
from tests.net.loopback import QUICK, LoopbackWeb, a_door, engine, http, page, says, serving

FINE = http(200, b"<p>fine</p>")
TLS = Path(__file__).parent / "tls"
"""A self-signed certificate for paper.example, and its key, which protects nothing."""
ONCE = replace(QUICK, obey_robots=False, attempts=1)


class Resolver:
    """Returns the next set of addresses for each look-up of a name."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


async def test_the_connection_is_made_to_the_address_that_was_judged() -> None:
    resolver = Resolver(["127.0.0.1"])
    async with LoopbackWeb({"/x": says(FINE)}) as web:
        async with a_door(allow_hosts=[f"paper.example:{web.port}"], resolve=resolver, policy=ONCE) as door:
            for n in range(3):
                await page(door, web.url(f"/x?{n}", "paper.example"))
        assert web.asked[0].headers["host"] == f"paper.example:{web.port}"
        assert resolver.asked == ["paper.example"]  # once for each connection, and never again after the check


async def test_a_name_that_changes_its_meaning_is_judged_anew() -> None:
    """DNS rebinding: first an external address, then an internal one when the connection is made."""
    resolver = Resolver(["93.184.215.14"], ["127.0.0.1"])
    async with LoopbackWeb({"/x": says(FINE)}) as web, a_door(resolve=resolver, policy=ONCE) as door:
        with pytest.raises(PageUnavailable):  # the test's network reaches loopback only
            await page(door, web.url("/x", "rebind.example"))
        with pytest.raises(PageForbidden, match=r"it leads to 127\.0\.0\.1, a loopback address"):
            await page(door, web.url("/x?2", "rebind.example"))
        assert web.asked == []


@pytest.mark.parametrize("answer", ["10.0.0.8", "169.254.169.254", "::1", "fd00:ec2::254", "::ffff:10.0.0.8"])
async def test_one_inside_address_among_the_answers_is_enough_for_a_no(answer: str) -> None:
    async with a_door(resolve=Resolver(["93.184.215.14", answer]), policy=ONCE) as door:
        with pytest.raises(PageForbidden, match="leads to"):
            await page(door, "http://mixed.example/")
        with pytest.raises(EngineUnavailable, match="leads to") as met:
            await engine(door, "http://mixed.example/")
        assert "INQUEST_ALLOW_HOSTS" in met.value.advice


async def test_a_hop_to_a_name_that_stands_for_the_inside_is_refused() -> None:
    sly = says(http(302, Location="http://sly.example/"))
    async with LoopbackWeb({"/x": sly}) as web, a_door(web, resolve=Resolver(["192.168.0.1"])) as door:
        with pytest.raises(PageForbidden, match=r"leads to 192\.168\.0\.1, a private address"):
            await page(door, web.url("/x"))


async def test_the_next_address_is_tried_where_one_does_not_answer() -> None:
    async with LoopbackWeb({"/x": says(FINE)}) as web:
        resolver = Resolver(["::1", "127.0.0.1"])  # nobody listens on ::1
        async with a_door(allow_hosts=["paper.example"], resolve=resolver, policy=ONCE) as door:
            assert (await page(door, web.url("/x", "paper.example"))).status == 200


class Failing(Resolver):
    """Fails with this code each time."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code

    async def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        raise socket.gaierror(self.code, "failed")


async def test_a_name_that_does_not_exist_is_reported_as_unknown_and_not_asked_for_again() -> None:
    unknown = Failing(socket.EAI_NONAME)
    async with a_door(resolve=unknown) as door:
        with pytest.raises(PageUnavailable, match=r"nowhere\.example cannot be reached: ") as met:
            await page(door, "http://nowhere.example/")
        assert met.value.advice == "Check the spelling and the network connection." and len(unknown.asked) == 1
        # The address of a service is not user input: it comes with the engine, or from the settings.
        with pytest.raises(EngineUnavailable, match="cannot be reached: ") as of_engine:
            await engine(door, "http://api.nowhere.example/")
        assert "spelling" not in of_engine.value.advice
        assert all(word in of_engine.value.advice for word in ("network", "moved", "settings"))


async def test_a_resolver_that_is_out_of_order_is_asked_again() -> None:
    stumbling = Failing(socket.EAI_AGAIN)
    async with a_door(resolve=stumbling) as door:
        with pytest.raises(EngineUnavailable, match="alpha could not be looked up"):
            await engine(door, "http://somewhere.example/")
        assert len(stumbling.asked) == 3


# TLS ----------------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def secure_web(seen: list[str | None]) -> AsyncIterator[int]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "loopback.pem", TLS / "loopback-key.pem")
    context.sni_callback = lambda connection, name, _: seen.append(name)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(FINE)
        await writer.drain()

    async with serving(serve, context) as port:
        yield port


async def test_an_authority_of_ones_own_is_trusted_and_the_server_is_known_by_its_name() -> None:
    seen: list[str | None] = []
    async with secure_web(seen) as port:
        settings: dict[str, Any] = {"allow_hosts": ["127.0.0.1"], "resolve": Resolver(["127.0.0.1"]), "policy": ONCE}
        async with a_door(ca_file=str(TLS / "loopback.pem"), **settings) as door:
            assert (await page(door, f"https://news.paper.example:{port}/")).status == 200
            assert seen == ["news.paper.example"]
            with pytest.raises(PageUnavailable, match="has an invalid certificate") as met:
                await page(door, f"https://other.example:{port}/")
            assert "INQUEST_CA_FILE" in met.value.advice
        async with a_door(**settings) as door:
            with pytest.raises(PageUnavailable, match="has an invalid certificate"):
                await page(door, f"https://paper.example:{port}/")


async def test_https_asked_of_a_server_that_speaks_something_else() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        await writer.drain()
        await reader.read()

    async with serving(serve) as port, a_door(allow_hosts=["127.0.0.1"], policy=ONCE) as door:
        with pytest.raises(PageUnavailable, match=r"127\.0\.0\.1 failed the TLS handshake\."):
            await page(door, f"https://127.0.0.1:{port}/")


def test_a_certificate_file_that_is_none_is_a_settings_error(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="There is no certificate file at"):
        a_door(ca_file=str(tmp_path / "none.pem"))
    (tmp_path / "some.pem").write_text("not a certificate")
    with pytest.raises(SettingError, match="contains no readable certificate"):
        a_door(ca_file=str(tmp_path / "some.pem"))


# Proxies ------------------------------------------------------------------------------------------------------------


class Relay:
    """A proxy on loopback that accepts any name, and leads every one of them to one place."""

    def __init__(self, to_port: int) -> None:
        self.to_port = to_port
        self.asked_for: list[str] = []
        self.credentials: list[str] = []
        self.port = 0

    @asynccontextmanager
    async def running(self, speak: str) -> AsyncIterator[Relay]:
        async with serving(self._socks if speak == "socks" else self._http) as self.port:
            yield self

    async def _socks(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """RFC 1928, and RFC 1929 if the client offers only a password."""
        _, count = await reader.readexactly(2)
        methods = await reader.readexactly(count)
        if methods == b"\x02":
            writer.write(b"\x05\x02")
            _, size = await reader.readexactly(2)
            name = await reader.readexactly(size)
            word = await reader.readexactly((await reader.readexactly(1))[0])
            self.credentials.append(f"{name.decode()}:{word.decode()}")
            writer.write(b"\x01\x00")
        else:
            writer.write(b"\x05\x00")
        kind = (await reader.readexactly(4))[3]
        if kind == 3:
            host = (await reader.readexactly((await reader.readexactly(1))[0])).decode()
        else:
            host = str(ipaddress.ip_address(await reader.readexactly(4 if kind == 1 else 16)))
        port = int.from_bytes(await reader.readexactly(2), "big")
        self.asked_for.append(f"{host}:{port}")
        writer.write(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00")
        await self._pass_on(reader, writer, b"")

    async def _http(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, _ = head.decode().split(" ", 2)
        self.asked_for.append(target)
        self.credentials += [line.split(": ")[1] for line in head.decode().split("\r\n") if "roxy-auth" in line.lower()]
        if method == "CONNECT":
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            head = b""
        await self._pass_on(reader, writer, head.replace(target.encode(), b"/x", 1))

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first: bytes) -> None:
        their_reader, their_writer = await asyncio.open_connection("127.0.0.1", self.to_port)
        their_writer.write(first)

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            try:
                while data := await source.read(65536):
                    sink.write(data)
                    await sink.drain()
            finally:
                sink.close()

        try:
            await asyncio.gather(pump(reader, their_writer), pump(their_reader, writer))
        finally:
            their_writer.close()


@pytest.mark.parametrize(
    ("scheme", "speak", "asked_for"),
    [
        ("http", "http", "http://paper.example/x"),
        ("socks5", "socks", "paper.example:80"),
        ("socks5h", "socks", "paper.example:80"),
    ],
)
async def test_a_proxy_is_given_the_name_and_resolves_it(scheme: str, speak: str, asked_for: str) -> None:
    async def never_here(host: str, port: int) -> list[str]:
        raise AssertionError(f"{host} was looked up here")

    async with LoopbackWeb({"/x": says(FINE)}) as web, Relay(web.port).running(speak) as relay:
        proxy = f"{scheme}://me:word@127.0.0.1:{relay.port}"
        async with a_door(proxy=proxy, resolve=never_here, policy=ONCE) as door:
            assert (await page(door, "http://paper.example/x")).body == b"<p>fine</p>"
            for inside in ("http://127.0.0.1/", "http://localhost/", "http://router/", "http://[::1]/"):
                with pytest.raises(PageForbidden):
                    await page(door, inside)
        assert relay.asked_for == [asked_for]
        assert relay.credentials in (["me:word"], ["Basic bWU6d29yZA=="])


async def test_a_host_inside_that_is_allowed_is_reached_past_the_proxy() -> None:
    async with LoopbackWeb({"/x": says(FINE)}) as web:
        for scheme in ("http", "socks5"):
            inside = [f"127.0.0.1:{web.port}", f"wiki.lan:{web.port}"]
            resolver = Resolver(["127.0.0.1"])
            nobody = f"{scheme}://127.0.0.1:9"
            async with a_door(proxy=nobody, allow_hosts=inside, resolve=resolver, policy=ONCE) as door:
                assert (await page(door, web.url("/x", "127.0.0.1"))).status == 200
                assert (await page(door, web.url("/x", "wiki.lan"))).status == 200
                with pytest.raises(PageUnavailable, match="proxy"):
                    await page(door, "http://paper.example/x")


async def test_https_goes_through_a_proxy_end_to_end() -> None:
    seen: list[str | None] = []
    async with secure_web(seen) as port, Relay(port).running("http") as relay:
        proxy = f"http://127.0.0.1:{relay.port}"
        async with a_door(proxy=proxy, ca_file=str(TLS / "loopback.pem"), policy=ONCE) as door:
            assert (await page(door, "https://paper.example/")).status == 200
    assert (relay.asked_for, seen) == (["paper.example:443"], ["paper.example"])


async def test_a_proxy_that_is_not_there_is_an_outage() -> None:
    async with LoopbackWeb() as web:
        pass
    for scheme in ("http", "socks5"):
        async with a_door(proxy=f"{scheme}://127.0.0.1:{web.port}", policy=ONCE) as door:
            with pytest.raises(PageUnavailable, match=r"paper\.example .* since the proxy refused the connection"):
                await page(door, "http://paper.example/")


async def test_a_proxy_that_says_no_is_an_outage() -> None:
    async def refuses(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(http(403, b"no"))

    async with serving(refuses) as port, a_door(proxy=f"http://127.0.0.1:{port}", policy=ONCE) as door:
        with pytest.raises(PageUnavailable, match=r"paper\.example could not be reached through the proxy \(403"):
            await page(door, "https://paper.example/")


@pytest.mark.parametrize("answer", [b"", b"\x05\xff", b"HTTP/1.1 400 No\r\n\r\n", b"\x05\x00\x05\x05\x00"])
async def test_a_proxy_that_does_not_speak_socks_is_an_outage(answer: bytes) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(3)
        writer.write(answer)

    async with serving(serve) as port, a_door(proxy=f"socks5://127.0.0.1:{port}", policy=ONCE) as door:
        with pytest.raises(PageUnavailable, match=r"paper\.example "):
            await page(door, "http://paper.example/")


@pytest.mark.parametrize(
    "proxy", ["nonsense", "ftp://me:word@host:1", "http://", "me:word@host:3128", "socks4://host:1", "http://[::1"]
)
def test_a_proxy_that_cannot_be_used_is_a_settings_error_that_shows_no_password(proxy: str) -> None:
    with pytest.raises(SettingError, match=r"The proxy's address is invalid\.") as met:
        a_door(proxy=proxy)
    assert "word" not in met.value.sentence


async def test_the_environments_proxies_have_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with LoopbackWeb({"/x": says(FINE)}) as web, a_door(web) as door:
        assert (await page(door, web.url("/x"))).status == 200
