"""The model analyst of the settings: which model has which role, where it is asked, and with which key.

A model is written `provider:model`. Every client is given the door as its transport, so that model calls are guarded,
recorded and replayed like everything else; keys are passed on, never read from the environment by a client.

Google's own client takes an HTTP client (and so our transport) too; it comes with the extra `inquest[google]`.
Anthropic's comes with `inquest[anthropic]`. Everybody else is spoken to in OpenAI's form (`analysts/chat.py`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from inquest.analysts.asked_model import FORMS, ModelQuestion, ModelRefused, price
from inquest.app.settings import ROLES, Role, Settings
from inquest.domain.errors import ModelError, SettingError

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

    from inquest.analysts.asked_model import AskedModel
    from inquest.analysts.chat import Service
    from inquest.analysts.model import Duty, ModelAnalyst
    from inquest.app.wiring.tracing import CaseClient
    from inquest.kit.analyst import Analyst
    from inquest.kit.ports import Budget

_ROLES: dict[Duty, tuple[Role, ...]] = {
    "plan": ("plan",),
    "read": ("summarise",),
    "merge": ("summarise",),
    "events": ("summarise",),
    "leanings": ("summarise",),
    "classify": ("summarise",),
    # An inquiry's judgments are its fact checks.
    "assess": ("fact_check", "assess"),
    "write": ("write",),
}
_DESKS: tuple[Literal["news", "academic", "market"], ...] = ("news", "academic", "market")
"""Desks that may have a model of their own, for their queries and their judgments."""
SERVER_KEY = "MODEL_SERVER_API_KEY"
"""The key of a server whose address is written with its model: none of a provider goes there."""
_NO_KEY = "no-key-needed"
"""What a client is given where there is no key: a server of one's own, or a replay, which asks nobody."""
_LATER = (402, 429, *range(500, 600))
"""Statuses that say nothing of the key or the model: it is asked again later."""
_TRIAL_TOKENS = 16, 500
"""Of the answer to a trial: of a server of one's own, which may be slow; of a service, whose model may think first."""
_TRIAL_SCHEMA = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
_FORM_WORDS = {
    "schema": "structured output by a JSON schema",
    "json": "structured output as JSON",
    "plain": "no structured output",
}
_OPENROUTER_URL = "https://openrouter.ai/api/v1"
_SECONDS = 310.0
"""Beyond the door's own limit for a model call, so that it is the door that says when it was too long."""


@dataclass(frozen=True)
class _Provider:
    """What there is to know of a service before it is asked."""

    title: str
    keys: tuple[str, ...]
    base_url_setting: str | None = None
    base_url: str | None = None
    extra: tuple[str, str] | None = None
    """The extra that brings its client, and a module of it."""
    keyless: bool = False
    """Servers of this kind usually want no key."""


_OPENAI = _Provider("OpenAI", ("OPENAI_API_KEY",), "OPENAI_BASE_URL", "https://api.openai.com/v1")
_GOOGLE = _Provider("Google", ("GEMINI_API_KEY", "GOOGLE_API_KEY"), extra=("google", "google.genai"))
_PROVIDERS = {
    "openai": _OPENAI,
    "openai-chat": _OPENAI,
    "openrouter": _Provider("OpenRouter", ("OPENROUTER_API_KEY",)),
    "anthropic": _Provider("Anthropic", ("ANTHROPIC_API_KEY",), "ANTHROPIC_BASE_URL", extra=("anthropic", "anthropic")),
    "google": _GOOGLE,
    "google-gla": _GOOGLE,
    "ollama": _Provider("Ollama", ("OLLAMA_API_KEY",), "OLLAMA_BASE_URL", keyless=True),
}


