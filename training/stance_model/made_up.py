"""Made-up pairs with one clear answer: a fact about an invented company, town or person, stated twice, and changed
once.

The judged sets have few of the plain figures, units, periods and reversals that reports and the press are full of. Each
fact here has several wordings; the claim is one and the passage another, among sentences on other topics, and at most
one thing differs. Another number, direction or unit contradicts; another subject, topic or period says nothing about
the claim; a plan is not an event; a figure rounded as in the claim is the same figure.
"""

# mypy: ignore-errors
# ruff: noqa: E501 - one telling of a fact a line reads better than half a one
from __future__ import annotations

import random

from training.stance_model.made_up_words import (
    CAUSES,
    DEEDS,
    DOWN,
    EFFECTS,
    FILLERS,
    LEVELS,
    ONCE,
    ORGS,
    PEOPLE,
    PLACES,
    THINGS,
    UNITS,
    UP,
)

__all__ = ["made_up"]


def made_up(count: int, seed: int = 23) -> list[dict[str, str]]:
    """The given number of pairs, with 'made_up' as their source. The same count and seed give the same pairs."""
    chance = random.Random(seed)
    kinds = (_change, _change, _level, _event, _quantifier, _compared, _target, _ruling, _effect, _deed, _deed, _deed)
    return [_row(chance.choice(kinds)(chance), chance) for _ in range(count)]


def _row(made, chance):
    claim, passage, stance = made
    sentences = [passage, *chance.sample(FILLERS, chance.choice([0, 0, 1, 2, 3]))]
    if chance.random() < 0.6:
        chance.shuffle(sentences)
    return {
        "source": "made_up",
        "claim": _capital(claim),
        "passage": " ".join(map(_capital, sentences)),
        "stance": stance,
    }


def _capital(text):
    return text[0].upper() + text[1:]


def _other(chance, options, *taken):
    return chance.choice([each for each in options if each not in taken])


def _outcome(chance, *options):
    """One of the (stance, how) options, so that the three stances are about equally frequent."""
    stance = chance.choice(sorted({each[0] for each in options}))
    return chance.choice([each for each in options if each[0] == stance])


def _percent(chance, value):
    return chance.choice([f"{value} %", f"{value}%", f"{value} percent", f"{value} per cent"])


def _change(chance):
    org, thing, year = chance.choice(ORGS), chance.choice(THINGS), chance.randint(2008, 2024)
    value, way = chance.randint(3, 95), chance.choice((DOWN, UP))
    stance, how = _outcome(
        chance, ("supports", "same"), ("supports", "rounded"), ("contradicts", "number"), ("contradicts", "direction"),
        ("contradicts", "not"), ("neutral", "org"), ("neutral", "year"), ("neutral", "thing"), ("neutral", "planned"),
    )  # fmt: skip
    said, there_year, there_org, there_thing, there_way = value, year, org, thing, way
    about = ""
    if how == "rounded":
        value = round(value / 10) * 10 or 10
        said, about = (
            value + chance.choice([-1, 1, 2]),
            chance.choice(["about ", "around ", "roughly ", "some ", "nearly "]),
        )
    elif how == "number":
        said = _other(chance, [n for n in range(2, 97) if abs(n - value) > max(4, value * 0.15)])
    elif how == "direction":
        there_way = UP if way is DOWN else DOWN
    elif how == "org":
        there_org = _other(chance, ORGS, org)
    elif how == "year":
        there_year = _other(chance, range(2006, 2025), year)
    elif how == "thing":
        there_thing = _other(chance, THINGS, thing)
    claim = _told_change(chance, org, thing, f"{about}{_percent(chance, value)}", year, way)
    if how == "not":
        passage = chance.choice(
            [f"{thing} of {org} did not change in {year}.", f"in {year}, {org} saw no change in {thing}.",
             f"{thing} at {org} remained flat in {year}, the figures show."]
        )  # fmt: skip
    elif how == "planned":
        verb = way[0][0] if way is DOWN else "raise"
        passage = f"{org} {chance.choice(['plans', 'aims', 'wants', 'intends'])} to {verb} {thing} by {_percent(chance, value)}, it said in {year}."
    else:
        passage = _told_change(chance, there_org, there_thing, _percent(chance, said), there_year, there_way)
    return claim, passage, stance


