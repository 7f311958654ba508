"""What the rules on measures say of a claim and a passage that a person put side by side, sentence by sentence.

They speak where the claim names whose measure it is and a sentence of the passage has the same measure of the same
subject: then a figure, or a direction, is compared as it is in what a search found.
"""

from __future__ import annotations

from inquest.domain.finding import Stance
from inquest.entailment.bases import not_comparable
from inquest.entailment.evidence import Evidence
from inquest.entailment.framing import Framing, framing
from inquest.entailment.levels import about_credits, about_levels
from inquest.entailment.meant import Bearing
from inquest.entailment.measures import about_measures, tells_a_measure
from inquest.entailment.pair import Around, about_another, pair_of
from inquest.entailment.parts import of_another_body
from inquest.entailment.party import subject_of
from inquest.entailment.reading import SentenceReading
from inquest.entailment.ruling import Ruling
from inquest.entailment.speakers import Manner, attributed
from inquest.text.quantities import Dimension

__all__ = ["measured_alike"]


def measured_alike(evidence: Evidence) -> Ruling | None:
    """The surest of what sentences of the passage say to the claim's measures; None: nothing, or not all the same."""
    claim = evidence.claim
    if not tells_a_measure(claim) or not subject_of(claim).first:
        return None
    found: list[tuple[Bearing, SentenceReading]] = []
    for index, sentence in enumerate(evidence.passage.sentences):
        if sentence.asks or not tells_a_measure(sentence) or not claim.bag & sentence.bag:
            continue
        if framing(sentence).framing is not Framing.STATED or sentence.refuted:
            return None
        bearing = _borne(evidence, index, sentence)
        if bearing is not None:
            found.append((bearing, sentence))
    if not found or len({bearing.stance for bearing, _ in found}) > 1:
        return None
    bearing, sentence = max(found, key=lambda one: one[0].confidence)
    return Ruling(bearing.stance, bearing.confidence, bearing.reasons, sentence, bearing.type, "measures")


def _borne(evidence: Evidence, index: int, sentence: SentenceReading) -> Bearing | None:
    texts = [each.text for each in evidence.passage.sentences]
    before = " ".join(texts[max(0, index - 1) : index])
    around = Around(before=before, title=evidence.title, whole="\n".join(texts))
    told = attributed(sentence.text)
    if any(one.manner in (Manner.DENIES, Manner.ALLEGES, Manner.INTENDS) for one in told):
        return None
    # 'According to the register of verified emissions' says whose word it is, and nothing of the measure.
    said = max((one.scope.of(sentence.text) for one in told), key=len, default=sentence.text).strip(" ,")
    pair = pair_of(evidence.claim, subject_of(evidence.claim), said, around)
    if pair is None or not pair.subject.first or about_another(pair):
        return None
    if not_comparable(evidence.claim.text, said) or of_another_body(evidence.claim.text, said):
        return None
    # A direction without a figure is left to the rule of directions: there the words are weighed.
    if not any(each.dimension is not Dimension.COUNT for each in evidence.claim.quantities):
        return None
    bearing = about_levels(pair) or about_credits(pair) or about_measures(pair)
    return bearing if bearing is not None and bearing.stance is not Stance.NEUTRAL else None
