"""What a person sees while documents are added: a line that counts, and one for each thing that could not be read."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from inquest.cli.common import err_console

if TYPE_CHECKING:
    from inquest.app.collections import Progress

__all__ = ["AddingDisplay"]

_MOST_LINES = 50


class AddingDisplay:
    """Progress on standard error. On a terminal the count is live; elsewhere only problems are lines."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._console = err_console()
        self._status = self._console.status(f"Adding to {name} ...")
        self._committed = 0
        self._lines = 0

    def __enter__(self) -> AddingDisplay:
        if self._console.is_terminal:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._status.stop()

    def show(self, progress: Progress) -> None:
        """Take note of how far it has come."""
        self._committed = progress.committed
        for problem in progress.news:
            self._lines += 1
            if self._lines <= _MOST_LINES:
                self._console.print(f"{'-' if problem.left_out else '!'} {problem}", markup=False, soft_wrap=True)
            elif self._lines == _MOST_LINES + 1:
                self._console.print("  ... and more; --json lists the first thousand.", markup=False)
        so_far = progress.so_far
        counted = f"{so_far.files} files done · {so_far.documents} documents · {so_far.skipped} already there"
        if so_far.unreadable:
            counted += f" · {so_far.unreadable} could not be read"
        self._status.update(counted)

    def interrupted(self) -> None:
        """Say what stays after Ctrl-C."""
        self._status.stop()
        self._console.print(
            f"Stopped. {self._committed} documents were added to {self._name} and stay; "
            "the same command goes on from there.",
            markup=False,
            soft_wrap=True,
        )
