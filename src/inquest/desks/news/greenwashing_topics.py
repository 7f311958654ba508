"""What a company's claim is about, and what its wording alone gives a reader to doubt; for English reports."""

from __future__ import annotations

import re

from inquest.claims.claim_words import PLANS
from inquest.claims.report.company import name_masked
from inquest.claims.report.words import BASELINE
from inquest.desks.academic.science_targets_reading import targets_in
from inquest.domain.claim import Claim, ClaimType
from inquest.text.lexicon import pattern
from inquest.text.regex import regex

_I = re.IGNORECASE
TARGETS = "Climate targets"
EMISSIONS = "Emissions figures"
RENEWABLE = "Renewable energy and certificates"
OFFSETS = "Offsets and neutrality"
PRODUCTS = "Products and technology"
NATURE = "Nature, water and waste"
SOCIAL = "Supply chain and social matters"
GOVERNANCE = "Governance and law"
OTHER = "Other matters"
TOPICS = (TARGETS, EMISSIONS, RENEWABLE, OFFSETS, PRODUCTS, NATURE, SOCIAL, GOVERNANCE, OTHER)
"""In the order in which they are shown."""

_OFFSET = pattern(__name__, "offset")
_BY_CREDITS = pattern(__name__, "by_credits")
_WITHOUT_CREDITS = pattern(__name__, "without_credits")
_NEUTRAL = regex(r"\b(?:carbon|climate|CO[2₂])[- ]neutral\w*", _I)
_CLIMATE = pattern(__name__, "climate")
_FIRM_TARGET = regex(r"\bnet[- ]zero\b|\bscience[- ]based\b|\bSBTi\b|\b1\.5\s?°|\btargets?\b", _I)
_RENEWABLE = pattern(__name__, "renewable")
_EMITTED = pattern(__name__, "emitted")
_NATURE = pattern(__name__, "nature")
_SOCIAL = pattern(__name__, "social")
_GOVERNED = pattern(__name__, "governed")
_PRODUCT = pattern(__name__, "product")
_BY_DISCLOSURE = (
    (regex(r"^36\(e\)"), OFFSETS),
    (regex(r"^3[3-6]\b|^3[3-6]\("), TARGETS),
    (regex(r"^29\(a\)\(v\)"), RENEWABLE),
    (regex(r"^29\(a\)"), EMISSIONS),
    (regex(r"^6\(|^29\(g\)"), GOVERNANCE),
)
_VAGUE = pattern(__name__, "vague")
_NAMED_GREEN = pattern(__name__, "named_green")
"""Words of the trade that contain such a word and are none."""
_DENIED = regex(r"\b(?:does|do|did)\s+not\b|\bno\s+(?:\w+\s+)?target\b", _I)
_INTERIM = regex(r"\b(?:interim|intermediate|milestones?|by\s+20[2-3]\d\b[^.]*\bby\s+20[3-5]\d)\b", _I)
_FAR_AHEAD = regex(r"\b20(?:3[6-9]|[4-9]\d)\b")


def topic_of(claim: Claim) -> str:
    """The one topic that the claim is counted under: by its words, else by the disclosure paragraphs they point to,
    else by its type."""
    text = name_masked(claim.text, claim.company)
    aimed = bool(PLANS.search(text)) or claim.type is ClaimType.STRATEGIC
    rules = (
        (OFFSETS, bool(_OFFSET.search(text))),
        # What law asks of emissions is no figure of the company's.
        (GOVERNANCE, claim.type is ClaimType.LEGAL_GOVERNANCE and not _SOCIAL.search(text)),
        (TARGETS, aimed and bool(_CLIMATE.search(text)) and bool(_FIRM_TARGET.search(text) or _EMITTED.search(text))),
        (RENEWABLE, bool(_RENEWABLE.search(text))),
        (EMISSIONS, bool(_EMITTED.search(text))),
        (NATURE, bool(_NATURE.search(text))),
        (SOCIAL, bool(_SOCIAL.search(text))),
        (GOVERNANCE, bool(_GOVERNED.search(text))),
    )
    found = next((topic for topic, applies in rules if applies), "")
    if found:
        return found
    for disclosure in claim.disclosures:
        for paragraph, topic in _BY_DISCLOSURE:
            if disclosure.standard.endswith("S2") and paragraph.match(disclosure.paragraph):
                return topic
    if claim.type is ClaimType.LEGAL_GOVERNANCE:
        return GOVERNANCE
    if _PRODUCT.search(text):
        return PRODUCTS
    return TARGETS if aimed and _CLIMATE.search(text) else OTHER


def vague_words(claim: Claim) -> tuple[str, ...]:
    """General claims of merit, as written, in a claim that gives no figure to hold them to."""
    if claim.quantities:
        return ()
    named = [match.span() for match in _NAMED_GREEN.finditer(claim.text)]
    return tuple(
        dict.fromkeys(
            match.group().lower()
            for match in _VAGUE.finditer(claim.text)
            if not any(start <= match.start() < end for start, end in named)
        )
    )


def lacks_of_target(claim: Claim) -> tuple[str, ...]:
    """What an emissions target of the company's does not say although a reader needs it: its base year; an interim
    target, where its year is 2036 or later."""
    if claim.type is ClaimType.LEGAL_GOVERNANCE or _DENIED.search(claim.text):
        return ()
    lacks: list[str] = []
    for target in targets_in(claim.text):
        year = target.target_year or target.net_zero_year or target.neutral_year
        if target.reduction is not None and target.base_year is None and not BASELINE.search(claim.text):
            lacks.append("no base year")
        if year is not None and _FAR_AHEAD.search(str(year)) and not _INTERIM.search(claim.text):
            lacks.append("no interim target")
    return tuple(dict.fromkeys(lacks))


def leans_on_offsets(claim: Claim) -> bool:
    """Whether what is claimed rests on credits, or is a neutrality that says nothing of how it is reached."""
    if _BY_CREDITS.search(claim.text):
        return not _WITHOUT_CREDITS.search(claim.text)
    return bool(_NEUTRAL.search(claim.text)) and not _EMITTED.search(claim.text)
