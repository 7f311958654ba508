"""What a claim says of a measure of a company, part by part, held against what a statement says of the same measure.

'Its Scope 1 emissions fell by 7 %' is a measure (Scope 1 emissions), a direction, an amount of change and a time. Of a
claim with several parts one may be borne out or contradicted; that is said. Where the two may be of different measures,
times or stages nothing is said here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.amounts import Mood, as_persons, mood_at
from inquest.entailment.framing import is_hedged
from inquest.entailment.meant import Bearing
from inquest.entailment.pair import LEANS, Pair
from inquest.entailment.parts import of_a_part, of_another_whole, part_of_the_year, says_little
from inquest.entailment.predicates import same_word
from inquest.entailment.reading import SentenceReading
from inquest.text.entities import is_likely, names, same_name
from inquest.text.passages import stems
from inquest.text.quantities import Bound, Dimension, Quantity, Relation, compare, shown
from inquest.text.sentences import STOP_WORDS, Span, fold, stem

__all__ = ["about_measures", "tells_a_measure", "turns_another_measure"]

_DOWN = (
    r"f[ae]ll(?:s|en|ing)?|drop(?:s|ped|ping)?|declin(?:es?|ed|ing)|decreas(?:es?|ed|ing)|reduc(?:es?|ed|"
    r"ing|tions?)|cuts?|"
    r"cutting|lower(?:s|ed|ing)?|shr[aiu]nk|slashed|trimmed|curbed|halved|(?:went|gone|came|"
    r"brought|come)\s+down|down|less|fewer|minus"
)
_UP = (
    r"r[io]se(?:s|n)?|rising|increas(?:es?|ed|ing)|gr[eo]w(?:s|n|ing|th)?|climb(?:s|ed)|jump(?:s|ed)|"
    r"raised?|expanded|doubled|"
    r"tripled|quadrupled|(?:went|gone)\s+up|up|more|higher|plus"
)
_DIRECTION = re.compile(
    rf"(?<!made )(?<!make )(?<!makes )\b(?:(?P<down>{_DOWN})|(?P<up>{_UP}))\b(?!\s+(?:to\s+date|than\s+\d))", re.I
)
# Where one statement on a measure ends and the next begins.
_CUT = re.compile(
    r";\s|,?\s+(?:while|whereas|but|although|though|after|because|unlike)\b|,\s(?=(?:which|who)\b)|"
    r",?\s+(?:and\s+)?(?=by\s+[\d€$£][^,;]{0,20}\s(?:at|for|in)\s+[A-Z])|"
    r"[,:]\s+(?:and\s+)?(?=(?:[A-Z][\w&'’-]*\s+){1,4}(?:plus|minus)\s+\d)|"
    r",?\s+and\s+(?=(?:its?\s+|their\s+|the\s+)?(?:[a-z-]+\s+){1,5}(?:by|to)\s+[\d€$£]|(?:[a-z]+ly\s+)?"
    r"(?:[a-z]+ed|cut|fell|rose|grew|spent|built|bought|sold|won|met|began|set|put|took|made)\b)",
    re.I,
)
# Said of any measure, or of the way it was taken: they tell none from another.
_ANY = frozenset(
    stem(word)
    for word in "scope carbon co2 greenhouse gas gases ghg dioxide total overall own annual yearly "
    "level levels amount volume "
    "figure figures number operation operations company group firm year compared previous only just about some "
    "nearly almost most new "
    "percent cent tonne tonnes metric million billion thousand result work works site sites worldwide globally global "
    "post posts position positions role roles fleet "
    "chain retailer supermarket maker manufacturer producer bank line airline utility grower".split()
)
# Verbs that only join a company to its measure.
_JOINS = frozenset(
    stem(word)
    for word in "source sourced sources obtain obtained come came bought buy purchase hold held "
    "make made account accounted "
    "cover covered have had record recorded report reported reach reached stand stood amount amounted be "
    "achieve achieved manage managed "
    "release released put see saw show showed emit emitted total totalled run ran year since until".split()
)
_EMITS = re.compile(r"\bemit(?:s|ted)?\b", re.I)
_KINDS = (
    frozenset(map(stem, "use used uses usage consume consumes consumed consumption burn burned burnt burns".split())),
    frozenset(map(stem, "withdraw withdraws withdrew withdrawn withdrawal withdrawals".split())),
    frozenset(map(stem, "manage manager managers management managerial".split())),
)
_CHANGE_BEFORE = re.compile(
    r"\b(?:by|down|up|plus|minus)\s+(?:(?:about|around|some|only|just|nearly|almost|roughly|no\s+more\s+than|more\s+than|"
    r"less\s+than|as\s+much\s+as|well\s+over|well\s+under|up\s+to|a\s+mere|a\s+good|barely|at\s+least|over|a\s+"
    r"further|a\s+total\s+of|an?)\s+)*$|"
    r"\b(?:reduction|decrease|decline|drop|fall|cut|increase|rise|growth)\s+of\s+(?:\w+\s+)?$",
    re.I,
)
_CHANGE_AFTER = re.compile(
    r"\s*(?:less|fewer|more|lower|higher|(?:reduction|decrease|decline|drop|fall|cut|increase|rise|growth)\b)", re.I
)
_ITS_OWN = re.compile(r"\b(?:its|our|we|the\s+(?:company|group|firm|bank))\b", re.I)
_CHANGES_BY = re.compile(r"(?:halv|doubl|tripl|trebl|quadrupl)\w+|(?:two|three|four|five|ten)fold", re.I)
_FROM = re.compile(r"\bfrom\s+(?:\w+\s+){0,2}$", re.I)
_TO = re.compile(r"\bto\s+(?:\w+\s+){0,2}$", re.I)
_FROM_OR_TO = re.compile(r"\b(?:from|to)\s+(?:\w+\s+){0,2}$", re.I)
_TOKEN = re.compile(r"[^\W_][\w'’-]*|[,;:()]")


class _Part(NamedTuple):
    """One statement on a measure."""

    text: str
    sign: int
    """+1 up, -1 down, 0 it tells a level or a share."""
    said: str
    """The word that tells the direction."""
    amount: Quantity | None
    changed: bool
    """The amount is by how much, and not what there is."""
    words: frozenset[str]
    """What it is of: stems, without names, times, amounts and directions."""
    mood: Mood


def about_measures(pair: Pair) -> Bearing | None:
    """The claim's parts that the statement bears out or goes against; None: it speaks of none of them alike."""
    claim, sentence = pair.claim, pair.sentence
    if of_another_whole(claim.text, sentence.text) or is_hedged(sentence.text) or sentence.asks:
        return None
    if claim.negations or sentence.negations or not _same_period(pair) or of_a_part(pair):
        return None
    wanted, told = list(_parts(claim, pair)), list(_parts(sentence, pair))
    found: list[Bearing] = []
    for part in wanted:
        for other in told:
            bearing = _held(part, other, pair)
            if bearing is not None:
                found.append(bearing)
    against = [each for each in found if each.stance is Stance.CONTRADICTS]
    if against and len(against) < len(found) and not any(each.type is ContradictionType.CONTEXTUAL for each in against):
        return None  # the sentence has several figures, and which of them is meant is not clear
    best = (against or found)[:1]
    if not best:
        return None
    if best[0].stance is Stance.SUPPORTS and len(found) < _told_things(claim, wanted):
        reason = "That bears out a part of the claim; of the rest the passage says nothing."
        return best[0]._replace(confidence=0.62, reasons=(*best[0].reasons, reason))
    return best[0]


