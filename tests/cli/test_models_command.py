"""`inquest models` at the terminal: which models are installed, which are used and why, and which are damaged."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from inquest.app.settings import load_settings
from inquest.cli.entry import run
from tests.local_models import tiny

PAIR = ["--claim", "The plant is closed.", "--passage", "The plant was closed in 2019."]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def added(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> str:
    assert run(["models", "add", str(tiny.export(tmp_path / "tiny"))]) == 0
    assert "Added tiny" in capfd.readouterr().out
    return "tiny"


def told(capfd: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> Any:
    assert run(["models", *arguments]) == code
    return json.loads(capfd.readouterr().out)


def test_the_packages_encoder_is_listed_and_in_use(capfd: pytest.CaptureFixture[str]) -> None:
    found = told(capfd, "--json")
    row = next(row for row in found["models"] if row["kind"] == "sentences")
    assert row["where"] == row["why"] == "package" and row["in_use"] and row["state"] == "ready"
    assert row["licence"] == "Apache-2.0" and row["size_mb"] > 1 and row["languages"] == ["en"]
    assert found["in_use"]["sentences"]["name"] == row["name"]
    assert run(["models"]) == 0
    assert row["name"] in capfd.readouterr().out


def test_a_model_is_added_chosen_and_put_back(added: str, home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    home.joinpath("inquest.toml").write_text("# mine\n[keys]\nX_API_KEY = 'k'\n")
    assert told(capfd, "use", added, "--json") == {"kind": "stance", "name": "tiny", "why": "setting", "state": "ready"}
    assert load_settings().stance_model == "tiny" and load_settings().keys == {"X_API_KEY": "k"}
    assert "# mine" in home.joinpath("inquest.toml").read_text()
    (row,) = [row for row in told(capfd, "--json")["models"] if row["name"] == "tiny"]
    assert row["in_use"] and row["why"] == "setting" and row["where"] == "added"
    assert told(capfd, "use", "none", "--json")["name"] is None
    assert told(capfd, "--json")["in_use"]["stance"] == {"name": None, "why": "setting", "state": "ready"}
    assert told(capfd, "use", "package", "--json")["why"] == "package"
    assert not any(row["name"] == "tiny" and row["in_use"] for row in told(capfd, "--json")["models"])


def test_verify_names_each_damaged_file_and_what_to_do(
    added: str, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert all(row["verified"] for row in told(capfd, "--verify", "--json"))
    for name in ("model.onnx", "tokenizer.json"):
        path = home / "models" / added / name
        path.write_bytes(path.read_bytes() + b" ")
    (row,) = [row for row in told(capfd, "--verify", "--json", code=2) if row["damaged"]]
    assert row["name"] == "tiny" and len(row["damaged"]) == 2
    assert run(["models", "--verify"]) == 2
    out = capfd.readouterr().out
    assert "tiny: model.onnx" in out and "tiny: tokenizer.json" in out and "inquest models remove tiny" in out


def test_what_is_in_use_or_the_packages_is_not_removed(
    added: str, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run(["models", "use", added])
    assert run(["models", "remove", added]) == 1
    assert "is in use" in capfd.readouterr().err
    assert run(["models", "remove", "minilm-l6-sentences-int8"]) == 1
    assert "part of the package" in capfd.readouterr().err
    assert run(["models", "remove", added, "--force"]) == 0
    assert list((home / "models").iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["use", "nowhere"], "There is no model 'nowhere'"),
        (["use", "none", "--kind", "chat"], "'chat' is not a kind of model"),
        (["use", "minilm-l6-sentences-int8", "--kind", "stance"], "a model of another kind"),
        (["remove", "../home"], "There is no model '../home'"),
        (["add", "."], "has no model.onnx"),
        (["add", ".", "--languages", "english!"], "Invalid languages"),
        (["download", "nowhere"], "is not the name of a model on a hub"),
        (["--json", "use", "none"], "go after the command's name"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    arguments: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["models", *arguments]) == 1
    out, err = capfd.readouterr()
    assert out == "" and sentence in err.replace("\n", " ") and "Traceback" not in err


def test_a_damaged_model_leaves_the_rules_alone_and_is_said_once(
    added: str, home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run(["models", "use", added])
    (home / "models" / added / "model.onnx").write_bytes(b"\x08\x08 cut off")
    pairs = tmp_path / "pairs.jsonl"
    line = json.dumps({"claim": PAIR[1], "passage": PAIR[3]})
    pairs.write_text(f"{line}\n" * 300)
    capfd.readouterr()
    assert run(["assess", "--jsonl", str(pairs)]) == 0
    out, err = capfd.readouterr()
    assert len(out.splitlines()) == 300
    assert err.count("cannot be used") == 1 and "The rules judge alone" in err


def test_without_onnxruntime_the_rules_judge_alone_and_the_table_says_so(
    added: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    run(["models", "use", added])
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    capfd.readouterr()
    assert run(["assess", *PAIR]) == 0
    out, err = capfd.readouterr()
    assert "confidence" in out and err.count("This machine cannot run local models") == 1
    found = told(capfd, "--json")
    assert all("onnxruntime is not installed" in row["state"] for row in found["models"])
    assert run(["models", "use", added]) == 2
    assert "cannot run local models" in capfd.readouterr().err


def test_the_doctor_names_the_local_models(added: str, capfd: pytest.CaptureFixture[str]) -> None:
    run(["models", "use", added])
    capfd.readouterr()
    run(["doctor", "--offline", "--json"])
    checks = {check["what"]: check for check in json.loads(capfd.readouterr().out)["checks"]}
    assert checks["local model (stance)"]["says"] == "tiny (by INQUEST_STANCE_MODEL), ready"
    assert "of the package" in checks["local model (sentences)"]["says"]
    assert checks["local model (stance)"]["ok"]
