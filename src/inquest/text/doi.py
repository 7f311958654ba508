"""DOIs and arXiv numbers as identities: every way of writing one, its versions, and the servers of preprints."""

from __future__ import annotations

from urllib.parse import unquote

from inquest.text.lexicon import facts, pattern
from inquest.text.regex import regex

_DOI = pattern(__name__, "doi")
_LONGEST = 1000
_ARXIV = pattern(__name__, "arxiv")

_VERSIONS = tuple((regex(server), regex(end)) for server, end in facts(__name__, "doi_versions").items())
_SERVERS = tuple((regex(form), name) for name, form in facts(__name__, "preprint_servers").items())
_IN_PATH = regex(r"/(?P<doi>10\.\d{4,9}/[^?#\s]+?)(?:/(?:e?pdf|full|abstract|meta|html))?/?(?:[?#]|$)")
_VENUES = pattern(__name__, "venues")


def doi_of(value: object) -> str | None:
    """A DOI in lower case and without its prefix, from any of the ways it is written; None: not a DOI."""
    if not isinstance(value, str) or len(value) >= _LONGEST:
        return None
    text = value.strip()
    match = _DOI.fullmatch(text) or (_DOI.fullmatch(unquote(text)) if "%2f" in text.lower() else None)
    return match["doi"].lower() if match else None


def doi_in_address(url: str) -> str | None:
    """The DOI of the work that a publisher's address leads to: '.../doi/full/10.1111/1365-2664.14977'; None: none."""
    match = _IN_PATH.search(unquote(url))
    return doi_of(match["doi"]) if match else doi_of(url)


def arxiv_of(value: object) -> str | None:
    """An arXiv number in lower case and without version, from a number, an address or arXiv's own DOI; else None."""
    match = _ARXIV.fullmatch(value.strip()) if isinstance(value, str) and len(value) < _LONGEST else None
    return match["id"].lower() if match else None


def versionless(doi: str) -> str:
    """The DOI without the version that some servers write at its end: all versions are one work."""
    doi = doi.lower()
    for server, version in _VERSIONS:
        if server.match(doi):
            return version.sub("", doi)
    return doi


def preprint_server(doi: str | None) -> str | None:
    """The name of the preprint server that gave the DOI; None: it is none of those we know."""
    return next((name for form, name in _SERVERS if doi and form.match(doi.lower())), None)


def preprint_venue(venue: str | None) -> bool:
    """Whether the name of a venue is that of a preprint server ('SSRN Electronic Journal' is one, and no journal)."""
    return bool(venue and _VENUES.fullmatch(venue.strip()))
