"""The stance of a passage on a claim: features of the pair, one trained combination of them, and the speaker.

`stance.stance_of` is the entry point. `features.FEATURES` lists the features; `combination` weighs them with
`weights.json`, which `training/entailment.py` learns from public sets.
"""
