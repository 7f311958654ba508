"""The settings, read only here: from the environment, `inquest.toml` in the data folder, and options.

Later ones take precedence; the model chosen in the page (`[chosen]`) is used if none of them sets one. Keys have the
names used by the services' own clients (TAVILY_API_KEY); INQUEST_TAVILY_API_KEY takes precedence over TAVILY_API_KEY,
and `[keys]` in `inquest.toml` over both. Settings of one engine are INQUEST_<NAME>_PER_DAY etc., or `[engine.NAME]`.
"""

from __future__ import annotations

import os
import re
import tomllib
from calendar import monthrange
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from inquest.app.invalid import fault_of
from inquest.domain.errors import InputError, SettingError
from inquest.kit.engine import EngineSpec, Limits
from inquest.kit.mcp_server import SERVER_NAME, McpServer
from inquest.text.regex import regex
from inquest.text.urls import is_web_url

Role = Literal["plan", "summarise", "assess", "fact_check", "write", "news", "academic", "market"]
ROLES: tuple[Role, ...] = get_args(Role)
LOCAL = "local"
"""The local analyst, where a role names its model."""
Names = tuple[str, ...]


class EngineSetting(BaseModel):
    """Settings of one engine: its address, and the limits of the user's plan. 'none' removes a limit."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str | None = None
    per_second: Annotated[float, Field(gt=0)] | Literal["none"] | None = None
    per_day: Annotated[int, Field(ge=0)] | Literal["none"] | None = None
    per_month: Annotated[int, Field(ge=0)] | Literal["none"] | None = None

    def limits(self, usual: Limits) -> Limits:
        """The engine's limits with these settings."""
        changed: dict[str, Any] = {}
        if self.per_second is not None:
            # The burst of another plan is unknown.
            changed |= {"per_second": 0.0 if self.per_second == "none" else self.per_second, "burst": 1}
        for name in ("per_day", "per_month"):
            if (value := getattr(self, name)) is not None:
                changed[name] = None if value == "none" else value
        return usual.model_copy(update=changed)


