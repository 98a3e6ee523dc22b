"""Over aiohttp: pages, web search, language model, proxy checks."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .fetcher import HttpFetcher
    from .language_model import OpenAiModel
    from .proxy_checker import ProxyChecker
    from .rotator import RotatorProcess
    from .search import JsonSearch
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
