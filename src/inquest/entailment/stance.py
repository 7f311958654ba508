"""The stance of a passage on a claim, from weighted features, with reasons and speaker.

`prepare` selects what a reading model reads; `judge` combines its reading with the other features. Some results follow
directly and bypass the trained combination: another value of the same quantity of the same thing is not support, a
claim that the passage restates and calls false is contradicted, and one that it states verbatim is supported.
Deterministic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from unicodedata import category

from inquest.domain.finding import ContradictionType, Mode, Stance
from inquest.domain.reasons import Reason
from inquest.entailment.attribution import NOWHERE, THE_DOCUMENT, Attribution, attribution_of
from inquest.entailment.changes import moving_terms
from inquest.entailment.combination import chances_of, confidence_of, table
from inquest.entailment.dates import within_the_same
from inquest.entailment.direction import compare_direction, exchanged, lemma
from inquest.entailment.features import Evidence, measure
from inquest.entailment.framing import Frame, frames, has, label_of, mode_of, only_states, rated_content
from inquest.entailment.meaning import Meaning
from inquest.entailment.modes import denied_by, main_clauses, realised_by, turned_by
from inquest.entailment.parsed_text import ASIDE, YEAR, Page, ParsedText, Statement, read_best, share_of, statement_of
from inquest.entailment.vetoes import (
    RESTATED,
    SAID_BESIDE,
    allowed,
    has_dates,
    has_order,
    is_below_zero,
    outside_share,
    unread,
)
from inquest.entailment.windows import Likeness, Window, rank, windows
from inquest.text.quantities import Relation
from inquest.text.regex import regex
from inquest.text.sentences import Span

_PROVEN = 0.75
"""Minimum share of the claim's other words in a sentence for its other value to refute the claim."""
_RULED, _REFUTED = 0.85, 0.8
"""Confidence of results that bypass the combination."""
_READ_ONLY = 0.75
"""Maximum confidence in a contradiction that rests on the reading model alone: on news worded differently from the
claim, it often mistakes support for contradiction."""
_UNREAD = 0.9
"""Confidence that a passage without a sentence similar to the claim is neutral."""
_LONG = 6
"""Words from which a verbatim match is not a coincidence."""
_SAME_WORDS = 0.95
"""Confidence that a sentence with all words of a claim in order states it."""
_UNLIKE = 0.7
"""Sum of word share and similarity from which a sentence of a found passage is read. All 115 supported claims of WiCE
dev have a sentence above it, and 143 of 150 'agree' of the Fake News Challenge; of 1,753 passages of an inquiry 1,080
have none, all of which were read as neutral."""
_WORD = regex(r"\w+")
_CONTROL = ("Cc", "Cf")
_ASSERTED = frozenset((Frame.STATED, Frame.CALLED_TRUE, Frame.ASKED))
_RULING = {Frame.CALLED_FALSE: Stance.CONTRADICTS, Frame.CALLED_TRUE: Stance.SUPPORTS}
_READ_AS = 0.5
"""Minimum support of the claim that the model reads in a rated claim for its rating to be one of the claim."""


@dataclass(frozen=True)
class StanceFound:
    """The result for one pair. `span`: its sentences, as offsets into the passage."""

    stance: Stance
    confidence: float
    span: Span = NOWHERE
    contradiction_type: ContradictionType | None = None
    reasons: tuple[Reason, ...] = ()
    attribution: Attribution = THE_DOCUMENT
    mode: Mode = Mode.FACT


