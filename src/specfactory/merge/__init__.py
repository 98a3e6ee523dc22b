"""Takes a product's candidates, a person's decisions and what is known of the sources.
Gives one result per field: a value with its confidence and why, or an unknown with its reason.
"""

from .feeds import PageText, around_values, passages
from .fields import merge
from .weights import MergeKnowledge, MergeWeights, log_odds, share_of
