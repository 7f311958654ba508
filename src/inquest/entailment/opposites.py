"""Statements that rule each other out without being each other's negation: limits kept and exceeded, knowledge early
and late, what is free and what is ordered, another cause."""

from __future__ import annotations

import re
from datetime import date

from inquest.entailment.predicates import same_word
from inquest.entailment.reading import SentenceReading
from inquest.text.moments import Moment
from inquest.text.passages import stems
from inquest.text.polarity import is_negated, negations
from inquest.text.sentences import Span

__all__ = ["about_cause", "about_knowledge", "about_limits", "about_opposites", "sets_a_limit"]

_LIMIT = (
    r"(?:limits?|permit(?:s|ted)?|allowed|allowable|permissible|thresholds?|ceilings?|caps?|maximum|standards?|guideline|"
    r"guidance\s+values?|(?:legal|permitted|allowed|safe|target|budget)\s+\w+|levels?|values?|quotas?|budgets?|requirements?|"
    r"conditions?|rules?|law)"
)
_WITHIN = re.compile(
    rf"\b(?:within|inside|below|under|beneath|in\s+line\s+with|in\s+compliance\s+with|compl(?:y|ies|ied|iance)(?:\s+with)?|"
    rf"respect(?:s|ed)?|ke(?:ep|eps|pt)\s+to|me(?:et|ets|t)|observ(?:e|es|ed))\s+(?:[\w'’-]+\s+){{0,4}}?{_LIMIT}\b",
    re.I,
)
_BEYOND = re.compile(
    rf"\b(?:exceed(?:s|ed|ing)?|above|over|beyond|breach(?:es|ed|ing)?(?:\s+of)?|violat(?:es|ed|ing|ions?)(?:\s+of)?|surpass(?:es|ed)?|"
    rf"overshot|higher\s+than|more\s+than|in\s+excess\s+of|(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|several|many|few|hundred|thousand)\s+times|"
    rf"twice|double|triple|infring(?:es|ed|ement\s+of))\s+(?:[\w'’%-]+\s+){{0,4}}?{_LIMIT}\b"
    rf"|\b{_LIMIT}\s+(?:[\w'’-]+\s+){{0,6}}?(?:was|were|is|are|has\s+been|had\s+been|have\s+been|being)\s+(?:\w+ly\s+)?"
    r"(?:exceeded|breached|violated|surpassed|broken|overshot)\b",
    re.I,
)
# What stands between the words that set a limit and its number.
_SETS = re.compile(
    r"\b(?:allow(?:s|ed|ing)?|permit(?:s|ting)?|(?:shall|may|must|should|can)\s+not\s+(?:exceed|be\s+(?:more|higher|greater)\s+than)|"
    r"limited\s+to|(?:limit|maximum|ceiling|cap|threshold|mean|value|standard|speed)(?:\s+for\s+[\w-]+)?\s+(?:is|are|was|of|lies|at|stands)|"
    r"capped\s+at|at\s+most|no\s+more\s+than|up\s+to)\s+(?:(?:set|fixed|at|a|an|of|the|to|only)\s+)*$",
    re.I,
)
_PERCENT_OF = re.compile(
    rf"\b(\d{{2,4}}(?:[.,]\d+)?)\s?(?:%|per\s?cent)\s+of\s+(?:the\s+|its\s+)?(?:\w+\s+){{0,2}}?{_LIMIT}\b"
    r"(?!\s+(?:fine|penalt\w+|sentence|of\s+(?:[€$£]|EUR|USD|GBP)))",  # the most a court may impose is another limit
    re.I,
)
_KNOWING = re.compile(
    r"\b(?:kn[eo]w(?:s|n)?|knowledge|learn(?:s|ed|t)?|aware|informed|told|notified|alerted|warned|discovered|found\s+out|heard|"
    r"briefed|made\s+aware|came\s+to\s+light)\b",
    re.I,
)
_LEARNS = re.compile(
    r"\b(?:first|only|not\s+until|no\s+earlier\s+than)\b.{0,40}\b(?:kn[eo]w|learn|aware|inform|told|notif|heard|discover)|"
    r"\b(?:learn(?:s|ed|t)?|found\s+out|discovered|became\s+aware|was\s+(?:informed|told|notified)|were\s+(?:informed|told|"
    r"notified))\b",
    re.I,
)
_FIRST = re.compile(r"\b(?:first|only|not\s+until)\b", re.I)
_BEFORE = re.compile(r"\b(?:before|prior\s+to|ahead\s+of|earlier\s+than)\b([^,.;]{0,60})$", re.I)
_BEFORE_EVENT = re.compile(
    r"\b(?:before|prior\s+to|ahead\s+of)\s+(?:the|its|an?)\s+([a-z][\w-]+(?:\s+[a-z][\w-]+)?)", re.I
)
_PAIRS = tuple(
    (re.compile(rf"\b(?:{one})\b", re.I), re.compile(rf"\b(?:{other})\b", re.I))
    for one, other in (
        (
            r"voluntar(?:y|ily)|of\s+(?:its|their|his|her)\s+own\s+(?:free\s+)?(?:will|accord)|optional",
            r"obligat(?:ion|ory)|obliged|mandatory|compulsory|required\s+by|ordered\s+to|under\s+(?:an?|the)\s+(?:court\s+)?order|"
            r"legal\s+duty|forced\s+to",
        ),
        (
            r"mutual\s+(?:agreement|consent)|resign(?:s|ed|ation)|quit|stepped\s+down|left\s+voluntarily|retired",
            r"dismiss(?:ed|al|es)|sacked|fired|ousted|removed\s+from\s+(?:office|his|her)|forced\s+out|sack(?:ing)?",
        ),
        (r"unanimous(?:ly)?", r"by\s+\d+\s+votes?\s+to\s+\d+|narrow(?:ly)?|split\s+vote|divided"),
        (r"free\s+of\s+charge|for\s+free|at\s+no\s+cost", r"charged?|pay(?:s|ing)?\s+(?:a\s+)?fees?|costs?\s+[€$£\d]"),
        (r"acquitted|cleared|not\s+guilty|exonerated", r"convicted|found\s+guilty|pleaded\s+guilty"),
        (r"alive|survived", r"died|dead|was\s+killed|were\s+killed"),
        (r"natural\s+causes|accident(?:al|ally)?", r"murder(?:ed)?|homicide|deliberate(?:ly)?|arson|on\s+purpose"),
        (r"independent(?:ly)?\s+of", r"owned\s+by|subsidiary\s+of|belongs\s+to|controlled\s+by"),
        (r"public(?:ly\s+owned)?|state-owned", r"privati[sz]ed|privately\s+owned"),
        (
            r"in\s+(?:full\s+)?operation|operational|in\s+service",
            r"trial\s+run|test\s+run|not\s+yet\s+(?:in\s+operation|open|operational)",
        ),
    )
)
_CAUSED = re.compile(
    r"^(?P<effect>.+?)\s+(?:was|were|is|are|has\s+been|have\s+been)\s+(?:mainly\s+|largely\s+)?(?:caused\s+by|due\s+to|the\s+result\s+"
    r"of|a\s+result\s+of|triggered\s+by|brought\s+about\s+by)\s+(?P<cause>.+)$",
    re.I | re.S,
)
_OTHER_CAUSE = re.compile(
    r"\b(?:caused\s+by|due\s+to|because\s+of|(?:the|a)\s+result\s+of|as\s+a\s+result\s+of|triggered\s+by|died\s+(?:from|of)|cause\s+was|"
    r"attributed\s+to|blamed\s+on|owing\s+to|brought\s+about\s+by)\s+(?P<cause>[^.;]+)",
    re.I,
)


