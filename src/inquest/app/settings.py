"""The settings, read here and nowhere else: environment, then `inquest.toml` in the data folder, then options.

Later wins; the model that is chosen in the page (`[chosen]`) is used where none of them names one. Keys have the names
that the services' own clients use (TAVILY_API_KEY); INQUEST_TAVILY_API_KEY wins over TAVILY_API_KEY, and `[keys]` in
`inquest.toml` over both. What concerns one engine is INQUEST_<NAME>_PER_DAY and the like, or its table `[engine.NAME]`.
"""

from __future__ import annotations

import os
import re
import tomllib
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from inquest.domain.errors import InputError, SettingError
from inquest.kit.engine import EngineSpec, Limits
from inquest.kit.mcp_server import SERVER_NAME, McpServer
from inquest.text.regex import regex
from inquest.text.urls import is_web_url

Role = Literal["plan", "summarise", "assess", "fact_check", "write", "news", "academic", "market"]
ROLES: tuple[Role, ...] = ("plan", "summarise", "assess", "fact_check", "write", "news", "academic", "market")

Names = tuple[str, ...]


class EngineSetting(BaseModel):
    """What the user sets for one engine: its address, and limits of a plan other than the one we know."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str | None = None
    per_second: Annotated[float, Field(gt=0)] | Literal["none"] | None = None
    per_day: Annotated[int, Field(ge=0)] | Literal["none"] | None = None
    per_month: Annotated[int, Field(ge=0)] | Literal["none"] | None = None
    """'none' lifts the limit."""

    def limits(self, usual: Limits) -> Limits:
        """The engine's limits with what is set here."""
        set_here: dict[str, Any] = {}
        if self.per_second is not None:
            # How many of another plan may go at once is not known.
            set_here |= {"per_second": 0.0 if self.per_second == "none" else self.per_second, "burst": 1}
        for name in ("per_day", "per_month"):
            if (value := getattr(self, name)) is not None:
                set_here[name] = None if value == "none" else value
        return usual.model_copy(update=set_here)


