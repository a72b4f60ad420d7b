import { type RegistryFailure, registryFailureText } from "../registry/registryFailure";
import type { Language } from "../text/language";
import { type LocalizableText, localize } from "../text/localizableText";
import {
  type Account,
  accountLabel,
  endsSession,
  expiryWarning,
  isNotOffered,
  isWrongRole,
} from "./account";
import { isKeyElsewhere, type ProjectDetail } from "./project";

/** What the Project view knows. */
export type ProjectState =
  | { readonly kind: "loading" }
  | { readonly kind: "notConnected"; readonly problem: LocalizableText }
  /** Not signed in; `hasEnded` where the registry ended the session. */
  | { readonly kind: "signedOut"; readonly hasEnded: boolean }
  /** The registry has no accounts, or no projects. */
  | { readonly kind: "notOffered" }
  | { readonly kind: "wrongRole"; readonly account: Account }
  | { readonly kind: "noProjects"; readonly account: Account }
  /** There are several, and none was chosen. */
  | { readonly kind: "choose"; readonly account: Account }
  | { readonly kind: "failed"; readonly failure: RegistryFailure }
  | LoadedProject;

/** A project as it was when it was last read. */
interface LoadedProject {
  readonly kind: "project";
  /** The registry, as the record of invocations names it. */
  readonly registry: string;
  readonly account: Account;
  readonly detail: ProjectDetail;
  /** Milliseconds since 1970. */
  readonly loadedAt: number;
  /** Why it could not be read again since. */
  readonly problem?: RegistryFailure;
}

/** Makes the state after a failed request, given what was shown before it: what was loaded stays. */
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

/** Says beside the view's title which organization, project and role it is about, or why there is none. */
export function projectDescription(state: ProjectState, language: Language): string {
  switch (state.kind) {
    case "project": {
      const { detail, account } = state;
      return [detail.summary.name, account.organization, account.role].filter(Boolean).join(" · ");
    }
    case "wrongRole":
    case "noProjects":
    case "choose":
      return [accountLabel(state.account), state.account.role].filter(Boolean).join(" · ");
    case "notConnected":
      return localize(state.problem, language);
    case "failed":
      return registryFailureText(state.failure, language);
    case "loading":
    case "signedOut":
    case "notOffered":
      return "";
  }
}

/** Says that the Project Key of this editor is another project's. */
export function keyElsewhereText({ t }: Language): string {
  return t(
    "This editor's Project Key is not one of this project's: invocations go to another one.",
  );
}

/**
 * Says above the rows what is to know about them: a sign-in that ends, a refresh that failed, and that the
 * `key` of this editor is another project's. Empty for nothing.
 */
export function projectMessage(
  state: ProjectState,
  key: string | undefined,
  now: number,
  language: Language,
): string {
  if (state.kind !== "project") return "";
  const { problem, loadedAt, account, detail } = state;
  const { t, locale } = language;
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "medium" }).format(loadedAt);
  const stale =
    problem === undefined
      ? ""
      : t("Project from {time}; refresh failed: {reason}", {
          time,
          reason: registryFailureText(problem, language),
        });
  const elsewhere =
    key !== undefined && isKeyElsewhere(detail.keys, key) ? keyElsewhereText(language) : "";
  return [expiryWarning(account, now, language), elsewhere, stale].filter(Boolean).join(" ");
}
