"""Speakers of sentences in the news: the company, also if a paper repeats it, or the paper.

An issuer, its releases, its filings and the reports that cite them are one witness.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from inquest.claims.own_pages import is_filing, is_own_word
from inquest.desks.market.events import events_in
from inquest.domain.finding import Finding
from inquest.domain.reading import Speaker, SpeakerKind
from inquest.domain.source import Source
from inquest.entailment.attribution import attributed
from inquest.stories.stories import independent
from inquest.text.entities import same_name
from inquest.text.quantities import quantities
from inquest.text.regex import regex
from inquest.text.securities import forms_in

_OWN_DOCUMENT = regex(r"\b(?:filing|(?:press |earnings )?release|disclosure)s?\b|\bin an? (?:\w+ )?statement\b")
_OWN_SIDE = regex(r"(?:the )?(?:company|firm|group|board|management|it|they)|(?:its|the company's) \w+", 2)


def credits_company(sentence: str, company: str) -> bool:
    """True for a sentence that attributes its content to the company or its filing."""
    names = [each.name for each in attributed(sentence)]
    attributes = any(_OWN_SIDE.fullmatch(name) or (company and same_name(name, company)) for name in names)
    return attributes or bool(_OWN_DOCUMENT.search(sentence.lower()) or forms_in(sentence))


def speaker_in(sentence: str, credited: Iterable[str], company: str) -> Speaker | None:
    """The company, if it is credited in the sentence or in one of the page (`credited`) with the same kind of event or
    the same figure. None for the paper's own report."""
    if credits_company(sentence, company):
        return Speaker(kind=SpeakerKind.PARTY, name=company)
    kinds, figures = set(events_in(sentence)), _figures(sentence)
    shared = any(kinds & set(events_in(each)) or figures & _figures(each) for each in credited)
    return Speaker(kind=SpeakerKind.PARTY, name=company) if shared else None


def witnesses_of(findings: Iterable[Finding], sources: Mapping[str, Source], company: str) -> dict[str, str]:
    """The independent source of each finding, by finding id; one for all statements of the company."""
    by_source = {each: one.name for one in independent(sources.values()) for each in one.source_ids}
    own = {
        each.id for each in sources.values() if company and (is_own_word(each, company, ()) or is_filing(each, company))
    }
    return {
        each.id: f"the company {company}" if each.source_id in own or _says_party(each) else by_source[each.source_id]
        for each in findings
    }


def _says_party(finding: Finding) -> bool:
    speaker = finding.details.get("speaker")
    return isinstance(speaker, dict) and speaker.get("kind") == SpeakerKind.PARTY


def _figures(sentence: str) -> set[tuple[str, float]]:
    return {(each.unit, each.value) for each in quantities(sentence) if each.unit}
