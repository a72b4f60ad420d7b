import { isSameVersion } from "../../skill/isNewerVersion";
import { fileAccessRank, levelRank } from "../../skill/permissions";
import { timeFormats, utcDay } from "../../text/dates";
import { type Language, type LocalizableText, l10nText, localize } from "../../text/language";
import { upperFirst } from "../../text/plainText";
import {
  type InstalledSkill,
  isApproved,
  maxListedInvocations,
  type ProjectSubscription,
  type ServerInvocation,
} from "../project";
import { minRemainingBudget } from "./budget";
import {
  type BlockCode,
  codes,
  type ErrorCode,
  type ProjectCheckName,
  projectCheckNames,
} from "./codes";

/** The result of a check. `until` is when the block ends by itself, in milliseconds since 1970. */
type CheckVerdict<Code extends ErrorCode = BlockCode> =
  | { readonly kind: "passed" }
  | { readonly kind: "unknown" }
  | { readonly kind: "blocked"; readonly code: Code; readonly until?: number };

/** A check with its verdict. */
export type ProjectCheck = CheckVerdict & { readonly name: ProjectCheckName };

/** The known facts about a skill in a project. A check whose facts are missing is unknown. */
export type CheckedSkill = Pick<InstalledSkill, "slug"> & Partial<InstalledSkill>;

