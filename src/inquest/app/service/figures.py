"""The figures of a service, for operators' tools: from the database, and so the same whichever process is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inquest.app.cases.statistics import statistics

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

Family = tuple[str, dict[str, float]]
"""What it counts, and the values by kind."""


async def figures(app: Resources) -> dict[str, Family]:
    """Families of figures by name. Raises StorageError."""
    from inquest.store.service.figures import service_figures

    counted = await service_figures(await app.database())
    told = await statistics(app, days=1)
    desk = {name: float(each) for name, each in told["investigations"].items() if isinstance(each, int | float)}
    alerts: dict[str, float] = {}
    for each in told["alerts"]:
        alerts[str(each["name"])] = alerts.get(str(each["name"]), 0.0) + 1
    return {
        "cases": ("Cases by status.", counted["cases"]),
        "callbacks": ("Callbacks by what became of them.", counted["callbacks"]),
        "jobs": ("Cases to be worked on, by whether somebody does.", counted["jobs"]),
        "longest_wait_seconds": (
            "How long the case at the end of the line has waited.",
            counted["longest_wait_seconds"],
        ),
        "investigations": ("The verification desk's metrics of the last day; times in seconds.", desk),
        "alerts": ("Alerts of the verification desk, by name.", alerts),
    }
