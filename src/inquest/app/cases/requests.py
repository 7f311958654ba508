"""A user's input, checked and made into domain values."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from dataclasses import fields
from datetime import UTC, datetime
from math import isfinite

from inquest.app.cases.case_request import CaseSettings
from inquest.app.files import is_there
from inquest.app.settings import Settings, load_settings, parse_duration, parse_moment
from inquest.app.wiring.pages import local_path
from inquest.domain.errors import InputError
from inquest.domain.plan import Approval, Brief, Decision, Mode, Plan
from inquest.kit.dialect import language_of
from inquest.text.urls import is_web_url, with_scheme

_YES = frozenset("y yes ok okay approve approved start go ja oui si".split())
_NO = frozenset("n no reject rejected stop cancel abort nein non".split())
MOST_LANGUAGES = 5
"""Each query is sent in each language."""
_EARLIEST, _LATEST = 1900, 2199
"""Years of the 'now' of a case, so that time ranges of a century around it are valid dates."""


def brief_from(
    request: CaseSettings, text: str, *, urls: Sequence[str] = (), mode: str = "quick", settings: Settings | None = None
) -> Brief:
    """The brief of a request on the question `text`, completed from the settings. Raises InputError or SettingError."""
    from inquest.claims.brief_reading import control_lines, names_nothing

    settings = settings or load_settings()
    given = text.strip()
    control = control_lines(text)
    text = control.text
    if _sets_options_only(text):
        what, where = ("has control lines only", "Below them, write") if given else ("is empty", "Write")
        advice = f"{where} what you want to know in a sentence or two."
        raise InputError(f"The brief {what}.", advice=advice, field="brief")
    if request.budget_usd is not None and not isfinite(request.budget_usd):
        raise InputError(
            "Invalid budget: expected a number of dollars.", advice="Leave it out for no limit.", field="budget_usd"
        )
    pages = tuple(dict.fromkeys(_url(url) for url in urls))
    if not pages and names_nothing(text):
        raise InputError(
            "The brief does not say what to search for.",
            advice="Name its subject, or add a page to start from.",
            field="brief",
        )
    seconds = _seconds(request.deadline)
    as_of = parse_moment(request.as_of) if isinstance(request.as_of, str) else request.as_of
    if as_of is not None and not _EARLIEST <= as_of.year <= _LATEST:
        raise InputError(f"Invalid date {as_of.date()}: expected one from {_EARLIEST} to {_LATEST}.", field="as_of")
    return Brief(
        text=text,
        reference=control.reference,
        urls=pages,
        mode=Mode(control.mode or mode),
        engines=tuple(
            dict.fromkeys(name.strip().lower() for name in request.engines or settings.engines if name.strip())
        ),
        collections=tuple(dict.fromkeys(request.collections)),
        languages=languages_from(request.languages or ()),
        language=request.language or "en",
        as_of=as_of,
        budget_usd=settings.budget_usd if request.budget_usd is None else request.budget_usd,
        budget_tokens=request.budget_tokens,
        budget_calls=request.budget_calls,
        deadline_seconds=settings.deadline_seconds if seconds is None else seconds,
    )


def _sets_options_only(text: str) -> bool:
    """Return True if every line names an option of a case with one word for its value ('Budget: 1')."""
    options = [f"{option.name}_" for option in fields(CaseSettings)]
    lines = [line.casefold().partition(":") for line in text.splitlines() if line.strip()]
    return all(
        len(value.split()) == 1 and any(option.startswith(f"{'_'.join(label.split())}_") for option in options)
        for label, _, value in lines
    )


def _seconds(deadline: str | float | None) -> float | None:
    if deadline is None or (isinstance(deadline, str) and not deadline.strip()):
        return None
    seconds = parse_duration(deadline) if isinstance(deadline, str) else deadline
    if not (isfinite(seconds) and seconds > 0):
        raise InputError(f"Invalid deadline '{deadline}': expected a time such as 90s or 5m.", field="deadline")
    return seconds


def languages_from(given: Sequence[str]) -> tuple[str, ...]:
    """The languages as ISO 639-1 codes, each once. Raises InputError for one that no engine supports."""
    found: dict[str, None] = {}
    for name in filter(None, map(str.strip, given)):
        code = language_of(name)
        if code is None:
            raise InputError(
                f"Invalid language '{name[:40]}': expected codes or names such as de or German, separated by commas.",
                field="languages",
            )
        found[code] = None
    if len(found) > MOST_LANGUAGES:
        raise InputError(f"Too many languages: {len(found)}, expected at most {MOST_LANGUAGES}.", field="languages")
    return tuple(found)


def _url(given: str) -> str:
    path = local_path(given)
    if path is not None:
        if not is_there(path) or not path.is_file():
            raise InputError(f"There is no file {given}.", advice="Enter a URL, or an existing file.")
        return path.absolute().as_uri()
    url = with_scheme(given)
    if not is_web_url(url):
        raise InputError(f"Invalid address '{given}': expected one such as https://example.org/page.")
    return url


def decision_from(words: str) -> tuple[Decision, str]:
    """Read a person's answer to a plan: yes, no, or a change in words (PRODUCT.md, decision 11)."""
    answer = words.strip().lower().rstrip("!.")
    if answer in _YES:
        return Decision.APPROVE, ""
    if answer in _NO:
        return Decision.REJECT, ""
    return Decision.REVISE, words.strip()


def approval_from(words: str, plan: Plan, *, how: str, by: str | None = None) -> Approval:
    """The decision on this revision of the plan, with person and time."""
    decision, text = decision_from(words)
    return Approval(
        decision=decision, text=text, by=by or user_name(), at=datetime.now(UTC), how=how, revision=plan.revision
    )


def user_name() -> str:
    """The name of the user of this machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a user id without a name, as in some containers
        return "user"
