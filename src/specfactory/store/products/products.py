"""The known products."""

from specfactory.model import Instant, Product
from specfactory.ports import Transaction
from specfactory.store.base import Store, as_row, fetch_all, fetch_first, from_row, like_pattern


class Products(Store):
    """All products, by id, by words and by brand."""

    async def save(self, tx: Transaction, product: Product) -> None:
        """Add or update a product."""
        words = _key(f"{product.id} {product.category} {product.name}")
        row, brand_key = as_row(product), _key(product.brand)
        await tx.execute("save_product", **row, brand_key=brand_key, words=words)

    async def get(self, product_id: str) -> Product | None:
        """The product with this id."""
        return await fetch_first(self._db, Product, "get_product", id=product_id)

    async def find(self, words: str) -> list[Product]:
        """Products that match all these words, in any order; an id matches its product alone."""
        if exact := await self.get(words.strip()):
            return [exact]
        wanted = _key(words).split()
        if not wanted:
            return []
        rows = await self._db.fetch("find_products", pattern=like_pattern(max(wanted, key=len)))
        fitting = (row for row in rows if all(word in row["words"] for word in wanted))
        return [from_row(Product, row) for row in fitting]

    async def of_brand(self, category: str, brand: str) -> list[Product]:
        """All products of a brand: each other's siblings."""
        given = {"category": category, "brand_key": _key(brand)}
        return await fetch_all(self._db, Product, "products_of_brand", **given)

    async def siblings(self, product: Product) -> list[Product]:
        """Other products of its brand; of things without brand, those whose names share a word."""
        found = await self.of_brand(product.category, product.brand)
        own = set(_key(product.model).split())
        return [
            one for one in found
            if one.id != product.id and (product.brand or own & set(_key(one.model).split()))
        ]  # fmt: skip

    async def stale(self, oldest: Instant, after: str = "", limit: int = 1000) -> list[Product]:
        """Products whose record no attempt has confirmed since ``oldest``, by id."""
        given = {"oldest": oldest, "after": after, "limit": limit}
        return await fetch_all(self._db, Product, "stale_products", **given)

    async def list(self, category: str | None = None) -> list[Product]:
        """All products, or those of one category."""
        return await fetch_all(self._db, Product, "list_products", category=category)


def _key(words: str) -> str:
    return " ".join(words.casefold().split())
