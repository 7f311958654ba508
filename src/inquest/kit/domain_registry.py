"""The age of a domain by its registry (RDAP through rdap.org, which redirects to every registry; keyless)."""

from __future__ import annotations

from collections.abc import Generator
from urllib.parse import quote

from inquest.domain.errors import EngineFormat, EngineQuota, EngineUnavailable
from inquest.domain.source import DomainAge
from inquest.kit.exchange import Reply, Request
from inquest.sources.source_worth import parse_domain_age
from inquest.text.urls import registrable_domain

NAME = "rdap.org"
"""Its name in limits and outages."""

_SERVICE = "https://rdap.org/domain/"


def ask_domain_age(url: str) -> Generator[Request, Reply, DomainAge]:
    """Look up a domain's age, as a generator like an engine's `search`. Raises EngineQuota, EngineUnavailable or
    EngineFormat. Without an entry or such a service, as in many countries, `why_unknown` gives the reason."""
    domain = registrable_domain(url)
    if "." not in domain or domain.rsplit(".", 1)[1].isdigit() or ":" in domain:
        return DomainAge(domain=domain, why_unknown="it is not a registrable name")
    headers = (("accept", "application/rdap+json, application/json"),)
    reply = yield Request(url=_SERVICE + quote(domain), headers=headers)
    if reply.status in (400, 404, 501):
        return DomainAge(domain=domain, why_unknown="its registry has no entry or no such service")
    if reply.status == 429:
        raise EngineQuota(NAME, f"The registry of {domain} is not accepting any more queries for now (429).")
    if not 200 <= reply.status < 300:
        raise EngineUnavailable(NAME, f"The registry of {domain} could not be queried ({reply.status}).")
    try:
        return parse_domain_age(reply.json(), domain, reply.at)
    except (ValueError, RecursionError) as error:
        raise EngineFormat(NAME, f"The registry of {domain} did not return valid RDAP ({error}).") from error
