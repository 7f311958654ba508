"""Count how rare words are: `python training/word_weights.py TRAIN.jsonl`. Lines of TRAIN have claim and passage.

Writes src/inquest/text/word_weights.json. Deterministic.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import json
import math
from collections import Counter, defaultdict
from pathlib import Path

from inquest.text.sentences import content_words

TARGET = Path(__file__).resolve().parent.parent / "src/inquest/text/word_weights.json"


def rarities(rows: list[dict[str, str]], at_least: int = 8) -> dict[str, str]:
    """Inverse document frequency by stem, to half a unit; stems in fewer texts than `at_least` are left out."""
    texts = {row[part] for row in rows for part in ("claim", "passage")}
    counts = Counter(stem for text in texts for stem in set(content_words(text)))
    levels = defaultdict(list)
    for stem, count in counts.items():
        if count >= at_least and stem.isalpha():
            levels[str(round(2 * math.log(len(texts) / count)) / 2)].append(stem)
    return {level: " ".join(sorted(found)) for level, found in sorted(levels.items())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", type=Path)
    rows = [json.loads(line) for line in parser.parse_args().train.open(encoding="utf-8")]
    written = {"made_by": "training/word_weights.py", "rarity": rarities(rows)}
    TARGET.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
