"""What analysts' firms did with grades and targets, from titles, sentences and engines' tables.

A grade is reported as the event it is: which firm, what it did, from what to what, and when. It is no recommendation of
ours. A sentence is read verb by verb: whoever stands before the verb acts, a clause without a subject goes on with the
one before it, and what stands up to the next verb is what the act was about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Annotated, NamedTuple

from pydantic import BeforeValidator

from inquest.desks.market.words import Table, Words, table
from inquest.domain.market import AnalystAction, MarketQuote
from inquest.domain.search import Hit
from inquest.sources.freshness import Freshness, freshness_of
from inquest.text.entities import same_name
from inquest.text.lexicon import compiled, entries, pattern
from inquest.text.numerals import number_of
from inquest.text.regex import regex
from inquest.text.sentences import fold
from inquest.text.units import CURRENCIES

_LONGEST = 1_000
"""Characters; a title or a sentence has no more."""
_NAME = r"[A-Z][\w.&'’-]*(?:\s+(?:[A-Z][\w.&'’-]*|&|of(?=\s[A-Z])|and(?=\s[A-Z]))){0,4}"
_SUBJECT = regex(
    rf"(?:(?:[Aa]nalysts?|[Ss]trategists?)\s+(?:at|from|"
    rf"with)\s+)?(?P<firm>{_NAME}?)(?:['’]s?)?(?P<analyst>\s+(?:analysts?|"
    r"strategists?|economists?)(?:\s+[A-Z][\w.'’-]+){0,3})?[:,]?\s+(?:(?:has|have|had|also|on\s+[A-Z]\w+day)\s+)*$"
)
_GOES_ON = regex(r"(?:^|[,;]|\band\b|\bwhile\b|\bbut\b|\bthen\b)\s*(?:(?:and|but|while|also|has|have|then)\s+)*$")
_BY = regex(rf"\b(?:by|at)\s+(?:[Aa]nalysts\s+at\s+)?(?P<firm>{_NAME})")
_TARGET = regex(r"\b(?:price\s+targets?|targets?(?:\s+prices?)?|price\s+objectives?|pt)\b", re.I)
_RATING = regex(r"\b(?:ratings?|grades?|recommendations?|coverage|stance|it)\b", re.I)
_ESTIMATE = regex(r"\b(?:estimates?|forecasts?|projections?|expectations?)\b", re.I)
_SUM = (
    r"(?P<{0}>(?:US\$|C\$|A\$|HK\$|[$€£¥]|(?:USD|EUR|GBP|CHF)\s)?\d[\d,]*(?:\.\d+)?(?:\s?(?:%|per\s?cent\b|"
    r"[MBKmbk]\b|[bm]n\b|"
    r"million\b|billion\b|trillion\b|thousand\b))?(?:\s(?:a|per)\sshare\b|\s(?!(?:this|versus|minus|plus|thus|towards|"
    r"times|earlier)\b)[a-z]{{3,}}s\b)?)"
)
_CHANGE = regex(
    rf"\bfrom\s+(?:about\s+)?{_SUM.format('before')}\s*(?:to|→|->)\s*(?:about\s+)?{_SUM.format('to')}"
    rf"|\b(?:to|at|of)\s+(?:an?\s+|about\s+|around\s+|just\s+|only\s+)*{_SUM.format('to2')}"
    rf"(?:\s*[,(]?\s*(?:down\s+|up\s+)?from\s+(?:about\s+)?{_SUM.format('before2')})?"
    rf"|{_SUM.format('before3')}\s*(?:→|->)\s*{_SUM.format('to3')}",
    re.I,
)
_WITH_TARGET = regex(rf"\bwith\s+(?:an?\s+|its\s+|the\s+)?(?:new\s+)?{_SUM.format('to')}\s+(?:price\s+)?target", re.I)
_OTHER = pattern(__name__, "other")
_SIGN = regex(r"^[^\d\s]+|^[A-Z]{3}\s")


_VERBS = {name: compiled(words) for name, words in entries(__name__, "analyst_verbs").items()}
_VERB = regex(rf"(?<![\w-])(?:{'|'.join(form.pattern for form in _VERBS.values())})(?![\w-])", re.I)


class _Table(Table):
    grades: tuple[tuple[str, ...], ...]
    """Best first."""
    broker_words: Words
    brokers: Annotated[frozenset[str], BeforeValidator(lambda names: names.replace("\n", "").split("|"))]
    no_firm: Words


class _Clause(NamedTuple):
    firm: str
    verb: str
    """Its class: upgraded, downgraded, initiated, kept, raised, cut, moved."""
    analyst: bool
    """The text says that it is an analyst's firm."""
    about: str
    """What stands behind the verb, up to the next one."""


