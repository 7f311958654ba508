"""The command line. Only typer is imported here, because `inquest --help` must be fast."""

from __future__ import annotations

COLLECTED_AFTER = (20_000, 10, 10)
"""Thresholds of the garbage collector. With Python's defaults (700, 10, 10), a sixth of a command's processor time is
spent on garbage collection while modules are imported."""


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
    os._exit(code)  # everything is closed; unloading two thousand modules would take half a second
