"""A claim that makes several statements, each in the claim's own words and as a sentence that stands alone.

What the evidence says of one part it does not say of the others, so each is asked about, judged and weighed by itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from inquest.claims.claim_detection import ACTIONS
from inquest.claims.report.company import named_in
from inquest.domain.claim import Claim, Excerpt
from inquest.domain.finding import Finding
from inquest.text.lexicon import pattern
from inquest.text.quantities import Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import Span

_MOST = 5
"""Parts of a claim; what asserts more is an enumeration, and weighed as one."""
_SHORT, _LONG = 3, 10
"""Words: of no clause; of a subject that is too long to repeat."""
_JOINT = pattern(__name__, "joint")
_STEPPED_IN = pattern(__name__, "stepped_in")
_DOING = pattern(__name__, "doing")
_VERB = regex(r"\b(?:is|are|was|were|has|have|had|will|does|did)\b", re.I)
_DONE = regex(
    rf"(?:\b\w+ly\s+)?(?:{ACTIONS.pattern}|\b[a-z]{{3,}}ed\b|\b(?:began|made|set|put|led|brought|held)\b)", re.I
)
"""A verb in the past, by its form or one of those that reports tell of."""
_OBJECT = regex(r"\s+(?!(?:of|for)\b)\w")
_SUBORDINATE = regex(r"\b(?:that|which|who|where|whose)\b", re.I)
_SUBJECTLESS = regex(rf"(?:(?:also|then|now|never|not)\s+)*{_VERB.pattern}", re.I)
_PRONOUN = regex(r"(?:(?:it|they|we)\s+)?(?:(?:also|then|now)\s+)?", re.I)
_OWN = regex(r"(?:we|the\s+(?:company|group))(?:\s+(?:also|have|has))?", re.I)
_OPENS = regex(r"(?:in|at|on|by|since|from|as|for|with|during|over|until|after|before|between)\b", re.I)
"""How a sentence begins whose subject comes later."""


class ClaimPart(NamedTuple):
    """One of several statements of a claim."""

    words: str
    """As they stand in the claim."""
    text: str
    """As a sentence of its own, with the claim's subject."""


def parts_of(claim: Claim, company: str = "") -> tuple[ClaimPart, ...]:
    """The statements of a claim, in its order; () where it makes one, or more than five.

    `company`: whose claim it is, the subject of what begins with a verb.
    """
    cut = [each.quote for each in assertions(claim.text, 0)] or [each.quote for each in claim.assertions]
    if not 2 <= len(cut) <= _MOST:
        return ()
    whole = [cut[0], *(_whole(words, cut[0], company) for words in cut[1:])]
    return tuple(map(ClaimPart, cut, whole))


def _whole(words: str, first: str, company: str) -> str:
    """'moved all plants' -> 'Norvane moved all plants'; 'Scope 2 by 8 %' -> 'Norvane cut Scope 2 by 8 %'."""
    verb = verb_of(first)
    subject = _subject(first[: verb.start].strip() if verb else "", company)
    said = _PRONOUN.sub("", words, count=1)
    if _SUBJECTLESS.match(said) or _goes_on(said):
        return f"{subject} {said}".strip()
    if verb_of(words) is None and verb is not None:
        return f"{subject} {verb.of(first)} {words}".strip()
    return words


def _subject(head: str, company: str) -> str:
    """Of what appears before the first verb; '' where it is not known: what the EU did is not put into the company's
    shoes."""
    if _OWN.fullmatch(head) or (company and named_in(company, head) and _OPENS.match(head)):
        return company or head
    return "" if _OPENS.match(head) or len(head.split()) > _LONG else head


def findings_on(parts: Sequence[ClaimPart], findings: Sequence[Finding]) -> tuple[tuple[Finding, ...], ...]:
    """For each part the findings that bear on it: those whose reading covers it by its number, and those that name no
    statement and so bear on the whole claim."""
    return tuple(
        tuple(each for each in findings if number in (each.details.get("covers") or (number,)))  # type: ignore[operator]
        for number in range(1, len(parts) + 1)
    )