@dataclass(frozen=True)
class ModelPlace:
    """A model and where it is asked. `str` gives what `Place.read` reads."""

    provider: str
    model: str
    url: str | None = None
    """The server, where it is not the provider's own."""

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}" + (f" at {self.url}" if self.url else "")

    @classmethod
    def read(cls, written: str) -> ModelPlace:
        """Raises SettingError where it is not `provider:model`, or the provider is none that is known."""
        name, _, url = written.strip().partition(" at ")
        provider, colon, model = name.partition(":")
        provider = provider.strip().lower()
        if not colon or not model.strip() or not re.fullmatch(r"\S+", model.strip()):
            raise SettingError(
                f"'{written}' names no model.",
                advice="A model is written provider:model, like openai:gpt-5-mini.",
            )
        if provider not in _PROVIDERS:
            known = ", ".join(sorted(_PROVIDERS))
            raise SettingError(
                f"There is no model provider '{provider}'.",
                advice=f"Known: {known}; any server that speaks OpenAI's form is openai with OPENAI_BASE_URL.",
            )
        return cls(provider, model.strip(), url.strip() or None)


def models_of(settings: Settings) -> dict[Duty, ModelPlace]:
    """The model for each duty, by the settings; a duty without one is the local analyst's. A desk is named where it has
    a model other than those for everybody's queries and judgments. Raises SettingError."""
    found: dict[Duty, ModelPlace] = {}
    for duty, roles in _ROLES.items():
        # A role's own setting wins over the other's, and that over the common one.
        own = [getattr(settings, f"model_{role}") for role in roles]
        written = next((each for each in own if each), settings.model)
        if written:
            found[duty] = placed(ModelPlace.read(written), settings)
    for desk in _DESKS:
        written = getattr(settings, f"model_{desk}")
        place = placed(ModelPlace.read(written), settings) if written else None
        if place and not place == found.get("plan") == found.get("assess"):
            found[desk] = place
    return found


def placed(place: ModelPlace, settings: Settings) -> ModelPlace:
    """The model with the address of its server, where that is not the provider's own. Raises SettingError."""
    provider = _PROVIDERS[place.provider]
    url = place.url or settings.key(provider.base_url_setting)
    if provider.base_url_setting and not url and provider.keyless:
        raise SettingError(
            f"{provider.title} has no address.",
            advice=f"Set {provider.base_url_setting}, or write it with the model: ollama:NAME at http://127.0.0.1:11434/v1.",
        )
    own = url.rstrip("/") if url and url.rstrip("/") != provider.base_url else None
    return ModelPlace(place.provider, place.model, own)


def is_own(place: ModelPlace) -> bool:
    """True for a model on a server of one's own, which costs nothing and may be slow."""
    return _PROVIDERS[place.provider].keyless or place.url is not None


def name_of(models: Mapping[Duty, ModelPlace]) -> str:
    """What a plan says of who judges: the model, or each with its duties; `models_in` reads it."""
    by_place: dict[str, list[str]] = {}
    for duty in (*_ROLES, *(desk for desk in _DESKS if desk in models)):
        by_place.setdefault(str(models[duty]) if duty in models else "local", []).append(duty)
    if len(by_place) == 1:
        return next(iter(by_place))
    return "; ".join(f"{place} ({', '.join(duties)})" for place, duties in by_place.items())


def models_in(name: str) -> dict[Duty, ModelPlace]:
    """The models of a case, by the name in its plan: a replay asks what was asked then, whatever the settings say."""
    found: dict[Duty, ModelPlace] = {}
    for part in name.split("; "):
        match = re.fullmatch(r"(?P<place>.+?)(?: \((?P<duties>[a-z, ]+)\))?", part)
        if match is None or match["place"] == "local":
            continue
        duties = match["duties"].split(", ") if match["duties"] else list(_ROLES)
        place = ModelPlace.read(match["place"])
        found |= {duty: place for duty in (*_ROLES, *_DESKS) if duty in duties}
    return found


def check_models(settings: Settings) -> None:
    """Whether every model of the settings can be asked: known provider, key, packages. Raises SettingError."""
    for place in dict.fromkeys(models_of(settings).values()):
        _key(place, settings)
        _check_extra(place)


