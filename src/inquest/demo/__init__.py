"""The bundled collection: the papers of one affair, for trying Inquest without a key or a network (see its README)."""

from __future__ import annotations

from pathlib import Path


def folder() -> Path:
    """The folder of the collection, with its brief (brief.txt), settings (demo.toml) and ratings (ratings.csv)."""
    return Path(__file__).resolve().parent


def documents() -> tuple[Path, ...]:
    """What is to be ingested, files and folders: the documents without the README, the brief and the ratings."""
    names = ("pages", "notes", "wire.jsonl", "register.csv", "captures.warc")
    return tuple(path for name in names if (path := folder() / name).exists())


def report() -> Path:
    """The company's report whose claims `inquest demo --claims` checks; its settings stand in demo.toml."""
    return folder() / "report.pdf"


def technical_documents() -> tuple[Path, ...]:
    """What the report's technical claims are held against: a second collection, with ratings of its own beside it."""
    return tuple(folder() / "technical" / name for name in ("pages", "entries.jsonl"))


def topic() -> Path:
    """The topic that `inquest demo --topic` verifies."""
    return folder() / "topic.json"
