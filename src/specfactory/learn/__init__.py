"""Takes sample pages of one source, some of them with known values; gives layouts,
a template per layout (rules that find the values on all its pages), and how right it is.
"""

from specfactory.learn.drift_and_trials import Drift, TrialEnd, find_drift, judge_trial
from specfactory.learn.proposals import Learning, Proposal, propose_templates
from specfactory.learn.rules.template import learn_template
from specfactory.learn.rules.trials import Trial, try_template
from specfactory.learn.samples.layouts import find_layouts
from specfactory.learn.samples.page_labels import Conflict, Labelled, Lesson, label_page
from specfactory.learn.samples.samples import Sample

__all__ = [
    "Conflict",
    "Drift",
    "Labelled",
    "Learning",
    "Lesson",
    "Proposal",
    "Sample",
    "Trial",
    "TrialEnd",
    "find_drift",
    "find_layouts",
    "judge_trial",
    "label_page",
    "learn_template",
    "propose_templates",
    "try_template",
]
