"""The terminal face. Only typer is imported here: `inquest --help` must answer at once."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """The entry point of the `inquest` command; ends the process with the exit codes of INTERFACES.md."""
    import sys

    from inquest.cli.entry import run

    sys.exit(run())
