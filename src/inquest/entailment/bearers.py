"""The subjects of a claim, and whether a passage is about the same ones."""

from __future__ import annotations

from dataclasses import dataclass

from inquest.entailment.parsed_text import Statement
from inquest.text.entities import NameKind, names, names_met, same_name
from inquest.text.lexicon import pattern

_PLACED = pattern(__name__, "placed")
"""Words before a name that make it a place, time or agent, not a subject."""


@dataclass(frozen=True)
class Bearers:
    """The claim's names in a passage. `stranger`: another name, if the passage has none of the claim's subjects; else
    ''."""

    met: tuple[str, ...]
    missing: tuple[str, ...]
    stranger: str

    @property
    def share_missing(self) -> float:
        total = len(self.met) + len(self.missing)
        return len(self.missing) / total if total else 0.0


def subjects(claim: Statement) -> tuple[str, ...]:
    """Return the names that the claim is about, without those that only say where."""
    return tuple(
        name.text
        for name in claim.names
        if name.kind is not NameKind.PLACE and not _PLACED.search(claim.text[: name.span.start])
    )


def compare_names(claim: Statement, sentence: Statement, passage: str, around: str) -> Bearers:
    """Compare the claim's names with the passage. `sentence`: the one closest to the claim; `around`: the document's
    title and opening, where a name counts too."""
    met = names_met(claim.text, passage, context=around)
    wanted = subjects(claim)
    near = [name.text for name in names(f"{passage}\n\n{around}")]
    stranger = ""
    if wanted and not any(same_name(one, other) for one in wanted for other in near):
        stranger = next((name.text for name in sentence.names if name.kind is not NameKind.PLACE), "")
    units = " ".join(figure.text for figure in claim.figures)  # 'degrees Celsius'
    return Bearers(met.met, tuple(name for name in met.missing if name not in units), stranger)
