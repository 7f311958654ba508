"""A claim that asserts several things, taken apart: each assertion as the words that stand in the quote."""

from __future__ import annotations

import re

from inquest.claims.claim_detection import ACTIONS
from inquest.domain.claim import Excerpt
from inquest.text.lexicon import pattern
from inquest.text.quantities import Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import Span

_JOINT = pattern(__name__, "joint")
_VERB = regex(r"\b(?:is|are|was|were|has|have|had|will|does|did)\b", re.I)
_DOING = pattern(__name__, "doing")
_SUBORDINATE = regex(r"\b(?:that|which|who|where|whose)\b", re.I)
_STEPPED_IN = pattern(__name__, "stepped_in")
_NOUNS = regex(r"^[a-z]{3,}s\s+(?:in|at|and|or|with|from|to|on|by|under|between|as)\b", re.I)
"""'suppliers in ...': a plural, no verb."""
_DONE = regex(
    rf"(?:\b\w+ly\s+)?(?:{ACTIONS.pattern}|\b[a-z]{{3,}}ed\b|\b(?:began|made|set|put|led|brought|held)\b)", re.I
)
"""A verb in the past, by its form or one of those that reports tell of."""
_OBJECT = regex(r"\s+(?!(?:of|for)\b)\w")
_SUBJECTLESS = regex(rf"(?:(?:also|then|now|never|not)\s+)*{_VERB.pattern}", re.I)
_PRONOUN = regex(r"(?:(?:it|they|we)\s+)?(?:(?:also|then|now)\s+)?", re.I)
_SHORT = 3
"""Words."""


def assertions(quote: str, start: int) -> tuple[Excerpt, ...]:
    """The assertions of a quote that begins at `start`; none where it asserts one thing only.

    A joint parts two assertions where what follows has a verb of its own, or where there is a figure on either side. A
    bare comma does so before a verb, where the list of what was done goes on to an 'and' with a verb of its own.
    """
    figures = [each for each in quantities(quote) if not each.spelled and not _inside_brackets(quote, each.span.start)]
    cuts: list[Span] = []
    begin = 0
    for joint in _JOINT.finditer(quote):
        if any(each.span.start < joint.end() and joint.start() < each.span.end for each in figures):
            continue
        if _inside_brackets(quote, joint.start()):
            continue
        following = _SUBORDINATE.split(_JOINT.split(quote[joint.end() :], maxsplit=1)[0], maxsplit=1)[0]
        if _STEPPED_IN.match(following) or not _asserts(quote[begin : joint.start()], figures, begin):
            continue
        bare = joint.group().strip() == ","
        both = _has_figure(figures, begin, joint.start() - begin) and _has_figure(figures, joint.end(), len(following))
        clause = _goes_on(following) and _is_closed(quote[joint.end() :]) if bare else _is_clause(following)
        if both or clause:
            cuts.append(Span(begin, joint.start()))
            begin = joint.end()
    if not cuts:
        return ()
    cuts.append(Span(begin, len(quote)))
    return tuple(
        Excerpt(quote=each.of(quote), start=start + each.start, end=start + each.end) for each in _trimmed(quote, cuts)
    )


def _asserts(part: str, figures: list[Quantity], at: int) -> bool:
    if len(part.split()) < _SHORT:
        return False
    # 'optimized energy use' does nothing: only what begins with such a form, or a verb of reports, asserts.
    return _has_figure(figures, at, len(part)) or bool(
        _VERB.search(part) or ACTIONS.search(part) or _goes_on(without_pronoun(part.lstrip()))
    )


def has_no_subject(part: str) -> bool:
    """Whether it begins with the verb: what was said before it is the subject."""
    return bool(_SUBJECTLESS.match(part)) or _goes_on(part)


def without_pronoun(part: str) -> str:
    """Without the word that stands for the subject: 'it also closed ...' -> 'closed ...'."""
    return _PRONOUN.sub("", part, count=1)


def verb_of(part: str) -> Span | None:
    """The first word that is a verb by its form; None: there is none."""
    found = min(filter(None, (_VERB.search(part), _DONE.search(part))), key=lambda each: each.start(), default=None)
    return Span(*found.span()) if found else None


def _goes_on(part: str) -> bool:
    """True where it begins with a verb in the past that has an object: 'moved all plants ...', 'sold its fleet'."""
    done = _DONE.match(part) if len(part.split()) >= _SHORT else None
    return done is not None and _OBJECT.match(part, done.end()) is not None


def _is_closed(rest: str) -> bool:
    """Whether a list of clauses ends in 'and' with a clause; a bare comma alone may stand before an aside."""
    for joint in _JOINT.finditer(rest):
        if joint.group().strip() == ",":
            continue
        following = _JOINT.split(rest[joint.end() :], maxsplit=1)[0]
        return not _STEPPED_IN.match(following) and _is_clause(following)
    return False


def _is_clause(part: str) -> bool:
    """Whether it begins with a verb that goes on from the subject, or has a subject and a verb of its own."""
    if len(part.split()) < _SHORT:
        return False
    part = without_pronoun(part)
    return bool(_VERB.search(part) or ACTIONS.match(part) or (_DOING.match(part) and not _NOUNS.match(part)))


def _has_figure(figures: list[Quantity], at: int, length: int) -> bool:
    return any(at <= each.span.start < at + length for each in figures)


def _inside_brackets(quote: str, place: int) -> bool:
    before = quote[:place]
    return before.count("(") > before.count(")") or before.count("“") > before.count("”")


def _trimmed(quote: str, cuts: list[Span]) -> list[Span]:
    return [Span(each.start, each.start + len(each.of(quote).rstrip(" .;,"))) for each in cuts]
