"""Takes the views of a page and a compiled contract; gives candidates with their evidence,
and what was found but had to be dropped. It knows nothing of the product asked for.
"""

from specfactory.extract.station import Extraction, extract_candidates

__all__ = ["Extraction", "extract_candidates"]
