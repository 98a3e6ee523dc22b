"""Takes a product, its category's identity rules, its siblings and a page or a short text.
Gives an ``Identity``: same, family, other or unsure, with its reasons in plain words.

How a name is read:

1. Hard ids come first. A GTIN, ISBN or ASIN that differs is a veto; one that matches is near
   certain, unless the page's own names say another variant. Part numbers and SKUs contradict
   only within one scheme, and only in a digit.
2. All words of the model must stand together, in order or reordered, in one part of a title.
   A missing one makes it ``other``, or ``family`` where only the family is named.
3. A word next to the model that makes another model of it is a veto, whether or not we have
   heard of that model: words of siblings, the contract's variant words, common suffixes (Pro,
   Mini, SE …), and what looks like a piece of a name (X2, V3, II, a bare number or letter).
   A word glued to the model counts like one. An unknown word right behind it makes it ``unsure``,
   unless the model ends in a number of its own (D7000), behind which most words are noise.
4. Connection and colour are soft. They are a veto when they contradict the product's own
   (Wired for Wireless) or are what a sibling of the same model differs in. A product without
   variant is matched by a title that adds soft words which no sibling differs in (but pages that
   say wired and wireless are put to a person); a product
   with a soft variant is matched by a title that leaves it out, as long as the catalogue has no
   other variant of the model – else the title is about the ``family``.
5. Size and capacity (64 GB, 13 inch) may stand anywhere in a title. Another one than the
   product's is a veto; a title without it, or with several, is about the ``family``. A product
   that leaves them open takes any, but pages that name different ones are put to a person.
6. A model of one word without a digit, or of nothing but suffixes, is ``unsure`` behind a word
   that nobody knows (``Halo X`` for ``X``). Used, refurbished and bundled ones are ``unsure``;
   of these, a plainer name elsewhere on the page does not make a certainty.
7. The catalogue outranks the contract, the contract the common vocabulary.
8. An accessory, a part, a copy or a set of them is ``other``: "compatible with", "replacement",
   "clone of", "set of" and their like in many languages next to the model (a charger that is
   itself the product is named with what it is for). A thing that goes with others (case, charger)
   behind the model is ``unsure``.
9. Letters that only look Latin (``Рro``, ``ᴘʀᴏ``) make a name ``unsure`` wherever reading them as
   a person would makes a difference, whatever ids the page has; words of another script beside
   the model do not.
10. A text that names no product does not point elsewhere: ``same`` with neutral confidence.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .hard_ids import normal_id
    from .measures import contradict
    from .measures import say as say_measures
    from .names import key_of
    from .record_ids import with_agreed_ids, with_field_ids
    from .verdict import (
        ID_CONFIDENCE,
        NEUTRAL_CONFIDENCE,
        connections_in,
        judge_page,
        judge_subject,
        named_connections,
        named_measures,
    )
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
