"""Stored pages, what they gave, and how they were fetched."""

from .pages import PageLists, Pages
from .readings import PageReading, Reading, Readings, ReadPage
from .visits import Visits