def _told_change(chance, org, thing, amount, year, way):
    verb, itself, noun = (chance.choice(words) for words in way)
    thing_of = thing.replace("its ", "") if thing.startswith("the price of its") else thing
    return chance.choice(
        [
            f"{org} {verb} {thing} by {amount} in {year}.",
            f"in {year} {thing_of} at {org} {itself} by {amount}.",
            f"{org} reported a {noun} in {thing} of {amount} for {year}.",
            f"{thing_of} of {org} {itself} {amount} in {year}.",
            f"between the start and the end of {year}, {org} {verb} {thing} by {amount}.",
            f"according to {org}, there was a {noun} of {amount} in {thing} in {year}.",
        ]
    )


def _level(chance):
    org, year = chance.choice(ORGS), chance.randint(2008, 2024)
    _, kind, tellings, (low, high) = chance.choice(LEVELS)
    value, unit = chance.randint(low, high), chance.choice(UNITS[kind])
    stance, how = _outcome(
        chance, ("supports", "same"), ("contradicts", "number"), ("contradicts", "unit" if len(UNITS[kind]) > 1 else "number"),
        ("neutral", "org"), ("neutral", "year" if "{y}" in tellings[0] else "org"),
    )  # fmt: skip
    there = {"o": org, "n": value, "u": unit, "y": year}
    if how == "number":
        there["n"] = max(1, int(value * chance.choice([0.2, 0.45, 0.6, 0.75, 1.3, 1.6, 2.2, 5])))
        if there["n"] == value:
            there["n"] = value + 7
    elif how == "unit":
        there["u"] = _other(chance, UNITS[kind], unit)
    elif how == "org":
        there["o"] = _other(chance, ORGS, org)
    elif how == "year":
        there["y"] = _other(chance, range(2006, 2025), year)
    one, other = chance.choice(tellings), chance.choice(tellings)
    return _filled(one, {"o": org, "n": value, "u": unit, "y": year}, chance), _filled(other, there, chance), stance


def _filled(telling, values, chance):
    number = values["n"]
    written = f"{number:,}" if chance.random() < 0.7 else str(number)
    return " ".join(telling.format(o=values["o"], n=written, u=values["u"], y=values["y"]).split())


def _event(chance):
    tellings, what = chance.choice(ONCE)
    values = {
        "o": chance.choice(ORGS), "p": chance.choice(PEOPLE), "l": chance.choice(PLACES), "y": chance.randint(1955, 2023),
    }  # fmt: skip
    values["q"] = _other(chance, ORGS, values["o"])
    there = dict(values)
    stance, how = _outcome(
        chance, ("supports", "same"), ("contradicts", "what"), ("contradicts", "not"), ("neutral", "bearer")
    )
    claim, told = chance.choice(tellings).format(**values), chance.choice(tellings)
    if how == "what" and what == "y":
        there["y"] = _other(chance, range(1950, 2025), values["y"])
    elif how == "what":
        there[what] = _other(chance, {"l": PLACES, "q": ORGS}[what], values[what], values["o"])
        if what == "q":
            stance = "neutral"  # a company may buy two others
    elif how == "not":
        for verb in (" was ", " has ", " is ", " became ", " bought ", " acquired "):
            if verb in told:
                turned = {" became ": " never became ", " bought ": " did not buy ", " acquired ": " never acquired "}
                return claim, told.replace(verb, turned.get(verb, f"{verb}not "), 1).format(**there), "contradicts"
        stance = "supports"
    elif how == "bearer":
        bearer = next(key for key in ("p", "o", "l") if "{" + key + "}" in tellings[0])
        there[bearer] = _other(chance, {"p": PEOPLE, "o": ORGS, "l": PLACES}[bearer], values[bearer], values["q"])
    return claim, told.format(**there), stance


