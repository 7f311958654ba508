"""Words by which a claim of a company's report can be checked or not; by hand, for English reports."""

from __future__ import annotations

import re

__all__ = [
    "ABSOLUTE",
    "BASELINE",
    "DEADLINE",
    "LAYOUT",
    "MATERIAL",
    "MODAL",
    "OF_THE_REPORT",
    "OF_THE_WORLD",
    "RECOMMENDING",
    "STANDARDS",
    "UNDER_WAY",
    "VAGUE",
]

_I = re.IGNORECASE

ABSOLUTE = re.compile(
    r"\b(?:all|every|each|always|never|none|nobody|no\s+one|at\s+no\s+time|only|first|largest|highest|exclusively|entirely|fully|100\s?%|zero|no\s+\w+|"
    r"without\s+exception|complete(?:ly)?)\b",
    _I,
)
BASELINE = re.compile(
    r"\b(?:base(?:line)?\s+(?:year|line)?|compared\s+(?:to|with)|vs\.?|versus|from\s+(?:a\s+)?(?:19|20)\d\d|"
    r"against\s+(?:a\s+)?(?:19|20)\d\d|(?:19|20)\d\d\s+(?:levels?|base\w*)|year[- ]on[- ]year|previous\s+year|"
    r"prior\s+year|up\s+from|down\s+from|"
    r"from\s+\d[\d.,]*)",
    _I,
)
DEADLINE = re.compile(r"\b(?:by|until|in|before|for)\s+(?:the\s+(?:end|beginning)\s+of\s+)?20[2-9]\d\b", _I)
RECOMMENDING = re.compile(
    r"\b(?:recommend\w*|proposals?\s+for|demands?:|calls?\s+(?:for|on)|topics\s+included|for\s+example:|definition|is\s+defined\s+"
    r"as|refers?\s+to)\b",
    _I,
)
"""What others should do, and what words mean."""
STANDARDS = re.compile(
    r"\b(?:GHG\s+Protocol|ISO\s?\d{4,5}|SBTi|Science[- ]Based\s+Targets?|TCFD|CDP|GRI\b|SASB|ISAE\s?\d*|RE100|EV100|"
    r"LEED|BREEAM|DGNB|"
    r"EMAS|FSC|MSC|RSPO|Gold\s+Standard|VCS|Verified\s+Carbon\s+Standard|I-?REC|Paris\s+(?:Climate\s+)?Agreement|EU\s+Taxonomy|"
    r"UN\s+Global\s+Compact|WLTP|energy\s+class|Transparency\s+Register|Lobby\s+Register|limited\s+assurance|EPRA|"
    r"Corporate\s+Governance\s+Code)\b",
    _I,
)
VAGUE = re.compile(
    r"\b(?:contribut\w+|important|key\b|essential|crucial|pivotal|striv\w+|endeavou?r\w*|play\w*\s+(?:a|an|its)\s+(?:\w+\s+)?"
    r"(?:role|part)|support\w*|promot\w+|foster\w*|advocat\w+|(?:our|its|shared|core|corporate|brand|lasting|long-term)\s+values\b|creat\w+\s+value|attach\w*\s+importance|take\w*\s+responsibility|holistic\w*|"
    r"ambitious|significant\w*|substantial\w*|as\s+(?:much|far)\s+as\s+possible|where\s+possible|if\s+necessary|aims?\s+to\s+"
    r"strike|trustworthy|reliable|transparent\w*|responsib\w+|fair|attractive|high-quality|constructive|open\s+dialogue|"
    r"at\s+the\s+heart|closely\s+linked|guiding\s+principles?|address\w*\s+the\s+consequences|part\s+of\s+(?:our|its)\s+identity|opportunit\w+|increasingly|engag\w+|perceived|measured\s+against)\b",
    _I,
)
"""What nobody can be held to."""
MODAL = re.compile(
    r"\b(?:could|(?-i:may)|might|would|should|must|can(?:not)?|need(?:s|ed)?\s+to|it\s+is\s+(?:key|too|safe|impossible))\b",
    _I,
)
OF_THE_REPORT = re.compile(
    r"\b(?:this|the\s+(?:first|following|subsequent|next|present))\s+(?:report|part|section|chapter|table|document|overview|list)\b|"
    r"\bin\s+this\s+context\b|further\s+information|(?:can\s+be\s+found|is\s+available|is\s+provided|is\s+presented|are\s+presented|"
    r"detailed\s+description|set\s+out)\b|Photo:|\bClimate\s+Engagement\s+Report\b|marked\s+in\s+bold|"
    r"reported\s+for\s+the\s+20\d\d|covered\s+in\s+(?:greater|less)\s+detail",
    _I,
)
"""The report speaks of itself."""
OF_THE_WORLD = re.compile(
    r"\b(?:human-induced|pandemic|coronavirus|COVID|on\s+record|around\s+the\s+world|more\s+and\s+more\s+people|society\s+at\s+large|"
    r"megatrends?|nowadays|policy-?makers|the\s+United\s+Nations|governments?\s+around|investors\s+are)\b",
    _I,
)
UNDER_WAY = re.compile(
    r"\b(?:is|are)\s+(?:currently|being)\b|\bin\s+progress\b|\bon\s+a\s+continuous\s+basis\b|\bcontinuous\w*\b", _I
)
MATERIAL = re.compile(
    r"\b(?:scopes?\s*[123]|emissions?|CO[2₂]e?|carbon|climate|GHG|greenhouse|net[- ]zero|renewab\w+|energy|"
    r"electri\w+|photovoltaic\w*|"
    r"solar|water|waste|recycl\w+|secondary\s+materials?|biodiversity|deforest\w+|forest\w*|pollut\w+|supply\s+chain|suppliers?|"
    r"accidents?|women|human\s+rights|refurbish\w+|taxonomy|green\s+bonds?)\b",
    _I,
)
"""Topics on which claims of sustainability are mostly doubted."""
LAYOUT = re.compile(r"\bPhoto:|\|| {2,}\w|(?:^|\s)[>»]\s|\.\.\.\.|·\s·")