def prepare(claim: str, passage: str, *, page: Page | None = None, likeness: Likeness | None = None) -> Evidence | None:
    """Gather the evidence before a model reads; its `windows` are for the model. None if claim or passage is empty;
    without windows if no sentence of a found passage is similar to the claim.

    `page`: of a passage found by a search; None: given with the claim.
    """
    claim = _without_signs(claim)
    wanted = statement_of(claim)
    reading = read_best(claim, passage, page.day if page else None).with_rows(page.rows if page else (), wanted)
    if not reading.statements or not wanted.text:
        return None
    ranked = rank(wanted, reading, likeness)
    if page is not None and likeness is not None and ranked[0].score < _UNLIKE:
        return Evidence(claim=wanted, reading=reading, ranked=ranked, frames=(), page=page, found=True)
    framed = frames(reading.statements)
    asserted = tuple(one for one in ranked if framed[one.index] in _ASSERTED) or ranked
    rated = [one for one in ranked if framed[one.index] in _RULING]
    shown = reading
    if any(label_of(one.statement.text) for one in rated):
        boxed = {one.index for one in rated} | {n for n, frame in enumerate(framed) if frame is Frame.RULING}
        others = tuple(one for n, one in enumerate(reading.statements) if n not in boxed)
        shown = ParsedText(" ".join(one.text for one in others), others) if others else reading
    return Evidence(
        claim=wanted,
        reading=reading,
        ranked=ranked,
        frames=framed,
        page=page or Page(),
        found=page is not None,
        windows=windows(wanted, shown, asserted),
        rated=tuple(Window(rated_content(one.statement.text), (one.index,), "rated") for one in rated),
    )


def _without_signs(claim: str) -> str:
    """Remove pictographs and control characters, which no feature reads and which mislead a model."""
    shown = (
        " " if (char >= "\u2600" and category(char) == "So") or category(char) in _CONTROL else char for char in claim
    )
    return "".join(shown).strip()


def judge(evidence: Evidence | None, meanings: Sequence[Meaning] = ()) -> StanceFound:
    """Return the stance for the result of `prepare`. `meanings`: the model's reading of its windows, and then of what
    it rates, in order; () without a model. None is neutral with confidence 0."""
    if evidence is None:
        return StanceFound(Stance.NEUTRAL, 0.0, reasons=(Reason(code="entailment.nothing_to_compare"),))
    if not evidence.windows:
        return StanceFound(Stance.NEUTRAL, _UNREAD, reasons=(Reason(code="entailment.unlike"),))
    if evidence.meanings != tuple(meanings):
        windows, rated = meanings[: len(evidence.windows)], meanings[len(evidence.windows) :]
        evidence = replace(evidence, meanings=tuple(windows), rated_meanings=tuple(rated))
    decided = (each(evidence) for each in DECISIONS)
    found = next((each for each in decided if each is not None), None) or _weighed(evidence)
    if not evidence.found or found.stance is Stance.NEUTRAL:
        return found
    inside = [n for n, one in enumerate(evidence.reading.statements) if one.span.meets(found.span)]
    words = " ".join(evidence.reading.statements[n].text for n in inside)
    frame = evidence.frames[inside[0] if inside else 0]
    if frame in _RULING and has("under_check", words):
        said = THE_DOCUMENT  # which rates what others say
    else:
        statements, span = evidence.reading.statements, found.span
        shared = [min(span.end, one.span.end) - max(span.start, one.span.start) for one in statements]
        said = attribution_of(evidence.claim, statements, shared.index(max(shared)), evidence.page.around)
    mode = mode_of(words, frame)
    if mode is Mode.RULED_FALSE and found.stance is Stance.SUPPORTS:
        mode = Mode.RULED_TRUE  # the opposite of the claim was
    if mode is Mode.ALLEGED and has("accused", evidence.claim.text):
        mode = Mode.FACT  # the claim, too, is that somebody is accused or was cleared
    return replace(found, attribution=said, mode=mode)


def _decided(evidence: Evidence, stance: Stance, place: Statement, confidence: float = _REFUTED) -> StanceFound:
    """Return a stance that rests on one sentence, with its reasons."""
    return StanceFound(
        stance=stance,
        confidence=confidence,
        span=place.span,
        contradiction_type=_type(evidence) if stance is Stance.CONTRADICTS else None,
        reasons=reasons_for(evidence, stance, place),
    )


