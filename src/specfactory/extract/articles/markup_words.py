"""Words in class names, headings and texts that tell content from its frame, in many languages."""

from __future__ import annotations

import re
from functools import lru_cache

from specfactory.contract.text import word_set

_MAX_HINTS = 300
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SPLIT = re.compile(r"[^a-z]+")

# Meanings of words in class names, ids and roles; each gets one bit.
_MEANINGS: tuple[tuple[str, str], ...] = (
    ("content", "article articles artikel articolo articulo artigo content contents contenu "
     "contenido conteudo contenuto inhalt body entry story text texte texto testo prose copy "
     "richtext wysiwyg markdown maincontent articlebody postbody entrycontent story"),
    ("main", "main post single primary page"),
    ("lead", "lead lede intro summary excerpt standfirst teaser chapo abstract subtitle subhead "
     "subheadline subline dek deck kicker anrisstext vorspann"),
    ("comment", "comment comments commentary kommentar kommentare commentaire commentaires "
     "comentario comentarios commenti reply replies respond responses disqus discussion guestbook"),
    ("post", "message messages thread topic forum answer answers question questions postbit qa"),
    ("other", "related similar recommend recommended recommendation recommendations recirc more "
     "also popular trending latest recent mostread promo promos promoted promotion sponsor "
     "sponsored outbrain taboola teasers upnext readmore next prev previous suggestions "
     "carousel slider swiper feed list listing collection"),
    ("ad", "ad ads adv advert advertisement advertising werbung anzeige banner dfp gpt publicidad "
     "publicite pub reklama"),
    ("nav", "nav navi navbar navigation menu menus breadcrumb breadcrumbs crumbs pagination pager "
     "pages toolbar tabs skip sitemap toc"),
    ("side", "sidebar side aside rail widget widgets secondary complementary right left col"),
    ("foot", "footer foot colophon copyright legal imprint impressum bottom contentinfo"),
    ("head", "header head masthead topbar banner brand logo hero top"),
    ("by", "author authors byline autor autore auteur autoren writer contributor bio profile "
     "avatar meta date time published timestamp posted info details credit credits"),
    ("share", "share sharing social socials facebook twitter whatsapp follow like likes rating "
     "vote votes buttons button btn actions action tools print bookmark"),
    ("tags", "tag tags topics keywords category categories cat labels label schlagworte themen"),
    ("figure", "caption captions figure figcaption image img photo picture gallery media video "
     "embed wp slideshow legend"),
    ("ask", "newsletter subscribe subscription signup login register form modal popup overlay "
     "cookie cookies consent gdpr paywall dialog alert notice search donate cta"),
    ("code", "code highlight syntax pre snippet docs documentation doc api reference"),
    ("product", "product products produkt price prices description desc spec specs specification "
     "specifications features review reviews bewertung bewertungen cart variant item card cards "
     "grid tile"),
    ("hidden", "hidden hide sr screen reader visually offscreen noprint invisible"),
)  # fmt: skip
MEANINGS = tuple(name for name, _ in _MEANINGS)
_BITS = {word: 1 << at for at, (_, words) in enumerate(_MEANINGS) for word in words.split()}


@lru_cache(maxsize=16384)
def meanings(hints: str) -> int:
    """Look up class names, ids and roles: one bit per meaning."""
    found = 0
    for word in _SPLIT.split(_CAMEL.sub(" ", hints[:_MAX_HINTS]).lower()):
        found |= _BITS.get(word, 0)
    return found


_REVIEWS = word_set(
    "review reviews rating ratings bewertung bewertungen rezension rezensionen testimonial "
    "testimonials stars feedback avis opiniones recensioni ugc"
)
_REVIEW_HEADING = re.compile(
    r"review|rating|bewertung|rezension|avis|opinion|recension|testimonial|feedback|"
    r"what (?:\w+ ){1,3}sa(?:y|id)"
)
_MAX_HEADING = 90


@lru_cache(maxsize=16384)
def marks_reviews(hints: str) -> bool:
    """Check whether class names, ids and roles mark customer reviews."""
    return not _REVIEWS.isdisjoint(_SPLIT.split(_CAMEL.sub(" ", hints[:_MAX_HINTS]).lower()))


