import { type ClientSource, clientHeader } from "./client";
import { runtimeBody, runtimeImports, runtimeModule } from "./pythonRuntime";
import { pythonText, pythonTypes } from "./pythonTypes";

/**
 * Writes a Python module (3.11 and newer) for one skill: its input and output as types that `mypy --strict` checks, and
 * one function, `invoke`, that invokes it once. It needs only the standard library, plus `pythonRuntime()` beside it if
 * the clients of a folder share that. It never repeats a request, follows no redirect, and gets the Project Key only
 * from its caller.
 */
export function pythonClient(source: ClientSource, { sharesRuntime = false } = {}): string {
  const { slug, version } = source;
  return `${clientHeader(source, "#")}
# Generated: do not edit. Generate it again when the contract of the skill changes.

${sharesRuntime ? sharedImports : `${runtimeImports}\n${typeImports}`}

__all__ = ["Input", "Output", "Outcome", "invoke"]


${pythonTypes("Input", source.input)}


${pythonTypes("Output", source.output)}


${sharesRuntime ? "" : `${runtimeBody()}\n\n`}Outcome: TypeAlias = "Success[Output] | Failure"


def invoke(payload: "Input", *, base_url: str, project_key: str, timeout: float = 120) -> Outcome:
    """Invokes ${slug} once. Never raises for a response or a network error, and never sends twice."""
    skill = {"skillSlug": ${pythonText(slug)}${version === "" ? "" : `, "version": ${pythonText(version)}`}}
    return cast(Outcome, invoke_skill(skill, payload, base_url, project_key, timeout))
`;
}

/** Additional imports for types, beside `runtimeImports`. */
const typeImports = `from collections.abc import Sequence
from typing import Never`;

/** Imports of the shared runtime: from a sibling module in a package, else from a top-level module on the path. */
const sharedImports = `from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Never, NotRequired, TypeAlias, TypedDict, cast

if TYPE_CHECKING or __package__:
    from .${runtimeModule} import Failure, Success, invoke_skill
else:
    from ${runtimeModule} import Failure, Success, invoke_skill`;
