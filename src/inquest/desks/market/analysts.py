"""Analysts' changes of grades and targets, from titles, sentences and engines' tables: events, not advice.

A sentence is parsed verb by verb: the name before the verb (or after 'by') is the firm, a clause without a subject
continues the one before it, and the words up to the next verb are the object.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from inquest.domain.market import AnalystAction, MarketQuote
from inquest.domain.search import Hit
from inquest.sources.freshness import Freshness, freshness_of
from inquest.text.entities import same_name
from inquest.text.lexicon import entries, pattern
from inquest.text.regex import regex
from inquest.text.sentences import fold
from inquest.text.units import CURRENCIES

_LONGEST = 1_000
"""Characters of a title or sentence."""
_NAME = r"[A-Z][\w.&'’-]*(?:\s+(?:[A-Z][\w.&'’-]*|&|of(?=\s[A-Z])|and(?=\s[A-Z]))){0,4}"
_SUBJECT = regex(
    rf"(?P<firm>{_NAME}?)(?:['’]s?)?(?:\s+(?:analysts?|strategists?|economists?)(?:\s+[A-Z][\w.'’-]+){{0,3}})?[:,]?\s+"
    r"(?:(?:has|have|had|also)\s+)*$"
)
_GOES_ON = regex(r"(?:^|[,;]|\b(?:and|while|but|then)\b)\s*(?:(?:and|but|while|also|has|have|then)\s+)*$")
_BY = regex(rf"\b(?:by|at)\s+(?:[Aa]nalysts\s+at\s+)?(?P<firm>{_NAME})")
_TARGET = regex(r"\b(?:price\s+)?(?:targets?|objectives?)\b|\bpt\b", re.I)
_ESTIMATE = regex(r"\b(?:estimates?|forecasts?|projections?|expectations?)\b", re.I)
_SUM = (
    r"(?P<{0}>(?:US\$|C\$|A\$|HK\$|[$€£¥]|(?:USD|EUR|GBP|CHF)\s)?\d[\d,]*(?:\.\d+)?)"
    r"(?![\d.,]*\d|\s?(?:%|per\s?cent|[MBKmbk]n?\b|million|billion))"
)
_CHANGE = regex(
    rf"\bfrom\s+{_SUM.format('before')}\s*(?:to|→|->)\s*{_SUM.format('to')}"
    rf"|\b(?:to|at|of)\s+(?:an?\s+)?{_SUM.format('to2')}(?:\s*[,(]?\s*(?:down\s+|up\s+)?from\s+{_SUM.format('before2')})?"
    rf"|{_SUM.format('before3')}\s*(?:→|->)\s*{_SUM.format('to3')}|{_SUM.format('to4')}\s+(?:price\s+)?target",
    re.I,
)
_OTHER = regex(r"\b(?:on|of|for)\s+(?!\w+day\b|Wall\b|Q[1-4]\b)([A-Z][\w&.-]*)")
_FORMS = entries(__name__, "analyst_verbs").items()
_VERB = regex(rf"(?<![\w-])(?:{'|'.join(f'(?P<{name}>{words})' for name, words in _FORMS)})(?![\w-])", re.I)
_GRADES = pattern(__name__, "grades").pattern
_GRADE = regex(
    rf"(?:\b(?P<how>to|from)\s+|\b(?:at|with(?: an?)?|its|the|an?|of)\s+|^\s*|→\s*)[\"“'‘]?(?P<grade>{_GRADES})"
    r"(?!\w)(?=[\"”'’]?(?:[\s.,;:)-]|$))",
    re.I,
)
_NO_FIRM = pattern(__name__, "no_firm")
_OF_VERB = {"kept": "reiterated", "raised": "upgraded", "cut": "downgraded", "changed": "changed its grade"}


def actions_in(text: str, company: str = "") -> tuple[AnalystAction, ...]:
    """The analysts' actions in a title or sentence, each once. `company`: the subject, no analyst of itself."""
    text = text[:_LONGEST]
    verbs = list(_VERB.finditer(text))
    found: dict[tuple[str, str], AnalystAction] = {}
    subject = ""
    for place, verb in enumerate(verbs):
        before = text[verbs[place - 1].end() if place else 0 : verb.start()]
        end = verbs[place + 1].start() if place + 1 < len(verbs) else len(text)
        about = re.split(r"[;.](?=\s|$)", text[verb.end() : end])[0]
        acting = _SUBJECT.search(before)
        firm = _firm(acting["firm"]) if acting else ""
        by = next((each for each in _BY.finditer(about) if not re.fullmatch(_GRADES, each["firm"], re.I)), None)
        if by is not None and verb.group().lower().endswith("ed") and (not firm or _is_company(firm, company)):
            firm = _firm(by["firm"])
            about = f"{'target ' if _TARGET.search(before) else ''}{about[: by.start()]}{about[by.end() :]}"
        elif not firm and _GOES_ON.search(before):
            firm = subject
        if not firm or _is_company(firm, company):
            continue
        subject = firm
        act = _act(firm, str(verb.lastgroup), about, company)
        if act is not None:
            found.setdefault((fold(firm), act.action), act)
    return tuple(found.values())


