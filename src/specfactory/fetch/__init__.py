"""Fetch: takes a URL, gives a page with its outcome and its bytes.

Everything that goes to the network passes the gate here, waits its turn and obeys robots.txt.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .addresses import GatePolicy, check_address, check_url
    from .host_care import refusal
    from .outcomes import classify
    from .snapshots import canonical, charset_of, host_of, make_page
    from .station import FetchStation
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
