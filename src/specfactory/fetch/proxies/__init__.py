"""The pool of proxies and their health."""

from .health import PROXY_FAULT, Checked
from .list_formats import MOST_BYTES, ProxyList, make_proxy, read_list
from .pool import ROTATOR_TIER, ProxyPool
from .proxy_truth import is_same_page
