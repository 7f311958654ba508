"""Public suffixes, by the list that comes with tldextract (https://publicsuffix.org/list, ICANN's part).

The library itself loads an HTTP client to fetch newer lists, which takes longer than all that is asked of it here; the
list is never fetched, so that the same URL means the same domain everywhere.
"""

from __future__ import annotations

import ipaddress
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

_PRIVATE = "// ===BEGIN PRIVATE DOMAINS==="


def under_public_suffix(host: str) -> str:
    """The registrable domain of a host in lower case: `news.bbc.co.uk` -> `bbc.co.uk`; '' where it has none: it is an
    address, a public suffix itself, or under no known one."""
    labels = host.split(".")
    spelled = [_spelled(label) for label in labels]
    if "" in labels or _is_address(host):
        return ""
    rules = _rules()
    for place in range(len(labels)):
        rest = ".".join(spelled[place:])
        above = ".".join(spelled[place + 1 :])
        if f"!{rest}" in rules:
            return ".".join(labels[place:])
        if rest in rules or f"*.{above}" in rules:
            return ".".join(labels[place - 1 :]) if place else ""
    return ""


def _spelled(label: str) -> str:
    """The label as the list writes it: in its own letters."""
    if label.startswith("xn--"):
        with suppress(UnicodeError):
            return label.encode("ascii").decode("idna")
    return label


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1)
def _rules() -> frozenset[str]:
    found = find_spec("tldextract")
    assert found is not None and found.origin is not None
    text = Path(found.origin).with_name(".tld_set_snapshot").read_text("utf-8").partition(_PRIVATE)[0]
    return frozenset(line.strip() for line in text.splitlines() if line and not line.startswith("//"))