def tells_a_measure(reading: SentenceReading) -> bool:
    """Whether the sentence has an amount, or says that something rose or fell."""
    return bool(reading.quantities) or _DIRECTION.search(reading.text) is not None


def turns_another_measure(pair: Pair) -> bool:
    """Whether the statement has another thing rise or fall than the claim: 'lowered its forecast; emission allowances
    ...' against 'lowered its emissions'."""
    wanted = [part for part in _parts(pair.claim, pair) if part.sign]
    if not wanted or _direction(pair.sentence.text) is None:
        return False
    needed = {term for part in wanted for term in part.words if term not in _ANY and term not in _JOINS}
    return bool(needed) and not any(
        part.sign and all(any(_alike(term, one) for one in part.words) for term in needed)
        for part in _parts(pair.sentence, pair)
    )


def _told_things(claim: SentenceReading, parts: list[_Part]) -> int:
    """Of how many things the claim speaks: one part each, and one for what else is joined to them."""
    pieces = [piece for piece in _CUT.split(claim.text) if len(stems(piece)) >= 2]
    return max(len(parts), len(pieces))


def _same_period(pair: Pair) -> bool:
    if pair.time or bool(pair.claim.moments) != bool(pair.sentence.moments):
        return False
    if pair.claim.moments and not pair.same_time:
        return False
    return part_of_the_year(pair.claim.text) == part_of_the_year(pair.sentence.text)


