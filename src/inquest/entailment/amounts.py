"""Numbers of a claim and of a sentence held against each other by what governs them.

Equal numbers agree only where they are amounts of the same thing: what was approved is not what was spent. Different
numbers contradict only there, and at the same time: a provision is not a penalty, two of the wells are not all of
them, last year's staff is not this year's.
"""

from __future__ import annotations

import re
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from inquest.entailment.dates import agree
from inquest.entailment.payments import other_payment
from inquest.entailment.predicates import same_word
from inquest.entailment.reading import SentenceReading
from inquest.text.passages import stems
from inquest.text.quantities import Dimension, Quantity, Relation, compare, shown
from inquest.text.sentences import Span, fold, stem

__all__ = ["Amount", "AmountMatch", "Mood", "amounts", "as_persons", "mood_at"]

_OF_A_SENTENCE = 60
_OF_A_CLAIM = 12


class AmountMatch(StrEnum):
    """How one number of a claim fares in one sentence."""

    SAME = "same"
    DIFFERS = "differs"
    APART = "apart"
    """There are numbers of its kind, of something else or of another stage."""
    ABSENT = "absent"


class Amount(NamedTuple):
    """One number of the claim, and the sentence's number that answers it."""

    claim: Quantity
    match: AmountMatch
    found: Quantity | None = None
    why: str = ""
    """Of numbers that stand apart: why they do."""
    governed: bool = False
    """The same word says of both what they are of."""

    @property
    def reason(self) -> str:
        """As a person would say it."""
        if self.found is None or self.match is AmountMatch.ABSENT:
            return f"The passage does not give the claim's number ({shown(self.claim)})."
        if self.match is AmountMatch.SAME:
            alike = shown(self.claim) == shown(self.found)
            return f"Both say {shown(self.claim)}." if alike else (
                f"The claim's {shown(self.claim)} agrees with the passage's {shown(self.found)}."
            )  # fmt: skip
        said = f"The claim says {shown(self.claim)}, the passage says {shown(self.found)}"
        return f"{said}{f', but {self.why}' if self.why else ''}."


class Mood(StrEnum):
    """How far along a deed is."""

    DONE = "done"
    DUE = "due"
    """It must or will be done."""
    MEANT = "meant"
    """Planned, approved, announced, spoken of."""