def model_analyst(
    settings: Settings,
    door: CaseClient,
    budget: Budget,
    local: Analyst,
    *,
    replayed: str | None = None,
    limited: bool = False,
) -> ModelAnalyst:
    """The analyst of the settings; for a replay, of the case whose plan names `replayed` as its analyst, without keys.
    `limited`: the case has a budget of money. Raises SettingError. Nothing heavy is imported, and no client is made,
    before a model is asked."""
    from inquest.analysts.model import ModelAnalyst
    from inquest.analysts.service import ModelService

    models = models_of(settings) if replayed is None else models_in(replayed)
    made: dict[ModelPlace, ModelService] = {}
    for place in models.values():
        if place not in made:
            key = _key(place, settings) if replayed is None else _NO_KEY
            _check_extra(place)
            named = " or ".join(_PROVIDERS[place.provider].keys)
            made[place] = ModelService(
                str(place), _maker(place, key, door), budget, key=named, limited=limited, free=is_own(place)
            )
    return ModelAnalyst(name_of(models), {duty: made[place] for duty, place in models.items()}, local)


@dataclass(frozen=True)
class ModelTrial:
    """What one call to a model showed. `ok`: it answered; `refused`: neither key nor model will do."""

    ok: bool
    says: str
    refused: bool = False


async def try_model(place: ModelPlace, settings: Settings, door: CaseClient, seconds: float) -> ModelTrial:
    """One real question to a model: whether it answers, how long that took, what it cost, the strictest form of
    structured output that it takes, and on a server of the user's own its context. Raises SettingError."""
    try:
        return await _trial(place, settings, door, seconds)
    except TimeoutError:
        return ModelTrial(False, f"no answer within {seconds:g} seconds")
    except ModelError as error:
        return ModelTrial(False, error.sentence.rstrip("."))
    except ModelRefused as error:
        key = SERVER_KEY if place.url else " or ".join(_PROVIDERS[place.provider].keys)
        why = {401: f"refuses the key; check {key}", 403: f"refuses the key; check {key}", 404: "has no such model"}
        why |= {402: "says that its quota is used up", 429: "says that its quota is used up"}
        said = why.get(error.status, "refuses to answer")
        return ModelTrial(False, f"reachable, but {said} (HTTP {error.status})", refused=error.status not in _LATER)
    except ValueError:
        return ModelTrial(False, "reachable, but its replies are not in OpenAI's form", refused=True)


async def _trial(place: ModelPlace, settings: Settings, door: CaseClient, seconds: float) -> ModelTrial:
    _check_extra(place)
    model = _maker(place, _key(place, settings), door)()
    said = []
    if is_own(place):
        async with asyncio.timeout(seconds):
            limits = await model.limits()
        said = [f"{limits.tokens:,} tokens of context" if limits.tokens else "it does not say how long its context is"]
    tokens = _TRIAL_TOKENS[0 if is_own(place) else 1]
    for form in FORMS:
        question = ModelQuestion('Answer in JSON: {"ok": true}', "Ready?", tokens, form=form, schema=_TRIAL_SCHEMA)
        began = perf_counter()
        try:
            async with asyncio.timeout(seconds):
                answer = await model.ask(question)
        except ModelRefused as error:
            if form == "plain" or not error.of_the_form:
                raise
            continue
        took = perf_counter() - began
        usd = 0.0 if is_own(place) else price(model, answer)
        cost = "at a price that is not known" if usd is None else f"for ${usd:.5f}" if usd else "free of charge"
        return ModelTrial(True, "; ".join((f"answered in {took:.1f} s, {cost}", *said, _FORM_WORDS[form])))
    raise AssertionError("the last form is asked for or refused")


def providers() -> tuple[tuple[str, str], ...]:
    """Who can be asked, each by its name in settings and its title."""
    return tuple({each.title: (name, each.title) for name, each in reversed(_PROVIDERS.items())}.values())[::-1]