class Chosen(BaseModel):
    """The table [chosen] of `inquest.toml`: what is chosen in the page or by `inquest models use`. Settings win."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = ""
    over: str = ""
    """The setting that wins over it; '': none is set. Never in the file."""


class Settings(BaseModel):
    """Every setting, with its default (INTERFACES.md). Built by `load_settings`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    home: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("inquest", appauthor=False)))
    """The data folder: database, archive, collections."""
    database_url: str | None = None
    storage_url: str | None = None
    """Where the archive lies for several machines: s3://BUCKET/PREFIX and the like; None: in the data folder."""
    model: str | None = None
    """provider:model, perhaps ' at ' the address of its server; None: the local analyst."""
    model_plan: str | None = None
    model_summarise: str | None = None
    model_assess: str | None = None
    model_fact_check: str | None = None
    model_write: str | None = None
    model_news: str | None = None
    model_academic: str | None = None
    model_market: str | None = None
    stance_model: str | None = None
    """The small model that reads pairs: a name of `inquest models` or a folder; 'none': rules alone; None or
    'package': that of the package."""
    sentence_model: str | None = None
    """The small model that turns texts into vectors, likewise."""
    model_hub: str = "https://huggingface.co"
    """Where `inquest models download` gets models from: the public hub, or a mirror of it."""
    engines: Names = ()
    reranker: str = "local"
    """Who says how well leads fit the question: local, cohere, jina. A service learns the question and the leads."""
    reranker_model: str | None = None
    """Another model of that service than the usual one."""
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
    """A CSV of one's own ratings (domain, score), which win over the table."""
    searxng_url: str | None = None
    engine: dict[str, EngineSetting] = {}
    """By the engine's name: INQUEST_<NAME>_URL, INQUEST_<NAME>_PER_SECOND, _PER_DAY, _PER_MONTH."""
    mcp: dict[Annotated[str, Field(pattern=SERVER_NAME)], McpServer] = {}
    """MCP servers that are engines, by name: `inquest engines add mcp:NAME`."""
    second_readers: Names = ("wayback",)
    """Who is asked for a page that is gone or bars us, in this order: jina, wayback; 'none': nobody."""
    callback_url: str | None = None
    """Where each event of a case is posted to (spec 004's callbacks)."""
    public_url: str | None = None
    """The address by which `inquest serve` is reached from outside, where a proxy is before it."""
    sign_in: bool = False
    """`inquest serve`: requests of this machine itself must sign in, too."""
    requests_per_minute: int = Field(default=600, ge=1)
    """How often one user may ask `inquest serve`."""
    most_waiting: int = Field(default=1_000, ge=1)
    """Cases that `inquest serve` takes in while they are not done; beyond it, it refuses new ones for a while."""
    upload_mb: int = Field(default=50, ge=1, le=1000)
    """The largest report that `inquest serve` takes, in MB."""
    oidc_issuer: str | None = None
    """Who signs people in for `inquest serve`; OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are its keys."""
    oidc_role: Literal["none", "reader", "investigator", "editor", "admin"] = "reader"
    """What somebody may do whom the identity provider vouches for and who is new; none: they are not let in."""
    traces: Literal["none", "otlp", "console"] = "none"
    """Where spans of cases go (OpenTelemetry); servers and workers take it from its own variables (`for_operators`)."""
    keys: dict[str, str] = {}
    """Service keys and base URLs by the names their own clients use."""
    chosen: Chosen = Chosen()
    untested: dict[str, str] = {}
    """Keys, and a chosen `model`, that could not be tested yet: they are kept, and not used."""

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

    def model_for(self, role: Role) -> str | None:
        """The model that has this role; None: the local analyst."""
        return getattr(self, f"model_{role}") or self.model

    @property
    def uses_model(self) -> bool:
        return any(self.model_for(role) for role in ROLES)

    @property
    def resolved_database_url(self) -> str:
        return self.database_url or f"sqlite:///{self.home / 'inquest.db'}"

    def key(self, name: str | None) -> str | None:
        """The value of a key or base URL by the name its own client uses, or None."""
        return self.keys.get(name) if name else None

    def address(self, spec: EngineSpec) -> str | None:
        """The address of an engine that users run or choose themselves, or None."""
        if not spec.url_setting:
            return None
        own = spec.url_setting.removeprefix("INQUEST_").lower()
        named = self.engine.get(own.removesuffix("_url"))
        return getattr(self, own, None) or (named.url if named else None)

    def limits(self, spec: EngineSpec) -> Limits:
        """What an engine lets this user do."""
        limits = spec.limits
        if (pool := self.engine.get(limits.counted_with)) is not None:
            # One allowance: what is set for it counts for all that draw on it; their pace stays their own.
            limits = pool.model_copy(update={"per_second": None}).limits(limits)
        named = self.engine.get(spec.name)
        return named.limits(limits) if named else limits

    def reranker_limits(self, label: str, usual: Limits) -> Limits:
        """What a reranker lets this user do: INQUEST_COHERE_RERANKER_PER_MONTH and the like."""
        named = self.engine.get(label)
        return named.limits(usual) if named else usual

    @property
    def deadline_seconds(self) -> float | None:
        return parse_duration(self.deadline) if self.deadline else None


