"""The bundled collection: the papers of one affair, for trying Inquest without a key or a network (see README.md there)."""

from __future__ import annotations

from pathlib import Path

__all__ = ["documents", "folder"]


def folder() -> Path:
    """The folder that holds the collection, its brief (brief.txt), its settings (demo.toml) and its ratings (ratings.csv)."""
    return Path(__file__).resolve().parent


def documents() -> tuple[Path, ...]:
    """What is to be ingested, files and folders: the documents without the README, the brief and the ratings."""
    names = ("pages", "notes", "wire.jsonl", "register.csv", "captures.warc")
    return tuple(path for name in names if (path := folder() / name).exists())
