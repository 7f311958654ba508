"""Text as it is written: sentences, names, quantities and units, dates, languages. Pure."""
