"""Keeps requests away from internal addresses of this machine, its network and its cloud (SSRF).

There are two checks. `Guard.place` checks the URL before any request: scheme, port, host as written. If names are
resolved here, `Guard.admit` checks all addresses of the name when connecting, and the connection is made to a checked
address, so that the name cannot be rebound in between. If a proxy resolves the names, only the first check applies.

The table of addresses contains IANA's special-purpose registries (RFC 6890 and its updates), so that results do not
depend on the version of Python, and the few addresses of cloud providers that look public but are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit, urlunsplit

import idna

from inquest.domain.errors import SettingError
from inquest.text.regex import regex

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_METADATA = "an address where cloud machines keep their secrets"
_LINK_LOCAL = "a link-local address"
_NO_SERVER = "not a server address"

# The first matching row applies, so single addresses come before the networks that contain them.
_INSIDE = tuple(
    (reason, tuple(map(ip_network, networks.split())))
    for reason, networks in (
        (
            _METADATA,
            "169.254.169.254 169.254.170.2 100.100.100.200 192.0.0.192 168.63.129.16 fd00:ec2::254 fd20:ce::254",
        ),
        ("a loopback address", "127.0.0.0/8 ::1"),
        (_NO_SERVER, "0.0.0.0/8 240.0.0.0/4 ::/96"),
        ("a private address", "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7 fec0::/10"),
        ("an address shared behind a carrier's gateway", "100.64.0.0/10"),
        (_LINK_LOCAL, "169.254.0.0/16 fe80::/10"),
        ("a local translation of an IPv4 address", "64:ff9b:1::/48"),
        ("a tunnel's address", "192.88.99.0/24 2001::/32 2002::/16"),
        ("an address for documentation", "192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32 3fff::/20"),
        ("a reserved address", "192.0.0.0/24 192.31.196.0/24 192.52.193.0/24 192.175.48.0/24 2001::/23"),
        ("an address for measuring networks", "198.18.0.0/15"),
        ("a multicast address", "224.0.0.0/4 ff00::/8"),
    )
)
_GLOBAL_V6 = IPv6Network("2000::/3")
_TRANSLATED = IPv6Network("64:ff9b::/96")
_NUMBER = regex(r"(?:0[xX][0-9a-fA-F]*|[0-9]+)")


def canonical(address: Address) -> Address:
    """Return the IPv4 address in an IPv4-mapped (::ffff:0:0/96) or NAT64 (RFC 6052) address, else the address."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in _TRANSLATED:
            return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def why_not_outside(address: Address) -> str | None:
    """Describe an address that is not public ('a private address'); None for public ones."""
    address = canonical(address)
    for reason, networks in _INSIDE:
        if any(address in network for network in networks):
            return reason
    return "an unassigned address" if isinstance(address, IPv6Address) and address not in _GLOBAL_V6 else None


def is_never_a_server(address: Address) -> bool:
    """Return True for addresses to which not even an allowed name may lead (link-local, cloud metadata, multicast,
    unspecified, tunnels); the address itself must be allowed."""
    return why_not_outside(address) in (_METADATA, _LINK_LOCAL, _NO_SERVER, "a multicast address", "a tunnel's address")


def spelled_oddly(host: str) -> bool:
    """Return True for IPv4 addresses in a spelling that only some programs accept: 2130706433, 0177.0.0.1, 0x7f.1,
    127.1. As in the URL standard, a host whose last label is a number is an address."""
    labels = host.removesuffix(".").split(".")
    if not _NUMBER.fullmatch(labels[-1]):
        return False
    try:
        ip_address(host)
    except ValueError:
        return True
    return False


_DEFAULT_PORTS = {"http": 80, "https": 443}

