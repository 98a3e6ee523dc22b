"""Takes sample pages of one source, some of them with known values;
gives a template: rules that find the values on every page of that layout.
"""

from specfactory.learn.samples import Sample
from specfactory.learn.template import learn_template

__all__ = ["Sample", "learn_template"]
