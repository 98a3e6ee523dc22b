"""``spec templates``: what was learned, and a person's decisions about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.sites.learn import print_template, template_json
from specfactory.entry.cli.terminal import (
    AsJson,
    hosts_meant,
    moment,
    open_factory,
    perform,
    print_json,
    print_line,
    print_table,
    settings_from,
    shorten,
    spec_command,
)

if TYPE_CHECKING:
    from specfactory.model import (
        FieldTemplate,
        LearnedTemplate,
        PageLabel,
        Template,
        TemplateConduct,
    )
    from specfactory.orchestrate import Workbench
    from specfactory.orchestrate.templates import RolledBack, TemplateDesk
    from specfactory.settings import Settings

app = typer.Typer(help="Look at learned templates and decide about them.")

TemplateId = Annotated[str, typer.Argument(metavar="ID", help="Id of a template: t12 or 12.")]
Actor = Annotated[
    str, typer.Option("--by", metavar="WHO", help="Who decides; your login name without it.")
]
RULES_SHOWN = 3


@app.command("list")
def list_templates(
    context: typer.Context,
    pending: Annotated[
        bool, typer.Option("--pending", help="Only those that wait for a person.")
    ] = False,
    host: Annotated[str | None, typer.Option("--host", help="Only this host.")] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=100_000, help="At most so many.")
    ] = 100,
    as_json: AsJson = False,
) -> None:
    """List templates, the latest first.

    Adopted ones are at work; those on trial are counted beside them and not used yet.

    Example: spec templates list --pending
    """
    found = perform(_list(settings_from(context), pending, host, limit))
    if as_json:
        print_json([template_json(learned) for learned in found])
        return
    if pending:
        columns = ("id", "host", "category", "lower", "why")
        print_table(columns, map(_question, found), empty="nothing waits for a person")
        return
    print_table(
        ("id", "host", "category", "layout", "status", "accuracy", "lower", "pages", "since"),
        map(_row, found),
        empty="no templates yet; see: spec learn",
    )


async def _list(
    settings: Settings, pending: bool, host: str | None, limit: int
) -> list[LearnedTemplate]:
    from specfactory.model import TemplateStatus

    status = TemplateStatus.PROPOSED if pending else None
    async with open_factory(settings) as factory:
        hosts = await hosts_meant(factory, host)
        found = [each for h in hosts for each in await factory.templates.list(h, status, limit)]
    return sorted(found, key=lambda learned: -learned.id)[:limit]


def _row(learned: LearnedTemplate) -> tuple[object, ...]:
    return (
        learned.name,
        learned.host,
        learned.category,
        f"{learned.layout} v{learned.version}",
        learned.status.value + (" (drifted)" if learned.drifted_at else ""),
        learned.accuracy,
        learned.lower_bound,
        learned.pages_read,
        moment(learned.reviewed_at or learned.created_at)[:10],
    )


def _question(learned: LearnedTemplate) -> tuple[object, ...]:
    return learned.name, learned.host, learned.category, learned.lower_bound, learned.reason


@app.command("show")
def show_template(context: typer.Context, template: TemplateId, as_json: AsJson = False) -> None:
    """Show a template: its fields, their figures on the samples and at work, and its rules.

    The rules shown are the weightiest of each field; thousands may vote.

    Example: spec templates show t12
    """
    learned, rules, conduct = perform(_show(settings_from(context), template))
    if as_json:
        print_json(
            {
                **template_json(learned),
                "at_work": _conduct_json(conduct),
                "rules": {one.field: _rules(rules, one) for one in rules.fields},
            }
        )
        return
    print_template(learned)
    _print_history(learned)
    if conduct.fields:
        print_line()
        print_table(
            ("at work", "pages", "found", "valid", "agreed", "differed"),
            ((c.field, c.pages, c.filled, c.valid, c.agreed, c.disagreed) for c in conduct.fields),
        )
    print_line()
    print_table(
        ("field", "rules", "the weightiest"),
        (
            (one.field, len(one.one.rules), shorten(" | ".join(_rules(rules, one)), 90))
            for one in rules.fields
        ),
    )


async def _show(
    settings: Settings, words: str
) -> tuple[LearnedTemplate, Template, TemplateConduct]:
    async with open_factory(settings) as factory:
        learned = await _find(factory, words)
        rules = await factory.templates.rules(learned.id)
        conduct = await factory.template_watch.conduct(
            factory.database, learned.id, learned.pages_read, learned.pages_read
        )
        return learned, rules, conduct


async def _find(factory: Workbench, words: str) -> LearnedTemplate:
    from specfactory.store import template_number

    return await factory.templates.get(template_number(words))


def _print_history(learned: LearnedTemplate) -> None:
    print_line(f"learned {moment(learned.created_at)} by {learned.created_by}")
    if learned.reviewed_at is not None:
        print_line(f"{learned.status} {moment(learned.reviewed_at)} by {learned.reviewed_by}")
    if learned.replaces:
        print_line(f"replaces t{learned.replaces}")
    if learned.drifted_at is not None:
        print_line(f"drifted {moment(learned.drifted_at)}: it finds less than on its samples")


def _rules(template: Template, field: FieldTemplate) -> list[str]:
    rules = sorted(field.one.rules, key=lambda rule: -rule.weight)[:RULES_SHOWN]
    found = [[template.features[at] for at in rule.features] for rule in rules]
    return [" & ".join(f"{f.kind}={f.value}" for f in features) for features in found]


def _conduct_json(conduct: TemplateConduct) -> list[dict[str, Any]]:
    return [
        {
            "field": one.field,
            "pages": one.pages,
            "filled": one.filled,
            "valid": one.valid,
            "agreed": one.agreed,
            "differed": one.disagreed,
        }
        for one in conduct.fields
    ]


@app.command("approve")
def approve_template(
    context: typer.Context,
    template: TemplateId,
    reason: Annotated[str, typer.Option("--reason", help="Why; kept.")] = "approved",
    by: Actor = "",
    as_json: AsJson = False,
) -> None:
    """Put a template to work.

    The one at work for the same layout retires; rollback brings it back.

    Example: spec templates approve t12
    """

    async def approve(desk: TemplateDesk) -> LearnedTemplate:
        return await desk.approve_template(template, reason)

    _print_decided(perform(_decide(settings_from(context), by, approve)), as_json)


@app.command("reject")
def reject_template(
    context: typer.Context,
    template: TemplateId,
    reason: Annotated[str, typer.Option("--reason", help="What is wrong; kept, and learned from.")],
    field: Annotated[
        list[str] | None,
        typer.Option("--field", metavar="FIELD", help="A field that is wrong; repeatable."),
    ] = None,
    by: Actor = "",
    as_json: AsJson = False,
) -> None:
    """Say that a template is wrong.

    For fields named by --field or in the reason only a person's labels count from now on; the
    next template of this layout is put to review in any case.

    Example: spec templates reject t12 --field weight --reason "takes the package's weight"
    """

    async def reject(desk: TemplateDesk) -> LearnedTemplate:
        return await desk.reject_template(template, reason, field or ())

    _print_decided(perform(_decide(settings_from(context), by, reject)), as_json)


async def _decide(settings: Settings, by: str, decide: Any) -> Any:
    from specfactory.orchestrate.templates import TemplateDesk

    async with open_factory(settings) as factory:
        return await decide(TemplateDesk(factory, by))


def _print_decided(learned: LearnedTemplate, as_json: bool) -> None:
    if as_json:
        print_json(template_json(learned))
        return
    print_line(f"{learned.name} ({learned.host}) is {learned.status}: {learned.reason}")


@app.command("label")
def label_page(
    context: typer.Context,
    page: Annotated[str, typer.Argument(metavar="PAGE", help="Id of a stored page, or its URL.")],
    field: Annotated[str, typer.Argument(metavar="FIELD", help="A field of the contract.")],
    value: Annotated[
        list[str] | None,
        typer.Argument(metavar="VALUE", help="As it stands on the page; several for a list."),
    ] = None,
    absent: Annotated[bool, typer.Option("--absent", help="The page does not say it.")] = False,
    category: Annotated[str | None, typer.Option("--category", help="Whose field it is.")] = None,
    by: Actor = "",
    as_json: AsJson = False,
) -> None:
    """Say what stands on a page; three pages are enough to learn a field.

    The words must stand on the stored page exactly so. Your later word replaces your earlier one;
    where two persons contradict each other, neither is believed.

    Example: spec templates label page-0193f2 weight "54 g"
    """
    from specfactory.errors import UsageError

    values = tuple(value or ())
    if bool(values) == absent:
        raise UsageError("give VALUE as it stands on the page, or --absent")

    async def label(desk: TemplateDesk) -> PageLabel:
        return await desk.label_page(page, field, values, category)

    kept = perform(_decide(settings_from(context), by, label))
    if as_json:
        print_json(_label_json(kept))
        return
    print_line(
        f"{kept.field} on {kept.page_id} is {', '.join(kept.values) or 'not there'}, "
        f"says {kept.actor}; it counts from the next learning: {spec_command()} learn {kept.host}"
    )


def _label_json(label: PageLabel) -> dict[str, Any]:
    return {
        "page_id": label.page_id,
        "host": label.host,
        "field": label.field,
        "values": list(label.values),
        "actor": label.actor,
        "set_at": moment(label.set_at),
    }


@app.command("rollback")
def roll_back(
    context: typer.Context,
    host: Annotated[str, typer.Argument(metavar="HOST", help="Host, with its port if it has one.")],
    reason: Annotated[str, typer.Option("--reason", help="Why; kept.")] = "",
    by: Actor = "",
    as_json: AsJson = False,
) -> None:
    """Undo the latest adoption of a host.

    What was at work before is at work again; pages are read with it from now on.

    Example: spec templates rollback shop.example
    """

    async def undo(desk: TemplateDesk) -> RolledBack:
        return await desk.roll_back(host, reason)

    done = perform(_decide(settings_from(context), by, undo))
    if as_json:
        restored = template_json(done.restored) if done.restored else None
        print_json({"taken": template_json(done.taken), "restored": restored})
        return
    after = f"{done.restored.name} is at work again" if done.restored else "none takes its place"
    print_line(f"{done.taken.name} is at work no more; {after}")


@app.command("diff")
def diff_templates(
    context: typer.Context, first: TemplateId, second: TemplateId, as_json: AsJson = False
) -> None:
    """Compare two templates, field by field.

    Same rules give the same values; where they differ, the figures tell which is better.

    Example: spec templates diff t12 t14
    """
    one, two, same = perform(_pair(settings_from(context), first, second))
    rows = list(_differences(one, two, same))
    if as_json:
        print_json({"first": one.name, "second": two.name, "fields": rows})
        return
    print_line(f"{one.name} {one.status} ({one.host}) and {two.name} {two.status} ({two.host})")
    columns = ("field", "what", "accuracy_first", "accuracy_second", "fill_first", "fill_second")
    print_table(columns, ([row[name] for name in columns] for row in rows), empty="no fields")


async def _pair(
    settings: Settings, first: str, second: str
) -> tuple[LearnedTemplate, LearnedTemplate, set[str]]:
    async with open_factory(settings) as factory:
        one, two = await _find(factory, first), await _find(factory, second)
        rules = [await factory.templates.rules(learned.id) for learned in (one, two)]
        mine, theirs = ({f.field: _all_rules(t, f) for f in t.fields} for t in rules)
        return one, two, {name for name in mine if mine[name] == theirs.get(name)}


def _all_rules(template: Template, field: FieldTemplate) -> frozenset[object]:
    return frozenset(
        frozenset((template.features[at].kind, template.features[at].value) for at in rule.features)
        for rule in field.one.rules
    )


def _differences(one: LearnedTemplate, two: LearnedTemplate, same: set[str]) -> Any:
    mine, theirs = ({f.field: f for f in t.at_work} for t in (one, two))
    for name in sorted({*mine, *theirs}):
        left, right = mine.get(name), theirs.get(name)
        what = "added" if left is None else "removed" if right is None else "changed"
        yield {
            "field": name,
            "what": "same" if name in same else what,
            "accuracy_first": round(left.accuracy, 4) if left else None,
            "accuracy_second": round(right.accuracy, 4) if right else None,
            "fill_first": round(left.fill_rate, 4) if left else None,
            "fill_second": round(right.fill_rate, 4) if right else None,
        }
