"""The model analyst of the settings: the model of each duty, its server and its key; and the model servers on this
machine.

A model is written `provider:model`. Every client uses the case's `Door` as its transport, so that model calls are
guarded, recorded and replayed like all others; keys are passed in, never read from the environment by a client.

The extras `inquest[google]` and `inquest[anthropic]` install the clients of these providers. All others are called
through OpenAI's API (`analysts/chat.py`).
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from inquest.analysts.asked_model import FORMS, ModelQuestion, ModelRefused, price
from inquest.app.settings import ROLES, Role, Settings
from inquest.domain.errors import InquestError, ModelError, SettingError
from inquest.kit.exchange import Purpose, Request

if TYPE_CHECKING:
    from inquest.analysts.asked_model import AskedModel
    from inquest.analysts.chat import Service
    from inquest.analysts.model import Duty, ModelAnalyst
    from inquest.app.wiring.tracing import CaseClient
    from inquest.kit.analyst import Analyst
    from inquest.kit.ports import Budget, Clock

_ROLES: dict[Duty, tuple[Role, ...]] = {
    "plan": ("plan",),
    "read": ("summarise",),
    "merge": ("summarise",),
    "events": ("summarise",),
    "leanings": ("summarise",),
    "classify": ("summarise",),
    # In an inquiry, judgments are fact checks.
    "assess": ("fact_check", "assess"),
    "write": ("write",),
}
_DESKS: tuple[Literal["news", "academic", "market"], ...] = ("news", "academic", "market")
"""Desks that may have their own model for queries and judgments."""
SERVER_KEY = "MODEL_SERVER_API_KEY"
"""The key of a server whose address is written with its model; a provider's key is never sent there."""
_NO_KEY = "no-key-needed"
"""Passed to clients of keyless servers and to replays."""
_LATER = (402, 429, *range(500, 600))
"""Statuses that are not the fault of the key or the model, so that a later attempt may succeed."""
_TRIAL_TOKENS = 120, 1_000
"""Answer limits of a trial: for the user's own server, which may be slow; for a service, which may reason first."""
_TRIAL = (
    ("The museum reopened in March 2024.", "Visitors were let back into the museum in March 2024.", "supports"),
    ("The council approved the stadium.", "The council voted 31 to 12 not to approve the stadium.", "contradicts"),
    ("The company has closed its Leeds plant.", "It plans to close the Leeds plant in 2027.", "neither"),
    ("The fire killed 40 people.", "Four people died in the fire, police said.", "contradicts"),
    ("The mayor took bribes.", "A former aide accuses the mayor of taking bribes.", "neither"),
    ("Norwood Hospital cut 200 jobs.", "Norfolk Hospital cut 200 jobs.", "neither"),
    ("The river rose by 1.5 metres.", "The river's level climbed by 150 centimetres overnight.", "supports"),
    ("Unemployment rose in May.", "The jobless rate fell from 5.2 to 4.9 per cent in May.", "contradicts"),
)
"""Claims with a sentence each and its relation to the claim, which a model that judges claims must read."""
_ENOUGH = 6
"""Right readings of the trial below which a model should not judge. Qwen2.5-Coder 1.5B, which is wrong on a third of 60
judged pairs, has three; the local analyst has all."""
_TRIAL_ASKS = """Each numbered line has a claim and a sentence. Does the sentence, taken as true, prove the claim
("supports"), prove that it is false ("contradicts"), or do neither ("neither")? What is planned or alleged proves
nothing. Answer in JSON, one word per line, in order: {"answers": ["neither", "supports", ...]}"""
_TRIAL_TEXT = "\n".join(
    f"{number}. Claim: {claim} Sentence: {said}" for number, (claim, said, _) in enumerate(_TRIAL, 1)
)
_RELATIONS = ("supports", "contradicts", "neither")
_TRIAL_SCHEMA = {
    "type": "object",
    "properties": {"answers": {"type": "array", "items": {"type": "string", "enum": list(_RELATIONS)}}},
    "required": ["answers"],
    "additionalProperties": False,
}
_FORM_WORDS = {
    "schema": "structured output by a JSON schema",
    "json": "structured output as JSON",
    "plain": "no structured output",
}
_OPENROUTER_URL = "https://openrouter.ai/api/v1"
_SECONDS = 310.0
"""Longer than the limit of `Door` for a model call, so that its error is the one reported."""


