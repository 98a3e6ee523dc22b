"""Fetch: takes a URL, gives a page with its outcome and its bytes.

Everything that goes to the network passes the gate here, waits its turn and obeys robots.txt.
"""

from specfactory.fetch.addresses import GatePolicy, check_address, check_url
from specfactory.fetch.outcomes import classify
from specfactory.fetch.snapshots import canonical, host_of, make_page
from specfactory.fetch.station import FetchStation

__all__ = [
    "FetchStation", "GatePolicy", "canonical", "check_address", "check_url", "classify", "host_of",
    "make_page",
]  # fmt: skip
