"""What puts a company's claim in another light, or what it leaves out: contradictions in context and by omission.

Of a claim to be green (all power renewable, climate neutral) the context counts: certificates beside a fossil grid,
neutrality by credits. Of a claim to do right (strong governance, human rights, safety) it counts that an authority or a
court is at work against the company in that very matter (spec 000, table of contradictions).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.framing import is_hedged
from inquest.entailment.meant import Bearing
from inquest.entailment.pair import Pair
from inquest.entailment.parts import of_another_body
from inquest.text.polarity import is_negated, negations
from inquest.text.sentences import Span

__all__ = ["against_a_virtue", "in_another_light", "left_out_of_inspections"]

_ALL_GREEN = re.compile(
    r"\b(?:100\s?(?:%|per\s?cent\b|percent\b)|(?:all|entirely|fully|wholly|completely|exclusively|only|"
    r"solely)\b)[^.;]{0,100}?\b(?:renewabl\w+|"
    r"green|clean|solar|wind|hydro\w*)\b|\b(?:renewable|green|clean)\s+(?:electricity|power|"
    r"energy)\b[^.;]{0,40}\b(?:100\s?%|only|"
    r"entirely|exclusively)",
    re.I,
)
_GREEN = re.compile(r"\b(?:renewable|green|clean)\s+(?:electricity|power|energy)\b", re.I)
_ON_PAPER = re.compile(r"\b(?:only\s+|exists?\s+|mere(?:ly)?\s+)on\s+paper\b|\bin\s+name\s+only\b", re.I)
_POWER = re.compile(r"\b(?:electricity|power\w*|energy|renewables)\b", re.I)
_NEUTRAL = re.compile(
    r"\b(?:carbon|climate|co2|emissions?)[\s-]*(?:neutral(?:ity)?|free|positive)\b|\bnet[\s-]zero\b", re.I
)
_MEANT = re.compile(r"\b(?:will|aims?|plans?|targets?|by\s+20\d\d|intends?|goal|commit\w*|pledg\w*|ambition)\b", re.I)
_CERTIFICATES = re.compile(
    r"\b(?:b[ou]y(?:s|ing)?|bought|purchas\w+|cover\w*|offsets?|by|through|only|using|relies|relied|"
    r"unbundled|with)\b[^.;]{0,40}?"
    r"\b(?:(?:renewable|energy|green|origin|power)[\w\s-]{0,20}certificates|certificates\b(?!\s+for\b)|"
    r"guarantees?\s+of\s+origin|RECs)\b",
    re.I,
)
_FOSSIL = re.compile(
    r"\b(?:fossil\w*(?:-\w+)?|coal\w*(?:-\w+)?|gas-fired|lignite|oil-fired|diesel|natural\s+gas)\b", re.I
)
_DRAWS = re.compile(
    r"\b(?:rel(?:y|ies|ied)\s+on|draws?|drew|takes?|took|runs?\s+on|ran\s+on|fed\s+by|feeds?|powered\s+by|"
    r"burn(?:s|ed|t|ing)?|suppl\w+|"
    r"comes?\s+from|came\s+from|grid)\b",
    re.I,
)
_SUPPLY = re.compile(r"\b(?:electric\w*|power\w*|grid|energy|plants?|boilers?|generators?|turbines?)\b", re.I)
_CREDITS = re.compile(
    r"\b(?:only|entirely|mostly|largely|mainly|solely|merely|exclusively|rests?|rested|rel(?:y|ies|ied)|"
    r"by\s+(?:buying|purchasing)|"
    r"through|thanks\s+to|bought|buys|purchas\w+)\b[^.;]{0,40}?\b(?:offsets?|offsetting|(?:carbon|"
    r"emission)\s+(?:credits?|certificates?))\b",
    re.I,
)
_GOOD = (
    r"strong|robust|sound|good|high(?:est)?|solid|rigorous|effective|exemplary|excellent|best[\s-]practice|"
    r"responsibl[ey]|committed|"
    r"commitment|uphold\w*|respect\w*|protect\w*|compl(?:y|ies|ied|iance|iant)|transparen\w+|first|"
    r"priorit\w+|zero[\s-]tolerance|"
    r"ensur\w+|integrity|ethical\w*|safeguard\w*|fair(?:ly)?|honest\w*|lawful\w*"
)
_VIRTUE = re.compile(rf"\b(?:{_GOOD})\b", re.I)
_ENFORCED = (
    r"(?:under\s+(?:\w+\s+)?investigation|(?:the\s+)?(?:subject|"
    r"target)\s+of\s+an?\s+(?:\w+\s+)?(?:investigation|inquiry|probe)|"
    r"investigated|fined|sued|charged|prosecuted|convicted|indicted|raided|penali[sz]ed|sanctioned|"
    r"found\s+guilty|ordered\s+to\s+pay)"
)
_FACES = (
    r"(?:fac(?:es|ed|ing)\s+(?:an?\s+|new\s+|several\s+|criminal\s+)*(?:\w+\s+)?(?:investigation|inquiry|"
    r"probe|lawsuits?|charges|"
    r"prosecution|fines?|trial)|settled\b|paid\b[^.;]{0,40}?\b(?:to\s+settle|fine|penalty)|"
    r"pleaded\s+guilty|agreed\s+to\s+pay)"
)
_CLEARED = re.compile(r"\b(?:cleared|acquitted|dropped|dismissed|closed\s+without|overturned)\b", re.I)
_AUXILIARY = r"(?:(?:is|are|was|were|has|have|had|been|being|now|also|again|recently|currently|twice|still|\w+ly)\s+)*"


class _Field(NamedTuple):
    """A matter of which a company can claim to do right, and what enforcement in it is about."""

    name: str
    claimed: re.Pattern[str]
    broken: re.Pattern[str]


def _field(name: str, claimed: str, broken: str) -> _Field:
    return _Field(name, re.compile(rf"\b(?:{claimed})\b", re.I), re.compile(rf"\b(?:{broken})", re.I))


_FIELDS = (
    _field(
        "governance and disclosure",
        r"governance|transparen\w+|report(?:s|ing)|disclos\w+|integrity|oversight|accountab\w+",
        r"disclos|report|account|misleading|mislead|fraud|securities|insider|brib|corrupt|launder|"
        r"greenwash|misstat|false\s+statement",
    ),
    _field(
        "compliance and fair dealing",
        r"anti-?corruption|brib\w+|ethic\w*|compliance|integrity|fair\s+competition|business\s+conduct|"
        r"code\s+of\s+conduct|governance",
        r"brib|corrupt|cartel|price[\s-]fixing|fraud|launder|antitrust|kickback|insider|collusion|tax\s+evasion",
    ),
    _field(
        "fair dealing",
        r"fair(?:ly|ness)?|honest\w*",
        r"late\s+pay|overcharg|unfair|mis-?sell|mis-?sold|cartel|brib|price[\s-]fixing|antitrust|mislead|abus",
    ),
    _field(
        "human rights and labour",
        r"human\s+rights|labou?r|supply\s+chains?|working\s+conditions|workers['’]?\s+rights|fair\s+(?:pay|"
        r"wages)|dignity|diversity|"
        r"inclusi\w+|equal\w*",
        r"forced\s+labou?r|child\s+labou?r|slave|wage|exploit|abuse|traffick|union|human\s+rights|"
        r"discriminat|harass|working\s+conditions|"
        r"underpa",
    ),
    _field(
        "safety",
        r"safety|health\s+and\s+safety|safe",
        r"died|death|dead|killed|safety|accident|injur|explo[sd]|unsafe|asbestos|fatal",
    ),
    _field(
        "environmental care",
        r"environment\w*|nature|ecosystems?|biodiversity|water|marine|forests?|rivers?|air\s+quality|climate|permits?",
        r"pollut|discharg|spill|emission|permit|dump|waste|contaminat|environment|leak|toxic|escaped|"
        r"deforest|effluent|chemicals",
    ),
)


def in_another_light(pair: Pair) -> Bearing | None:
    """'100 % renewable' by certificates from a fossil grid, 'climate neutral' by credits: true in the letter."""
    claim, text = pair.claim.text, pair.sentence.text
    if not _may_speak(pair) or _MEANT.search(claim):
        return None
    if _GREEN.search(claim) and _ON_PAPER.search(text):
        found = _ON_PAPER.search(text)
    elif _ALL_GREEN.search(claim) and _POWER.search(claim):
        said = _CERTIFICATES.search(text) if not _CERTIFICATES.search(claim) else None
        burnt = _FOSSIL.search(text)
        if said is None and (burnt is None or not _DRAWS.search(text) or not _SUPPLY.search(text)):
            return None
        found = said or burnt
    elif _NEUTRAL.search(claim):
        found = _CREDITS.search(text)
        told = _NEUTRAL.search(text) or re.search(
            r"\b(?:only|entirely|solely|merely|mostly|largely|rests?|rel(?:y|ies|ied))\b", text
        )
        if found is None or not told or re.search(r"\boffset|\bcredits?\b|\bcertificates?\b|\bcompensat", claim, re.I):
            return None
    else:
        return None
    assert found is not None
    if pair.time or _negated(found, text):
        return None
    reason = f"The passage says what the claim rests on: '{' '.join(found.group().split())[:90]}'."
    return Bearing(Stance.CONTRADICTS, 0.72, (reason,), ContradictionType.CONTEXTUAL)


def against_a_virtue(pair: Pair) -> Bearing | None:
    """A claim to do right in a matter, and an authority, a court or a suit at work against the company "
    "in that matter."""
    claim = pair.claim
    if not _may_speak(pair) or claim.quantities or not _VIRTUE.search(claim.text):
        return None
    field = next(
        (each for each in _FIELDS if each.claimed.search(claim.text) and each.broken.search(pair.sentence.text)), None
    )
    enforced = _enforced(pair)
    if field is None or not enforced:
        return None
    reason = f"The passage says what the claim leaves out, on {field.name}: '{enforced}'."
    return Bearing(Stance.CONTRADICTS, 0.68, (reason,), ContradictionType.OMISSION)


