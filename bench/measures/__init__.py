"""One file per quality measure: `measure(data: Path) -> list[Figure]`, and `DATA`, where the visible data lies."""
