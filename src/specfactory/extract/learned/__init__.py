"""Learned models with their data files: linear weights and boosted trees, in plain Python."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .article_weights import propose_likeliest
    from .ranking_weights import Features, Group, Weights, ranking
    from .trees import learned, shipped_trees
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
