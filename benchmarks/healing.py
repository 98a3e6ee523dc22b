"""Healing: every fault of the demo web's catalogue, switched on in the middle of a run.

A fault that can be cured must be cured without a person, one that cannot must be recognised, and
whatever happens, every job must be done or accounted for.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.healing_factory import SLOW_SECONDS
from benchmarks.healing_house import SCENES, try_house
from benchmarks.healing_judge import Found
from benchmarks.healing_products import try_model, try_relaunch
from benchmarks.healing_sites import try_sites
from benchmarks.healing_web import serving
from benchmarks.report import Report, main
from specfactory.demo.faults import FAULTS, Fault

SEEDS = (1, 2, 3)
ALONE = {**dict.fromkeys(SCENES, try_house), "layout_change": try_relaunch, "model_down": try_model}
AT_ONCE = 15  # hosts in one factory
SHOWN = 3  # lost jobs of a trial that are told


def options(parser: argparse.ArgumentParser) -> None:
    """The benchmark's own options."""
    parser.add_argument("--seeds", type=int, default=len(SEEDS), help="how often each fault")
    parser.add_argument("--only", default="", help="these faults, by name, with commas")
    parser.add_argument("--seconds", type=float, default=120.0, help="longest time for one trial")
    parser.add_argument("--keep", default="", help="a folder for the databases, to look into")
    parser.add_argument("--details", action="store_true", help="tell of every trial")


def run(given: argparse.Namespace) -> Report:
    """Try every fault at every seed."""
    chosen = _chosen(given.only)
    found = [
        each
        for seed in range(1, given.seeds + 1)
        for each in asyncio.run(_try_all(chosen, seed, given.seconds, given.keep))
    ]
    return report(found, details=given.details)


def _chosen(names: str) -> list[Fault]:
    wanted = [name for name in names.split(",") if name]
    return [fault for fault in FAULTS if not wanted or fault.name in wanted]


async def _try_all(faults: Sequence[Fault], seed: int, seconds: float, keep: str) -> list[Found]:
    """All faults at one seed: those of sites side by side, the others one after the other."""
    alone = [fault for fault in faults if fault.name in ALONE]
    at_sites = [fault for fault in faults if fault not in alone]
    found: list[Found] = []
    async with serving(seed, SLOW_SECONDS) as web:
        for number, some in enumerate(_batches(at_sites)):
            with _folder(keep, f"sites-{seed}-{number}") as folder:
                found += await try_sites(web, some, seed, Path(folder), seconds)
        for fault in alone:
            with _folder(keep, f"{fault.name}-{seed}") as folder:
                found.append(await ALONE[fault.name](web, fault, seed, Path(folder), seconds))
    return found


def _batches(faults: Sequence[Fault]) -> Iterable[Sequence[Fault]]:
    """So few that they do not slow one another down, each with neighbours of other sorts."""
    count = -(-len(faults) // AT_ONCE)
    return (faults[number::count] for number in range(count))


@contextmanager
def _folder(keep: str, name: str) -> Iterator[str]:
    """Where a factory lives; kept when somebody wants to look into it."""
    if keep:
        place = Path(keep, name)
        place.mkdir(parents=True)
        yield str(place)
        return
    with tempfile.TemporaryDirectory(prefix="spec-healing-", ignore_cleanup_errors=True) as made:
        yield made


def report(found: Sequence[Found], *, details: bool = False) -> Report:
    """The figures, and a line for every fault."""
    curable = [each for each in found if each.fault.curable]
    rest = [each for each in found if not each.fault.curable]
    told = Report("healing")
    told.plain("trials", len(found))
    if curable:
        told.at_least("cured_share", sum(each.cured for each in curable) / len(curable), 0.95)
    told.at_most("unsettled", sum(not each.settled for each in rest), 0)
    told.at_most("misdiagnosed", sum(each.misdiagnosed for each in found), 0)
    told.at_most("lost_jobs", sum(len(each.lost) for each in found), 0)
    told.notes.append(
        "misdiagnosed: something was said that is not so, or what cannot be cured was not "
        "recognised; what can be cured may be over before there is a diagnosis: found none"
    )
    told.notes += _lines(found)
    if details:
        told.notes += [line for each in found for line in _details(each)]
    return told


def _lines(found: Sequence[Found]) -> Iterable[str]:
    for fault in dict.fromkeys(each.fault for each in found):
        trials = [each for each in found if each.fault is fault]
        times = [each.seconds for each in trials if each.cured and each.seconds is not None]
        over = sum(each.is_over for each in trials)
        names = sorted({name for each in trials for name in each.diagnoses})
        word = "cured" if fault.curable else "settled"
        mean = f", {sum(times) / len(times):.1f} s to cure on average" if times else ""
        lost = sum(len(each.lost) for each in trials)
        yield (
            f"{fault.name}: {word} {over}/{len(trials)}, diagnosis {fault.diagnosis or 'none'}, "
            f"found {', '.join(names) or 'none'}{mean}" + (f", {lost} jobs lost" if lost else "")
        )


def _details(each: Found) -> Iterable[str]:
    jobs = ", ".join(f"{count} {status}" for status, count in sorted(each.jobs.items()))
    seconds = "" if each.seconds is None else f", {each.seconds:.1f} s"
    yield f"{each.fault.name}#{each.seed}: {jobs}; {', '.join(each.diagnoses)}{seconds}"
    yield from (f"{each.fault.name}#{each.seed} LOST {line}" for line in each.lost[:SHOWN])


if __name__ == "__main__":
    main(run, options)
