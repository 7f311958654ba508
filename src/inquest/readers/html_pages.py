"""The other pages of an article that is spread over several."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin

from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.urls import clean as clean_url
from inquest.text.urls import is_web_url

if TYPE_CHECKING:
    from lxml.html import HtmlElement


_MOST = 30
"""Pages; what has more is an archive, and no article."""
_DIGIT, _NUMBER = regex(r"\d"), regex(r"\d{1,2}")
_NUMBERED = pattern(__name__, "numbered")


def further_pages(root: HtmlElement, url: str) -> tuple[str, ...]:
    """The addresses of the pages that follow this one, in order: they are this page's own address but for a number,
    and are linked by that number or as the next page. Empty where a number is left out."""
    own, number = _numbered(url)
    found: dict[int, str] = {}
    for link in root.iter("a", "link"):
        target, is_next = (link.get("href") or "").strip(), "next" in (link.get("rel") or "").split()
        if not _DIGIT.search(target):
            continue
        said = "".join(map(str, link.itertext())).strip()
        if not is_next and not _NUMBER.fullmatch(said):
            continue
        try:
            address = clean_url(urljoin(url, target))
        except ValueError:
            continue
        base, other = _numbered(address)
        if base == own and is_web_url(address) and (is_next or said == str(other)):
            found.setdefault(other, address)
    following = sorted(page for page in found if number < page <= _MOST)
    if following != list(range(number + 1, number + 1 + len(following))):
        return ()
    return tuple(found[page] for page in following)


def _numbered(url: str) -> tuple[str, int]:
    """An address without its page number, and the number; 1 where it has none."""
    match = _NUMBERED.fullmatch(url)
    if match is None:
        return url.rstrip("/"), 1
    return f"{match['before']}{match['after']}".rstrip("/"), int(match["number"])