_MEANT = frozenset(
    stem(word)
    for word in (
        "plan plans planned planning intend intends intended approve approves approved approval announce announces "
        "announced announcement propose proposes proposed proposal pledge pledges pledged promise promises promised "
        "budget budgeted earmark earmarked allocate allocated allocation aim aims aimed target targets expect expects "
        "expected forecast forecasts project projected speak speaks spoke spoken talk talks talked want wants wanted "
        "consider considers considered seek seeks sought hope hopes hoped commit commits committed commitment "
        "intention "
        "envisage envisaged authorise authorised authorize authorized demand demands demanded request requested call "
        "called ask asked offer offered provision provisions threaten threatened warn warned predict predicted "
        "prediction estimate"
    ).split()
) - {stem("estimate")}
_DUE = re.compile(
    r"\b(?:must|shall|will|has\s+to|have\s+to|had\s+to|is\s+to|are\s+to|ordered\s+to|obliged\s+to|required\s+to|due\s+to)\b",
    re.I,
)
_HEADLINE = re.compile(
    r"^\W*(?:[A-Z][\w'’&.-]*\s+){1,5}(?:plc|ltd|inc|corp|gmbh|co|and|of|the)?\.?\s*to\s+[a-z]", re.DOTALL
)
"""'Norvane to pay': in a headline the infinitive says what will be done."""
_FUTURE = re.compile(
    r"\b(?:will|would|could|may|might|is\s+to|are\s+to|going\s+to|about\s+to|set\s+to|due\s+to)\b", re.I
)
_SKIPPED = re.compile(
    r"(?:\s*(?:about|around|roughly|nearly|almost|approximately|some|only|just|at\s+least|at\s+most|up\s+to|more\s+than|less\s+"
    r"than|over|under|fewer\s+than|as\s+(?:many|much|high|low)\s+as|an?\s+(?:total|average|estimated|maximum|minimum|"
    r"additional|record)(?:\s+of)?|a\s+mere|the|a|an|of|by|to|at|from|is|was|are|were|be|been|being|has|have|had|its|"
    r"their|his|her|our|in|for|with|exactly|precisely|already|also|now|still|then|well|currently|equal|"
    r"amounted|amounts|came|comes|stood|stands|totalled|totals|totaled|reached|reaches|"
    r"put|set|between|that|which|all|out|down|up|on|or|and|[€$£¥]|EUR|USD|GBP))*\s*[€$£¥(\"“]*\s*$",
    re.I,
)
_LAST_WORD = re.compile(r"([^\W\d_][\w'’-]*)\W*$")
_NEXT_WORDS = re.compile(r"\s*[-–]?\s*((?:[^\W\d_][\w'’-]*\s*){1,4})")
_STOPS = frozenset(
    "in on at for from by with to into as than that which who when while and or but because after before since until "
    "during per a an the according between within among near under over about of this".split()
)
# Another figure of the same row: last year's, where it came from, what it is compared with.
_ASIDE_BEFORE = re.compile(
    r"(?:previous\s+year|prior\s+year|year\s+before|year\s+earlier|last\s+year|up\s+from|down\s+from|compared\s+(?:with|to)|"
    r"against|instead\s+of|rather\s+than|rose\s+from|fell\s+from|increased\s+from|decreased\s+from|grew\s+from|dropped\s+from|"
    r"\bfrom|\beach\s+(?:for|of)|\bnot|formerly|originally|once|initially|earlier)\s*[:(]?\s*(?:an?\s+|the\s+|about\s+|some\s+|more\s+than\s+)?"
    r"[€$£¥]?\s*$",
    re.I,
)
_ASIDE_AFTER = re.compile(
    r"^[^.;,()\d]{0,40}?\b(?:(?:the\s+)?(?:previous|prior)\s+year|(?:a|the)\s+year\s+(?:before|earlier)|last\s+year|years?\s+(?:ago|"
    r"earlier|before)|previously)\b",
    re.I,
)
# 'The two wells', 'a further 12', 'three of the eleven': some of them, which says nothing about how many there are.
_SUBSET_BEFORE = re.compile(
    r"\b(?:the|these|those|both|its|their|his|her|our|other|others|another|further|additional|first|last|remaining|of\s+the|of\s+"
    r"them|extra|new|more|including|among\s+them|only\s+other|all)\s+$",
    re.I,
)
_SUBSET_AFTER = re.compile(
    r"^\s+(?:of\s+(?:the|them|these|those|its|their|our)|others?|more|further|additional|each)\b", re.I
)
# Words that stand before a number of anything.
_OF_ANYTHING = frozenset(
    stem(word)
    for word in "past last next first total average year years some only least most period number numbers "
    "estimated record another other same different between early late time times number rate level value".split()
)
_CLAUSE = re.compile(
    r"[;:]|,\s(?=(?:and|but|while|although|though|whereas|which|who)\b)|\b(?:although|while|whereas|but|though|because|after|before)\b",
    re.I,
)


# '1,4-dioxane', '2,4-D': digits that name a substance.
_LABEL = re.compile(
    r"\b(?:outfall|condition|section|paragraph|clause|article|chapter|page|exhibit|annex|appendix|schedule|line|stage|phase|block|"
    r"unit|reactor|table|figure|fig\.?|no\.?|number|room|ward|district|route|gate|claim|step|group|type|grade|category|class|version|"
    r"item|question|point|part|volume|issue|level|tier|highway|road|platform|terminal|pier|lot|case|order|resolution|rule|act|law|"
    r"bill|form|model|building|plant|well|pit|shaft|tower|hall|lane|zone|area|round|game|match|episode|season|day|week)\s+$",
    re.I,
)
_NAMES_A_THING = re.compile(r"\d(?:,\d)+-[A-Za-z]", re.I)


def _is_a_name(text: str, quantity: Quantity) -> bool:
    """'1,4-dioxane', 'outfall 3', 'condition 9': digits that name something and count nothing."""
    if _NAMES_A_THING.match(text[quantity.span.start :]):
        return True
    return quantity.dimension is Dimension.COUNT and bool(_LABEL.search(text[: quantity.span.start]))


def amounts(claim: SentenceReading, sentence: SentenceReading, *, meant: bool = False) -> tuple[Amount, ...]:
    """For each number of the claim, what the sentence has to say to it. `meant`: the sentence is what somebody
    announced or spoke of."""
    wanted = [quantity for quantity in claim.quantities if not _is_a_name(claim.text, quantity)]
    return tuple(_amount(quantity, claim, sentence, meant) for quantity in wanted[:_OF_A_CLAIM])


