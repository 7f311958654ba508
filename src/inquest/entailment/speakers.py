"""Words that put a statement into somebody's mouth, with the stretch that is put there.

'The company said that ...', '..., according to the registry', '"...," said the mayor', 'the firm spoke of ...'.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from inquest.text.sentences import STOP_WORDS, Span

__all__ = ["Attributed", "Manner", "attributed"]


class Manner(StrEnum):
    """What the speaker does with what is put into his mouth."""

    SAYS = "says"
    FINDS = "finds"
    """'found', 'shows', 'concluded', 'ruled': it looked, and this came out."""
    ADMITS = "admits"
    DENIES = "denies"
    ALLEGES = "alleges"
    INTENDS = "intends"
    """'spoke of', 'announced', 'promised': words about what is to be."""


class Attributed(NamedTuple):
    """One attribution. Spans are offsets into the sentence."""

    speaker: str
    """As written, without what only describes him further; '' where nobody is named."""
    manner: Manner
    scope: Span
    """What is put into the mouth."""
    cue: Span
    quoted: bool = False


_VERBS: dict[Manner, str] = {
    Manner.SAYS: "says said say saying states stated tells told adds added explains explained replied replies answered "
    "wrote writes reports reported confirms confirmed declares declared comments commented notes noted insists "
    "insisted maintains maintained argues argued stresses stressed emphasises emphasised emphasized reiterated "
    "repeats repeated assured assures testified recalled pointed\\s+out believes believed thinks considers considered "
    "let\\s+it\\s+be\\s+known informed\\s+(?:the\\s+)?(?:press|media|reporters|journalists)",
    Manner.FINDS: "finds found shows showed shown show concludes concluded rules ruled establishes established "
    "estimates estimated calculates calculated measured reveals revealed reveal indicates indicated determined "
    "certified certifies detected observed demonstrated documented documents",
    Manner.ADMITS: "admits admitted admit acknowledges acknowledged acknowledge concedes conceded concede confessed "
    "confesses apologised\\s+for apologized\\s+for regrets regretted regret",
    Manner.DENIES: "denies denied deny denying disputes disputed dispute rejects rejected refutes refuted contests "
    "contested ruled\\s+out",
    Manner.ALLEGES: "claims claimed claim alleges alleged allege asserts asserted assert suspects suspected accuses "
    "accused contends contended",
    Manner.INTENDS: "announces announced announce promises promised promise pledges pledged vowed speaks\\s+of "
    "spoke\\s+of spoken\\s+of talks\\s+of talked\\s+of speak\\s+of praised praises advertises advertised boasts "
    "boasted celebrated hailed touted presented",
}
_MANNER = {verb.replace("\\s+", " "): manner for manner, listed in _VERBS.items() for verb in listed.split()}
# 'informed (?:the )?press' and the like are matched by their first word.
_SPELLED = "|".join(verb for listed in _VERBS.values() for verb in listed.split())
_CUE = re.compile(rf"(?<![\w'’-])(?:{_SPELLED})(?![\w-])", re.I)
_DETERMINED = (
    r"(?:[Tt]he|[Aa]n?|[Ii]ts|[Tt]heir|[Oo]ur|[Mm]y|[Hh]is|[Hh]er|[Tt]his|[Tt]hese|[Tt]hose|[Oo]ne|[Ss]ome|[Mm]any|"
    r"[Ss]everal|[Tt]wo|[Tt]hree|[Aa]nother|[Bb]oth|[Nn]either)\s+(?:[\w'’&.-]+\s+){0,4}?[\w'’&-]+"
)
_PROPER = (
    r"[A-Z][\w'’&.-]*(?:\s+(?:of|for|and|the|de|van|von|to|&)(?:\s+the)?(?=\s+[A-Z]))?"
    r"(?:\s+[A-Z][\w'’&.-]*(?:\s+(?:of|for|and|the|de|van|von|&)(?:\s+the)?(?=\s+[A-Z]))?)*"
    r"(?:\s+(?:officials?|police|researchers|scientists|sources|spokes\w+|managers?|executives?|lawyers?))?"
)
_PLURAL = (
    r"(?:officials|researchers|scientists|police|prosecutors|investigators|inspectors|doctors|residents|witnesses|"
    r"critics|campaigners|activists|experts|analysts|sources|lawyers|unions?|studies|records|documents|papers|figures|"
    r"data|minutes|results|tests|measurements|surveys|polls|neighbours|workers|managers|executives|opponents|"
    r"supporters|ministers|authorities|regulators|auditors)"
)
_PRONOUN = r"(?:[Ii]t|[Tt]hey|[Hh]e|[Ss]he|[Ww]e|I|[Nn]obody|[Ww]ho|[Ww]hich)"
_POSSESSIVE = r"(?:[A-Z][\w&.-]*\s+){0,3}[A-Z][\w&.-]*['’]s?\s+(?:[\w-]+\s+){0,3}?[\w-]+"
_PHRASE = rf"(?:{_DETERMINED}|{_POSSESSIVE}|{_PROPER}|{_PLURAL}|{_PLURAL.capitalize()}|{_PRONOUN})"
_ADVERBS = (
    r"(?:(?:has|have|had|also|later|then|repeatedly|strongly|always|never|now|initially|first|still|again|publicly|"
    r"previously|only|expressly|earlier|himself|herself|itself|does|do|did|not|would|will|at\s+first)\s+)*"
)
_WHOLE = rf"{_PHRASE}(?:\s+(?:of|at|for|from|in|with|behind|near)\s+(?:{_DETERMINED}|{_PROPER}))?"
_PRONOUNS = frozenset("it they he she we i its their his her our my nobody".split())
_BEFORE = re.compile(
    rf"(?<![\w'’])({_WHOLE})(?:\s+(?:who|which|that)\s[^,.;\"“”]{{3,60}}?)?(?:,[^,]{{1,90}},)?(?:\s+in\s+(?:a|its|the)\s+\w+)?\s+{_ADVERBS}$"
)
_AFTER = re.compile(
    rf"\s+(?!that\b|on\b|in\b|at\b|to\b|of\b)({_DETERMINED}|{_PROPER}|{_PLURAL}|{_PRONOUN})(?=\s*(?:[,.;:!?]|$|\s(?:on|"
    r"in|at|of|for|who|when|after|last|yesterday|today|told|through|from|by|during)\b))"
    r"(,\s+(?:(?:the|a|an|its|their|who)\s+)?[a-z][^,.;:\"“”]{3,70})?"
)
_ACCORDING = re.compile(
    r"\b(?:[Aa]ccording\s+to|[Ii]n\s+the\s+(?:view|opinion|words)\s+of|[Aa]s\s+(?:reported|stated)\s+by)\s+"
    r"(?!(?:which|whom|whose|what)\b)([^,.;:()\"“”]{2,80}?)(?=\s*(?:[,.;:()\"“”]|$|\s(?:that|which|who|when|after|but|while|and\s+[a-z])\b))",
)
_POSSESSED = re.compile(
    r"(?:['’]s?|\b(?P<own>[Ii]ts|[Tt]heir|[Hh]is|[Hh]er|[Oo]ur|[Mm]y))\s+(?:\w+\s+)?(?P<what>claim|statement|assertion|"
    r"assurance|denial|allegation|announcement|accusation|promise|account|version)s?(?:\s+of\s+[^,]{3,30})?,?\s+that\b"
)
_OWNER = re.compile(rf"(?:{_DETERMINED}|{_PROPER})$")
_NAME_LENGTH = 80
_NOT = re.compile(r"\b(?:not|never|n['’]t)\s*$", re.I)
_OPEN = re.compile(r"[.;!?]\s|\s[–—]\s|\b(?:but|while|whereas|although|though|because|and(?!\s+[A-Z]))\s")
_THAT = re.compile(r"\s*(?:(?!that\b)[\w'’]+\s+){0,6}?(?:that\b|:|[\"“])|\s*[,:\"“]")
_REPORT_NOUN = re.compile(r"\b(?:the|this|that|a|an|of|no|such|these|those|false|any|to)\s+$", re.I)
_NOUNS = frozenset("claim claims report reports states documents notes show shows finds rules comments dispute".split())
_PASSIVE = re.compile(r"\b(?:be|been|being|is|are|was|were|get|got)\s+(?:\w+ly\s+|not\s+)?$", re.I)
_OWNED_NOUN = re.compile(r"['’]s?\s+$")
_BARE_NOUN = re.compile(r"\b(?:from|of|in|by|with|for|to|on)\s+[a-z]+\s+$")
# With a plain object these tell what was done, not what was said: 'residents reported pains', 'divers found a ring'.
_WITH_OBJECT = frozenset(
    "report reports reported note notes noted told tells explained repeats repeated finds found measured detected "
    "observed documented documents determined established establishes reveals revealed recalled considered considers "
    "declared declares confirmed confirms presented answered answers rules ruled commented comments show shows showed "
    "regrets regret regretted rejected rejects contested contests states stated estimated estimates indicated".split()
)
# 'The drug, its maker said in a statement, prevents ...'
_INSERTED = re.compile(r"(?:\s+(?:in|on|at)\s+[^,\"“]{2,40})?,")
_AS = re.compile(r",?\s*\bas\s+$", re.I)


@lru_cache(maxsize=4096)
def attributed(sentence: str) -> tuple[Attributed, ...]:
    """The attributions of a sentence, in the order of their cues."""
    quotes = _quotes(sentence)
    found = [
        Attributed(match.group(1).strip(" ,."), Manner.SAYS, _other_side(sentence, span), span)
        for match in _ACCORDING.finditer(sentence)
        for span in (Span(*match.span()),)
    ]
    for match in _POSSESSED.finditer(sentence):
        owner = match["own"] or _owner(sentence, match.start())
        manner = Manner.DENIES if match["what"].lower() == "denial" else Manner.SAYS
        if owner:
            found.append(Attributed(owner, manner, Span(match.end(), len(sentence)), Span(*match.span())))
    for cue in _CUE.finditer(sentence):
        if any(span.start <= cue.start() < span.end for span in quotes):
            continue
        one = _of_a_verb(sentence, cue, quotes)
        if one is not None and not any(other.cue.start <= cue.start() < other.cue.end for other in found):
            found.append(one)
    return tuple(sorted(found, key=lambda one: one.cue))


def _owner(sentence: str, end: int) -> str:
    """Who stands in front of a possessive's apostrophe."""
    match = _OWNER.search(sentence[max(0, end - _NAME_LENGTH) : end])
    return match.group() if match else ""


