"""URLs as identities: registrable domains, comparison keys, and what may be shown or followed.

Public suffixes are those of the list that comes with tldextract (https://publicsuffix.org/list, ICANN's part), without
the library itself, which loads an HTTP client. No newer list is fetched: a URL means the same domain everywhere.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from inquest.text.lexicon import word_set
from inquest.text.regex import regex

_TRACKING_NAMES = word_set(__name__, "tracking_names")
_TRACKING_PREFIXES = ("utm_", "pk_", "mtm_", "at_", "ns_", "hsa_")


def with_scheme(url: str) -> str:
    """The URL with https:// where it has no scheme. `bbc.com/news` -> `https://bbc.com/news`."""
    url = url.strip()
    if not url or "://" in url.split("?", 1)[0]:
        return url
    return "https://" + url.removeprefix("//")


def shown_address(url: str) -> str:
    """The address as others may see it: of a file its name alone, and not in whose folder it lay."""
    return unquote(url.rsplit("/", 1)[-1]) if url.startswith("file:") else url


def is_web_url(url: str) -> bool:
    """Whether it is an absolute http or https URL with a host: what may be fetched, linked and shown."""
    try:
        parts = urlsplit(url)
        return parts.scheme.lower() in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def host_of(url: str) -> str:
    """The host in lower case, IDNA-encoded, without port or credentials; '' where there is none."""
    try:
        host = (urlsplit(with_scheme(url)).hostname or "").rstrip(".")
        return host.encode("idna").decode("ascii").lower() if not host.isascii() else host.lower()
    except (ValueError, UnicodeError):
        return ""


def registrable_domain(url: str) -> str:
    """The registrable domain by the public suffix list: `https://news.bbc.co.uk/x` -> `bbc.co.uk`.

    An address without one (localhost, an IP, a public suffix itself) gives its host.
    """
    host = host_of(url)
    return under_public_suffix(host) or host


def clean(url: str) -> str:
    """The URL as it is shown and fetched: host in lower case, fragment and tracking parameters off, path as it is."""
    parts = urlsplit(with_scheme(url))
    encoded = _untracked(parts.query) if parts.query else ""
    return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), parts.path or "/", encoded, ""))


def _untracked(query: str) -> str:
    given = parse_qsl(query, keep_blank_values=True)
    names = [name.lower() for name, _ in given]
    tracking = [name in _TRACKING_NAMES or name.startswith(_TRACKING_PREFIXES) for name in names]
    # An untouched query keeps its own spelling: re-encoding could change what the server understands.
    return urlencode([one for one, off in zip(given, tracking, strict=True) if not off]) if any(tracking) else query


_AMP_PATH = regex(r"(/[^/]*[-\d][^/]*)/amp$")
"""After the name of an article, which has a hyphen or a number: '/products/amp' is a page of its own."""
_AMP_PARAMETERS = (("amp", ""), ("amp", "1"), ("outputType", "amp"))


def comparison_key(url: str) -> str:
    """What two spellings of one address share: `clean`, and scheme, leading www, default port, slash at the end and
    order of parameters made alike, and without the marks of an article's AMP version. The case of the path and
    meaningful parameters count (PRODUCT.md, decision 4).

    A URL that cannot be parsed is its own key.
    """
    try:
        parts = urlsplit(clean(url))
        port = parts.port
    except ValueError:
        return url
    if parts.scheme not in ("http", "https"):
        return url
    host = host_of(url).removeprefix("www.").removeprefix("amp.")
    if port not in (None, 80, 443):
        host = f"{host}:{port}"
    parameters = [each for each in parse_qsl(parts.query, keep_blank_values=True) if each not in _AMP_PARAMETERS]
    query = urlencode(sorted(parameters))
    path = _AMP_PATH.sub(r"\1", parts.path.rstrip("/")) or "/"
    return f"{host}{path}" + (f"?{query}" if query else "")


_PRIVATE = "// ===BEGIN PRIVATE DOMAINS==="


@lru_cache(maxsize=16_384)
def under_public_suffix(host: str) -> str:
    """The registrable domain of a host in lower case: `news.bbc.co.uk` -> `bbc.co.uk`; '' where it has none: it is an
    address, a public suffix itself, or under no known one."""
    labels = host.split(".")
    spelled = [_spelled(label) for label in labels]
    if "" in labels or ":" in host or labels[-1].isdigit():
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


@lru_cache(maxsize=1)
def _rules() -> frozenset[str]:
    found = find_spec("tldextract")
    assert found is not None and found.origin is not None
    text = Path(found.origin).with_name(".tld_set_snapshot").read_text("utf-8").partition(_PRIVATE)[0]
    return frozenset(line.strip() for line in text.splitlines() if line and not line.startswith("//"))