def _amount(quantity: Quantity, claim: SentenceReading, sentence: SentenceReading, meant: bool) -> Amount:
    governed = _governors(claim, quantity)
    mood = mood_at(claim.text, quantity.span)
    same: Quantity | None = None
    governed_alike = False
    differing: list[Quantity] = []
    apart = Amount(quantity, AmountMatch.ABSENT)
    for candidate in sentence.quantities[:_OF_A_SENTENCE]:
        if _is_a_name(sentence.text, candidate):
            continue
        relation = _relation(quantity, candidate)
        if relation is Relation.NOT_COMPARABLE:
            continue
        other = Mood.MEANT if meant else mood_at(sentence.text, candidate.span)
        governors = _governors(sentence, candidate)
        together = any(same_word(one, two) for one in governed for two in governors)
        if (mood is Mood.MEANT) != (other is Mood.MEANT) and not _same_intent(claim, sentence):
            apart = Amount(quantity, AmountMatch.APART, candidate, "only of what was planned, approved or spoken of")
            if mood is Mood.MEANT:
                apart = apart._replace(why="not of what was planned or approved")
            continue
        timely = _timely(claim, sentence, candidate)
        if other_payment(claim, quantity, sentence, candidate, same_sum=relation is Relation.SAME):
            apart = Amount(quantity, AmountMatch.APART, candidate, "of another payment")
            continue
        if relation is Relation.SAME:
            if together or timely or not governed or not governors or _alone(quantity, sentence):
                if same is None or (together and not governed_alike):
                    same, governed_alike = candidate, together
            elif apart.match is AmountMatch.ABSENT:
                apart = Amount(quantity, AmountMatch.APART, candidate, "of something else")
            continue
        if _is_aside(sentence.text, candidate) or (
            quantity.dimension is Dimension.COUNT and _is_subset(sentence, candidate)
        ):
            apart = Amount(quantity, AmountMatch.APART, candidate, "of a part, or of another time")
        elif timely is False:
            apart = Amount(quantity, AmountMatch.APART, candidate, "of another time")
        elif together:
            differing.append(candidate)
        else:
            apart = Amount(quantity, AmountMatch.APART, candidate, "of something else")
    if same is not None:
        return Amount(quantity, AmountMatch.SAME, same, governed=governed_alike)
    if len({(one.low, one.high) for one in differing}) > 1:
        # '22 % for these and 37 % for those': the parts of something, of which the claim may give the whole.
        return Amount(quantity, AmountMatch.APART, differing[0], "several numbers of that kind")
    if differing and not _is_subset(claim, quantity):
        return Amount(quantity, AmountMatch.DIFFERS, differing[0])
    return apart


def _timely(claim: SentenceReading, sentence: SentenceReading, candidate: Quantity) -> bool | None:
    """Whether the number is of the claim's time, where a sentence gives several times; None where it does not."""
    if not claim.moments or len(sentence.moments) < 2:
        return None
    nearest = min(
        sentence.moments,
        key=lambda one: max(one.span.start - candidate.span.end, candidate.span.start - one.span.end),
    )
    return any(agree(wanted, nearest) for wanted in claim.moments)


def _alone(quantity: Quantity, sentence: SentenceReading) -> bool:
    """The only number of its kind in the sentence: what governs it is a matter of words."""
    return sum(one.dimension is quantity.dimension for one in sentence.quantities) == 1


def _same_intent(claim: SentenceReading, sentence: SentenceReading) -> bool:
    return bool(_MEANT & claim.bag & sentence.bag)


def _relation(claim: Quantity, passage: Quantity) -> Relation:
    if claim.dimension is passage.dimension is Dimension.COUNT:
        if claim.low == passage.low and claim.high == passage.high and (claim.low >= 20 or not passage.nouns):
            return Relation.SAME
        if not (claim.nouns and passage.nouns):
            return Relation.NOT_COMPARABLE
    return compare(as_persons(claim), as_persons(passage)).relation


_PERSONS = frozenset(map(stem, "people person persons employees employee workers worker staff".split()))


def as_persons(quantity: Quantity) -> Quantity:
    """'9,000 employees' and '8,960 people' count persons."""
    if quantity.dimension is Dimension.COUNT and quantity.nouns and quantity.nouns[-1] in _PERSONS:
        return replace(quantity, nouns=("person",))
    return quantity


_DOUBLE_OBJECT = re.compile(
    r"\b(?:fin(?:e[sd]?|ing)|pa(?:y|ys|id|ying)|award\w*|grant\w*|charg(?:e[sd]?|ing)|cost(?:s|ing)?|ow(?:e[sd]?|ing)|"
    r"len[dt]s?|lending|g(?:ive|ives|ave|iven|iving)|offer\w*)\b",
    re.IGNORECASE,
)
_REACH = 80
"""Characters between such a verb and its amount."""


