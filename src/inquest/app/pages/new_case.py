"""The form of a new case: what a person wrote, made into what is asked; what there is to choose from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from inquest.app.cases.requests import CaseOptions
from inquest.app.pages.likely import EngineOffer, Likely, OfferedKind, likely_cases, offered_kinds
from inquest.app.service.new_cases import (
    AskCheck,
    AskInquiry,
    AskMarket,
    AskTopic,
    NewCase,
    Owner,
    open_brief,
)
from inquest.app.settings import ROLES
from inquest.domain.case import Case
from inquest.domain.errors import InputError
from inquest.domain.search import EngineKind

if TYPE_CHECKING:
    from inquest.app.service.dispatching import Dispatcher
    from inquest.app.wiring.resources import Resources


Long = Annotated[str, Field(max_length=200_000)]
Short = Annotated[str, Field(max_length=2_000)]


class CaseForm(BaseModel):
    """The fields of the form as they were sent; all kinds of case share it."""

    kind: Literal["inquiry", "claims", "report", "topic", "market"] = "inquiry"
    text: Long = ""
    """The brief, the claims (one a line), the topic's address or number, the question."""
    urls: Long = ""
    """One a line."""
    mode: Literal["quick", "detailed"] = "quick"
    company: Short = ""
    report_url: Short = ""
    tickers: Short = ""
    collections: list[Short] = []
    engines: list[Short] = []
    desks: list[Short] = []
    """Of a check; none: all that suit."""
    languages: Short = ""
    """Codes or English names, with commas between them."""
    as_of: Short = ""
    deadline: Short = ""
    budget: Short = ""
    max_claims: Short = ""
    approve: bool = False


KINDS = ("inquiry", "claims", "report", "topic", "market")
_LISTS = ("collections", "engines", "desks")


def form_of(fields: Mapping[str, Sequence[str]]) -> tuple[CaseForm, InputError | None]:
    """The form as it was sent, and what of it cannot be used; that is then left out."""
    given: dict[str, Any] = {
        name: list(values) if name in _LISTS else values[0]
        for name, values in fields.items()
        if values and name in CaseForm.model_fields
    }
    try:
        return CaseForm.model_validate(given), None
    except ValidationError as error:
        wrong = {str(each["loc"][0]) for each in error.errors()}
        kept = CaseForm.model_validate({name: value for name, value in given.items() if name not in wrong})
        named = ", ".join(sorted(wrong)).replace("_", " ")
        return kept, InputError(f"What was given for {named} cannot be used.", advice="It may be too long.")


def asked_of(form: CaseForm, upload: Path | None = None) -> NewCase:
    """What the form asks. Raises InputError for a number that is none."""
    options = CaseOptions(
        engines=form.engines,
        collections=form.collections,
        languages=form.languages,
        as_of=form.as_of.strip() or None,
        budget_usd=_number(form.budget, "budget"),
        deadline=form.deadline.strip() or None,
    )
    return NewCase(_asked(form, upload), options, form.approve)


def _asked(form: CaseForm, upload: Path | None) -> AskInquiry | AskCheck | AskTopic | AskMarket:
    most = _number(form.max_claims, "number of claims")
    match form.kind:
        case "claims":
            return AskCheck(claims=_lines(form.text), company=form.company, desks=form.desks)
        case "report":
            limit = int(most) if most is not None else None
            return AskCheck(
                report=form.report_url.strip(),
                upload=upload,
                company=form.company,
                desks=form.desks,
                max_claims=limit,
            )
        case "topic":
            return AskTopic(form.text.strip(), again=True, mode=form.mode)
        case "market":
            tickers = [each.strip() for each in form.tickers.split(",") if each.strip()]
            return AskMarket(form.text, tickers=tickers, company=form.company)
        case _:
            return AskInquiry(form.text, _lines(form.urls), form.mode)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _number(written: str, what: str) -> float | None:
    given = written.strip().lstrip("$").strip()
    if not given:
        return None
    try:
        return float(given)
    except ValueError as error:
        raise InputError(f"'{written[:40]}' is no {what}.", advice="Write a number, like 2 or 0.50.") from error


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
    model = app.settings.model or ("models by role" if app.settings.uses_model else "")
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