def load_settings(**options: Any) -> Settings:
    """The settings of this process. Options that are None count as not given. Raises SettingError with one sentence
    that names the setting."""
    given = {name: value for name, value in options.items() if value is not None}
    home = Path(
        given.get("home")
        or os.environ.get("INQUEST_HOME")
        or Settings.model_fields["home"].get_default(call_default_factory=True)
    )
    from_file = _toml(home.expanduser() / "inquest.toml")
    keys = (
        _keys_from_environment()
        | {str(k): str(v) for k, v in from_file.pop("keys", {}).items()}
        | given.pop("keys", {})
    )
    engine = _engines_from_environment()
    for source in (from_file, given):
        for named, values in source.pop("engine", {}).items():
            engine[str(named)] = engine.get(str(named), {}) | values if isinstance(values, dict) else values
    environment = _from_environment()
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
        name = ".".join(str(part) for part in first["loc"]) or "setting"
        if first["loc"][:1] == ("engine",):
            name = "_".join(str(part) for part in first["loc"][1:3])
        raise SettingError(
            f"The setting INQUEST_{name.upper()} is wrong: {first['msg'].removeprefix('Value error, ')}.",
            advice="Put it right in the environment or in inquest.toml.",
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
        raise SettingError(f"{path} has a setting 'engine' that is no table.", advice="Write [engine.NAME].")
    unknown = sorted(set(values) - set(Settings.model_fields))
    if unknown:
        raise SettingError(f"{path} has a setting that does not exist: {unknown[0]}.", advice="Check its spelling.")
    values.pop("home", None)
    return values


def _from_environment() -> dict[str, str]:
    """INQUEST_<NAME> for each setting that is one value or a list with commas, whatever the case of its letters."""
    prefix, structured = "inquest_", {"keys", "engine", "mcp", "chosen", "untested"}
    named = ((name.lower(), value) for name, value in os.environ.items() if name.lower().startswith(prefix))
    found = {name.removeprefix(prefix): value for name, value in named}
    return {name: value for name, value in found.items() if name in Settings.model_fields and name not in structured}


def for_operators(settings: Settings) -> Settings:
    """The settings of a server or a worker: traces go where OpenTelemetry's variables want them sent, read as its
    specification has it. A command or a library that finds these variables in its environment sends nothing."""
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
            said = value.strip()
            found.setdefault(match[1].lower(), {})[match[2].lower()] = "none" if said.lower() == "none" else said
    return found


def _keys_from_environment() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in sorted(os.environ, key=lambda name: name.startswith("INQUEST_")):  # INQUEST_ last: it wins
        match = _SERVICE_VALUE.match(name)
        if match and os.environ[name].strip():
            found[match[1]] = os.environ[name].strip()
    return found


_DURATION = regex(r"^\s*(?:(\d+(?:\.\d+)?)\s*h)?\s*(?:(\d+(?:\.\d+)?)\s*m(?:in)?)?\s*(?:(\d+(?:\.\d+)?)\s*s?)?\s*$")


_LONGEST_DURATION = 366 * 86_400


def parse_duration(text: str) -> float:
    """Seconds of '90', '90s', '5m', '1h30m'. Raises InputError (a ValueError would read as a defect)."""
    match = _DURATION.match(text)
    if not match or not any(match.groups()):
        raise InputError(f"'{text}' is not a duration.", advice="Write it like 90s, 5m or 1h30m.", field="deadline")
    hours, minutes, seconds = (float(part) if part else 0.0 for part in match.groups())
    total = hours * 3600 + minutes * 60 + seconds
    if total > _LONGEST_DURATION:
        raise InputError(f"'{text[:100]}' is longer than a year.", advice="Leave it out for no limit.")
    if total <= 0:
        raise InputError(f"'{text}' leaves no time at all.", advice="Write it like 90s, 5m or 1h30m.", field="deadline")
    return total


END_OF_DAY = time(23, 59, 59)
"""What a bare date means."""


def parse_moment(text: str) -> datetime:
    """A date or date-time in UTC; a bare date means the end of that day, a bare month or year the end of it. Raises
    InputError."""
    value = text.strip()
    try:
        if re.fullmatch(r"\d{4}", value):
            return datetime(int(value), 12, 31, 23, 59, 59, tzinfo=UTC)
        if re.fullmatch(r"\d{4}-\d{2}", value):
            year, month = int(value[:4]), int(value[5:])
            following = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
            return datetime.fromtimestamp(following.timestamp() - 1, UTC)
        given = datetime.fromisoformat(value.replace("Z", "+00:00"))
        moment = given.astimezone(UTC) if given.tzinfo else given.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise InputError(f"'{text}' is not a date.", advice="Write it like 2024-03-05 or 2024-03-05T10:00Z.") from error
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        return datetime.combine(moment.date(), END_OF_DAY, UTC)
    return moment
