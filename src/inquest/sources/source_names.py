"""What a document is called that has no title, or one that says nothing."""

from __future__ import annotations

import re
from urllib.parse import unquote

__all__ = ["telling_title"]

_GENERIC = re.compile(
    r"(?:the\s+)?(?:(?:annual|sustainability|integrated|interim|quarterly|financial|final|full|management|esg|csr)\s+)*"
    r"(?:report|statement|presentation|document|brochure|cover|contents?|introduction|summary|overview|index|home|"
    r"print|draft|version|copy|scan)(?:\s+(?:19|20)\d\d)?",
    re.I,
)


def telling_title(title: str, url: str) -> str:
    """The title; for a file of the user's own, its file name where the title is in capitals only, a single word or one
    that any document could have ('CLIMATE ENGAGEMENT', 'Report 2022'), because that is how the user knows it."""
    if url[:5].lower() != "file:":
        return title
    spelled = " ".join(title.split())
    letters = [char for char in spelled if char.isalpha()]
    shouted = bool(letters) and all(char.isupper() for char in letters)
    if len(letters) < 4 or shouted or " " not in spelled or _GENERIC.fullmatch(spelled):
        return unquote(url.rsplit("/", 1)[-1]) or title
    return title
