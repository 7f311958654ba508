"""What a company says it has finished, reached, ended or spent, held against what a statement says of the same project.

'Completed in December 2024' is borne out by a plant that has been in operation since 9 December 2024, and gone against
by one that is still being built; a target reached in 2024 by one that was put off to 2026; a cost by another sum spent.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.amounts import Mood, mood_at
from inquest.entailment.framing import is_hedged
from inquest.entailment.meant import Bearing
from inquest.entailment.pair import Pair
from inquest.entailment.parts import of_another_whole
from inquest.entailment.predicates import same_word
from inquest.text.moments import Moment, moments
from inquest.text.passages import stems
from inquest.text.quantities import Dimension, Quantity, Relation, compare, shown
from inquest.text.sentences import Span, stem

__all__ = ["about_projects", "called_a_trial"]

_FINISHED = re.compile(
    r"\b(?:complet(?:ed|es|ion)|finished|open(?:ed|s|ing)|commission(?:ed|ing)|inaugurat(?:ed|ion)|"
    r"install(?:ed|ation)|built|"
    r"launch(?:ed)?|start(?:ed)?(?:\s+up)?|introduced|switched|converted|(?:went|put|brought|taken|"
    r"came)\s+(?:into|on)\s+"
    r"(?:operation|service|stream|line|the\s+grid)|in\s+(?:full\s+)?(?:operation|service|use)|(?:been|is|"
    r"was)\s+(?:running|run|"
    r"operating|operational|open|working)|(?:has|have)\s+(?:run|operated|worked))\b",
    re.I,
)
_ENDED = re.compile(
    r"\b(?:clos(?:ed|es|ure)|shut(?:\s+down)?|decommissioned|stopped|ended|ceased|phased\s+out|gave\s+up|"
    r"given\s+up|abandoned|retired|"
    r"discontinued|switched\s+off)\b",
    re.I,
)
_RUNS = re.compile(r"operation|service|stream|line|grid|running|run|operat|in\s+use", re.I)
_LATE = re.compile(
    r"\b(?:still\s+(?:under\s+construction|being\s+built|unfinished|not\s+\w+|open|in\s+operation|running|"
    r"burn\w+)|under\s+construction|"
    r"not\s+(?:yet\s+)?(?:be\s+)?(?:\w+\s+){0,2}?(?:until|before)\b|not\s+yet\b|delayed|put\s+off|"
    r"postponed|(?:now|only)\s+(?:due|expected|"
    r"planned|scheduled)|pushed\s+back|behind\s+schedule|unfinished)\b",
    re.I,
)
_FIRST = re.compile(r"\b(?:first|only|not\s+until|no\s+earlier\s+than|late)\b", re.I)
_STILL = re.compile(
    r"\bstill\s+(?:\w+ly\s+)?(?:us(?:ing|es|ed)|burn\w*|sell\w*|sold|lend\w*|work\w*|running|in\s+use|in\s+(?:operation|"
    r"service)|open)\b|\bremain(?:s|ed)?\s+(?:in\s+(?:operation|service|use)|open|connected|active)\b|"
    r"\bcontinu(?:es|ed|ing)\s+to\s+(?:burn|use|sell|lend|run|operate|work|make)\b|\bkeeps?\s+(?:burning|using|selling|"
    r"running|operating)\b",
    re.I,
)
_NO_LONGER = re.compile(r"\bno\s+longer\s+(?P<what>[a-z]+)", re.I)
_TRIAL = re.compile(
    r"\b(?:(?:trial|test|pilot)[\s-]+(?:runs?|operations?|phase|rig|plant)|on\s+trial|being\s+(?:tested|commissioned))\b",
    re.I,
)
_THAT_WAS = re.compile(r"\W*(?:that|this|it)\s+(?:was|is)\s+(?:\w+\s+)?an?\s+(?:trial|test|pilot)\b", re.I)
_BESIDE_IT = re.compile(
    r"\b(?:beside|next\s+to|opposite|alongside|across\s+from|adjacent\s+to|outside|at\s+the\s+gates?\s+of)\b", re.I
)
_UNDER_WAY = re.compile(
    r"\b(?:is|are|was|were)\s+(?:\w+ly\s+)?(?:investing|spending)\b|\binvests\b|\bbudget\w*\b", re.I
)
_NONE_SINCE = re.compile(r"\b(?:no|not|never|none|without)\b", re.I)
_REACHED = re.compile(
    r"\b(?:achiev(?:ed|es)|met|reach(?:ed|es)|hit|fulfil(?:led|s)|attained|"
    r"delivered\s+on)\s+(?P<what>[^.;]*?\b(?:target|goal|aim|objective|"
    r"commitment|milestone)s?\b[^.;]*)",
    re.I,
)
_PUT_OFF = re.compile(
    r"\b(?:put(?:ting)?\s+(?:\w+\s+){0,5}?off|postpon\w+|delay\w*|deferr?\w*|"
    r"push\w*\s+(?:[\w-]+\s+){0,6}?back|mov\w+\s+(?:[\w-]+\s+){0,6}?back|"
    r"abandon\w*|scrap(?:ped|s)|drop(?:ped|s)|gave\s+up|given\s+up|extend\w*)\b",
    re.I,
)
_MISSED = re.compile(
    r"\b(?:miss(?:ed|es|ing)|fail(?:ed|s)?\s+to\s+(?:meet|reach|achieve|hit)|fell\s+short\s+of|"
    r"falls\s+short\s+of|(?:not|never)\s+(?:\w+ly\s+)?(?:been\s+)?(?:me?et|reach(?:ed)?|"
    r"achieved?|hit|attain(?:ed)?|fulfil(?:led)?))\b",
    re.I,
)
_TARGET = re.compile(r"\b(?:target|goal|aim|objective|commitment|milestone)s?\b", re.I)
_SPENT = re.compile(r"\b(?:spen[dt](?:s|ing)?|cost(?:s|ing)?|invest(?:s|ed|ing|ments?)?|paid|price)\b", re.I)
_ANY_PROJECT = frozenset(
    map(
        stem,
        "new work works site company firm year cost million billion euro euros time first full now still "
        "being begin began end date since until longer "
        "successful successfully own run project operate".split(),
    )
)
_A_YEAR = timedelta(days=366)
_MOST_OF_A_TARGET = 0.6
_SAME_DAY = timedelta(days=45)
"""So much later than a day that is given for its end may a project begin to run and still have been finished then."""


def about_projects(pair: Pair) -> Bearing | None:
    """What the statement says to a deed that the claim says is done; None: nothing, or not of the same project."""
    claim, sentence = pair.claim, pair.sentence
    if sentence.asks or (is_hedged(sentence.text) and not _LATE.search(sentence.text)):
        return None
    if of_another_whole(claim.text, sentence.text) or pair.around.meant:
        return None
    if _BESIDE_IT.search(sentence.text) and not _BESIDE_IT.search(claim.text):
        return None
    longer = _NO_LONGER.search(claim.text)
    if longer is not None:
        return _still(pair, longer)
    if claim.negations:
        return None
    return _target(pair) or _finished(pair) or _ended(pair) or _spent(pair)


def _target(pair: Pair) -> Bearing | None:
    claimed = _REACHED.search(pair.claim.text)
    if claimed is None or not _TARGET.search(pair.sentence.text):
        return None
    if not _has(pair, claimed["what"], share=_MOST_OF_A_TARGET) or _another_target(pair):
        return None
    text = pair.sentence.text
    missed, put_off = _MISSED.search(text), _PUT_OFF.search(text)
    if missed and not pair.time:
        reason = f"The claim says that the target was reached, the passage '{_spelled(missed)}'."
        return Bearing(Stance.CONTRADICTS, 0.8, (reason,), ContradictionType.DIRECT)
    if put_off is None or pair.sentence.negations:
        return None
    wanted = pair.claim.moments[0] if pair.claim.moments else None
    later = [each for each in pair.sentence.moments if wanted is None or each.start > wanted.end]
    if wanted is not None and pair.sentence.moments and not later:
        return None
    until = f" ({later[0].span.of(text)})" if later else ""
    reason = (
        f"The claim says that the target was reached, the passage that it was put off{until}: '{_spelled(put_off)}'."
    )
    return Bearing(Stance.CONTRADICTS, 0.76, (reason,), ContradictionType.TIMELINE)


def _another_target(pair: Pair) -> bool:
    """Whether the statement's figures have none of the claim's: it may speak of another target of the same company."""
    relations = [compare(one, other).relation for one in pair.claim.quantities for other in pair.sentence.quantities]
    return Relation.DIFFERS in relations and Relation.SAME not in relations


def _finished(pair: Pair) -> Bearing | None:
    claimed = _FINISHED.search(pair.claim.text)
    if claimed is None or mood_at(pair.claim.text, Span(*claimed.span())) is not Mood.DONE:
        return None
    return _on_trial(pair, claimed) or _done(pair, claimed, _FINISHED)


def _on_trial(pair: Pair, claimed: re.Match[str]) -> Bearing | None:
    """A trial run is not operation: 'that was a trial run', 'a test rig that has run for nine days'."""
    text = pair.sentence.text
    trial = _TRIAL.search(text)
    if trial is None or _TRIAL.search(pair.claim.text) or not _RUNS.search(claimed.group()):
        return None
    if pair.time or not _has(pair, pair.claim.text, least=2):
        return None
    return _was_a_trial(pair, claimed, trial)


def called_a_trial(pair: Pair) -> Bearing | None:
    """'That was a trial run', after a sentence that has the claim."""
    claimed, trial = _FINISHED.search(pair.claim.text), _TRIAL.search(pair.sentence.text)
    if claimed is None or trial is None or pair.time or not _RUNS.search(claimed.group()):
        return None
    if not _THAT_WAS.match(pair.sentence.text) or not _FINISHED.search(pair.around.before) or pair.sentence.negations:
        return None
    told = set(stems(pair.around.before))
    mine = [term for term in stems(pair.claim.text) if term not in stems(pair.subject.first)]
    if sum(any(same_word(one, other) for other in told) for one in mine) < _MOST_OF_A_TARGET * len(mine):
        return None
    return _was_a_trial(pair, claimed, trial)


def _was_a_trial(pair: Pair, claimed: re.Match[str], trial: re.Match[str]) -> Bearing:
    kind = ContradictionType.TIMELINE if pair.claim.moments else ContradictionType.DIRECT
    reason = f"The claim says '{_spelled(claimed)}', the passage speaks of a trial ('{_spelled(trial)}')."
    return Bearing(Stance.CONTRADICTS, 0.74, (reason,), kind)


def _ended(pair: Pair) -> Bearing | None:
    claimed = _ENDED.search(pair.claim.text)
    if claimed is None or mood_at(pair.claim.text, Span(*claimed.span())) is not Mood.DONE:
        return None
    return _still(pair, claimed) or _done(pair, claimed, _ENDED)


def _done(pair: Pair, claimed: re.Match[str], family: re.Pattern[str]) -> Bearing | None:
    """The same project was finished then, later, or is not finished yet."""
    text, wanted = pair.sentence.text, pair.claim.moments
    if not _has(pair, pair.claim.text, least=2):
        return None
    told = family.search(text)
    later = [each for each in pair.sentence.moments if wanted and each.start > _by(wanted)]
    late = _LATE.search(text)
    if late is not None and (later or not pair.sentence.moments):
        when = f" ({later[0].span.of(text)})" if later else ""
        reason = f"The claim says '{_spelled(claimed)}', the passage '{_spelled(late)}'{when}."
        return Bearing(Stance.CONTRADICTS, 0.76, (reason,), ContradictionType.TIMELINE)
    if told is None or not wanted or not pair.sentence.moments or pair.sentence.negations:
        return None
    if mood_at(text, Span(*told.span())) is not Mood.DONE:
        return None
    moment = pair.sentence.moments[0]
    if later and _FIRST.search(text) and len(later) == len(pair.sentence.moments):
        reason = f"The claim has it {_spelled(claimed)} in {_when(pair)}, the passage only {later[0].span.of(text)}."
        return Bearing(Stance.CONTRADICTS, 0.72, (reason,), ContradictionType.TIMELINE)
    if any(_begun_then(one, moment) for one in wanted):
        when = moment.span.of(text)
        reason = f"The claim says '{_spelled(claimed)}' in {_when(pair)}, the passage '{_spelled(told)}' {when}."
        reasons: tuple[str, ...] = (reason,)
        if pair.claim.quantities or re.search(r"\band\s+(?:\w+ly\s+)?[a-z]+ed\b", pair.claim.text):
            reasons = (reason, "That bears out a part of the claim; of the rest the passage says nothing.")
        return Bearing(Stance.SUPPORTS, 0.68 if len(reasons) == 1 else 0.6, reasons)
    return None


def _by(wanted: tuple[Moment, ...]) -> date:
    """The day by which the claim has it done: what runs 'since 2023' was done in 2023."""
    return max(one.start + _A_YEAR if one.order == "since" else one.end for one in wanted)


def _begun_then(wanted: Moment, told: Moment) -> bool:
    """Whether what runs since the one day was finished at the other, as exactly as the claim says it."""
    return wanted.start <= told.start <= wanted.end or wanted.start <= told.start <= wanted.start + _SAME_DAY


def _still(pair: Pair, claimed: re.Match[str]) -> Bearing | None:
    """'Stopped using', against 'was still using' after that; and for it 'has used none since'."""
    text, wanted = pair.sentence.text, pair.claim.moments
    if not _has(
        pair, pair.claim.text, least=1, aside=frozenset(stems("use used using stopped lending loans given bought"))
    ):
        return None
    told = pair.sentence.moments or moments(pair.around.before)
    later = [each for each in told if wanted and each.end > _by(wanted)]
    still = _STILL.search(text)
    if still and not pair.sentence.negations and (later or not wanted):
        when = f" ({later[0].span.of(text)})" if later and pair.sentence.moments else ""
        reason = f"The claim says '{_spelled(claimed)}', the passage '{_spelled(still)}'{when}."
        return Bearing(Stance.CONTRADICTS, 0.76, (reason,), ContradictionType.DIRECT)
    since = [each for each in pair.sentence.moments if each.order == "since"]
    none = _NONE_SINCE.search(text)
    if none and since and not still and (not wanted or any(_begun_then(one, since[0]) for one in wanted)):
        reason = f"The claim says '{_spelled(claimed)}', the passage '{_spelled(none)}' since {since[0].span.of(text)}."
        return Bearing(Stance.SUPPORTS, 0.66, (reason,))
    return None


def _spent(pair: Pair) -> Bearing | None:
    """One sum for the same project, and another that was spent on it."""
    wanted = [each for each in pair.claim.quantities if each.dimension is Dimension.MONEY]
    told = [each for each in pair.sentence.quantities if each.dimension is Dimension.MONEY]
    if len(wanted) != 1 or len(told) != 1 or pair.sentence.negations:
        return None
    (mine,), (theirs,) = wanted, told
    if not (_near(pair.claim.text, mine) and _near(pair.sentence.text, theirs)):
        return None
    if _UNDER_WAY.search(pair.sentence.text) and not _UNDER_WAY.search(pair.claim.text):
        reason = f"The claim gives {shown(mine)} for it; what the passage gives ({shown(theirs)}) was not yet spent."
        return Bearing(Stance.NEUTRAL, 0.6, (reason,))
    moods = mood_at(pair.claim.text, mine.span), mood_at(pair.sentence.text, theirs.span)
    if moods != (Mood.DONE, Mood.DONE) or re.search(
        r"\b(?:further|another|additional|more|of\s+(?:which|this|the))\b", pair.sentence.text
    ):
        return None
    if not _has(pair, pair.claim.text, least=2) or not _spent_by_then(pair):
        return None
    relation = compare(mine, theirs).relation
    if relation is Relation.DIFFERS:
        reason = f"The claim gives {shown(mine)} for it, the passage {shown(theirs)}."
        return Bearing(Stance.CONTRADICTS, 0.72, (reason,), ContradictionType.DIRECT)
    if relation is Relation.SAME:
        return Bearing(Stance.SUPPORTS, 0.68, (f"Both give {shown(mine)} for it.",))
    return None


def _spent_by_then(pair: Pair) -> bool:
    """The sum is of no earlier time than the claim's."""
    wanted, told = pair.claim.moments, pair.sentence.moments
    if not wanted:
        return not told or all(each.order in ("by", "until") for each in told)
    return not told or all(
        each.end >= min(one.start for one in wanted) and not each.start > max(one.end for one in wanted)
        for each in told
    )


