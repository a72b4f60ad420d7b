import { createHash, randomBytes, randomUUID } from "node:crypto";
import { fileAccessRank, levelRank } from "../../core/skill/permissions";
import type { Manifest, Skill } from "../catalog/catalog";
import { levelOf } from "../catalog/skillResponses";

/** A Project Key as the registry stores it: its digest, and its displayable data. ISO times. */
export interface StoredKey {
  readonly id: string;
  readonly name: string;
  readonly keyLast4: string;
  readonly digest: string;
  readonly createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

/** A row of a project's update inbox. ISO times; `targetVersion` is null if the row is not a version update. */
export interface Update {
  readonly id: string;
  readonly skill: Skill;
  readonly eventType: "new_version" | "deprecated" | "incident";
  readonly severity: "info" | "low" | "medium" | "high" | "critical";
  readonly title: string;
  readonly body: string;
  readonly targetVersion: string | null;
  readonly createdAt: string;
  actionStatus: "open" | "acknowledged" | "scheduled" | "adopted" | "ignored";
  actionNote: string | null;
  scheduledFor: string | null;
  resolvedAt: string | null;
  actionUpdatedAt: string | null;
}

const windowMs = 60_000;

/** A project: its installs, policies and keys, and its usage. */
export class Project {
  readonly id = randomUUID();
  readonly installs = new Map<string, Install>();
  readonly policies = new Map<string, Policy>();
  readonly subscriptions = new Map<string, Subscription>();
  /** Newest first. */
  readonly keys: StoredKey[] = [];
  /** Newest first. */
  readonly updates: Update[] = [];
  /** The spending of all time, in US cents. */
  spentCents = 0;
  readonly #invokedAt = new Map<string, readonly number[]>();
  readonly #spentCents = new Map<string, number>();

  constructor(
    readonly slug: string,
    public name: string,
    readonly createdAt: string,
  ) {}

  /** Stores a key and returns it. Default: a new one, `skh_` and 64 hexadecimal digits. */
  addKey(name: string, now: number, key = `skh_${randomBytes(32).toString("hex")}`) {
    const stored: StoredKey = {
      id: randomUUID(),
      name,
      keyLast4: key.slice(-4),
      digest: digestOf(key),
      createdAt: new Date(now).toISOString(),
      lastUsedAt: null,
      revokedAt: null,
    };
    this.keys.unshift(stored);
    return { key, kept: stored };
  }

  /** Counts an invocation at `now` (milliseconds) and returns the usage before it. */
  use(skillSlug: string, now: number): Usage {
    const recent = this.#invokedAt.get(skillSlug) ?? [];
    const inWindow = recent.filter((time) => now - time < windowMs);
    this.#invokedAt.set(skillSlug, [...inWindow, now]);
    const spentCents = this.spentInMonth(skillSlug, now);
    const subscription = this.subscriptions.get(skillSlug);
    return { inWindow: inWindow.length, spentCents, subscription, now };
  }

  /** Returns the spending on a skill in the month that contains `now`. */
  spentInMonth(skillSlug: string, now: number): number {
    return this.#spentCents.get(monthOf(skillSlug, now)) ?? 0;
  }

