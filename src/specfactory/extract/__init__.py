"""Takes the views of a page and a compiled contract; gives candidates with their evidence,
and what was found but had to be dropped. It knows nothing of the product asked for.
"""

from specfactory.extract.answers import PageAnswers, answer_page
from specfactory.extract.families import family_of
from specfactory.extract.station import Extraction, extract_candidates

__all__ = ["Extraction", "PageAnswers", "answer_page", "extract_candidates", "family_of"]