def actions_in(text: str, company: str = "") -> tuple[AnalystAction, ...]:
    """The analysts' actions that a title or sentence reports, each firm's once; () where it names no
    firm. `company`: whom they are about, who is no analyst of itself."""
    text = text[:_LONGEST]
    joined: dict[str, AnalystAction] = {}
    for clause in _clauses(text, company):
        act = _act(clause, company, joined)
        if act is not None:
            known = joined.get(fold(act.firm))
            joined[fold(act.firm)] = act if known is None else _both(known, act)
    return tuple(joined.values())


def _clauses(text: str, company: str) -> Iterator[_Clause]:
    verbs = list(_VERB.finditer(text))
    subject, is_analyst = "", False
    for place, match in enumerate(verbs):
        end = verbs[place + 1].start() if place + 1 < len(verbs) else len(text)
        before = text[verbs[place - 1].end() if place else 0 : match.start()]
        about = re.split(r"[;.](?=\s|$)", text[match.end() : end])[0]
        verb = next(name for name, form in _VERBS.items() if form.fullmatch(match.group()))
        firm, analyst = _before(before, company)
        by = _BY.search(about)
        if firm == company or not firm:
            passive = by is not None and match.group().lower().endswith("ed") and not _is_company(by["firm"], company)
            if passive and by is not None:
                firm, analyst = _clean(by["firm"]), True
                about = f"{'target ' if _TARGET.search(before) else ''}{about[: by.start()]}{about[by.end() :]}"
            elif subject and not firm and _GOES_ON.search(before):
                firm, analyst = subject, is_analyst
        if firm and firm != company:
            subject, is_analyst = firm, analyst
            yield _Clause(firm, verb, analyst, about)


def _before(before: str, company: str) -> tuple[str, bool]:
    """Who stands before a verb, and whether the text calls him an analyst; the company itself as `company`."""
    match = _SUBJECT.search(before)
    firm = _clean(match["firm"]) if match else ""
    if not firm or match is None:
        return "", False
    said = bool(match["analyst"]) or before[: match.start("firm")].rstrip().lower().endswith((" at", " from", " with"))
    return (company if _is_company(firm, company) else firm), said


def _act(clause: _Clause, company: str, known: Mapping[str, AnalystAction]) -> AnalystAction | None:
    """What the clause says that the firm did; None where it is no analyst's act."""
    about = clause.about
    other = _OTHER.search(about)
    if company and other is not None and not _is_of(other[1], company):
        return None  # what the firm did with another company's shares
    grades = [((match["how"] or "").lower(), match["grade"]) for match in _grade_form().finditer(about)]
    target, estimate = _TARGET.search(about), _ESTIMATE.search(about)
    trusted = clause.analyst or _is_broker(clause.firm) or fold(clause.firm) in known
    if estimate and not target:
        return None  # an estimate is no act on the share
    if clause.verb in ("raised", "cut", "moved", "kept") and target:
        return _target(clause, about, target, grades)
    of_company = _is_of(about, company) or bool(_RATING.search(about)) or trusted
    if grades:
        return _graded(clause, grades)
    plain = clause.verb in ("upgraded", "downgraded") or (clause.verb == "initiated" and "coverage" in about)
    return (
        AnalystAction(firm=clause.firm, action=clause.verb)
        if plain and of_company and _is_of(about or company, company)
        else None
    )


