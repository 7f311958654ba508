"""The terminal face. Only typer is imported here: `inquest --help` must answer at once."""

from __future__ import annotations


def main() -> None:
    """The entry point of the `inquest` command; ends the process with the exit codes of INTERFACES.md."""
    import os
    import sys

    from inquest.cli.entry import run

    code = run()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        sys.exit(code)
    # Everything is closed and written. To take two thousand modules apart would cost the user half a second.
    os._exit(code)
