import { actionsFor, type RegistryFailure, registryFailureText } from "../registry/registryFailure";
import { type Language, type LocalizableText, localize } from "../text/language";
import type { NoticeAction, NoticeActionName } from "../text/notice";
import { oneLine } from "../text/plainText";
import { isRestricted } from "./listLabels";
import { type ListProblem, listNotes, type NotedList } from "./listNotes";
import type { CountedList } from "./skillFilters";
import type { SkillList } from "./skillList";
import { listingText, type SkillListing } from "./skillListing";
import type { SkillQuery } from "./skillQuery";

/** The state of the Skills view. */
export type CatalogState =
  | { readonly kind: "loading" }
  | {
      readonly kind: "notConnected";
      readonly problem: LocalizableText;
      /** Whether the missing registry is the built-in one. */
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
 * Returns the state after the registry could not be read again: the `previous` list, unless it is empty. An empty list
 * would hide the failure and its actions.
 */
export function afterFailure(
  previous: Pick<LoadedCatalog, "list" | "loadedAt"> | undefined,
  failure: RegistryFailure,
  { isBuiltIn, ...from }: { registry: string; registryName: string; isBuiltIn: boolean },
): CatalogState {
  if (previous === undefined || isEmpty(previous.list)) {
    return { kind: "failed", registryName: from.registryName, isBuiltIn, failure };
  }
  const { list, loadedAt } = previous;
  return {
    kind: "list",
    ...from,
    list,
    loadedAt,
    problem: { kind: "stale", since: loadedAt, failure },
  };
}

/**
 * Describes beside the view's title whose list it is, since even a narrow view has room for that. Adds restrictions and
 * layout if no message names them.
 */
export function catalogDescription(
  state: CatalogState,
  listing: SkillListing,
  language: Language,
): string {
  const registryName = "registryName" in state ? state.registryName : "";
  const words = hasMessage(state) ? "" : listingText(listing, language);
  return [registryName, words].filter(Boolean).join(" · ");
}

/** Returns whether a message above the rows describes the list. The editor shows no message beside a welcome text. */
export function hasMessage(state: CatalogState): state is LoadedCatalog {
  return state.kind === "list" && (listContext(state) !== "empty" || state.problem !== undefined);
}

/** The parts of a list that the message above its rows depends on, besides its state. */
interface ShownList extends Pick<NotedList, "list" | "leftOut" | "now"> {
  readonly listing: SkillListing;
  /** Whether the user has not invoked anything yet. */
  readonly isNew: boolean;
}

/** Writes the message above the rows: everything a reader must know about them. Empty if there is nothing to say. */
export function catalogMessage(
  { registry, problem }: LoadedCatalog,
  { listing, isNew, ...shown }: ShownList,
  language: Language,
): string {
  const { arrangement, query } = listing;
  const words = listingText(listing, language);
  const noted = { ...shown, arrangement, filters: query.filters, ...(problem && { problem }) };
  const notes = [
    // The built-in registry has no address.
    registry === "" && isNew
      ? language.t("Built-in sample registry on this machine. Nothing is billed.")
      : "",
    words === "" ? "" : language.t("Showing: {listing}.", { listing: words }),
    ...listNotes(noted, language),
  ];
  // The editor shows a message as plain text and a line break as a space.
  return notes
    .filter((note) => note !== "")
    .map((note) => oneLine(note, 300))
    .join(" ");
}

/** Names the state of the Skills view in one word, for the conditions of its menus and welcome texts. */
export function listContext(state: CatalogState): string {
  if (state.kind !== "list") return state.kind;
  return isEmpty(state.list) ? "empty" : "ready";
}

/** Returns the list from which the filters take their values; undefined while there is none. */
export function countedList(state: CatalogState, query: SkillQuery): CountedList | undefined {
  if (state.kind !== "list") return undefined;
  const { nextCursor, brokenEnd } = state.list;
  const isWhole = nextCursor === undefined && brokenEnd === undefined && !isRestricted(query);
  return { ...state.list, isWhole };
}

function isEmpty({ skills, nextCursor }: SkillList): boolean {
  return skills.length === 0 && nextCursor === undefined;
}

/** Why there is no list, in full, with actions: the most helpful first. */
interface MissingList {
  readonly message: string;
  readonly actions: readonly NoticeAction[];
}

/** Describes why there is no list. Undefined if there is one, or one is loading. */
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
