"""The form of a new case: its choices, the likely cost and duration, and the request made from it."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, fields
from datetime import datetime
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from inquest.app.cases.case_request import KINDS, CaseRequest, Template, request_of, template, templates
from inquest.app.desks.briefs import request_again
from inquest.app.settings import END_OF_DAY, ROLES
from inquest.app.wiring.engine_choices import engine_choices, network_is_there
from inquest.app.wiring.model_services import suggested_servers
from inquest.domain.case import Case
from inquest.domain.check import CheckRequest
from inquest.domain.plan import Brief, Mode
from inquest.domain.search import ON_THIS_MACHINE, EngineKind
from inquest.flow.planned import CLAIMS_DETAILED, search_usd, seconds_of
from inquest.retrieval.search_plan import CostEstimate, estimated

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_NETWORK_SECONDS = 1.0


async def first_steps(app: Resources) -> dict[str, Any]:
    """Return the configuration of this machine: `engines` are titles of the ready ones; `nobody`: no web engine can be
    queried. Raises SettingError."""
    ready = [
        engine.spec.title
        for engine in app.engines.values()
        if engine.lacks() is None and not ON_THIS_MACHINE & set(engine.spec.kinds)
    ]

    async def network() -> bool:
        try:
            async with asyncio.timeout(_NETWORK_SECONDS):
                return await network_is_there(app.settings, app.engines, engine_choices(app.engines, Brief(text="-")))
        except TimeoutError:
            return True  # a slow network still counts

    there, servers = await asyncio.gather(network(), suggested_servers(app.settings, app.clock))
    nobody = not ready or not there
    return {
        "model": app.settings.models_in_words,
        "servers": servers,
        "engines": ready,
        "network": there,
        "nobody": nobody,
    }


_MILLION = 1_000_000
_CLAIMS = 10
"""Claims assumed for a check."""


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens, from genai-prices."""

    into: float
    out: float

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """The price of these numbers of tokens."""
        return (tokens_in * self.into + tokens_out * self.out) / _MILLION


@lru_cache(maxsize=64)
def price_of(model: str) -> Price | None:
    """Return the price of `provider:model`; None: not listed, like a local model."""
    from genai_prices import Usage, calc_price

    provider, _, name = model.partition(":")
    try:
        into, out = (
            float(calc_price(usage, name, provider_id=provider).total_price)
            for usage in (Usage(input_tokens=_MILLION), Usage(output_tokens=_MILLION))
        )
    except (LookupError, ValueError):
        return None
    return Price(into, out)


@dataclass(frozen=True)
class EngineOffer:
    """A search engine. `lacks`: what it needs to be ready, '' if nothing."""

    name: str
    title: str
    kinds: tuple[str, ...]
    lacks: str
    usd: float


@dataclass(frozen=True)
class Likely:
    """Likely figures of a case. `size`: quick, detailed, claims or market; `cost`: None for a model without a price."""

    size: str
    minutes: int
    """The maximum."""
    cost: CostEstimate | None
    claims: int


def likely_cases(kind: str, engines: Sequence[EngineOffer], model: str) -> tuple[Likely, ...]:
    """Return the figures for each size of a case of this kind. `engines`: the ready ones; `model`: '': local rules."""
    if kind in ("claims", "report"):
        sizes = [("claims", Brief(text="-", check=CheckRequest(company="")), _CLAIMS, 0)]
    elif kind == "market":
        sizes = [("market", Brief(text="-", deadline_seconds=60.0), 0, 0)]
    else:
        limits = ((mode, mode.settings) for mode in Mode)
        sizes = [
            (mode.value, Brief(text="-", mode=mode), limit.claim_limit or CLAIMS_DETAILED, limit.source_limit)
            for mode, limit in limits
        ]
    paid, price = any(each.usd for each in engines), price_of(model) if model else Price(0.0, 0.0)
    likely = []
    for size, brief, claims, sources in sizes:
        searches = search_usd(brief, claims, sources) if paid else 0.0
        cost = estimated({"claim": claims, "source": sources, "case": 1}, searches, price.of) if price else None
        likely.append(Likely(size, math.ceil(seconds_of(brief, claims) / 60), cost, claims))
    return tuple(likely)


FORMS = ("inquiry", "claims", "report", "topic", "market")
"""Kinds of form; a report is checked like claims."""
_SEVERAL = ("collections", "engines", "desks")
_REQUEST = {"report": "claims"}
_FIELD = {"report_url": "report", "budget": "budget_usd"}
"""Names of form fields that differ from the request's."""
_EXTRA = ("industry", "country", "rounds", "priority", "sector", "filings", "save", "budget_tokens", "budget_calls")
"""Options shown only if they are set."""


