"""Which field a label or a phrase names; conditions across fields."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .check_expressions import Expression, ExpressionError, parse_expression
    from .field_roles import FieldRole, field_role
    from .labels import LabelIndex, LabelMatch, label_unit, split_section
    from .phrases import PatternError, PhraseIndex, TextMatch, parse_pattern, value_pattern
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