def about_limits(claim: str, sentence: str) -> tuple[bool, str] | None:
    """Whether the one keeps a limit that the other exceeds: (they are opposed, why). None: not both speak of limits."""
    wanted, found = _standing(claim), _standing(sentence)
    if wanted is None or found is None:
        return None
    (side, said), (other, told) = wanted, found
    return side != other, f"The claim says '{said}', the passage says '{told}'."


def _standing(text: str) -> tuple[int, str] | None:
    """+1 beyond the limit, -1 within it, with the words that say so."""
    negated = negations(text)
    beyond, within = _BEYOND.search(text), _WITHIN.search(text)
    share = _PERCENT_OF.search(text)
    if share and not beyond and not within:
        value = float(share.group(1).replace(",", "."))
        return (1 if value > 100 else -1), " ".join(share.group().split())
    if beyond and within:
        # 'within the limit' in a sentence that also says 'exceeded' is mostly what somebody had claimed.
        within = None
    match = beyond or within
    if match is None:
        return None
    side = 1 if match is beyond else -1
    if is_negated(Span(*match.span()), negated) or is_negated(Span(match.start(), match.start() + 1), negated):
        side = -side
    return side, " ".join(match.group().split())


def sets_a_limit(text: str, place: Span) -> bool:
    """Whether a number says where a limit lies: 'allows 250', 'shall not exceed 250', 'a maximum of 250'."""
    return bool(_SETS.search(text[max(0, place.start - 80) : place.start].rstrip("€$£ ") + " "))


