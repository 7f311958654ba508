"""A service's readiness and figures, for operators' tools: the same whichever process is asked."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from inquest.app.cases.statistics import statistics
from inquest.domain.errors import StorageError

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


LEAST_FREE = 16 * 2**20
"""Bytes: what a case writes in its first minute, with room for the database's own log."""


async def check_ready(app: Resources) -> None:
    """Raises StorageError where the database does not answer or the data folder's disk is full, SettingError."""
    from sqlalchemy import text

    free = await asyncio.to_thread(_free, app.settings.home)
    if free < LEAST_FREE:
        raise StorageError(
            f"The disk of the data folder is full: {free / 2**20:.1f} MB are free, and {LEAST_FREE >> 20} are needed.",
            advice="Make room; cases that wait go on by themselves.",
        )
    await (await app.database()).read(lambda connection: connection.execute(text("SELECT 1")).close())


def _free(folder: Path) -> int:
    """Bytes that are free on the folder's disk, which it is to lie on where it is not there yet."""
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    return shutil.disk_usage(there).free
