"""The terminal face. Only typer is imported here: `inquest --help` must answer at once."""

from __future__ import annotations

COLLECTED_AFTER = (20_000, 10, 10)
"""Objects, and rounds, after which Python looks for what nothing refers to any more. With its own figures (700, 10, 10)
a sixth of a command's processor time goes into looking through modules while they are loaded."""


def main() -> None:
    """The entry point of the `inquest` command; ends the process with the exit codes of INTERFACES.md."""
    import gc
    import os
    import sys

    gc.set_threshold(*COLLECTED_AFTER)
    from inquest.cli.entry import run

    code = run()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        sys.exit(code)
    # Everything is closed and written. To take two thousand modules apart would cost the user half a second.
    os._exit(code)
