"""A learned template as commands show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specfactory.entry.cli.terminal.output import (
    print_heading,
    print_line,
    print_section,
    print_table,
    shorten,
)

if TYPE_CHECKING:
    from specfactory.entry.shapes import TemplateShape

QUOTE_WIDTH = 28
FIELDS = (
    "field",
    "accuracy",
    ("lower", "lower_bound"),
    "tried",
    ("fill", "fill_rate"),
    ("example", lambda f: shorten(f.quotes[0], QUOTE_WIDTH) if f.quotes else ""),
    ("another", lambda f: shorten(f.quotes[1], QUOTE_WIDTH) if len(f.quotes) > 1 else ""),
)


def print_template(template: TemplateShape) -> None:
    """Print a template's head and its table of fields."""
    print_heading(
        f"{template.template}: {template.host} {template.category}, layout {template.layout} "
        f"version {template.version}, {template.status}"
    )
    print_line(
        f"accuracy {template.accuracy:.3f}, lower bound {template.lower_bound:.3f}, "
        f"{template.sample_count} samples; {template.reason}"
    )
    read = [field for field in template.fields if not field.left_out]
    print_table(FIELDS, read, empty="no fields")
    left_out = [(field.field, field.left_out) for field in template.fields if field.left_out]
    print_section("", ("left out", "why"), left_out)
