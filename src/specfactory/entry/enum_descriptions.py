"""What the words in records, pages and attempts mean, for the reference and for people."""

from collections.abc import Mapping
from enum import StrEnum

from specfactory.model import OUTCOMES as FACTS
from specfactory.model import (
    Agreement,
    AttemptStatus,
    DecisionAction,
    FieldType,
    Level,
    Method,
    TemplateStatus,
    Tier,
    UnknownReason,
    Verdict,
    ViewName,
)

OUTCOMES: Mapping[StrEnum, str] = {one: facts.meaning for one, facts in FACTS.items()}

UNKNOWNS: Mapping[StrEnum, str] = {
    UnknownReason.NOT_PUBLICLY_DISCLOSED: "Good sources were read and none speaks of it.",
    UnknownReason.NOT_FOUND_AFTER_SEARCH: "No page that should have it was found.",
    UnknownReason.CONFLICT_UNRESOLVED: "Sources disagree and none outweighs the others.",
    UnknownReason.BLOCKED: "The pages that would have it may not be fetched.",
    UnknownReason.IDENTITY_UNCERTAIN: "The pages may be about another product.",
    UnknownReason.BUDGET_EXHAUSTED: "The attempt's budget was spent first.",
    UnknownReason.PARSE_FAILURE: "Words for it were found, but they give no value that holds.",
    UnknownReason.AWAITING_REVIEW: "There is a value, but a person must look at it first.",
    UnknownReason.SOURCE_UNREACHABLE: "The sources could not be reached.",
    UnknownReason.REJECTED_BY_REVIEW: "A person rejected the value.",
}

VERDICTS: Mapping[StrEnum, str] = {
    Verdict.SAME: "About this very product; its values count.",
    Verdict.FAMILY: "About the family; values count only where they name this product.",
    Verdict.OTHER: "About another product; its values are dropped.",
    Verdict.UNSURE: "Not to be told; a person is asked.",
}

AGREEMENTS: Mapping[StrEnum, str] = {
    Agreement.SINGLE: "One independent source says so.",
    Agreement.UNANIMOUS: "Several independent sources say so, none says otherwise.",
    Agreement.MAJORITY: "Most of the weight says so.",
    Agreement.CONFLICT: "Sources disagree.",
    Agreement.SOURCE_DEPENDENT: "Sources may rightly differ (a measurement); all are kept.",
    Agreement.OVERRIDE: "A person's value.",
}

ATTEMPTS: Mapping[StrEnum, str] = {
    AttemptStatus.RUNNING: "At work.",
    AttemptStatus.COMPLETE: "A record was published and nothing is left to ask.",
    AttemptStatus.AWAITING_REVIEW: "Ended, and a person is asked.",
    AttemptStatus.FAILED: "Ended without a record; the error says why.",
    AttemptStatus.INTERRUPTED: "Stopped from outside; what was written is kept.",
}

METHODS: Mapping[StrEnum, str] = {
    Method.STRUCTURED: "JSON-LD, microdata or OpenGraph in the page.",
    Method.TABLE: "A row of a specification table or definition list.",
    Method.PAIR: "A label and its value side by side in any other markup.",
    Method.PATTERN: "A phrase of the contract in running text.",
    Method.TEMPLATE: "A template learned for the site's layout.",
    Method.SELECTOR: "A CSS selector that a person wrote for the source.",
    Method.VISIBLE: "A value without a label, told by its form and its place on the page.",
    Method.ARTICLE: "The body of an article.",
    Method.MODEL: "A language model pointed at the quote.",
    Method.OVERRIDE: "A person's value.",
}

TIERS: Mapping[StrEnum, str] = {
    Tier.MANUFACTURER: "The maker's own pages.",
    Tier.LAB: "Reviewers who measure.",
    Tier.RETAILER: "Shops.",
    Tier.AGGREGATOR: "Sites that collect from others.",
    Tier.COMMUNITY: "Forums and the like.",
}

LEVELS: Mapping[StrEnum, str] = {
    Level.REQUIRED: "A record without it is not finished.",
    Level.CRITICAL: "Readers decide by it.",
    Level.EXPECTED: "Most products have it.",
    Level.OPTIONAL: "Nice to have.",
}

TYPES: Mapping[StrEnum, str] = {
    FieldType.NUMBER: "A number in the field's unit.",
    FieldType.INTEGER: "A whole number.",
    FieldType.TEXT: "Words, as written.",
    FieldType.BOOLEAN: "true or false.",
    FieldType.ENUMERATION: "One of the allowed values.",
    FieldType.LIST: "Several texts.",
    FieldType.DATE: "YYYY, YYYY-MM or YYYY-MM-DD, as precise as the page.",
    FieldType.PRICE: "An amount with its currency.",
    FieldType.DIMENSIONS: "Several numbers in the field's unit, in the order of the page.",
}

VIEWS: Mapping[StrEnum, str] = {
    ViewName.SOURCE: "The received bytes, decoded.",
    ViewName.TEXT: "The page as a person reads it: blocks on lines, cells set apart.",
    ViewName.DOM: "The page as a browser renders it.",
    ViewName.PDF: "The text of a PDF.",
}

DECISIONS: Mapping[StrEnum, str] = {
    DecisionAction.ACCEPT: "The proposed value is right.",
    DecisionAction.OVERRIDE: "Another value is right; it outranks every candidate.",
    DecisionAction.REJECT: "The proposed value is wrong; it is never published again.",
}

TEMPLATES: Mapping[StrEnum, str] = {
    TemplateStatus.PROPOSED: "Learned, but a person is asked first.",
    TemplateStatus.TRIAL: "Its values are counted beside those at work, and not used yet.",
    TemplateStatus.ADOPTED: "At work.",
    TemplateStatus.RETIRED: "Was at work, or was overtaken by a later one.",
    TemplateStatus.REJECTED: "A person said no, or rolled it back.",
}

ALL: Mapping[str, tuple[str, Mapping[StrEnum, str]]] = {
    "Page outcomes": ("How a fetch ended.", OUTCOMES),
    "Reasons for unknowns": ("Why a field is `unk`.", UNKNOWNS),
    "Identity verdicts": ("Whether a page is about this product.", VERDICTS),
    "Agreement": ("How the sources of a field stand to one another.", AGREEMENTS),
    "Attempts": ("How a try at a product stands.", ATTEMPTS),
    "Review decisions": ("What a person can answer.", DECISIONS),
    "Methods": ("How a candidate was found.", METHODS),
    "Tiers": ("How far a source is trusted.", TIERS),
    "Levels": ("How much a field matters.", LEVELS),
    "Field types": ("What kind of value a field holds.", TYPES),
    "Templates": ("How a learned template stands.", TEMPLATES),
    "Views": ("The ways in which a stored page can be looked at.", VIEWS),
}
