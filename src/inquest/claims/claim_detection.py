"""Detection of checkable statements, their check-worthiness and their type; of claims that a product, service or action
is good, or less bad, for the environment; and of the paragraphs of IFRS S2 that a claim's wording refers to, without a
judgement of compliance.

All are rules set by hand, not learned. For environmental claims the word groups of `words.toml` have the weights of
`environmental.toml`. A claim has an object (climate, water, waste, ...), an action for its benefit (reduce, recycle,
protect, commit) and mostly a company that speaks of itself; words of finance, law and definition count against it.
Quality: `python -m bench.quality claims`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from inquest.domain.claim import ClaimType, Disclosure
from inquest.domain.reasons import Catalogue, Reason, in_words
from inquest.sources.standards import named_standards
from inquest.text.blocks import CELL_GAP
from inquest.text.entities import names
from inquest.text.lexicon import compiled, entries, pattern, table
from inquest.text.moments import moments
from inquest.text.quantities import Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import ASKING, words
from inquest.text.vocabulary import hedges

GROUPS = {
    name: regex(rf"(?<![\w-])(?:{words})(?!\w)", re.IGNORECASE)
    for name, words in entries(__name__, "environmental_words").items()
}
"""Words of environmental reporting in groups: subjects, actions and speakers."""
_WEIGHTS = table("inquest.claims", "environmental")
_BOUNDARY = float(_WEIGHTS["boundary"])
_OBJECTS: dict[str, float] = _WEIGHTS["objects"]
_ONCE: dict[str, float] = _WEIGHTS["once"]
_AGAINST: dict[str, float] = _WEIGHTS["against"]
_MARKS = tuple((regex(words), float(weight)) for weight, words in _WEIGHTS["marks"])
_TOPICS = frozenset((*_OBJECTS, *_WEIGHTS["further_topics"])) - {"leaving_fossil"}
TOPIC = regex("|".join(f"(?:{GROUPS[name].pattern})" for name in sorted(_TOPICS)), re.IGNORECASE)
"""The subjects among the word groups."""


def environmental_score(text: str) -> float:
    """Return the distance from the decision boundary: a claim above 0. Comparable between sentences, but not a
    probability."""
    counts = {name: len(pattern.findall(text)) for name, pattern in GROUPS.items()}
    objects = sorted((weight for name, weight in _OBJECTS.items() if counts[name]), reverse=True)
    if not objects:
        return -_BOUNDARY
    score = objects[0] + sum(objects[1:]) / 2  # the heaviest object counts in full, each further one by half
    score += sum(weight for name, weight in _ONCE.items() if counts[name])
    score -= sum(weight * min(2, counts[name]) for name, weight in _AGAINST.items())
    score += sum(weight for words, weight in _MARKS if words.search(text))
    return round(score - _BOUNDARY, 6)


def is_environmental_claim(text: str) -> bool:
    """Return True if the sentence claims a benefit for the environment."""
    return environmental_score(text) > 0


claim_reason = Catalogue("claims")
ACTIONS = pattern(__name__, "actions")
INSTRUCTING = pattern(__name__, "instructing")  # Instructions to machines that read the page (X8)
PLANS = pattern(__name__, "plans")  # Wordings of aims
LEAST = 0.3  # Minimum checkability of a claim in a report
CONDUCT = pattern(__name__, "conduct")
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
"""Words of a sentence: with fewer it is too vague to search for, with more it makes several statements."""
_BASE, _REPORT_BASE, _OF_SENTENCE, _OF_CONDUCT = 0.1, 0.08, 0.35, 0.6
_TABLE = table("inquest.claims", "worth")
_WORDS = {name: compiled(written) for name, written in _TABLE["words"].items()}
_NATURE = ("climate", "circular", "water", "nature")
_ABSOLUTE = ("universal", "absence", "standing")  # Marks of a fact that one counterexample disproves
_NOT_PLAIN = ("aims", "vague", "judges", "first_person")
_TANGIBLE = (*_NATURE, "low_carbon", "renewable", "pollution", "certificate", "fossil")
_CLAUSE = regex(r"[,;:()]|\s[–—-]\s|\b(?:while|because|if|whereas|so\s+that|in\s+which)\b", re.I)
_CLAUSE_WORDS = 20  # Maximum words of a clause within which mark and topic belong together
_PROPERTY = regex(f"{_WORDS['predicate'].pattern}(?:{TOPIC.pattern})", re.I)
_Facts = Mapping[str, float | str | None]


class Scored(NamedTuple):
    """A sum of weights, and its reasons in the order of the table."""

    score: float
    reasons: tuple[Reason, ...]


def _scored(table: str, facts: _Facts, text: str) -> Scored:
    """Sum the weights of a table. A fact counts by its number, or once if it is text."""
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
    """Weigh a number of facts: 1, plus a fifth for each of at most two further ones."""
    return 1 + 0.2 * min(2, number - 1) if number else 0.0


_NO_STATEMENT: tuple[tuple[Callable[[str], object], str], ...] = (
    (lambda text: not text, "empty"),
    (INSTRUCTING.search, "to_machines"),
    (BOILERPLATE.search, "of_the_page"),
    (lambda text: text.endswith(ASKING), "question"),
    (_NOT_ASSERTED.match, "to_be_checked"),
    (_IMPERATIVE.match, "instruction"),
    (lambda text: CELL_GAP in text and (text.endswith(")") or not text.endswith(_ENDS)), "heading"),  # a table's row
    (lambda text: len(words(text)) < (3 if _VERB.search(text) and quantities(text) else 4), "too_short"),
)
"""Tests for text that states nothing, each with the code of its reason."""


def is_stated(text: str) -> bool:
    """True if the text is a whole sentence that states something, whether or not it is worth checking."""
    return text.endswith(_ENDS) and not _states_nothing(text)


def _states_nothing(text: str) -> str:
    return next((why for applies, why in _NO_STATEMENT if applies(text)), "")


def check_worth(sentence: str) -> Scored:
    """Score the check-worthiness of a sentence, 0 to 1, with reasons. Figures, dates, names and actions raise it;
    opinion, first person and hedges lower it. Questions, appeals and boilerplate have 0."""
    text = sentence.strip()
    if why := _states_nothing(text):
        return Scored(0.0, (claim_reason(why),))
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
    total = _scored("sentence", facts, unquoted)
    return total._replace(score=round(min(1.0, max(0.0, _BASE + total.score)), 3))


class ReportStatement(NamedTuple):
    """A statement of a report with the features that its score depends on."""

    text: str
    figures: Sequence[Quantity]
    dated: bool
    own: bool = True  # The company speaks of itself
    loose: bool = False  # The subject is only in earlier text
    whole: bool = True  # A whole sentence, not an item or a row in note form


class StatementWorth(NamedTuple):
    """Checkability and rank, 0 to 1 each, with reasons."""

    checkability: float
    rank: float
    reasons: tuple[Reason, ...]


def worth_of(statement: ReportStatement, *, industry: str = "", company: str = "") -> StatementWorth:
    """Score how well a statement can be checked and how much it matters. The words of `company` are not a topic."""
    text, figures, dated, own, loose, whole = statement
    sentence = text if whole else f"It has {text.rstrip('.')}."
    general = check_worth(sentence)
    if _states_nothing(sentence) and not figures:
        return StatementWorth(0.0, 0.0, general.reasons)
    counted = [each for each in figures if each.dimension is Dimension.COUNT and _counts(each)]
    measured = any(
        each.dimension is not Dimension.COUNT and not (each.spelled and each.dimension is Dimension.DURATION)
        for each in figures
    )
    action = bool(ACTIONS.search(text) or _RUNNING.search(text))
    bare = text.replace(company, "") if company else text
    material = TOPIC.search(bare) or CONDUCT.search(bare)
    proof = _wants_proof(bare, own=own)
    certificates = [each for each in GROUPS["certificate"].findall(text) if proof and not each.islower()]
    recorded = next(iter((*(each.text for each in named_standards(text)), *certificates)), "")
    facts: _Facts = {
        "measured": measured,
        "number": bool(counted) and not measured,
        "date": dated,
        "target_year": bool(_WORDS["target_year"].search(text)) and not action,
        "recorded": recorded,
        "action": action,
        "environmental": is_environmental_claim(text),
        "to_be_proven": proof,
        "nothing_to_hold": not (figures or dated or recorded or action or proof),
        "loose": loose,
        "of_others": not own,
        "vague": min(3.75, len(_WORDS["vague"].findall(text))),
        "long": len(words(text)) > _LONG,
    }
    total = _scored("report", facts, text)
    score = min(1.0, max(0.0, _OF_SENTENCE * general.score + _REPORT_BASE + total.score))
    reasons = [*total.reasons]
    rank = score * (0.25 + 0.5 * concern(bare, proof=proof) + 0.2 * own + 0.05 * measured)
    if material:
        reasons.append(claim_reason("often_doubted", topic=material.group()))
    if industry and re.search(rf"\b{re.escape(industry)}", bare, re.I):
        rank, reasons = rank + 0.03, [*reasons, claim_reason("industry")]
    # A statement that depends on its context is checked last.
    rank *= 0.55 if loose else 1.0
    return StatementWorth(round(score, 3), round(min(1.0, rank), 3), tuple(reasons))


def concern(text: str, *, proof: bool = False) -> float:
    """Score how likely a statement is to matter to the environment, to people or in law, 0 to 1: by a logistic curve of
    the distance from the boundary of environmental claims, and by conduct. `proof`: the statement is one that must be
    proven."""
    if proof and TOPIC.search(text):
        return 1.0
    environmental = 1 / (1 + math.exp(-3 * (environmental_score(text) + 1)))
    return max(environmental, _OF_CONDUCT if proof or CONDUCT.search(text) else 0.0)


def _wants_proof(text: str, *, own: bool) -> bool:
    """Return True if a sentence asserts, as a plain fact, something that one counterexample disproves."""
    return not any(_WORDS[name].search(text) for name in _NOT_PLAIN) and any(
        _is_absolute(clause, own=own) for clause in _CLAUSE.split(text) if len(words(clause)) <= _CLAUSE_WORDS
    )


def _is_absolute(clause: str, *, own: bool) -> bool:
    """Return True for a property, or a mark beside a relevant topic. An absence or status of the company's own counts
    whatever its topic; exceptions to what others do are not searched for."""
    marks = _ABSOLUTE if own else _ABSOLUTE[1:]
    spaced = clause.replace("-", " ")
    found = [name for name in marks if _WORDS[name].search(clause)]
    matters = CONDUCT.search(clause) or any(GROUPS[name].search(spaced) for name in _TANGIBLE)
    return bool(_PROPERTY.search(spaced) or (found and (matters or (own and found != ["universal"]))))


def _counts(figure: Quantity) -> bool:
    return not figure.spelled or figure.value >= 100


_TYPE_RULES = tuple(
    (ClaimType(row["type"]), row["why"], row.get("when", ""), compiled(row.get("words", ""))) for row in _TABLE["type"]
)


def report_claim_type(text: str, figures: Sequence[Quantity], *, own: bool = True) -> tuple[ClaimType, Reason]:
    """Classify a claim of a report. `figures`: the quantities in the text. `own`: the company speaks of itself."""
    by_rule = _type_by_rule(text, figures, own=own)
    return by_rule or (ClaimType.STRATEGIC, type_reason("business", ClaimType.STRATEGIC))


def claim_type(text: str) -> ClaimType:
    """Classify any statement by the first rule of `worth.toml` that matches, else as event or statement."""
    if by_rule := _type_by_rule(text, quantities(text)):
        return by_rule[0]
    is_event = ACTIONS.search(text) and (moments(text) or any(name.sure for name in names(text)))
    return ClaimType.EVENT if is_event else ClaimType.STATEMENT


def _type_by_rule(text: str, figures: Sequence[Quantity], *, own: bool = True) -> tuple[ClaimType, Reason] | None:
    # 'By the end of 2024 we had spent': the date of a result, not of an aim.
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
        if facts[when] and (match := listed.search(text)):
            return type_, type_reason(why, type_, match.group() or (measured[0].text if measured else ""))
    return None


def type_reason(name: str, type_: ClaimType, words: str = "") -> Reason:
    """Make the reason for a type; `words`: the text that it is based on."""
    return claim_reason(f"type_{name}", type=type_.value.replace("_", " and "), **({"words": words} if words else {}))


_AT_MOST = 5  # Maximum number of paragraphs per claim


def disclosures(text: str) -> tuple[Disclosure, ...]:
    """Match the paragraphs in the order of `disclosures.toml`, each with the words that refer to it."""
    found = []
    for standard, number, subject, patterns in _paragraphs():
        words, *also = (each.search(text) for each in patterns)
        if words is not None and all(also):
            why = Reason(code="sources.it_says", data={"words": " ".join(words.group().split())})
            said = {"reason": in_words(why), "reason_code": why}
            found.append(Disclosure(standard=standard, paragraph=number, subject=subject, **said))
    return tuple(found[:_AT_MOST])


@cache
def _paragraphs() -> list[tuple[str, str, str, list[re.Pattern[str]]]]:
    """Standard, number and subject of each paragraph, and the patterns that all must match."""
    return [
        (standard, number, row["subject"], [*map(compiled, (rf"(?<!\w)(?:{row['any']})", *row.get("also", ())))])
        for standard, paragraphs in table("inquest.claims", "disclosures").items()
        for number, row in paragraphs.items()
    ]
