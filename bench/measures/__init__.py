"""One file per quality measure: `measure(data: Path) -> list[Figure]`, and `DATA`, the location of the visible data."""
