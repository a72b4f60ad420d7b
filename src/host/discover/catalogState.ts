import {
  actionsFor,
  type RegistryFailure,
  registryFailureText,
} from "../../core/registry/registryFailure";
import { type ListProblem, listDescription } from "../../core/skillList/listNotes";
import type { SkillList } from "../../core/skillList/skillList";
import type { SkillListing } from "../../core/skillList/skillListing";
import { type Language, type LocalizableText, localize } from "../../core/text/language";
import type { NoticeAction, NoticeActionName } from "../../core/text/notice";

/** The state of the Skills view. */
export type CatalogState =
  | { readonly kind: "loading" }
  | {
      readonly kind: "notConnected";
      readonly problem: LocalizableText;
      /** True where the missing registry is the built-in one. */
      readonly isBuiltIn: boolean;
    }
  | {
      readonly kind: "failed";
      readonly registryName: string;
      readonly isBuiltIn: boolean;
      readonly failure: RegistryFailure;
    }
  | LoadedCatalog;

/** A registry's list, and why it is incomplete or outdated. */
export interface LoadedCatalog {
  readonly kind: "list";
  /** The scope of marks: the registry's base address; empty for the built-in one. */
  readonly registry: string;
  /** The registry's display name. */
  readonly registryName: string;
  readonly list: SkillList;
  /** When its first page was loaded, in milliseconds since 1970. */
  readonly loadedAt: number;
  readonly problem?: ListProblem;
}

/**
 * Returns the state after the registry could not be read again: the `kept` list, where it has anything in it.
 * Beside an empty one, the failure and its actions would not be visible.
 */
export function afterFailure(
  kept: Pick<LoadedCatalog, "list" | "loadedAt"> | undefined,
  failure: RegistryFailure,
  { isBuiltIn, ...from }: { registry: string; registryName: string; isBuiltIn: boolean },
): CatalogState {
  if (kept === undefined || isEmpty(kept.list)) {
    return { kind: "failed", registryName: from.registryName, isBuiltIn, failure };
  }
  const { list, loadedAt } = kept;
  return {
    kind: "list",
    ...from,
    list,
    loadedAt,
    problem: { kind: "stale", since: loadedAt, failure },
  };
}

/** Describes beside the view's title whose list it is, and its restrictions where no message names them. */
export function catalogDescription(
  state: CatalogState,
  listing: SkillListing,
  language: Language,
): string {
  if (state.kind === "loading" || state.kind === "notConnected") {
    return listDescription({ listing }, language);
  }
  const { registryName } = state;
  return listDescription({ listing, registryName, hasMessage: hasMessage(state) }, language);
}

/** Returns whether a message above the rows describes the list: the editor shows none beside a welcome text. */
export function hasMessage(state: CatalogState): state is LoadedCatalog {
  return state.kind === "list" && (listContext(state) !== "empty" || state.problem !== undefined);
}

/** Names the state of the Skills view in one word, for the conditions of its menus and welcome texts. */
export function listContext(state: CatalogState): string {
  if (state.kind !== "list") return state.kind;
  return isEmpty(state.list) ? "empty" : "ready";
}

function isEmpty({ skills, nextCursor }: SkillList): boolean {
  return skills.length === 0 && nextCursor === undefined;
}

/** Why there is no list, in full, with actions: the most helpful first. */
export interface MissingList {
  readonly message: string;
  readonly actions: readonly NoticeAction[];
}

/** Describes why there is no list. Undefined where there is one, or one is being loaded. */
export function missingList(state: CatalogState, language: Language): MissingList | undefined {
  if (state.kind === "loading" || state.kind === "list") return undefined;
  const { t } = language;
  const again = { action: "refresh", title: t("Try Again") } as const;
  const others: readonly NoticeAction[] = [
    ...(state.isBuiltIn
      ? []
      : [{ action: "useBuiltInRegistry", title: t("Use Built-in Registry") } as const]),
    { action: "connect", title: t("Connect to Another Registry…") },
    { action: "showLog", title: t("Show Log") },
  ];
  if (state.kind === "notConnected") {
    return { message: localize(state.problem, language), actions: [again, ...others] };
  }
  const { failure } = state;
  const recoveryActions = actionsFor(failure, language).filter(({ action }) =>
    settingsActions.has(action),
  );
  return {
    message: [registryFailureText(failure, language), certificateAdvice(failure, language)]
      .filter(Boolean)
      .join(" "),
    actions: [again, ...recoveryActions, ...others],
  };
}

const settingsActions: ReadonlySet<NoticeActionName> = new Set([
  "openSettings",
  "openProxySettings",
]);

function certificateAdvice(failure: RegistryFailure, { t }: Language): string {
  if (failure.kind !== "unreachable" || failure.cause !== "certificate") return "";
  return t(
    "If the registry is yours, add its certificate authority to this machine's trusted certificates.",
  );
}