  /** Returns the spending on a skill of all time. */
  spentOn(skillSlug: string): number {
    const months = [...this.#spentCents].filter(([name]) => name.startsWith(`${skillSlug} `));
    return months.reduce((sum, [, cents]) => sum + cents, 0);
  }

  /** Adds the cost of an invocation. */
  spend(skillSlug: string, cents: number, now: number): void {
    const month = monthOf(skillSlug, now);
    this.spentCents += cents;
    this.#spentCents.set(month, (this.#spentCents.get(month) ?? 0) + cents);
  }
}

function monthOf(skillSlug: string, now: number): string {
  return `${skillSlug} ${new Date(now).toISOString().slice(0, 7)}`;
}

/** Returns the digest of a key or token. Only digests are stored and compared, so that no key leaks. */
export function digestOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** A project's limits for a skill. A budget of 0 means no limit; `approvedAt` and `updatedAt` are ISO times. */
export interface Policy {
  readonly maxPermissionLevel: "low" | "medium" | "high";
  readonly allowNetwork: boolean;
  readonly allowBrowser: boolean;
  readonly filesystemAccess: "none" | "read" | "write";
  readonly allowSecretAccess: boolean;
  readonly monthlyBudgetCents: number;
  readonly rateLimitPerMinute: number;
  readonly approvalRequired: boolean;
  readonly approvedAt: string | null;
  readonly approvedByUserId: string | null;
  readonly updatedAt: string;
}

/** A skill in a project, pinned to one version. */
export interface Install {
  readonly skill: Skill;
  readonly manifest: Manifest;
  readonly status: "installed" | "suspended" | "removed";
  readonly approvalState: "approved" | "owner_required";
  /** ISO times. */
  readonly installedAt: string;
  readonly updatedAt: string;
}

/**
 * Returns the default policy of a manifest: the declared permissions, and required approval if their level is high.
 * `updatedAt` is an ISO time.
 */
export function defaultPolicy(manifest: Manifest, updatedAt: string): Policy {
  const { network, browser, filesystem, secrets } = manifest.permissions;
  const isHigh = levelOf(manifest) === "high";
  return {
    maxPermissionLevel: levelOf(manifest),
    allowNetwork: network,
    allowBrowser: browser,
    filesystemAccess: filesystem,
    allowSecretAccess: secrets.length > 0,
    monthlyBudgetCents: isHigh ? 0 : 10_000,
    rateLimitPerMinute: isHigh ? 10 : 60,
    approvalRequired: isHigh,
    approvedAt: null,
    approvedByUserId: null,
    updatedAt,
  };
}

/** A project's usage of a skill before this invocation. */
export interface Usage {
  /** Invocations in the last 60 seconds, including rejected ones. */
  readonly inWindow: number;
  readonly spentCents: number;
  readonly subscription?: Subscription | undefined;
  /** Milliseconds since 1970. */
  readonly now?: number;
}

/** A project's monthly subscription to a skill. ISO times. */
export interface Subscription {
  readonly id: string;
  readonly status: "trialing" | "active";
  readonly currentPeriodStart: string;
  readonly currentPeriodEnd: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Why an invocation is blocked: the code and text of the response, and its `policy`. */
interface Block {
  readonly code: string;
  readonly error: string;
  readonly policy: object;
}

/** Returns why an invocation is blocked, or undefined if it may run. Checks in the gateway's order. */
export function findBlock(
  install: Install,
  policy: Policy | undefined,
  use: Usage,
): Block | undefined {
  const [code, error, more] =
    installGate(install) ??
    policyGate(install.manifest, policy) ??
    useGate(install, policy, use) ??
    [];
  if (code === undefined || error === undefined) return undefined;
  const isSubscription = code.startsWith("subscription");
  const verdict = {
    // Like the gateway, report that the policy allows the invocation if only a subscription is missing.
    ok: isSubscription,
    code: isSubscription ? "allowed" : code,
    message: isSubscription ? "Allowed." : error,
    permissionLevel: levelOf(install.manifest),
    maxPermissionLevel: policy?.maxPermissionLevel ?? null,
    installStatus: install.status,
    approvalState: install.approvalState,
    verificationStatus: install.skill.verificationStatus,
  };
  return { code, error, policy: { ...verdict, ...more } };
}

/** The code, the text, and further members of `policy`. */
type Gate = readonly [code: string, error: string, more?: object];

function installGate({ status, approvalState, skill }: Install): Gate | undefined {
  if (status !== "installed") return ["install_not_active", "Skill install is not active."];
  if (skill.verificationStatus === "submitted") {
    return ["skill_not_verified", "Skill must be verified before runtime invocation."];
  }
  if (approvalState === "owner_required") {
    return ["skill_not_approved", "Skill install requires project owner approval."];
  }
  return undefined;
}

function policyGate(manifest: Manifest, policy: Policy | undefined): Gate | undefined {
  const { network, browser, filesystem, secrets } = manifest.permissions;
  if (policy === undefined) return ["policy_missing", "Project skill policy is missing."];
  if (policy.approvalRequired) {
    return ["policy_approval_required", "Project policy still requires approval."];
  }
  if (levelRank(levelOf(manifest)) > levelRank(policy.maxPermissionLevel)) {
    return ["permission_level_exceeded", "Skill permission level exceeds project policy."];
  }
  const refuse = (what: string, access: string): Gate => [
    `${what}_not_allowed`,
    `Project policy does not allow ${access} access.`,
  ];
  if (network && !policy.allowNetwork) return refuse("network", "network");
  if (browser && !policy.allowBrowser) return refuse("browser", "browser");
  if (fileAccessRank(filesystem) > fileAccessRank(policy.filesystemAccess)) {
    return refuse("filesystem", "the requested filesystem");
  }
  if (secrets.length > 0 && !policy.allowSecretAccess) return refuse("secrets", "secret");
  return undefined;
}

function useGate({ skill }: Install, policy: Policy | undefined, use: Usage): Gate | undefined {
  const { rateLimitPerMinute: limit = 0, monthlyBudgetCents: limitCents = 0 } = policy ?? {};
  if (use.inWindow >= limit) {
    const rateLimit = { ok: false, limit, used: use.inWindow };
    return ["rate_limit_exceeded", "Project rate limit exceeded for this skill.", { rateLimit }];
  }
  if (limitCents > 0 && use.spentCents >= limitCents) {
    const budget = { ok: false, limitCents, usedCents: use.spentCents };
    return ["budget_exceeded", "Project monthly budget exceeded for this skill.", { budget }];
  }
  return skill.price.billingModel === "subscription" ? subscriptionGate(skill, use) : undefined;
}

function subscriptionGate({ price }: Skill, { subscription, now = 0 }: Usage): Gate | undefined {
  const { billingModel } = price;
  if (subscription === undefined) {
    const code = "subscription_required";
    const message = "This subscription skill requires an active project subscription.";
    return [code, message, { subscription: { ok: false, code, message, billingModel } }];
  }
  const { id: subscriptionId, status: subscriptionStatus, currentPeriodEnd } = subscription;
  if (Date.parse(currentPeriodEnd) > now) return undefined;
  const code = "subscription_period_expired";
  const message = "Project subscription period has expired.";
  const more = { billingModel, subscriptionId, subscriptionStatus, currentPeriodEnd };
  return [code, message, { subscription: { ok: false, code, message, ...more } }];
}