def _act(firm: str, verb: str, about: str, company: str) -> AnalystAction | None:
    """The firm's action in a clause; None if it is not about the company's share."""
    other = _OTHER.search(about)
    if company and other is not None and not _names(other[1], company):
        return None
    target = _TARGET.search(about)
    if _ESTIMATE.search(about) and not target:
        return None
    grades = [((match["how"] or "").lower(), match["grade"]) for match in _GRADE.finditer(about)]
    amounts = _CHANGE.search(about) if target else None
    parts = {name.rstrip("234"): value for name, value in amounts.groupdict().items() if value} if amounts else {}
    sums = {
        "target_from": _number(parts.get("before")),
        "target_to": _number(parts.get("to")),
        "currency": CURRENCIES.get(re.split(r"\d", parts.get("to", ""))[0].strip()),
    }
    if verb == "changed" and len({how for how, _ in grades} & {"to", "from"}) < 2:
        return None
    if grades:
        return AnalystAction(
            firm=firm,
            action=_OF_VERB.get(verb, verb),
            grade_from=next((grade for how, grade in grades if how == "from"), None),
            grade_to=next((grade for how, grade in grades if how != "from"), None),
            **sums,
        )
    if parts and verb in _OF_VERB:
        return AnalystAction(firm=firm, action="reiterated" if verb == "kept" else f"{verb} target", **sums)
    plain = verb in ("upgraded", "downgraded") or (verb == "initiated" and "coverage" in about)
    return AnalystAction(firm=firm, action=verb) if plain and _names(about or company, company, whole=True) else None


def _number(written: str | None) -> float | None:
    digits = re.search(r"\d[\d,]*(?:\.\d+)?", written or "")
    return float(digits.group().replace(",", "")) if digits else None


def _firm(written: str) -> str:
    words = re.sub(r"['’]s?$", "", written.strip(" .,'’")).split()
    while words and _NO_FIRM.fullmatch(words[0].strip(".,'’")):
        words = words[1:]
    return " ".join(words)


def _is_company(firm: str, company: str) -> bool:
    return bool(company) and same_name(firm, company)


def _names(text: str, company: str, *, whole: bool = False) -> bool:
    """True if a text names the company (`whole`: itself, not its possession) or the company is unknown."""
    head = next((word for word in fold(company).split() if len(word) > 2), "")
    ends = r"(?!\w|['’]s)" if whole else r"(?!\w)"
    return not head or bool(re.search(rf"(?<!\w){re.escape(head)}{ends}", fold(text)))


def actions_of_hits(hits: Iterable[Hit], now: datetime, titles: Mapping[str, str]) -> tuple[AnalystAction, ...]:
    """The actions in engines' tables (figures called 'grade'), newest first. `titles`: of engines, by name."""
    found = []
    for hit in hits:
        for figure in hit.figures:
            at = figure.at or hit.published
            if figure.name != "grade" or not figure.by or (at is not None and at.at > now):
                continue
            found.append(
                AnalystAction(
                    firm=figure.by,
                    action=_of_table(str(hit.details.get("action") or ""), figure.previous_text, figure.text),
                    grade_from=figure.previous_text,
                    grade_to=figure.text,
                    at=at.iso if at else None,
                    age=(age := freshness_of(at, now, Freshness.MARKET)).words,
                    age_code=age.code,
                    lead_by=titles.get(hit.engine, hit.engine),
                    lead_url=hit.url,
                )
            )
    return tuple(sorted(found, key=lambda each: each.at or "", reverse=True))


def merged_actions(
    quoted: Sequence[tuple[AnalystAction, MarketQuote]], leads: Sequence[AnalystAction]
) -> tuple[AnalystAction, ...]:
    """One action of a firm a day, newest first: quoted from a page if possible, else from the table; never mixed."""
    found: list[AnalystAction] = []
    for act, quote in quoted:
        action = act.model_copy(
            update={"at": quote.published, "age": quote.age, "age_code": quote.age_code, "quote": quote}
        )
        place = next((n for n, other in enumerate(found) if _same(action, other)), None)
        if place is None:
            found.append(action)
        elif action.grade_to or action.target_to:
            found[place] = action  # the sentence has more detail than the title
    of_pages = list(found)
    found += [lead for lead in leads if not any(_same(lead, one) for one in of_pages)]
    return tuple(sorted(found, key=lambda each: each.at or "", reverse=True))


def _same(one: AnalystAction, other: AnalystAction) -> bool:
    """True if both report one action of a firm on one day."""
    firm = fold(one.firm) == fold(other.firm) or same_name(one.firm, other.firm)
    of_one_kind = one.action.endswith("target") == other.action.endswith("target")
    grades = not (one.grade_to and other.grade_to) or fold(one.grade_to) == fold(other.grade_to)
    return firm and of_one_kind and grades and not (one.at and other.at and one.at[:10] != other.at[:10])


def _of_table(written: str, before: str | None, after: str | None) -> str:
    for word, action in (("up", "upgraded"), ("down", "downgraded"), ("init", "initiated")):
        if written.lower().startswith(word):
            return action
    if before and after and fold(before) != fold(after):
        return "changed its grade"
    return "reiterated" if before else "graded"
