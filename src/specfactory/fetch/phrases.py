"""What walls, blocks and error pages say, in lower case; looked for on thin pages only."""

from __future__ import annotations

from specfactory.model import Outcome

# In a title or a main heading these say it all.
HEADLINES: tuple[tuple[Outcome, tuple[str, ...]], ...] = (
    (Outcome.CAPTCHA, (
        "captcha", "are you a robot", "not a robot", "robot check", "human verification",
        "verify you are human", "verify that you are human", "security check", "are you human",
        "bist du ein mensch", "sind sie ein mensch", "êtes-vous un robot", "eres un robot",
    )),
    (Outcome.BLOCKED, (
        "just a moment", "attention required", "access denied", "access to this page has been",
        "pardon our interruption", "request unsuccessful", "request blocked",
        "you have been blocked",
        "403 forbidden", "forbidden", "bot detected", "ddos-guard", "ddos protection",
        "zugriff verweigert", "accès refusé", "acceso denegado", "accesso negato",
        "unusual traffic", "checking your browser", "you are being redirected",
    )),
    (Outcome.WAITING_ROOM, (
        "waiting room", "virtual queue", "you are in line", "you're in line", "you are now in line",
        "queue-it", "warteraum", "warteschlange", "file d'attente", "sala de espera",
    )),
    (Outcome.GEO_BLOCKED, (
        "not available in your", "unavailable in your", "not available in this country",
        "451 unavailable", "in ihrem land nicht", "pas disponible dans votre",
        "no disponible en tu", "no está disponible en su",
    )),
    (Outcome.CONSENT_WALL, (
        "before you continue", "cookie consent", "we value your privacy", "your privacy choices",
        "bevor sie fortfahren", "avant de continuer", "antes de continuar", "consent required",
        "privacy gate", "zustimmung erforderlich",
    )),
    (Outcome.MAINTENANCE, (
        "maintenance", "be right back", "be back soon", "temporarily unavailable",
        "service unavailable", "temporarily down", "we'll be back", "wartungsarbeiten",
        "wartungsmodus", "mantenimiento", "manutenzione", "temporairement indisponible",
        "sorry for the inconvenience", "internal server error", "bad gateway", "gateway timeout",
        "an error has occurred",
    )),
    (Outcome.SOFT_404, (
        "404", "not found", "can't be found", "cannot be found", "could not be found",
        "couldn't find", "page doesn't exist", "page does not exist", "no longer exists",
        "page unavailable", "nicht gefunden", "existiert nicht", "introuvable", "n'existe pas",
        "no encontrad", "no existe", "non trovat", "niet gevonden", "não encontrad",
        "nie znaleziono", "nie istnieje", "hittades inte", "ikke fundet", "ei löydy", "nenalezen",
        "bulunamad", "не найден", "не существует", "找不到", "不存在", "见つかりません",
        "見つかりません", "찾을 수 없", "error page", "oops", "page is missing", "nem található",
    )),
)  # fmt: skip

# In the text of a page that holds little else they say it too.
SENTENCES: tuple[tuple[Outcome, tuple[str, ...]], ...] = (
    (Outcome.CAPTCHA, (
        "complete the captcha", "solve the captcha", "solve this captcha",
        "enter the characters you see",
        "prove you are human", "prove that you are human", "confirm you are human",
        "confirm that you are human", "verify you are a human", "verify you are human",
        "verifying you are human", "press & hold", "press and hold to confirm",
        "i'm not a robot", "i am not a robot", "you're not a robot", "you are not a robot",
    )),
    (Outcome.BLOCKED, (
        "incapsula incident", "checking your browser before", "enable cookies and reload",
        "you have been blocked", "has been blocked", "you don't have permission to access",
        "you do not have permission to access", "unusual traffic from", "automated access",
        "automated requests", "our systems have detected", "suspicious activity",
        "click the button below to continue shopping", "your ip address has been",
        "reference #", "the requested url was rejected", "ray id:",
    )),
    (Outcome.WAITING_ROOM, (
        "due to heavy traffic", "due to high traffic", "high volume of traffic", "you are in line",
        "you're in line", "your estimated wait", "number of users in line", "placed in a queue",
    )),
    (Outcome.GEO_BLOCKED, (
        "not available in your country", "not available in your region",
        "not available in your location", "unavailable in your region", "from a country that",
        "from your country", "from your location", "not accessible from your",
        "not available to visitors from", "access from your region",
        "due to legal reasons", "european economic area", "through an unauthorised source",
    )),
    (Outcome.CONSENT_WALL, (
        "before you continue to", "accept all cookies to continue", "to continue, please accept",
        "please accept cookies to", "consent to continue", "we and our partners store",
    )),
    (Outcome.MAINTENANCE, (
        "down for maintenance", "under maintenance", "scheduled maintenance",
        "undergoing maintenance",
        "we'll be back", "be back shortly", "be back online", "be right back",
        "temporarily offline", "offline for a", "temporarily unavailable", "wartungsarbeiten",
        "en maintenance", "en mantenimiento", "in manutenzione", "an error has occurred",
    )),
    (Outcome.SOFT_404, (
        "page you requested could not be found", "page you are looking for", "page was not found",
        "page you were looking for", "page cannot be found", "page can't be displayed",
        "page you were trying to reach", "the requested url was not found", "page not found",
        "error 404", "404 error", "404 not found", "seite wurde nicht gefunden",
        "seite nicht gefunden", "seite existiert nicht", "page n'existe pas", "page introuvable",
        "página no existe", "página no encontrada", "pagina non trovata", "pagina niet gevonden",
        "página não encontrada", "strony nie znaleziono", "страница не найдена", "sayfa bulunamad",
        "找不到", "没有找到", "요청하신 작업을 수행할 수 없습니다", "ページが見つかりません",
        "product is no longer available", "product no longer exists", "product not found",
    )),
)  # fmt: skip

LOGIN_WORDS = (
    "log in", "login", "log-in", "sign in", "signin", "sign-in", "anmelden", "anmeldung",
    "einloggen", "connexion", "se connecter", "iniciar sesión", "accedi", "inloggen", "entrar",
    "logga in", "zaloguj", "войти", "ログイン", "登录", "登入", "로그인",
)  # fmt: skip

CHALLENGE_MARKS = (
    "_incapsula_resource", "/cdn-cgi/challenge-platform", "cf-challenge", "cf_chl_", "cf-turnstile",
    "px-captcha", "_pxappid", "captcha-delivery.com", "geo.captcha-delivery", "ddos-guard",
    "distil_r_captcha", "distilcaptcha", "akamai-challenge", "sec-if-cpt", "awswafintegration",
    "challenge-container", "g-recaptcha", "h-captcha", "hcaptcha.com/1/api", "recaptcha/api.js",
    "recaptcha/enterprise.js", "_guard/", "__ddg", "kpsdk", "/visitor/genvisitor", "jschl",
)  # fmt: skip

SCRIPT_WORDS = (
    "javascript", "enable js", "java script",
)  # fmt: skip
