"""Contrast pairs: one small change to a pair judged by people, and the resulting label.

Small models fail when a single word is decisive: a number, a unit, a year, a direction, a negation, a name. In a pair
whose passage supports its claim, each of these can be changed in the claim or in the passage, which changes the label.
Other changes (12 to 'twelve', '%' to 'percent', 'rose' to 'increased') leave the label unchanged, so that a model
cannot learn that every altered text is false. A change is made only if the item occurs on both sides.
"""

# mypy: ignore-errors
from __future__ import annotations

import random
import re

__all__ = ["KINDS", "changed", "contrast_pairs"]

KINDS = ("number", "unit", "year", "direction", "negation", "name", "subject", "affirmed", "same")

_NUMBER = re.compile(r"(?<![\w.,$€£-])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\w]|[.,]\d)")
_YEAR = re.compile(r"\b(1[89]\d\d|20[0-4]\d)\b")
_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_WORD_NUMBER = re.compile(r"\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", re.I)
_UNITS = (
    ("million", "billion"), ("thousand", "million"),
    ("billion", "trillion"), ("kilometres", "metres"), ("miles", "feet"),
    ("tonnes", "kilograms"), ("tons", "pounds"), ("days", "weeks"), ("weeks", "months"), ("months", "years"),
    ("years", "months"), ("hours", "days"),
    ("minutes", "hours"), ("percent", "per mille"), ("degrees", "tenths of a degree"),
    ("kg", "g"), ("mg", "g"), ("km", "m"), ("MW", "GW"), ("decade", "century"), ("decades", "centuries"),
)  # fmt: skip
_DIRECTIONS = (
    ("increase", "decrease"), ("increases", "decreases"), ("increased", "decreased"), ("increasing", "decreasing"),
    ("rise", "fall"), ("rises", "falls"), ("rose", "fell"),
    ("rising", "falling"), ("risen", "fallen"), ("grew", "shrank"),
    ("growing", "shrinking"), ("higher", "lower"), ("more", "fewer"), ("more", "less"), ("above", "below"),
    ("before", "after"), ("largest", "smallest"), ("highest", "lowest"), ("first", "last"), ("most", "least"),
    ("warming", "cooling"), ("warmer", "cooler"), ("faster", "slower"), ("reduces", "raises"), ("reduce", "raise"),
    ("reduced", "raised"), ("causes", "prevents"),
    ("cause", "prevent"), ("improves", "worsens"), ("improved", "worsened"),
    ("safe", "dangerous"), ("effective", "ineffective"),
    ("positive", "negative"), ("won", "lost"), ("winning", "losing"),
    ("older", "younger"), ("longer", "shorter"), ("up", "down"), ("gained", "lost"), ("majority", "minority"),
    ("inhibits", "promotes"), ("activates", "inhibits"), ("enhances", "impairs"), ("approved", "rejected"),
    ("supports", "opposes"), ("supported", "opposed"),
    ("accepted", "refused"), ("started", "ended"), ("began", "ended"),
    ("opened", "closed"), ("bought", "sold"), ("married", "divorced"), ("alive", "dead"), ("best", "worst"),
    ("better", "worse"), ("never", "always"), ("all", "none"), ("with", "without"), ("same", "different"),
    ("legal", "illegal"), ("true", "false"), ("strong", "weak"), ("high", "low"), ("large", "small"), ("early", "late"),
    ("north", "south"), ("east", "west"), ("male", "female"), ("upregulated", "downregulated"),
)  # fmt: skip
_SAME = (
    ("increase", "rise"), ("increased", "rose"), ("decreased", "fell"), ("decrease", "decline"), ("%", " percent"),
    ("percent", "%"), ("approximately", "about"), ("about", "roughly"), ("around", "about"), ("because", "since"),
    ("large", "big"), ("began", "started"), ("ended", "finished"),
    ("film", "movie"), ("movie", "film"), ("also", "too"),
    ("however", "but"), ("purchased", "bought"),
    ("United States", "US"), ("U.S.", "United States"), ("UK", "United Kingdom"),
    ("lower", "reduced"), ("higher", "greater"),
    ("shows", "demonstrates"), ("is not", "isn't"), ("does not", "doesn't"),
    ("did not", "didn't"), ("COVID-19", "Covid"), ("company", "firm"), ("emissions", "releases"), ("children", "kids"),
)  # fmt: skip
_AUXILIARY = re.compile(r"\b(is|are|was|were|has|have|had|can|will|should|does|do|did)\b(?! not|n['’]t)(?! no\b)", re.I)
_NOT = re.compile(
    r"\b(is|are|was|were|has|have|had|can|could|will|would|should|does|do|did) not\b|"
    r"\b(isn|aren|wasn|weren|hasn|haven|doesn|don|didn|won|couldn|wouldn)['’]t\b"
)
_PAST = re.compile(r"(?<=\w )([a-z]{3,}ed)\b(?! by)")
_THIRD = re.compile(r"(?<=[a-z] )([a-z]{3,}[^s\W])s (?=(?:the|a|an|to|in|on|with|from|more|and)\b)")
_NAME = re.compile(r"(?<![\w-])[A-Z][a-zA-Z-]{2,}(?: (?:(?:of|the|and|de|von|van) )?[A-Z][a-zA-Z-]+)*(?![\w-])")
_SPEAKS_OF_ITSELF = frozenset(
    "The This That These Those In On At It He She They We There When While After Before A An For And But People "
    "Some Many Most All Both Each Its His Her Their Our Not No Is Are Was Were Do Does Did What Who How Why "
    "January February March April May June July August September October November December".split()
)


