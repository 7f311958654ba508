"""URLs, DOIs and arXiv numbers as identities: registrable domains, comparison keys, versions, and preprint servers.

Public suffixes come from the list in tldextract (https://publicsuffix.org/list, ICANN's part), read without the library
itself, which loads an HTTP client. No newer list is fetched, so that a URL has the same domain everywhere."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from inquest.text.lexicon import facts, pattern, word_set
from inquest.text.regex import regex

_TRACKING_NAMES = word_set(__name__, "tracking_names")
_TRACKING_PREFIXES = ("utm_", "pk_", "mtm_", "at_", "ns_", "hsa_")
_DOI = pattern(__name__, "doi")
_ARXIV = pattern(__name__, "arxiv")
_VERSIONS = tuple((regex(server), regex(end)) for server, end in facts(__name__, "doi_versions").items())
_SERVERS = tuple((regex(form), name) for name, form in facts(__name__, "preprint_servers").items())
_IN_PATH = regex(r"/(?P<doi>10\.\d{4,9}/[^?#\s]+?)(?:/(?:e?pdf|full|abstract|meta|html))?/?(?:[?#]|$)")
_VENUES = pattern(__name__, "venues")


def with_scheme(url: str) -> str:
    """Add https:// to a URL without a scheme: `bbc.com/news` -> `https://bbc.com/news`."""
    url = url.strip()
    if not url or "://" in url.split("?", 1)[0]:
        return url
    return "https://" + url.removeprefix("//")


def shown_address(url: str) -> str:
    """The address as others may see it: only the name of a local file, without its folder."""
    return unquote(url.rsplit("/", 1)[-1]) if url.startswith("file:") else url


def is_web_url(url: str) -> bool:
    """True for an absolute http or https URL with a host, which may be fetched, linked and shown."""
    try:
        parts = urlsplit(url)
        return parts.scheme.lower() in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def host_of(url: str) -> str:
    """The host in lower case, IDNA-encoded, without port or credentials; '' if absent."""
    try:
        host = (urlsplit(with_scheme(url)).hostname or "").rstrip(".")
        return host.encode("idna").decode("ascii").lower() if not host.isascii() else host.lower()
    except (ValueError, UnicodeError):
        return ""


def registrable_domain(url: str) -> str:
    """The registrable domain by the public suffix list, `https://news.bbc.co.uk/x` -> `bbc.co.uk`, or the host of an
    address without one (localhost, an IP, a public suffix itself)."""
    host = host_of(url)
    return under_public_suffix(host) or host


_WRAPPERS = {
    "www.google.com/url": ("q", "url"),
    "l.facebook.com/l.php": ("u",),
    "lm.facebook.com/l.php": ("u",),
    "www.youtube.com/redirect": ("q",),
    "out.reddit.com/": ("url",),
    "safelinks.protection.outlook.com/": ("url",),
}
"""Services that lead to the address in a parameter, as documents and mail programs do."""


def _unwrapped(parts: SplitResult) -> str | None:
    host = parts.netloc.lower()
    host = "safelinks.protection.outlook.com" if host.endswith(".safelinks.protection.outlook.com") else host
    names = _WRAPPERS.get(f"{host}{parts.path or '/'}", ())
    return next((value for name, value in parse_qsl(parts.query) if name in names and is_web_url(value)), None)


def clean(url: str) -> str:
    """The URL as shown and fetched: host in lower case, without fragment and tracking parameters, path unchanged, and
    not behind a service that only leads to it."""
    parts = urlsplit(with_scheme(url))
    if parts.query and (inner := _unwrapped(parts)):
        parts = urlsplit(inner)
    encoded = _untracked(parts.query) if parts.query else ""
    return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), parts.path or "/", encoded, ""))


def _untracked(query: str) -> str:
    parameters = parse_qsl(query, keep_blank_values=True)
    kept = [
        (name, value)
        for name, value in parameters
        if name.lower() not in _TRACKING_NAMES and not name.lower().startswith(_TRACKING_PREFIXES)
    ]
    # A query without tracking keeps its spelling: the server may read another encoding differently.
    return urlencode(kept) if len(kept) < len(parameters) else query


_AMP_PATH = regex(r"(/[^/]*[-\d][^/]*)/amp$")
"""'/amp' after the name of an article, which has a hyphen or a digit: '/products/amp' is a separate page."""
_AMP_PARAMETERS = (("amp", ""), ("amp", "1"), ("outputType", "amp"))


def comparison_key(url: str) -> str:
    """A key that all spellings of one address share; a URL that cannot be parsed is its own key. It is `clean` without
    scheme, leading www, default port, final slash and the marks of an article's AMP version, and with sorted
    parameters. The case of the path and meaningful parameters count (PRODUCT.md, decision 4)."""
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
    parameters = parse_qsl(parts.query, keep_blank_values=True)
    query = urlencode(sorted(pair for pair in parameters if pair not in _AMP_PARAMETERS))
    path = _AMP_PATH.sub(r"\1", parts.path.rstrip("/")) or "/"
    return f"{host}{path}" + (f"?{query}" if query else "")


_PRIVATE = "// ===BEGIN PRIVATE DOMAINS==="


@lru_cache(maxsize=16_384)
def under_public_suffix(host: str) -> str:
    """The registrable domain of a host in lower case, `news.bbc.co.uk` -> `bbc.co.uk`; '' for an IP address, a public
    suffix itself, or an unknown suffix."""
    labels = host.split(".")
    spelled = [in_unicode(label) for label in labels]
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


def in_unicode(label: str) -> str:
    """A label of a domain as a reader sees it; unchanged if it is not a valid 'xn--' label."""
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


def doi_of(value: object) -> str | None:
    """Parse any spelling of a DOI; return it in lower case without its prefix, or None if the value is not a DOI."""
    if not isinstance(value, str) or len(value) >= 1000:
        return None
    text = value.strip()
    match = _DOI.fullmatch(text) or (_DOI.fullmatch(unquote(text)) if "%2f" in text.lower() else None)
    return match["doi"].lower() if match else None


def doi_in_address(url: str) -> str | None:
    """Return the DOI in a publisher's address, such as '.../doi/full/10.1111/1365-2664.14977', or None."""
    match = _IN_PATH.search(unquote(url))
    return doi_of(match["doi"]) if match else doi_of(url)


def arxiv_of(value: object) -> str | None:
    """Parse an arXiv number, an address or a DOI of arXiv; return the number in lower case without version, or None."""
    match = _ARXIV.fullmatch(value.strip()) if isinstance(value, str) and len(value) < 1000 else None
    return match["id"].lower() if match else None


def versionless(doi: str) -> str:
    """Remove the version that some servers append to a DOI: all versions are one work."""
    doi = doi.lower()
    return next((version.sub("", doi) for server, version in _VERSIONS if server.match(doi)), doi)


def preprint_server(doi: str | None) -> str | None:
    """Return the name of the preprint server that issued a DOI, or None if no known one did."""
    return next((name for form, name in _SERVERS if doi and form.match(doi.lower())), None)


def preprint_venue(venue: str | None) -> bool:
    """True if a venue is a preprint server ('SSRN Electronic Journal' is one, and not a journal)."""
    return bool(venue and _VENUES.fullmatch(venue.strip()))