@lru_cache(maxsize=16384)
def heads_reviews(heading: str) -> bool:
    """Check whether a heading announces reviews."""
    return len(heading) < _MAX_HEADING and _REVIEW_HEADING.search(heading.lower()) is not None


# Words that are frequent on some kinds of pages.
PAGE_SIGNS: dict[str, frozenset[str]] = {
    "cart": word_set(
        "cart basket bag warenkorb panier carrito carrello winkelwagen koszyka checkout wishlist "
        "quantity qty shipping versand livraison stock sold delivery returns"
    ),
    "posts": word_set(
        "reply replies quote joined posts likes report permalink registered member members topic "
        "thread threads forum solved answered votes upvote asked views antworten beitrag beiträge "
        "thema mitglied répondre sujet responder respuestas"
    ),
    "dates": word_set(
        "jan feb mar apr jun jul aug sep sept oct nov dec january february march april june july "
        "august september october november december ago januar februar märz mai juni juli oktober "
        "dezember janvier février mars avril juin juillet août décembre enero febrero marzo abril "
        "mayo junio julio agosto octubre noviembre diciembre"
    ),
    "stars": word_set("star stars rating ratings review reviews helpful verified recommend"),
}


# Phrases of the frame around an article. Matched against lower case, because the re module has no
# literal prefix to search for under IGNORECASE.
_FRAME = re.compile(
    r"all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos|"
    r"tutti i diritti|copyright|©|cookies?\b|privacy policy|datenschutz|terms of (?:use|service)|"
    r"newsletter|subscribe|sign up|sign in|log ?in\b|abonn|suscr[ií]|iscriviti|anmelden|"
    r"inscri[vt]|read more|weiterlesen|mehr (?:zum thema|lesen)|lire (?:aussi|la suite)|"
    r"leer más|leia (?:mais|também)|leggi anche|lees (?:ook|meer)|läs (?:mer|också)|czytaj|"
    r"читайте|also read|read also|see also|siehe auch|related|share (?:this|on)|teilen|partag|"
    r"compart|condivid|follow us|folgen sie|suivez|síguenos|seguici|photo(?:graph)?(?: by|:)|"
    r"foto:|image:|bild:|getty|reuters/|picture alliance|dpa\b|advertisement|anzeige\b|"
    r"werbung|publicité|publicidad|pubblicità|click here|klicken sie|comments?\b|kommentar|"
    r"leave a|reply|antworten|filed under|tagged|tags:|posted (?:in|by|on)|min(?:ute)?s? read|"
    r"lesezeit|javascript|your browser|add to cart|warenkorb|download (?:the|our) app"
)
_MAX_FRAME = 400


def frame_phrases(words: str) -> int:
    """Count phrases of the frame in a line."""
    return len(_FRAME.findall(words[:_MAX_FRAME].lower()))


# The commonest words of running text; lists and menus have few of them.
COMMON = word_set(
    "the and of to in is was that for with on as at by it from be are this have has not but his "
    "her they their you your we our an or will which who he she had were been its "
    "der die das und den von zu mit sich des auf für ist im dem nicht ein eine als auch es an "
    "werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über so zum war "
    "haben nur oder aber vor zur bis mehr durch man "
    "le la les et des en un une du est que dans pour qui sur par au avec il ne pas plus ce se son "
    "sont aux cette ou mais a été nous vous ils elle "
    "el los las y del que por con para una su al lo como más pero sus ya ha se no es fue son este "
    "il di che per non si della dei delle nel alla è una sono gli con da anche più come ma ha "
    "o os um uma com não do da em dos das ao na no se mais foi como mas "
    "de het een van op te dat die voor niet zijn aan er ook als bij maar om hij naar dan "
    "och att det som på är av för med den till har inte om ett men var han jag "
    "og i er ikke til på som det en å av for med der at fra "
    "w na z do nie się że o to jest od po za jak przez ale był "
    "и в не на я что с по как это из у за от для но к он "
    "ve bir bu için ile da de olarak çok daha "
    "a az és hogy nem is egy se v je na že to s z do o"
)