class Sent(dict[str, Any]):
    """The submitted fields of the form; missing ones read as '' or ()."""

    def __missing__(self, name: str) -> Any:
        return () if name in _SEVERAL else ""

    @property
    def kind(self) -> str:
        """The kind of form; default: inquiry."""
        return self["kind"] if self["kind"] in FORMS else "inquiry"

    @property
    def beside(self) -> list[tuple[str, str]]:
        """The options that are set but have no field in this form, each with its description."""
        names = (*_EXTRA, "company") if self.kind == "market" else _EXTRA
        known = fields(KINDS[_REQUEST.get(self.kind, self.kind)][0])
        return [(each.name, each.metadata["description"]) for each in known if each.name in names and self[each.name]]


def sent(fields: Mapping[str, Sequence[str]]) -> Sent:
    """Return the submitted fields, unchecked."""
    return Sent((name, values if name in _SEVERAL else values[0]) for name, values in fields.items() if values)


def sent_again(case: Case) -> Sent:
    """Return the form filled in with the brief and options of a case."""
    request = request_again(case)
    names = {field: name for name, field in _FIELD.items()} | {KINDS[request.kind][1]: "text"}
    form = {names.get(each.name, each.name): _written(each, getattr(request, each.name)) for each in fields(request)}
    return Sent(form | {"kind": "report" if case.brief.check and case.brief.check.report else request.kind})


def sent_by(template: Template) -> Sent:
    """Return the form filled in from a template, with its blanks in square brackets."""
    known = {each.name: each for each in fields(KINDS[template.kind][0])}
    text = KINDS[template.kind][1]
    values = {name: _written(known[name], value) for name, value in template.values({}).items()}
    return Sent({"text": values.pop(text), **values, "kind": template.kind, "template": template.name})


def _written(field: Field[Any], value: Any) -> Any:
    """Return the value as a person would enter it."""
    match value:
        case None | () | False:
            return [] if field.name in _SEVERAL else ""
        case tuple():
            items = list(map(str, value))
            return items if field.name in _SEVERAL else ("\n" if field.metadata.get("lines") else ", ").join(items)
        case True:
            return "true"
        case float() if value.is_integer():
            return str(int(value))
        case datetime():
            return f"{value:%Y-%m-%d}" if value.time() == END_OF_DAY else value.isoformat()
    return str(value)


def request_from(form: Sent) -> CaseRequest:
    """Build the request from the form. Raises InputError."""
    if form["template"] in templates():
        template(form["template"]).check(form)
    kind, text = KINDS[_REQUEST.get(form.kind, form.kind)]
    known = {each.name for each in fields(kind)} - {"kind"}
    given = {_FIELD.get(name, name): value for name, value in form.items() if value not in ("", [], ())}
    if form.kind != "report" or form["text"]:
        given[text] = form["text"]
    if form.kind == "topic":
        given["again"] = True
    if "budget_usd" in given:
        given["budget_usd"] = given["budget_usd"].strip().lstrip("$")
    return request_of(kind, {name: value for name, value in given.items() if name in known})


def field_of(error: Exception, kind: str = "") -> str:
    """Return the form's name of the field that caused the error; '': unknown."""
    field = getattr(error, "field", "")
    if kind and kind != "report" and field in ("brief", KINDS[kind][1]):
        return "text"
    return {name: field for field, name in _FIELD.items()}.get(field, field)


@dataclass(frozen=True)
class Offers:
    """The choices of the form."""

    collections: tuple[str, ...]
    engines: tuple[EngineOffer, ...]
    model: str
    """The model in use, for display; '': the local analyst."""
    model_named: str = ""
    """The model whose price counts, as `provider:name`; '': the local analyst."""
    desks: tuple[tuple[str, str], ...] = ()
    """Names and titles."""

    @cached_property
    def kinds(self) -> list[dict[str, Any]]:
        """The engines by their first kind, in the order of EngineKind: those that are ready, and those that lack
        something."""
        groups = [(kind.value, [e for e in self.engines if e.kinds[:1] == (kind.value,)]) for kind in EngineKind]
        return [
            {"kind": kind, "ready": [e for e in group if not e.lacks], "lacking": [e for e in group if e.lacks]}
            for kind, group in groups
            if group
        ]

    def likely(self, kind: str) -> tuple[Likely, ...]:
        """Return the likely cost and duration of a case of this kind, by size."""
        return likely_cases(kind, self.ready, self.model_named)

    @property
    def ready(self) -> Sequence[EngineOffer]:
        return [each for each in self.engines if not each.lacks]


def engine_offers(app: Resources) -> tuple[EngineOffer, ...]:
    """Return the search engines, without that of the user's own documents."""
    return tuple(
        EngineOffer(name, engine.spec.title, tuple(engine.spec.kinds), engine.lacks() or "", engine.usd_per_call)
        for name, engine in app.engines.items()
        if EngineKind.OWN not in engine.spec.kinds
    )


def offers_of(app: Resources, collections: Sequence[str]) -> Offers:
    """Return the choices of this data folder. `collections`: those the person may use."""
    model = app.settings.models_in_words
    named = app.settings.model or next((name for role in ROLES if (name := app.settings.model_for(role))), "")
    desks = tuple((name, desk.spec.title) for name, desk in app.desks.items())
    return Offers(tuple(collections), engine_offers(app), model, named, desks)