@dataclass(frozen=True)
class _Provider:
    """Title, key settings and address of a service. `extra`: the extra with its client, and a module of it; `keyless`:
    such servers usually need no key."""

    title: str
    keys: tuple[str, ...]
    base_url_setting: str | None = None
    base_url: str | None = None
    extra: tuple[str, str] | None = None
    keyless: bool = False


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
    """A model and its server. `url`: None for the provider's own. `str` is the inverse of `read`."""

    provider: str
    model: str
    url: str | None = None

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}" + (f" at {self.url}" if self.url else "")

    @classmethod
    def read(cls, written: str) -> ModelPlace:
        """Parse `provider:model [at URL]`. Raises SettingError for another form or an unknown provider."""
        name, _, url = written.strip().partition(" at ")
        provider, colon, model = name.partition(":")
        provider = provider.strip().lower()
        if not colon or not model.strip() or not re.fullmatch(r"\S+", model.strip()):
            raise SettingError(f"Invalid model '{written}': expected provider:model, such as openai:gpt-5-mini.")
        if provider not in _PROVIDERS:
            known = ", ".join(sorted(_PROVIDERS))
            raise SettingError(
                f"There is no model provider '{provider}'.",
                advice=f"Providers: {known}; for a server with OpenAI's API, use openai with OPENAI_BASE_URL.",
            )
        return cls(provider, model.strip(), url.strip() or None)


def models_of(settings: Settings) -> dict[Duty, ModelPlace]:
    """The model of each duty in the settings; the local analyst has the other duties. A desk is listed if its model
    differs from the common ones for queries and judgments. Raises SettingError."""
    found: dict[Duty, ModelPlace] = {}
    for duty, roles in _ROLES.items():
        if written := settings.model_for(*roles):
            found[duty] = placed(ModelPlace.read(written), settings)
    for desk in _DESKS:
        written = getattr(settings, f"model_{desk}")
        place = placed(ModelPlace.read(written), settings) if written else None
        if place and not place == found.get("plan") == found.get("assess"):
            found[desk] = place
    return found


def placed(place: ModelPlace, settings: Settings) -> ModelPlace:
    """The model with the address of its server, unless that is the provider's own. Raises SettingError."""
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
    """True for a model on the user's own server, which costs nothing and may be slow."""
    return _PROVIDERS[place.provider].keyless or place.url is not None


def name_of(models: Mapping[Duty, ModelPlace]) -> str:
    """The analyst's name in a plan: the model, or each model with its duties. The inverse of `models_in`."""
    by_place: dict[str, list[str]] = {}
    for duty in (*_ROLES, *(desk for desk in _DESKS if desk in models)):
        by_place.setdefault(str(models[duty]) if duty in models else "local", []).append(duty)
    if len(by_place) == 1:
        return next(iter(by_place))
    return "; ".join(f"{place} ({', '.join(duties)})" for place, duties in by_place.items())


def models_in(name: str) -> dict[Duty, ModelPlace]:
    """The models of a case from the analyst's name in its plan, for a replay."""
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
    """Check provider, key and packages of every model of the settings. Raises SettingError."""
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
    """The analyst of the settings; for a replay, without keys, the one named `replayed` in the case's plan. `limited`:
    the case has a budget in dollars. Raises SettingError. Clients are imported and created at the first question."""
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
    """The result of one call to a model. `ok`: it answered; `refused`: the key or the model is at fault."""

    ok: bool
    says: str
    refused: bool = False


