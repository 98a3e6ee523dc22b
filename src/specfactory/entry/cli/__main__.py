"""``python -m specfactory.entry.cli`` is ``spec``."""

from specfactory.entry.cli import main

main()