def _graded(clause: _Clause, grades: Sequence[tuple[str, str]]) -> AnalystAction | None:
    before = next((grade for how, grade in grades if how == "from"), None)
    after = next((grade for how, grade in grades if how != "from"), None)
    verb = {"kept": "reiterated", "raised": "upgraded", "cut": "downgraded"}.get(clause.verb, clause.verb)
    if clause.verb == "moved":
        if not (before and after):
            return None
        verb = "downgraded" if _rank(after) > _rank(before) else "upgraded"
    amount = _WITH_TARGET.search(clause.about) or (
        _CHANGE.search(clause.about, found.start()) if (found := _TARGET.search(clause.about)) else None
    )
    money = _amounts(amount) if amount else (None, None)
    return AnalystAction(
        firm=clause.firm,
        action=verb,
        grade_from=before,
        grade_to=after,
        target_from=_number(money[0]),
        target_to=_number(money[1]),
        currency=_currency(money[1]),
    )


def _target(
    clause: _Clause, about: str, target: re.Match[str], grades: Sequence[tuple[str, str]]
) -> AnalystAction | None:
    if clause.verb in ("kept", "moved") and grades:
        return _graded(clause, grades)
    amount = _CHANGE.search(about)
    if amount is None:
        return None
    before, to = _amounts(amount)
    if "%" in (to or ""):
        return None
    action = {"raised": "raised target", "cut": "cut target", "kept": "reiterated"}.get(clause.verb, "")
    return AnalystAction(
        firm=clause.firm, action=action, target_from=_number(before), target_to=_number(to), currency=_currency(to)
    )


def _both(known: AnalystAction, act: AnalystAction) -> AnalystAction:
    """One line for a firm that is reported to have changed both grade and target."""
    new = {
        name: value
        for name, value in act
        if value not in (None, "") and name not in ("firm", "action") and getattr(known, name) in (None, "")
    }
    of_target = act.action.endswith("target") and "target_to" in new
    if of_target and not known.action.endswith("target"):
        new["action"] = f"{known.action}, {act.action}"
    elif known.action.endswith("target") and not act.action.endswith("target") and "grade_to" in new:
        new["action"] = f"{act.action}, {known.action}"
    return known.model_copy(update=new)


def _amounts(match: re.Match[str]) -> tuple[str | None, str | None]:
    parts = match.groupdict()
    before = parts.get("before") or parts.get("before2") or parts.get("before3")
    to = parts.get("to") or parts.get("to2") or parts.get("to3")
    return (before and before.strip()), (to and to.strip())


def _number(written: str | None) -> float | None:
    digits = re.search(r"\d[\d,]*(?:\.\d+)?", written or "")
    return number_of(digits.group(), worldly=False)[0] if digits else None


def _currency(written: str | None) -> str | None:
    sign = _SIGN.match(written or "")
    return CURRENCIES.get(sign.group().strip()) if sign else None


@cache
def _table() -> _Table:
    return table("analysts", _Table)


def _rank(grade: str) -> int:
    plain = fold(grade)
    return next((place for place, row in enumerate(_table().grades) if plain in row), 0)


def _clean(written: str) -> str:
    words = re.sub(r"['’]s?$", "", written.strip(" .,'’")).split()
    ruled_out = _table().no_firm
    while words and fold(words[0]).strip(".,'’") in ruled_out:
        words = words[1:]
    return " ".join(words)


def _is_company(firm: str, company: str) -> bool:
    return bool(company) and same_name(firm, company)


def _is_of(text: str, company: str) -> bool:
    """Whether a text names the company; where that is not known, any text may."""
    named = next((word for word in fold(company).split() if len(word) > 2), "")
    return not named or bool(re.search(rf"(?<!\w){re.escape(named)}(?!\w)", fold(text)))


def _is_broker(firm: str) -> bool:
    words = fold(firm).replace(".", "").replace(",", "").split()
    brokers, endings = _table().brokers, _table().broker_words
    return fold(firm) in brokers or " ".join(words[:2]) in brokers or (len(words) > 1 and words[-1] in endings)