async def try_model(place: ModelPlace, settings: Settings, door: CaseClient, seconds: float) -> ModelTrial:
    """Ask a model to read eight sentences, and report time, price, the strictest form of structured output that it
    supports, how many it read correctly, and the context length of the user's own server. Raises SettingError."""
    try:
        _check_extra(place)
        model = _maker(place, _key(place, settings), door)()
        context = []
        if is_own(place):
            async with asyncio.timeout(seconds):
                limits = await model.limits()
            context = [f"{limits.tokens:,} tokens of context" if limits.tokens else "context length not reported"]
        tokens = _TRIAL_TOKENS[0 if is_own(place) else 1]
        for form in FORMS:
            question = ModelQuestion(_TRIAL_ASKS, _TRIAL_TEXT, tokens, form=form, schema=_TRIAL_SCHEMA)
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
            cost = "at an unknown price" if usd is None else f"for ${usd:.5f}" if usd else "free of charge"
            said = (f"answered in {took:.1f} s, {cost}", *context, _FORM_WORDS[form], _read_correctly(answer.text))
            return ModelTrial(True, "; ".join(said))
        raise AssertionError("the last form is asked for or refused")
    except TimeoutError:
        return ModelTrial(False, f"no answer within {seconds:g} seconds")
    except ModelError as error:
        return ModelTrial(False, error.sentence.rstrip("."))
    except ModelRefused as error:
        key = SERVER_KEY if place.url else " or ".join(_PROVIDERS[place.provider].keys)
        why = {401: f"refuses the key; check {key}", 403: f"refuses the key; check {key}", 404: "has no such model"}
        why |= {402: "reports an exhausted quota", 429: "reports an exhausted quota"}
        reason = why.get(error.status, "refuses to answer")
        return ModelTrial(False, f"reachable, but {reason} (HTTP {error.status})", refused=error.status not in _LATER)
    except ValueError:
        return ModelTrial(False, "reachable, but its replies do not follow OpenAI's API", refused=True)


def _read_correctly(answer: str) -> str:
    """Put the result of a trial in words."""
    given = re.findall("|".join(_RELATIONS), answer)
    if len(given) != len(_TRIAL):
        right, said = 0, "its answer on eight test sentences cannot be used"
    else:
        right = sum(one == relation for one, (_, _, relation) in zip(given, _TRIAL, strict=True))
        said = f"read {right} of {len(_TRIAL)} test sentences correctly"
    if right >= _ENOUGH:
        return said
    return f"{said}: it should not judge claims; INQUEST_MODEL_ASSESS=local leaves that to the local analyst"


def providers() -> tuple[tuple[str, str], ...]:
    """The name in settings and the title of every provider."""
    return tuple({each.title: (name, each.title) for name, each in reversed(_PROVIDERS.items())}.values())[::-1]


def key_setting(place: ModelPlace) -> str:
    """The setting with the key of this model: its provider's, or that of the server written with it."""
    return SERVER_KEY if place.url else _PROVIDERS[place.provider].keys[0]


def model_hosts(settings: Settings) -> list[str]:
    """The addresses of model servers in the settings, which model calls may reach. Raises SettingError."""
    names = {each.base_url_setting for each in _PROVIDERS.values() if each.base_url_setting}
    written = [settings.model, *(getattr(settings, f"model_{role}") for role in ROLES)]
    placed = [each.partition(" at ")[2].strip() for each in written if each]
    return [url for url in (*(settings.key(name) for name in sorted(names)), *placed) if url]


def _key(place: ModelPlace, settings: Settings) -> str:
    provider = _PROVIDERS[place.provider]
    own = settings.key(provider.base_url_setting)
    # A provider's key is sent to the provider, or to the server set in its place.
    written = place.url is not None and not (own and own.rstrip("/") == place.url.rstrip("/"))
    key = next((key for name in ((SERVER_KEY,) if written else provider.keys) if (key := settings.key(name))), None)
    if key is None and not provider.keyless and place.url is None:
        raise SettingError(
            f"The model {place} needs a key.", advice=f"Set {' or '.join(provider.keys)}, or choose another model."
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
            advice=f"Install them, or use openrouter:{name}/...",
        )


