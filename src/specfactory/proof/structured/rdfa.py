"""RDFa → items: ``typeof`` begins a thing, ``property`` names what it says of it."""

from collections.abc import Iterator

from specfactory.proof.structured.item_draft import ItemDraft, SourceCut
from specfactory.proof.structured.items import property_name
from specfactory.proof.structured.microdata import Marks, marked_items
from specfactory.proof.structured.tags import SourceTag
from specfactory.proof.text import Element, Outline
from specfactory.proof.wording import word_set

# Vocabularies about the page itself: read as meta tags.
_FRAMES = word_set("og fb twitter article product al dc dcterms foaf sioc skos rdfs xsd rdf")


class _RdfaMarks(Marks):
    """RDFa writes prefixes before its names (``schema:name``)."""

    __slots__ = ()

    def names(self, element: Element) -> list[str]:
        written = element.get(self.property).split()
        return [  # without prefix or address
            property_name(name.rpartition("#")[2] if "#" in name else name.rpartition(":")[2])
            for name in written
            if name.partition(":")[0] not in _FRAMES
        ]


RDFA = _RdfaMarks("rdfa", "property", "typeof", ("typeof",), "p")


def rdfa_items(outline: Outline, tags: list[SourceTag], cut: SourceCut) -> Iterator[ItemDraft]:
    """All RDFa items of a page; properties outside any thing are left to the meta tags."""
    if not any(tag.mentions("typeof") and "typeof" in tag.attributes for tag in tags):
        return iter(())
    return marked_items(outline, tags, cut, RDFA)
