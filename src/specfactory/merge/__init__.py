"""Takes a product's candidates, a person's decisions and what is known of the sources.
Gives one result per field: a value with its confidence and why, or an unknown with its reason.
"""

from specfactory.merge.fields import merge, unknown
from specfactory.merge.weights import (
    METHOD_SHIFT,
    TIER_ACCURACY,
    MergeKnowledge,
    MergeWeights,
    log_odds,
    share_of,
)

__all__ = [
    "METHOD_SHIFT", "TIER_ACCURACY", "MergeKnowledge", "MergeWeights", "log_odds", "merge",
    "share_of", "unknown",
]  # fmt: skip
