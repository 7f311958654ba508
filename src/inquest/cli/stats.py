"""`inquest stats`: what investigations and cases come to as a whole, and what somebody should look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from inquest.cli.common import print_json, with_app

if TYPE_CHECKING:
    from inquest.app.build import App


def stats(
    days: int | None = typer.Option(None, help="Only what was begun in the last so many days; default: all."),
    as_json: bool = typer.Option(False, "--json", help="One JSON object."),
) -> None:
    """Success, upgrades, sources, time and money of investigations; alerts; and counts for every kind of case."""

    async def work(app: App) -> dict[str, Any]:
        from inquest.app.cases.statistics import statistics

        return await statistics(app, days=days)

    found = with_app(work)
    if as_json:
        print_json(found)
        return
    for line in _lines(found):
        typer.echo(line)


def _lines(found: dict[str, Any]) -> list[str]:
    numbers = found["investigations"]
    lines = [
        f"Investigations  {numbers['investigations']}: {numbers['completed']} completed, {numbers['partial']} partial, "
        f"{numbers['failed']} failed, {numbers['cancelled']} stopped, {numbers['running']} running",
        f"  three sources or more      {_share(numbers['success_rate'])}",
        f"  met a success criterion    {_share(numbers['criteria_met_rate'])}",
        f"  unverified topics upgraded {_share(numbers['upgrade_rate'])}",
        f"  sources, mean              {_plain(numbers['mean_sources'], '.1f')}",
        f"  seconds p50 / p95 / p99    {_plain(numbers['seconds_p50'], '.1f')} / "
        f"{_plain(numbers['seconds_p95'], '.1f')} / {_plain(numbers['seconds_p99'], '.1f')}",
        f"  cost, mean / highest       ${_plain(numbers['cost_mean_usd'], '.3f')} / "
        f"${_plain(numbers['cost_max_usd'], '.3f')}",
        f"  false upgrades             {_share(numbers['false_upgrade_rate'])} "
        f"({numbers['false_upgrades']} of {numbers['upgrades']}; {numbers['upgrades_reviewed']} reviewed)",
        f"  waiting for a review       {numbers['awaiting_review']}",
    ]
    lines += [f"! {alert['text']} Cases: {', '.join(alert['cases'])}" for alert in found["alerts"]]
    for kind, each in found["cases"]["by_kind"].items():
        how = ", ".join(f"{count} {status}" for status, count in each["by_status"].items())
        lines.append(f"{kind.capitalize()} cases  {each['cases']}: {how}; ${each['cost_usd']:.3f}")
        if each["verdicts"]:
            verdicts = ", ".join(f"{count} {verdict.replace('_', ' ')}" for verdict, count in each["verdicts"].items())
            lines.append(f"  verdicts: {verdicts}")
        if each["outages"]:
            shown = [f"{out['what']} {out['where']}".strip() + f" {out['times']}x" for out in each["outages"][:5]]
            lines.append(f"  could not be asked: {', '.join(shown)}")
    return lines


def _share(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.0f}%"


def _plain(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)