def _parts(reading: SentenceReading, pair: Pair) -> Iterator[_Part]:
    start = 0
    sign_before = ""
    words_before: frozenset[str] = frozenset()
    for end in [*(match.start() for match in _CUT.finditer(reading.text)), len(reading.text)]:
        text = reading.text[start:end]
        inside = [one for one in reading.quantities if start <= one.span.start and one.span.end <= end]
        direction = _direction(text)
        if direction is None and inside and sign_before and re.search(r"\bby\b", text):
            sign, said = (1 if _is_up(sign_before) else -1), sign_before  # '... and its water use by 5 %'
        else:
            sign, said = direction or (0, "")
            sign_before = said or ""
        amounts = [
            one
            for one in (_as_change(each) for each in inside)
            if one.dimension is not Dimension.FACTOR and not _counts_a_label(one)
        ]
        measure = _words(text, inside, reading, pair)
        named = {term for name in names(text) if is_likely(name) for term in stems(name.text)}
        measure = measure if measure - _ANY - _JOINS - named else measure | words_before
        words_before = measure
        amount = _meant_amount(reading.text, amounts)
        if amount is not None or (sign and not amounts):
            changed = amount is not None and _is_change(reading.text, amount)
            place = amount.span if amount else Span(start, max(start + 1, end - 1))
            levels = amount is not None and not changed and bool(sign) and amount.dimension is Dimension.SHARE
            if not levels or (amount is not None and _to(reading.text, amount)):
                yield _Part(text, sign, said, amount, changed, measure, mood_at(reading.text, place))
        start = end


def _meant_amount(text: str, amounts: list[Quantity]) -> Quantity | None:
    """The amount that the statement is of: of 'by 6 %, from 62,000 to 58,300 tonnes' the change; None where it is not
    clear."""
    if len(amounts) <= 1:
        return amounts[0] if amounts else None
    changes = [each for each in amounts if _is_change(text, each)]
    rest = [each for each in amounts if each not in changes]
    if len(changes) == 1 and all(_FROM_OR_TO.search(text[: each.span.start]) for each in rest):
        return changes[0]
    if not changes and len(amounts) == 2 and _FROM.search(text[: amounts[0].span.start]):
        return amounts[1] if _TO.search(text[: amounts[1].span.start]) else None
    return None


def _as_change(quantity: Quantity) -> Quantity:
    """'Halved' is a change by 50 %, 'tripled' one by 200 %."""
    if quantity.dimension is not Dimension.FACTOR or not _CHANGES_BY.match(quantity.text):
        return quantity
    share = abs(quantity.value - 1) * 100
    return replace(quantity, dimension=Dimension.SHARE, low=share, high=share, unit="%", step=max(2.0, 0.05 * share))


def _counts_a_label(quantity: Quantity) -> bool:
    return quantity.dimension is Dimension.COUNT and quantity.high < 4


def _direction(text: str) -> tuple[int, str] | None:
    found = list(_DIRECTION.finditer(text))
    signs = {1 if match["up"] else -1 for match in found}
    if len(signs) != 1:
        return None
    return signs.pop(), found[0].group()


def _is_up(word: str) -> bool:
    return bool(re.fullmatch(_UP, word, re.I))


def _is_change(text: str, amount: Quantity) -> bool:
    if amount.dimension is Dimension.SHARE and _CHANGES_BY.match(amount.text):
        return True
    return bool(_CHANGE_BEFORE.search(text[: amount.span.start]) or _CHANGE_AFTER.match(text[amount.span.end :]))


def _to(text: str, amount: Quantity) -> bool:
    return bool(re.search(r"\b(?:to|at|of|is|was|were)\s+(?:\w+\s+){0,2}$", text[: amount.span.start]))


def _words(text: str, amounts: list[Quantity], reading: SentenceReading, pair: Pair) -> frozenset[str]:
    # What is counted is the measure of a count: '214 suppliers'.
    aside = {term for amount in amounts for term in stems(amount.text) if term not in amount.nouns}
    for name in (*pair.evidence.names.met, *pair.subject.names):
        aside.update(stems(name))
    for moment in reading.moments:
        aside.update(stems(moment.span.of(reading.text)))
    for match in _DIRECTION.finditer(text):
        aside.update(stems(match.group()))
    found = {term for term in stems(text) if term not in aside and not term.isdigit() and term not in ("eur", "usd")}
    if _EMITS.search(text):
        found.add("emiss")
    return frozenset(found)


def _alike(one: str, other: str) -> bool:
    return same_word(one, other) or any(one in kind and other in kind for kind in _KINDS)


def _same_measure(part: _Part, other: _Part, pair: Pair) -> bool:
    """Every word of the claim's measure is there, and no word beside it makes it another: 'plastic "
    "waste', 'waste water'."""
    needed = [term for term in part.words if term not in _ANY and term not in _JOINS]
    needed = needed or [term for term in part.words if term in ("emiss",)]
    if not needed:
        return False
    missing = [term for term in needed if not any(_alike(term, one) for one in other.words)]
    if missing:
        return False
    return not _qualified(part, other, pair) and not _qualified(other, part, pair)


