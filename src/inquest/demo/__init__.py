"""The bundled collection: documents on one affair, for trying Inquest without a key or a network (see its README)."""

from __future__ import annotations

from pathlib import Path


def folder() -> Path:
    """The folder of the collection, with its brief (brief.txt), settings (demo.toml) and ratings (ratings.csv)."""
    return Path(__file__).resolve().parent


def documents() -> tuple[Path, ...]:
    """The files and folders to be ingested: the documents without the README, the brief and the ratings."""
    names = ("pages", "notes", "wire.jsonl", "register.csv", "captures.warc")
    return tuple(path for name in names if (path := folder() / name).exists())


def report() -> Path:
    """The company's report whose claims `inquest demo --claims` checks; its settings are in demo.toml."""
    return folder() / "report.pdf"


def technical_documents() -> tuple[Path, ...]:
    """The evidence on the report's technical claims: a second collection, with its own ratings beside it."""
    return tuple(folder() / "technical" / name for name in ("pages", "entries.jsonl"))


def topic() -> Path:
    """The topic that `inquest demo --topic` verifies."""
    return folder() / "topic.json"
