"""Requests that open a case, one for each kind, declared once for the terminal, REST, forms, MCP and the library; and
templates of briefs: common questions with named blanks, from which a request is made.

Requests are standard dataclasses, so that the terminal's help need not import pydantic. The metadata of a field holds
its description and limits under pydantic's names, and `flag` and `metavar` for the terminal.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from datetime import datetime
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from annotated_types import MaxLen

from inquest.app.invalid import EXPECTED, fault_of
from inquest.domain.errors import InputError, NotFound
from inquest.domain.languages import Language

Text = Annotated[str, MaxLen(100_000)]
WholeText = Annotated[str, MaxLen(1_000_000)]
ClaimText = Annotated[str, MaxLen(2_000)]
Short = Annotated[str, MaxLen(500)]
Address = Annotated[str, MaxLen(4_000)]
Depth = Literal["quick", "detailed"]
LIMITS = ("description", "examples", "ge", "le", "min_length", "max_length")
"""The part of a field's metadata that pydantic reads."""


def option(default: Any, description: str, **metadata: Any) -> Any:
    """A field of a request, required if `default` is `...`. `metadata`: limits under pydantic's names; `flag` and
    `metavar` of the command line; `lines=True`: a text given for a list is split at line ends, not at commas."""
    metadata["description"] = description
    return field(metadata=metadata) if default is ... else field(default=default, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class CaseSettings:
    """Options of every kind of case. Settings provide the values left out."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    engines: tuple[Short, ...] | None = option(
        None, "Engines to query, best first. Default: all that are ready.", metavar="LIST", max_length=50
    )
    collections: tuple[Short, ...] = option(
        (), "Collections of your own documents to search as well.", flag="--collection", metavar="NAME", max_length=50
    )
    languages: tuple[Short, ...] | None = option(
        None, "Languages to search in, as codes or English names. Default: any.", metavar="de,fr", max_length=20
    )
    language: Language | None = option(
        None, "Language of the report and its reasons: en, de, fr or es. Quotes are not translated. Default: en."
    )
    as_of: Short | datetime | None = option(
        None, "The 'now' of the case: nothing published later counts as evidence.", metavar="DATE"
    )
    budget_usd: float | None = option(None, "Stop and report once this much is spent (US dollars).", ge=0)
    budget_tokens: int | None = option(None, "Stop using models once this many tokens are used.", ge=0)
    budget_calls: int | None = option(None, "Stop after this many calls to engines and models.", ge=0)
    deadline: Short | float | None = option(
        None,
        "Stop and report after this time, such as 90s or 5m. Default: 2m quick, 10m detailed; a check 15s per claim, "
        "at least 1m; a market answer 1m; an audit 15s per citation, at least 10m.",
        metavar="5m",
    )


@dataclass(frozen=True, kw_only=True)
class InquiryRequest(CaseSettings):
    """A journalist's brief."""

    kind: Literal["inquiry"] = "inquiry"
    brief: Text = option(
        ..., "What you want to know.", examples=["Did the Tarn Bridge works exceed its dust limit in 2023?"]
    )
    urls: tuple[Address, ...] = option(
        (), "Pages to read before planning.", flag="--url", metavar="URL", lines=True, max_length=50
    )
    mode: Depth = option("quick", "quick: 15 sources, 5 claims; detailed: 30 sources, all claims, a timeline.")


@dataclass(frozen=True, kw_only=True)
class GivenClaim:
    """A claim with its context."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    text: ClaimText
    id: Short | None = None
    company: Short | None = None
    type: Short | None = None
    page: int | None = field(default=None, metadata={"ge": 0, "le": 1_000_000})

    @property
    def row(self) -> dict[str, Any]:
        """The claim as a line of a file of claims."""
        return {name: value for name, value in vars(self).items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class ClaimsRequest(CaseSettings):
    """Claims to check, or a company's report."""

    kind: Literal["claims"] = "claims"
    claims: tuple[ClaimText | GivenClaim, ...] = option(
        (), "Claims to check, as self-contained sentences.", flag="--claim", lines=True, max_length=500,
        examples=[["Calder Stone Ltd was fined 150,000 euros in 2023."]],
    )  # fmt: skip
    company: Short = option("", "The company whose claims these are; required with a report.")
    report: Address = option("", "A report to check: its address.", examples=[""])
    industry: Short = option("", "The company's industry, used for queries, benchmarks and ranking the claims.")
    country: Short = option("", "The company's country, used to tell apart companies of the same name in registers.")
    desks: tuple[Short, ...] = option(
        (), "Desks to assign: news, academic. Default: all.", metavar="LIST", max_length=20
    )
    max_claims: int | None = option(None, "Check at most this many claims of the report. Default: 20.", ge=1, le=500)
    rounds: int | None = option(None, "Add at most this many rounds if evidence is thin. Default: 1.", ge=0, le=5)


@dataclass(frozen=True, kw_only=True)
class TopicRequest(CaseSettings):
    """A topic to verify."""

    kind: Literal["topic"] = "topic"
    topic: Address = option(..., "A page's address, or the number of a stored topic.", examples=["17"])
    priority: Literal["high", "normal", "low"] | None = option(None, "Priority of this investigation.")
    again: bool = option(False, "Investigate again, even if the last investigation is recent.")
    mode: Depth = option("detailed", "quick: 15 sources; detailed: 30 sources, a timeline.")


@dataclass(frozen=True, kw_only=True)
class MarketQuestion(CaseSettings):
    """A question to the market desk, answered without approval of a plan."""

    kind: Literal["market"] = "market"
    question: Text = option(..., "The question, in a sentence.", examples=["Why is NVDA down today?"])
    tickers: tuple[Short, ...] = option(
        (), "Tickers that the question concerns.", flag="--ticker", metavar="T", max_length=50
    )
    company: Short = option("", "The company that the question concerns.")
    sector: Short = option("", "The sector that the question concerns.")
    filings: tuple[Address, ...] = option(
        (), "Filings to compare the news with: addresses or SEC numbers.", flag="--filing", metavar="FILE|URL|NUMBER",
        max_length=20,
    )  # fmt: skip
    save: bool = option(False, "Keep the case; otherwise it is deleted after a day.")


@dataclass(frozen=True, kw_only=True)
class AuditRequest(CaseSettings):
    """A text whose citations are audited, without approval of a plan."""

    kind: Literal["audit"] = "audit"
    text: WholeText = option(
        "",
        "Markdown, HTML or plain text whose citations are to be audited.",
        examples=["Dust fell [1].\n\n1. https://example.org"],
    )
    url: Address = option("", "Instead of the text: the address of a page or document.", examples=[""])
    limit: int | None = option(None, "Audit only the first citations, up to this number.", ge=1, le=100_000)
    again: Short = option(
        "", "An earlier audit to compare outcomes with; its text is audited again if no other is given.",
        metavar="CASE|JSON", examples=[""],
    )  # fmt: skip


CaseRequest = InquiryRequest | ClaimsRequest | TopicRequest | MarketQuestion | AuditRequest
R = TypeVar("R", bound=CaseSettings)

KINDS: Mapping[str, tuple[type[CaseRequest], str]] = {
    "inquiry": (InquiryRequest, "brief"),
    "claims": (ClaimsRequest, "claims"),
    "topic": (TopicRequest, "topic"),
    "market": (MarketQuestion, "question"),
    "audit": (AuditRequest, "text"),
}
"""The request of each kind, and its main field."""


def request_of(kind: type[R], given: Mapping[str, Any]) -> R:
    """Make a request from these values; a text is split if the field is a list (`option`). Raises InputError for the
    first invalid value, TypeError for an unknown option."""
    from pydantic import TypeAdapter, ValidationError

    known = {each.name: each for each in fields(kind)}
    if unknown := given.keys() - known.keys():
        raise TypeError(f"Unknown option '{min(unknown)}': expected one of {', '.join(known)}.")
    values = dict(given)
    for name, value in given.items():
        if isinstance(value, str) and "tuple[" in str(known[name].type):
            items = value.splitlines() if known[name].metadata.get("lines") else value.split(",")
            values[name] = tuple(each.strip() for each in items if each.strip())
    try:
        return TypeAdapter(kind).validate_python(values)
    except ValidationError as error:
        first = next((each for each in error.errors() if each["type"] in EXPECTED), error.errors()[0])
        name = str(first["loc"][0]) if first["loc"] else ""
        called = name.replace("_", " ").removesuffix(" usd") or "request"
        if first["type"] == "missing":
            raise InputError(f"Missing {called}.", field=name) from error
        given_value = first["input"]
        is_short = isinstance(given_value, str | int | float) and len(str(given_value)) < 100
        shown = f" '{given_value}'" if is_short else ""
        raise InputError(f"Invalid {called}{shown}: {fault_of(first)}.", field=name) from error


def declared(kind: type[CaseSettings], name: str) -> Any:
    """The pydantic field for a field of a request: default, description and limits."""
    from pydantic import Field as ModelField

    field = next(each for each in fields(kind) if each.name == name)
    limits = {key: field.metadata[key] for key in LIMITS if key in field.metadata}
    return ModelField(**limits) if field.default is MISSING else ModelField(field.default, **limits)


@dataclass(frozen=True)
class Template:
    """A brief with blanks. `blanks`: a description of each by name; `request`: values of the request's fields with
    blanks as `{name}`."""

    name: str
    title: str
    kind: str
    blanks: Mapping[str, str]
    request: Mapping[str, str]

    def values(self, given: Mapping[str, str]) -> dict[str, str]:
        """Values of the request, with missing blanks in square brackets."""
        words = {name: given.get(name, "").strip() or f"[{what}]" for name, what in self.blanks.items()}
        options = {name: value for name, value in given.items() if name not in self.blanks}
        return {name: value.format_map(words) for name, value in self.request.items()} | options

    def filled(self, given: Mapping[str, str]) -> CaseRequest:
        """The request; besides blanks, `given` may contain its options. Raises InputError."""
        kind = KINDS[self.kind][0]
        known = [*self.blanks, *(each.name for each in fields(kind) if each.name not in ("kind", *self.blanks))]
        if unknown := given.keys() - set(known):
            raise InputError(f"Unknown blank '{min(unknown)}': expected one of {', '.join(known)}.")
        if lacking := next((name for name in self.blanks if not given.get(name, "").strip()), None):
            raise InputError(f"Missing {lacking}: expected {self.blanks[lacking]}.", advice=f"Add {lacking}=...")
        return request_of(kind, self.values(given))

    def check(self, values: Mapping[str, object]) -> None:
        """Raise InputError for a blank that is still in square brackets."""
        for name, value in values.items():
            if left := next((each for each in self.blanks.values() if f"[{each}]" in str(value)), None):
                raise InputError(f"Missing {left}.", advice=f"Replace [{left}] with it.", field=name)


@lru_cache
def templates() -> dict[str, Template]:
    """All templates by name."""
    kept = tomllib.loads(files(__package__).joinpath("templates.toml").read_text("utf-8"))
    return {name: Template(name, **each) for name, each in kept.items()}


def template(name: str) -> Template:
    """The template of this name. Raises NotFound."""
    found = templates().get(name)
    if found is None:
        raise NotFound(f"There is no template '{name[:40]}'.", advice=f"Templates: {', '.join(templates())}.")
    return found
