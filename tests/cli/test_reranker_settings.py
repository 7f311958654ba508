"""The reranker setting: a wrong name, a missing key, its own limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from inquest.app.settings import load_settings
from inquest.app.wiring.engine_choices import made_reranker, rerankers_of_a_replay
from inquest.app.wiring.resources import open_resources
from inquest.domain.errors import SettingError


def test_the_service_with_its_model_and_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INQUEST_RERANKER", "Cohere")
    monkeypatch.setenv("COHERE_API_KEY", "co-0123456789")
    monkeypatch.setenv("INQUEST_RERANKER_MODEL", "rerank-of-another-day")
    made = made_reranker(load_settings())
    assert (made.name, made.access.key, made.access.model) == ("cohere", "co-0123456789", "rerank-of-another-day")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("cohear", "INQUEST_RERANKER names 'cohear', which does not exist"), ("jina", "set JINA_API_KEY")],
)
def test_a_wrong_one_is_named(name: str, sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        made_reranker(load_settings(reranker=name))


async def test_its_limits_are_set_as_an_engines_and_an_unknown_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INQUEST_COHERE_RERANKER_PER_MONTH", "1000")
    settings = load_settings(home=tmp_path)
    async with open_resources(settings) as app:
        assert app.engines, "the name is known"
        usual = made_reranker(settings).spec.limits
        assert settings.reranker_limits("cohere_reranker", usual).per_month == 1000
    monkeypatch.setenv("INQUEST_COHEAR_RERANKER_PER_MONTH", "1000")
    async with open_resources(load_settings(home=tmp_path)) as app:
        with pytest.raises(SettingError, match="'cohear_reranker'"):
            _ = app.engines


def test_a_replay_tries_every_service_with_the_model_of_the_settings_first() -> None:
    made = rerankers_of_a_replay(load_settings(reranker_model="m-9"))
    assert [(each.name, each.access.model) for each in made] == [
        ("cohere", "m-9"), ("cohere", None), ("jina", "m-9"), ("jina", None),
    ]  # fmt: skip