_EMPLOY = stem("employ")
_EMPLOYED = frozenset(map(stem, "employees employee workers staff".split()))
_HAS_SO_MANY = re.compile(
    r"\b(?:ha[sd]|have|having|with|numbers?|numbered|workforce\s+of)\s+(?:about\s+|around\s+|some\s+|nearly\s+|almost\s+|roughly\s+|"
    r"just\s+(?:under|over)\s+|more\s+than\s+|fewer\s+than\s+|only\s+|an?\s+(?:average|total)\s+of\s+)*$",
    re.I,
)
"""'Had about 9,000 employees': the company employed them."""


def _governors(sentence: SentenceReading, quantity: Quantity) -> frozenset[str]:
    """The stems of the words that say what the number is of: 'penalty' in 'a penalty of 2 million', 'spent' in 'spent 2
    million', 'higher' in '28 % higher', 'closed' in 'two wells were closed'."""
    text = sentence.text
    before = text[: quantity.span.start]
    skipped = _SKIPPED.search(before)
    left = _LAST_WORD.search(before[: skipped.start()] if skipped else before)
    # A full stop or a semicolon between them parts them.
    found: set[str] = set()
    if left and not re.search(r"[.;:]", before[left.end(1) :]):
        found.update(stems(left.group(1)))
    # 'fined Calder Stone Ltd 150,000 euros': the verb of a double object governs across its first object.
    giving = [match for match in _DOUBLE_OBJECT.finditer(before) if not re.search(r"[.;:]\s", before[match.end() :])]
    if giving and len(before) - giving[-1].end() <= _REACH:
        found.update(stems(giving[-1].group()))
    end = quantity.span.end
    counted = quantity.dimension is Dimension.COUNT
    following = _NEXT_WORDS.match(text, end)
    own = set(quantity.nouns) if counted else set()
    if following:
        for word in following.group(1).split():
            if fold(word) in _STOPS:
                if fold(word) == "of" and not counted:
                    continue
                break
            found.update(term for term in stems(word) if term not in own)
    verb = re.compile(
        r"[^.;:,]{0,60}?\b(?:was|were|is|are|has\s+been|have\s+been|had\s+been|be|being)\s+(?:\w+ly\s+|not\s+)?([\w-]+)"
    ).match(text, end)
    if verb:
        found.update(stems(verb.group(1)))
    if counted:
        found.update(_verbs_after(text, quantity))
        if quantity.nouns and quantity.nouns[-1] in _EMPLOYED and _HAS_SO_MANY.search(before):
            found.add(_EMPLOY)
    return frozenset(found - _OF_ANYTHING)


def _verbs_after(text: str, quantity: Quantity) -> set[str]:
    """Verbs in the few words behind what is counted: 'Five workers died'."""
    end = text.find(quantity.unit, quantity.span.end) + len(quantity.unit) if quantity.unit else quantity.span.end
    words = re.compile(r"\s+((?:[\w'’-]+\s*){1,3})").match(text, max(end, quantity.span.end))
    if words is None:
        return set()
    first = words.group(1).split()
    return (
        {term for word in first if fold(word) not in _STOPS for term in stems(word)}
        if first and fold(first[0]) not in _STOPS
        else set()
    )


def mood_at(text: str, place: Span) -> Mood:
    """How far along the deed is that a place of the text is about."""
    before = _CLAUSE.split(text[max(0, place.start - 110) : place.start])[-1]
    after = _CLAUSE.split(text[place.end : place.end + 40])[0]
    passive = re.match(r"[^,;.]{0,25}?\b(?:is|are|was|were|has\s+been|have\s+been|had\s+been|be)\s+(\w+)", after)
    words = set(stems(before)) | (set(stems(passive.group(1))) if passive else set())
    if _MEANT & words:
        return Mood.MEANT
    if _DUE.search(before) or _HEADLINE.match(f"{before}{place.of(text)}"):
        return Mood.DUE
    return Mood.MEANT if _FUTURE.search(before) else Mood.DONE


def _is_aside(text: str, quantity: Quantity) -> bool:
    return bool(_ASIDE_BEFORE.search(text[: quantity.span.start]) or _ASIDE_AFTER.match(text[quantity.span.end :]))


def _is_subset(sentence: SentenceReading, quantity: Quantity) -> bool:
    text = sentence.text
    return bool(_SUBSET_BEFORE.search(text[: quantity.span.start]) or _SUBSET_AFTER.match(text[quantity.span.end :]))