def _quantifier(chance):
    org, thing = chance.choice(ORGS), chance.choice(["plants", "suppliers", "shops", "vehicles", "sites", "warehouses"])
    done = chance.choice(
        [
            "certified",
            "inspected",
            "powered by renewable electricity",
            "audited last year",
            "insured",
            "free of asbestos",
        ]
    )
    total = chance.randint(4, 60)
    part = chance.randint(1, total - 2)
    every = [
        f"all {thing} of {org} are {done}.",
        f"every one of the {thing} of {org} is {done}.",
        f"{org} says 100 % of its {thing} are {done}.",
        f"each of the {total} {thing} of {org} is {done}.",
    ]
    some = [
        f"{part} of the {total} {thing} of {org} are {done}.",
        f"only {part} of {total} {thing} of {org} are {done}.",
        f"not all {thing} of {org} are {done}: {total - part} are not.",
    ]
    none = [f"none of the {thing} of {org} is {done}.", f"not a single one of the {thing} of {org} is {done}."]
    stance, how = _outcome(
        chance, ("supports", "all"), ("contradicts", "some"), ("contradicts", "none"), ("neutral", "org")
    )
    claim = chance.choice(every)
    if how == "org":
        other = _other(chance, ORGS, org)
        return claim, chance.choice(every + some).replace(org, other), "neutral"
    passage = chance.choice({"all": every, "some": some, "none": none}[how])
    return (passage, claim, stance) if how == "none" and chance.random() < 0.5 else (claim, passage, stance)


def _compared(chance):
    one = chance.choice(ORGS)
    two = _other(chance, ORGS, one)
    more, less = chance.choice(
        [
            ("larger", "smaller"),
            ("cheaper", "more expensive"),
            ("older", "younger"),
            ("more profitable", "less profitable"),
            ("cleaner", "dirtier"),
            ("safer", "more dangerous"),
            ("faster", "slower"),
        ]
    )
    stance, how = _outcome(
        chance,
        ("supports", "turned"),
        ("supports", "same"),
        ("contradicts", "swapped"),
        ("contradicts", "less"),
        ("neutral", "other"),
    )
    claim = f"{one} is {more} than {two}."
    frames = [
        "{a} is {w} than {b}, a comparison shows.",
        "a study found {a} to be {w} than {b}.",
        "compared with {b}, {a} is {w}.",
    ]
    frame = chance.choice(frames)
    a, b, w = {
        "turned": (two, one, less), "same": (one, two, more), "swapped": (two, one, more), "less": (one, two, less),
        "other": (one, _other(chance, ORGS, one, two), more),
    }[how]  # fmt: skip
    return claim, frame.format(a=a, b=b, w=w), stance


def _target(chance):
    org, year = chance.choice(ORGS), chance.randint(2025, 2050)
    goal = chance.choice(
        ["carbon neutral", "climate neutral", "free of coal", "free of single-use plastic", "fully electric"]
    )
    stance, how = _outcome(
        chance,
        ("supports", "same"),
        ("contradicts", "year"),
        ("contradicts", "dropped"),
        ("neutral", "org"),
        ("neutral", "goal"),
    )
    tellings = [
        "{o} aims to be {g} by {y}.",
        "by {y}, {o} wants to be {g}.",
        "{o} has set itself the goal of being {g} by {y}.",
        "the goal of {o} is to be {g} in {y}.",
    ]
    there = {"o": org, "g": goal, "y": year}
    if how == "year":
        there["y"] = _other(chance, range(2025, 2061), year)
    elif how == "org":
        there["o"] = _other(chance, ORGS, org)
    elif how == "goal":
        there["g"] = chance.choice(["listed on the stock exchange", "debt free", "the market leader"])
    passage = chance.choice(tellings).format(**there)
    if how == "dropped":
        passage = chance.choice(
            [
                f"{org} has given up its goal of being {goal} by {year}.",
                f"{org} no longer aims to be {goal} by {year}.",
                f"{org} has no plan to be {goal}.",
            ]
        )
    return chance.choice(tellings).format(o=org, g=goal, y=year), passage, stance