class Chosen(BaseModel):
    """The table [chosen] of `inquest.toml`, set in the page or by `inquest models use`. Settings take precedence.
    `over`: the setting that does so, or ''; never in the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = ""
    over: str = ""


class Settings(BaseModel):
    """Every setting, with its default (INTERFACES.md). Built by `load_settings`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    home: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("inquest", appauthor=False)))
    """The data folder: database, archive, collections."""
    database_url: str | None = None
    storage_url: str | None = None
    """The archive shared by several machines, such as s3://BUCKET/PREFIX; None: in the data folder."""
    model: str | None = None
    """provider:model, optionally with ' at URL' of its server; None: the local analyst."""
    model_plan: str | None = None
    model_summarise: str | None = None
    model_assess: str | None = None
    model_fact_check: str | None = None
    model_write: str | None = None
    model_news: str | None = None
    model_academic: str | None = None
    model_market: str | None = None
    stance_model: str | None = None
    """The small model of entailment: a name of `inquest models` or a folder; 'none': rules alone; None or 'package':
    that of the package."""
    sentence_model: str | None = None
    """The small model of sentence vectors, likewise."""
    model_hub: str = "https://huggingface.co"
    """The hub of `inquest models download`, or a mirror."""
    engines: Names = ()
    reranker: str = "local"
    """The judge of the relevance of hits: local, cohere, jina. A service receives the question and the hits."""
    reranker_model: str | None = None
    """A model other than the service's default."""
    proxy: str | None = None
    ca_file: Path | None = None
    allow_hosts: Names = ()
    budget_usd: float | None = Field(default=None, ge=0)
    deadline: str | None = None
    contact: str | None = None
    """An e-mail address for services that ask for one (CrossRef, OpenAlex, Wikipedia)."""
    robots: bool = True
    """Respect robots.txt for pages."""
    ratings: Path | None = None
    """A CSV of the user's ratings (domain, score), which take precedence over the table."""
    searxng_url: str | None = None
    engine: dict[str, EngineSetting] = {}
    """By the engine's name: INQUEST_<NAME>_URL, INQUEST_<NAME>_PER_SECOND, _PER_DAY, _PER_MONTH."""
    mcp: dict[Annotated[str, Field(pattern=SERVER_NAME)], McpServer] = {}
    """MCP servers that are engines, by name: `inquest engines add mcp:NAME`."""
    second_readers: Names = ("wayback",)
    """Services tried in order for pages that are gone or refuse access: jina, wayback; 'none' for none."""
    callback_url: str | None = None
    """The address to which events of cases are posted."""
    public_url: str | None = None
    """The public address of `inquest serve` behind a proxy."""
    sign_in: bool = False
    """`inquest serve`: require signing in on this machine, too."""
    requests_per_minute: int = Field(default=600, ge=1)
    """The limit of requests to `inquest serve` for each user."""
    most_waiting: int = Field(default=1_000, ge=1)
    """Unfinished cases of `inquest serve`, beyond which new ones are refused."""
    upload_mb: int = Field(default=50, ge=1, le=1000)
    """The largest report accepted by `inquest serve`, in MB."""
    oidc_issuer: str | None = None
    """The identity provider of `inquest serve`, with the keys OIDC_CLIENT_ID and OIDC_CLIENT_SECRET."""
    oidc_role: Literal["none", "reader", "investigator", "editor", "admin"] = "reader"
    """The role of new users from the identity provider; none: they are rejected."""
    traces: Literal["none", "otlp", "console"] = "none"
    """The exporter of OpenTelemetry spans; servers and workers use its own variables (`for_operators`)."""
    keys: dict[str, str] = {}
    """Service keys and base URLs by the names of their own clients."""
    chosen: Chosen = Chosen()
    untested: dict[str, str] = {}
    """Keys and a chosen `model` not tested yet, stored but not used."""

    @field_validator("engines", "allow_hosts", "second_readers", mode="before")
    @classmethod
    def _comma_separated(cls, value: Any) -> Any:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("second_readers")
    @classmethod
    def _none_is_nobody(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(name.lower() for name in value))
        return () if names == ("none",) else names

    @field_validator("callback_url")
    @classmethod
    def _a_web_address(cls, value: str | None) -> str | None:
        if value and not is_web_url(value):
            raise ValueError(f"expected a web address, such as http://127.0.0.1:3000/callback, not '{value}'")
        return value

    @field_validator("deadline")
    @classmethod
    def _a_duration(cls, value: str | None) -> str | None:
        if value is not None:
            parse_duration(value)
        return value

    def model_for(self, *roles: Role) -> str | None:
        """The model of the first of these roles that has one of its own, else the common one; None: the local
        analyst."""
        named = next(filter(None, (getattr(self, f"model_{role}") for role in roles)), self.model)
        return None if named == LOCAL else named

    @property
    def uses_model(self) -> bool:
        return any(self.model_for(role) for role in ROLES)

    @property
    def models_in_words(self) -> str:
        """The name of the model in use; '': the local analyst."""
        return self.model or ("models by role" if self.uses_model else "")

    @property
    def resolved_database_url(self) -> str:
        return self.database_url or f"sqlite:///{self.home / 'inquest.db'}"

    def key(self, name: str | None) -> str | None:
        """The value of a key or base URL, or None."""
        return self.keys.get(name) if name else None

    def address(self, spec: EngineSpec) -> str | None:
        """The address of an engine run or chosen by the user, or None."""
        if not spec.url_setting:
            return None
        own = spec.url_setting.removeprefix("INQUEST_").lower()
        named = self.engine.get(own.removesuffix("_url"))
        return getattr(self, own, None) or (named.url if named else None)

    def limits(self, spec: EngineSpec) -> Limits:
        """The limits of an engine for this user."""
        limits = spec.limits
        if (pool := self.engine.get(limits.counted_with)) is not None:
            # A shared quota applies to all its engines; each keeps its rate.
            limits = pool.model_copy(update={"per_second": None}).limits(limits)
        return self.reranker_limits(spec.name, limits)

    def reranker_limits(self, label: str, usual: Limits) -> Limits:
        """The limits of a reranker, such as INQUEST_COHERE_RERANKER_PER_MONTH."""
        named = self.engine.get(label)
        return named.limits(usual) if named else usual

    @property
    def deadline_seconds(self) -> float | None:
        return parse_duration(self.deadline) if self.deadline else None


