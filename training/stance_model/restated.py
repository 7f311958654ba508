"""Restatements: claims that a passage makes in passing, and claims inside words that retract them.

A clause, an apposition, an opening or a whole sentence of a passage, stated alone, is supported by it. These come from
passages of other pairs, divided at the commas of a sentence, and from invented facts joined in one sentence. The
passage says nothing about another subject in the same sentence; a fact with another figure, or its opposite,
contradicts. A plan, doubt, question or rumour is neutral, and a denial contradicts.
"""

# mypy: ignore-errors
# ruff: noqa: E501 - one telling of a fact a line reads better than half a one
from __future__ import annotations

import random
import re

from training.stance_model.contrast import contrast_pairs
from training.stance_model.made_up_words import DEEDS, FILLERS, LEVELS, ONCE, ORGS, PEOPLE, PLACES, UNITS

__all__ = ["framed", "restated"]

_SHORT = 200
"""Length in characters of a claim inside another sentence."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“])")
_VERB = (
    r"(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|said|says|"
    r"(?!this|that|his|its|us|as|plus|less|unless|across|need|indeed|hundred)[a-z]{2,}(?:ed|[^s\W]s))"
)
_CLAUSE = re.compile(
    rf"^(?P<x>[A-Z][^,;:()]{{2,70}}), (?P<who>which|who) (?P<a>[^,;:()]{{8,140}}), (?P<b>{_VERB}\b.{{10,200}})$"
)
_APPOSITION = re.compile(
    rf"^(?P<x>[A-Z][^,;:()]{{2,50}}), (?P<a>(?:a|an|the) [^,;:()]{{4,100}}), (?P<b>{_VERB}\b.{{10,200}})$"
)
_OPENING = re.compile(
    r"^(?P<o>(?:In|On|During|By|Since|At|Within|Last|Until|Throughout) [^,;:()]{3,60}), (?P<b>(?:the|a|an|[A-Z]\w+)\b[^,;:?]{20,200}\.)$"
)
_LOOSE = re.compile(r"(?:It|He|She|They|This|These|That|But|And|However|Also|Such)\b")
_BRACKETS = re.compile(r" \([^()]{2,80}\)")
_PLURAL = re.compile(r"\b(?:and)\b|[^s]s$")


def restated(rows: list[dict[str, str]], made: int, seed: int = 31) -> list[dict[str, str]]:
    """Restatements from the passages of the rows, with contrast pairs of them, and the given number of invented
    ones."""
    chance = random.Random(seed)
    taken = [pair for passage in dict.fromkeys(row["passage"] for row in rows) for pair in _taken(passage, chance)]
    supported = [row for row in taken if row["stance"] == "supports"]
    twins = [{**row, "source": "restated"} for row in contrast_pairs(supported, per_pair=1, seed=seed)]
    return taken + twins + [_joined(chance) for _ in range(made)]


def framed(rows: list[dict[str, str]], made: int, seed: int = 37) -> list[dict[str, str]]:
    """The given number of claims of restatements (`rows`) inside words that deny, doubt or confirm them, and twice as
    many on what an invented subject plans, may do or never did."""
    chance = random.Random(seed)
    short = [row for row in rows if row["stance"] == "supports" and len(row["claim"]) < _SHORT]
    return [
        *(_unasserted(row["claim"], chance) for row in chance.sample(short, min(len(short), made))),
        *(_planned(chance) for _ in range(2 * made)),
    ]


def _row(claim, passage, stance):
    return {"claim": claim[0].upper() + claim[1:], "passage": passage, "stance": stance, "source": "restated"}


def _taken(passage, chance):
    """Claims from single sentences of a passage, at most two: with the passage, and some with the passage without that
    sentence."""
    if len(passage) > 1200:
        return
    sentences = _SENTENCE.split(passage)
    order = list(range(len(sentences)))
    chance.shuffle(order)
    found = 0
    for place in order:
        sentence = sentences[place].strip()
        if not 6 <= len(sentence.split()) <= 45 or not sentence.endswith("."):
            continue
        claims = list(_said_in(sentence))
        whole = len(sentences) > 1 and len(sentence.split()) <= 30 and sentence[0].isupper()
        if not claims and whole and not _LOOSE.match(sentence) and chance.random() < 0.12:
            claims = [sentence]
        if not claims:
            continue
        claim = chance.choice(claims)
        yield _row(claim, passage, "supports")
        others = sentences[:place] + sentences[place + 1 :]
        if len(others) > 1 and chance.random() < 0.4:
            yield _row(claim, " ".join(others), "neutral")
        found += 1
        if found == 2:
            return


def _said_in(sentence):
    if match := _CLAUSE.match(sentence):
        yield f"{match['x']} {match['a']}."
        yield f"{match['x']} {match['b']}"
    elif match := _APPOSITION.match(sentence):
        yield f"{match['x']} {match['b']}"
        if not _PLURAL.search(match["x"]):
            yield f"{match['x']} is {match['a']}."
    elif match := _OPENING.match(sentence):
        yield match["b"]
        yield f"{match['b'].rstrip('.')} {match['o'][0].lower()}{match['o'][1:]}."
    elif _BRACKETS.search(sentence):
        yield _BRACKETS.sub("", sentence)


def _facts():
    """Facts as (wordings, opposites, values for them): those with a subject {o} and a verb after it."""
    for _, unit, tellings, limits in LEVELS:
        yield tellings, None, (unit, limits)
    for tellings, what in ONCE:
        if "{o}" in tellings[0]:
            yield tellings, None, what
    for tellings, opposites, things in DEEDS:
        yield tellings, opposites, things


FACTS = tuple(_facts())


def _fact(chance):
    """(predicate, other wordings with {o}, a different fact with the same subject), each complete except for the
    subject."""
    tellings, opposites, how = chance.choice(FACTS)
    tellings = [telling for telling in tellings if telling.startswith("{o} ")] or tellings
    values = {
        "o": "{o}", "p": chance.choice(PEOPLE), "l": chance.choice(PLACES), "q": chance.choice(ORGS),
        "y": chance.randint(1985, 2024), "n": "", "u": "", "x": "",
    }  # fmt: skip
    changed = dict(values)
    if isinstance(how, tuple):
        unit, (low, high) = how
        value = chance.randint(low, high)
        other = max(1, int(value * chance.choice([0.3, 0.5, 0.7, 1.4, 1.8, 3])))
        if other == value:
            other = value + 9
        grouped = chance.random() < 0.6
        values["n"], changed["n"] = (f"{n:,}" if grouped else str(n) for n in (value, other))
        values["u"] = changed["u"] = chance.choice(UNITS[unit])
    elif opposites is None:
        changed[how] = (
            chance.choice([y for y in range(1980, 2025) if y != values["y"]]) if how == "y"
            else chance.choice([p for p in PLACES if p != values["l"]]) if how == "l" else chance.choice(ORGS)
        )  # fmt: skip
    elif how:
        values["x"] = changed["x"] = chance.choice(how.split(";"))

    def fill(telling, with_values):
        return " ".join(telling.format(**with_values).split())

    starts = [fill(t, values) for t in tellings if t.startswith("{o} ")]
    wrong = [fill(t, values) for t in opposites] if opposites else [fill(t, changed) for t in tellings]
    same = [fill(t, values) for t in tellings]
    return chance.choice(starts) if starts else None, same, wrong, opposites is None and how == "q"


def _joined(chance):
    """An invented fact in one sentence with another about the same subject, or about another subject."""
    while True:
        first, same, wrong, open_ended = _fact(chance)
        second, *_ = _fact(chance)
        third, third_same, *_ = _fact(chance)
        if first and second and third and len({first.split()[1], second.split()[1], third.split()[1]}) == 3:
            break
    one, other = chance.sample(ORGS, 2)
    bare = [each.removeprefix("{o} ").rstrip(".") for each in (first, second)]
    ways = (
        "{o}, which {a}, {b}.", "{o}, which {b}, {a}.", "{o}, a company that {a}, {b}.", "{o} {a} and {b}.", "{o} {b} and {a}.",
        "{o} {a}. The company also {b}.", "{o} {b}. It {a}.", "{o} {a}; it {b}.", "the group around {o}, which {a}, {b}.",
        "{o}, one of the oldest names in the trade, {a}.", "last week {o} ({w}) {a}.", "{o}, together with {q}, {a}.",
        "{o} {a}, while {q} {b}.", "{q} {b}, whereas {o} {a}.", "unlike {q}, {o} {a}.", "{q} trades with {o}, which {a}.",
    )  # fmt: skip
    passage = chance.choice(ways)
    stance = chance.choice(("supports", "supports", "supports", "contradicts", "neutral", "neutral"))
    values = {"o": one, "q": other, "a": bare[0], "b": bare[1], "w": chance.choice(PLACES)}
    claim = chance.choice(same)
    if stance == "contradicts":
        claim = chance.choice(wrong)
        if open_ended:
            stance = "neutral"
    elif stance == "neutral":
        if chance.random() < 0.6:  # the fact is about the other subject
            passage = chance.choice(
                ("{o} bought from {q}, which {a}.", "unlike {q}, which {a}, {o} {b}.", "{q} {a}, while {o} {b}.", "{o}, a rival of {q}, {b}. {q} {a}.",
                 "{q}, which {a}, has supplied {o} for years.", "{o} {b}, but {q} {a}.")
            )  # fmt: skip
        else:
            claim = chance.choice(third_same)
    text = passage.format(**values).format(o=one)
    sentences = [text[0].upper() + text[1:], *chance.sample(FILLERS, chance.choice([0, 0, 0, 1, 2]))]
    chance.shuffle(sentences)
    return _row(claim.format(o=one), " ".join(sentences), stance)


_SMALL = frozenset("The A An In On At It There This These Between After Shortly Some Many Most During By Since".split())
_FRAMES = (
    ("It is not true that {c}.", "contradicts"), ("The claim that {c} is false, the agency found.", "contradicts"),
    ("Contrary to what was reported, it is not so that {c}.", "contradicts"),
    ("Whether {c} is not known.", "neutral"), ("If {c}, the court will have to decide anew.", "neutral"),
    ("It was once believed that {c}.", "neutral"), ("Nobody has shown that {c}.", "neutral"),
    ("Some had hoped that {c}, but the figures are not out yet.", "neutral"),
    ("Had it been shown that {c}, the permit would have been withdrawn.", "neutral"),
    ("A rumour that {c} was doing the rounds on Monday.", "neutral"),
    ("It is true that {c}.", "supports"), ("The audit confirmed that {c}.", "supports"),
    ("The figures show that {c}.", "supports"), ("That {c} was confirmed by the agency.", "supports"),
)  # fmt: skip


def _unasserted(claim, chance):
    """A claim inside words that retract it, leave it open or confirm it."""
    frame, stance = chance.choice(_FRAMES)
    first = claim.split()[0]
    inner = claim[0].lower() + claim[1:] if first in _SMALL else claim
    text = frame.format(c=inner.rstrip("."))
    sentences = [text, *chance.sample(FILLERS, chance.choice([0, 0, 1]))]
    chance.shuffle(sentences)
    return _row(claim, " ".join(sentences), stance)


_BASE = {
    "employs": "employ", "has": "have", "emitted": "emit", "made": "make", "used": "use", "was": "be", "is": "be",
    "bought": "buy", "acquired": "acquire", "overturned": "overturn", "quashed": "quash", "banned": "ban",
    "deleted": "delete", "destroyed": "destroy", "resigned": "resign", "approved": "approve", "gave": "give",
    "closed": "close", "found": "find", "paid": "pay", "passed": "pass", "met": "meet", "supports": "support",
    "backs": "back", "invited": "invite", "asked": "ask", "raised": "raise", "put": "put", "delivered": "deliver",
    "owns": "own", "left": "leave", "stepped": "step", "came": "come", "contains": "contain",
}  # fmt: skip
_PLANS = (
    ("{o} plans to {p}.", "neutral"), ("{o} wants to {p} next year.", "neutral"), ("{o}, which intends to {p}, {b}.", "neutral"),
    ("{o} may {p}.", "neutral"), ("If approved, {o} would {p}.", "neutral"), ("{o} had promised to {p}.", "neutral"),
    ("{o} was to {p}, but never did.", "contradicts"), ("{o} failed to {p}.", "contradicts"),
    ("{o}, which did not {p}, {b}.", "contradicts"), ("{o} {b}. It never managed to {p}.", "contradicts"),
    ("{o} was expected to {p}.", "neutral"), ("The board of {o} voted on a plan to {p}.", "neutral"),
)  # fmt: skip


def _planned(chance):
    """Sentences on what a subject plans, may do or never did, with the claim that it does or did it; and with the plan
    as the claim."""
    while True:
        first, *_ = _fact(chance)
        second, *_ = _fact(chance)
        if first and second and first.split()[1] in _BASE and second.split()[1] != first.split()[1]:
            break
    verb, _, rest = first.removeprefix("{o} ").rstrip(".").partition(" ")
    base = f"{_BASE[verb]} {rest}".strip()
    one = chance.choice(ORGS)
    frame, stance = chance.choice(_PLANS)
    claim = first.format(o=one)
    text = frame.format(o=one, p=base, b=second.removeprefix("{o} ").rstrip("."))
    if stance == "neutral" and chance.random() < 0.25:
        claim, stance = f"{one} {chance.choice(['plans', 'intends', 'wants'])} to {base}.", "supports"
        text = chance.choice(
            ("{o} plans to {p}.", "{o}, which intends to {p}, {b}.", "{o} has announced plans to {p}.")
        ).format(o=one, p=base, b=second.removeprefix("{o} ").rstrip("."))
    sentences = [text[0].upper() + text[1:], *chance.sample(FILLERS, chance.choice([0, 0, 1]))]
    chance.shuffle(sentences)
    return _row(claim, " ".join(sentences), stance)