def _near(text: str, amount: Quantity) -> bool:
    return bool(_SPENT.search(text[max(0, amount.span.start - 60) : amount.span.end + 40]))


def _has(pair: Pair, what: str, *, least: int = 1, aside: frozenset[str] = frozenset(), share: float = 1.0) -> bool:
    """Whether the statement, with what its page is about, is of the same thing: it has all that names it in the claim,
    or that share of it."""
    out = set(aside) | _ANY_PROJECT
    for quantity in pair.claim.quantities:
        out.update(stems(quantity.text))
    for moment in pair.claim.moments:
        out.update(stems(moment.span.of(pair.claim.text)))
    for family in (_FINISHED, _ENDED, _SPENT, _REACHED, _TARGET):
        for match in family.finditer(pair.claim.text):
            out.update(stems(match.group() if family is not _REACHED else match.group().split()[0]))
    company = set(stems(pair.subject.first))
    needed = [term for term in stems(what) if term not in out and term not in company and not term.isdigit()]
    beside = frozenset(stems(f"{pair.around.title.split(chr(10))[0]} {pair.around.before}"))
    there = [term for term in needed if any(same_word(term, other) for other in pair.sentence.bag)]
    near = [term for term in needed if term not in there and any(same_word(term, other) for other in beside)]
    if share < 1.0:
        # The figure of a target names it, too.
        alike = [
            one.text
            for one in pair.claim.quantities
            if any(compare(one, other).relation is Relation.SAME for other in pair.sentence.quantities)
        ]
        needed, there = [*needed, *alike], [*there, *alike]
    return len(needed) >= least and len(there) + len(near) >= share * len(needed) and bool(there)


def _when(pair: Pair) -> str:
    return pair.claim.moments[0].span.of(pair.claim.text)


def _spelled(match: re.Match[str]) -> str:
    return " ".join(match.group().split())[:80]
