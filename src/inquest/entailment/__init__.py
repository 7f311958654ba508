"""How a passage bears on a claim: features of the pair, one trained combination of them, and who says so.

`stance.stance_of` is the way in. `features.FEATURES` lists what is measured of a pair, `combination` weighs it with the
numbers of `weights.json`, which `training/entailment.py` learns from public sets.
"""
