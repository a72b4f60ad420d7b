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
import type { Permissions } from "../skill/permissions";
import type { Price } from "../skill/skill";
import { timeFormats } from "../text/dates";
import { type Language, type LocalizableText, localize } from "../text/language";
import type { Notice } from "../text/notice";
import type { PolicyRow } from "./policies";

/** A project as a registry lists it. */
export interface ProjectSummary {
  /** Identifies it in routes; unique within its organization. */
  readonly slug: string;
  readonly name: string;
  /** Milliseconds since 1970; missing where the registry does not say. */
  readonly createdAt?: number;
  /** How many skills are installed; missing where the registry does not count them. */
  readonly installedCount?: number;
}

/** Everything a registry returns about a project. */
export interface ProjectDetail {
  readonly summary: ProjectSummary;
  readonly skills: readonly InstalledSkill[];
  /** Newest first. */
  readonly keys: readonly ProjectKeyRow[];
  /** True where `keys` is the whole list; left out where it may be the newest ones only. */
  readonly hasAllKeys?: boolean;
  readonly updates: readonly ProjectUpdate[];
  /** Newest first. */
  readonly invocations: readonly ServerInvocation[];
  readonly subscriptions: readonly ProjectSubscription[];
}

/** A skill in a project, pinned to one version. */
export interface InstalledSkill {
  readonly slug: string;
  readonly name: string;
  /** The pinned version; empty where the registry returns none. */
  readonly version: string;
  /** installed, suspended, removed or the registry's own word. */
  readonly status: string;
  /** approved, owner_required, pending, rejected or the registry's own word. */
  readonly approvalState?: string;
  readonly verificationStatus?: string;
  readonly permissionLevel?: string;
  /** Filled with defaults by the gateway where there is none. */
  readonly policy?: ProjectPolicy;
  /** Whether there is none at all; left out where unknown. */
  readonly isPolicyMissing?: boolean;
  /** The permissions of the pinned version; left out where unknown. */
  readonly permissions?: Permissions;
  /** What the project used of it so far; left out where the registry does not say. */
  readonly usage?: InstallUsage;
  /** The version that the registry offers publicly and that can be installed; left out where unknown. */
  readonly offeredVersion?: string;
  readonly price?: Price;
}

/** Sums of all time of a skill in a project. Members are left out where the registry does not say. */
export interface InstallUsage {
  readonly invocations?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly blocked?: number;
  readonly averageLatencyMs?: number;
  /** What was billed, in hundredths of the currency. */
  readonly cents?: number;
  readonly currency?: string;
  readonly openIncidents?: number;
}

/** A project's policy for a skill, as far as the registry returns it. */
export interface ProjectPolicy extends Partial<PolicyRow>, PolicyTimes {}

/** In milliseconds since 1970. */
interface PolicyTimes {
  readonly updatedAt?: number;
  /** When a required approval was given; left out where it was not. */
  readonly approvedAt?: number;
}

/** A row of the list of policies. `row` is left out where members are missing. */
export interface KeptPolicy extends PolicyTimes {
  readonly row?: PolicyRow;
}

/** What a registry lists of a project beside its detail. A list that was not returned is left out. */
export interface ProjectLists {
  readonly policies?: ReadonlyMap<string, KeptPolicy> | undefined;
  /** Of the pinned versions. */
  readonly permissions?: ReadonlyMap<string, Permissions> | undefined;
  /** All keys, newest first. */
  readonly keys?: readonly ProjectKeyRow[] | undefined;
  /** The versions that are offered publicly, by skill. */
  readonly offered?: ReadonlyMap<string, string> | undefined;
}

/** Adds to a project what other lists say of it. */
export function withLists(
  detail: ProjectDetail,
  { policies, permissions, keys, offered }: ProjectLists,
): ProjectDetail {
  const skills = detail.skills.map((skill): InstalledSkill => {
    const { slug } = skill;
    const kept = policies?.get(slug);
    const { row, ...times } = kept ?? {};
    const policy = kept && { ...skill.policy, ...row, ...times };
    const may = permissions?.get(slug);
    const offeredVersion = offered?.get(slug);
    return {
      ...skill,
      ...(policies !== undefined && { isPolicyMissing: kept === undefined }),
      ...(policy !== undefined && { policy }),
      ...(may !== undefined && { permissions: may }),
      ...(offeredVersion !== undefined && { offeredVersion }),
    };
  });
  return { ...detail, skills, ...(keys && { keys, hasAllKeys: true }) };
}

/** Returns whether an install is approved. Undefined where the registry returns no state, or a word of its own. */
export function isApproved(approvalState: string | undefined): boolean | undefined {
  switch (approvalState) {
    case "approved":
      return true;
    case "owner_required":
    case "pending":
    case "rejected":
      return false;
    default:
      return undefined;
  }
}

/** A Project Key as the registry returns it: never the key itself. Times in milliseconds since 1970. */
export interface ProjectKeyRow {
  readonly id: string;
  readonly name: string;
  /** The last four characters; empty where the registry returns none. */
  readonly last4: string;
  readonly createdAt?: number;
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
}

