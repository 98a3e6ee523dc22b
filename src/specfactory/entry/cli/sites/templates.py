"""``spec templates``: what was learned, and a person's decisions about it."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.sites.learn import print_template
from specfactory.entry.cli.terminal import HostName, Reply, command, hosts_meant, out, spec_command
from specfactory.errors import UsageError
from specfactory.orchestrate import templates

if TYPE_CHECKING:
    from specfactory.model import FieldTemplate, LearnedTemplate, Template
    from specfactory.orchestrate import Workbench

app = typer.Typer(help="Look at learned templates and decide about them.")

TemplateId = Annotated[str, "ID", "Id of a template: t12 or 12."]
Actor = Annotated[str, "--by WHO", "Who decides; your login name without it."]
RULES_SHOWN = 3
TEMPLATES = (
    ("id", "template"),
    "host",
    "category",
    ("layout", lambda t: f"{t.layout} v{t.version}"),
    ("status", lambda t: t.status + (" (drifted)" if t.drifted_at else "")),
    "accuracy",
    ("lower", "lower_bound"),
    ("pages", "pages_read"),
    ("since", lambda t: (t.reviewed_at or t.created_at)[:10]),
)
PENDING = (("id", "template"), "host", "category", ("lower", "lower_bound"), ("why", "reason"))
AT_WORK = (("at work", "field"), "pages", ("found", "filled"), "valid", "agreed", "differed")


@command(app, "list")
async def list_templates(
    factory: Workbench,
    pending: Annotated[bool, "--pending", "Only those that wait for a person."] = False,
    host: Annotated[str | None, "--host", "Only this host."] = None,
    limit: Annotated[int, "--limit", "At most so many.", {"min": 1, "max": 100_000}] = 100,
) -> Reply:
    """List templates, the latest first.

    Adopted ones are at work; those on trial are counted beside them and not used yet.

    Example: spec templates list --pending
    """
    from specfactory.model import TemplateStatus

    status = TemplateStatus.PROPOSED if pending else None
    hosts = await hosts_meant(factory, host)
    found = [each for h in hosts for each in await factory.templates.list(h, status, limit)]
    latest = sorted(found, key=lambda learned: -learned.id)[:limit]
    rows = shapes.sites.TemplateShape.all_of(latest)
    if pending:
        return Reply(rows, PENDING, empty="nothing waits for a person")
    return Reply(rows, TEMPLATES, empty="no templates yet; see: spec learn")


@command(app, "show")
async def show_template(factory: Workbench, template: TemplateId) -> Reply:
    """Show a template: its fields, their figures on the samples and at work, and its rules.

    The rules shown are the weightiest of each field; thousands may vote.

    Example: spec templates show t12
    """
    learned = await _find(factory, template)
    rules = await factory.templates.rules(learned.id)
    conduct = await factory.template_watch.conduct(
        factory.database, learned.id, learned.pages_read, learned.pages_read
    )
    shape = shapes.sites.TemplateInFull.of(
        learned,
        at_work=conduct.fields,
        rules={one.field: _weightiest(rules, one) for one in rules.fields},
    )
    return Reply(shape, partial(_print, rules))


async def _find(factory: Workbench, words: str) -> LearnedTemplate:
    from specfactory.store import template_number

    return await factory.templates.get(template_number(words))


def _weightiest(template: Template, field: FieldTemplate) -> list[str]:
    rules = sorted(field.one.rules, key=lambda rule: -rule.weight)[:RULES_SHOWN]
    found = [[template.features[at] for at in rule.features] for rule in rules]
    return [" & ".join(f"{f.kind}={f.value}" for f in features) for features in found]


def _print(rules: Template, shown: shapes.sites.TemplateInFull) -> None:
    print_template(shown)
    out.line(f"learned {shown.created_at} by {shown.created_by}")
    if shown.reviewed_at is not None:
        out.line(f"{shown.status} {shown.reviewed_at} by {shown.reviewed_by}")
    if shown.replaces:
        out.line(f"replaces {shown.replaces}")
    if shown.drifted_at is not None:
        out.line(f"drifted {shown.drifted_at}: it finds less than on its samples")
    out.section("", AT_WORK, shown.at_work)
    out.line()
    out.table(
        ("field", "rules", "the weightiest"),
        (
            (one.field, len(one.one.rules), out.shorten(" | ".join(shown.rules[one.field]), 90))
            for one in rules.fields
        ),
    )


@command(app, "approve")
async def approve_template(
    factory: Workbench,
    template: TemplateId,
    reason: Annotated[str, "--reason", "Why; kept."] = "approved",
    by: Actor = "",
) -> Reply:
    """Put a template to work.

    The one at work for the same layout retires; rollback brings it back.

    Example: spec templates approve t12
    """
    return _decided(await templates.TemplateDesk(factory, by).approve_template(template, reason))


@command(app, "reject")
async def reject_template(
    factory: Workbench,
    template: TemplateId,
    reason: Annotated[str, "--reason", "What is wrong; kept, and learned from."],
    field: Annotated[
        list[str] | None, "--field FIELD", "A field that is wrong; repeatable."
    ] = None,
    by: Actor = "",
) -> Reply:
    """Say that a template is wrong.

    For fields named by --field or in the reason only a person's labels count from now on; the
    next template of this layout is put to review in any case.

    Example: spec templates reject t12 --field weight --reason "takes the package's weight"
    """
    return _decided(
        await templates.TemplateDesk(factory, by).reject_template(template, reason, field or ())
    )


def _decided(learned: LearnedTemplate) -> Reply:
    said = f"{learned.name} ({learned.host}) is {learned.status}: {learned.reason}"
    return Reply(shapes.sites.TemplateShape.of(learned), said)


@command(app, "label")
async def label_page(
    factory: Workbench,
    page: Annotated[str, "PAGE", "Id of a stored page, or its URL."],
    field: Annotated[str, "FIELD", "A field of the contract."],
    value: Annotated[
        list[str] | None, "VALUE", "As it stands on the page; several for a list."
    ] = None,
    absent: Annotated[bool, "--absent", "The page does not say it."] = False,
    category: Annotated[str | None, "--category", "Whose field it is."] = None,
    by: Actor = "",
) -> Reply:
    """Say what stands on a page; three pages are enough to learn a field.

    The words must stand on the stored page exactly so. Your later word replaces your earlier one;
    where two persons contradict each other, neither is believed.

    Example: spec templates label page-0193f2 weight "54 g"
    """
    values = tuple(value or ())
    if bool(values) == absent:
        raise UsageError("give VALUE as it stands on the page, or --absent")
    kept = await templates.TemplateDesk(factory, by).label_page(page, field, values, category)
    said = (
        f"{kept.field} on {kept.page_id} is {', '.join(kept.values) or 'not there'}, "
        f"says {kept.actor}; it counts from the next learning: {spec_command()} learn {kept.host}"
    )
    return Reply(shapes.sites.LabelShape.of(kept), said)


@command(app, "rollback")
async def roll_back(
    factory: Workbench,
    host: HostName,
    reason: Annotated[str, "--reason", "Why; kept."] = "",
    by: Actor = "",
) -> Reply:
    """Undo the latest adoption of a host.

    What was at work before is at work again; pages are read with it from now on.

    Example: spec templates rollback shop.example
    """
    from specfactory.fetch.addresses import typed_host

    done = await templates.TemplateDesk(factory, by).roll_back(typed_host(host), reason)
    after = f"{done.restored.name} is at work again" if done.restored else "none takes its place"
    said = f"{done.taken.name} is at work no more; {after}"
    return Reply(shapes.sites.RolledBackShape.of(done), said)


@command(app, "diff")
async def diff_templates(factory: Workbench, first: TemplateId, second: TemplateId) -> Reply:
    """Compare two templates, field by field.

    Same rules give the same values; where they differ, the figures tell which is better.

    Example: spec templates diff t12 t14
    """
    one, two = await _find(factory, first), await _find(factory, second)
    rules = [await factory.templates.rules(learned.id) for learned in (one, two)]
    mine, theirs = ({f.field: _all_rules(t, f) for f in t.fields} for t in rules)
    same = {name for name in mine if mine[name] == theirs.get(name)}
    before, after = ({f.field: f for f in t.at_work} for t in (one, two))
    fields = []
    for name in sorted({*before, *after}):
        pair = SimpleNamespace(first=before.get(name), second=after.get(name))
        what = "removed" if pair.second is None else "changed" if pair.first else "added"
        what = "same" if name in same else what
        fields.append(shapes.sites.FieldDifference.of(pair, field=name, what=what))
    shape = shapes.sites.TemplateDifference(first=one.name, second=two.name, fields=fields)
    heads = f"{one.name} {one.status} ({one.host}) and {two.name} {two.status} ({two.host})"

    def show(found: shapes.sites.TemplateDifference) -> None:
        out.line(heads)
        out.table(shapes.sites.FieldDifference.__struct_fields__, found.fields, empty="no fields")

    return Reply(shape, show)


def _all_rules(template: Template, field: FieldTemplate) -> frozenset[object]:
    return frozenset(
        frozenset((template.features[at].kind, template.features[at].value) for at in rule.features)
        for rule in field.one.rules
    )
