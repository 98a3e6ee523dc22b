"""Fetch: takes a URL, gives a page with its outcome and its bytes.

Everything that goes to the network passes the gate here, waits its turn and obeys robots.txt.
"""

from specfactory.fetch.addresses.gate import GatePolicy, check_address, check_url
from specfactory.fetch.outcomes.classify import classify
from specfactory.fetch.station import FORBIDDEN, FetchStation

__all__ = ["FORBIDDEN", "FetchStation", "GatePolicy", "check_address", "check_url", "classify"]
