"""The guard: which addresses may be fetched, in every spelling."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.errors import SettingError
from inquest.net.guard import Forbidden, Guard, canonical, is_never_a_server, spelled_oddly, why_not_outside

INSIDE = """
http://127.0.0.1/
http://127.1/
http://127.0.1/
http://2130706433/
http://017700000001/
http://0177.0.0.1/
http://0x7f.1/
http://0x7f000001/
http://0X7F.0.0.1/
http://127.0.0.01/
http://0/
http://0.0.0.0/
http://127.0.0.1./
http://127.255.255.254/
http://localhost/
http://LOCALHOST/
http://localhost./
http://foo.localhost/
http://printer.local/
http://metadata.google.internal/
http://db.internal./
http://router/
http://nas.lan/
http://box.home.arpa/
http://intranet.corp/
http://10.0.0.1/
http://172.16.0.1/
http://172.31.255.255/
http://192.168.1.1/
http://169.254.169.254/latest/meta-data/
http://169.254.170.2/v2/credentials
http://100.100.100.200/
http://168.63.129.16/
http://192.0.0.192/
http://100.64.0.1/
http://100.127.255.255/
http://169.254.0.1/
http://192.0.2.1/
http://198.18.0.1/
http://198.51.100.7/
http://203.0.113.9/
http://192.88.99.1/
http://224.0.0.1/
http://239.255.255.250/
http://240.0.0.1/
http://255.255.255.255/
http://[::1]/
http://[::]/
http://[0:0:0:0:0:0:0:1]/
http://[::127.0.0.1]/
http://[::ffff:127.0.0.1]/
http://[::ffff:7f00:1]/
http://[::ffff:169.254.169.254]/
http://[64:ff9b::7f00:1]/
http://[64:ff9b::10.0.0.1]/
http://[64:ff9b:1::1]/
http://[2002:7f00:1::]/
http://[2002:808:808::1]/
http://[2001:0:53aa:64c:0:5efe:8080:8080]/
http://[fe80::1]/
http://[fe80::1%25eth0]/
http://[fec0::1]/
http://[fc00::1]/
http://[fd00:ec2::254]/
http://[fd12:3456::1]/
http://[ff02::1]/
http://[2001:db8::1]/
http://[100::1]/
http://[4000::1]/
http://１２７.０.０.１/
http://127。0。0。1/
http://ⓛocalhost/
http://127.0.0.1.nip.io/
http://localtest.me/
http://expyuzz4wqqyqhjn.onion/
""".split()

NOT_THE_WEB = [
    *"""