def _is_of_others(evidence: Evidence) -> bool:
    """True if the passage may be about another subject or time than the claim, or calls false what it says of it."""
    others = bool(evidence.names.missing or evidence.stranger) or evidence.other_time
    return others or evidence.calls_false(evidence.near[0])


def _ruled(evidence: Evidence) -> StanceFound | None:
    """Return the ruling of a passage on a claim that it restates: 'A post says that ... False.' It concerns what is
    rated and nothing else: no claim that this does not support, nor one that itself calls something wrong."""
    if evidence.calls_wrong or any(one.match is Relation.DIFFERS for one in evidence.restated_figures):
        return None
    read = dict(zip((window.indices[0] for window in evidence.rated), evidence.rated_meanings, strict=False))
    for one in evidence.ranked:
        if (frame := evidence.frames[one.index]) not in _RULING:
            continue
        content = statement_of(rated_content(one.statement.text))
        labelled = has("under_check", one.statement.text)
        if not evidence.claim.said & content.terms or not (labelled or one.words >= RESTATED):
            continue
        # 'It is not true that it did not pay' is a ruling on the opposite of the claim.
        of_opposite = turned_by(evidence.claim, content)
        supports = read[one.index].supports >= _READ_AS if one.index in read else one.words >= RESTATED
        if not (supports or of_opposite or share_of(evidence.claim.terms, content.terms) >= SAID_BESIDE):
            continue
        if evidence.turned(one.statement) or (of_opposite and labelled):
            return None
        stance = _RULING[Frame.CALLED_TRUE if (frame is Frame.CALLED_FALSE) is of_opposite else Frame.CALLED_FALSE]
        return StanceFound(
            stance=stance,
            confidence=_RULED,
            span=_to_the_ruling(evidence, one.index),
            contradiction_type=ContradictionType.DIRECT if stance is Stance.CONTRADICTS else None,
            reasons=(Reason(code=f"entailment.{'opposite_' if of_opposite else ''}{frame.name.lower()}"),),
        )
    return None


def _to_the_ruling(evidence: Evidence, place: int) -> Span:
    """Return the restated claim together with its ruling, if that is a separate sentence close by."""
    statements = evidence.reading.statements
    beside = (other for other in (place + 1, place + 2, place - 1) if 0 <= other < len(statements))
    ruling = next((other for other in beside if evidence.frames[other] is Frame.RULING), place)
    return Span(statements[min(place, ruling)].span.start, statements[max(place, ruling)].span.end)


def _restated(evidence: Evidence) -> StanceFound | None:
    """Support a claim that a sentence, also without an aside, states verbatim and does not retract."""
    claimed = _WORD.findall(evidence.claim.text.casefold())
    if len(claimed) < _LONG or evidence.other_time or evidence.stranger:
        return None
    if evidence.met(Relation.DIFFERS):  # by its sign or scale
        return None
    wanted = f" {' '.join(claimed)} "
    for one in evidence.ranked:
        if evidence.frames[one.index] not in _ASSERTED - {Frame.ASKED}:
            continue
        for before, after in _around(wanted, one.statement.text):
            if only_states(f"{before} ... {after}"):
                reasons = (Reason(code="entailment.restated"),)
                return StanceFound(Stance.SUPPORTS, _SAME_WORDS, span=one.statement.span, reasons=reasons)
    return None


