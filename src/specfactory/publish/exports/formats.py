"""The formats of exports: asked for by the command, written by ``export_file.py``."""

from enum import StrEnum


class Format(StrEnum):
    """File format of an export."""

    JSONL = "jsonl"
    CSV = "csv"
    XLSX = "xlsx"
    PARQUET = "parquet"
    JSONLD = "jsonld"
    SEED = "seed"

    @property
    def is_table(self) -> bool:
        """A row for each record, with a file that describes its columns."""
        return self in {Format.CSV, Format.XLSX, Format.PARQUET}

    @property
    def is_binary(self) -> bool:
        """Nothing for a terminal."""
        return self in {Format.XLSX, Format.PARQUET}

    @property
    def is_of_pages(self) -> bool:
        """What single pages gave can be written in it, too."""
        return self.is_table or self is Format.JSONL
