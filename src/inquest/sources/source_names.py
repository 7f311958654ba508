"""What a document is called that has no title, or one that says nothing."""

from __future__ import annotations

from urllib.parse import unquote

from inquest.text.lexicon import pattern

_GENERIC = pattern(__name__, "generic")


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