def load_settings(**options: Any) -> Settings:
    """Read the settings of this process. Options that are None are ignored. Raises SettingError."""
    given = {name: value for name, value in options.items() if value is not None}
    home = Path(
        given.get("home")
        or os.environ.get("INQUEST_HOME")
        or Settings.model_fields["home"].get_default(call_default_factory=True)
    )
    from_file = _toml(home.expanduser() / "inquest.toml")
    kept_keys = {str(name): str(value) for name, value in from_file.pop("keys", {}).items()}
    keys = _keys_from_environment() | kept_keys | given.pop("keys", {})
    engine = _engines_from_environment()
    for source in (from_file, given):
        for named, values in source.pop("engine", {}).items():
            engine[str(named)] = engine.get(str(named), {}) | values if isinstance(values, dict) else values
    # INQUEST_<NAME>, in any case, for each setting that is a value or a list with commas.
    prefix, structured = "inquest_", {"keys", "engine", "mcp", "chosen", "untested"}
    named = ((name.lower(), value) for name, value in os.environ.items() if name.lower().startswith(prefix))
    found = {name.removeprefix(prefix): value for name, value in named}
    environment = {
        name: value for name, value in found.items() if name in Settings.model_fields and name not in structured
    }
    merged = environment | from_file | given | {"engine": engine, "home": home.expanduser().absolute(), "keys": keys}
    merged["untested"] = {name: value for name, value in dict(from_file.get("untested", {})).items() if value}
    kept = from_file.get("chosen", {})
    chosen = str(kept.get("model", "")) if isinstance(kept, dict) else ""
    if "model" in given or from_file.get("model") or environment.get("model"):
        over = "model" if "model" in given else "inquest.toml" if from_file.get("model") else "INQUEST_MODEL"
        merged["chosen"] = Chosen(model=chosen, over=over)
    else:
        merged |= {"chosen": Chosen(model=chosen), "model": chosen or None}
    try:
        return Settings(**merged)
    except ValidationError as error:
        first = error.errors()[0]
        name = "_".join(str(part) for part in first["loc"] if part != "engine") or "setting"
        raise SettingError(
            f"The setting INQUEST_{name.upper()} is invalid: {fault_of(first)}.",
            advice="Correct it in the environment or in inquest.toml.",
        ) from error


def _toml(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(f"{path} cannot be read ({error}).") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"{path} is not valid TOML: {error}.") from error
    if isinstance(values.get("engines"), dict):
        raise SettingError(f"{path} has a table [engines].", advice="Write [engine.NAME] for one engine's settings.")
    if not isinstance(values.get("engine", {}), dict):
        raise SettingError(f"{path} has a setting 'engine' that is not a table.", advice="Write [engine.NAME].")
    unknown = sorted(set(values) - set(Settings.model_fields))
    if unknown:
        raise SettingError(f"{path} has a setting that does not exist: {unknown[0]}.", advice="Check its spelling.")
    values.pop("home", None)
    return values


