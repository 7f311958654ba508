"""Which IP addresses lie outside, where anybody's pages are, and which lie inside or nowhere.

The table is the special-purpose registries of IANA (RFC 6890 and its updates) as data, so that the judgment does not
change with the version of Python, and the few addresses of cloud providers that look public and are not.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from inquest.text.regex import regex

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_METADATA = "an address at which cloud machines keep their secrets"
_LINK_LOCAL = "a link-local address"
_NO_SERVER = "no server's address"

# The first row that holds an address speaks, so that a single address comes before the network around it.
_V4 = tuple(
    (IPv4Network(network), reason)
    for network, reason in (
        ("169.254.169.254/32", _METADATA),
        ("169.254.170.2/32", _METADATA),
        ("100.100.100.200/32", _METADATA),
        ("192.0.0.192/32", _METADATA),
        ("168.63.129.16/32", _METADATA),
        ("0.0.0.0/8", _NO_SERVER),
        ("10.0.0.0/8", "a private address"),
        ("100.64.0.0/10", "an address shared behind a carrier's gateway"),
        ("127.0.0.0/8", "a loopback address"),
        ("169.254.0.0/16", _LINK_LOCAL),
        ("172.16.0.0/12", "a private address"),
        ("192.0.0.0/24", "a reserved address"),
        ("192.0.2.0/24", "an address for documentation"),
        ("192.31.196.0/24", "a reserved address"),
        ("192.52.193.0/24", "a reserved address"),
        ("192.88.99.0/24", "a tunnel's address"),
        ("192.168.0.0/16", "a private address"),
        ("192.175.48.0/24", "a reserved address"),
        ("198.18.0.0/15", "an address for measuring networks"),
        ("198.51.100.0/24", "an address for documentation"),
        ("203.0.113.0/24", "an address for documentation"),
        ("224.0.0.0/4", "a multicast address"),
        ("240.0.0.0/4", _NO_SERVER),
    )
)
_V6 = tuple(
    (IPv6Network(network), reason)
    for network, reason in (
        ("fd00:ec2::254/128", _METADATA),
        ("fd20:ce::254/128", _METADATA),
        ("::1/128", "a loopback address"),
        ("::/96", _NO_SERVER),
        ("64:ff9b:1::/48", "a local translation of an IPv4 address"),
        ("2001::/32", "a tunnel's address"),
        ("2001:db8::/32", "an address for documentation"),
        ("2001::/23", "a reserved address"),
        ("2002::/16", "a tunnel's address"),
        ("3fff::/20", "an address for documentation"),
        ("fc00::/7", "a private address"),
        ("fe80::/10", _LINK_LOCAL),
        ("fec0::/10", "a private address"),
        ("ff00::/8", "a multicast address"),
    )
)
_GLOBAL_V6 = IPv6Network("2000::/3")
_TRANSLATED = IPv6Network("64:ff9b::/96")
_NUMBER = regex(r"(?:0[xX][0-9a-fA-F]*|[0-9]+)")


def canonical(address: Address) -> Address:
    """The IPv4 address inside an IPv4-mapped (::ffff:0:0/96) or translated (NAT64, RFC 6052) one; else itself."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in _TRANSLATED:
            return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def why_not_outside(address: Address) -> str | None:
    """What the address is, where it is no public server's ('a private address'); None: it lies outside."""
    address = canonical(address)
    if isinstance(address, IPv4Address):
        return next((reason for network, reason in _V4 if address in network), None)
    reason = next((reason for network, reason in _V6 if address in network), None)
    if reason is None and address not in _GLOBAL_V6:
        return "an address that nobody has been given"
    return reason


def is_never_a_server(address: Address) -> bool:
    """Whether not even a name that the user allows may lead there: link-local (and so the cloud's metadata),
    metadata, multicast, unspecified, tunnels. Such an address must itself be allowed."""
    return why_not_outside(address) in (_METADATA, _LINK_LOCAL, _NO_SERVER, "a multicast address", "a tunnel's address")


def spelled_oddly(host: str) -> bool:
    """Whether a host is an IPv4 address in a spelling that only some programs read: 2130706433, 0177.0.0.1, 0x7f.1,
    127.1. As in the URL standard, a host whose last label is a number is meant as an address."""
    labels = host.removesuffix(".").split(".")
    if not _NUMBER.fullmatch(labels[-1]):
        return False
    try:
        ip_address(host)
    except ValueError:
        return True
    return False
