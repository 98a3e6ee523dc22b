"""Requests with the usual limits, for tests of those who fetch."""

from __future__ import annotations

from specfactory.settings import FetchSettings

request_to = FetchSettings().request