_INSPECTED = r"(?:inspections?|audits?|checks?|controls?|visits?)"
_PASSED = re.compile(
    rf"\bpass(?:ed|es)\b[^.;]{{0,60}}\b{_INSPECTED}\b|\b{_INSPECTED}\b[^.;]{{0,60}}\b(?:were|was)\s+passed\b", re.I
)
_ALL = re.compile(r"\b(?:all|every|each)\b", re.I)
_UNANNOUNCED = re.compile(
    rf"\b(?:unannounced|surprise|unscheduled|without\s+notice)\b[^.;]{{0,30}}\b(?:{_INSPECTED}|samples?)\b", re.I
)
_FAULT = re.compile(
    r"\b(?:exceed\w*|breach\w*|violat\w*|fail(?:ed|ures?)|deficien\w+|above\s+the|times\s+the|shortcomings?|"
    r"\d+\s?%\s+of\s+the\s+(?:permitted|allowed)|infring\w+|non-compliance)\b",
    re.I,
)
_FAILED = re.compile(
    rf"\b(?:failed|did\s+not\s+pass|flunked)\b[^.;]{{0,40}}\b{_INSPECTED}\b|\b{_INSPECTED}\b[^.;]{{0,40}}\b(?:was|were)\s+failed\b",
    re.I,
)


