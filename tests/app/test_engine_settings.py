"""A user's settings for engines: keys and related values, addresses, and the limits of their plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from inquest.app.settings import load_settings
from inquest.app.wiring.engine_choices import engine_table, made_engines
from inquest.app.wiring.resources import Resources, open_resources
from inquest.domain.errors import SettingError
from inquest.kit.discover import engines
from inquest.kit.engine import Engine

FOUND = engines("inquest.engines")


def test_whatever_an_engine_wants_can_be_set_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = {"key": "key", "url": "url_setting", "account": "account_setting", "second_key": "second_key"}
    wanted = {(name, field): getattr(kind.spec, of) for name, kind in FOUND.items() for field, of in fields.items()}
    values = {(name, field): f"https://{field.replace('_', '-')}.example" for name, field in wanted}
    for each, setting in wanted.items():
        if setting:
            monkeypatch.setenv(setting, values[each])
    made = made_engines(load_settings())
    for (name, field), setting in wanted.items():
        assert getattr(made[name].access, field) == (values[name, field] if setting else None), (name, field)


def test_limits_of_another_plan_are_set_in_the_environment_or_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    usual = FOUND["brave"].spec.limits
    monkeypatch.setenv("INQUEST_BRAVE_PER_DAY", "500")
    monkeypatch.setenv("INQUEST_BRAVE_PER_MONTH", "none")
    (tmp_path / "inquest.toml").write_text("[engine.brave]\nper_day = 700\nper_second = 20\n")
    monkeypatch.setenv("INQUEST_HOME", str(tmp_path))
    limits = load_settings().limits(FOUND["brave"].spec)
    assert (limits.per_second, limits.per_day, limits.per_month) == (20, 700, None)
    assert (limits.concurrency, limits.timeout) == (usual.concurrency, usual.timeout)
    assert load_settings().limits(FOUND["tavily"].spec) == FOUND["tavily"].spec.limits
    slower = load_settings(engine={"tavily": {"per_second": 1.5}}).limits(FOUND["tavily"].spec)
    assert (slower.per_second, slower.burst) == (1.5, 1), "how many of another plan may go at once is not known"
    (row,) = [row for row in engine_table() if row["name"] == "brave"]
    assert (row["per_day"], row["per_month"]) == (700, None)


def test_what_is_set_for_a_key_s_allowance_counts_for_every_engine_that_draws_on_it() -> None:
    settings = load_settings(engine={"eodhd": {"per_day": 100_000, "per_second": 9}})
    assert settings.limits(FOUND["eodhd"].spec).per_day == 100_000
    prices = settings.limits(FOUND["eodhd_quote"].spec)
    assert (prices.per_day, prices.per_second) == (100_000, FOUND["eodhd_quote"].spec.limits.per_second)
    settings = load_settings(engine={"fmp": {"per_day": "none"}, "fmp_quote": {"per_day": 10}})
    assert settings.limits(FOUND["fmp_grades"].spec).per_day is None
    assert settings.limits(FOUND["fmp_quote"].spec).per_day == 10


@pytest.mark.parametrize("value", ["many", "-1"])
def test_a_limit_that_is_no_number_names_its_setting(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INQUEST_BRAVE_PER_DAY", value)
    with pytest.raises(SettingError, match="INQUEST_BRAVE_PER_DAY"):
        load_settings()


@pytest.mark.parametrize(
    "toml", ["[engines.brave]\nper_day = 5\n", "engine = 'brave'\n", "[engine.brave]\nper_dya = 5\n"]
)
def test_a_table_of_another_form_is_an_error(toml: str, tmp_path: Path) -> None:
    (tmp_path / "inquest.toml").write_text(toml)
    with pytest.raises(SettingError):
        load_settings(home=tmp_path)


async def test_calls_are_counted_for_keys_and_for_what_is_limited_without_one() -> None:
    def counted(app: Resources, engine: Engine) -> bool:
        limits = app.settings.limits(engine.spec)
        return bool(engine.access.key) or limits.per_day is not None or limits.per_month is not None

    settings = load_settings(keys={"TAVILY_API_KEY": "tvly-0"}, engine={"gdelt": {"per_day": 7}})
    async with open_resources(settings) as app:
        accounts = (await app.door())._outside._allowances.accounts
        assert set(accounts) == {name for name, engine in app.engines.items() if counted(app, engine)}
        assert accounts["gdelt"] == "keyless"
        assert "tvly-0" not in accounts["tavily"]
        assert "crossref" not in accounts
