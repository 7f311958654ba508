"""A sum that two matters hardly ever share: who pays the same 2.4 million is told of the same payment, although what it
is for stands elsewhere in the document. Orders and judgments are written so: facts first, the penalty pages later."""

from __future__ import annotations

from inquest.domain.finding import Stance
from inquest.entailment.amounts import AmountMatch
from inquest.entailment.bases import not_comparable
from inquest.entailment.meant import Bearing
from inquest.entailment.pair import Pair, another_stage, same_deed, turned
from inquest.entailment.party import is_common
from inquest.entailment.payments import is_telling
from inquest.entailment.predicates import has_word
from inquest.text.passages import stems
from inquest.text.word_weights import rarity

__all__ = ["about_a_sum"]

_TOLD_IN_ALL = 0.5
"""Share of what the claim says that the document must say, sentence and all."""
_SURE = 0.7


def about_a_sum(pair: Pair) -> Bearing | None:
    """Support by the same payer, deed and telling sum, where the document tells the rest; None where that is not so."""
    if not pair.numbers or not all(one.match is AmountMatch.SAME and is_telling(one.claim) for one in pair.numbers):
        return None
    payer = pair.subject.first.split()[:1]
    if not payer or payer[0] not in pair.sentence.text or not (pair.shared and same_deed(pair)):
        return None
    if pair.time or pair.claim.negations or pair.sentence.negations or turned(pair) or another_stage(pair):
        return None
    if not_comparable(pair.claim.text, pair.sentence.text):
        return None
    named = [name for name in pair.evidence.names.missing if not is_common(name)]
    if any(not all(has_word(pair.around.elsewhere, term) for term in stems(name)) for name in named):
        return None
    total = sum(rarity(term) for term in pair.own)
    met = [term for term in pair.own if term in pair.shared or has_word(pair.around.elsewhere, term)]
    if not total or sum(rarity(term) for term in met) < _TOLD_IN_ALL * total:
        return None
    why = "What it is for stands elsewhere in the document."
    return Bearing(Stance.SUPPORTS, _SURE, (*(number.reason for number in pair.numbers), why))
