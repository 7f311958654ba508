"""Which sentences state something that can be checked, how much they are worth checking, and of what type they are."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

from inquest.claims.environmental import GROUPS, TOPIC, environmental_score, is_environmental_claim
from inquest.claims.press_words import CONDUCT
from inquest.domain.claim import ClaimType
from inquest.domain.reasons import Reason, ReasonData
from inquest.sources.standards import named_standards
from inquest.text.entities import names
from inquest.text.lexicon import compiled, pattern
from inquest.text.moments import moments
from inquest.text.polarity import hedges
from inquest.text.quantities import Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import ASKING, words

ACTIONS = pattern(__name__, "actions")
INSTRUCTING = pattern(__name__, "instructing")
"""A page that speaks to the machine that reads it (X8)."""
PLANS = pattern(__name__, "plans")
"""What is aimed at, in words that say so."""
LEAST = 0.3
"""Checkability below which a sentence of a report is no claim."""
_IMPERATIVE = pattern(__name__, "imperative")
BOILERPLATE = pattern(__name__, "boilerplate")
_NOT_ASSERTED = pattern(__name__, "not_asserted")
_QUOTED = regex(r"[\"“][^\"”]*[\"”]")
_VERB = pattern(__name__, "verb")
_RUNNING = regex(r"\b(?:in|into|began|started)\s+(?:operation|service|production|use)\b", re.I)
_YEAR = regex(r"\b(?:1[89]|20)\d\d\b")
_REACHED = pattern(__name__, "reached")
_BY_YEAR = r"\bby\s+(?:the\s+(?:end|beginning)\s+of\s+)?20[0-9]\d\b"
_DONE_BY = regex(rf"(?P<before>\bhad\b[^.;]{{0,80}}?)?{_BY_YEAR}(?(before)|(?=[^.;]{{0,80}}\bhad\b))", re.I)
_ENDS = (".", "!", "…", ".”", '."', ".’", ".'", ")", "”", '"')
_SHORT, _LONG = 6, 45
"""Words. Shorter says too little to be found again, longer says more than one thing."""
_BASE, _REPORT_BASE, _OF_SENTENCE = 0.1, 0.08, 0.35
_TABLE = tomllib.loads((files(__package__) / "worth.toml").read_text("utf-8"))
_WORDS = {name: compiled(written) for name, written in _TABLE["words"].items()}
BASELINE = _WORDS["baseline"]

_NATURE = ("climate", "circular", "water")

_Facts = Mapping[str, float | str | None]


class Scored(NamedTuple):
    """The sum of the weights that apply, and their reasons in the order of the table."""

    score: float
    reasons: tuple[Reason, ...]


def claim_reason(name: str, **data: ReasonData) -> Reason:
    """A reason of `domain/wording/claims.toml`."""
    return Reason(code=f"claims.{name}", data=data)


def _scored(table: str, facts: _Facts, text: str) -> Scored:
    """The sum over a table. A fact counts by its number, or once where it is words."""
    score = 0.0
    reasons = []
    for name, weight in _TABLE[table].items():
        found = facts.get(name) or bool(name not in facts and _WORDS[name].search(text))
        if not found:
            continue
        score += weight * (1.0 if isinstance(found, str) else found)
        reasons.append(claim_reason(name, **({"words": found} if isinstance(found, str) else {})))
    return Scored(score, tuple(reasons))


def _several(number: int) -> float:
    """One and a fifth for each further, at most two."""
    return 1 + 0.2 * min(2, number - 1) if number else 0.0


_NO_STATEMENT: tuple[tuple[Callable[[str], object], str], ...] = (
    (lambda text: not text, "empty"),
    (INSTRUCTING.search, "to_machines"),
    (BOILERPLATE.search, "of_the_page"),
    (lambda text: text.endswith(ASKING), "question"),
    (_NOT_ASSERTED.match, "to_be_checked"),
    (_IMPERATIVE.match, "instruction"),
    (lambda text: len(words(text)) < 4, "too_short"),
)
"""What is no statement at all, each with the code of its reason."""


def check_worth(sentence: str) -> Scored:
    """How much a sentence is worth checking, 0 to 1, and why: what speaks for it (figures, dates, names, actions) less
    what speaks against (opinion, first person, hedges, questions, appeals, furniture of the page)."""
    text = sentence.strip()
    why_not = next((why for applies, why in _NO_STATEMENT if applies(text)), "")
    if why_not:
        return Scored(0.0, (claim_reason(why_not),))
    unquoted = _QUOTED.sub(" ", text)
    length = len(words(text))
    facts: _Facts = {
        "figure": _several(sum(not (each.spelled and each.value < 3) for each in quantities(text))),
        "date": bool(moments(text) or _YEAR.search(text)),
        "name": _several(sum(name.sure for name in names(text))),
        "done": bool(ACTIONS.search(unquoted)),
        "short": length < _SHORT,
        "long": length > _LONG,
        "heading": not text.endswith(_ENDS),
        "no_verb": not _VERB.search(unquoted),
        "hedges": bool(hedges(unquoted)),
    }
    sum_ = _scored("sentence", facts, unquoted)
    return sum_._replace(score=round(min(1.0, max(0.0, _BASE + sum_.score)), 3))


class ReportStatement(NamedTuple):
    """What a report says in one place, as its worth is judged."""

    text: str
    figures: Sequence[Quantity]
    dated: bool
    own: bool = True
    """The company speaks of itself."""
    loose: bool = False
    """What it speaks of appears only before it."""
    whole: bool = True
    """It is a sentence, not an item or a row in note form."""


class StatementWorth(NamedTuple):
    """Checkability and rank, 0 to 1 each, and what made them."""

    checkability: float
    rank: float
    reasons: tuple[Reason, ...]


def worth_of(statement: ReportStatement, *, industry: str = "", company: str = "") -> StatementWorth:
    """How well a statement can be checked, and how much it matters. `company`: its name, whose words say nothing of the
    topic."""
    text, figures, dated, own, loose, whole = statement
    general = check_worth(text if whole else f"It has {text.rstrip('.')}.")
    if general.score <= 0 and not figures:
        return StatementWorth(0.0, 0.0, general.reasons)
    counted = [each for each in figures if each.dimension is Dimension.COUNT and _counts(each)]
    measured = any(
        each.dimension is not Dimension.COUNT and not (each.spelled and each.dimension is Dimension.DURATION)
        for each in figures
    )
    action = bool(ACTIONS.search(text) or _RUNNING.search(text))
    recorded = next((each.text for each in named_standards(text)), "")
    facts: _Facts = {
        "measured": measured,
        "number": bool(counted) and not measured,
        "date": dated,
        "target_year": bool(_WORDS["target_year"].search(text)) and not action,
        "recorded": recorded,
        "action": action,
        "environmental": is_environmental_claim(text),
        "nothing_to_hold": not (figures or dated or recorded or action),
        "loose": loose,
        "of_others": not own,
        "vague": min(3.75, len(_WORDS["vague"].findall(text))),
        "long": len(words(text)) > _LONG,
    }
    sum_ = _scored("report", facts, text)
    score = min(1.0, max(0.0, _OF_SENTENCE * general.score + _REPORT_BASE + sum_.score))
    reasons = [*sum_.reasons]
    bare = text.replace(company, "") if company else text
    material = TOPIC.search(bare) or CONDUCT.search(bare)
    rank = score * (0.55 + 0.2 * bool(material) + 0.2 * own + 0.05 * measured)
    if material:
        reasons.append(claim_reason("often_doubted", topic=material.group()))
    if industry and re.search(rf"\b{re.escape(industry)}", bare, re.I):
        rank, reasons = rank + 0.03, [*reasons, claim_reason("industry")]
    # What does not stand alone is the last to be checked, however much it says.
    rank *= 0.55 if loose else 1.0
    return StatementWorth(round(score, 3), round(min(1.0, rank), 3), tuple(reasons))


def _counts(figure: Quantity) -> bool:
    return not figure.spelled or figure.value >= 100


_TYPE_RULES = tuple(
    (ClaimType(row["type"]), row["why"], row.get("when", ""), compiled(row.get("words", ""))) for row in _TABLE["type"]
)


class TypeOfClaim(NamedTuple):
    """A type, and why it is this one."""

    type: ClaimType
    reason: Reason


def report_claim_type(text: str, figures: Sequence[Quantity], *, own: bool = True) -> TypeOfClaim:
    """The type of a claim of a report. `figures`: the quantities in the text. `own`: the company speaks of itself."""
    found = _type_by_rule(text, figures, own=own)
    return found or TypeOfClaim(ClaimType.STRATEGIC, type_reason("business", ClaimType.STRATEGIC))


def claim_type(text: str) -> ClaimType:
    """The type of any statement: the first that applies of certificate, aim, land, law, figure, environment, place and
    event."""
    if found := _type_by_rule(text, quantities(text)):
        return found.type
    is_event = ACTIONS.search(text) and (moments(text) or any(name.sure for name in names(text)))
    return ClaimType.EVENT if is_event else ClaimType.STATEMENT


def _type_by_rule(text: str, figures: Sequence[Quantity], *, own: bool = True) -> TypeOfClaim | None:
    # 'By the end of 2024 we had spent': a date by which something was done, not one that is aimed at.
    text = _DONE_BY.sub(lambda dated: dated["before"] or "", text)
    measured = [each for each in figures if each.dimension is not Dimension.COUNT or _counts(each)]
    facts = {
        "": True,
        "measured": bool(measured),
        "unmeasured": all(each.dimension is Dimension.COUNT or each.spelled for each in measured),
        "of_others": not own,
        "not_reached": _REACHED.search(text) is None,
        "not_aimed": not (PLANS.search(text) or _WORDS["target_year"].search(text)),
        "environmental": environmental_score(text) > 0 or any(GROUPS[name].search(text) for name in _NATURE),
    }
    for type_, why, when, listed in _TYPE_RULES:
        found = listed.search(text) if facts[when] else None
        if found is not None:
            said = found.group() or (measured[0].text if measured else "")
            return TypeOfClaim(type_, type_reason(why, type_, said))
    return None


def type_reason(name: str, type_: ClaimType, words: str = "") -> Reason:
    """Why a claim is of a type; `words` are those that say so."""
    return claim_reason(f"type_{name}", type=type_.value.replace("_", " and "), **({"words": words} if words else {}))
