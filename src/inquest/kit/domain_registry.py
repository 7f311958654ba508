"""Asking a domain's registry how old it is (RDAP through rdap.org, which knows every registry; keyless)."""

from __future__ import annotations

from collections.abc import Generator
from urllib.parse import quote

from inquest.domain.errors import EngineFormat, EngineQuota, EngineUnavailable
from inquest.domain.source import DomainAge
from inquest.kit.exchange import Reply, Request
from inquest.sources.domain_age import parse_domain_age
from inquest.text.urls import registrable_domain

NAME = "rdap.org"
"""The name under which the door limits and reports it."""

_SERVICE = "https://rdap.org/domain/"


def ask_domain_age(url: str) -> Generator[Request, Reply, DomainAge]:
    """Ask and parse, driven as an engine's `search` is: yields one request, is sent its reply, returns the age. Raises
    EngineQuota, EngineUnavailable or EngineFormat. A registry without such a service (many countries have none) or
    without the entry is no error: the age is not known, and `why_unknown` says so."""
    domain = registrable_domain(url)
    if "." not in domain or domain.rsplit(".", 1)[1].isdigit() or ":" in domain:
        return DomainAge(domain=domain, why_unknown="it is not a name that is registered")
    headers = (("accept", "application/rdap+json, application/json"),)
    reply = yield Request(url=_SERVICE + quote(domain), headers=headers)
    if reply.status in (400, 404, 501):
        return DomainAge(domain=domain, why_unknown="its registry shows no entry, or answers no such questions")
    if reply.status == 429:
        raise EngineQuota(NAME, f"The registry of {domain} answers no more questions for now (429).")
    if not 200 <= reply.status < 300:
        raise EngineUnavailable(NAME, f"The registry of {domain} could not be asked ({reply.status}).")
    try:
        return parse_domain_age(reply.json(), domain, reply.at)
    except (ValueError, RecursionError) as error:
        raise EngineFormat(NAME, f"The registry of {domain} answered something that is no RDAP ({error}).") from error
