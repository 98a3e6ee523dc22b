"""Over aiohttp: pages, web search, language model, proxy checks."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.adapters.http.fetcher import HttpFetcher
    from specfactory.adapters.http.language_model import OpenAiModel
    from specfactory.adapters.http.proxy_checker import ProxyChecker
    from specfactory.adapters.http.rotator import RotatorProcess
    from specfactory.adapters.http.search import JsonSearch
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = ["HttpFetcher", "JsonSearch", "OpenAiModel", "ProxyChecker", "RotatorProcess"]