def about_knowledge(claim: SentenceReading, sentence: SentenceReading) -> tuple[bool, str] | None:
    """When the claim's subject knew: (they agree, why). None: not both speak of it, or both can be true."""
    knows, other = _KNOWING.search(claim.text), _KNOWING.search(sentence.text)
    if knows is None or other is None or not _same_knower(claim, knows.start(), sentence):
        return None
    known = _nearest(sentence, Span(*other.span()))
    before = _before(claim)
    if before is not None:
        limit, event = before
        if known is not None and limit is not None and known.end < limit:
            said = f"the passage has it known on {_spelled(sentence, known)}"
            return True, f"The claim speaks of knowledge before {limit.day} {limit:%B %Y}; {said}."
        told = _BEFORE_EVENT.search(sentence.text)
        if told and event and any(same_word(one, two) for one in stems(told.group(1)) for two in event):
            return True, f"Both speak of knowledge before the {told.group(1)}."
        return None
    wanted = _nearest(claim, Span(*knows.span()))
    if wanted is None or known is None or not _LEARNS.search(claim.text):
        return None
    if known.end < wanted.start:
        return False, (
            f"The claim has it learned on {_spelled(claim, wanted)}, "
            f"the passage known already on {_spelled(sentence, known)}."
        )
    if known.start > wanted.end and _FIRST.search(sentence.text):
        return (
            False,
            f"The claim has it learned on {_spelled(claim, wanted)}, the passage only on {_spelled(sentence, known)}.",
        )
    return None


def _same_knower(claim: SentenceReading, verb: int, sentence: SentenceReading) -> bool:
    """Who knows in the claim has a part in the sentence."""
    who = set(stems(claim.text[:verb])) - {"first", "only", "already"}
    if not who:
        return False
    there = {term for term in who if any(same_word(term, other) for other in sentence.bag)}
    return len(there) >= 0.5 * len(who)


def _before(claim: SentenceReading) -> tuple[date | None, list[str]] | None:
    """The day before which, and the event before which, the claim has it known; None: it says no such thing."""
    for moment in claim.moments:
        if moment.order == "before":
            return moment.start, []
        between = _BEFORE.search(claim.text[: moment.span.start])
        if between is not None:
            return moment.start, stems(between.group(1))
    told = _BEFORE_EVENT.search(claim.text)
    return (None, stems(told.group(1))) if told else None


def _nearest(sentence: SentenceReading, place: Span) -> Moment | None:
    usable = [
        one for one in sentence.moments if one.order != "before" and not _BEFORE.search(sentence.text[: one.span.start])
    ]
    return min(usable, key=lambda one: abs(one.span.start - place.start), default=None)


def _spelled(sentence: SentenceReading, moment: Moment) -> str:
    return " ".join(moment.span.of(sentence.text).split())


def about_opposites(claim: str, sentence: str) -> tuple[str, str] | None:
    """The claim's words and the sentence's that rule them out: 'voluntary' and 'obligation'."""
    for one, other in _PAIRS:
        for wanted, ruled_out in ((one, other), (other, one)):
            said, told = wanted.search(claim), ruled_out.search(sentence)
            again = wanted.search(sentence)
            if again is not None and is_negated(Span(*again.span()), negations(sentence)):
                again = None
            if said is None or told is None or again is not None:
                continue
            claim_negated = is_negated(Span(*said.span()), negations(claim))
            told_negated = is_negated(Span(*told.span()), negations(sentence))
            if not claim_negated and not told_negated:
                return " ".join(said.group().split()), " ".join(told.group().split())
    return None


def about_cause(claim: SentenceReading, sentence: SentenceReading) -> str | None:
    """Why the sentence gives another cause for what the claim explains; None: it does not."""
    wanted = _CAUSED.match(claim.text)
    found = _OTHER_CAUSE.search(sentence.text)
    if wanted is None or found is None or sentence.negations:
        return None
    effect, cause = set(stems(wanted["effect"])), set(stems(wanted["cause"]))
    effect -= {term for moment in claim.moments for term in stems(moment.span.of(claim.text))}
    told = set(stems(found["cause"]))
    there = {term for term in effect if any(same_word(term, other) for other in sentence.bag)}
    if len(there) < 0.5 * len(effect) or told & cause or not told:
        return None
    return f"The passage names another cause: '{' '.join(found['cause'].split())[:80]}'."
