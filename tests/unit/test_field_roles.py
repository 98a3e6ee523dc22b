"""What fields mean on any page, decided once per contract."""

import pytest

from specfactory.contract import compile_contract, find_contract
from specfactory.contract.field_roles import field_role
from specfactory.model import Field, FieldType


@pytest.mark.parametrize(
    ("category", "field", "family", "ranked_as"),
    [
        ("product", "price", "price", "price"),
        ("product", "currency", "currency", "currency"),
        ("product", "availability", "availability", "availability"),
        ("product", "sku", "id", "id"),
        ("product", "brand", "brand", "brand"),
        ("article", "title", "headline", ""),
        ("article", "author", "person", ""),
        ("mouse", "weight", "quantity", ""),
    ],
)
def test_bundled_fields_have_the_roles_that_their_names_promise(category, field, family, ranked_as):
    role = compile_contract(find_contract(category)).roles[field]

    assert (role.family, role.ranked_as) == (family, ranked_as)


def test_a_field_of_another_type_is_not_ranked():
    role = field_role(Field("low", FieldType.NUMBER, structured=("offers.price",)))

    assert (role.family, role.ranked_as) == ("price", "")


def test_an_enumeration_that_names_both_currency_and_stock_is_ranked_as_neither():
    paths = ("offers.priceCurrency", "offers.availability")

    assert field_role(Field("state", FieldType.ENUMERATION, structured=paths)).ranked_as == ""


def test_the_name_of_a_thing_is_asked_for_before_the_headline_of_its_page():
    role = field_role(Field("title", FieldType.TEXT, structured=("name", "headline")))

    assert (role.article_part, role.asked_first) == ("headline", "name")
    assert field_role(Field("title", FieldType.TEXT, structured=("headline",))).asked_first == ""