def for_operators(settings: Settings) -> Settings:
    """The settings of a server or worker, with the exporter of OpenTelemetry's variables by its specification. Commands
    and the library ignore these variables."""
    named = {name: value.strip().lower() for name, value in os.environ.items() if name.startswith("OTEL_")}
    if settings.traces != "none" or named.get("OTEL_SDK_DISABLED") == "true":
        return settings
    exporter = named.get("OTEL_TRACES_EXPORTER")
    if exporter in ("otlp", "console"):
        return settings.model_copy(update={"traces": exporter})
    addresses = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    asked = not exporter and any(named.get(name) for name in addresses)
    return settings.model_copy(update={"traces": "otlp"}) if asked else settings


_SERVICE_VALUE = regex(
    r"^(?:INQUEST_)?([A-Z][A-Z0-9_]*_(?:API_KEY|API_SECRET|API_TOKEN|ACCESS_TOKEN|BEARER_TOKEN|AGENT_SECRET|APP_PASSWORD"
    r"|CLIENT_ID|CLIENT_SECRET|CSE_ID|BASE_URL|HANDLE))$"
)
_ENGINE_VALUE = regex(r"^INQUEST_([A-Z][A-Z0-9_]*?)_(URL|PER_SECOND|PER_DAY|PER_MONTH)$")


def _engines_from_environment() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for name, value in os.environ.items():
        match = _ENGINE_VALUE.match(name)
        if match and value.strip() and name.removeprefix("INQUEST_").lower() not in Settings.model_fields:
            text = value.strip()
            found.setdefault(match[1].lower(), {})[match[2].lower()] = "none" if text.lower() == "none" else text
    return found


def _keys_from_environment() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in sorted(os.environ, key=lambda name: name.startswith("INQUEST_")):  # INQUEST_ last, to take precedence
        match = _SERVICE_VALUE.match(name)
        if match and os.environ[name].strip():
            found[match[1]] = os.environ[name].strip()
    return found


def host_and_port(url: str) -> str:
    """Return host and port, like 'receiver.example:443'; '' without a host. Raises SettingError."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as error:
        raise SettingError(f"Invalid address '{url}': expected one such as http://127.0.0.1:8080.") from error
    return f"{parts.hostname}:{port}" if parts.hostname else ""


_DURATION = regex(r"^\s*(?:(\d+(?:\.\d+)?)\s*h)?\s*(?:(\d+(?:\.\d+)?)\s*m(?:in)?)?\s*(?:(\d+(?:\.\d+)?)\s*s?)?\s*$")
_LONGEST_DURATION = 366 * 86_400


def parse_duration(text: str) -> float:
    """Parse '90', '90s', '5m', '1h30m' into seconds. Raises InputError."""
    match = _DURATION.match(text)
    if not match or not any(match.groups()):
        raise InputError(f"'{text}' is not a duration.", advice="Write it like 90s, 5m or 1h30m.", field="deadline")
    hours, minutes, seconds = (float(part) if part else 0.0 for part in match.groups())
    total = hours * 3600 + minutes * 60 + seconds
    if total > _LONGEST_DURATION:
        raise InputError(f"'{text[:100]}' is longer than a year.", advice="Leave it out for no limit.")
    if total <= 0:
        raise InputError(f"'{text}' leaves no time.", advice="Write it like 90s, 5m or 1h30m.", field="deadline")
    return total


END_OF_DAY = time(23, 59, 59)
"""The time of day for a date without one."""


def parse_moment(text: str) -> datetime:
    """Parse a date-time, or a date, month or year, which mean their end, in UTC. Raises InputError."""
    value = text.strip()
    try:
        if re.fullmatch(r"\d{4}", value):
            value += "-12"
        if re.fullmatch(r"\d{4}-\d{2}", value):
            value += f"-{monthrange(int(value[:4]), int(value[5:]))[1]}"
        given = datetime.fromisoformat(value)
        moment = given.astimezone(UTC) if given.tzinfo else given.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        advice = "Write it like 2024-03-05 or 2024-03-05T10:00Z."
        raise InputError(f"'{text}' is not a date.", advice=advice, field="as_of") from error
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        return datetime.combine(moment.date(), END_OF_DAY, UTC)
    return moment