def left_out_of_inspections(pair: Pair) -> Bearing | None:
    """'Passed all scheduled inspections', where one that was not announced found a breach, or one was failed."""
    claim, text = pair.claim.text, pair.sentence.text
    if not _may_speak(pair) or pair.time or not _PASSED.search(claim):
        return None
    failed = _FAILED.search(text)
    if failed and _ALL.search(claim) and not _negated(failed, text):
        reason = f"The claim says that all were passed, the passage '{' '.join(failed.group().split())[:90]}'."
        return Bearing(Stance.CONTRADICTS, 0.76, (reason,), ContradictionType.DIRECT)
    unannounced, fault = _UNANNOUNCED.search(text), _FAULT.search(text)
    if unannounced is None or fault is None or _UNANNOUNCED.search(claim) or _negated(fault, text):
        return None
    reason = (
        f"The passage says what the claim leaves out: '{' '.join(unannounced.group().split())[:90]}' and its result."
    )
    return Bearing(Stance.CONTRADICTS, 0.76, (reason,), ContradictionType.OMISSION)


def _may_speak(pair: Pair) -> bool:
    text = pair.sentence.text
    unclear = pair.sentence.asks or is_hedged(text) or bool(pair.claim.negations)
    return not unclear and not of_another_body(pair.claim.text, text)


def _negated(found: re.Match[str], text: str) -> bool:
    """'Has not been fined', 'was cleared', 'does not rely on': the words that would tell are taken back."""
    inside = Span(found.start(), found.start() + 1), Span(found.end() - 1, found.end())
    return any(is_negated(place, negations(text)) for place in inside) or bool(_CLEARED.search(text))


def _enforced(pair: Pair) -> str:
    """The words that say that somebody is at work against the claim's own subject; '' where nobody is."""
    first = re.sub(r"['’]s?$", "", pair.subject.first.split()[0]) if pair.subject.first else ""
    if not first:
        return ""
    name = rf"\b{re.escape(first)}(?:\s+[A-Z]\w+){{0,3}}"
    who = rf"(?:{name}|\b[Tt]he\s+(?:company|group|firm|bank))"
    for pattern in (
        rf"{who}(?:,[^,;]{{2,60}},)?\s+{_AUXILIARY}{_ENFORCED}",
        rf"{who}(?:,[^,;]{{2,60}},)?\s+(?:has\s+|have\s+|had\s+|now\s+|also\s+)*{_FACES}",
        rf"\b(?:investigation|inquiry|probe|proceedings|charges|lawsuit|suit|complaint|action|fine|"
        rf"penalty)\s+(?:\w+\s+)?(?:into|against|of|"
        rf"on|for)\s+{name}(?!['’])",
        rf"\b(?:fined|sued|charged|prosecuted|raided|convicted|indicted|investigating|penali[sz]ed)\s+{name}(?!['’])",
    ):
        found = re.search(pattern, pair.sentence.text)
        if found and not _negated(found, pair.sentence.text):
            return " ".join(found.group().split())[:90]
    return ""
