"""Takes candidates and merged values with their compiled contract.
Gives what must be dropped and why, the checks across fields, and flags for unknown components.
"""

from .checks import component_flag, cross_check, validate
