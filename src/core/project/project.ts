import type { Permissions } from "../skill/permissions";
import type { Price } from "../skill/skill";

/** A project as a registry lists it. */
export interface ProjectSummary {
  /** Identifies the project in routes; unique within its organization. */
  readonly slug: string;
  readonly name: string;
  /** Milliseconds since 1970; missing if the registry does not state it. */
  readonly createdAt?: number;
  /** How many skills are installed; missing if the registry does not count them. */
  readonly installedCount?: number;
}

/** Everything a registry returns about a project. */
export interface ProjectDetail {
  readonly summary: ProjectSummary;
  readonly skills: readonly InstalledSkill[];
  /** Newest first. */
  readonly keys: readonly ProjectKeyRow[];
  /** True if `keys` is complete; left out if it may have only the newest ones. */
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
  /** The pinned version; empty if the registry returns none. */
  readonly version: string;
  /** installed, suspended, removed or another word of the registry; left out if the registry states none. */
  readonly status?: string;
  /** approved, owner_required, pending, rejected or another word of the registry. */
  readonly approvalState?: string;
  readonly verificationStatus?: string;
  readonly permissionLevel?: string;
  /** The gateway returns defaults even if the project has no policy for the skill: see `isPolicyMissing`. */
  readonly policy?: ProjectPolicy;
  /** Whether the skill certainly has no policy; left out if unknown. */
  readonly isPolicyMissing?: boolean;
  /** The permissions of the pinned version; left out if unknown. */
  readonly permissions?: Permissions;
  /** The project's usage of the skill so far; left out if the registry does not return it. */
  readonly usage?: InstallUsage;
  /** The version that the registry offers publicly and that can be installed; left out if unknown. */
  readonly offeredVersion?: string;
  readonly price?: Price;
}

/** Sums of all time of a skill in a project. Members are left out if the registry does not return them. */
export interface InstallUsage {
  readonly invocations?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly blocked?: number;
  readonly averageLatencyMs?: number;
  /** The billed amount, in hundredths of the currency. */
  readonly cents?: number;
  readonly currency?: string;
  readonly openIncidents?: number;
}

/**
 * A whole policy, as the registry stores it. A field missing from a change is reset to its default, so a change always
 * sends all of them.
 */
export interface PolicyRow {
  readonly maxPermissionLevel: string;
  readonly allowNetwork: boolean;
  readonly allowBrowser: boolean;
  /** none, read or write. */
  readonly filesystemAccess: string;
  readonly allowSecretAccess: boolean;
  /** 0 is no limit. */
  readonly monthlyBudgetCents: number;
  readonly rateLimitPerMinute: number;
  readonly approvalRequired: boolean;
}

/** The parts of a project's policy for a skill that the registry returns. */
export interface ProjectPolicy extends Partial<PolicyRow>, PolicyTimes {}

/** Times of a policy, in milliseconds since 1970. */
interface PolicyTimes {
  readonly updatedAt?: number;
  /** When a required approval was given; left out without one. */
  readonly approvedAt?: number;
}

/** An entry of the registry's list of policies. `row` is left out if the entry lacks a part of the policy. */
export interface StoredPolicy extends PolicyTimes {
  readonly row?: PolicyRow;
}

/** Lists of a project that its detail does not contain. A list that was not returned is left out. */
interface ProjectLists {
  readonly policies?: ReadonlyMap<string, StoredPolicy> | undefined;
  /** The permissions of the pinned versions. */
  readonly permissions?: ReadonlyMap<string, Permissions> | undefined;
  /** All keys, newest first. */
  readonly keys?: readonly ProjectKeyRow[] | undefined;
  /** The versions that are offered publicly, by skill. */
  readonly offered?: ReadonlyMap<string, string> | undefined;
}