def _of_a_verb(sentence: str, cue: re.Match[str], quotes: list[Span]) -> Attributed | None:
    spelled = " ".join(cue.group().lower().split())
    manner = _MANNER.get(spelled) or Manner.SAYS
    before = sentence[: cue.start()]
    if spelled in _NOUNS and (_REPORT_NOUN.search(before) or _BARE_NOUN.search(before) or _OWNED_NOUN.search(before)):
        return None
    if _PASSIVE.search(before):
        return None
    clause = _OPEN.split(before[-160:])[-1] if not before.rstrip().endswith(("”", '"', ",")) else ""
    speaker = _BEFORE.search(clause.lstrip()) or _BEFORE.search(before[-160:])
    if manner is Manner.DENIES and _NOT.search(before):
        manner = Manner.ADMITS
    rest = Span(cue.end(), len(sentence))
    quoted = _quoted_part(quotes, Span(0, cue.start())), _quoted_part(quotes, rest)
    if speaker is not None:
        who = speaker.group(1).strip(" ,")
        follows = sentence[cue.end() :]
        begun = cue.start() - len(speaker.group())
        at_the_end = not re.sub(r"[^\w]", "", follows) or _closing(follows)
        if (who.lower() in STOP_WORDS and who.lower() not in _PRONOUNS) or _AS.search(
            before[: max(0, sentence.rfind(who, 0, cue.start()))]
        ):
            return None
        if begun > 3 and before[:begun].rstrip().endswith(",") and _INSERTED.match(follows):
            return Attributed(who, manner, Span(0, len(sentence)), Span(*cue.span()), quoted=any(quoted))
        if spelled in _WITH_OBJECT and not (at_the_end or _THAT.match(follows)):
            return None
        if at_the_end and (before[: max(0, cue.start() - len(speaker.group()))].strip(" ,")):
            start = sentence.rfind(who, 0, cue.start())
            return Attributed(who, manner, Span(0, start), Span(*cue.span()), quoted=quoted[0])
        return Attributed(who, manner, rest, Span(*cue.span()), quoted=quoted[1])
    after = _AFTER.match(sentence, cue.end())
    if after is not None and (quoted[0] or before.rstrip().endswith((",", "”", '"'))):
        return Attributed(
            (after.group(1) + (after.group(2) or "")).strip(" ,"),
            manner,
            Span(0, cue.start()),
            Span(*cue.span()),
            quoted=quoted[0],
        )
    return None


