"""Pages as records of web archives, and records of any archive read safely."""

from .page_records import PageWriter, page_in
from .reader import WarcReader, WarcRecord