/** Adds these lists to a project. */
export function withLists(
  detail: ProjectDetail,
  { policies, permissions, keys, offered }: ProjectLists,
): ProjectDetail {
  const skills = detail.skills.map((skill): InstalledSkill => {
    const { slug } = skill;
    const stored = policies?.get(slug);
    const { row, ...times } = stored ?? {};
    const policy = stored && { ...skill.policy, ...row, ...times };
    const pinnedPermissions = permissions?.get(slug);
    const offeredVersion = offered?.get(slug);
    return {
      ...skill,
      ...(policies !== undefined && { isPolicyMissing: stored === undefined }),
      ...(policy !== undefined && { policy }),
      ...(pinnedPermissions !== undefined && { permissions: pinnedPermissions }),
      ...(offeredVersion !== undefined && { offeredVersion }),
    };
  });
  return { ...detail, skills, ...(keys && { keys, hasAllKeys: true }) };
}

/** Finds an installed skill of a project. Undefined if it was never installed, or was removed. */
export function installOf(project: InstallsOfProject, slug: string): InstalledSkill | undefined {
  return installsOf(project).find((skill) => skill.slug === slug);
}

/** Lists the skills of a project without the removed ones. */
export function installsOf({ skills }: InstallsOfProject): readonly InstalledSkill[] {
  return skills.filter(({ status }) => status !== "removed");
}

type InstallsOfProject = Pick<ProjectDetail, "skills">;

/** Returns whether an install is approved. Undefined if the registry returns no state, or an unknown word. */
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
  /** The last four characters; empty if the registry returns none. */
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
  /** Left out if the registry's text is no version. */
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
  /** Missing if the skill was not installed. */
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

/** Returns the keys that the registry does not mark as revoked. */
export function activeKeys(keys: readonly ProjectKeyRow[]): readonly ProjectKeyRow[] {
  return keys.filter(({ revokedAt }) => revokedAt === undefined);
}

/** Returns whether a row can belong to a key: its last four characters match. */
export function isRowOf({ last4 }: ProjectKeyRow, key: string): boolean {
  return last4.length >= 4 && key.endsWith(last4);
}

/** Returns whether the project's list of keys shows a key as active. */
export function hasKey({ keys }: KeysOfProject, key: string): boolean {
  return activeKeys(keys).some((row) => isRowOf(row, key));
}

/** The maximum number of invocations in the gateway's detail of a project. It contains only the newest ones. */
export const maxListedInvocations = 25;

/** The maximum number of keys in the gateway's detail of a project. It contains only the newest ones. */
const maxListedKeys = 20;

/** Returns whether a project's list of keys is complete, so that a key missing from it belongs to another project. */
export function areAllKeysListed({
  keys,
  hasAllKeys = keys.length < maxListedKeys,
}: KeysOfProject) {
  return hasAllKeys && keys.every(({ last4 }) => last4.length >= 4);
}

type KeysOfProject = Pick<ProjectDetail, "keys" | "hasAllKeys">;

/** Returns whether a key certainly belongs to another project. */
export function isKeyOfOtherProject(project: KeysOfProject, key: string): boolean {
  return areAllKeysListed(project) && !project.keys.some((row) => isRowOf(row, key));
}

/**
 * Returns the name that some gateways give a project with each new key or install. They derive it from the slug:
 * `n-code-2` becomes `N Code 2`.
 */
export function nameOfSlug(slug: string): string {
  return slug
    .split("-")
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

/** The account and the project that a workspace uses, as they are stored. */
export interface ChosenProject {
  /** The account's key, from `accountKey`. */
  readonly account: string;
  readonly slug: string;
  readonly name: string;
}

/** Parses a stored choice. Undefined for anything else. */
export function readChosen(data: unknown): ChosenProject | undefined {
  const { account, slug, name } = (data ?? {}) as Partial<Record<string, unknown>>;
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  return isText(account) && isText(slug) && isText(name) ? { account, slug, name } : undefined;
}

/** Parses the account of a stored choice, which may lack a project. */
export function readAccountInUse(data: unknown): string | undefined {
  const { account } = (data ?? {}) as Partial<Record<string, unknown>>;
  return typeof account === "string" && account !== "" ? account : undefined;
}