def changed(row: dict[str, str], kind: str, chance: random.Random, names: list[str]) -> dict[str, str] | None:
    """The pair with one change of that kind, and its new label; None if the change is not possible. `names`: other
    names, as replacements."""
    if row["stance"] != {"same": row["stance"], "affirmed": "contradicts"}.get(kind, "supports"):
        return None
    maker = {
        "number": _number, "unit": _unit, "year": _year, "direction": _direction, "negation": _negation,
        "name": _name, "subject": _subject, "affirmed": _affirmed, "same": _same,
    }[kind]  # fmt: skip
    made = maker(row["claim"], row["passage"], chance, names)
    if made is None or (made[0], made[1]) == (row["claim"], row["passage"]):
        return None
    claim, passage, stance = made
    return {"source": f"contrast_{kind}", "claim": claim, "passage": passage, "stance": stance or row["stance"]}


def contrast_pairs(rows: list[dict[str, str]], per_pair: int = 2, seed: int = 11) -> list[dict[str, str]]:
    """At most `per_pair` changes to each pair, of different kinds. The same rows and seed give the same pairs."""
    chance = random.Random(seed)
    names = sorted(
        {name for row in rows for name in _NAME.findall(row["claim"]) if name.split()[0] not in _SPEAKS_OF_ITSELF}
    )
    made = []
    for row in rows:
        if len(row["passage"]) > 1500:
            continue
        kinds = list(KINDS)
        chance.shuffle(kinds)
        found = 0
        for kind in kinds:
            if found == per_pair:
                break
            if chance.random() < {"same": 0.5, "negation": 0.4, "direction": 0.2}.get(kind, 0.0):
                continue
            pair = changed(row, kind, chance, names)
            if pair is not None:
                made.append({**pair, "from": row["source"]})
                found += 1
    return made


def _place(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<![\w-]){re.escape(old)}(?![\w-])", new, text, count=1)