def _ruling(chance):
    org, amount = chance.choice(ORGS), chance.randint(2, 900)
    unit, deed = (
        chance.choice(["million euros", "thousand euros", "million dollars"]),
        chance.choice(
            ["price fixing", "polluting the river", "breaking data protection law", "bribery", "misleading advertising"]
        ),
    )
    stance, how = _outcome(
        chance,
        ("supports", "same"),
        ("contradicts", "number"),
        ("contradicts", "acquitted"),
        ("neutral", "org"),
        ("neutral", "asked"),
    )
    tellings = [
        "{o} was fined {n} {u} for {d}.",
        "a court ordered {o} to pay a fine of {n} {u} for {d}.",
        "for {d}, {o} must pay {n} {u}, the court ruled.",
    ]
    there = {"o": org, "n": amount, "u": unit, "d": deed}
    if how == "number":
        there["n"] = _other(chance, range(2, 950), amount)
    elif how == "org":
        there["o"] = _other(chance, ORGS, org)
    passage = chance.choice(tellings).format(**there)
    if how == "acquitted":
        passage = chance.choice(
            [
                f"{org} was cleared of {deed} and pays no fine.",
                f"the court found {org} not guilty of {deed}.",
                f"the fine against {org} for {deed} was quashed.",
            ]
        )
    elif how == "asked":
        passage = f"the authority has opened an investigation into {org} over {deed}."
    return chance.choice(tellings).format(o=org, n=amount, u=unit, d=deed), passage, stance


def _effect(chance):
    cause, effect = chance.choice(CAUSES), chance.choice(EFFECTS)
    up = [
        "{c} raises {e}.",
        "{c} increases {e}.",
        "a trial showed higher values of {e} with {c}.",
        "{e} was higher under {c}.",
    ]
    down = [
        "{c} lowers {e}.",
        "{c} reduces {e}.",
        "a trial showed lower values of {e} with {c}.",
        "{e} was lower under {c}.",
    ]
    none = [
        "{c} has no effect on {e}.",
        "the study found no difference in {e} with {c}.",
        "{e} was not affected by {c}.",
    ]
    stance, how = _outcome(
        chance,
        ("supports", "same"),
        ("contradicts", "turned"),
        ("contradicts", "none"),
        ("neutral", "cause"),
        ("neutral", "effect"),
    )
    mine, theirs = chance.choice([(up, down), (down, up)])
    fill = {"c": cause, "e": effect}
    told = chance.choice({"turned": theirs, "none": none}.get(how, mine))
    if how == "cause":
        fill["c"] = chance.choice(["coffee", "magnesium", "a high-fat diet", "regular swimming"])
    elif how == "effect":
        fill["e"] = chance.choice(["hair growth", "memory in mice", "soil acidity", "the cost of treatment"])
    return chance.choice(mine).format(c=cause, e=effect), told.format(**fill), stance


def _deed(chance):
    """An action in other words, and its opposite; and the same for somebody or something else."""
    tellings, opposites, things = chance.choice(DEEDS)
    bearers = ORGS + PEOPLE + PLACES
    bearer = chance.choice(bearers)
    thing = chance.choice(things.split(";")) if things else ""
    stance, how = _outcome(
        chance,
        ("supports", "same"),
        ("contradicts", "opposite"),
        ("neutral", "bearer"),
        ("neutral", "thing" if things else "bearer"),
    )
    mine, theirs = (tellings, opposites) if chance.random() < 0.6 else (opposites, tellings)
    told = chance.choice(theirs if how == "opposite" else mine if how == "same" else mine + theirs)
    there, there_thing = bearer, thing
    if how == "bearer":
        there = _other(chance, bearers, bearer)
    elif how == "thing":
        there_thing = _other(chance, things.split(";"), thing)
    return chance.choice(mine).format(o=bearer, x=thing), told.format(o=there, x=there_thing), stance
