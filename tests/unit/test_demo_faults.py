"""The catalogue of faults: what it promises, and which page has which fault by the seed alone."""

from __future__ import annotations

import pytest

from specfactory.demo.faults import DRAWN, FAULTS, Scope, Switchboard, fault_of, find_fault
from specfactory.model import Problem

PATHS = [f"/p/{n}" for n in range(600)]


def test_the_catalogue_has_many_faults_of_every_scope_under_names_of_their_own():
    assert len(FAULTS) >= 25
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert {fault.scope for fault in FAULTS} == set(Scope)


def test_what_can_be_cured_says_how_and_the_rest_never_ends():
    for fault in FAULTS:
        assert fault.curable == (fault.ends != "never"), fault.name
        assert not (fault.times or fault.seconds) or fault.curable, fault.name
        assert fault.what, fault.name


def test_only_faults_of_single_pages_need_no_diagnosis():
    for fault in FAULTS:
        assert bool(fault.diagnosis) == (fault.scope is not Scope.PATH), fault.name


def test_every_diagnosis_is_one_that_can_be_made():
    assert {fault.diagnosis for fault in FAULTS} - {""} <= set(Problem)


def test_servers_do_the_faults_of_pages_and_sites_and_no_others():
    for fault in FAULTS:
        by_server = fault.scope in (Scope.PATH, Scope.SITE)
        assert (fault.act is not None) == by_server, fault.name


def test_a_fault_that_no_site_can_do_is_not_switched():
    with pytest.raises(ValueError, match="dns_gone"):
        Switchboard(3).switch("razer", "dns_gone")
    with pytest.raises(KeyError):
        Switchboard(3).switch("razer", "boredom")


def test_the_same_seed_gives_a_path_the_same_fault():
    first = [fault_of(3, "shop.localhost:8600", path) for path in PATHS]

    assert first == [fault_of(3, "shop.localhost:8600", path) for path in PATHS]


def test_faults_do_not_depend_on_the_port():
    assert [fault_of(3, "shop.localhost:1", p) for p in PATHS] == [
        fault_of(3, "shop.localhost:2", p) for p in PATHS
    ]


def test_every_fault_of_pages_is_drawn_and_most_paths_are_well():
    drawn = [fault_of(3, "shop.localhost:8600", path) for path in PATHS]

    assert {fault.name for fault in drawn if fault} == set(DRAWN)
    assert sum(fault is None for fault in drawn) > len(PATHS) / 2


def test_what_leads_to_pages_is_spared():
    for seed in range(50):
        for path in ("/", "/robots.txt", "/sitemap.xml", "/search", "/maps/catalogue.xml"):
            assert fault_of(seed, "shop.localhost:8600", path) is None


def test_a_fault_is_found_by_its_name():
    assert find_fault("blocked").what == "403 for everybody"
