"""Whether what came back is the page that was asked for, or a wall, an error page or the stub in front of a paywall.

Words alone never decide (PRODUCT.md, decision 5): an article about a blocked road, a captcha or a 404 is an article.
The status decides first; then headers that walls send; then marks of a wall in the markup, its title or its sentences,
and these only where there is too little text for an article.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from inquest.text.lexicon import entries, pattern
from inquest.text.regex import regex

_WALL_TEXT = 1_200
"""Characters; walls and error pages say less, articles with a mark of a wall somewhere in their markup say more."""
_TITLE_TEXT = 2_000
"""Characters up to which a page whose whole title is 'Page not found' is believed; many show teasers below it."""
_STUB_TEXT = 3_000
_FORM_TEXT = 300

_STATUSES = {
    401: "it asks for a login",
    402: "it asks for payment",
    403: "the site refuses access",
    404: "there is no such page",
    406: "the site refuses access",
    407: "a proxy asks for a login",
    410: "the page is gone",
    429: "the site says that there were too many requests",
    451: "it is withheld for legal reasons",
}
_CHALLENGES = tuple((regex(form), reason) for reason, form in entries(__name__, "blocked_challenges").items())
_TITLE = regex(r"<title[^>]*>\s*([^<]{1,300}?)\s*</title", re.IGNORECASE)
_TITLES = entries(__name__, "blocked_titles")
_WALL_TITLES = tuple(
    (regex(rf"(?:{titles})(?:\s*[|–—·-]\s*.{{1,60}})?", re.IGNORECASE), reason) for reason, titles in _TITLES.items()
)
_WALL_SENTENCES = pattern(__name__, "wall_sentences")
_GONE_SENTENCES = pattern(__name__, "gone_sentences")
_COOKIE_SENTENCES = pattern(__name__, "cookie_sentences")
_COOKIE_MARKS = 3
"""Different things that only a consent form says; an article about such forms says one or two, and more besides."""
_PASSWORD = regex(r"<input[^>]{0,300}type=[\"']?password", re.IGNORECASE)

_NOT_FREE = regex(r"[\"']isAccessibleForFree[\"']\s*:\s*[\"']?false", re.IGNORECASE)
_PAYWALL_MARK = pattern(__name__, "paywall_mark")
_PAYWALL_MARKS = (
    *("isAccessibleForFree", "aywall", "piano-offer", "tp-container", "egwall", "subscription-wall", "meteredContent"),
    *("content_tier", "tier"),
)
_SUBSCRIBE = pattern(__name__, "subscribe")
_BROKEN_OFF = regex(r"(?:\.\.\.|…|\[…\]|[a-z,])\s*$")


def looks_blocked(status: int, headers: Mapping[str, str], markup: str, text: str) -> str | None:
    """Why this is not the page that was asked for, in words that end a sentence; None: it looks like the page.

    `headers` by name in any case; `markup` is the HTML (or '' for other kinds); `text` is what the reader made of it.
    """
    if status >= 400:
        return _STATUSES.get(status) or (
            f"the server failed (status {status})" if status >= 500 else f"the site refused (status {status})"
        )
    sent = {name.lower(): value.lower() for name, value in headers.items()}
    if sent.get("cf-mitigated") == "challenge" or sent.get("x-amzn-waf-action") in ("challenge", "captcha"):
        return "a robot check"
    size = len(text.strip())
    title = _TITLE.search(markup[:200_000])
    if title and size <= _TITLE_TEXT and (why := _titled(title[1])):
        return why
    return _built_as(markup, text, size) if size <= _WALL_TEXT else None


def _built_as(markup: str, text: str, size: int) -> str | None:
    """What the markup and the sentences of a page with little text give away."""
    # A form for comments may carry a captcha too; with a few paragraphs of text it is no wall.
    for form, reason in _CHALLENGES if size < _WALL_TEXT / 2 else ():
        if form.search(markup):
            return reason
    return _said(text, size) or ("a login form" if size < _FORM_TEXT and _PASSWORD.search(markup) else None)


def looks_walled(title: str, text: str) -> str | None:
    """As `looks_blocked`, of a document whose markup and status are not at hand: by its title and its text alone."""
    size = len(text.strip())
    if size <= _TITLE_TEXT and (why := _titled(title)):
        return why
    return _said(text, size) if size <= _WALL_TEXT else None


def _titled(title: str) -> str | None:
    line = " ".join(title.split())
    return next((reason for form, reason in _WALL_TITLES if form.fullmatch(line)), None)


def _said(text: str, size: int) -> str | None:
    """What its sentences give away of a page with little text."""
    if size < _WALL_TEXT / 2 and _WALL_SENTENCES.search(text):
        return "a wall for robots"
    if size < _WALL_TEXT / 2 and _GONE_SENTENCES.search(text):
        return "an error page: there is no such page"
    if len({mark.group().lower() for mark in _COOKIE_SENTENCES.finditer(text)}) >= _COOKIE_MARKS:
        return "a consent form"
    return None


def looks_paywalled(markup: str, text: str) -> str | None:
    """Why only the beginning of the article is here; None: it seems to be whole.

    Two signs out of three are asked for: the page declares itself not free (schema.org) or marks a paywall; its text
    ends with an invitation to subscribe; it is short and breaks off in the middle of a sentence.
    """
    stripped = text.strip()
    if not stripped or len(stripped) > _STUB_TEXT:
        return None
    marked = any(mark in markup for mark in _PAYWALL_MARKS)  # far faster than the patterns that make sure
    declared = marked and bool(_NOT_FREE.search(markup) or _PAYWALL_MARK.search(markup))
    invitation = _SUBSCRIBE.search(stripped, max(0, len(stripped) - 400))
    article = stripped[: invitation.start()] if invitation else stripped
    broken_off = len(article) < _STUB_TEXT / 2 and bool(_BROKEN_OFF.search(article))
    if declared + bool(invitation) + broken_off >= 2:
        return "only the beginning is here; the rest is for subscribers"
    return None
