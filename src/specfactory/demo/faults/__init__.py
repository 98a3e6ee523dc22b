"""The catalogue of faults: what goes wrong on the demo web when it is asked to.

Takes requests; gives what a fault makes of them, or None where all is well.
"""

from specfactory.demo.faults.controls import control
from specfactory.demo.faults.switchboard import Switchboard, fault_of, find_fault
from specfactory.demo.faults.table import DRAWN, FAULTS
from specfactory.demo.faults.values import Fault, Scope

__all__ = ["DRAWN", "FAULTS", "Fault", "Scope", "Switchboard", "control", "fault_of", "find_fault"]
