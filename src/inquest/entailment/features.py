"""Features of a claim and a passage: a list of comparators, each of which returns numbers by name.

`FEATURES` is the whole list; `combination` weighs the numbers. No comparator knows a topic or looks at the length or
wording of one text alone, which would reveal its data set: only the relation of claim and passage counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from operator import itemgetter

from inquest.domain.finding import Stance
from inquest.entailment.dates import MetDate, compare_dates
from inquest.entailment.direction import Direction, compare_direction, opposed_words
from inquest.entailment.figures import Met, compare_figures, differing, has_rival, is_the_rest
from inquest.entailment.framing import Frame, frames, has, ruled_content
from inquest.entailment.meaning import Meaning
from inquest.entailment.modes import realised_by
from inquest.entailment.parsed_text import Page, ParsedText, Statement, share_of
from inquest.entailment.windows import Ranked, Window
from inquest.text.entities import NameKind, NamesMet, names, names_met, same_name
from inquest.text.quantities import Relation
from inquest.text.sentences import content_words
from inquest.text.vocabulary import rarity

READ = 0.5
"""Minimum value of a stance for the model to read it."""
READ_ALONE = 0.25
"""Minimum value of a stance that the model reads in a sentence alone for it to be quoted as that."""
_LEAST = 1e-3
_CLASHING = 6
"""Best sentences searched for another value."""


@dataclass(frozen=True)
class Evidence:
    """All data on a claim and a passage. `ranked` has at least one sentence."""

    claim: Statement
    reading: ParsedText
    ranked: tuple[Ranked, ...]
    frames: tuple[Frame, ...]
    page: Page
    found: bool
    """A search found the passage; else a user gave it with the claim."""
    windows: tuple[Window, ...] = ()
    meanings: tuple[Meaning, ...] = ()
    """Readings of the windows, in order; () without a model."""
    rated: tuple[Window, ...] = ()
    """Statements that the passage calls false or true, each without its ruling."""
    rated_meanings: tuple[Meaning, ...] = ()

    def read_in(self, *places: str) -> tuple[Meaning, ...]:
        """Return the model's readings of the windows of a kind."""
        return tuple(
            meaning for window, meaning in zip(self.windows, self.meanings, strict=False) if window.place in places
        )

    def reads(self, stance: Stance) -> bool:
        """True if the model reads the stance in a window."""
        return any(getattr(one, stance.value) >= READ for one in self.meanings)

    @cached_property
    def best(self) -> Statement:
        return self.ranked[0].statement

    @cached_property
    def near(self) -> tuple[Statement, ...]:
        """Return the best sentences that are not questions."""
        stated = [one.statement for one in self.ranked if self.frames[one.index] in (Frame.STATED, Frame.CALLED_TRUE)]
        return tuple(stated or [one.statement for one in self.ranked])

    @cached_property
    def around_terms(self) -> frozenset[str]:
        return frozenset(content_words(self.page.around)) | self.page.terms

    @cached_property
    def together(self) -> frozenset[str]:
        """Return the stems of the best five sentences and of the title."""
        return frozenset().union(*(one.terms for one in self.near[:5]), self.around_terms)

    @cached_property
    def figures(self) -> tuple[Met, ...]:
        return compare_figures(self.claim, self.near, self.around_terms)

    def met(self, match: Relation) -> list[Met]:
        """Return the claim's figures with a result."""
        return [one for one in self.figures if one.match is match]

    @cached_property
    def dates(self) -> tuple[MetDate, ...]:
        return compare_dates(self.claim, self.near, self.page.day)

    @cached_property
    def _stated(self) -> str:
        return "\n\n".join(one.text for one in self.near)

    @cached_property
    def names(self) -> NamesMet:
        """Return the claim's names that the passage or its document's title and opening have, and those they lack."""
        found = names_met(self.claim.text, self._stated, context=self.page.around)
        units = " ".join(figure.text for figure in self.claim.figures)  # 'degrees Celsius'
        return found._replace(missing=tuple(name for name in found.missing if name not in units))

    @cached_property
    def stranger(self) -> str:
        """Return another name, if the passage has none of the claim's subjects; else ''."""
        there = [name.text for name in names(f"{self._stated}\n\n{self.page.around}")]
        wanted = self.claim.subjects
        if not wanted or any(same_name(one, other) for one in wanted for other in there):
            return ""
        return next((name.text for name in self.best.names if name.kind is not NameKind.PLACE), "")

    @cached_property
    def direction(self) -> Direction:
        return compare_direction(self.claim, self.near[0])

    @property
    def is_opposed(self) -> bool:
        """True if a word or a negation of the nearest sentence opposes the claim, and not of the rest of a whole."""
        opposed = self.direction.negated or self.direction.opposed is not None
        return opposed and not any(is_the_rest(one.figure, one.found) for one in self.met(Relation.NOT_COMPARABLE))

    @cached_property
    def one_has(self) -> float:
        """Return the highest share of the claim in one of the best three sentences."""
        return max(share_of(self.claim.terms, one.terms) for one in self.near[:3])

    @cached_property
    def restated_figures(self) -> tuple[Met, ...]:
        """Return the claim's figures in what the passage calls false or true."""
        ruled = (Frame.CALLED_FALSE, Frame.CALLED_TRUE)
        restated = [one.statement for one in self.ranked if self.frames[one.index] in ruled]
        return compare_figures(self.claim, restated, self.around_terms) if restated else ()

    @property
    def other_time(self) -> bool:
        """True if the passage has another date for one of the claim's."""
        return any(one.match is Relation.DIFFERS for one in self.dates)

    def turned(self, statement: Statement) -> bool:
        """True if the sentence's own words say the opposite of the claim."""
        return opposed_words(self.claim, statement, plain=True) is not None

    @cached_property
    def calls_wrong(self) -> bool:
        """True if the claim itself calls something wrong, or unproven."""
        return has("denies", self.claim.text) or Frame.CALLED_FALSE in frames([self.claim])

    def calls_false(self, statement: Statement) -> bool:
        """True if the passage calls false what the sentence says."""
        if self.calls_wrong:
            return False
        called = any(one.statement is statement and self.frames[one.index] is Frame.CALLED_FALSE for one in self.ranked)
        return called and (bool(ruled_content(statement.text)) or has("under_check", statement.text))

    def sentence_for(self, stance: Stance) -> Statement:
        """Return the sentence for a stance: the one in which the model reads it most strongly, if it does, else the one
        with most of the claim."""
        if stance is Stance.CONTRADICTS:
            differing = (one.statement for one in self.met(Relation.DIFFERS) if one.statement)
            if place := next(differing, None):
                return place
        alone = [
            (self.reading.statements[window.indices[0]], meaning)
            for window, meaning in zip(self.windows, self.meanings, strict=False)
            if len(window.indices) == 1 and window.place != "opening"
        ]
        with_figure = self.met(Relation.SAME) if stance is Stance.SUPPORTS else []
        if with_figure:
            having = [one.statement for one in with_figure]
            alone = [one for one in alone if one[0] in having]
            if not alone:
                return max(with_figure, key=lambda one: one.context).statement or self.near[0]
        if stance is not Stance.NEUTRAL and alone:
            place, value = max(((one, getattr(meaning, stance.value)) for one, meaning in alone), key=itemgetter(1))
            if value >= READ_ALONE:
                return place
        return self.near[0]


