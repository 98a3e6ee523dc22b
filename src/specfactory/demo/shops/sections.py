"""The sections of a shop: a tree of goods, genders, featured collections and brands."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from specfactory.demo.shops.goods import MATERIALS
from specfactory.demo.shops.values import Section
from specfactory.demo.shops.wording import section_name, slug, wording
from specfactory.model import Frozen

_SHARES = {"gender": 0.15, "featured": 0.12, "brand": 0.22}  # of a shop's sections
GENDERED = ("shoes", "clothing")  # what men and women buy differently
_WITHOUT = ("preorder", "blackweek")  # featured collections that hold nothing today
_OF_MATERIAL = ("{material} {type}", "{type} aus {material}", "{type} en {material}")
_OF_GENDER = ("{gender}'s {department}", "{gender}-{department}", "{department} {gender}")


class Range(Frozen):
    """What a shop sells, before its goods are drawn."""

    types: Mapping[str, str]  # type -> department
    sections: tuple[Section, ...]


class SectionDrawer:
    """Draws the sections of one shop."""

    def __init__(
        self, rng: Random, language: int, brands: Sequence[str], common: Sequence[str]
    ) -> None:
        self._rng, self._language, self._brands = rng, language, brands
        self._common = common  # types of one department that every shop sells
        self._found: list[Section] = []
        self._slugs: set[str] = set()
        self._types: dict[str, str] = {}

    def draw(self, count: int) -> Range:
        """So many sections, of all kinds."""
        quota = {kind: max(1, round(count * share)) for kind, share in _SHARES.items()}
        self._goods(count - sum(quota.values()))
        self._genders(quota["gender"])
        self._featured(quota["featured"])
        self._of_brands(count - len(self._found))
        return Range(self._types, tuple(self._found))

    def _goods(self, quota: int) -> None:
        departments = self._departments(max(1, min(5, quota // 5)))
        tops = [self._add("product", self._word("departments", name), department=name)
                for name in departments]  # fmt: skip
        fine = (quota - len(tops)) // 4  # sections of the third level
        for top, type_name in self._dealt(tops, quota - len(tops) - fine):
            self._types[type_name] = top.wanted["department"]
            name = section_name(type_name, self._language)
            self._add("product", name, top, type=type_name)
        self._fine(quota - len(self._found))
        for place, section in enumerate(self._found):
            if section.parent is None and self._rng.random() < 0.35 and len(self._types) > 3:
                self._found[place] = replace(section, landing=True)

    def _departments(self, count: int) -> list[str]:
        first = wording()["types"][self._common[0]][0]
        others = [name for name in wording()["departments"] if name != first]
        return [first, *self._rng.sample(others, count - 1)]

    def _dealt(self, tops: Sequence[Section], count: int) -> Iterator[tuple[Section, str]]:
        """Types by turns, so that every department has some."""
        types = self._rng.sample(list(wording()["types"]), len(wording()["types"]))
        types.sort(key=self._common.__contains__)  # the common ones are taken first
        left = {
            top.number: [n for n in types if wording()["types"][n][0] == top.wanted["department"]]
            for top in tops
        }
        while count > 0 and any(left.values()):
            for top in tops:
                if count > 0 and left[top.number]:
                    count -= 1
                    yield top, left[top.number].pop()

    def _fine(self, quota: int) -> None:
        """Sections of the third level: goods of one type and material."""
        parents = [section for section in self._found if "type" in section.wanted]
        pairs = [(parent, material) for parent in parents
                 for material in MATERIALS[self._types[parent.wanted["type"]]]]  # fmt: skip
        for parent, material in self._rng.sample(pairs, min(len(pairs), max(0, quota))):
            name = _OF_MATERIAL[self._language].format(
                material=self._word("materials", material), type=parent.name
            )
            self._add("product", name, parent, material=material, **parent.wanted)

    def _genders(self, quota: int) -> None:
        genders = list(wording()["genders"])[: max(1, min(3, quota))]
        tops = [self._add("gender", self._drawn("genders", name), gender=name) for name in genders]
        pairs = [(top, section) for section in self._found
                 if section.wanted.get("department") in GENDERED for top in tops[:2]]  # fmt: skip
        for top, section in pairs[: quota - len(tops)]:
            worded = _OF_GENDER[self._language].format(gender=top.name, department=section.name)
            name = worded if self._rng.random() < 0.5 else section.name
            self._add("gender", name, top, **top.wanted, **section.wanted)

    def _featured(self, quota: int) -> None:
        names = [name for name in wording()["featured"] if name not in _WITHOUT]
        chosen = self._rng.sample(names, min(len(names), max(1, quota - 1)))
        if quota > 1:
            chosen.append(self._rng.choice(_WITHOUT))
        for name in chosen:
            self._add("featured", self._drawn("featured", name), flag=name)

    def _of_brands(self, quota: int) -> None:
        """Brands; one of them is out of stock."""
        for name in self._brands[: quota - 1]:
            self._add("brand", name, brand=name)
        if quota > 0:
            self._add("brand", f"{self._brands[0]} Archive", brand="")

    def _word(self, words: str, name: str) -> str:
        return str(wording()[words][name][self._language])

    def _drawn(self, words: str, name: str) -> str:
        return str(self._rng.choice(wording()[words][name][self._language]))

    def _add(self, kind: str, name: str, parent: Section | None = None, **wanted: str) -> Section:
        chosen = slug(name)
        if chosen in self._slugs and parent is not None:
            chosen = f"{parent.slug}-{chosen}"
        while chosen in self._slugs:
            chosen += f"-{len(self._found)}"
        self._slugs.add(chosen)
        number = len(self._found)
        section = Section(number, kind, name, chosen, wanted, parent.number if parent else None)
        self._found.append(section)
        return section
