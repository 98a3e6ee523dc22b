"""Takes a stored page and gives its views, its structured data and snippets of them;
finds quotes again where they were taken, and proves values by them.

What names a value is proven as the value is, by ``Evidence.method``, ``label`` and ``section``:

- structured data: ``label`` is the key that names the value in the source (JSON key, itemprop,
  meta name, or the name of an additionalProperty). The property is found again among the page's
  items by these spans, and its path must stand for the field. A unit or currency that stands
  apart is the second of ``values``.
- tables and pairs: ``label`` names the field through ``match_label``. Where only the heading
  above makes it do so ("Cable" over "Length"), the heading is quoted in ``section``.
- text patterns: ``label`` is the whole phrase, the value inside it.

``derive`` is the one route from quotes to a value, when it is taken and when it is proven.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .property_fields import list_path, named_fields
    from .quotes import derive, prove, snippet, verify
    from .structured import Item, Property
    from .substance import VERSION, substance_hash
    from .text import VIEW_VERSIONS, Element, Outline, reading
    from .views import PageViews
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
