"""Marks that makers of walls leave in headers, addresses and markup; all in lower case.

Many of them also watch over pages that they let through: only what belongs to the wall itself is
named here, never the script that every page of their customers loads.
"""

from __future__ import annotations

from specfactory.fetch.outcomes.wall_phrases import Phrases
from specfactory.model import Outcome

# name of a header, what its value begins with ("" for any), what it means
HEADER_MARKS: tuple[tuple[str, str, Outcome], ...] = (
    ("cf-mitigated", "challenge", Outcome.BLOCKED),
    ("cf-chl-bypass", "", Outcome.BLOCKED),
    ("x-vercel-mitigated", "", Outcome.BLOCKED),
    ("x-amzn-waf-action", "captcha", Outcome.CAPTCHA),
    ("x-amzn-waf-action", "challenge", Outcome.BLOCKED),
    ("x-sucuri-block", "", Outcome.BLOCKED),
    ("x-waf-block", "", Outcome.BLOCKED),
)

# of an unwelcoming status (403, 429 …) these say who said so; on a good page they say nothing
VENDOR_HEADERS: tuple[tuple[str, str, str], ...] = (
    ("x-datadome", "", "DataDome"),
    ("x-dd-b", "", "DataDome"),
    ("x-kpsdk-ct", "", "Kasada"),
    ("x-kpsdk-r", "", "Kasada"),
    ("x-px-block", "", "PerimeterX"),
    ("x-sucuri-id", "", "Sucuri"),
    ("x-iinfo", "", "Imperva"),
    ("x-cdn", "imperva", "Imperva"),
    ("x-cdn", "incapsula", "Imperva"),
    ("server", "akamaighost", "Akamai"),
    ("server", "cloudflare", "Cloudflare"),
    ("server", "ddos-guard", "DDoS-Guard"),
    ("server", "sucuri", "Sucuri"),
    ("server", "awselb", "AWS"),
    ("server", "qrator", "Qrator"),
)

# the address at which a chain of redirects ended
ADDRESS_MARKS: tuple[tuple[str, Outcome], ...] = (
    ("//geo.captcha-delivery.com/", Outcome.CAPTCHA),
    ("//validate.perfdrive.com/", Outcome.CAPTCHA),
    ("/errors/validatecaptcha", Outcome.CAPTCHA),
    ("google.com/sorry/", Outcome.CAPTCHA),
    ("/showcaptcha", Outcome.CAPTCHA),
    ("//wappass.baidu.com/static/captcha", Outcome.CAPTCHA),
    ("/distil_r_captcha", Outcome.CAPTCHA),
    ("/_____tmd_____/punish", Outcome.CAPTCHA),
    ("/splashui/captcha", Outcome.CAPTCHA),
    ("/cdn-cgi/challenge-platform/", Outcome.BLOCKED),
    (".queue-it.net/", Outcome.WAITING_ROOM),
    ("//consent.google.", Outcome.CONSENT_WALL),
    ("//consent.youtube.", Outcome.CONSENT_WALL),
    ("//consent.yahoo.", Outcome.CONSENT_WALL),
    ("//guce.", Outcome.CONSENT_WALL),
    ("//cmp.dpgmedia.", Outcome.CONSENT_WALL),
    ("//myprivacy.dpgmedia.", Outcome.CONSENT_WALL),
    ("//accounts.google.com/", Outcome.LOGIN_REQUIRED),
    ("//login.microsoftonline.com/", Outcome.LOGIN_REQUIRED),
)

# in the markup of a page with little to read: a wall and nothing else
WALL_MARKS: Phrases = (
    (Outcome.CAPTCHA, (
        "px-captcha", "captcha-delivery.com/captcha", "captcha-delivery.com/i.js",
        "captcha-delivery.com/c.js", "distil_r_captcha", "distilcaptcha", "cf_captcha_kind",
        "lsrecaptcha", "slide-captcha", "slidecaptcha", "turing.captcha",
        "baidu.com/static/captcha", "bitninja", "validatecaptcha", "awswafcaptcha",
        "captcha-challenge",
    )),
    (Outcome.BLOCKED, (
        "_cf_chl_opt", "cf_chl_", "cf-challenge", "cf-browser-verification", "jschl",
        "challenge-platform/h/", "challenge-error-text", "id=\"cf-error-details\"",
        "incapsula incident", "id=\"main-iframe\" src=\"/_incapsula_resource", "/_sec/cp_challenge",
        "sec-if-cpt", "sec-cp-challenge", "bm-verify", "akamai-challenge",
        "triggerinterstitialchallenge", "challenge-container", "gokuprops",
        "awswafcookiedomainlist", "/ips.js?", "kpsdk", "sucuri_cloudproxy_js",
        "sucuri-firewall-block", "/.well-known/ddos-guard", "ddos-guard", "__ddg", "_guard/",
        "bobcmn", "/tspd/", "tspd_101", "rbzns", "perfdrive.com", "ssjsinternal", "/_fs-ch-",
        "acw_sc__v2", "aliyun_waf", "/visitor/genvisitor", "anubis_challenge", "/.within.website/",
        "imunify360", "stormwall", "vercel-challenge", "x-vercel-challenge", "slowaes.js",
        "document.cookie=\"__test=",
    )),
    (Outcome.WAITING_ROOM, (
        "cf-waitingroom", "cf-waiting-room", "__cfwaitingroom", "akamai-waiting-room",
    )),
)  # fmt: skip

# Widgets that forms of good pages hold too: a wall only where there is nothing but the widget.
WIDGETS = (
    "g-recaptcha", "recaptcha/api.js", "recaptcha/enterprise.js", "recaptcha.net/recaptcha",
    "h-captcha", "hcaptcha.com/1/api", "cf-turnstile", "turnstile/v0/api.js", "frc-captcha",
    "friendlycaptcha", "friendly-challenge", "altcha-widget", "mtcaptcha", "mcaptcha",
    "arkoselabs.com", "funcaptcha", "geetest.com", "initgeetest", "smartcaptcha",
    "captcha.qq.com", "captchaform", "captcha-form", "_incapsula_resource",
)  # fmt: skip

# Sensors that every page of a customer loads: where there is nothing else, the page was withheld.
SENSORS = (
    "_pxappid", "bmak.", "x5secdata", "reblaze", "shapesecurity", "reese84", "awswaf", "datadome",
)  # fmt: skip
