"""Passages about something or somebody else: nothing they say bears on the claim."""

from __future__ import annotations

import re

from inquest.domain.finding import Stance
from inquest.entailment.evidence import Evidence
from inquest.entailment.numbers import NumberMatch
from inquest.entailment.ruling import Ruling
from inquest.text.entities import is_likely, same_name
from inquest.text.passages import stems

__all__ = ["other_names", "unrelated"]

# Share of the claim's other words that a sentence about another name must have to be about the same kind of thing.
_OTHER_CONTEXT = 0.5
_OPENING_NAME = re.compile(r"[\"“']?(?:The\s+)?([A-Z][\w'’&-]+(?:\s+[A-Z][\w'’&-]+)*)")


def unrelated(evidence: Evidence) -> Ruling | None:
    """No word in common, or none but the names."""
    if any(number.match is NumberMatch.SAME for number in evidence.numbers):
        return None
    shared = evidence.claim.bag & evidence.passage.bag
    if not shared:
        return Ruling(
            Stance.NEUTRAL, 0.75, ("The passage shares no word with the claim.",), evidence.sentence, name="unrelated"
        )
    of_names = frozenset(stems(" ".join(evidence.names.met)))
    if shared <= of_names and len(evidence.claim.bag) > len(shared) + 1 and not evidence.numbers:
        reason = f"The passage names {evidence.names.met[0]} and has nothing else of the claim."
        return Ruling(Stance.NEUTRAL, 0.6, (reason,), evidence.sentence, name="names_only", weak=True)
    return None


def other_names(evidence: Evidence) -> Ruling | None:
    """Another company, another person, another place: nothing about this one."""
    missing = evidence.names.missing
    if not missing or evidence.names.share > 0.5:
        return None
    # Only where it says much the same of the other: a passage that says something else is not judged by its names.
    rest = evidence.claim.bag - frozenset(stems(" ".join(missing)))
    if len(rest & evidence.sentence.bag) < _OTHER_CONTEXT * len(rest):
        return None
    if other_place := _same_slot(evidence, missing):
        return other_place
    subject = evidence.claim.text.lstrip("\"“' ").removeprefix("The ").startswith(missing[0])
    other = _OPENING_NAME.match(evidence.sentence.text)
    if not subject or other is None:
        return None
    named = other.group(1)
    known = any(is_likely(name) and name.text.startswith(named) for name in evidence.passage.names)
    if not known or any(same_name(named, name) for name in (*missing, *evidence.names.met)):
        return None
    return Ruling(
        Stance.NEUTRAL,
        0.75,
        (f"The claim is about {missing[0]}, the passage about {named}.",),
        evidence.sentence,
        name="other_names",
    )


def _same_slot(evidence: Evidence, missing: tuple[str, ...]) -> Ruling | None:
    """'in France' where the claim has 'in Germany'."""
    text = evidence.sentence.text
    for name in missing:
        slot = re.search(rf"\b(in|at|near|of|from|by|for)\s+(?:the\s+)?{re.escape(name)}", evidence.claim.text)
        if slot is None:
            continue
        for other in re.finditer(rf"\b{slot.group(1)}\s+(?:the\s+)?([A-Z][\w'’&-]+(?:\s+[A-Z][\w'’&-]+)*)", text):
            named = other.group(1)
            if any(known.sure and known.text == named for known in evidence.passage.names) and not same_name(
                name, named
            ):
                return Ruling(
                    Stance.NEUTRAL,
                    0.7,
                    (f"The claim speaks of {name}, the passage of {named}.",),
                    evidence.sentence,
                    name="other_place",
                )
    return None
