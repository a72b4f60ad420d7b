import type { RegistryFailure } from "../../core/registry/registryFailure";
import type { ListProblem } from "../../core/skillList/listNotes";
import type { SkillList } from "../../core/skillList/skillList";
import type { Wording } from "../../core/text/wording";

/** What the Skills view knows. */
export type CatalogState =
  | { readonly kind: "loading" }
  | { readonly kind: "notConnected"; readonly problem: Wording }
  | { readonly kind: "failed"; readonly failure: RegistryFailure }
  | LoadedCatalog;

/** A registry's list, and what kept it from being whole or new. */
export interface LoadedCatalog {
  readonly kind: "list";
  /** What marks belong to: the registry's base address; empty for the built-in one. */
  readonly registry: string;
  readonly list: SkillList;
  /** When its first page was loaded, in milliseconds since 1970. */
  readonly loadedAt: number;
  readonly problem?: ListProblem;
}

/** Says in a word what the Skills view shows, for the conditions of its welcome texts. */
export function listContext(state: CatalogState): string {
  if (state.kind === "failed") return failedContext(state.failure.kind);
  if (state.kind !== "list") return state.kind;
  const { skills, nextCursor } = state.list;
  return skills.length === 0 && nextCursor === undefined ? "empty" : "ready";
}

/** Nothing was heard, or something that is no list. */
function failedContext(kind: string): string {
  return ["errorAnswer", "unreadable", "tooLarge", "redirected", "notFound"].includes(kind)
    ? "failed"
    : "unreachable";
}
