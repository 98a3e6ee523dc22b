"""Families of fields: fields whose values look and err alike, whatever their contract."""

from __future__ import annotations

from specfactory.model import Field, FieldType

_BY_PATH = {
    "price": "price", "lowPrice": "price", "highPrice": "price", "priceCurrency": "currency",
    "availability": "availability", "sku": "id", "mpn": "id", "gtin": "id", "gtin13": "id",
    "isbn": "id", "productID": "id", "brand": "brand", "manufacturer": "brand",
    "name": "headline", "headline": "headline", "author": "person", "creator": "person",
    "datePublished": "date", "dateModified": "date", "articleBody": "body",
    "ratingValue": "rating", "reviewCount": "count", "ratingCount": "count",
}  # fmt: skip


def family_of(field: Field) -> str:
    """The family of a field, by its schema.org property, else by its type."""
    for path in field.structured:
        for name in reversed(path.split(".")):
            if name in _BY_PATH and not (name == "name" and "." in path):
                return _BY_PATH[name]
    if field.type in (FieldType.NUMBER, FieldType.INTEGER, FieldType.DIMENSIONS):
        return "quantity"
    return str(field.type)
