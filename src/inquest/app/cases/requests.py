"""What a user gives, checked and made into domain values: one clear sentence for what cannot be used."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from datetime import UTC, datetime
from math import isfinite
from typing import TypedDict, Unpack

from inquest.app.settings import Settings, load_settings, parse_duration, parse_moment
from inquest.app.wiring.pages import is_there, local_path
from inquest.domain.brief import Brief, Mode
from inquest.domain.errors import InputError
from inquest.domain.plan import Approval, Decision, Plan
from inquest.kit.dialect import language_of
from inquest.text.urls import is_web_url, with_scheme

_YES = frozenset("y yes ok okay approve approved start go ja oui si".split())
_NO = frozenset("n no reject rejected stop cancel abort nein non".split())

MOST_LANGUAGES = 5
"""Each question is put in each of them."""
_EARLIEST, _LATEST = 1900, 2199
"""Years of the 'now' of a case: time ranges of a century around it are still dates."""


class CaseOptions(TypedDict, total=False):
    """What every case can be told, whatever it is about; the settings say what the user does not."""

    engines: str | Sequence[str] | None
    """Names, best first; a text has them comma-separated."""
    collections: Sequence[str]
    """Names of collections of the user's own documents."""
    languages: str | Sequence[str] | None
    """Of the pages that are looked for: codes or English names; a text has them comma-separated."""
    as_of: str | datetime | None
    """The 'now' of the case: nothing published after it counts as evidence."""
    budget_usd: float | None
    """Stop and report when this much is spent."""
    deadline: str | float | None
    """Stop and report when this time is over: seconds, or words like '5m'."""


def case_options(options: CaseOptions) -> CaseOptions:
    """What is left of a desk's own options when it has taken out those that no other case has, for `brief_from`."""
    return options


def brief_from(
    text: str,
    *,
    urls: Sequence[str] = (),
    mode: str = "quick",
    settings: Settings | None = None,
    **options: Unpack[CaseOptions],
) -> Brief:
    """The brief, with what the settings say where the user says nothing. Raises InputError or SettingError;
    TypeError for an option that does not exist."""
    from inquest.claims.brief_reading import names_nothing

    # Only a type checker would see a misspelt name, and what it was to limit would not be limited.
    if unknown := options.keys() - CaseOptions.__annotations__.keys():
        raise TypeError(f"There is no option '{min(unknown)}'; there are {', '.join(CaseOptions.__annotations__)}.")
    settings = settings or load_settings()
    engines, as_of, deadline = options.get("engines"), options.get("as_of"), options.get("deadline")
    budget_usd = options.get("budget_usd")
    if not text.strip():
        raise InputError("The brief is empty.", advice="Say in a sentence or two what you want to know.")
    if mode not in {m.value for m in Mode}:
        raise InputError(f"There is no mode '{mode}'.", advice="Modes: quick, detailed.")
    if budget_usd is not None and not isfinite(budget_usd):
        raise InputError("The budget is no number of dollars.", advice="Leave it out for no limit.")
    names = engines.split(",") if isinstance(engines, str) else list(engines or settings.engines)
    seconds = parse_duration(deadline) if isinstance(deadline, str) else deadline
    pages = tuple(dict.fromkeys(_url(url) for url in urls))
    if not pages and names_nothing(text):
        raise InputError(
            "The brief names nobody and nothing that could be looked up.",
            advice="Say whom or what it is about, or give a page to start from.",
        )
    return Brief(
        text=text.strip(),
        urls=pages,
        mode=Mode(mode),
        engines=tuple(dict.fromkeys(name.strip().lower() for name in names if name.strip())),
        collections=tuple(dict.fromkeys(options.get("collections", ()))),
        languages=languages_from(options.get("languages")),
        as_of=_as_of(as_of),
        budget_usd=settings.budget_usd if budget_usd is None else budget_usd,
        deadline_seconds=settings.deadline_seconds if seconds is None else seconds,
    )


def _as_of(given: str | datetime | None) -> datetime | None:
    moment = parse_moment(given) if isinstance(given, str) else given
    if moment is not None and not _EARLIEST <= moment.year <= _LATEST:
        raise InputError(
            f"{moment.date()} is no 'now' of a case.", advice=f"Give a date from {_EARLIEST} to {_LATEST}."
        )
    return moment


def languages_from(given: str | Sequence[str] | None) -> tuple[str, ...]:
    """The languages as ISO 639-1, each once. Raises InputError for one that no engine can be asked for."""
    names = given.split(",") if isinstance(given, str) else list(given or ())
    found: dict[str, None] = {}
    for name in filter(None, map(str.strip, names)):
        code = language_of(name)
        if code is None:
            raise InputError(
                f"'{name[:40]}' is no language that search engines are asked for.",
                advice="Write codes or English names, like de or German, with commas between them.",
            )
        found[code] = None
    if len(found) > MOST_LANGUAGES:
        raise InputError(f"{len(found)} languages are too many.", advice=f"Give {MOST_LANGUAGES} at most.")
    return tuple(found)


def _url(given: str) -> str:
    path = local_path(given)
    if path is not None:
        if not is_there(path) or not path.is_file():
            raise InputError(f"There is no file {given}.", advice="Give a URL, or a file that exists.")
        return path.absolute().as_uri()
    url = with_scheme(given)
    if not is_web_url(url):
        raise InputError(f"'{given}' is not a web address.", advice="Write it like https://example.org/page.")
    return url


def decision_from(words: str) -> tuple[Decision, str]:
    """What a person's words say to a plan: yes, no, or the change they want (PRODUCT.md, decision 11)."""
    said = words.strip()
    first = said.lower().rstrip("!.")
    if first in _YES:
        return Decision.APPROVE, ""
    if first in _NO:
        return Decision.REJECT, ""
    return Decision.REVISE, said


def approval_from(words: str, plan: Plan, *, how: str, by: str | None = None) -> Approval:
    """The typed decision about this revision of the plan, with who and when."""
    decision, text = decision_from(words)
    return Approval(
        decision=decision, text=text, by=by or user_name(), at=datetime.now(UTC), how=how, revision=plan.revision
    )


def user_name() -> str:
    """Who is at this machine, as it calls them."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no name for this user id, as in some containers
        return "user"
