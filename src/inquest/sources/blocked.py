"""Walls, error pages and paywall stubs, distinguished from the page that was asked for.

Words alone never decide (PRODUCT.md, decision 5): an article about a blocked road, a captcha or a 404 is an article.
The status decides first; then headers that walls send; then a whole title, marks in the markup and sentences addressed
to the visitor, and these only if there is too little text for an article. English only, like the marks of providers.
"""

from __future__ import annotations

from collections.abc import Mapping

from inquest.domain.reasons import Catalogue, Reason
from inquest.text.lexicon import compiled, entries, pattern
from inquest.text.regex import regex

_reason = Catalogue("pages")
_TITLE_TEXT = 2_000
"""Characters up to which a whole title such as 'Page not found' decides; many such pages show teasers below it."""
_CONSENT_TEXT, _WALL_TEXT, _FORM_TEXT = 1_200, 600, 300
"""Characters of a consent form, a wall and a password form at most; articles that mention one are longer."""
_STUB_TEXT = 3_000
_STATUSES = {
    401: "asks_login",
    402: "asks_payment",
    404: "no_such_page",
    407: "proxy_login",
    410: "page_gone",
    429: "too_many_requests",
    451: "withheld",
}
NOT_TECHNICAL = frozenset(
    f"pages.{name}" for name in ("asks_login", "asks_payment", "proxy_login", "withheld", "login_form")
)
"""Codes of blocks that apply to people too, so that no copy may be read instead."""
_CHALLENGES = {reason: marks.split("|") for reason, marks in entries(__name__, "blocked_challenges").items()}
_TITLES = {reason: compiled(titles) for reason, titles in entries(__name__, "blocked_titles").items()}
_TITLE = regex(r"(?i)<title[^>]*>\s*([^<]{1,300}?)\s*</title")
_SITE_NAME = regex(r"\s+[|–—·-]\s")
_WORDS = regex(r"[\w']+")
_WALL_SENTENCES = pattern(__name__, "wall_sentences")
_GONE_SENTENCES = pattern(__name__, "gone_sentences")
_COOKIE_SENTENCES = pattern(__name__, "cookie_sentences")
_COOKIE_MARKS = 3
"""Different phrases of a consent form; an article about such forms has one or two, and more text."""
_PASSWORD = regex(r"(?i)<input[^>]{0,300}type=[\"']?password")
_PAYWALL_MARK = pattern(__name__, "paywall_mark")
_PAYWALL_HINTS = ("isAccessibleForFree", "aywall", "piano-offer", "egwall", "meteredContent", "content_tier")
"""Substrings of every match of the pattern, which are found far faster."""
_SUBSCRIBE = pattern(__name__, "subscribe")
_BROKEN_OFF = regex(r"(?:\.\.\.|…|\[…\]|[a-z,])\s*$")


def looks_blocked(status: int, headers: Mapping[str, str], markup: str, text: str) -> Reason | None:
    """Return why this is not the page that was asked for, as the end of a sentence; None if it looks like the page.

    `headers` by name in any case; `markup` is the HTML ('' for other kinds); `text` is the reader's.
    """
    if status >= 500:
        return _reason("server_failed", number=status)
    if status >= 400:
        return _reason(_STATUSES.get(status, "refuses"), number=status)
    sent = {name.lower(): value.lower() for name, value in headers.items()}
    if sent.get("cf-mitigated") == "challenge" or sent.get("x-amzn-waf-action") in ("challenge", "captcha"):
        return _reason("robot_check")
    title = _TITLE.search(markup[:200_000])
    if why := looks_walled(title[1] if title else "", text):
        return why
    # A comment form may have a captcha too; with a few paragraphs of text this is not a wall.
    size = len(text.strip())
    for name, marks in _CHALLENGES.items() if size < _WALL_TEXT else ():
        if any(mark in markup for mark in marks):
            return _reason(name)
    return _reason("login_form") if size < _FORM_TEXT and _PASSWORD.search(markup) else None


def looks_walled(title: str, text: str) -> Reason | None:
    """Like `looks_blocked`, for a document without markup and status: by its title and text alone."""
    size = len(text.strip())
    # A whole title, with or without the name of the site behind it.
    words = " ".join(_WORDS.findall(_SITE_NAME.split(title.replace("’", "'"))[0]))
    named = next((reason for reason, known in _TITLES.items() if known.fullmatch(words)), None)
    if named and size <= _TITLE_TEXT:
        return _reason(named)
    plain = text.replace("’", "'") if size <= _CONSENT_TEXT else ""
    if size < _WALL_TEXT and _WALL_SENTENCES.search(plain):
        return _reason("wall")
    if size < _WALL_TEXT and _GONE_SENTENCES.search(plain):
        return _reason("error_no_page")
    if len({mark.group().lower() for mark in _COOKIE_SENTENCES.finditer(plain)}) >= _COOKIE_MARKS:
        return _reason("consent_form")
    return None


def looks_paywalled(markup: str, text: str) -> Reason | None:
    """Return why only the beginning of the article is here; None if it seems complete.

    Two of three signs are needed: the page declares itself not free (schema.org) or marks a paywall; its text ends
    with an invitation to subscribe, or is short and the page has one; it is short and breaks off in the middle of a
    sentence.
    """
    stripped = text.strip()
    if not stripped or len(stripped) > _STUB_TEXT:
        return None
    declared = any(hint in markup for hint in _PAYWALL_HINTS) and bool(_PAYWALL_MARK.search(markup))
    invitation = _SUBSCRIBE.search(stripped.replace("’", "'"), max(0, len(stripped) - 400))
    article = stripped[: invitation.start()] if invitation else stripped
    short = len(article) < _STUB_TEXT / 2
    invites = bool(invitation) or (declared and short and bool(_SUBSCRIBE.search(markup)))
    if declared + invites + (short and bool(_BROKEN_OFF.search(article))) >= 2:
        return _reason("paywall")
    return None
