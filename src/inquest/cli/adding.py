"""What a person sees while documents are added and embedded: a line that counts, and one for each thing that could not
be read."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

from inquest.cli.common import err_console

if TYPE_CHECKING:
    from inquest.app.wiring.collections import Embedded, IngestProgress

_MOST_LINES = 50


class _Display:
    """A line on standard error that is live on a terminal only."""

    def __init__(self, words: str) -> None:
        self._console = err_console()
        self._status = self._console.status(words)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._status.stop()


class AddingDisplay(_Display):
    """Progress on standard error. On a terminal the count is live; elsewhere only problems are lines."""

    def __init__(self, name: str) -> None:
        self._name = name
        super().__init__(f"Adding to {name} ...")
        self._committed = 0
        self._lines = 0

    def show(self, progress: IngestProgress) -> None:
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


class EmbeddingDisplay(_Display):
    """Progress of making documents findable by meaning, on standard error; live on a terminal only."""

    def __init__(self, name: str) -> None:
        self._name = name
        super().__init__(f"Reading the meaning of what is in {name} ...")
        self._far: Embedded | None = None

    def show(self, far: Embedded) -> None:
        """Take note of how far it has come."""
        if self._far is None and far.replaced:
            self._say(f"{self._name} had the vectors of {far.replaced}; they are made anew by {far.encoder}.")
        self._far = far
        self._status.update(f"{far.by_meaning:,} of {far.documents:,} documents also by meaning · {far.left:,} left")

    def without(self, why: str) -> None:
        """Say that it is left at the words."""
        self._say(f"Documents are found by their words alone. {why}")

    def interrupted(self) -> None:
        """Say what stays after Ctrl-C."""
        self._status.stop()
        done = self._far.by_meaning if self._far else 0
        self._say(
            f"Stopped. Everything can be found by words, {done:,} documents also by meaning; "
            f"`inquest collection embed {self._name}` goes on from there."
        )

    def _say(self, sentence: str) -> None:
        self._console.print(sentence, markup=False, soft_wrap=True)