def _other_number(written: str, chance: random.Random) -> str:
    value = int(written.replace(",", ""))
    while True:
        if value < 12:
            other = chance.randint(1, 15)
        elif value <= 100:
            other = chance.choice(
                [value + chance.randint(5, 30), max(1, value - chance.randint(5, 30)), value * 2, value // 2]
            )
        else:
            other = chance.choice(
                [
                    value * chance.choice([2, 3, 10]),
                    value // chance.choice([2, 3, 10]),
                    int(value * chance.uniform(0.5, 0.85)),
                    int(value * chance.uniform(1.2, 1.9)),
                ]
            )
        if other != value:
            return f"{other:,}" if "," in written else str(other)


def _number(claim, passage, chance, names):
    shared = [
        m for m in _NUMBER.finditer(claim) if re.search(rf"(?<![\w.,]){re.escape(m.group())}(?![\w]|[.,]\d)", passage)
    ]
    shared = [m for m in shared if not _YEAR.fullmatch(m.group())]
    if shared:
        m = chance.choice(shared)
        new = _other_number(m.group(1), chance) + (m.group(2) or "")
        if chance.random() < 0.4 and passage.count(m.group()) == 1:
            return claim, re.sub(rf"(?<![\w.,]){re.escape(m.group())}(?![\w]|[.,]\d)", new, passage), "contradicts"
        return claim[: m.start()] + new + claim[m.end() :], passage, "contradicts"
    for m in _WORD_NUMBER.finditer(claim):
        if re.search(rf"\b{m.group()}\b", passage, re.I):
            new = chance.choice([w for w in _WORDS[2:] if w != m.group().lower()])
            return claim[: m.start()] + new + claim[m.end() :], passage, "contradicts"
    return None


def _unit(claim, passage, chance, names):
    options = [
        (a, b)
        for x, y in _UNITS
        for a, b in ((x, y), (y, x))
        if re.search(rf"\d\s?{a}\b|\b(?:{'|'.join(_WORDS)}) {a}\b", claim) and re.search(rf"\b{a}\b", passage)
    ]
    if not options:
        return None
    old, new = chance.choice(options)
    return re.sub(rf"(?<=\d ){old}\b|(?<=\d){old}\b|(?<=[a-z] ){old}\b", new, claim, count=1), passage, "contradicts"


def _year(claim, passage, chance, names):
    shared = [m for m in _YEAR.finditer(claim) if m.group() in passage]
    if not shared:
        return None
    m = chance.choice(shared)
    new = str(int(m.group()) + chance.choice([-20, -10, -7, -4, -3, -2, -1, 1, 2, 3, 4, 5, 10]))
    if new in passage:
        return None
    if chance.random() < 0.4 and passage.count(m.group()) == 1 and new not in claim:
        return claim, passage.replace(m.group(), new), "contradicts"
    return claim[: m.start()] + new + claim[m.end() :], passage, "contradicts"


def _direction(claim, passage, chance, names):
    options = [
        (a, b) for x, y in _DIRECTIONS for a, b in ((x, y), (y, x)) if re.search(rf"(?<![\w-]){a}(?![\w-])", claim)
    ]
    if not options:
        return None
    old, new = chance.choice(options)
    if re.search(rf"(?<![\w-]){new}(?![\w-])", passage):
        return None
    in_both = re.findall(rf"(?<![\w-]){old}(?![\w-])", passage)
    if chance.random() < 0.4 and len(in_both) == 1 and _NOT.search(passage) is None:
        return claim, _place(passage, old, new), "contradicts"
    return _place(claim, old, new), passage, "contradicts"


def _negation(claim, passage, chance, names):
    affirmed = _without_not(claim)
    if affirmed:
        return affirmed, passage, "contradicts"
    if re.search(r"\b(no|not|never|none|nobody|without|only|cannot)\b|n['’]t\b", claim, re.I):
        return None
    found = _AUXILIARY.search(claim)
    if found:
        short = {"is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't", "does": "doesn't", "did": "didn't"}
        new = (
            short.get(found.group().lower(), found.group() + " not")
            if chance.random() < 0.3
            else found.group() + " not"
        )
        if chance.random() < 0.15:
            new = found.group() + " never"
        return claim[: found.start()] + new + claim[found.end() :], passage, "contradicts"
    verb = _PAST.search(claim)
    if verb:
        base = verb.group(1)[:-1] if re.search(r"(?:at|in|iz|s|v|c|u|g|r)ed$", verb.group(1)) else verb.group(1)[:-2]
        return claim[: verb.start()] + "did not " + base + claim[verb.end() :], passage, "contradicts"
    verb = _THIRD.search(claim)
    if verb:
        base = verb.group(1)
        return claim[: verb.start()] + "does not " + base + claim[verb.end() - 1 :], passage, "contradicts"
    return None


def _without_not(claim):
    negated = _NOT.search(claim)
    if negated is None:
        return None
    short = {"won": "will", "don": "do"}
    word = negated.group(1) or short.get(negated.group(2)) or negated.group(2).removesuffix("n")
    return claim[: negated.start()] + word + claim[negated.end() :]


def _affirmed(claim, passage, chance, names):
    """A claim that is contradicted because of its 'not' is supported without it."""
    affirmed = _without_not(claim)
    return (affirmed, passage, "supports") if affirmed else None


def _names_in(claim, passage):
    return [m for m in _NAME.finditer(claim) if m.group().split()[0] not in _SPEAKS_OF_ITSELF and m.group() in passage]


def _name(claim, passage, chance, names):
    """A name in the body of the claim, which says what happened: with another name it is another fact."""
    found = [m for m in _names_in(claim, passage) if m.start() > 0]
    if not found:
        return None
    m = chance.choice(found)
    alike = [
        name
        for name in names
        if len(name.split()) == len(m.group().split()) and name not in passage and name not in claim
    ]
    if not alike:
        return None
    return claim[: m.start()] + chance.choice(alike) + claim[m.end() :], passage, "contradicts"


def _subject(claim, passage, chance, names):
    """The name that the claim is about: the passage says nothing about another one."""
    found = [m for m in _names_in(claim, passage) if m.start() == 0 and len(m.group()) > 3]
    if not found:
        return None
    m = found[0]
    alike = [
        name
        for name in names
        if len(name.split()) == len(m.group().split()) and name not in passage and name not in claim
    ]
    if not alike:
        return None
    return chance.choice(alike) + claim[m.end() :], passage, "neutral"


def _same(claim, passage, chance, names):
    options = [
        (a, b) for a, b in _SAME if re.search(rf"(?<![\w-]){re.escape(a)}(?![\w-])" if a != "%" else r"\d%", claim)
    ]
    m = _NUMBER.search(claim)
    if m and m.group(2) is None and m.group(1).isdigit() and 2 <= int(m.group(1)) <= 12 and m.group() in passage:
        return claim[: m.start()] + _WORDS[int(m.group(1))] + claim[m.end() :], passage, None
    if (
        m
        and m.group(1).isdigit()
        and 4 <= len(m.group(1)) <= 7
        and not _YEAR.fullmatch(m.group(1))
        and m.group(2) is None
    ):
        return claim[: m.start()] + f"{int(m.group(1)):,}" + claim[m.end() :], passage, None
    if not options:
        return None
    old, new = chance.choice(options)
    return (claim.replace("%", " percent", 1) if old == "%" else _place(claim, old, new)), passage, None
