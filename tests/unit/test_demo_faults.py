"""The catalogue of faults: which path has which, by the seed alone."""

from __future__ import annotations

from specfactory.demo.faults import FAULTS, fault_of

PATHS = [f"/p/{n}" for n in range(600)]


def test_the_same_seed_gives_a_path_the_same_fault():
    first = [fault_of(3, "shop.localhost:8600", path) for path in PATHS]

    assert first == [fault_of(3, "shop.localhost:8600", path) for path in PATHS]


def test_faults_do_not_depend_on_the_port():
    assert [fault_of(3, "shop.localhost:1", p) for p in PATHS] == [
        fault_of(3, "shop.localhost:2", p) for p in PATHS
    ]


def test_every_fault_occurs_and_most_paths_are_well():
    drawn = [fault_of(3, "shop.localhost:8600", path) for path in PATHS]

    assert {fault.name for fault in drawn if fault} == {fault.name for fault in FAULTS}
    assert sum(fault is None for fault in drawn) > len(PATHS) / 2


def test_what_leads_to_pages_is_spared():
    for seed in range(50):
        for path in ("/", "/robots.txt", "/sitemap.xml", "/search", "/maps/catalogue.xml"):
            assert fault_of(seed, "shop.localhost:8600", path) is None


def test_curable_faults_end_and_the_others_do_not():
    assert all(bool(fault.times) == fault.curable for fault in FAULTS)
