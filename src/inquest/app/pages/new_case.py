"""The form of a new case: what a person wrote, made into a request; what there is to choose from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from inquest.app.cases.case_request import KINDS, CaseRequest, request_of
from inquest.app.pages.first_steps import in_words
from inquest.app.pages.likely import EngineOffer, Likely, OfferedKind, likely_cases, offered_kinds
from inquest.app.service.new_cases import Owner, open_brief
from inquest.app.settings import ROLES
from inquest.domain.case import Case
from inquest.domain.search import EngineKind

if TYPE_CHECKING:
    from inquest.app.service.dispatching import Dispatcher
    from inquest.app.wiring.resources import Resources


FORMS = ("inquiry", "claims", "report", "topic", "market")
"""The forms; a report is checked like claims."""
_SEVERAL = ("collections", "engines", "desks")
_REQUEST = {"report": "claims"}
_FIELD = {"report_url": "report", "budget": "budget_usd"}
"""Fields of the form under another name than the request's."""
_LONGEST = 200_000


class Sent(dict[str, Any]):
    """The fields of the form as they were sent, '' or () where nothing was."""

    def __missing__(self, name: str) -> Any:
        return () if name in _SEVERAL else ""

    @property
    def kind(self) -> str:
        """Which form it is; an inquiry where that is unknown."""
        return self["kind"] if self["kind"] in FORMS else "inquiry"


def sent(fields: Mapping[str, Sequence[str]]) -> Sent:
    """What was sent. Raises nothing: `request_from` says what cannot be used."""
    given = {
        name: [each[:_LONGEST] for each in values] if name in _SEVERAL else values[0][:_LONGEST]
        for name, values in fields.items()
        if values
    }
    return Sent(given)


def request_from(form: Sent) -> CaseRequest:
    """The request that the form makes. Raises InputError for what cannot be used."""
    kind, text = KINDS[_REQUEST.get(form.kind, form.kind)]
    known = {each.name for each in fields(kind)} - {"kind"}
    given = {_FIELD.get(name, name): value for name, value in form.items() if value not in ("", [], ())}
    if form.kind != "report":
        given[text] = form["text"]
    if form.kind == "topic":
        given["again"] = True
    if "budget_usd" in given:
        given["budget_usd"] = given["budget_usd"].strip().lstrip("$")
    return request_of(kind, {name: value for name, value in given.items() if name in known})


def field_of(error: Exception, kind: str = "") -> str:
    """The form's field that the error is about, under the form's name for it; '': it names none."""
    field = getattr(error, "field", "")
    if kind and kind != "report" and field == KINDS[kind][1]:
        return "text"
    return {name: field for field, name in _FIELD.items()}.get(field, field)


@dataclass(frozen=True)
class Offers:
    """What there is to choose from."""

    collections: tuple[str, ...]
    engines: tuple[EngineOffer, ...]
    model: str
    """The model that reads, in words; '': the local analyst."""
    model_named: str = ""
    """The model whose price counts, as `provider:name`; '': the local analyst."""
    desks: tuple[tuple[str, str], ...] = ()
    """Those that look at claims, each with its title."""

    @cached_property
    def kinds(self) -> tuple[OfferedKind, ...]:
        """The engines by what they search."""
        return offered_kinds(self.engines)

    def likely(self, kind: str) -> tuple[Likely, ...]:
        """What a case of this kind is likely to cost and take, by its size."""
        return likely_cases(kind, self.ready, self.model_named)

    @property
    def ready(self) -> Sequence[EngineOffer]:
        return [each for each in self.engines if not each.lacks]

    @property
    def lacking(self) -> Sequence[EngineOffer]:
        return [each for each in self.engines if each.lacks]


def offers_of(app: Resources, collections: Sequence[str]) -> Offers:
    """Engines and the model of this data folder, beside these collections."""
    engines = [
        EngineOffer(name, engine.spec.title, tuple(engine.spec.kinds), engine.lacks() or "", engine.usd_per_call)
        for name, engine in app.engines.items()
        if EngineKind.OWN not in engine.spec.kinds
    ]
    model = in_words(app)
    named = app.settings.model or next((name for role in ROLES if (name := app.settings.model_for(role))), "")
    desks = tuple((name, desk.spec.title) for name, desk in app.desks.items())
    return Offers(tuple(collections), tuple(engines), model, named, desks)


async def example(app: Resources, dispatcher: Dispatcher, which: str, owner: Owner) -> Case:
    """The bundled example as a case that waits for its plan to be approved. Raises what `open_brief` raises."""
    from inquest.app.desks.demo import prepare, prepare_check, prepare_topic

    if which == "claims":
        brief = await prepare_check(app)
    elif which == "topic":
        brief = await prepare_topic(app, "quick")
    else:
        brief = await prepare(app, "quick")
    return await open_brief(app, dispatcher, brief, owner, approve=False)