ftp://example.org/
file:///etc/passwd
gopher://example.org/
javascript:alert(1)
data:text/html,hello
collection://docs/1
http:///nothing
http://
example.org/page
//example.org/
http://example.org:22/
http://example.org:25/
http://example.org:6379/
http://example.org:11211/
http://example.org:65536/
http://example.org:-1/
http://user:word@example.org/
http://example.org@127.0.0.1/
http://127.0.0.1\\@example.org/
http://exa%6dple.org/
http://exa_mple..org/
http://-example.org/
http://1.2.3.4.5/
http://256.1.1.1/
http://0xnothing.0x/
http://[::1/
http://[zz]/
""".split(),
    "http://exam ple.org/",
    "http://exam\\ple.org/",
    "http://example.org\r\nHost: inside/",
    "http://example.org/\tpath",
    "",
    "http://" + "a" * 64 + ".org/",
    "http://" + "a." * 130 + "org/",
]

OUTSIDE = {
    "http://example.org": "http://example.org/",
    "https://EXAMPLE.org./Path?Q=1#part": "https://example.org/Path?Q=1",
    "http://example.org:80/": "http://example.org/",
    "https://example.org:443/a": "https://example.org/a",
    "http://example.org:8080/": "http://example.org:8080/",
    "https://bücher.example/": "https://xn--bcher-kva.example/",
    "https://faß.example/": "https://xn--fa-hia.example/",
    "http://93.184.215.14/": "http://93.184.215.14/",
    "http://[2606:4700::6810:84e5]/": "http://[2606:4700::6810:84e5]/",
    "http://[2606:4700:0:0::6810:84e5]:8443/": "http://[2606:4700::6810:84e5]:8443/",
    "http://[::ffff:93.184.215.14]/": "http://[::ffff:5db8:d70e]/",
    "http://7-eleven.example/": "http://7-eleven.example/",
    "http://under_score.example.org/": "http://under_score.example.org/",
}


@pytest.mark.parametrize("url", INSIDE)
def test_addresses_of_the_inside_are_refused_in_every_spelling(url: str) -> None:
    with pytest.raises(Forbidden):
        Guard().place(url)


@pytest.mark.parametrize("url", NOT_THE_WEB)
def test_what_is_not_the_web_is_refused(url: str) -> None:
    with pytest.raises(Forbidden):
        Guard().place(url)


@pytest.mark.parametrize(("url", "asked"), OUTSIDE.items())
def test_the_web_is_let_through_in_one_spelling(url: str, asked: str) -> None:
    place = Guard().place(url)
    assert (place.url, place.own) == (asked, False)


@pytest.mark.parametrize(
    ("entry", "reached", "refused"),
    [
        ("127.0.0.1:11434", "http://127.0.0.1:11434/", "http://127.0.0.1:8080/"),
        ("127.0.0.1:6379", "http://127.0.0.1:6379/", "http://127.0.0.1/"),
        ("127.0.0.1", "http://127.0.0.1:8888/", "http://127.0.0.1:6379/"),
        ("10.0.0.0/8", "http://10.20.30.40/", "http://11.0.0.1:22/"),
        ("[::1]:8080", "http://[::1]:8080/", "http://[::1]:8081/"),
        ("::1", "http://[::1]:8080/", "http://[::2]/"),
        ("fd00::/8", "http://[fd00::5]/", "http://[fe80::5]/"),
        ("searx.lan", "http://searx.lan:8888/", "http://other.lan/"),
        ("searx.lan:8888", "http://SEARX.lan.:8888/", "http://searx.lan/"),
        ("*.corp", "http://wiki.corp/", "http://corp/"),
        ("localhost", "http://localhost:8080/", "http://sub.localhost/"),
        ("127.0.0.1", "http://[::ffff:127.0.0.1]/", "http://2130706433/"),
    ],
)
def test_the_allow_list_opens_what_it_names_and_no_more(entry: str, reached: str, refused: str) -> None:
    guard = Guard([f" {entry} ", ""])
    assert guard.place(reached).own
    with pytest.raises(Forbidden):
        guard.place(refused)


@pytest.mark.parametrize("entry", ["http://host/", "host/path", "a b", "10.0.0.0/99", "host:port", "u@host", "0x7f.1"])
def test_an_entry_that_cannot_be_read_is_the_users_error(entry: str) -> None:
    with pytest.raises(SettingError, match="allowed hosts"):
        Guard([entry])


def test_every_answer_of_a_name_is_judged() -> None:
    guard = Guard()
    assert guard.admit("example.org", 443, ["93.184.215.14", "2606:4700::1"]) == ["93.184.215.14", "2606:4700::1"]
    for address in ("127.0.0.1", "::1", "10.1.1.1", "fe80::1%eth0", "::ffff:127.0.0.1", "64:ff9b::a00:1"):
        with pytest.raises(Forbidden, match="leads to"):
            guard.admit("example.org", 443, ["93.184.215.14", address])


def test_a_name_that_the_user_allows_may_lead_inside_but_never_to_the_clouds_secrets() -> None:
    guard = Guard(["searx.example.org:8888"])
    assert guard.admit("searx.example.org", 8888, ["10.0.0.5"]) == ["10.0.0.5"]
    for host, port, address in (
        ("searx.example.org", 9999, "10.0.0.5"),
        ("other.example.org", 8888, "10.0.0.5"),
        ("searx.example.org", 8888, "169.254.169.254"),
        ("searx.example.org", 8888, "fd00:ec2::254"),
        ("searx.example.org", 8888, "0.0.0.0"),
    ):
        with pytest.raises(Forbidden):
            guard.admit(host, port, [address])
    assert Guard(["169.254.169.254"]).admit("any.example.org", 80, ["169.254.169.254"])


def test_a_name_of_the_inside_may_stand_for_an_address_that_is_allowed() -> None:
    guard = Guard(["127.0.0.1:11434"])
    assert guard.place("http://localhost:11434/v1").host == "localhost"
    assert guard.admit("localhost", 11434, ["127.0.0.1"])
    with pytest.raises(Forbidden):
        guard.admit("localhost", 11434, ["127.0.0.1", "::1"])
    with pytest.raises(Forbidden):
        guard.place("http://localhost:8080/")


def test_behind_a_proxy_names_are_all_there_is_to_judge() -> None:
    guard = Guard(["10.0.0.0/8"], proxied=True)
    assert guard.place("http://expyuzz4wqqyqhjn.onion/").host.endswith(".onion")
    for url in ("http://wiki.corp/", "http://127.0.0.1/", "http://127.0.0.1.sslip.io/"):
        with pytest.raises(Forbidden):
            guard.place(url)


@given(st.ip_addresses())
def test_an_address_outside_is_never_one_that_python_calls_private(address: IPv4Address | IPv6Address) -> None:
    if why_not_outside(address) is None:
        plain = canonical(address)
        assert not (plain.is_private or plain.is_loopback or plain.is_link_local or plain.is_multicast)
        assert not (plain.is_reserved or plain.is_unspecified) or plain.version == 6
    if is_never_a_server(address):
        assert why_not_outside(address) is not None


@given(st.ip_addresses(v=4))
def test_an_address_is_judged_alike_however_it_is_wrapped(address: IPv4Address) -> None:
    mapped = ip_address(f"::ffff:{address}")
    translated = ip_address(int(ip_address("64:ff9b::")) | int(address))
    assert why_not_outside(address) == why_not_outside(mapped) == why_not_outside(translated)
    assert not spelled_oddly(str(address))
    assert spelled_oddly(str(int(address))) and spelled_oddly(hex(int(address)))


@given(st.text(max_size=40))
def test_whatever_the_host_the_answer_is_a_place_or_a_no(host: str) -> None:
    try:
        place = Guard().place(f"http://{host}/")
    except Forbidden:
        return
    assert place.host.isascii() and place.host == place.host.lower()
    assert Guard().place(place.url) == place