def _maker(place: ModelPlace, key: str, door: CaseClient) -> Callable[[], AskedModel]:
    def make() -> AskedModel:
        from inquest.analysts.chat import ChatModel

        transport = door.transport(str(place))
        if _PROVIDERS[place.provider].extra:
            import httpx2

            from inquest.analysts.asked_model import Noting
            from inquest.analysts.library_model import LibraryModel

            client: Any = httpx2.AsyncClient(transport=Noting(transport), timeout=_SECONDS)
            if place.provider == "anthropic":
                from pydantic_ai.models.anthropic import AnthropicModel
                from pydantic_ai.providers.anthropic import AnthropicProvider

                url = place.url or "https://api.anthropic.com"  # otherwise the client reads one from the environment
                anthropic = AnthropicProvider(api_key=key, base_url=url, http_client=client)
                return LibraryModel(AnthropicModel(place.model, provider=anthropic))
            from pydantic_ai.models.google import GoogleModel
            from pydantic_ai.providers.google import GoogleProvider

            return LibraryModel(GoogleModel(place.model, provider=GoogleProvider(api_key=key, http_client=client)))
        if place.provider == "openrouter":
            if "/" not in place.model:
                raise SettingError(
                    f"Invalid model '{place}': expected a name such as openrouter:anthropic/claude-sonnet-4.5."
                )
            return ChatModel(place.model, _OPENROUTER_URL, key, transport, "openrouter")
        url = place.url or str(_OPENAI.base_url)
        service: Service = "ollama" if place.provider == "ollama" else "openai"
        return ChatModel(
            place.model, url, key, transport, service, streams=service == "ollama" or place.url is not None
        )

    return make


PORTS = {11434: "Ollama", 8080: "llama.cpp", 1234: "LM Studio", 8000: "vLLM"}
"""The default port of each server, by its documentation."""
_OWNERS = {"library": "Ollama", "llamacpp": "llama.cpp", "organization_owner": "LM Studio", "vllm": "vLLM"}
"""`owned_by` in the reply of /v1/models identifies a server that runs on another's port."""
_FIND_SECONDS = 1.0
_MOST_MODELS = 20


@dataclass(frozen=True)
class ModelServer:
    """A model server on this machine. `models`: as written in settings, with the server's address."""

    title: str
    url: str
    models: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The models as the server names them."""
        return tuple(model.partition(":")[2].partition(" at ")[0] for model in self.models)

    @property
    def sentence(self) -> str:
        """The server's models and the command to use one, in words."""
        if not self.models:
            return f"{self.title} at {self.url} has no model yet"
        use = f"use one with `inquest models use '{self.models[0]}'`"
        return f"{self.title} at {self.url} has {', '.join(self.names)}; {use}"


async def model_servers(clock: Clock) -> tuple[ModelServer, ...]:
    """Find model servers on their default ports on this machine, without a key, a proxy or any other host."""
    from inquest.net.client import Network
    from inquest.net.door import Door
    from inquest.net.outside import Allowances
    from inquest.net.policy import RequestPolicy

    network = Network(model_hosts=[f"127.0.0.1:{port}" for port in PORTS])
    once = Allowances(policy=RequestPolicy(attempts=1))  # most ports refuse
    async with Door(clock=clock, user_agent="Inquest", network=network, allowances=once) as door:

        async def server_at(port: int, title: str) -> ModelServer | None:
            url = f"http://127.0.0.1:{port}/v1"
            with suppress(InquestError, TimeoutError, ValueError, KeyError, TypeError, AttributeError):
                async with asyncio.timeout(_FIND_SECONDS):
                    reply = await door.fetch(Request(url=f"{url}/models"), purpose=Purpose.MODEL, label=title)
                return _server(title, url, json.loads(reply.body)) if reply.status == 200 else None
            return None

        servers = await asyncio.gather(*(server_at(port, title) for port, title in PORTS.items()))
    return tuple(filter(None, servers))


async def suggested_servers(settings: Settings, clock: Clock) -> tuple[ModelServer, ...]:
    """The model servers on this machine, if no model is set."""
    return () if settings.uses_model else await model_servers(clock)


def _server(title: str, url: str, reply: Any) -> ModelServer:
    """Read a reply of /v1/models. Raises ValueError, KeyError, TypeError or AttributeError for any other reply."""
    entries = reply["data"] or ()
    title = next((_OWNERS[owner] for entry in entries if (owner := entry.get("owned_by")) in _OWNERS), title)
    provider = "ollama" if title == "Ollama" else "openai"
    names = [entry["id"] for entry in entries[:_MOST_MODELS]]
    usable = [name for name in names if isinstance(name, str) and not set(name) & set(" \n\t")]
    return ModelServer(title, url, tuple(f"{provider}:{name} at {url}" for name in usable))
