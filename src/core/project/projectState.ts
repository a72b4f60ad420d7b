import {
  type Account,
  accountLabel,
  endsSession,
  expiryWarning,
  isNotOffered,
  isWrongRole,
} from "../account/sessions";
import {
  failureNotice,
  type RegistryFailure,
  registryFailureText,
} from "../registry/registryFailure";
import { timeFormats } from "../text/dates";
import { type Language, type LocalizableText, localize } from "../text/language";
import type { Notice } from "../text/notice";
import { isKeyOfOtherProject, type ProjectDetail } from "./project";

/** The state of the Project view. */
export type ProjectState =
  | { readonly kind: "loading" }
  | { readonly kind: "notConnected"; readonly problem: LocalizableText }
  /** Not signed in; `hasEnded` if the registry ended the session. */
  | { readonly kind: "signedOut"; readonly hasEnded: boolean }
  /** The registry has no accounts, or no projects. */
  | { readonly kind: "notOffered" }
  | { readonly kind: "wrongRole"; readonly account: Account }
  | { readonly kind: "noProjects"; readonly account: Account }
  /** The account has several projects, and none was chosen. */
  | { readonly kind: "choose"; readonly account: Account }
  /** The chosen project no longer exists, at least for this account. */
  | { readonly kind: "gone"; readonly account: Account; readonly name: string }
  | { readonly kind: "failed"; readonly failure: RegistryFailure }
  | LoadedProject;

/** A project, as last read. */
interface LoadedProject {
  readonly kind: "project";
  /** The registry, as the record of invocations names it. */
  readonly registry: string;
  readonly account: Account;
  readonly detail: ProjectDetail;
  /** Milliseconds since 1970. */
  readonly loadedAt: number;
  /** Why the last refresh failed. */
  readonly problem?: RegistryFailure;
}

/** Returns whether certainly no project is in use: nobody is signed in, none is available, or none is chosen. */
export function hasNoProject({ kind }: ProjectState): boolean {
  return ["signedOut", "notOffered", "wrongRole", "noProjects", "choose", "gone"].includes(kind);
}

const freshMs = 60_000;

/** Returns whether to read the project again before an action: it is a minute old, or the last reading failed. */
export function isOutdated(state: ProjectState, now: number): boolean {
  if (state.kind === "failed") return true;
  if (state.kind !== "project") return false;
  return state.problem !== undefined || now - state.loadedAt > freshMs;
}

/** Returns the state after a failed request. A loaded project stays, with the failure as its problem. */
export function stateOfFailure(
  failure: RegistryFailure,
  account: Account | undefined,
  before: ProjectState,
): ProjectState {
  if (endsSession(failure)) return { kind: "signedOut", hasEnded: true };
  if (isNotOffered(failure)) return { kind: "notOffered" };
  if (isWrongRole(failure) && account !== undefined) return { kind: "wrongRole", account };
  return before.kind === "project" ? { ...before, problem: failure } : { kind: "failed", failure };
}

/** Describes the shown project beside the view's title, with account and role. */
export function projectDescription(state: ProjectState): string {
  switch (state.kind) {
    case "project": {
      const { detail, account } = state;
      return [detail.summary.name, accountLabel(account), account.role].filter(Boolean).join(" · ");
    }
    case "wrongRole":
    case "noProjects":
    case "choose":
      return [accountLabel(state.account), state.account.role].filter(Boolean).join(" · ");
    case "gone":
      return [state.name, accountLabel(state.account), state.account.role]
        .filter(Boolean)
        .join(" · ");
    case "notConnected":
    case "failed":
    case "loading":
    case "signedOut":
    case "notOffered":
      return "";
  }
}

/**
 * Explains to a user who wants to act on a project why none is available. Undefined while loading, with a project, and
 * in states in which the user is asked to choose or create one.
 */
export function noProjectNotice(state: ProjectState, language: Language): Notice | undefined {
  const { t } = language;
  switch (state.kind) {
    case "wrongRole":
      return {
        severity: "warning",
        message: t(
          "{account} may not see projects. Switch to the account of an owner, admin or developer.",
          { account: accountLabel(state.account) },
        ),
        actions: [{ action: "signIn", title: t("Switch Account…") }],
      };
    case "notOffered":
      return {
        severity: "warning",
        message: t("This registry has no sign-in and no projects."),
        actions: [{ action: "connect", title: t("Connect to Registry…") }],
      };
    case "failed":
      return failureNotice(state.failure, language);
    case "notConnected":
      return {
        severity: "error",
        message: localize(state.problem, language),
        actions: [{ action: "connect", title: t("Connect to Registry…") }],
      };
    case "signedOut":
      return {
        severity: "warning",
        message: t("You are not signed in to this registry."),
        actions: [{ action: "signIn", title: t("Sign In…") }],
      };
    case "loading":
    case "noProjects":
    case "choose":
    case "gone":
    case "project":
      return undefined;
  }
}

/** Explains why no project is shown; empty if one is shown or being read. */
export function noProjectText(state: ProjectState, language: Language): string {
  const { t } = language;
  if (state.kind === "noProjects") return t("Your organization has no projects yet.");
  if (state.kind === "gone") {
    return t("The project {name} is gone, or this account may no longer see it.", {
      name: state.name,
    });
  }
  if (state.kind === "choose") return t("No project is chosen in the Project view.");
  return noProjectNotice(state, language)?.message ?? "";
}

/** Reports that the Project Key of this editor is another project's. */
export function otherProjectKeyText({ t }: Language): string {
  return t(
    "This editor's Project Key is not one of this project's: invocations go to another one.",
  );
}

/**
 * Lists notes above the rows: why there is no project, a sign-in that ends soon, a failed refresh, and an editor's
 * `key` that belongs to another project. Empty for none.
 */
export function projectMessage(
  state: ProjectState,
  key: string | undefined,
  now: number,
  language: Language,
): string {
  if (state.kind === "notConnected") return localize(state.problem, language);
  if (state.kind === "failed") return registryFailureText(state.failure, language);
  if (state.kind !== "project") return "";
  const { problem, loadedAt, account, detail } = state;
  const { t } = language;
  const stale =
    problem === undefined
      ? ""
      : t("Project from {time}; refresh failed: {reason}", {
          time: timeFormats(language).timeOfDay(loadedAt),
          reason: registryFailureText(problem, language),
        });
  const elsewhere =
    key !== undefined && isKeyOfOtherProject(detail, key) ? otherProjectKeyText(language) : "";
  return [expiryWarning(account, now, language), elsewhere, stale].filter(Boolean).join(" ");
}
