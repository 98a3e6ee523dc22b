"""What a host has shown on this very product."""

from __future__ import annotations

import pytest

from specfactory.merge.host_agreement import ENOUGH_FIELDS, HostAgreement
from specfactory.merge.weights import TIER_ACCURACY, log_odds, share_of
from specfactory.model import Tier


def believed(tier: Tier, agrees: int, differs: int) -> float:
    standing = HostAgreement(tier, agrees, differs)
    return share_of(log_odds(TIER_ACCURACY[tier]) + standing.shift)


def test_a_wiki_that_agrees_with_its_betters_is_believed_like_a_shop():
    assert believed(Tier.COMMUNITY, 30, 0) == pytest.approx(TIER_ACCURACY[Tier.RETAILER])


def test_agreement_lifts_nobody_above_a_shop():
    assert believed(Tier.AGGREGATOR, 1000, 0) <= TIER_ACCURACY[Tier.RETAILER] + 1e-9


def test_a_shop_that_often_differs_is_believed_less():
    assert believed(Tier.RETAILER, 12, 8) < 0.75


def test_a_few_fields_say_nothing():
    assert HostAgreement(Tier.COMMUNITY, ENOUGH_FIELDS - 1, 0).shift == 0.0
