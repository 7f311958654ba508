"""What of a claim goes into a scholarly query: technologies and practices, the sector, the metric, official sites."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from inquest.domain.source import Category
from inquest.sources.ratings_table import built_in_ratings
from inquest.sources.standards_book import Standard, standards_book
from inquest.text.sentences import STOP_WORDS, Span, fold, sentences
from inquest.text.urls import registrable_domain

__all__ = ["company_sector", "metric_in", "official_domains", "sector_of", "sentence_with", "technologies_in"]

_TECHNOLOGIES = (
    ("direct air capture", r"direct\s+air\s+capture|DACCS?"),
    ("carbon capture and storage", r"carbon\s+capture(?:\s+(?:and|&)\s+(?:storage|utili[sz]ation))?|\bCCU?S\b"),
    ("bioenergy with carbon capture", r"\bBECCS\b"),
    ("heat pumps", r"heat\s+pumps?"),
    ("electric arc furnace", r"electric\s+arc\s+furnaces?|\bEAFs?\b"),
    ("hydrogen direct reduction", r"hydrogen[\s-](?:based\s+)?direct\s+reduc\w+|\bH2-DRI\b"),
    ("green hydrogen", r"(?:green|renewable)\s+hydrogen|electroly[sz]ers?"),
    ("biochar", r"biochar"),
    ("enhanced weathering", r"enhanced\s+(?:rock\s+)?weathering"),
    ("anaerobic digestion", r"anaerobic\s+digest\w+|biogas\s+(?:plants?|digesters?)"),
    ("LED lighting", r"\bLEDs?\b(?:\s+light\w*)?"),
    ("waste heat recovery", r"waste[\s-]heat(?:\s+recovery)?|heat\s+recovery"),
    ("solar photovoltaics", r"(?:rooftop\s+)?solar(?:\s+(?:panels?|PV|photovoltaics?|arrays?))|photovoltaics?"),
    ("wind power", r"wind\s+(?:turbines?|farms?|power)"),
    ("battery storage", r"battery\s+storage|storage\s+batter(?:y|ies)"),
    ("electric vehicles", r"(?:battery[\s-])?electric\s+(?:vehicles?|cars?|trucks?|vans?|buses|fleet)"),
    ("sustainable aviation fuel", r"sustainable\s+aviation\s+fuels?|\bSAF\b"),
    ("hydrotreated vegetable oil", r"hydrotreated\s+vegetable\s+oil|\bHVO\b|renewable\s+diesel"),
    ("clinker substitution", r"clinker[\s-](?:substitut\w+|replac\w+|factor)|fly\s+ash|calcined\s+clay"),
    ("regenerative agriculture", r"regenerative\s+(?:agriculture|farming|practices)|cover\s+crops?|no[\s-]till"),
    ("precision farming", r"precision\s+(?:farming|agriculture|irrigation)|drip\s+irrigation"),
    ("methane-reducing feed additives", r"feed\s+additives?|3-?NOP|seaweed\s+(?:feed|supplement)\w*"),
    ("methane leak detection", r"leak\s+detection(?:\s+and\s+repair)?|\bLDAR\b"),
    ("circular economy", r"circular\s+(?:economy|practices?|models?|design|business|approach\w*)"),
    ("recycled content", r"recycled\s+(?:content|materials?|plastics?|alumini?um|steel|fib(?:re|er)s?|polyester)"),
    ("lightweighting", r"light[\s-]?weight(?:ing|\s+(?:packaging|design|materials?))"),
    ("reusable packaging", r"re-?(?:usable|fillable)\s+(?:packaging|containers?|crates?|bottles?)"),
    ("building insulation", r"insulation|(?:deep|energy)\s+retrofit\w*"),
    ("modal shift to rail", r"modal\s+shift|(?:shift\w*|mov\w+)[^.;]{0,30}\bto\s+rail"),
    ("mass timber", r"(?:mass|cross[\s-]laminated)\s+timber"),
    ("composting", r"compost(?:ing)?"),
    ("reverse osmosis", r"reverse\s+osmosis|membrane\s+bioreactors?"),
    ("industrial electrification", r"electrif(?:ication|ied|ying)"),
    ("smart metering", r"smart\s+(?:meters?|metering|thermostats?)"),
    ("oxy-fuel combustion", r"oxy[\s-]?fuel"),
    ("tree planting", r"tree[\s-]planting|reforestation|afforestation"),
    ("biofuels", r"bio-?(?:fuels?|diesel|ethanol|methane)"),
    ("cogeneration", r"co-?generation|combined\s+heat\s+and\s+power|\bCHP\b"),
)  # fmt: skip
_KNOWN = tuple((name, re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.I)) for name, words in _TECHNOLOGIES)
_OWN_NAME = re.compile(
    r"(?:\b(?:our|its|their|the|a|an|this|new|novel|proprietary|patented|innovative|in-house|advanced)\s+|['’]s?\s+){1,3}"
    r"(?P<what>(?:[a-z][\w-]*\s+){1,4}?(?:technolog(?:y|ies)|process(?:es)?|systems?|techniques?|practices?|membranes?|catalysts?|"
    r"coatings?|reactors?|furnaces?|kilns?|burners?|solvents?|software|program(?:me)?s?))\b",
    re.I,
)
_BY_DOING = re.compile(
    r"\b(?:by|through|thanks\s+to|adopting|introducing)\s+(?:adopting|switching\s+to|installing|introducing|using|replacing|"
    r"converting\s+to|deploying|implementing|rolling\s+out)\s+(?P<what>(?:[a-z][\w-]*\s*){1,4})",
    re.I,
)
_EMPTY = frozenset(
    "new novel proprietary patented innovative advanced modern our its their own whole entire special unique".split()
)
_NO_TECHNOLOGY = re.compile(
    r"\b(?:management|governance|reporting|due\s+diligence|approval|planning|value\s+chain|hiring|decision|review|audit|"
    r"control|certification|monitoring|accounting|calculation|business|supply|selection|compliance|training)\b",
    re.I,
)

_SECTORS = (
    ("steel", r"steel\w*|iron\s+and\s+steel"),
    ("cement", r"cement|clinker|concrete\s+(?:industry|makers?|producers?|products)"),
    ("aluminium", r"alumini?um|smelt\w+"),
    ("glass", r"glass(?:making)?"),
    ("paper", r"pulp(?:\s+(?:and|&)\s+paper)?|paper(?:\s?mak\w+|\s+(?:mills?|industry|sector|products))"),
    ("chemicals", r"chemicals?|petrochemicals?|fertili[sz]ers?"),
    ("pharmaceuticals", r"pharma\w*"),
    ("power generation", r"power\s+(?:generation|sector|producers?)|electric(?:ity)?\s+utilit\w+|utilit(?:y|ies)"),
    ("oil and gas", r"oil\s+(?:and|&)\s+gas|petroleum|refiner(?:y|ies|ing)|upstream\s+producers?"),
    ("mining", r"mining|mines?|miners?"),
    ("airlines", r"airlines?|aviation|air\s+carriers?"),
    ("shipping", r"shipping\s+(?:industry|compan\w+|lines?|sector)|maritime|container\s+lines?"),
    ("logistics", r"logistics|freight|trucking|haulage|parcel\s+\w+"),
    ("automotive", r"automotive|car\s?makers?|automobile\w*|vehicle\s+manufactur\w+"),
    ("food and beverages", r"foods?|dair(?:y|ies)|beverages?|brew(?:ing|er\w*)|bottling|confectionery"),
    ("agriculture", r"agricultur\w+|farming|growers?"),
    ("retail", r"retail\w*|supermarkets?|grocers?"),
    ("textiles", r"textiles?|apparel|garments?|fashion\s+(?:industry|brands?|compan\w+)|footwear"),
    ("real estate", r"real\s+estate|property\s+compan\w+|office\s+buildings?|REITs?|landlords?"),
    ("construction", r"construction\s+(?:industry|sector|compan\w+)|builders"),
    ("banking", r"bank(?:s|ing)?|financial\s+services|insurers?|insurance"),
    ("telecommunications", r"telecom\w*"),
    ("data centres", r"data\s+cent(?:re|er)s?|software|cloud\s+(?:services?|computing)|IT\s+services"),
    ("semiconductors", r"semiconductors?|chip\s?makers?|wafer\w*"),
    ("hotels", r"hotels?|hospitality"),
    ("water utilities", r"water\s+utilit\w+|wastewater"),
    ("tyres", r"tyres?|tires?"),
)
_SECTOR_WORDS = tuple((name, re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.I)) for name, words in _SECTORS)
_BARE = tuple(
    (name, re.compile(words, re.I))
    for name, words in (
        ("cement", "concrete"), ("paper", "paper"), ("shipping", "shipping"), ("textiles", "fashion"),
        ("construction", "construction"),
    )
)  # fmt: skip
"""Words that name an industry where they stand alone, and are anything else in a sentence ('this paper')."""
_GASES = r"(?:emissions?|CO[2₂]e?|GHG|carbon|footprint)"
_METRICS = (
    ("emission intensity", r"\b(?:emissions?|carbon|CO[2₂]e?|GHG)\s+intensit\w+|CO[2₂]e?\s*(?:/|per)\s"),
    (
        "emission reduction",
        rf"\b(?:reduc|cut|lower|decreas)\w*\b[^.;]{{0,60}}\b{_GASES}\b|\b{_GASES}\b[^.;]{{0,60}}\b(?:reduc|fell|lower|decreas)\w*",
    ),
    ("energy intensity", r"\benergy\s+intensit\w+|\b[MkGT]Wh?\s*(?:/|per)\s|\bGJ\s*(?:/|per)\s"),
    ("water intensity", r"\bwater\s+(?:intensit\w+|consumption|use|withdrawal)|\bm[3³]\s*(?:/|per)\s"),
    ("waste recycling rate", r"\brecycl\w+|\bwaste\b"),
    ("energy consumption", r"\b(?:energy|electricity|fuel)\s+(?:consumption|use)\b"),
)
_BODIES = frozenset(
    (Category.STANDARDS, Category.REGULATOR, Category.GOVERNMENT, Category.INTERGOVERNMENTAL, Category.STATISTICS)
)


def technologies_in(text: str) -> tuple[str, ...]:
    """The technologies and practices that a text names, by their usual names, in order; else in its own words."""
    found = {match.start(): name for name, words in _KNOWN if (match := words.search(text))}
    if found:
        return tuple(dict.fromkeys(found[place] for place in sorted(found)))
    for pattern in (_OWN_NAME, _BY_DOING):
        for match in pattern.finditer(text):
            kept = [word for word in match["what"].split() if fold(word) not in _EMPTY | STOP_WORDS]
            if len(kept) > 1 and not _NO_TECHNOLOGY.search(match["what"]):
                return (" ".join(kept).lower(),)
    return ()


def sector_of(text: str) -> str:
    """The one sector that a text names, by our name for it; '' where it names none or several."""
    found = {name for name, words in _SECTOR_WORDS if words.search(text)}
    return found.pop() if len(found) == 1 else ""


def company_sector(industry: str, claim: str) -> str:
    """The sector of a company, by the name of its industry, else by its claim."""
    bare = next((name for name, words in _BARE if words.fullmatch(industry.strip())), "")
    return bare or sector_of(industry) or sector_of(claim)


def metric_in(text: str) -> str:
    """What a claim's figure is of, as a query says it; '' where that cannot be told."""
    return next((name for name, words in _METRICS if re.search(words, text, re.I)), "")


@lru_cache(maxsize=128)
def official_domains(standard_id: str) -> tuple[str, ...]:
    """Where a standard's publisher, or the body that runs it, speaks itself; of a family, where its members' do.

    From the book's public sources. Where the table of publishers knows some of them as public or standards bodies,
    only those count: a copy that somebody else hosts is not the publisher's site.
    """
    book = standards_book()
    own = _sites(book[standard_id])
    if not own:
        own = [site for each in book if each.family == standard_id for site in _sites(each)]
    rows = built_in_ratings().rows
    known = [site for site in own if site in rows and rows[site].category in _BODIES]
    return tuple(site for site, _ in Counter(known or own).most_common(2))


def _sites(standard: Standard) -> list[str]:
    published = [*(each.source for each in standard.editions), *(each.source for each in standard.rules)]
    own = [each for each in published if each.publisher == standard.publisher] or published
    return [registrable_domain(each.url) for each in own]


def sentence_with(text: str, words: re.Pattern[str]) -> Span | None:
    """The first sentence in which the words stand; None where none has them."""
    return next((span for span in sentences(text) if words.search(text, span.start, span.end)), None)
