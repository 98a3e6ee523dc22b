"""Takes what the line could not settle; gives a person's decisions, which outrank every candidate.

``ReviewDesk`` shows, accepts, overrides, rejects and undoes, and says who and when.
"""

from .choices import GridRow, ReviewChoice, grid
from .desk import ReviewDesk, decided, open_review
from .typed_values import os_user, value_from_words
