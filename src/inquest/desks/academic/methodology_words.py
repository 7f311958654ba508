"""How a statement of method says each thing that a standard asks for, and the ways of calculating that have a name."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["ASPECTS", "METHODS", "Aspect", "Method"]


class Aspect(NamedTuple):
    """Something a standard asks a statement for: its words, and what to call it."""

    words: re.Pattern[str]
    named: str


class Method(NamedTuple):
    """A way of calculating that the standards know by name."""

    name: str
    words: re.Pattern[str]
    standard_id: str
    note: str
    """What is known of it that a reader should weigh."""


def _re(words: str) -> re.Pattern[str]:
    return re.compile(words, re.I)


ASPECTS: dict[str, Aspect] = {
    "consolidation": Aspect(
        _re(
            r"\b(?:operational|financial)[\s-]control\b|\bequity[\s-]share\b|\bcontrol approach\b"
            r"|\bconsolidation approach\b"
        ),
        "the consolidation approach",
    ),
    "scopes_1_and_2": Aspect(
        _re(
            r"\bscopes?\s?1\s?(?:,|and|&|\+|/|to|-|–)\s?(?:scope\s?)?(?:2|3)\b|\bscope\s?1\b[\s\S]*\bscope\s?2\b"
            r"|\bscope\s?2\b[\s\S]*\bscope\s?1\b|\bdirect\b[\s\S]{0,60}\bindirect emissions\b"
        ),
        "Scope 1 and Scope 2, apart",
    ),
    "base_year": Aspect(
        _re(r"\bbase(?:line)?[\s-]?year\b|\b(?:19|20)\d\d\s+base(?:line)?\b|\bbaseline\s+of\s+(?:19|20)\d\d\b"),
        "the base year",
    ),
    "gases": Aspect(
        _re(
            r"\b(?:all\s+)?(?:six|seven|6|7)\s+(?:\w+\s+){0,2}(?:gases|GHGs)\b"
            r"|\bKyoto\s+(?:Protocol\s+)?gases\b|\bCH4\b[\s\S]{0,60}\bN2O\b"
            r"|\bCH₄\b[\s\S]{0,60}\bN₂O\b|\bmethane\b[\s\S]{0,60}\bnitrous\s+oxide\b"
            r"|\ball\s+(?:relevant\s+)?greenhouse\s+gases\b"
        ),
        "which gases are counted",
    ),
    "emission_factors": Aspect(
        _re(
            r"\bemissions?\s+factors?\b|\bconversion\s+factors?\b|\b(?:DEFRA|DESNZ|ecoinvent|GaBi|EXIOBASE"
            r"|USEEIO|eGRID|ADEME|GLEC)\b"
            r"|\bIEA\s+(?:\w+\s+)?factors?\b|\bactivity\s+data\b"
        ),
        "activity data and emission factors",
    ),
    "gross": Aspect(
        _re(
            r"\bgross\s+(?:\w+\s+){0,3}emissions?\b|\b(?:without|before|excluding|not\s+(?:deducting"
            r"|including|counting))\s+(?:\w+\s+){0,3}(?:offset|credit)"
        ),
        "that credits are not deducted",
    ),
    "exclusions": Aspect(
        _re(r"\bexclu(?:d\w*|sions?)\b|\bleft\s+out\b|\bomitted\b|\bnot\s+included\b"), "what is left out, and why"
    ),
    "verification": Aspect(
        _re(
            r"\b(?:third[\s-]party|independent\w*|external\w*)\s+(?:\w+\s+){0,3}(?:verif\w+|assur\w+"
            r"|audit\w*|review\w*)\b|\b(?:verified|assured|audited)\s+by\b|\b(?:limited"
            r"|reasonable)\s+assurance\b"
        ),
        "who verified it",
    ),
    "assurance_level": Aspect(
        _re(r"\b(?:limited|reasonable)\s+(?:level\s+of\s+)?assurance\b"), "the level of assurance"
    ),
    "scope_2_methods": Aspect(
        _re(
            r"\bmarket[\s-]based\b[\s\S]*\blocation[\s-]based\b"
            r"|\blocation[\s-]based\b[\s\S]*\bmarket[\s-]based\b|\bdual\s+reporting\b"
        ),
        "Scope 2 both market-based and location-based",
    ),
    "certificate_quality": Aspect(
        _re(r"\bquality\s+criteria\b|\b(?:retire|cancel|redeem)\w*\b"), "that certificates meet the quality criteria"
    ),
    "residual_mix": Aspect(_re(r"\bresidual\s+mix\b"), "the residual mix"),
    "scope_3_categories": Aspect(
        _re(
            r"\bcategor(?:y|ies)\s+\d|\b(?:all\s+)?(?:fifteen|15)\s+(?:\w+\s+){0,2}categories\b"
            r"|\bpurchased\s+goods\b|\bbusiness\s+travel\b|\bemployee\s+commuting\b"
            r"|\buse\s+of\s+sold\s+products\b|\bcapital\s+goods\b|\bupstream\s+(?:transport|leased)\w*\b"
            r"|\bend[\s-]of[\s-]life\s+treatment\b|\bfinanced\s+emissions\b"
        ),
        "the Scope 3 categories",
    ),
    "calculation_method": Aspect(
        _re(
            r"\b(?:spend|activity|average|distance|fuel|supplier|waste[\s-]type|asset|site)[\s-](?:based"
            r"|data|specific)\b|\bhybrid\s+(?:method|approach)\b"
            r"|\binput[\s-]output\b|\bprimary\s+data\b|\bmass\s+balance\b"
            r"|\bcontinuous(?:ly)?\s+(?:emissions?\s+)?(?:monitor|measur)\w*"
        ),
        "the method of calculation",
    ),
    "data_quality": Aspect(
        _re(
            r"\bprimary\s+data\b|\bsupplier[\s-]specific\b|\bdata\s+(?:quality"
            r"|from\s+(?:our\s+)?suppliers)\b"
        ),
        "the share and quality of suppliers' data",
    ),
    "categories_or_scopes": Aspect(
        _re(r"\bcategor(?:y|ies)\s+[1-6]\b|\bscopes?\s?[123]\b|\bindirect\s+emissions\b"), "the categories of emissions"
    ),
    "uncertainty": Aspect(_re(r"\buncertaint\w+\b|±|\+/-|\bconfidence\s+interval\b"), "the uncertainty"),
    "gwp": Aspect(
        _re(
            r"\bGWP\w*\b|\bglobal\s+warming\s+potentials?\b|\bAR[456]\b|\b(?:fourth|fifth"
            r"|sixth)\s+assessment\s+report\b"
        ),
        "the global warming potentials",
    ),
    "functional_unit": Aspect(_re(r"\b(?:functional|declared)\s+unit\b"), "the functional unit"),
    "system_boundary": Aspect(
        _re(
            r"\bcradle[\s-]to[\s-](?:gate|grave|cradle)\b|\bsystem\s+boundar\w+\b|\bgate[\s-]to[\s-]gate\b"
            r"|\bwell[\s-]to[\s-]wheel\b"
        ),
        "the system boundary",
    ),
    "critical_review": Aspect(_re(r"\bcritical(?:ly)?\s+review\w*\b|\bpeer[\s-]review\w*\b"), "the critical review"),
    "baseline_scenario": Aspect(
        _re(r"\bbaseline\s+scenario\b|\bcounterfactual\b|\bbusiness[\s-]as[\s-]usual\b"), "the baseline scenario"
    ),
    "additionality": Aspect(_re(r"\badditional(?:ity)?\b(?!\s+(?:information|details|costs?))"), "additionality"),
    "leakage": Aspect(_re(r"\bleakage\b|\bdisplaced\s+emissions\b"), "leakage"),
    "permanence": Aspect(_re(r"\bpermanen\w+\b|\breversal\w*\b|\bbuffer\s+pool\b"), "permanence"),
    "monitoring": Aspect(_re(r"\bmonitor\w*\b|\bMRV\b"), "monitoring"),
    "reduction_plan": Aspect(
        _re(
            r"\breduction\s+plan\b|\bcarbon\s+(?:footprint\s+)?management\s+plan\b"
            r"|\breduc\w+\s+(?:\w+\s+){0,6}(?:before|first|then|residual|remaining)\b"
        ),
        "a plan to reduce before offsets",
    ),
    "explanatory_statement": Aspect(
        _re(r"\bqualifying\s+explanatory\s+statement\b|\bQES\b"), "the qualifying explanatory statement"
    ),
    "ipcc_tier": Aspect(_re(r"\btier\s?[123]\b"), "the tier of the method"),
    "physical_intensity": Aspect(
        _re(r"\bintensit\w+\b|\bper\s+(?:tonne|ton|MWh|kWh|m2|m²|passenger|unit)\b"),
        "an intensity per unit of the sector's product",
    ),
    "sda_sector": Aspect(
        _re(
            r"\bpower\b|\bsteel\b|\bcement\b|\balumini?um\b|\bpaper\b|\btransport\w*\b|\bbuildings?\b|\breal\s+estate\b"
        ),
        "a sector that has a pathway",
    ),
}
"""By the name that rules of `data/standards` ask for (`asks`)."""

METHODS: tuple[Method, ...] = (
    Method(
        "spend-based method",
        _re(r"\bspend(?:ing)?[\s-]based\b|\beconomic\s+input[\s-]output\b|\bEEIO\b"),
        "ghg-protocol-scope-3",
        "It is recognised, and the least specific: prices and currencies move the result, emissions apart.",
    ),
    Method(
        "average-data method",
        _re(r"\baverage[\s-]data\b|\bindustry[\s-]average\s+(?:data|factors?)\b"),
        "ghg-protocol-scope-3",
        "It is recognised; averages hide what single suppliers do.",
    ),
    Method(
        "supplier-specific method",
        _re(r"\bsupplier[\s-]specific\b|\bprimary\s+(?:supplier\s+)?data\b"),
        "ghg-protocol-scope-3",
        "It is recognised as the most specific; it is as good as the suppliers' own figures.",
    ),
    Method(
        "hybrid method",
        _re(r"\bhybrid\s+(?:method|approach)\b"),
        "ghg-protocol-scope-3",
        "It is recognised: suppliers' figures, and others where they are missing.",
    ),
    Method(
        "distance-based method",
        _re(r"\bdistance[\s-]based\b"),
        "ghg-protocol-scope-3",
        "It is recognised for transport and travel.",
    ),
    Method(
        "fuel-based method",
        _re(r"\bfuel[\s-]based\b"),
        "ghg-protocol-scope-3",
        "It is recognised for transport and travel.",
    ),
    Method(
        "market-based method",
        _re(r"\bmarket[\s-]based\b"),
        "ghg-protocol-scope-2",
        "It is recognised beside the location-based figure; it follows contracts and not the grid.",
    ),
    Method(
        "location-based method",
        _re(r"\blocation[\s-]based\b"),
        "ghg-protocol-scope-2",
        "It is recognised beside the market-based figure; it follows the grid and not contracts.",
    ),
    Method(
        "Sectoral Decarbonization Approach",
        _re(r"\bsector\w*\s+decarboni[sz]ation\s+approach\b|\bSDA\b"),
        "sbti-sda",
        "It is recognised for sectors with a pathway of their own.",
    ),
    Method(
        "Absolute Contraction Approach",
        _re(r"\babsolute\s+contraction\b"),
        "sbti-near-term",
        "It is recognised across sectors; its rate was revised in April 2026.",
    ),
    Method(
        "life cycle assessment",
        _re(r"\blife[\s-]?cycle\s+(?:assessment|analysis)\b|\bLCAs?\b"),
        "iso-14044",
        "It is recognised; results hang on functional unit, boundary and allocation.",
    ),
)
