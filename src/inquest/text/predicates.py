"""Words for deeds and measures: which two mean the same, and which of a statement's words say what is done."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from inquest.text.passages import stems
from inquest.text.sentences import fold, stem

__all__ = ["has_word", "other_words", "predicates", "same_word"]

# One deed or measure by several words. The first of each row stands for the others.
_SAME = (
    "penalty fine fined penalties fines sanction",
    "spend spent spends spending expenditure outlay",
    "pay paid pays payment payments paying",
    "die died dies dead death deaths dying killed kill kills fatalities perished fatally",
    "injure injured injuries injury hurt wounded",
    "employ employs employed staff workforce employees workers employment job jobs",
    "emit emitted emits emission emissions",
    "discharge discharged discharges discharging",
    "cost costs costing costed price priced",
    "rise rose risen rises rising increase increased increases increasing grow grew grown growth climbed jumped",
    "fall fell fallen falls falling decrease decreased drop dropped decline declined declines cut reduced reduction "
    "reduce shrank",
    "win won wins winning victory beat beaten victories",
    "lose lost loses losing loss defeat defeated",
    "earn earned earns revenue turnover",
    "close closed shut shuts closure closes closing shutdown",
    "buy bought buys acquire acquired acquires purchase purchased purchases acquisition takeover buyout",
    "sell sold sale sells selling sales",
    "build built builds construct constructed construction erected building",
    "attend attended attendance spectators",
    "infect infected infections infection",
    "evacuate evacuated evacuation",
    "arrest arrested arrests detained detain detains detention custody",
    "produce produced produces production output",
    "invest invested invests investment investments",
    "donate donated donates donations donation",
    "inspect inspected inspects inspection inspections inspector inspectors",
    "contribute contributed contributes cause caused causes causing",
    "leave left leaves leaving departed departure",
    "give gave given gives giving",
    "take took taken takes taking",
    "go went gone goes",
    "come came comes",
    "begin began begun begins start started starts",
    "find found finds finding findings",
    "hold held holds",
    "make made makes making",
    "keep kept keeps keeping",
    "bring brought",
    "know knew known knows knowledge knowing",
    "learn learned learnt learns",
    "send sent",
    "choose chose chosen",
    "draw drew drawn",
    "drive drove driven",
    "steal stole stolen",
    "write wrote written",
    "become became",
    "break broke broken",
    "shoot shot",
    "sink sank sunk",
    "fly flew flown",
    "achieve achieved achieves achieving meet meets met reach reached reaches attain attained fulfil fulfilled",
    "lead led",
    "speak spoke spoken",
    "see saw seen",
    "show showed shown shows",
    "get got gotten",
    "run ran",
    "stand stood",
    "understand understood",
    "set sets",
    "choose choice",
    "dismiss dismissed dismissal sacked fired",
    "redundancy redundancies layoff layoffs",
    "fire fires blaze blazes flames inferno",
    "merge merged merges merging merger",
    "recall recalled recalls recalling",
    "spill spilled spills spillage leak leaked leaks leakage",
    "strike strikes striking walkout stoppage",
    "protest protests protested demonstrate demonstrated demonstration demonstrators protesters rally rallied",
    "rule ruled rules ruling",
    "annul annulled annuls annulment quash quashed overturn overturned",
    "flood flooded floods flooding",
    "crash crashed crashes",
    "collapse collapsed collapses",
    "explode exploded explodes explosion blast",
    "appoint appointed appoints appointment",
    "inaugurate inaugurated inauguration",
    "postpone postponed postpones postponement delay delayed delays",
    "cancel cancelled canceled cancels cancellation",
    "raid raided raids",
    "sentence sentenced sentences jailed imprisoned",
    "convict convicted conviction",
    "acquit acquitted acquittal",
    "derail derailed derails derailment",
    "hack hacked hackers breach breached breaches",
    "resign resigned resigns resignation quit quits",
    "elect elected election",
    "vote voted votes voting",
    "approve approved approves approval",
    "agree agreed agrees agreement",
    "ban banned bans banning prohibition prohibited prohibit prohibits outlaw outlawed",
    "child children kid kids",
    "person people persons",
    "man men",
    "woman women",
    "stomach gastrointestinal",
    "car cars vehicle vehicles",
    "doctor doctors physician physicians",
    "euro euros eur",
    "dollar dollars usd",
)
_ROOTS: dict[str, str] = {}
for _row in _SAME:
    _first = stem(fold(_row.split()[0]))
    for _word in _row.split():
        _ROOTS.setdefault(stem(fold(_word)), _first)
        _ROOTS.setdefault(fold(_word), _first)
# Endings that make a noun of a verb or the other way round, as they look behind a stem.
_ENDINGS = frozenset(
    "ion ation ition ment or er ing al ance ence ure ive ory ant ent able ed d s e es y ity ist ly ur iz is izat "
    "isat".split()
)
_SHORTEST = 5
_PREDICATE = re.compile(
    r"\b(?:(?:is|are|was|were|be|been|being|has|have|had|do|does|did|will|would|shall|should|must|can|could|may|might|not|never|"
    r"to|and|also|first|already)\s+(?:\w+ly\s+)?(?P<after>[a-z][\w-]{2,})|(?P<past>[a-z]{2,}(?:ed|wn))\b)"
)
_NO_VERB = frozenset(
    "been not the a an its their his her our this that these those all any no more most less very also only ever still "
    "never now about being having and first already in on at by for from with to of as than so".split()
)


@lru_cache(maxsize=65536)
def same_word(one: str, other: str) -> bool:
    """Whether two stems name the same deed, measure or thing: equal, of one row, or one made from the other
    ('inspect', 'inspection')."""
    if one == other:
        return True
    left, right = _ROOTS.get(one), _ROOTS.get(other)
    if left is not None and right is not None:
        return left == right
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < _SHORTEST or not longer.startswith(shorter):
        return False
    return longer[len(shorter) :] in _ENDINGS


def has_word(bag: Iterable[str], wanted: str) -> bool:
    """Whether among these stems is one that names the same (`same_word`)."""
    return any(same_word(wanted, each) for each in bag)


def is_deed(word: str) -> bool:
    """Whether a word is known as one for a deed or measure."""
    return fold(word) in _ROOTS or stem(fold(word)) in _ROOTS


def other_words(word: str, *, most: int = 3) -> tuple[str, ...]:
    """Other words for the same deed or measure, each of another stem, most usual first: 'strike' has none, 'fine' has
    'penalty'. For searching, where a report may use any of them."""
    mine = stem(fold(word))
    root = _ROOTS.get(mine)
    row = next((row.split() for row in _SAME if root is not None and stem(fold(row.split()[0])) == root), [])
    by_stem = {stem(each): each for each in reversed(row)}
    found = [each for each in row if by_stem[stem(each)] == each and each[:4] != fold(word)[:4]]
    return tuple(found[:most]) if len(word) > 3 else ()


def predicates(text: str) -> frozenset[str]:
    """The stems of the words that say what is done or is so, as far as their form tells; empty where it does not."""
    found: set[str] = set()
    inverted = _INVERTED.match(text)
    for match in _PREDICATE.finditer(text):
        word = match["after"] or match["past"]
        if word in _NO_VERB or (inverted and match["after"] and match.start() < inverted.end()):
            continue
        found.update(stems(word))
    for match in re.finditer(r"[a-z]+", text):
        if match.group() in _IRREGULAR and not (
            match.group() == "works" and _NAMED_BEFORE.search(text[: match.start()])
        ):
            found.update(stems(match.group()))
    return frozenset(found)


_INVERTED = re.compile(
    r"\W*(?:at\s+no\s+(?:time|point|stage|moment)|never(?:\s+(?:before|again))?|nowhere|not\s+once|in\s+no\s+case|by\s+no\s+means|"
    r"under\s+no\s+circumstances|seldom|rarely|hardly\s+ever)\b.{0,30}?"
    r"\b(?:is|are|was|were|has|have|had|do|does|did|will|would|can|could)\b",
    re.I,
)
"""Behind such an opening the verb stands before its subject: 'at no time was drinking water affected'."""
_NAMED_BEFORE = re.compile(r"(?:\b[Tt]he\s+(?:[A-Z][\w-]+\s+)*|['’]s?\s+|\b(?:its|their|our|these|those)\s+)$")
"""'The Haverley works' and 'Norvane's works' are a place; 'Anna works' is a deed."""


_IRREGULAR = frozenset(
    "knew fell rose grew won lost died spent paid sold bought cost shot cut took gave made left came went began held "
    "kept brought sent chose drew drove stole wrote became broke sank flew met led spoke saw got ran stood "
    "built hit shut set "
    "put quit beat belongs owns knows pays costs works lives wins loses kills causes prevents contains".split()
)
