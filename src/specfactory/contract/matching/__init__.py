"""Which field a label or a phrase names; conditions across fields."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .check_expressions import Expression, ExpressionError, parse_expression
    from .labels import LabelIndex, LabelMatch, hints_barcode, label_unit, split_section
    from .phrases import (
        DATE_PATTERN,
        PatternError,
        PhraseIndex,
        TextMatch,
        answer_pattern,
        dimensions_pattern,
        list_pattern,
        number_pattern,
        parse_pattern,
        words_pattern,
    )
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
