"""Takes sample pages of one source, some of them with known values; gives layouts,
a template per layout (rules that find the values on all its pages), and how right it is.
"""

from specfactory.learn.layouts import find_layouts
from specfactory.learn.samples import Sample
from specfactory.learn.template import learn_template
from specfactory.learn.trials import Trial, try_template

__all__ = ["Sample", "Trial", "find_layouts", "learn_template", "try_template"]
