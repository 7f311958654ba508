"""Analysis of text: sentences, names, quantities and units, dates, languages. Pure functions without I/O."""
