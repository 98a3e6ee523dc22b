"""Spec Factory: web pages in, records out, every value with the words that prove it.

The line, in its order::

    queue -> discover -> fetch -> identify -> extract -> validate -> merge -> publish -> review

Beneath it stand ``contract`` (what is wanted), ``proof`` (where it stands on the page) and
``store`` (what is known); above it ``orchestrate`` plans the rounds; ``assembly`` chooses the
adapters; ``entry`` is the command line.
"""

__version__ = "0.1.0"
