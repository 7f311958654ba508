"""What the learned part of the stance judgment sees of a claim and a passage: some fifty numbers with names.

Nothing here knows a topic, and nothing looks at a text's length or wording alone, which would betray what data set
it is from: only how claim and passage stand to one another.
"""

from __future__ import annotations

import re

from inquest.entailment.dates import DateMatch
from inquest.entailment.evidence import Evidence
from inquest.entailment.numbers import NumberMatch
from inquest.text.passages import stems
from inquest.text.polarity import hedges, refutations
from inquest.text.word_weights import rarity

__all__ = ["features"]

_NO = re.compile(r"(?:^|[?.!:]\s+|\n)(?:no|nope|not? (?:really|exactly)|false)\b", re.I)
_YES = re.compile(r"(?:^|[?.!:]\s+|\n)(?:yes|true|correct)\b", re.I)
_NONE_FOUND = re.compile(
    r"\bno (?:answer|evidence|information|record|data)\b.{0,30}\b(?:found|available|could)|could not be found|"
    r"not been found",
    re.I,
)


def features(evidence: Evidence) -> dict[str, float]:
    """The features of a pair, by name; nearly all lie between 0 and 1."""
    claim, passage, words = evidence.claim, evidence.passage, evidence.words
    numbers, dates, met = evidence.numbers, evidence.dates, evidence.names
    sentence, bearing = evidence.sentence, evidence.bearing
    bag = passage.bag | frozenset(stems(evidence.title)) if evidence.title else passage.bag
    weights = {term: rarity(term) for term in claim.bag}
    total = sum(weights.values()) or 1.0
    inside = sum(weight for term, weight in weights.items() if term in bag) / total
    inside_best = sum(weight for term, weight in weights.items() if term in sentence.bag) / total
    # What is said of the bearers of the names: their names alone make no statement.
    said = claim.bag - frozenset(stems(" ".join((*met.met, *met.missing))))
    said_total = sum(weights[term] for term in said) or 1.0
    missing = sorted((weight for term, weight in weights.items() if term not in bag), reverse=True)
    claim_negated = bool(claim.negations)
    sentence_negated = bool(sentence.negations)
    refuted = len(refutations(passage.text))
    near = [one for one in words if one.coverage >= 0.3]
    same = sum(number.match is NumberMatch.SAME for number in numbers)
    differs = [number for number in numbers if number.match is NumberMatch.DIFFERS]
    times = [one.match for one in dates]
    pairs = set(zip(claim.terms, claim.terms[1:], strict=False))
    there = set(zip(sentence.terms, sentence.terms[1:], strict=False))
    return {
        "coverage": inside,
        "coverage_best": inside_best,
        "coverage_squared": inside * inside,
        "coverage_full": float(inside >= 0.9),
        "coverage_none": float(inside < 0.2),
        "coverage_plain": len(claim.bag & bag) / len(claim.bag) if claim.bag else 0.0,
        "said": sum(weights[term] for term in said if term in bag) / said_total,
        "said_best": sum(weights[term] for term in said if term in sentence.bag) / said_total,
        "said_none": float(not said & sentence.bag),
        "back_best": len(claim.bag & sentence.bag) / len(sentence.bag) if sentence.bag else 0.0,
        "bigrams": len(pairs & there) / len(pairs) if pairs else 0.0,
        "rarest_missing": missing[0] / 8 if missing else 0.0,
        "missing": min(len(missing), 10) / 10,
        "missing_one": float(len(missing) == 1),
        "names": float(bool(met.met or met.missing)),
        "names_met": met.share,
        "names_missing": min(len(met.missing), 3) / 3,
        "numbers": min(len(numbers), 3) / 3,
        "numbers_same": min(same, 3) / 3,
        "numbers_differ": min(len(differs), 3) / 3,
        "numbers_differ_context": max((one.context + one.nearby for one in differs), default=0.0),
        "numbers_absent": min(len(numbers) - same - len(differs), 3) / 3,
        "dates": float(bool(dates)),
        "dates_same": float(DateMatch.SAME in times),
        "dates_other": float(DateMatch.OTHER in times and DateMatch.SAME not in times),
        "dates_absent": float(bool(times) and set(times) == {DateMatch.ABSENT}),
        "best_negated": float(sentence_negated),
        "one_negated": float(claim_negated != sentence_negated),
        "one_negated_covered": float(claim_negated != sentence_negated) * inside_best,
        "claim_only_negated": float(claim_negated and not any(one.negations for one in passage.sentences)),
        "negated_share": sum(bool(one.negations) for one in passage.sentences) / len(passage.sentences),
        "flipped_best": bearing.flipped,
        "flipped": max((one.flipped * one.coverage for one in near), default=0.0),
        "opposed_best": min(len(bearing.opposed), 2) / 2,
        "agreeing_best": min(len(bearing.agreeing), 2) / 2,
        "opposed": min(sum(len(one.opposed) for one in near), 3) / 3,
        "agreeing": min(sum(len(one.agreeing) for one in near), 3) / 3,
        "opposed_covered": min(len(bearing.opposed), 2) / 2 * inside_best,
        "refuted": min(refuted, 3) / 3,
        "refuted_best": float(sentence.refuted),
        "refuted_covered": float(sentence.refuted) * inside_best,
        "claim_refuted_alone": float(claim.refuted and not refuted),
        "says_no": min(len(_NO.findall(passage.text)), 2) / 2,
        "says_yes": min(len(_YES.findall(passage.text)), 2) / 2,
        "none_found": float(bool(_NONE_FOUND.search(passage.text))),
        "best_hedged": min(len(hedges(sentence.text)), 2) / 2,
        "denied": float(bool(bearing.denied_by)),
        "alleged": float(bearing.alleged),
    }