Numbers = Mapping[str, float]


def together_read(of: Evidence) -> Numbers:
    """The model's reading of the best sentences together."""
    if not of.meanings:
        return {}
    (one,) = of.read_in("together")
    neutral = log(max(one.neutral, _LEAST))
    return {
        "read_supports": log(max(one.supports, _LEAST)) - neutral,
        "read_contradicts": log(max(one.contradicts, _LEAST)) - neutral,
    }


def sentences_read(of: Evidence) -> Numbers:
    """The highest values that the model reads in single sentences."""
    each = of.read_in("alone") or of.read_in("together")
    if not each:
        return {}
    return {
        "most_supports": max(one.supports for one in each),
        "most_contradicts": max(one.contradicts for one in each),
    }


def coverage(of: Evidence) -> Numbers:
    """The share of the claim's words in one sentence and in the best together, and the rarest that none of them has."""
    missing = [rarity(term) for term in of.claim.terms - of.together]
    return {
        "one_has": of.one_has,
        "one_has_all": float(of.one_has >= 0.85),
        "all_have": share_of(of.claim.terms, of.together),
        "rarest_missing": max(missing, default=0.0) / 8,
        "many_missing": min(len(missing), 6) / 6,
    }


def figures(of: Evidence) -> Numbers:
    """The claim's figures in the passage: found, with how much context, and whether another value is beside one ('from
    $140 million to $84 million') or in its place."""
    total = len(of.figures) or 1
    same, others = of.met(Relation.SAME), [one.context for one in of.met(Relation.DIFFERS)]
    return {
        "figures_same": len(same) / total,
        "figures_same_said": max((one.context for one in same), default=0.0),
        "figures_differ": max(others, default=0.0),
        "figures_rival": float(any(has_rival(one, of.claim) for one in same)),
        "figures_clash": 0.0 if same else _clash(of),
    }