def _around(wanted: str, sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the words before and after a claim that a sentence, the sentence without an aside, or a main clause of it
    states verbatim: 'Nobody likes it, but the town sold it in 1996.'"""
    clauses = [] if has("open", sentence) or has("denies", sentence) else main_clauses(sentence)
    for text in dict.fromkeys((sentence, ASIDE.sub(" ", sentence, count=1), *clauses)):
        before, same, after = f" {' '.join(_WORD.findall(text.casefold()))} ".partition(wanted)
        if same:
            yield before, after


def _denied(evidence: Evidence) -> StanceFound | None:
    """Contradict a claim that is denied in its own words: an odd number of negations more over the shared words."""
    place = evidence.near[0]
    if _is_of_others(evidence) or has("denies", evidence.claim.text):
        return None
    if any(one.match is not Relation.SAME for one in evidence.figures):
        return None
    denied = denied_by(evidence.claim, place) and realised_by(evidence.claim, place) and not unread(evidence)
    return _decided(evidence, Stance.CONTRADICTS, place) if denied else None


def _refuted(evidence: Evidence) -> StanceFound | None:
    """Contradict a claim by another value of the same quantity in a sentence with the rest of the claim."""
    if _is_of_others(evidence) or evidence.met(Relation.SAME):
        return None
    differing = [one for one in evidence.met(Relation.DIFFERS) if one.context >= _PROVEN]
    proof = max(differing, key=lambda one: one.context, default=None)
    if proof is None or proof.statement is None or not realised_by(evidence.claim, proof.statement):
        return None
    using = table(read=bool(evidence.meanings))
    chance = chances_of(measure(evidence), found=evidence.found, using=using)[Stance.CONTRADICTS]
    confidence = max(_REFUTED, confidence_of(Stance.CONTRADICTS, chance, found=evidence.found, using=using))
    return _decided(evidence, Stance.CONTRADICTS, proof.statement, confidence)


def _worked_out(evidence: Evidence) -> StanceFound | None:
    """Support a claim whose figures follow by arithmetic from a sentence with the rest of the claim, or whose dates
    are less exact ones of the same act."""
    met = evidence.figures
    place = next((one.statement for one in met if one.computed), None)
    if not met and has_dates(evidence) and all(within_the_same(one, evidence.claim) for one in evidence.dates):
        place = evidence.dates[0].statement
    if place is None or any(one.match is not Relation.SAME or one.context < SAID_BESIDE for one in met):
        return None
    if _is_of_others(evidence) or evidence.turned(place) or compare_direction(evidence.claim, place).negated:
        return None
    return _decided(evidence, Stance.SUPPORTS, place) if realised_by(evidence.claim, place) else None


def _at_odds(evidence: Evidence) -> StanceFound | None:
    """Contradict 'most' or 'few' by a share that it excludes, a gain by a negative figure, and a rise, fall or
    comparison without figures by two levels, in a sentence with the rest of the claim."""
    place = evidence.near[0]
    if _is_of_others(evidence) or share_of(evidence.claim.terms, place.terms) < RESTATED:
        return None
    gains = any(pole.sign > 0 for pole in evidence.claim.poles) and is_below_zero(evidence, [place])
    gains = gains and not exchanged(evidence.claim, place)
    same = share_of(evidence.claim.terms - moving_terms(evidence.claim.text), place.terms) >= _PROVEN
    same = same and set(YEAR.findall(evidence.claim.text)) in (set(), set(YEAR.findall(place.text)))
    otherwise = same and not evidence.claim.figures and has_order(evidence, [place]) is False
    if not (gains or otherwise or outside_share(evidence, [place])) or not realised_by(evidence.claim, place):
        return None
    return None if evidence.direction.negated else _decided(evidence, Stance.CONTRADICTS, place)


DECISIONS: tuple[Callable[[Evidence], StanceFound | None], ...] = (
    _ruled, _restated, _denied, _refuted, _worked_out, _at_odds,
)  # fmt: skip
"""Rules that bypass the combination, in this order; `bench.quality ablation` leaves out each in turn."""


def _weighed(evidence: Evidence) -> StanceFound:
    """Return the result of the trained combination."""
    using = table(read=bool(evidence.meanings))
    chances = chances_of(measure(evidence), found=evidence.found, using=using)
    stance = allowed(evidence, max(chances, key=lambda one: chances[one]))
    if chances[stance] < using.least["found" if evidence.found else "pair"].get(stance.value, 0.0):
        stance = Stance.NEUTRAL
    confidence = round(confidence_of(stance, chances[stance], found=evidence.found, using=using), 3)
    if stance is Stance.CONTRADICTS and not _is_shown(evidence):
        confidence = min(confidence, _READ_ONLY)
    return _decided(evidence, stance, evidence.sentence_for(stance), confidence)


def _is_shown(evidence: Evidence) -> bool:
    """True if something can be named that differs: a figure, a date, a negation, an opposite, or a ruling."""
    return (
        evidence.is_opposed
        or evidence.other_time
        or bool(evidence.met(Relation.DIFFERS))
        or bool({Frame.CALLED_FALSE, Frame.RULING} & set(evidence.frames))
    )


def _type(evidence: Evidence) -> ContradictionType:
    """Return the kind of contradiction: a matter of time if only a date differs."""
    if evidence.other_time and not evidence.is_opposed and all(one.match is Relation.SAME for one in evidence.figures):
        return ContradictionType.TIMELINE
    return ContradictionType.DIRECT


def reasons_for(evidence: Evidence, stance: Stance, place: Statement) -> tuple[Reason, ...]:
    """Return at least one reason for the stance, weightiest first. `place`: the sentence it rests on."""
    found = [*_of_figures(evidence, stance), *_of_direction(evidence, stance), *_of_reading(evidence, stance)]
    if stance is Stance.NEUTRAL:
        found += _of_silence(evidence)
    share = share_of(evidence.claim.terms, place.terms)
    found.append(Reason(code="entailment.covers", data={"percent": round(100 * share)}))
    return tuple(found)


def _of_figures(evidence: Evidence, stance: Stance) -> list[Reason]:
    found = []
    for one in evidence.figures:
        mine, theirs = one.shown
        if one.match is Relation.SAME and stance is not Stance.CONTRADICTS:
            found.append(Reason(code="entailment.figures_same", data={"claimed": mine, "found": theirs}))
        elif one.match is Relation.DIFFERS and stance is not Stance.SUPPORTS:
            found.append(Reason(code="entailment.figures_differ", data={"claimed": mine, "found": theirs}))
        elif one.match is Relation.NOT_COMPARABLE:
            found.append(Reason(code=f"entailment.other_{one.why}", data={"claimed": mine, "found": theirs}))
    for date in evidence.dates:
        if date.match is Relation.DIFFERS and date.found is not None and stance is not Stance.SUPPORTS:
            data = {"claimed": date.moment.iso, "found": date.found.iso}
            found.append(Reason(code="entailment.dates_differ", data=dict(data)))
    return found


def _of_direction(evidence: Evidence, stance: Stance) -> list[Reason]:
    direction = evidence.direction
    if stance is not Stance.CONTRADICTS:
        return []
    mine, theirs = direction.opposed or ("", "")
    if lemma(mine) != lemma(theirs):
        return [Reason(code="entailment.opposed", data={"claimed": mine, "found": theirs})]
    return [Reason(code="entailment.negated")] if direction.negated or direction.opposed else []


def _of_reading(evidence: Evidence, stance: Stance) -> list[Reason]:
    if stance is Stance.NEUTRAL:
        return []
    most = max((getattr(one, stance.value) for one in evidence.meanings), default=0.0)
    return [Reason(code=f"entailment.read_{stance.value}", data={"percent": round(100 * most)})] if most >= 0.5 else []


def _of_silence(evidence: Evidence) -> list[Reason]:
    """Return the reasons why a passage is neutral."""
    found = []
    near = evidence.near[0].text
    if evidence.stranger:
        found.append(Reason(code="entailment.stranger", data={"name": evidence.stranger}))
    elif evidence.names.missing:
        found.append(Reason(code="entailment.names_missing", data={"names": list(evidence.names.missing)}))
    if all(one.asks for one in evidence.reading.statements):
        found.append(Reason(code="entailment.only_asks"))
    elif has("hedged", near) and not has("hedged", evidence.claim.text):
        found.append(Reason(code="entailment.hedged"))
    elif has("planned", near) and not has("planned", evidence.claim.text):
        found.append(Reason(code="entailment.planned"))
    return found
