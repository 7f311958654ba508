"""The exhibits that a current report of a company only refers to: its press release, most often Exhibit 99.1."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from inquest.desks.market.filing_statements import form_of
from inquest.domain.document import Document

__all__ = ["exhibits_of"]

_MOST = 2
_REFERS = re.compile(r"\b(?:Exhibits?|Ex\.)\s+99(?:\.\d+)?\b", re.I)
_NAMED = re.compile(r"(?:^|[^a-z])(?:[a-z0-9]*?[a-z])?(?:ex|exhibit)[-_.]?99", re.I)
"""How filers call the file: 'ex99-1.htm', 'a8-kex991q42026.htm', 'd123456dex991.htm', 'exhibit_99-1.htm'."""
_FORMS = ("8-K", "6-K")


def exhibits_of(document: Document) -> tuple[str, ...]:
    """The addresses of the exhibits 99 that a current report (8-K, 6-K) refers to and links, at most two: files of its
    own folder, so that no link of a page leads anywhere else."""
    if not _REFERS.search(document.text) or not form_of(document).startswith(_FORMS):
        return ()
    found = [url for url in document.links if _beside(url, document.url) and _NAMED.search(_file(url))]
    return tuple(dict.fromkeys(found))[:_MOST]


def _beside(url: str, main: str) -> bool:
    one, other = urlsplit(url), urlsplit(main)
    same_folder = one.path.rpartition("/")[0] == other.path.rpartition("/")[0]
    return (one.scheme, one.netloc) == (other.scheme, other.netloc) and same_folder and one.path != other.path


def _file(url: str) -> str:
    return urlsplit(url).path.rpartition("/")[2]
