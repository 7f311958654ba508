"""Sectors of the market: how a question names them, and what news about them is commonly about.

A small table of our own. It widens a search and is never shown as a fact.
"""

from __future__ import annotations

import re
from functools import lru_cache

from inquest.text.sentences import fold

__all__ = ["SECTORS", "sector_in", "sector_terms"]

_TABLE: dict[str, tuple[str, str]] = {
    "semiconductor": (
        "semiconductors?|chips?|chipmakers?|foundr(?:y|ies)|gpus?|wafers?|lithography",
        "chip demand, data center, export controls, foundry capacity, inventory, AI accelerators",
    ),
    "electric vehicle": (
        "electric (?:vehicles?|cars?)|evs?|charging network",
        "deliveries, battery supply, price cuts, factory output, demand in China, subsidies",
    ),
    "automotive": (
        "auto(?:motive|s|makers?)|car ?makers?|vehicles?|cars?|motors?",
        "vehicle sales, recall, strike, tariffs, production halt, inventory",
    ),
    "bank": (
        "banks?|banking|lenders?|bancorp|brokerages?",
        "net interest income, loan losses, capital rules, deposits, interest rates, stress test",
    ),
    "insurance": ("insurers?|insurance|reinsur\\w+", "claims, catastrophe losses, premiums, reserves, combined ratio"),
    "software": (
        "software|saas|cloud(?: computing)?|cyber ?security|enterprise applications?",
        "cloud growth, subscriptions, billings, outage, security breach, layoffs",
    ),
    "internet": (
        "internet|social media|search engines?|online advertising|e-?commerce|platforms?",
        "advertising, users, antitrust, content rules, data privacy, outage",
    ),
    "consumer electronics": (
        "consumer electronics|smart ?phones?|handsets?|gadgets?|wearables?",
        "product launch, shipments, supply constraints, tariffs, demand in China",
    ),
    "pharmaceutical": (
        "pharma(?:ceuticals?)?|bio-?tech(?:nology)?|therapeutics|drug ?makers?|drugs?|vaccines?|biosciences?",
        "trial results, drug approval, regulator's rejection, patent expiry, drug pricing, side effects",
    ),
    "health care": (
        "health ?care|hospitals?|medical devices?|health insurers?",
        "reimbursement, medical costs, device recall, regulator's approval",
    ),
    "oil and gas": (
        "oil|gas|petroleum|drillers?|refiner(?:s|y|ies)|opec\\+?|lng",
        "crude price, output cut, refinery outage, spill, reserves, pipeline",
    ),
    "renewable energy": (
        "renewables?|solar|wind (?:power|farms?|energy)|hydrogen|clean energy",
        "subsidies, project delay, turbine defects, auction, interest rates, tariffs",
    ),
    "utility": (
        "utilit(?:y|ies)|power (?:grid|suppliers?)|electricity|water suppl\\w+",
        "rates, outage, wildfire, grid",
    ),
    "mining": (
        "miners?|mining|copper|lithium|gold|iron ore|nickel|metals?|steel",
        "metal prices, mine accident, output, permits, royalties, demand in China",
    ),
    "airline": ("airlines?|carriers?|aviation", "fuel cost, strike, bookings, grounding, capacity, safety order"),
    "aerospace and defence": (
        "aerospace|defen[cs]e(?: contractors?)?|aircraft|satellites?|rockets?",
        "orders, deliveries, contract award, safety inspection, production rate",
    ),
    "retail": (
        "retail(?:ers?)?|supermarkets?|grocer(?:s|y)?|department stores?|apparel|restaurants?",
        "same-store sales, consumer spending, inventory, tariffs, store closures, holiday season",
    ),
    "food and drink": (
        "food(?:s| makers?)?|beverages?|brewers?|drinks?|tobacco",
        "prices, volumes, recall, input costs",
    ),
    "telecom": (
        "tele(?:com(?:s|munications)?|phone)|mobile operators?|broadband|5g",
        "subscribers, spectrum, price war",
    ),
    "media": ("media|streaming|entertainment|studios?|broadcasters?|games?|gaming", "subscribers, advertising, strike"),
    "real estate": ("real estate|reits?|property|home ?builders?|housing|offices?", "vacancy, rents, mortgage rates"),
    "chemical": ("chemicals?|fertili[sz]ers?|plastics?", "feedstock cost, plant outage, spill, demand, overcapacity"),
    "transport": (
        "transport(?:ation)?|shipping|freight|logistics|rail(?:roads?|ways?)?|trucking|containers?",
        "freight rates, strike",
    ),
    "crypto": (
        "crypto(?:currenc(?:y|ies))?|bitcoin|stablecoins?|blockchain",
        "regulation, hack, exchange flows, price",
    ),
}
SECTORS = tuple(_TABLE)
"""The names of the sectors, as they are said before 'industry' and 'stocks'."""


def sector_in(text: str) -> str:
    """The sector that a question or a company's name names first; '' where it names none."""
    plain = fold(text)
    hits = [
        (match.start(), place, name) for place, (name, form) in enumerate(_forms()) if (match := form.search(plain))
    ]
    return min(hits)[2] if hits else ""


def sector_terms(sector: str) -> tuple[str, ...]:
    """What news about a sector is commonly about; () for a sector that is not in the table."""
    row = _TABLE.get(sector)
    return tuple(term.strip() for term in row[1].split(",")) if row else ()


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(rf"(?<![\w$-])(?:{words})(?!\w)")) for name, (words, _) in _TABLE.items())
