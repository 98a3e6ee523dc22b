"""Takes sample pages of one source, some of them with known values; gives layouts,
a template per layout (rules that find the values on all its pages), and how right it is.
"""

from specfactory.learn.contract_drafts import Draft, draft_contract
from specfactory.learn.drift_and_trials import Drift, TrialEnd, find_drift, judge_trial
from specfactory.learn.proposals import Learning, TemplateProposal, propose_templates
from specfactory.learn.rules import Trial, learn_template, try_template
from specfactory.learn.samples import Conflict, Labelled, Lesson, Sample, find_layouts, label_page

__all__ = [
    "Conflict", "Draft", "Drift", "Labelled", "Learning", "Lesson", "Sample", "TemplateProposal",
    "Trial", "TrialEnd", "draft_contract", "find_drift", "find_layouts", "judge_trial",
    "label_page", "learn_template", "propose_templates", "try_template",
]  # fmt: skip