# The Fetch standard's bad ports above 1023, then databases, queues, caches, remote shells and cluster controls, which
# accept HTTP or can be attacked through it.
_SERVICE_PORTS = frozenset(
    int(port)
    for port in (
        "1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080 "
        "1433 1434 1521 2181 2375 2376 2377 2379 2380 3306 3389 4369 5432 5671 5672 5900 5901 5984 5985 5986 6379 "
        "6380 6443 8125 8500 9042 9092 9200 9300 10250 10255 11211 15672 27017 27018 27019"
    ).split()
)

# Names internal to a network (RFC 6761, 6762, 8375, ICANN's .internal), and public names made to resolve to internal
# addresses, which matters if a proxy resolves names.
_INSIDE_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "home.arpa", "localdomain")
_ALIASES_OF_INSIDE = ("nip.io", "sslip.io", "xip.io", "localtest.me", "lvh.me", "vcap.me", "lacolhost.com")

_LABEL = regex(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_CONTROL = regex(r"[\x00-\x1f\x7f]")
_BLANK = regex(r"[ \\]")


class Forbidden(Exception):
    """A URL or address is not allowed. `str(error)` completes 'The address ...'; the door raises a typed error."""


@dataclass(frozen=True, slots=True)
class Place:
    """The checked target of a request."""

    url: str
    """With the host in ASCII and lower case, no fragment."""
    scheme: str
    host: str
    """Without brackets."""
    port: int
    own: bool
    """True if the host is on the allow-list, that is, run by the user."""

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class _Allowed:
    """One entry of the allow-list."""

    name: str | None = None
    subdomains: bool = False
    network: Network | None = None
    port: int | None = None

    def takes_name(self, host: str, port: int) -> bool:
        if self.name is None or self.port not in (None, port):
            return False
        return host.endswith("." + self.name) if self.subdomains else host == self.name

    def takes_address(self, address: Address, port: int) -> bool:
        return self.network is not None and self.port in (None, port) and address in self.network


class Guard:
    """Decides where requests may go."""

    def __init__(self, allow_hosts: Iterable[str] = (), *, proxied: bool = False) -> None:
        """`allow_hosts`: hosts that the user runs: `searx.example.lan`, `*.example.lan`, `10.0.0.5`, `10.0.0.0/8`,
        `127.0.0.1:11434`, `[::1]:8080`. An entry with a port opens only that port; one without opens the web's ports.
        `proxied`: names are resolved by a proxy. Raises SettingError for an invalid entry."""
        self._allowed = tuple(_allowed(entry) for entry in allow_hosts if entry.strip())
        self._proxied = proxied

    def place(self, url: str) -> Place:
        """Check a URL as written. Raises Forbidden."""
        url = url.strip(" ")
        if _CONTROL.search(url):
            raise Forbidden("contains a control character")
        try:
            parts = urlsplit(url)
            written, port = parts.hostname, parts.port
        except ValueError as error:
            raise Forbidden("cannot be read as a URL") from error
        scheme = parts.scheme.lower()
        if scheme not in _DEFAULT_PORTS:
            raise Forbidden(f"has the scheme '{scheme}', but only http and https are fetched")
        if not written:
            raise Forbidden("has no host")
        if _BLANK.search(parts.netloc):
            raise Forbidden("has a space or a backslash in its host")
        if "@" in parts.netloc:
            raise Forbidden("contains a user name or password")
        host = _host(written)
        port = _DEFAULT_PORTS[scheme] if port is None else port
        own = self._judge(host, port)
        netloc = f"[{host}]" if ":" in host else host
        if port != _DEFAULT_PORTS[scheme]:
            netloc += f":{port}"
        path, query = (_BLANK.sub(lambda blank: f"%{ord(blank.group()):02X}", part) for part in parts[2:4])
        return Place(urlunsplit((scheme, netloc, path or "/", query, "")), scheme, host, port, own)

    def admit(self, host: str, port: int, addresses: Sequence[str]) -> list[str]:
        """Return the addresses of `host` if connections to all of them are allowed. Raises Forbidden. A single internal
        address is rejected, because it would be random which one is connected to."""
        named = any(entry.takes_name(host, port) for entry in self._allowed)
        for written in addresses:
            address = ip_address(written.partition("%")[0])
            if any(entry.takes_address(canonical(address), port) for entry in self._allowed):
                continue
            reason = why_not_outside(address)
            if reason is not None and not (named and not is_never_a_server(address)):
                raise Forbidden(f"leads to {address}, {reason}")
        return list(addresses)

    def is_own_inside(self, host: str, port: int) -> bool:
        """Return True for internal hosts allowed by name or address, which bypass the proxy."""
        try:
            address = ip_address(host)
        except ValueError:
            try:
                self._refuse_name(host)
            except Forbidden:
                return any(entry.takes_name(host, port) for entry in self._allowed)
            return False
        allowed = any(entry.takes_address(canonical(address), port) for entry in self._allowed)
        return allowed and why_not_outside(address) is not None

    def _judge(self, host: str, port: int) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            entries = [entry for entry in self._allowed if entry.takes_name(host, port)]
            # An internal name may resolve to an allowed address ('localhost', a wiki in 10/8).
            networks = (entry for entry in self._allowed if entry.network is not None and entry.port in (None, port))
            if not entries and (self._proxied or not any(networks)):
                self._refuse_name(host)
        else:
            entries = [entry for entry in self._allowed if entry.takes_address(canonical(address), port)]
            reason = why_not_outside(address)
            if reason is not None and not entries:
                raise Forbidden(f"is {reason}")
        opened = any(entry.port is not None for entry in entries)
        if not opened and (port in _SERVICE_PORTS or (port < 1024 and port not in (80, 443))):
            raise Forbidden(f"has the port {port}, which is not a web port")
        return bool(entries)

    def _refuse_name(self, host: str) -> None:
        under = {host, *(host[dot + 1 :] for dot, char in enumerate(host) if char == ".")}
        if "." not in host or under.intersection(_INSIDE_NAMES):
            raise Forbidden("is a name inside a private network")
        if under.intersection(_ALIASES_OF_INSIDE):
            raise Forbidden("is a name that resolves to the address written in it")
        if "onion" in under and not self._proxied:
            raise Forbidden("is an onion service, which only a Tor proxy can reach")


def _host(written: str) -> str:
    """Normalize a host: ASCII, lower case, no trailing dot. Raises Forbidden."""
    if ":" in written:
        try:
            return str(IPv6Address(written))
        except ValueError as error:
            raise Forbidden("has a host that is not an IPv6 address") from error
    try:
        # UTS 46 maps look-alikes (full-width digits, ideographic full stops) before the checks.
        host = written.lower() if written.isascii() else idna.encode(written, uts46=True).decode("ascii").lower()
    except idna.IDNAError as error:
        raise Forbidden("has a host that is not a valid name") from error
    host = host.removesuffix(".")
    if spelled_oddly(host):
        raise Forbidden("has a host that is a number but not a valid address")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in host.split(".")):
        raise Forbidden("has a host that is not a valid name")
    return host


def _allowed(entry: str) -> _Allowed:
    text = entry.strip().lower()
    wrong = SettingError(
        f"'{entry.strip()}' in the list of allowed hosts is neither a host nor a network.",
        advice="Write it as searx.example.lan, *.example.lan, 10.0.0.5, 10.0.0.0/8 or 127.0.0.1:8080.",
    )
    try:
        return _Allowed(network=ip_network(text.strip("[]"), strict=False))
    except ValueError:
        pass
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname or "", parts.port
        subdomains = host.startswith("*.")
        host = _host(host.removeprefix("*."))
    except (ValueError, Forbidden) as error:
        raise wrong from error
    if not host or parts.path or parts.query or parts.fragment or "@" in parts.netloc:
        raise wrong
    try:
        return _Allowed(network=ip_network(host), port=port)
    except ValueError:
        return _Allowed(name=host, subdomains=subdomains, port=port)
