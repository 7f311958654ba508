"""What a search may be asked with: one clear sentence for each thing that cannot be used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field, ValidationError, field_validator

from inquest.domain.errors import InputError
from inquest.domain.value import Value
from inquest.sources.source_types import SOURCE_TYPES, known_type
from inquest.text.regex import regex
from inquest.text.sentences import shorten
from inquest.text.urls import host_of

TIME_RANGES = {"day": 1, "week": 7, "month": 31, "year": 366, "all": 0}
"""Days back from now; 0: no bound."""
DEPTHS = ("basic", "advanced")
_MOST_RESULTS = 50
_LONGEST = 2_000
_HOST = regex(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)+")


class SearchArguments(Value):
    """The arguments of `search_web` (spec 000 §1.3, 002 §4.1)."""

    query: str = Field(description="What to look for, as words for a search engine.")
    max_results: int = Field(
        default=10, ge=1, le=_MOST_RESULTS, description="Most results to return, 1 to 50; 10 unless given."
    )
    include_domains: tuple[str, ...] = Field(
        default=(), description='Only results of these domains, such as ["reuters.com", "sec.gov"].'
    )
    exclude_domains: tuple[str, ...] = Field(default=(), description="No results of these domains.")
    time_range: str = Field(
        default="all",
        description="How far back results may go; 'all' unless given. Undated ones are kept and marked.",
        json_schema_extra={"enum": list(TIME_RANGES)},
    )
    search_depth: str = Field(
        default="basic",
        description="'basic' asks one engine, 'advanced' all that fit, merged by relevance and credibility.",
        json_schema_extra={"enum": list(DEPTHS)},
    )
    source_types: tuple[str, ...] = Field(
        default=(),
        description="Kinds of source wanted: news, press_release, company, academic, research, benchmark, standard, "
        "government, regulatory, filing, fact_check, social, reference, ngo, web, own. Any unless given.",
    )

    @field_validator("query")
    @classmethod
    def _something_to_look_for(cls, query: str) -> str:
        words = " ".join(query.split())
        if not words:
            raise ValueError("it is empty")
        if len(words) > _LONGEST:
            raise ValueError(f"it has {len(words):,} characters, at most {_LONGEST:,} are taken")
        return words

    @field_validator("include_domains", "exclude_domains", "source_types", mode="before")
    @classmethod
    def _a_list(cls, value: Any) -> Any:
        """A model often writes one name, or names with commas, where a list is wanted."""
        return [part for part in value.split(",") if part.strip()] if isinstance(value, str) else value

    @field_validator("include_domains", "exclude_domains")
    @classmethod
    def _hosts(cls, domains: tuple[str, ...]) -> tuple[str, ...]:
        hosts = {domain: host_of(domain).removeprefix("www.") for domain in domains}
        for domain, host in hosts.items():
            if not _HOST.fullmatch(host):
                raise ValueError(f"'{domain}' is not a domain; write it like reuters.com")
        return tuple(dict.fromkeys(hosts.values()))

    @field_validator("time_range")
    @classmethod
    def _a_range(cls, value: str) -> str:
        if value.strip().lower() not in TIME_RANGES:
            raise ValueError(f"'{value}' is none of {', '.join(TIME_RANGES)}")
        return value.strip().lower()

    @field_validator("search_depth")
    @classmethod
    def _a_depth(cls, value: str) -> str:
        if value.strip().lower() not in DEPTHS:
            raise ValueError(f"'{value}' is none of {', '.join(DEPTHS)}")
        return value.strip().lower()

    @field_validator("source_types")
    @classmethod
    def _known_types(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        known = {word: known_type(word) for word in words}
        for word, name in known.items():
            if name is None:
                raise ValueError(f"'{word}' is none of {', '.join(SOURCE_TYPES)}")
        return tuple(dict.fromkeys(name for name in known.values() if name))

    @property
    def days(self) -> int:
        """How far back results may go; 0: as far as they do."""
        return TIME_RANGES[self.time_range]


def search_arguments(given: Mapping[str, Any]) -> SearchArguments:
    """The arguments, those that are None as if not given. Raises InputError."""
    try:
        return SearchArguments.model_validate({name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        name = shorten(" ".join(str(first["loc"][0]).split()), 40) if first["loc"] else "query"
        # On one line, and no longer than a sentence: it repeats what was given.
        said = " ".join(first["msg"].removeprefix("Value error, ").split())
        why = shorten("".join(char for char in said if char.isprintable()), 250)
        raise InputError(
            f"The argument {name} of the search cannot be used: {why[:1].lower()}{why[1:]}.",
            advice=f"Arguments: {', '.join(SearchArguments.model_fields)}.",
        ) from error
