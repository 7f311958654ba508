"""Words that make a sentence worth checking, or not: by hand, for English news, reports and company pages."""

from __future__ import annotations

import re

__all__ = [
    "ACTIONS",
    "BOILERPLATE",
    "COMPARING",
    "FIRST_PERSON",
    "IMPERATIVE",
    "INSTRUCTING",
    "INTENDING",
    "LEGAL",
    "NOT_ASSERTED",
    "OPINION",
    "PLANS",
    "SITES",
]

_FLAGS = re.IGNORECASE

ACTIONS = re.compile(
    r"\b(?:fined|paid|pays|cost|costs|found|finds|measured|detected|discharged|released|spilled|spilt|leaked|exceeded|exceeds|"
    r"breached|violated|closed|reopened|shut|opened|began|started|ended|stopped|suspended|resumed|rose|fell|increased|"
    r"decreased|grew|dropped|doubled|halved|cut|cuts|reduced|reduces|raised|knew|told|informed|warned|reported|notified|hid|"
    r"concealed|withheld|denied|denies|admitted|admits|confirmed|ordered|ruled|convicted|acquitted|charged|sued|settled|signed|"
    r"agreed|approved|rejected|banned|built|completed|commissioned|installed|launched|bought|sold|acquired|invested|spent|"
    r"received|won|lost|died|killed|injured|affected|fell\s+ill|hired|dismissed|laid\s+off|resigned|appointed|elected|visited|"
    r"inspected|sampled|tested|tests|shows?|showed|shown|contains?|contained|emits?|emitted|produces?|produced|supplied|supplies|"
    r"employs?|employed|owns?|owned|founded|published|corrected|withdrew|withdrawn|caused|causes|led\s+to|prevented|took|taken|"
    r"came|arrived|passed|accepted|handed\s+over|sent|drew|collected|sentenced|imposed|achieved|achieves|reached|reaches|surpassed|outperformed|missed|saved|saves|avoided|generated|offset|filed|presented|overturned)\b",
    _FLAGS,
)
COMPARING = re.compile(
    r"\b(?:more|less|fewer|higher|lower|larger|smaller|above|below|over|under|times|twice|double|half|exceed\w*|at\s+least|"
    r"at\s+most|up\s+to|first|last|only|largest|smallest|highest|lowest)\b",
    _FLAGS,
)
OPINION = re.compile(
    r"\b(?:should|ought|must|hopefully|unfortunately|fortunately|sadly|clearly|obviously|surely|arguably|beautiful|ugly|"
    r"terrible|wonderful|amazing|great|awful|disgrace\w*|scandal\w*|shame\w*|proud\w*|believe\w*|feels?|felt|think|thinks|"
    r"seems?|hope\w*|deserve\w*|famous|excellent|best|worst|simply|truly|delicious|world-class|leading|committed\s+to|"
    r"passionate|unique|perfect|important|crucial|vital|essential)\b",
    _FLAGS,
)
FIRST_PERSON = re.compile(r"\bI\b(?!\.)|\b(?:[Mm]y|[Mm]e|[Mm]yself)\b")
IMPERATIVE = re.compile(
    r"^(?:please|click|read|see|sign|subscribe|share|follow|join|contact|write\s+to|call|visit|find\s+out|learn|download|watch|"
    r"listen|register|log\s+in|accept|choose|select|enter|send|email|buy|order|try|ask\s+yourself|look|let\s+us|note|remember|"
    r"imagine|add|heat|mix|stir|serve|preheat)\b",
    _FLAGS,
)
BOILERPLATE = re.compile(
    r"cookies?\b|privacy\s+polic|terms\s+of\s+(?:use|service)|all\s+rights\s+reserved|©|\(c\)\s*\d{4}|subscribe|newsletter|"
    r"sign\s+(?:up|in)\b|log\s*in\b|read\s+more|click\s+here|advertisement|share\s+(?:this|on)\b|follow\s+us|javascript|"
    r"your\s+browser|skip\s+to|photo(?:graph)?\s*:|image\s*:|credit\s*:|getty|do\s+you\s+know\s+more\?|editing\s+by|"
    r"reporting\s+by|write\s+to\s+\w+\s+\w+\s+in\s+confidence|about\s+the\s+author|related\s+(?:articles|stories)|"
    r"media\s+contact|press\s+contact|for\s+further\s+information|forward-looking\s+statements|\d+\s+more\s+headlines|\bdoi\b|www\.|https?://|\bRRP\b|\+\d{2}\s\(|^published\s*:|views\s+are\s+(?:her|his|their)\s+own|"
    r"not\s+legal\s+advice|e-?mail\s*:|tel\s*:|phone\s*:|\bISSN\b|page\s+\d+\s*(?:of\s+\d+)?$|registration\s+is\s+requested|"
    r"with\s+the\s+code\b|%\s+off\b|published\s+in\s+extract|all\s+figures\s+in\b",
    _FLAGS,
)
INSTRUCTING = re.compile(
    r"language\s+models?\b|(?:disregard|ignore|forget)\s+(?:all\s+|any\s+|the\s+|your\s+)*(?:\w+\s+)?(?:instructions?|prompts?|rules)|"
    r"automated\s+readers?|system\s+prompt|\bAI\s+(?:assistants?|agents?|models?|systems?)\b|if\s+you\s+are\s+an?\s+(?:\w+\s+)?"
    r"(?:model|assistant|bot|agent|crawler)|treat\s+this\s+page\s+as",
    _FLAGS,
)
"""A page that speaks to the machine that reads it (X8)."""
LEGAL = re.compile(
    r"\b(?:court|judge|tribunal|prosecut\w*|charged|convict\w*|acquitt\w*|lawsuit|sued|appeal\w*|fine[sd]?|penalt(?:y|ies)|"
    r"licen[cs]e\w*|regulation\w*|complian\w*|complied|breach\w*|violat\w*|unlawful\w*|illegal\w*|consent\s+order|settlement|"
    r"board|director\w*|supervisory|governance|audit\w*|shareholder\w*|bonus|sanction\w*|law|act|statut\w*)\b",
    _FLAGS,
)
PLANS = re.compile(
    r"\b(?:plans?\s+to|planned\s+to|aims?\s+to|intends?\s+to|targets?|goals?|commit(?:s|ted)?\s+to|pledg\w+|strateg\w+|"
    r"roadmap)\b|\b(?:will|to)\s+(?:cut|reduce|reach|achieve|become|invest|halve|phase\s+out|build)\b[^.]{0,80}\bby\s+"
    r"(?:the\s+end\s+of\s+)?20[2-9]\d",
    _FLAGS,
)
"""What is aimed at, in words that say so."""
INTENDING = re.compile(r"\b(?:will|shall|is\s+to|are\s+to|expects?\s+to)\b", _FLAGS)
NOT_ASSERTED = re.compile(
    r"^(?:the\s+)?(?:claim|myth|allegation|question|rumou?r)\s*:|^(?:[^:]{2,60}:\s+)?to\s+ask\s+the\b|^whether\b",
    _FLAGS,
)
"""Put there to be checked or answered; the page does not say that it is so."""
SITES = re.compile(
    r"\b(?:located|situated|headquartered|based\s+in|sites?\s+in|plants?\s+in|operates\s+in|countries|kilomet(?:re|er)s?\s+(?:from|north|"
    r"south|east|west|down|up)|upstream|downstream|district|province|region\s+of|stands?\s+(?:only\s+)?\d+\s+met)\b",
    _FLAGS,
)
