"""Buttons of consent walls; texts in lower case.

The makers' marks are those of tools that many sites use, never of a site.
"""

from __future__ import annotations

# what a wall is about
SUBJECTS = (
    "cookie", "consent", "privacy", "gdpr", "einwilligung", "zustimm", "datenschutz",
    "privatsphäre",
    "vie privée", "traceurs", "privacidad", "privacidade", "consentimento", "consentimiento",
    "consenso", "toestemming", "prywatno", "ciastecz", "zgod", "integritet", "samtycke", "samtykke",
    "personvern", "eväste", "suostumu", "soukrom", "súkrom", "souhlas", "süti", "adatvédel",
    "confidențialit", "бисквит", "поверителн", "kolačić", "piškotk", "απορρήτο", "απόρρητο",
    "çerez", "gizlilik", "куки", "конфиденциальн", "конфіденційн", "slapuk", "sīkdat",
    "küpsis", "プライバシー", "クッキー", "隐私", "隱私", "쿠키", "개인정보", "ملفات تعريف",
    "الخصوصية", "עוגיות", "פרטיות", "quyền riêng tư", "ความเป็นส่วนตัว", "คุกกี้", "privasi",
)  # fmt: skip

REFUSING = (
    "reject", "reject all", "decline", "refuse", "deny", "disagree", "do not consent",
    "don't consent", "do not accept", "do not agree", "don't accept", "no thanks", "necessary only",
    "only necessary", "essential only", "only essential", "required only", "only required",
    "necessary cookies only", "essential cookies only", "strictly necessary",
    "continue without accepting", "continue without consent", "continue without agreeing",
    "ablehnen", "nur notwendige", "nur erforderliche", "nur essenzielle", "nur essentielle",
    "nur technisch notwendige", "ohne zustimmung", "ohne einwilligung", "verweigern",
    "nicht zustimmen", "refuser", "je refuse", "continuer sans accepter", "rechazar", "denegar",
    "solo necesarias", "solo las necesarias", "continuar sin aceptar", "no acepto", "rifiuta",
    "rifiuto", "solo necessari", "continua senza accettare", "nega", "rejeitar", "recusar",
    "apenas necessários", "continuar sem aceitar", "weigeren", "weiger", "afwijzen",
    "alleen noodzakelijke", "odrzuć", "odrzucam", "tylko niezbędne", "nie zgadzam się", "avvisa",
    "neka", "endast nödvändiga", "afvis", "kun nødvendige", "avvis", "avslå", "hylkää",
    "vain välttämättömät", "odmítnout", "odmietnuť", "jen nezbytné", "elutasít", "elutasítom",
    "elutasítás", "összes elutasítása", "csak a szükséges", "respinge", "refuz", "отхвърли",
    "отхвърляне", "отказ", "odbij", "zavrni", "απόρριψη", "reddet", "отклонить", "отказаться",
    "только необходимые", "відхилити", "лише необхідні", "atmesti", "noraidīt", "keeldu", "拒否",
    "同意しない", "拒绝", "拒絕", "不同意", "仅必要", "僅必要", "거부", "동의하지 않", "رفض", "דחה",
    "דחייה", "סירוב", "từ chối", "ปฏิเสธ", "tolak",
)  # fmt: skip

ACCEPTING = (
    "accept", "accept all", "agree", "allow", "i consent", "consent", "got it", "ok", "okay",
    "akzeptieren", "zustimmen", "einverstanden", "annehmen", "erlauben", "accepter", "j'accepte",
    "autoriser", "aceptar", "acepto", "permitir", "accetta", "accetto", "acconsento", "aceitar",
    "aceito", "concordo", "accepteren", "akkoord", "toestaan", "akceptuj", "akceptuję",
    "zgadzam się", "godkänn", "acceptera", "accepter alle", "tillad", "godta", "tillat", "hyväksy",
    "přijmout", "souhlasím", "prijať", "súhlasím", "elfogad", "elfogadom", "acceptă",
    "приемам", "приеми", "prihvati", "sprejmi", "αποδοχή", "συμφωνώ", "kabul et", "kabul",
    "принять", "согласен", "разрешить", "прийняти", "погоджуюсь", "sutinku", "piekrītu", "nõustu",
    "同意", "許可", "接受", "동의", "수락", "허용", "قبول", "موافق", "אישור", "מסכים", "chấp nhận",
    "đồng ý", "ยอมรับ", "terima", "setuju",
)  # fmt: skip

MAKERS_REFUSING = (
    "#onetrust-reject-all-handler", ".ot-pc-refuse-all-handler",
    "#CybotCookiebotDialogBodyButtonDecline",
    "#CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll", "#didomi-notice-disagree-button",
    ".didomi-continue-without-agreeing", "[data-testid=uc-deny-all-button]",
    "#truste-consent-required", ".iubenda-cs-reject-btn", ".osano-cm-denyAll", ".cn-decline",
    ".cm-btn-decline", ".cmplz-deny", ".cky-btn-reject", "[data-cookie-refuse]",
    "#tarteaucitronAllDenied2", "#axeptio_btn_dismiss", "#cookiescript_reject",
    "[data-tid=banner-decline]", ".cmpboxbtnno", "#hs-eu-decline-button",
    ".fc-cta-do-not-consent", "#ccc-notify-reject", "#ccc-reject-settings",
    "#shopify-pc__banner__btn-decline", ".cc-deny", ".moove-gdpr-modal-reject-all",
    "[data-role=necessary]", ".brlbs-btn-accept-only-essential",
)  # fmt: skip

MAKERS_ACCEPTING = (
    "#onetrust-accept-btn-handler", "#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll",
    "#CybotCookiebotDialogBodyButtonAccept", "#didomi-notice-agree-button",
    "[data-testid=uc-accept-all-button]", "#truste-consent-button", ".iubenda-cs-accept-btn",
    ".osano-cm-accept-all", ".cm-btn-success", ".cmplz-accept", ".cky-btn-accept",
    "#tarteaucitronPersonalize2", "#axeptio_btn_acceptAll", "#cookiescript_accept",
    "[data-tid=banner-accept]", ".cmpboxbtnyes", "#hs-eu-confirmation-button", ".fc-cta-consent",
    "#ccc-notify-accept", "#shopify-pc__banner__btn-accept", ".cc-allow", "[data-role=all]",
    ".qc-cmp2-summary-buttons button[mode=primary]", ".brlbs-btn-accept-all",
)  # fmt: skip
