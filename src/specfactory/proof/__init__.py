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

from specfactory.proof.property_fields import list_path, named_fields
from specfactory.proof.quotes import VIEW_VERSIONS, derive, prove, snippet, verify
from specfactory.proof.structured import Item, Property
from specfactory.proof.substance import VERSION, substance_hash
from specfactory.proof.text import Element, Outline, reading
from specfactory.proof.views import PageViews
from specfactory.proof.wording import word_set

__all__ = [
    "VERSION", "VIEW_VERSIONS", "Element", "Item", "Outline", "PageViews", "Property", "derive",
    "list_path", "named_fields", "prove", "reading", "snippet", "substance_hash", "verify",
    "word_set",
]  # fmt: skip