@cache
def _grade_form() -> re.Pattern[str]:
    every = sorted((grade for row in _table().grades for grade in row), key=len, reverse=True)
    return re.compile(
        rf"(?:\b(?P<how>to|from)\s+|\b(?:at|with(?: an?)?|its|the|an?|of)\s+|^\s*|→\s*|[\"“'‘])[\"“'‘]?"
        rf"(?P<grade>{'|'.join(map(re.escape, every))})(?!\w)(?=[\"”'’]?(?:[\s.,;:)-]|$))",
        re.I,
    )


# Engines' tables


def actions_of_hits(hits: Iterable[Hit], now: datetime, titles: Mapping[str, str]) -> tuple[AnalystAction, ...]:
    """The actions of engines' tables (a figure called 'grade'), newest first: the engine's word, not a page's.
    `titles`: what engines are called, by name."""
    found = []
    for hit in hits:
        for figure in hit.figures:
            at = figure.at or hit.published
            if figure.name != "grade" or not figure.by or (at is not None and at.at > now):
                continue
            said = str(hit.details.get("action") or "").lower()
            found.append(
                AnalystAction(
                    firm=figure.by,
                    action=_of_table(said, figure.previous_text, figure.text),
                    grade_from=figure.previous_text,
                    grade_to=figure.text,
                    at=at.iso if at else None,
                    age=freshness_of(at, now, Freshness.MARKET).words,
                    lead_by=titles.get(hit.engine, hit.engine),
                    lead_url=hit.url,
                )
            )
    return tuple(sorted(found, key=lambda each: each.at or "", reverse=True))


def merged_actions(
    quoted: Sequence[tuple[AnalystAction, MarketQuote]], leads: Sequence[AnalystAction]
) -> tuple[AnalystAction, ...]:
    """One action of a firm once, newest first: with a page's words where one has them, else as the engine's table has
    it.

    What a table gives beside a page's words (the grade before) is not mixed in: the quote has to bear what is said.
    """
    found: list[AnalystAction] = []
    for act, quote in quoted:
        action = act.model_copy(update={"at": quote.published, "age": quote.age, "quote": quote})
        place = next((n for n, other in enumerate(found) if _same(action, other)), None)
        if place is None:
            found.append(action)
        elif _detail(action) > _detail(found[place]):
            found[place] = action  # a title says less than the sentence below it
    of_pages = list(found)
    found += [lead for lead in leads if not any(_same(lead, one) or _adds_nothing(lead, one) for one in of_pages)]
    return tuple(sorted(found, key=lambda each: each.at or "", reverse=True))


def _detail(action: AnalystAction) -> int:
    """How much of a grade and a target it gives."""
    amounts = (action.grade_from, action.grade_to, action.target_from, action.target_to)
    return sum(each is not None for each in amounts)


def _same_firm(one: AnalystAction, other: AnalystAction) -> bool:
    return fold(one.firm) == fold(other.firm) or same_name(one.firm, other.firm)


def _same_day(one: AnalystAction, other: AnalystAction) -> bool:
    return not (one.at and other.at) or one.at[:10] == other.at[:10]


def _adds_nothing(lead: AnalystAction, known: AnalystAction) -> bool:
    """Whether a table says no more than that a firm kept its grade, on the day that a page reports what it did."""
    same = _same_firm(lead, known) and (lead.at or "")[:10] == (known.at or "")[:10]
    return same and lead.action == "reiterated"


def _same(one: AnalystAction, other: AnalystAction) -> bool:
    if not (_same_firm(one, other) and _same_day(one, other)):
        return False
    grades = not (one.grade_to and other.grade_to) or fold(one.grade_to) == fold(other.grade_to)
    targets = not (one.target_to and other.target_to) or one.target_to == other.target_to
    # Of 'reiterated, raised target' a title may report half.
    alike = bool(set(one.action.split(", ")) & set(other.action.split(", "))) or bool(one.grade_to and other.grade_to)
    return grades and targets and alike


def _of_table(said: str, before: str | None, after: str | None) -> str:
    for word, action in (("up", "upgraded"), ("down", "downgraded"), ("init", "initiated")):
        if said.startswith(word):
            return action
    if before and after and fold(before) != fold(after):
        return "changed its grade"
    return "reiterated" if before else "graded"
