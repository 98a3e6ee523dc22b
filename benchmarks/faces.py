"""The rule of faces: imports from outside a package go to its ``__init__``, not past it.

``lint-imports`` checks it as a contract type of its own; exceptions stand in ``pyproject.toml``
with their reasons.
"""

from __future__ import annotations

from collections.abc import Iterator

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output
from importlinter.application import contract_utils
from importlinter.application.contract_utils import AlertLevel


def bypasses(graph: ImportGraph) -> Iterator[tuple[str, str]]:
    """Yield every import of a module from outside its package: importer and imported."""
    packages = {name for name in graph.modules if graph.find_children(name)}
    for importer in sorted(graph.modules):
        home = importer if importer in packages else importer.rpartition(".")[0]
        for imported in sorted(graph.find_modules_directly_imported_by(importer)):
            package = imported.rpartition(".")[0]
            if imported not in packages and not f"{home}.".startswith(f"{package}."):
                yield importer, imported


class FacesContract(Contract):
    """Kept when no module is imported past the face of its package."""

    type_name = "faces"

    ignore_imports = fields.SetField(subfield=fields.ImportExpressionField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """List the imports past a face; an exception that is not needed is an error."""
        removed = contract_utils.remove_ignored_imports_and_report(
            graph=graph,
            ignore_imports=self.ignore_imports,  # type: ignore[arg-type]
            unmatched_alerting=AlertLevel.ERROR,
        )
        found = list(bypasses(graph))
        return ContractCheck(
            kept=not found, warnings=list(removed.warnings), metadata={"bypasses": found}
        )

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name each import and the face it should go to."""
        for importer, imported in check.metadata["bypasses"]:
            face = imported.rpartition(".")[0]
            output.print_error(f"{importer} imports {imported}: import it from {face}", bold=False)
