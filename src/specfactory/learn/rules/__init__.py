"""Rules of a template, learned from known texts and tried on pages left out."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .template import learn_template, move_features
    from .trials import Same, Trial, learn_and_try, same_words, shown_pages, try_template
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
