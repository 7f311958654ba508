"""What the news desk would have other desks find out, and what it looks for when they ask (spec 000, §7).

Questions are few: each needs something in the claim or in what was found that the desk cannot judge, and says what.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from inquest.claims.brief_reading import key_terms
from inquest.claims.environmental import GROUPS
from inquest.claims.press_words import called, claim_words, figures_of, places_of, plain_query
from inquest.desks.news.queries import DESK, query_for
from inquest.domain.check import DeskQuery, InfoRequest, InfoResponse
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.english import agreeing
from inquest.domain.finding import Finding, Stance
from inquest.domain.value import JsonObject
from inquest.kit.desk import FindingDraft, Subject
from inquest.sources.standards import named_standards
from inquest.text.lexicon import any_of
from inquest.text.phrases import count, listed, numeral, quoted
from inquest.text.sentences import shorten, stem
from inquest.text.units import Dimension

_METHOD = any_of(__name__, "method")
_TECHNICAL = ("climate", "low_carbon", "renewable", "certificate", "pollution", "efficiency")
"""The groups of words of environmental reporting of which literature and standards know more than the press."""
_AGAINST = any_of(__name__, "against")
# What a question says of itself, beside its subject.
_ASKING = frozenset(
    stem(word)
    for word in (
        "need needs news media press coverage reporting report reports any there whether please verify verification "
        "context information public sources source known about related regarding claim claims company desk find "
        "mentioned recent controversies controversy criticism evidence"
    ).split()
)
_SOURCES = 10


def requests_on(claim: Claim, company: str, met: Sequence[FindingDraft]) -> tuple[InfoRequest, ...]:
    """At most one question to each desk: geography on places, legal on what a rule asks for, data on figures that
    should fit together, academic where the press disputes a technical claim or its method. `met`: findings of sources.
    """
    against = [each for each in met if each.stance is Stance.CONTRADICTS]
    asked = [
        _on_places(claim, company, against),
        _on_rules(claim, against),
        _on_figures(claim, against),
        _on_methods(claim, met, against),
    ]
    return tuple(each for each in asked if each is not None)


def queries_to_answer(request: InfoRequest, claim: Claim, about: Subject) -> tuple[DeskQuery, ...]:
    """What to look for in the press to answer another desk: the subject of its question, and where it asks what speaks
    against something, that too."""
    terms = [term for term in key_terms(request.description, (about.company,), limit=12) if stem(term) not in _ASKING]
    if not terms:
        terms = list(claim_words(claim, about.company).terms)
    name = called(about.company, about.industry)
    if not terms and not name:
        return ()
    text = plain_query(" ".join((name, *terms[:6])))
    made = [query_for(text, "company", claim)]
    if _AGAINST.search(request.description):
        against = plain_query(" ".join((name, *terms[:3], "controversy investigation criticism")))
        made.append(query_for(against, "controversy", claim))
    return tuple(each.model_copy(update={"request_id": request.id}) for each in made)


def response_to(request: InfoRequest, found: Sequence[Finding]) -> InfoResponse | None:
    """The answer from findings of sources; None where there is none."""
    sources = [each for each in found if each.details.get("source_url")]
    if not sources:
        return None
    sources.sort(key=lambda each: (each.stance in (Stance.NEUTRAL, Stance.UNASSESSED), -each.confidence, each.id))
    used = list({str(each.details["source_url"]): each for each in sources}.values())[:_SOURCES]
    against = sum(each.stance is Stance.CONTRADICTS for each in used)
    support = sum(each.stance is Stance.SUPPORTS for each in used)
    sides = [numeral(number) if number else "none" for number in (against, support)]
    summary = (
        f"Found {count(len(used), 'news source')} related to the question {quoted(shorten(request.description, 120))}: "
        f"{sides[0]} against the claim, {sides[1]} for it."
    )
    return InfoResponse(
        request_id=request.id,
        answered_by=DESK,
        asked_by=request.asked_by,
        summary=summary,
        finding_ids=tuple(each.id for each in used),
        details={
            "sources": [each.details for each in used],
            "key_findings": " ".join(str(each.details.get("relevance_summary", each.summary)) for each in used[:3]),
        },
    )


def _domain(met: FindingDraft) -> str:
    return str(met.details["source_domain"])


def _words(met: FindingDraft) -> str:
    return str(met.details["snippet"])


def _ask(
    to: str, claim: Claim, description: str, near: Sequence[FindingDraft] = (), **context: str | list[str]
) -> InfoRequest:
    cited: JsonObject = {"claim_id": claim.id}
    if near:
        cited["source_url"] = near[0].details["source_url"]
    for name, value in context.items():
        cited[name] = list(value) if isinstance(value, list) else value
    return InfoRequest(asked_by=DESK, to=to, claim_id=claim.id, description=description, context=cited)


def _on_places(claim: Claim, company: str, against: Sequence[FindingDraft]) -> InfoRequest | None:
    for each in () if _is_unseen(claim) else against:
        if places := places_of(_words(each), company):
            named, number = listed(places[:3]), len(places[:3])
            return _ask(
                "geography",
                claim,
                f"{agreeing(number, 'Is', 'Are')} {named}, of which {_domain(each)} reports, "
                f"{agreeing(number, 'a place', 'places')} of the operations or projects that the claim is about, and "
                "does what is reported from there fit what can be seen of it?",
                [each],
                places=list(places[:3]),
            )
    found = claim_words(claim, company)
    if claim.type is ClaimType.GEOGRAPHIC and found.places:
        extent = f" ({found.figure})" if re.search(r"[^\W\d]", found.figure) else ""  # a bare number says nothing
        return _ask(
            "geography",
            claim,
            f"Does what the claim says of {listed(found.places)}{extent} show in maps or images of the place?",
            places=list(found.places),
        )
    return None


def _is_unseen(claim: Claim) -> bool:
    """Whether no map or image could show what it says: plans, law, and sums of money alone."""
    if claim.type in (ClaimType.STRATEGIC, ClaimType.LEGAL_GOVERNANCE):
        return True
    figures = figures_of(claim)
    return bool(figures) and all(each.dimension is Dimension.MONEY for each in figures)


def _on_rules(claim: Claim, against: Sequence[FindingDraft]) -> InfoRequest | None:
    if claim.type is not ClaimType.LEGAL_GOVERNANCE or not (claim.disclosures or against):
        return None
    paragraphs = [f"{each.standard} {each.paragraph}" for each in claim.disclosures]
    asked = f"What do {listed(paragraphs[:3])} ask for" if paragraphs else "Which disclosure duties apply"
    reported = f", given what {_domain(against[0])} reports" if against else ""
    return _ask(
        "legal",
        claim,
        f"{asked} in the matter of {quoted(shorten(claim.text, 160))}, and does the statement meet it{reported}?",
        against[:1],
        paragraphs=paragraphs,
    )


def _on_figures(claim: Claim, against: Sequence[FindingDraft]) -> InfoRequest | None:
    figures = figures_of(claim)
    measured = [each for each in figures if each.dimension.value != "share"]
    alike = [each for each in measured if sum(other.dimension is each.dimension for other in measured) > 1]
    shares = [each for each in figures if each.dimension.value == "share"]
    # The cells of a table's row are one measure over years: they need not fit together.
    if not alike or not (shares or len(alike) > 2) or "|" in claim.quote:
        return None
    cited = listed([each.text for each in (*alike, *shares)][:5])
    reported = f" {_domain(against[0])} reports otherwise." if against else ""
    return _ask(
        "data",
        claim,
        f"Do the figures of the claim fit together: {cited}?{reported}",
        against[:1],
        figures=[each.text for each in figures],
    )


def _on_methods(claim: Claim, met: Sequence[FindingDraft], against: Sequence[FindingDraft]) -> InfoRequest | None:
    standards = list(dict.fromkeys(each.standard.name for each in named_standards(claim.text)))
    technical = standards or _METHOD.search(claim.text) or any(GROUPS[each].search(claim.text) for each in _TECHNICAL)
    figures = figures_of(claim)
    of_money = bool(figures) and all(each.dimension is Dimension.MONEY for each in figures)
    if not technical or (of_money and not standards):  # what was paid or spent stands in no literature
        return None
    disputed = [each for each in met if each.stance is not Stance.SUPPORTS and _METHOD.search(_words(each))]
    if not against and not disputed:
        return None
    near = (disputed or list(against))[0]
    by = f" under {listed(standards[:2])}" if standards else ""
    what = "the method behind it" if disputed else "it"
    return _ask(
        "academic",
        claim,
        f"{_domain(near)} disputes {what}: does {quoted(shorten(claim.text, 160))} hold{by}, by the literature?",
        [near],
        standards=standards,
    )