def key_setting(place: ModelPlace) -> str:
    """The setting that holds the key of this model: of its provider, or of the server that is written with it."""
    return SERVER_KEY if place.url else _PROVIDERS[place.provider].keys[0]


def model_hosts(settings: Settings) -> list[str]:
    """The addresses of the model servers of the settings, which model calls may reach. Raises SettingError."""
    names = {each.base_url_setting for each in _PROVIDERS.values() if each.base_url_setting}
    written = [settings.model, *(getattr(settings, f"model_{role}") for role in ROLES)]
    placed = [each.partition(" at ")[2].strip() for each in written if each]
    return [url for url in (*(settings.key(name) for name in sorted(names)), *placed) if url]


def _key(place: ModelPlace, settings: Settings) -> str:
    provider = _PROVIDERS[place.provider]
    own = settings.key(provider.base_url_setting)
    # A key goes to the provider, or to the server that the user has set in the provider's place.
    written = place.url is not None and not (own and own.rstrip("/") == place.url.rstrip("/"))
    key = next((key for name in ((SERVER_KEY,) if written else provider.keys) if (key := settings.key(name))), None)
    if key is None and not provider.keyless and place.url is None:
        raise SettingError(
            f"The model {place} needs a key.", advice=f"Set {' or '.join(provider.keys)}, or another INQUEST_MODEL."
        )
    return key or _NO_KEY


def _check_extra(place: ModelPlace) -> None:
    extra = _PROVIDERS[place.provider].extra
    if extra is None:
        return
    name, module = extra
    try:
        there = find_spec(module) is not None
    except ModuleNotFoundError:
        there = False
    if not there:
        raise SettingError(
            f"The model {place} needs the extra packages of `inquest[{name}]`.",
            advice=f"Install them, or reach it through openrouter:{'google' if name == 'google' else name}/...",
        )


def _maker(place: ModelPlace, key: str, door: CaseClient) -> Callable[[], AskedModel]:
    def make() -> AskedModel:
        from inquest.analysts.chat import ChatModel

        transport = door.transport(str(place))
        if place.provider in _LIBRARIES:
            return _of_library(place, key, transport)
        if place.provider == "openrouter":
            if "/" not in place.model:
                raise SettingError(
                    f"'{place}' names no model of OpenRouter.",
                    advice="Write it like openrouter:anthropic/claude-sonnet-4.5.",
                )
            return ChatModel(place.model, _OPENROUTER_URL, key, transport, "openrouter")
        url = place.url or str(_OPENAI.base_url)
        service: Service = "ollama" if place.provider == "ollama" else "openai"
        return ChatModel(
            place.model, url, key, transport, service, streams=service == "ollama" or place.url is not None
        )

    return make


def _of_library(place: ModelPlace, key: str, transport: httpx2.AsyncBaseTransport) -> AskedModel:
    import httpx2

    from inquest.analysts.asked_model import Noting
    from inquest.analysts.library_model import LibraryModel

    client = httpx2.AsyncClient(transport=Noting(transport), timeout=_SECONDS)
    return LibraryModel(_LIBRARIES[place.provider](place, key, client))


def _anthropic(place: ModelPlace, key: str, client: Any) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    # The address is given, so that the client does not look for one in the environment.
    url = place.url or "https://api.anthropic.com"
    return AnthropicModel(place.model, provider=AnthropicProvider(api_key=key, base_url=url, http_client=client))


def _google(place: ModelPlace, key: str, client: Any) -> Model:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    return GoogleModel(place.model, provider=GoogleProvider(api_key=key, http_client=client))


_LIBRARIES: dict[str, Callable[[ModelPlace, str, Any], Model]] = {
    "anthropic": _anthropic,
    "google": _google,
    "google-gla": _google,
}
"""Services with a form of their own."""
