import { failureWords } from "../../core/registry/failureWords";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import { type ListProblem, listDescription } from "../../core/skillList/listNotes";
import type { SkillList } from "../../core/skillList/skillList";
import type { SkillListing } from "../../core/skillList/skillListing";
import type { Language } from "../../core/text/language";
import { type LocalizableText, localize } from "../../core/text/localizableText";

/** What the Skills view knows. */
export type CatalogState =
  | { readonly kind: "loading" }
  | { readonly kind: "notConnected"; readonly problem: LocalizableText }
  | {
      readonly kind: "failed";
      readonly registryName: string;
      readonly failure: RegistryFailure;
    }
  | LoadedCatalog;

/** A registry's list, and what kept it from being whole or new. */
export interface LoadedCatalog {
  readonly kind: "list";
  /** What marks belong to: the registry's base address; empty for the built-in one. */
  readonly registry: string;
  /** How the registry is named on screen. */
  readonly registryName: string;
  readonly list: SkillList;
  /** When its first page was loaded, in milliseconds since 1970. */
  readonly loadedAt: number;
  readonly problem?: ListProblem;
}

/** Says beside the view's title what it shows, or why it shows nothing. */
export function catalogDescription(
  state: CatalogState,
  listing: SkillListing,
  language: Language,
): string {
  switch (state.kind) {
    case "loading":
      return listDescription({ listing }, language);
    case "list":
      return listDescription(
        { listing, registryName: state.registryName, hasMessage: hasMessage(state) },
        language,
      );
    case "notConnected":
      return listDescription({ listing, problem: localize(state.problem, language) }, language);
    case "failed": {
      const problem = shortWords(state.failure, language);
      return listDescription({ listing, registryName: state.registryName, problem }, language);
    }
  }
}

/** Tells whether a message above the rows says what the list shows: the editor shows none beside a welcome text. */
export function hasMessage(state: CatalogState): state is LoadedCatalog {
  return state.kind === "list" && (listContext(state) !== "empty" || state.problem !== undefined);
}

/** There is room for a few words: what the registry said itself comes first. */
function shortWords(failure: RegistryFailure, language: Language): string {
  if (failure.kind !== "errorAnswer") return failureWords(failure, language);
  const { status, message } = failure;
  return message === undefined ? `HTTP ${status}` : `HTTP ${status}: ${message}`;
}

/** Says in a word what the Skills view shows, for the conditions of its welcome texts. */
export function listContext(state: CatalogState): string {
  if (state.kind === "failed") return failedContext(state.failure);
  if (state.kind !== "list") return state.kind;
  const { skills, nextCursor } = state.list;
  return skills.length === 0 && nextCursor === undefined ? "empty" : "ready";
}

/** Whether nothing was heard, nothing was asked, or what came is an error or no list. */
function failedContext(failure: RegistryFailure): string {
  switch (failure.kind) {
    case "unreachable":
      return failure.cause === "certificate" ? "untrusted" : "unreachable";
    case "errorAnswer":
    case "notFound":
      return "errorAnswer";
    case "unreadable":
    case "tooLarge":
    case "redirected":
      return "failed";
    default:
      return "unreachable";
  }
}
