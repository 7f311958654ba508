"""Splitting of a claim into its statements, each verbatim and as a self-contained sentence.

Evidence for one part is not evidence for the others, so each is searched, judged and weighed by itself."""

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

_MOST = 5  # Parts of a claim; with more it is an enumeration, weighed as a whole
_SHORT, _LONG = 3, 10  # Minimum words of a clause, and maximum words of a subject that is repeated
_JOINT = pattern(__name__, "joint")
_STEPPED_IN = pattern(__name__, "stepped_in")
_DOING = pattern(__name__, "doing")
_VERB = regex(r"\b(?:is|are|was|were|has|have|had|will|does|did)\b", re.I)
_DONE = regex(
    rf"(?:\b\w+ly\s+)?(?:{ACTIONS.pattern}|\b[a-z]{{3,}}ed\b|\b(?:began|made|set|put|led|brought|held)\b)", re.I
)
"""A verb in the past tense, by its form or from the list of actions."""
_LABELS = regex(r"\d\D+\d")  # 'Scope 1 and 2'
_OBJECT = regex(r"\s+(?!(?:of|for)\b)\w")
_SUBORDINATE = regex(r"\b(?:that|which|who|where|whose)\b", re.I)
_SUBJECTLESS = regex(rf"(?:(?:also|then|now|never|not)\s+)*{_VERB.pattern}", re.I)
_PRONOUN = regex(r"(?:(?:it|they|we)\s+)?(?:(?:also|then|now)\s+)?", re.I)
_OWN = regex(r"(?:we|the\s+(?:company|group))(?:\s+(?:also|have|has))?", re.I)
_OPENS = regex(r"(?:in|at|on|by|since|from|as|for|with|during|over|until|after|before|between)\b", re.I)
"""Openings of a sentence whose subject comes later."""


class ClaimPart(NamedTuple):
    """One of several statements of a claim."""

    words: str  # Verbatim
    text: str  # The statement as a sentence with the claim's subject


def parts_of(claim: Claim, company: str = "") -> tuple[ClaimPart, ...]:
    """Return the statements of a claim in order; () for a single one or more than five. `company`: the claimant, taken
    as the subject of parts that begin with a verb."""
    cut = [each.quote for each in assertions(claim.text, 0) or claim.assertions]
    if not 2 <= len(cut) <= _MOST:
        return ()
    return tuple(map(ClaimPart, cut, [cut[0], *(_whole(words, cut[0], company) for words in cut[1:])]))


def _whole(words: str, first: str, company: str) -> str:
    """'moved all plants' -> 'Norvane moved all plants'; 'Scope 2 by 8 %' -> 'Norvane cut Scope 2 by 8 %'."""
    verb = verb_of(first)
    subject = _subject(first[: verb.start].strip() if verb else "", company)
    predicate = _PRONOUN.sub("", words, count=1)
    if _SUBJECTLESS.match(predicate) or _goes_on(predicate):
        return f"{subject} {predicate}".strip()
    if verb_of(words) is None and verb is not None:
        return f"{subject} {verb.of(first)} {words}".strip()
    return words


def _subject(head: str, company: str) -> str:
    """Return the subject in the words before the first verb; '' if unknown, so that nobody else's act is attributed to
    it."""
    if _OWN.fullmatch(head) or (company and named_in(company, head) and _OPENS.match(head)):
        return company or head
    return "" if _OPENS.match(head) or len(head.split()) > _LONG else head


def findings_on(parts: Sequence[ClaimPart], findings: Sequence[Finding]) -> tuple[tuple[Finding, ...], ...]:
    """Return the findings on each part: those that cover its number, and those on the whole claim."""
    return tuple(
        tuple(each for each in findings if number in (each.details.get("covers") or (number,)))  # type: ignore[operator]
        for number in range(1, len(parts) + 1)
    )


def words_of(covers: Sequence[int], parts: Sequence[ClaimPart]) -> str:
    """Return the words of the covered statements; '' for the whole claim."""
    return "; ".join(parts[number - 1].words for number in covers if number <= len(parts))


def verb_of(part: str) -> Span | None:
    """Return the first word with the form of a verb, or None."""
    first = min(filter(None, (_VERB.search(part), _DONE.search(part))), key=lambda each: each.start(), default=None)
    return Span(*first.span()) if first else None


def assertions(quote: str, start: int) -> tuple[Excerpt, ...]:
    """Return the assertions of a quote that begins at `start`; () for a single one. A joint ('and', ';') separates two
    assertions if a clause with a verb follows or both sides have a figure. A bare comma does so before a verb, in a
    list of actions that ends in 'and' with a verb."""
    figures = [each for each in quantities(quote) if not each.spelled and not _inside_brackets(quote, each.span.start)]
    cuts: list[Span] = []
    begin = 0
    for joint in _JOINT.finditer(quote):
        in_figure = any(each.span.start < joint.end() and joint.start() < each.span.end for each in figures)
        labels = _LABELS.search(quote, joint.start() - 1, joint.end() + 1)
        if in_figure or labels or _inside_brackets(quote, joint.start()):
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
    trimmed = [(start + each.start, each.of(quote).rstrip(" .;,")) for each in cuts]
    return tuple(Excerpt(quote=words, start=at, end=at + len(words)) for at, words in trimmed)


def _asserts(part: str) -> bool:
    # 'optimized energy use' asserts nothing: a past form counts only at the beginning.
    bare = _PRONOUN.sub("", part.lstrip(), count=1)
    return len(part.split()) >= _SHORT and bool(_VERB.search(part) or ACTIONS.search(part) or _goes_on(bare))


def _goes_on(part: str) -> bool:
    """Return True for a past tense verb with an object at the beginning: 'moved all plants', 'sold its fleet'."""
    done = _DONE.match(part) if len(part.split()) >= _SHORT else None
    return done is not None and _OBJECT.match(part, done.end()) is not None


def _is_closed(rest: str) -> bool:
    """Return True if a list of clauses ends in 'and' with a clause; a bare comma alone may open an aside."""
    joint = next((each for each in _JOINT.finditer(rest) if each.group().strip() != ","), None)
    following = _JOINT.split(rest[joint.end() :], maxsplit=1)[0] if joint else ""
    return not _STEPPED_IN.match(following) and _is_clause(following)


def _is_clause(part: str) -> bool:
    """Return True for a verb that continues the subject, or a subject with a verb of its own."""
    bare = _PRONOUN.sub("", part, count=1)
    return len(part.split()) >= _SHORT and bool(_VERB.search(bare) or ACTIONS.match(bare) or _DOING.match(bare))


def _measures(figures: list[Quantity], part: Span) -> bool:
    return any(part.start <= each.span.start < part.end for each in figures)


def _inside_brackets(quote: str, place: int) -> bool:
    before = quote[:place]
    return before.count("(") > before.count(")") or before.count("“") > before.count("”")