def _qualified(part: _Part, other: _Part, pair: Pair) -> bool:
    """Whether a word that stands right beside the measure's words in `other` narrows it to something else."""
    known = part.words | frozenset(stems(" ".join((*pair.evidence.names.met, *pair.subject.names))))
    names = {fold(word) for name in (*pair.evidence.names.met, *pair.subject.names) for word in name.split()}
    run: list[str] = []
    for token in [*_TOKEN.findall(re.sub(r"['’]s\b", " , ", other.text)), ","]:
        terms = stems(token)
        ends = not terms or fold(token) in names or _DIRECTION.fullmatch(token) or terms[0] in _JOINS
        if ends and fold(token) in ("of", "from") and run:
            continue
        if not ends and not token[0].isdigit() and fold(token) not in STOP_WORDS:
            run.append(terms[0])
            continue
        met = [term for term in run if any(_alike(term, one) for one in part.words - _ANY) or term == "emiss"]
        extra = [term for term in run if term not in _ANY and not any(_alike(term, one) for one in known)]
        extra = [term for term in extra if term in other.words]
        if met and extra:
            return True
        run = []
    return False


def _held(part: _Part, other: _Part, pair: Pair) -> Bearing | None:
    if part.mood is not Mood.DONE or other.mood is not Mood.DONE or pair.around.meant:
        return None
    if not _of_the_subject(other, pair) or not _same_measure(part, other, pair):
        return None
    because = says_little(pair.claim.text, pair.sentence.text)
    if part.sign and other.sign and part.sign != other.sign:
        reason = f"Of the same measure the claim says '{part.said}', the passage '{other.said}'"
        if part.amount and other.amount and part.changed and other.changed:
            reason += f" ({shown(part.amount)} against {shown(other.amount)})"
        return Bearing(Stance.CONTRADICTS, 0.84, (f"{reason}.",), ContradictionType.DIRECT)
    if part.amount is None:
        if not part.sign or part.sign != other.sign:
            return None
        reason = f"The passage says the same of the measure ('{other.said}')."
        return _in_context(Bearing(Stance.SUPPORTS, 0.7, (reason,)), because)
    if other.amount is None or part.changed != other.changed or part.amount.dimension is not other.amount.dimension:
        return None
    relation = compare(as_persons(part.amount), as_persons(other.amount)).relation
    if relation is Relation.SAME or _a_little_more(part.amount, other.amount):
        reason = f"Both say {shown(part.amount)}." if shown(part.amount) == shown(other.amount) else (
            f"The claim's {shown(part.amount)} agrees with the passage's {shown(other.amount)}."
        )  # fmt: skip
        return _in_context(Bearing(Stance.SUPPORTS, 0.76, (reason,)), because)
    if relation is Relation.DIFFERS:
        reason = f"The claim says {shown(part.amount)}, the passage says {shown(other.amount)} of the same measure."
        return Bearing(Stance.CONTRADICTS, 0.8, (reason,), ContradictionType.DIRECT)
    return None


_A_LITTLE = 1.2
"""'More than a third' is said of 36 %, and hardly of 50 %."""


def _a_little_more(mine: Quantity, theirs: Quantity) -> bool:
    """'36 %' is what 'more than a third' says in words."""
    return (
        theirs.spelled
        and theirs.bound is Bound.AT_LEAST
        and mine.bound is Bound.EXACT
        and theirs.low <= mine.low <= theirs.low * _A_LITTLE
    )


def _of_the_subject(other: _Part, pair: Pair) -> bool:
    """Where several are named, this part of the statement must be of the claim's."""
    first = pair.subject.first
    if not first:
        return True
    word = re.sub(r"['’]s?$", "", first.split()[0])
    if word in pair.sentence.text:
        return word in other.text
    # 'Paper mills used 3 % more' under a title that names one of them is of paper mills.
    leans = LEANS.match(pair.sentence.text) or _ITS_OWN.search(pair.sentence.text)
    others = [name for name in pair.evidence.names.met if not same_name(name, first) and name in pair.sentence.text]
    return bool(others) or (bool(leans) and word in f"{pair.around.before}\n{pair.around.title}")


def _in_context(bearing: Bearing, because: str) -> Bearing:
    """True in the letter; what brought it about is not what the claim lets believe."""
    if not because:
        return bearing
    reason = f"The passage grants it and says why it says little: '{because}'."
    return Bearing(Stance.CONTRADICTS, 0.7, (*bearing.reasons, reason), ContradictionType.CONTEXTUAL)
