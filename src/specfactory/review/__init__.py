"""Takes what the line could not settle; gives a person's decisions, which outrank every candidate.

``ReviewDesk`` lists, shows, accepts, overrides, rejects and undoes, and says who and when.
"""

from specfactory.review.desk import ReviewDesk
from specfactory.review.grid import GridRow, ReviewChoice, grid
from specfactory.review.typed_values import os_user, value_from_words

__all__ = ["GridRow", "ReviewChoice", "ReviewDesk", "grid", "os_user", "value_from_words"]
