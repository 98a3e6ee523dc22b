"""The known products."""

from msgspec.structs import asdict

from specfactory.model import Instant, Product
from specfactory.ports import Database, Row, Transaction
from specfactory.store.base import from_json, like_pattern, to_json


class Products:
    """All products, by id, by words and by brand."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def save(self, tx: Transaction, product: Product) -> None:
        """Add or update a product."""
        row = {**asdict(product), "hard_ids": to_json(product.hard_ids)}
        words = _key(f"{product.id} {product.category} {product.name}")
        await tx.execute("save_product", **row, brand_key=_key(product.brand), words=words)

    async def get(self, product_id: str) -> Product | None:
        """The product with this id."""
        rows = await self._db.fetch("get_product", id=product_id)
        return _product(rows[0]) if rows else None

    async def find(self, words: str) -> list[Product]:
        """Products that match all these words, in any order; an id matches its product alone."""
        if exact := await self.get(words.strip()):
            return [exact]
        wanted = _key(words).split()
        if not wanted:
            return []
        rows = await self._db.fetch("find_products", pattern=like_pattern(max(wanted, key=len)))
        return [_product(row) for row in rows if all(word in row["words"] for word in wanted)]

    async def of_brand(self, category: str, brand: str) -> list[Product]:
        """All products of a brand: each other's siblings."""
        rows = await self._db.fetch("products_of_brand", category=category, brand_key=_key(brand))
        return [_product(row) for row in rows]

    async def stale(self, oldest: Instant, after: str = "", limit: int = 1000) -> list[Product]:
        """Products whose record no attempt has confirmed since ``oldest``, by id."""
        rows = await self._db.fetch("stale_products", oldest=oldest, after=after, limit=limit)
        return [_product(row) for row in rows]

    async def list(self, category: str | None = None) -> list[Product]:
        """All products, or those of one category."""
        return [_product(row) for row in await self._db.fetch("list_products", category=category)]


def _key(words: str) -> str:
    return " ".join(words.casefold().split())


def _product(row: Row) -> Product:
    return Product(
        row["category"],
        row["brand"],
        row["model"],
        row["variant"],
        from_json(row["hard_ids"]),
        row["id"],
    )
