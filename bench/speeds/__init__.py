"""One file per speed measure: `measure(arguments: list[str]) -> list[Figure]`."""
