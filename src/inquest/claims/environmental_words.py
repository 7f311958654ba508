"""Words of environmental reporting, by hand, in groups: what a sentence is about, what is done about it, who speaks."""

from __future__ import annotations

import re

__all__ = ["GROUPS", "TOPICS"]

_LISTS: dict[str, str] = {
    "climate": (
        r"climate|carbon|co2|co₂|ghgs?|greenhouse|emissions?|emit\w*|decarboni\w+|net[- ]zero|"
        r"zero[- ]emission\w*|(?:ecological|environmental|co2|water) footprint|global warming|paris agreement|"
        r"1\.5|2 degrees"
    ),
    "low_carbon": (
        r"low[- ]carbon|lower[- ]carbon|low[- ]emission|zero[- ]carbon|carbon[- ](?:neutral\w*|free|negative)|"
        r"climate[- ](?:neutral\w*|positive|friendly)|net[- ]zero|zero[- ]emission\w*|emission[- ]free|"
        r"carbon footprint"
    ),
    "renewable": (
        r"renewables?|solar|photovoltaic\w*|pv|wind|hydro(?:electric|power)?|hydroelectricity|geothermal|"
        r"biomass|bio-?gas|bio-?methane|bio-?fuels?|biodiesel|ethanol|hydrogen|"
        r"clean(?:er)? (?:energy|power|electricity|fuels?|technolog\w+)|"
        r"green(?:er)? (?:energy|power|electricity|hydrogen|technolog\w+)"
    ),
    "efficiency": (
        r"energy[- ]?(?:and resource )?efficien\w+|energy[- ]sav\w+|fuel[- ]efficien\w+|"
        r"resource[- ]efficien\w+|efficien\w+ (?:use|technolog\w+)|fuel (?:consumption|economy)|"
        r"(?:energy|electricity|power) (?:consumption|use|intensity|conservation|savings?)|"
        r"(?:fuel|energy|electricity) consumed|lightweight\w*|led lighting|heat pumps?|"
        r"insulat\w+|smart grid"
    ),
    "circular": (
        r"recycl\w+|re-?us\w+|circular\w*|wastes?|packaging|plastics?|compost\w*|biodegrad\w+|refurbish\w+|"
        r"landfills?|fly ash|re-?manufactur\w+|scrap|by-?products?|end[- ]of[- ]life|raw materials?|bio-?based|"
        r"plant-based|single-use"
    ),
    "nature": (
        r"biodivers\w+|forest\w*|deforest\w+|reforest\w+|ecosystems?|habitats?|species|wildlife|oceans?|"
        r"marine|soils?|organic\w*|nature|natural resources?|natural capital|conserv\w+|trees?|palm oil|"
        r"wetlands?|rivers?|ecolog\w+|eco\b|planet|animals?|coral|fish\w*|agricultur\w+|crops?|pesticides?|"
        r"fertili[sz]ers?"
    ),
    "water": (r"water|wastewater|irrigation|drought"),
    "pollution": (
        r"pollut\w+|contamina\w+|toxic\w*|hazardous|chemicals?|air quality|nox|particulates?|spills?|noise|"
        r"effluents?|sulphur|sulfur|vocs?|solvents?|remediation|clean-?up"
    ),
    "environment": (r"environment(?:al|ally)?|environments?"),
    "environment_phrase": (
        r""
        r"environmental(?:ly)?[- ](?:friendly|sound|responsible|sustainable|compatible|impacts?|footprint|"
        r"performance|protection|stewardship|management|benefits?|conscious|sensitive|goals?|targets?)|"
        r"eco-?\w+|impact on the environment|protect\w* (?:of )?the environment|environmental"
    ),
    "sustainable": (r"sustainab\w+|unsustainab\w+"),
    "green": (r"green|greener|cleaner|clean"),
    "responsible": (r"esg|csr|responsib\w+|stewardship|ethical\w*|social"),
    "electric_transport": (
        r"electric (?:vehicles?|cars?|bus\w*|mobility|driv\w+|truck\w*)|evs?|e-?mobility|hybrids?|plug-in|"
        r"charging|batter(?:y|ies)|electrif\w+|public transport|rail|bicycl\w+|fuel cells?|start-stop|euro 6|"
        r"powertrains?"
    ),
    "certificate": (
        r"leed|breeam|iso ?14001|14001|fsc|energy star|science[- ]based|sbti?|cdp|re100|tcfd|taxonomy|gri|"
        r"emas|ecovadis|blue angel|ecolabel|certif\w+|msc|rspo|rainforest alliance|dow jones sustainability|"
        r"djsi|award\w*"
    ),
    "green_finance": (
        r"green bonds?|green (?:finance|loans?|financing|buildings?|products?|deal)|sustainability-linked|"
        r"sustainable (?:finance|invest\w+|development|funds?|products?|buildings?|agriculture|"
        r"sourcing|solutions?|growth|mobility|energy|future|materials?|bonds?)|"
        r"impact invest\w+|responsible invest\w+|esg (?:funds?|integration|criteria|factors)"
    ),
    "reduce": (
        r"reduc\w+|cut|cuts|cutting|lower\w*|minimi[sz]\w+|eliminat\w+|avoid\w*|decreas\w+|"
        r"sav(?:e|es|ed|ing|ings)|limit\w*|prevent\w*|phas\w+ out|less|fewer|mitigat\w+|offset\w*|curb\w*|"
        r"abat\w+|displac\w+|replac\w+"
    ),
    "improve": (
        r"improv\w+|increas\w+|enhanc\w+|protect\w*|preserv\w+|restor\w+|promot\w+|support\w*|contribut\w+|"
        r"help\w*|enabl\w+|encourag\w+|optimi[sz]\w+|transition\w*|transform\w*|develop\w*|provid\w+|driv\w+|"
        r"accelerat\w+|address\w*|tackl\w+|combat\w*|fight\w*"
    ),
    "commit": (
        r"commit\w*|target\w*|goals?|aim\w*|pledg\w+|ambition\w*|strateg\w+|initiative\w*|programm?e?s?|"
        r"project\w*|polic(?:y|ies)|plan\w*|by 20[2345]\d|long-term|objective\w*|roadmap|vision|mission|"
        r"continu\w+|strive\w*|efforts?|focus\w*"
    ),
    "deed": (
        r"achiev\w+|launch\w*|introduc\w+|invest\w*|install\w*|built|implement\w+|awarded|certified|equipped|"
        r"generat\w+|us(?:e|es|ed|ing)|produc\w+|designed|offer\w*|complet\w+|recogni[sz]ed"
    ),
    "company": (r"we|our|us|ours|we've|we're|we'll|group|company|company's|group's"),
    "conversation": (r"i|i'm|i've|i'd|i'll|you|your|you're|you've|they|they're|that's|it's|there's|don't|didn't|let's"),
    "talk": (
        r"think|guess|know|obviously|basically|actually|really|sort of|kind of|of course|okay|yes|yeah|lot|"
        r"question|talk\w*|say|said|see|look\w*|mentioned|thank\w*|well|things?|going to|got|mean|pretty|bit|"
        r"probably"
    ),
    "finance": (
        r"margins?|revenues?|ebitda|earnings|costs?|pric\w+|dividends?|quarter\w*|q[1-4]|cash|tax\w*|debt|"
        r"sales|capex|profit\w*|shares?|shareholders?|million|billion|\$\d\S*|eur|usd|fiscal|growth|capital|"
        r"acqui\w+|market\w*|volum\w+|inventor\w+|guidance|assets?|equity|interest|loans?|credit|"
        r"impairment\w*|balance sheet"
    ),
    "risk": (
        r"risks?|may|could|might|would|adverse\w*|liabilit\w+|litigation|lawsuit|subject to|uncertain\w*|"
        r"losses|damages?|physical|impacts?|affect\w*|expos\w+|extreme|weather|events?|hurricane\w*|flood\w*"
    ),
    "regulation": (
        r"regulat\w+|laws?|legislation|acts?|complian\w+|comply|require\w*|permits?|standards?|directives?|"
        r"government\w*|epa|ferc|commission\w*|authorit\w+|states?|federal|ministry|eu|european|congress|"
        r"scheme|allowances?"
    ),
    "fossil": (r"coal|gas|oil|petroleum|lng|pipelines?|diesel|crude|drilling|wells?|refiner\w+|nuclear|mining|mines?"),
    "power": (
        r"energy|electric\w*|power|grid|megawatts?|mw|gw|mwh|gwh|kwh|utilit\w+|capacity|plants?|units?|"
        r"heat\w*|cooling|turbines?|generation"
    ),
    "social": (
        r"employees?|safety|health|diversity|women|community|communities|human rights|customers?|people|"
        r"workplace|supply chain|suppliers?|education|training|patients?|data|privacy|cyber\w*|governance|"
        r"board|directors?|audit\w*|committee|shareholder"
    ),
    "product": (
        r"products?|services?|technolog\w+|solutions?|brands?|innovat\w+|materials?|fabrics?|cotton|paper|"
        r"wood|steel|cement|aluminium|aluminum|glass|buildings?|vehicles?|cars?|aircrafts?|engines?|food\w*|"
        r"design\w*"
    ),
    "negation": (r"not|no|never|without|n't|nor|cannot|can't"),
    "other_environment": (
        r"(?:business|competitive|social|economic|work(?:ing)?|regulatory|market|operating|macroeconomic|"
        r"pricing|political|"
        r"learning|safe|retail|rate|interest rate|trading|challenging|current|control) environments?|"
        r"environmental changes"
    ),
    "other_sustainable": (
        r"sustainabl[ey] (?:growth|cost|costs|profit\w*|dividends?|earnings|value|competitive|returns?|"
        r"margins?|cash|level|"
        r"manner|improvement|success|business model|financial)|sustained|self-sustain\w*|long-term sustainable"
    ),
    "definition": (
        r"defined as|definitions?|define[sd]?|refers? to|means that|is calculated|scope [123]|restated|"
        r"tonnes of CO2"
    ),
    "reference": (
        r"see (?:also )?(?:section|page|sections|pages|note|chapter)|for more information|appendix|annual report|"
        r"integrated report|table of contents|please specify|www\.\S+|p(?:age|\.) ?\d+|continued"
    ),
    "leaving_fossil": (
        r"(?:phas\w+ out|closure|clos\w+|retir\w+|replac\w+|ban\w*|divest\w*|exit\w*|move away|moving away|"
        r"alternatives?|"
        r"less|without|reduc\w+)(?: \w+){0,5} (?:coal|oil|gas|diesel|petrol|fossil|combustion|flaring)"
    ),
    "others": r"governments?|policymakers|society|world|countries|nations?|stakeholders|investors|regulators",
}

GROUPS = {name: re.compile(rf"(?<![\w-])(?:{words})(?!\w)", re.IGNORECASE) for name, words in _LISTS.items()}
"""A pattern for each group."""

TOPICS = frozenset(
    (
        "climate low_carbon renewable efficiency circular nature water pollution environment environment_phrase "
        "sustainable green responsible electric_transport certificate green_finance fossil power"
    ).split()
)
"""The groups that say what a sentence is about; the others say who does what."""
