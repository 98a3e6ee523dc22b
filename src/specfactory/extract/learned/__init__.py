"""The learned models themselves, asked in plain Python: linear weights, boosted trees, their
JSON.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.extract.learned.article_weights import Seen, likelihoods
    from specfactory.extract.learned.ranking_weights import Features, Group, Weights, ranking
    from specfactory.extract.learned.trees import shipped_trees
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = ["Features", "Group", "Seen", "Weights", "likelihoods", "ranking", "shipped_trees"]