/** The data for the checks. */
export interface ProjectCheckFacts {
  /** Undefined if the project has not installed it. */
  readonly skill: CheckedSkill | undefined;
  /** The invoked version; left out for the project's pinned one. */
  readonly version?: string;
  /** Left out if they are unknown. */
  readonly subscriptions?: readonly ProjectSubscription[];
  /** The project's newest invocations, from its detail; left out if they are unknown. */
  readonly invocations?: readonly ServerInvocation[];
  /** The project's spending on the skill in the month of `now`; left out if the registry does not return it. */
  readonly spentThisMonthCents?: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The registry's expected response to an invocation now, by the known facts. */
export type PredictedResponse =
  /** `unknown` lists checks without data; each of them may still block the invocation. */
  | { readonly kind: "allowed"; readonly unknown: readonly ProjectCheckName[] }
  | { readonly kind: "blocked"; readonly code: BlockCode; readonly until?: number };

/** Returns the registry's expected response to an invocation: the first failing check decides. */
export function predictResponse(facts: ProjectCheckFacts): PredictedResponse {
  const checks = checkProject(facts);
  const first = checks.find(({ kind }) => kind === "blocked");
  if (first?.kind !== "blocked") {
    const unknown = checks.filter(({ kind }) => kind === "unknown").map(({ name }) => name);
    return { kind: "allowed", unknown };
  }
  const { code, until } = first;
  return { kind: "blocked", code, ...(until !== undefined && { until }) };
}

/** Makes every check, in the gateway's order. If the install is missing, makes no further checks. */
export function checkProject(facts: ProjectCheckFacts): readonly ProjectCheck[] {
  const { skill, version } = facts;
  const { version: installed = "" } = skill ?? {};
  const isOther = version !== undefined && installed !== "" && !isSameVersion(version, installed);
  if (skill === undefined || isOther) {
    return [{ name: "installed", ...blocked("skill_not_installed") }];
  }
  return projectCheckNames.map((name) => ({ name, ...verdicts[name](skill, facts) }));
}

type Check<Code extends ErrorCode> = (
  skill: CheckedSkill,
  facts: ProjectCheckFacts,
) => CheckVerdict<Code>;

const passed = { kind: "passed" } as const;
const unknown = { kind: "unknown" } as const;

function blocked<Code extends BlockCode>(code: Code): CheckVerdict<Code> {
  return { kind: "blocked", code };
}

function blockedIf<Code extends BlockCode>(isBlocked: boolean, code: Code): CheckVerdict<Code> {
  return isBlocked ? blocked(code) : passed;
}

/** The function of each check, which blocks only with its own codes. */
const verdicts: { readonly [Name in ProjectCheckName]: Check<BlockCode<Name>> } = {
  installed: () => passed,
  active: ({ status }) =>
    status === undefined ? unknown : blockedIf(status !== "installed", "install_not_active"),
  allowed: ({ verificationStatus: status }) =>
    status === undefined
      ? unknown
      : blockedIf(["rejected", "suspended"].includes(status), "skill_not_allowed"),
  verified: ({ verificationStatus: status }) =>
    status === undefined
      ? unknown
      : blockedIf(["draft", "submitted"].includes(status), "skill_not_verified"),
  approved: ({ approvalState }) => {
    const isInstallApproved = isApproved(approvalState);
    return isInstallApproved === undefined
      ? unknown
      : blockedIf(!isInstallApproved, "skill_not_approved");
  },
  policy: ({ isPolicyMissing }) =>
    isPolicyMissing === undefined ? unknown : blockedIf(isPolicyMissing, "policy_missing"),
  policyApproval: ({ policy }) =>
    policy?.approvalRequired === undefined
      ? unknown
      : blockedIf(
          policy.approvalRequired && policy.approvedAt === undefined,
          "policy_approval_required",
        ),
  level: ({ permissionLevel, policy }) =>
    compareRanks(
      levelRank,
      permissionLevel,
      policy?.maxPermissionLevel,
      "permission_level_exceeded",
    ),
  network: ({ permissions, policy }) =>
    checkPermission(permissions?.network, policy?.allowNetwork, "network_not_allowed"),
  browser: ({ permissions, policy }) =>
    checkPermission(permissions?.browser, policy?.allowBrowser, "browser_not_allowed"),
  filesystem: ({ permissions, policy }) =>
    compareRanks(
      fileAccessRank,
      permissions?.filesystem,
      policy?.filesystemAccess,
      "filesystem_not_allowed",
    ),
  secrets: ({ permissions, policy }) =>
    checkPermission(
      permissions && permissions.secretCount > 0,
      policy?.allowSecretAccess,
      "secrets_not_allowed",
    ),
  rate: rateVerdict,
  budget: budgetVerdict,
  subscription: subscriptionVerdict,
};

function checkPermission<Code extends BlockCode>(
  needs: boolean | undefined,
  allows: boolean | undefined,
  code: Code,
): CheckVerdict<Code> {
  if (needs === false || allows === true) return passed;
  return needs === undefined || allows === undefined ? unknown : blocked(code);
}

/**
 * Compares the ranks of what a skill needs and what the policy allows. Rank 0 needs nothing, rank 2 allows everything,
 * and a negative rank is unknown.
 */
function compareRanks<Code extends BlockCode>(
  rank: (word: string | undefined) => number,
  needs: string | undefined,
  allows: string | undefined,
  code: Code,
): CheckVerdict<Code> {
  const [need, limit] = [rank(needs), rank(allows)];
  if (need === 0 || limit === 2) return passed;
  return need >= 0 && limit >= 0 ? blockedIf(need > limit, code) : unknown;
}

const windowMs = 60_000;

/**
 * Checks the rate limit. The gateway counts every invocation of the last minute, even rejected ones, but none of a
 * skill that is not installed.
 */
function rateVerdict(
  { slug, policy }: CheckedSkill,
  { invocations, now }: ProjectCheckFacts,
): CheckVerdict<BlockCode<"rate">> {
  const limit = policy?.rateLimitPerMinute;
  if (limit === undefined || invocations === undefined) return unknown;
  const recent = invocations.filter(({ createdAt = 0 }) => now - createdAt < windowMs);
  const times = recent
    .filter(({ skillSlug }) => skillSlug === slug)
    .map(({ createdAt = 0 }) => createdAt)
    .sort((one, other) => other - one);
  const oldest = times[limit - 1];
  if (oldest !== undefined) {
    return { kind: "blocked", code: "rate_limit_exceeded", until: oldest + windowMs };
  }
  return recent.length >= maxListedInvocations ? unknown : passed;
}

/**
 * Checks the monthly budget. Most registries do not return this month's spending. Then a rejection with budget_exceeded
 * proves that the budget is used up until the month ends or the policy changes. Without such a rejection, spending of
 * all time below the budget proves that some remains.
 */
function budgetVerdict(
  skill: CheckedSkill,
  { invocations = [], spentThisMonthCents: spent, now }: ProjectCheckFacts,
): CheckVerdict<BlockCode<"budget">> {
  const { slug, policy, price } = skill;
  const limit = policy?.monthlyBudgetCents;
  if (limit === 0 || price?.billingModel === "free") return passed;
  if (limit !== undefined && spent !== undefined) {
    return blockedIf(spent >= limit, "budget_exceeded");
  }
  const month = (time: number) => utcDay(time).slice(0, 7);
  const changedAt = policy?.updatedAt ?? Number.POSITIVE_INFINITY;
  const isUsedUp = invocations.some(
    ({ skillSlug, errorCode, createdAt = 0 }) =>
      skillSlug === slug &&
      errorCode === "budget_exceeded" &&
      createdAt > changedAt &&
      month(createdAt) === month(now),
  );
  if (isUsedUp) return blocked("budget_exceeded");
  return (minRemainingBudget(skill)?.cents ?? 0) > 0 ? passed : unknown;
}

function subscriptionVerdict(
  { slug, price }: CheckedSkill,
  { subscriptions, now }: ProjectCheckFacts,
): CheckVerdict<BlockCode<"subscription">> {
  if (price === undefined) return unknown;
  if (price.billingModel === "free" || price.billingModel === "per_call") return passed;
  if (price.billingModel !== "subscription" || subscriptions === undefined) return unknown;
  const subscription = subscriptions.find(({ skillSlug }) => skillSlug === slug);
  switch (subscription?.status) {
    case undefined:
      return blocked("subscription_required");
    case "past_due":
      return blocked("subscription_past_due");
    case "paused":
      return blocked("subscription_paused");
    case "canceled":
      return blocked("subscription_canceled");
    case "active":
    case "trialing": {
      const { currentPeriodEnd = Number.POSITIVE_INFINITY } = subscription ?? {};
      return blockedIf(currentPeriodEnd <= now, "subscription_period_expired");
    }
    default:
      return unknown;
  }
}

/**
 * Describes why an invocation would be blocked, and what to do, as the end of “<skill> is blocked: …”. `status` is the
 * install's; empty if unknown.
 */
export function blockReason(code: BlockCode, status: string | undefined): LocalizableText {
  if (code === "install_not_active" && status === "suspended") {
    return l10nText("it is suspended in this project. Restore it to invoke it.");
  }
  if (code === "install_not_active" && status === "removed") {
    return l10nText("it was removed from this project. Install it again to invoke it.");
  }
  return codes[code].text;
}

/** Describes why an invocation would be blocked, and what to do, in whole sentences. */
export function blockText(code: BlockCode, status: string | undefined, language: Language): string {
  return upperFirst(localize(blockReason(code, status), language));
}

/** Names a check. */
export function checkTitle(name: ProjectCheckName, { t }: Language): string {
  switch (name) {
    case "installed":
      return t("installed in this version");
    case "active":
      return t("not suspended or removed in the project");
    case "allowed":
      return t("not rejected or suspended by the registry");
    case "verified":
      return t("verified by the registry");
    case "approved":
      return t("approved in the project");
    case "policy":
      return t("policy of the project");
    case "policyApproval":
      return t("approval that the policy requires");
    case "level":
      return t("permission level");
    case "network":
      return t("network access");
    case "browser":
      return t("browser access");
    case "filesystem":
      return t("file access");
    case "secrets":
      return t("secrets");
    case "rate":
      return t("rate limit");
    case "budget":
      return t("monthly budget");
    case "subscription":
      return t("subscription");
  }
}

/** Describes the expected response to an invocation in a sentence or two. */
export function predictionText(
  answer: PredictedResponse,
  status: string | undefined,
  language: Language,
): string {
  const { t } = language;
  if (answer.kind === "allowed") {
    const { unknown } = answer;
    if (unknown.length === 0) return t("Nothing blocks an invocation.");
    const list = unknown.map((name) => checkTitle(name, language)).join(", ");
    return t("Nothing is known to block an invocation. Unknown: {list}.", { list });
  }
  const why = blockText(answer.code, status, language);
  if (answer.until === undefined) return why;
  const time = timeFormats(language).timeOfDay(answer.until);
  return `${why} ${t("It can be invoked again at {time}.", { time })}`;
}