/** A row of a project's update inbox. Times in milliseconds since 1970. */
export interface ProjectUpdate {
  readonly id: string;
  readonly skillSlug: string;
  readonly skillName: string;
  /** new_version, deprecated, suspended or the registry's own word. */
  readonly eventType: string;
  /** info, low, medium, high, critical or the registry's own word. */
  readonly severity?: string;
  readonly title: string;
  readonly body?: string;
  readonly currentVersion?: string;
  /** Missing where it is no version. */
  readonly targetVersion?: string;
  readonly targetReviewStatus?: string;
  /** ready, awaiting_review, missing_version, removed_install, not_version_update or the registry's own word. */
  readonly adoptionState?: string;
  /** open, acknowledged, scheduled or the registry's own word. */
  readonly actionStatus?: string;
  readonly scheduledFor?: number;
  readonly createdAt?: number;
}

/** An invocation as the registry recorded it, from any sender. */
export interface ServerInvocation {
  readonly id: string;
  /** Missing where the skill was not installed. */
  readonly skillSlug?: string;
  readonly version?: string;
  /** success, error, blocked or the registry's own word. */
  readonly status: string;
  readonly errorCode?: string;
  readonly latencyMs?: number;
  /** Milliseconds since 1970. */
  readonly createdAt?: number;
}

/** A project's subscription to a skill. */
export interface ProjectSubscription {
  readonly skillSlug: string;
  /** trialing, active, past_due, paused, canceled or the registry's own word. */
  readonly status: string;
  /** Milliseconds since 1970. */
  readonly currentPeriodEnd?: number;
}

/** The active keys, as far as the registry says. */
export function activeKeys(keys: readonly ProjectKeyRow[]): readonly ProjectKeyRow[] {
  return keys.filter(({ revokedAt }) => revokedAt === undefined);
}

/** Returns whether a row can be that of a key: by its last four characters. */
export function isRowOf({ last4 }: ProjectKeyRow, key: string): boolean {
  return last4.length >= 4 && key.endsWith(last4);
}

/** The gateway's detail of a project lists only its newest keys. */
const listedKeys = 20;

/** Returns whether a project's list of keys can tell of a key that it is not the project's. */
export function areKeysWhole({ keys, hasAllKeys = keys.length < listedKeys }: KeysOfProject) {
  return hasAllKeys && keys.every(({ last4 }) => last4.length >= 4);
}

type KeysOfProject = Pick<ProjectDetail, "keys" | "hasAllKeys">;

/** Returns whether a key certainly belongs to another project than this one. */
export function isKeyElsewhere(project: KeysOfProject, key: string): boolean {
  return areKeysWhole(project) && !project.keys.some((row) => isRowOf(row, key));
}

/**
 * The name of a project after a change, on gateways that derive it from the slug with every new key or
 * install: `n-code-2` becomes `N Code 2`.
 */
export function nameOfSlug(slug: string): string {
  return slug
    .split("-")
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

/** The account in use and its chosen project, as a workspace remembers them. */
export interface ChosenProject {
  /** As `accountKey` returns it. */
  readonly account: string;
  readonly slug: string;
  readonly name: string;
}

/** Reads the stored choice. Undefined for anything else. */
export function readChosen(kept: unknown): ChosenProject | undefined {
  const { account, slug, name } = (kept ?? {}) as Partial<Record<string, unknown>>;
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  return isText(account) && isText(slug) && isText(name) ? { account, slug, name } : undefined;
}

/** Reads the account of a stored choice, for which there may be no project yet. */
export function readAccountInUse(kept: unknown): string | undefined {
  const { account } = (kept ?? {}) as Partial<Record<string, unknown>>;
  return typeof account === "string" && account !== "" ? account : undefined;
}

/** The state of the Project view. */
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
  /** Why refreshing failed since. */
  readonly problem?: RegistryFailure;
}

/** Returns whether the registry has told that the account in use has no project here, or none was chosen. */
export function hasNoProject({ kind }: ProjectState): boolean {
  return ["signedOut", "notOffered", "wrongRole", "noProjects", "choose"].includes(kind);
}

const freshMs = 60_000;

/** Returns whether to read the project again before an action: it is a minute old, or the last reading failed. */
export function isOutdated(state: ProjectState, now: number): boolean {
  if (state.kind === "failed") return true;
  if (state.kind !== "project") return false;
  return state.problem !== undefined || now - state.loadedAt > freshMs;
}

/** Returns the state after a failed request, given the previous one: loaded data stays. */
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

/** Describes beside the view's title which project it shows, and for which account in which role. */
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
    case "notConnected":
    case "failed":
    case "loading":
    case "signedOut":
    case "notOffered":
      return "";
  }
}

/**
 * Reports to somebody who acts on a project why there is none. Undefined where there is one, or where they were
 * asked to choose one.
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
        message: t("This registry offers no projects in the editor."),
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
    case "project":
      return undefined;
  }
}

/** Says why there is no project to show; empty where there is one, or it is being read. */
export function noProjectText(state: ProjectState, language: Language): string {
  const { t } = language;
  if (state.kind === "noProjects") return t("Your organization has no projects yet.");
  if (state.kind === "choose") return t("No project is chosen in the Project view.");
  return noProjectNotice(state, language)?.message ?? "";
}

/** Reports that the Project Key of this editor is another project's. */
export function keyElsewhereText({ t }: Language): string {
  return t(
    "This editor's Project Key is not one of this project's: invocations go to another one.",
  );
}

/**
 * Lists notes above the rows: why there is no project, a sign-in that ends, a refresh that failed, and that
 * this editor's `key` belongs to another project. Empty where there are none.
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
    key !== undefined && isKeyElsewhere(detail, key) ? keyElsewhereText(language) : "";
  return [expiryWarning(account, now, language), elsewhere, stale].filter(Boolean).join(" ");
}
