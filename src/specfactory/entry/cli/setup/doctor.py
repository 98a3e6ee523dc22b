"""``spec doctor``: what works here, and how to mend what does not."""

from __future__ import annotations

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import Reply, as_typed, command, out, settings_from
from specfactory.errors import UsageError

app = typer.Typer()


@command(app, "doctor")
async def examine(context: typer.Context) -> Reply:
    """Say what works here, and how to mend what does not.

    A warning is about something the factory can do without; exit 1 when something needed fails.

    Example: spec doctor --json
    """
    from specfactory.entry.cli.setup import doctor_checks as checks

    findings = [checks.look_at_python(), checks.look_at_packages()]
    try:
        settings = settings_from(context)
    except UsageError as problem:
        findings.append(
            shapes.setup.Finding("settings", "fail", str(problem), "correct it, or see: spec init")
        )
    else:
        findings += [checks.look_at_settings_file(context), *checks.mistyped_variables()]
        findings += [finding async for finding in checks.examine(settings)]
    failed = any(finding.state == "fail" for finding in findings)

    def show(findings: list[shapes.setup.Finding]) -> None:
        out.table(("check", "state", "found"), findings)
        for finding in findings:
            if finding.mend:
                out.line(f"{finding.check}: {as_typed(finding.mend)}")

    return Reply(findings, show, code=1 if failed else 0)
