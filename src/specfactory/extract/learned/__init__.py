"""Learned models with their data files: linear weights and boosted trees, in plain Python."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.extract.learned.article_weights import likelihoods
    from specfactory.extract.learned.ranking_weights import Features, Group, Weights, ranking
    from specfactory.extract.learned.trees import shipped_trees
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = ["Features", "Group", "Weights", "likelihoods", "ranking", "shipped_trees"]