def words_of(covers: Sequence[int], parts: Sequence[ClaimPart]) -> str:
    """The words of the statements that a reading covers; '' for the whole claim."""
    return "; ".join(parts[number - 1].words for number in covers if number <= len(parts))


def verb_of(part: str) -> Span | None:
    """The first word that is a verb by its form; None: there is none."""
    found = min(filter(None, (_VERB.search(part), _DONE.search(part))), key=lambda each: each.start(), default=None)
    return Span(*found.span()) if found else None


def assertions(quote: str, start: int) -> tuple[Excerpt, ...]:
    """The assertions of a quote that begins at `start`; none where it asserts one thing only.

    A joint parts two assertions where what follows has a verb of its own, or where there is a figure on either side. A
    bare comma does so before a verb, where the list of what was done goes on to an 'and' with a verb of its own.
    """
    figures = [each for each in quantities(quote) if not each.spelled and not _inside_brackets(quote, each.span.start)]
    cuts: list[Span] = []
    begin = 0
    for joint in _JOINT.finditer(quote):
        in_figure = any(each.span.start < joint.end() and joint.start() < each.span.end for each in figures)
        if in_figure or _inside_brackets(quote, joint.start()):
            continue
        before, rest = Span(begin, joint.start()), quote[joint.end() :]
        following = _SUBORDINATE.split(_JOINT.split(rest, maxsplit=1)[0], maxsplit=1)[0]
        after = Span(joint.end(), joint.end() + len(following))
        if _STEPPED_IN.match(following) or not (_measures(figures, before) or _asserts(before.of(quote))):
            continue
        bare = joint.group().strip() == ","
        clause = _goes_on(following) and _is_closed(rest) if bare else _is_clause(following)
        if clause or (_measures(figures, before) and _measures(figures, after)):
            cuts.append(before)
            begin = joint.end()
    if not cuts:
        return ()
    cuts.append(Span(begin, len(quote)))
    words = [each.of(quote).rstrip(" .;,") for each in cuts]
    return tuple(
        Excerpt(quote=said, start=start + each.start, end=start + each.start + len(said))
        for each, said in zip(cuts, words, strict=True)
    )


def _asserts(part: str) -> bool:
    # 'optimized energy use' does nothing: only what begins with such a form, or a verb of reports, asserts.
    bare = _PRONOUN.sub("", part.lstrip(), count=1)
    return len(part.split()) >= _SHORT and bool(_VERB.search(part) or ACTIONS.search(part) or _goes_on(bare))


def _goes_on(part: str) -> bool:
    """True where it begins with a verb in the past that has an object: 'moved all plants ...', 'sold its fleet'."""
    done = _DONE.match(part) if len(part.split()) >= _SHORT else None
    return done is not None and _OBJECT.match(part, done.end()) is not None


def _is_closed(rest: str) -> bool:
    """Whether a list of clauses ends in 'and' with a clause; a bare comma alone may stand before an aside."""
    joint = next((each for each in _JOINT.finditer(rest) if each.group().strip() != ","), None)
    following = _JOINT.split(rest[joint.end() :], maxsplit=1)[0] if joint else ""
    return not _STEPPED_IN.match(following) and _is_clause(following)


def _is_clause(part: str) -> bool:
    """Whether it begins with a verb that goes on from the subject, or has a subject and a verb of its own."""
    bare = _PRONOUN.sub("", part, count=1)
    return len(part.split()) >= _SHORT and bool(_VERB.search(bare) or ACTIONS.match(bare) or _DOING.match(bare))


def _measures(figures: list[Quantity], part: Span) -> bool:
    return any(part.start <= each.span.start < part.end for each in figures)


def _inside_brackets(quote: str, place: int) -> bool:
    before = quote[:place]
    return before.count("(") > before.count(")") or before.count("“") > before.count("”")