def _clash(of: Evidence) -> float:
    """Return the similarity to the claim of the sentence with another value for one of its figures."""
    alike = (one.likeness for one in of.ranked[:_CLASHING] if differing(of.claim, one.statement))
    return max(alike, default=0.0)


def dates(of: Evidence) -> Numbers:
    """The claim's dates in the passage."""
    total = len(of.dates) or 1
    contexts = [one.context for one in of.dates if one.match is Relation.DIFFERS]
    return {
        "dates_same": sum(one.match is Relation.SAME for one in of.dates) / total,
        "dates_other": max(contexts, default=0.0),
    }


def bearers(of: Evidence) -> Numbers:
    """The claim's names in the passage."""
    met, missing = map(len, of.names)
    return {"names_missing": missing / ((met + missing) or 1), "stranger": float(bool(of.stranger))}


def negation(of: Evidence) -> Numbers:
    """A negation in only one of the two, and words that exclude each other, by how much of the claim the sentence
    has."""
    share = share_of(of.claim.terms, of.near[0].terms)
    return {
        "negated": float(of.direction.negated) * share,
        "opposed": float(of.direction.opposed is not None) * share,
        "agreeing": float(of.direction.agreeing) * share,
    }


def mode(of: Evidence) -> Numbers:
    """The claim states a fact, but the best sentence something planned, expected or possible."""
    hedged = has("hedged", of.near[0].text) and not has("hedged", of.claim.text)
    return {"unrealised": float(not realised_by(of.claim, of.near[0])), "hedged": float(hedged)}


def hearsay(of: Evidence) -> Numbers:
    """The share of hearsay near the claim and in the opening, and whether the claim itself is hearsay; words that call
    something untrue, near the claim and anywhere."""
    near, opening, every = of.near[:5], of.reading.statements[:4], of.reading.statements[:60]
    return {
        "hearsay": sum(has("hearsay", one.text) for one in near) / len(near),
        "opening_hearsay": sum(has("hearsay", one.text) for one in opening) / len(opening),
        "claim_hearsay": float(has("hearsay", of.claim.text)),
        "debunked": sum(has("debunks", one.text) for one in near) / len(near),
        "debunked_about": min(sum(has("debunks", one.text) for one in every), 5) / 5,
    }


def opening_read(of: Evidence) -> Numbers:
    """The model's reading of the opening of a long passage, which names the subject of a report."""
    if not of.meanings:
        return {}
    (one,) = of.read_in("opening") or of.read_in("together")
    return {"opening_supports": one.supports, "opening_contradicts": one.contradicts, "opening_neutral": one.neutral}


def likeness(of: Evidence) -> Numbers:
    """The similarity in meaning of the best sentences to the claim, by the encoder, or by words without one."""
    by_words = not any(one.likeness for one in of.ranked)
    stated = (one for one in of.ranked if of.frames[one.index] in (Frame.STATED, Frame.CALLED_TRUE))
    best = sorted(one.words if by_words else one.likeness for one in stated)[-3:]
    return {"alike_most": max(best, default=0.0), "alike_mean": sum(best) / max(1, len(best))}


Feature = Callable[[Evidence], Numbers]

FEATURES: tuple[Feature, ...] = (
    together_read, sentences_read, opening_read, likeness, coverage, figures, dates, bearers, negation, mode, hearsay,
)  # fmt: skip
"""In the order in which `bench.quality ablation` leaves them out."""


def measure(of: Evidence, features: Sequence[Feature] = FEATURES) -> dict[str, float]:
    """Compute all features, by name."""
    return {name: value for feature in features for name, value in feature(of).items()}