def _closing(follows: str) -> bool:
    """Only when, where or to whom it was said comes after the verb: what was said stands before it."""
    return bool(
        re.fullmatch(
            r"\s*(?:(?:on|in|at|to|by|through|during|after|when|last|late|yesterday|today|this|then|earlier)\b[^\"“:]*|"
            r"(?:the\s+)?[A-Z][\w ]{1,40}|reporters?[^\"“:]*|the\s+(?:press|media|court|tribunal|paper|newspaper)"
            r"[^\"“:]*)[.!]?\s*[\"”]?",
            follows,
        )
    ) and not re.search(r"\bthat\b", follows)


def _other_side(sentence: str, cue: Span) -> Span:
    """What 'according to' speaks of: what follows where it opens the sentence, else what stands before it."""
    return Span(cue.end, len(sentence)) if cue.start < 3 else Span(0, cue.start)


def _quotes(sentence: str) -> list[Span]:
    marks = [match.start() for match in re.finditer(r"[\"“”]", sentence)]
    return [Span(start, end + 1) for start, end in zip(marks[::2], marks[1::2], strict=False)]


def _quoted_part(quotes: list[Span], where: Span) -> bool:
    return any(
        where.start <= span.start and span.end <= where.end + 1 and span.end - span.start > 12 for span in quotes
    )
