"""Takes sample pages of one source, some of them with known values; gives layouts,
a template per layout (rules that find the values on all its pages), and how right it is.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .contract_drafts import Draft, draft_contract
    from .drift_and_trials import Drift, TrialEnd, find_drift, judge_trial
    from .layouts import ALIKE, find_layouts, likeness
    from .page_labels import Conflict, Labelled, Lesson, label_page
    from .pauses import pause, pausing
    from .proposals import Learning, TemplateProposal, propose_templates
    from .rules import Trial, learn_template, try_template
    from .samples import Sample
    from .steps import Steps, keeping
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
