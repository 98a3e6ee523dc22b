"""Which field a label or a phrase names; conditions across fields."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.contract.matching.check_expressions import (
        Expression,
        ExpressionError,
        parse_expression,
    )
    from specfactory.contract.matching.field_roles import FieldRole, field_role
    from specfactory.contract.matching.labels import (
        LabelIndex,
        LabelMatch,
        label_unit,
        split_section,
    )
    from specfactory.contract.matching.phrases import (
        PatternError,
        PhraseIndex,
        TextMatch,
        parse_pattern,
        value_pattern,
    )
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "Expression", "ExpressionError", "FieldRole", "LabelIndex", "LabelMatch", "PatternError",
    "PhraseIndex", "TextMatch", "field_role", "label_unit", "parse_expression", "parse_pattern",
    "split_section", "value_pattern",
]  # fmt: skip
