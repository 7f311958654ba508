"""What analysts' firms did with grades, targets and estimates, from titles, sentences and engines' tables.

A grade is told as the event it is: which firm, what it did, from what to what, and when. It is no recommendation of
ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from inquest.desks.market.analyst_clauses import CUT as _CUT
from inquest.desks.market.analyst_clauses import GRADES as _GRADES
from inquest.desks.market.analyst_clauses import KEEP as _KEEP
from inquest.desks.market.analyst_clauses import RAISE as _RAISE
from inquest.desks.market.analyst_clauses import Amounts, amounts_in, grade_after, target_after
from inquest.desks.market.estimates import estimates_in, same_amount
from inquest.domain.market import AnalystAction, MarketQuote
from inquest.domain.search import Hit
from inquest.sources.freshness import Freshness, freshness_of
from inquest.text.entities import same_name
from inquest.text.numerals import number_of
from inquest.text.sentences import fold
from inquest.text.units import CURRENCIES

__all__ = ["Read", "actions_in", "actions_of_hits", "merged_actions"]

_GRADE = rf"[\"“'‘]?(?P<{{0}}>{_GRADES})[\"”'’]?(?:\s+rating)?"
_FIRM = r"(?P<firm>(?:[A-Z][\w.&'’-]*|&|of|and)(?:\s+(?:[A-Z][\w.&'’-]*|&|of|and(?=\s[A-Z]))){0,4}?)"
_UP = r"upgrad(?:es|ed|ing|e)"
_DOWN = r"downgrad(?:es|ed|ing|e)"
_START = (
    r"initiat(?:es|ed|ing)(?:\s+coverage)?|starts|started|resum(?:es|ed)(?:\s+coverage)?|begins coverage|assum(?:es|ed)"
)
_TO = rf"(?:\s+(?:to|at|with(?: an?)?)\s+{_GRADE.format('to')})?(?:\s+from\s+{_GRADE.format('from')})?"
_FROM_TO = rf"(?:\s+from\s+{_GRADE.format('from2')}\s+to\s+{_GRADE.format('to2')})?"
_NAMED = r"(?:\s+(?!(?:to|from|at|with)\b)[\w.&'’$()-]+){0,5}?"
_FLAGS = re.IGNORECASE
_BY_FIRM = re.compile(
    rf"(?-i:{_FIRM})(?:['’]s)?(?:\s+analysts?(?-i:(?:\s+[A-Z][\w.'’-]+){{0,3}}))?:?\s+(?:has |have |also |on \w+day )?"
    rf"(?P<verb>{_UP}|{_DOWN}|{_START}|{_KEEP})(?P<named>{_NAMED})(?:{_FROM_TO}|{_TO})(?=[\s.,;:()–—-]|$)",
    _FLAGS,
)
_BY_FIRM_TO = re.compile(
    rf"(?-i:{_FIRM})(?:['’]s)?(?:\s+analysts?(?-i:(?:\s+[A-Z][\w.'’-]+){{0,3}}))?:?\s+(?:has |have |also |on \w+day )?"
    rf"(?P<verb>{_UP}|{_DOWN}|{_START}|{_KEEP})(?P<named>(?:\s+[\w.&'’$()-]+){{0,6}}?)"
    rf"\s+(?:(?:to|at|with(?: an?)?)\s+{_GRADE.format('to')}(?:\s+from\s+{_GRADE.format('from')})?"
    rf"|from\s+{_GRADE.format('from2')}\s+to\s+{_GRADE.format('to2')}|{_GRADE.format('to3')}(?=[\s.,;]|$))",
    _FLAGS,
)
_OF_COMPANY = re.compile(
    rf"(?P<verb>{_UP}|{_DOWN}|initiated|reiterated|started)\b(?:\s+(?:to|at|with)(?: an?)?\s+{_GRADE.format('to')})?"
    rf"(?:\s+from\s+{_GRADE.format('from')})?(?:\s+to\s+{_GRADE.format('to2')})?\s+(?:by|"
    rf"at)\s+(?:analysts at\s+)?(?-i:{_FIRM})"
    r"(?=[\s.,;:()–—-]+(?![A-Z&])|$)",
    _FLAGS,
)
_TARGET = re.compile(
    rf"(?-i:{_FIRM})(?:['’]s)?(?:\s+analysts?(?-i:(?:\s+[A-Z][\w.'’-]+){{0,3}}))?:?\s+(?:has |have |also )?"
    rf"(?P<verb>{_RAISE}|{_CUT})\s+(?:[\w.&'’$()-]+\s+){{0,5}}?(?:price\s+targets?|targets?(?:\s+price)?|pt)\b"
    rf"(?:\s+(?:on|for|of)(?:\s+(?!(?:to|from)\b)[\w.&'’$()-]+){{1,5}}?)?(?P<rest>[^.;]{{0,80}}|\b)",
    _FLAGS,
)
_TARGET_BY = re.compile(
    rf"(?:price\s+target|target(?:\s+price)?|pt)\s+(?:was\s+|is\s+)?(?P<verb>raised|lifted|boosted|hiked|increased|cut|"
    rf"lowered|trimmed|slashed|reduced)(?P<rest>[^.;]{{0,60}}?)\s+(?:by|at)\s+(?:analysts at\s+)?(?-i:{_FIRM})"
    r"(?=[\s.,;:()–—-]+(?![A-Z&])|$)",
    _FLAGS,
)
_NO_FIRM = frozenset(
    (
        "the a an analysts analyst it he she they company management board shares stock wall street investors "
        "update breaking "
        "exclusive why how what this that on in after monday tuesday wednesday thursday friday and of regulators "
        "ceo cfo"
    ).split()
)
_LONGEST = 1_000
"""Characters; a title or a sentence has no more."""
_NO_OBJECT = re.compile(r"\s*(?:(?:to|from|by|at|on|after|as|amid|over|today|yesterday)\b|[.,;:)–—]|$)", re.I)


class Read(NamedTuple):
    """An action as a text tells it, without who published it."""

    firm: str
    action: str
    grade_from: str | None = None
    grade_to: str | None = None
    target_from: float | None = None
    target_to: float | None = None
    currency: str | None = None
    estimate_of: str = ""
    estimate_from: str | None = None
    estimate_to: str | None = None


def actions_in(text: str, company: str = "") -> tuple[Read, ...]:
    """The analysts' actions that a title or sentence tells, each firm's once; () where it names no firm.

    `company`: whom they are about, who is no analyst of itself.
    """
    text = text[:_LONGEST]
    found: list[Read] = []
    passive: set[int] = set()
    for form in (_OF_COMPANY, _BY_FIRM_TO, _BY_FIRM):
        for match in form.finditer(text):
            verb = match.start("verb")
            if form is _OF_COMPANY:
                passive.add(verb)
            elif verb in passive or (match["verb"].endswith("ed") and _NO_OBJECT.match(text, match.end("verb"))):
                continue  # 'Quarvane downgraded to Sell' does not say by whom
            if firm := _firm(match["firm"], company):
                parts = match.groupdict()
                to = parts.get("to") or parts.get("to2") or parts.get("to3")
                before = parts.get("from") or parts.get("from2")
                found.append(Read(firm, _action(match["verb"]), _grade(before), _grade(to)))
                if more := target_after(text, match.end()):
                    found.append(_target(firm, more))
    for form in (_TARGET, _TARGET_BY):
        for match in form.finditer(text):
            amounts = amounts_in(match["rest"], match["verb"])
            if (firm := _firm(match["firm"], company)) and amounts:
                kept = grade_after(text, match.start("rest")) if form is _TARGET else None
                read = _target(firm, amounts)
                found.append(
                    read._replace(action=f"reiterated, {read.action}", grade_to=_grade(kept)) if kept else read
                )
    joined = _joined(found)
    subject = joined[0].firm if len(joined) == 1 else ""
    estimates = [
        Read(each.firm, each.action, estimate_of=each.of, estimate_from=each.before, estimate_to=each.to)
        for each in estimates_in(text, company, subject)
    ]
    return (*joined, *estimates)


def actions_of_hits(
    hits: Iterable[Hit], now: datetime, titles: Mapping[str, str] | None = None
) -> tuple[AnalystAction, ...]:
    """The actions of engines' tables (a figure called 'grade'), newest first: the engine's word, not a page's.
    `titles`: what engines are called, by name."""
    found = []
    for hit in hits:
        for figure in hit.figures:
            if figure.name != "grade" or not figure.by:
                continue
            said = str(hit.details.get("action") or "").lower()
            at = figure.at or hit.published
            if at is not None and at.at > now:
                continue
            found.append(
                AnalystAction(
                    firm=figure.by,
                    action=_of_table(said, figure.previous_text, figure.text),
                    grade_from=figure.previous_text,
                    grade_to=figure.text,
                    at=at.iso if at else None,
                    age=freshness_of(at, now, Freshness.MARKET).words,
                    lead_by=(titles or {}).get(hit.engine, hit.engine),
                    lead_url=hit.url,
                )
            )
    return tuple(sorted(found, key=lambda each: each.at or "", reverse=True))


def merged_actions(
    quoted: Sequence[tuple[Read, MarketQuote]], leads: Sequence[AnalystAction]
) -> tuple[AnalystAction, ...]:
    """One action of a firm once, newest first: with a page's words where one has them, else as the engine's table has
    it.

    What a table gives beside a page's words (the grade before) is not mixed in: the quote has to bear what is said.
    """
    found: list[AnalystAction] = []
    for read, quote in quoted:
        action = AnalystAction(**read._asdict(), at=quote.published, age=quote.age, quote=quote)
        place = next((n for n, other in enumerate(found) if _same(action, other)), None)
        if place is None:
            found.append(action)
        elif _told(action) > _told(found[place]):
            found[place] = action  # a title says less than the sentence below it
    quoted_firms = list(found)
    found += [
        lead for lead in leads if not any(_same(lead, other) or _adds_nothing(lead, other) for other in quoted_firms)
    ]
    return tuple(sorted(found, key=lambda each: each.at or "", reverse=True))


def _told(action: AnalystAction) -> int:
    """How much of a grade, a target and an estimate it gives."""
    amounts = (action.grade_from, action.grade_to, action.target_from, action.target_to)
    estimates = (action.estimate_from, action.estimate_to, action.estimate_of or None)
    return sum(each is not None for each in (*amounts, *estimates))


def _adds_nothing(lead: AnalystAction, told: AnalystAction) -> bool:
    """Whether a table says no more than that a firm kept its grade, on the day that a page tells what it did."""
    firms = fold(lead.firm) == fold(told.firm) or same_name(lead.firm, told.firm)
    return firms and lead.action == "reiterated" and (lead.at or "")[:10] == (told.at or "")[:10]


def _same(one: AnalystAction, other: AnalystAction) -> bool:
    firms = fold(one.firm) == fold(other.firm) or same_name(one.firm, other.firm)
    grades = not (one.grade_to and other.grade_to) or fold(one.grade_to) == fold(other.grade_to)
    targets = not (one.target_to and other.target_to) or one.target_to == other.target_to
    days = not (one.at and other.at) or one.at[:10] == other.at[:10]
    # Of 'reiterated, raised target' a title may tell half.
    both = set(one.action.split(", ")) & set(other.action.split(", "))
    kinds = bool(both) or bool(one.grade_to and other.grade_to)
    estimates = same_amount(one.estimate_to, other.estimate_to)
    return firms and grades and targets and estimates and days and kinds


def _firm(written: str, company: str) -> str:
    words = written.strip(" .,'’").split()
    while words and fold(words[0]).strip(".,'’") in _NO_FIRM:
        words = words[1:]
    name = " ".join(words)
    return "" if company and same_name(name, company) else name


def _action(verb: str) -> str:
    plain = verb.lower()
    for start, action in (
        ("upgrad", "upgraded"), ("downgrad", "downgraded"), ("initiat", "initiated"), ("start", "initiated"),
        ("resum", "initiated"), ("begin", "initiated"), ("assum", "initiated"),
    ):  # fmt: skip
        if plain.startswith(start):
            return action
    return "reiterated"


def _grade(written: str | None) -> str | None:
    return " ".join(written.split()) if written else None


def _target(firm: str, amounts: Amounts) -> Read:
    verb = amounts.verb
    changed = "raised target" if re.match(_RAISE, verb, re.I) else "cut target" if re.match(_CUT, verb, re.I) else ""
    return Read(
        firm,
        changed,
        target_from=number_of(amounts.before, worldly=False)[0] if amounts.before else None,
        target_to=number_of(amounts.to, worldly=False)[0] if amounts.to else None,
        currency=CURRENCIES.get(amounts.sign) if amounts.sign else None,
    )


def _joined(found: Sequence[Read]) -> tuple[Read, ...]:
    """One line for a firm that is told to have changed both grade and target."""
    joined: dict[str, Read] = {}
    for read in found:
        known = joined.get(fold(read.firm))
        if known is None:
            joined[fold(read.firm)] = read
            continue
        fields = {
            name: value
            for name, value in read._asdict().items()
            if value is not None and name not in ("firm", "action")
        }
        new = {name: value for name, value in fields.items() if getattr(known, name) is None}
        if read.action.endswith("target") and not known.action.endswith("target") and "target_to" in new:
            new["action"] = f"{known.action}, {read.action}"
        joined[fold(read.firm)] = known._replace(**new)
    return tuple(joined.values())


def _of_table(said: str, before: str | None, after: str | None) -> str:
    for word, action in (("up", "upgraded"), ("down", "downgraded"), ("init", "initiated")):
        if said.startswith(word):
            return action
    if before and after and fold(before) != fold(after):
        return "changed its grade"
    return "reiterated" if before else "graded"
