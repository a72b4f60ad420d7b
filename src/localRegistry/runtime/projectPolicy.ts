import { levelOf } from "../catalogue/manifest";
import type { Release, Skill } from "../catalogue/skill";

/** What the demo project did so far that a gate depends on. */
export interface ProjectUse {
  /** Calls of the skill in the last 60 seconds, this one included. */
  readonly callsInWindow: number;
  /** Cents spent on the skill this month. */
  readonly spentCents: number;
}

/** Why a call was blocked, as the gateway tells it. */
export interface PolicyBlock {
  readonly ok: false;
  readonly code: string;
  readonly message: string;
  readonly permissionLevel: string;
  readonly maxPermissionLevel: string;
  readonly installStatus: string;
  readonly approvalState: string;
  readonly verificationStatus: string;
  readonly rateLimit?: { readonly ok: boolean; readonly limit: number; readonly used: number };
  readonly budget?: {
    readonly ok: boolean;
    readonly limitCents: number;
    readonly usedCents: number;
  };
  readonly subscription?: string;
}

/**
 * Decides whether the demo project may call a version, in the gateway's order: state, permissions,
 * rate, budget, payment. Undefined means yes.
 */
export function findBlock(
  skill: Skill,
  release: Release,
  use: ProjectUse,
): PolicyBlock | undefined {
  const found = permissionGate(skill, release) ?? useGate(skill, use);
  if (found === undefined) return undefined;
  const account = {
    permissionLevel: levelOf(release),
    maxPermissionLevel,
    ...installState,
    verificationStatus: skill.verificationStatus,
  };
  return { ok: false, ...account, ...found };
}

/** What the demo project allows at most: no writing, no secrets. */
export const maxPermissionLevel = "medium";

/** How every skill is installed in the demo project. */
export const installState = { installStatus: "active", approvalState: "approved" } as const;

type Gate = Pick<PolicyBlock, "code" | "message" | "rateLimit" | "budget" | "subscription">;

function permissionGate(skill: Skill, release: Release): Gate | undefined {
  if (skill.verificationStatus === "submitted") {
    const message = `${skill.displayName} waits for its review and cannot be called yet.`;
    return { code: "skill_not_verified", message };
  }
  if (levelOf(release) === "high") {
    const message = `${skill.displayName} needs high permissions; this project allows ${maxPermissionLevel} at most.`;
    return { code: "permission_level_exceeded", message };
  }
  return undefined;
}

function useGate({ displayName, limits = {}, price }: Skill, use: ProjectUse): Gate | undefined {
  const { callsPerMinute: limit, monthlyBudgetCents: limitCents } = limits;
  if (limit !== undefined && use.callsInWindow > limit) {
    const message = `${displayName} may be called ${limit} times a minute. Refused calls count as well.`;
    const rateLimit = { ok: false, limit, used: use.callsInWindow };
    return { code: "rate_limit_exceeded", message, rateLimit };
  }
  if (limitCents !== undefined && use.spentCents + price.unitAmountCents > limitCents) {
    const message = `This project's monthly budget for ${displayName} is used up.`;
    const budget = { ok: false, limitCents, usedCents: use.spentCents };
    return { code: "budget_exceeded", message, budget };
  }
  if (price.billingModel === "subscription") {
    const message = `${displayName} needs a subscription, and this project has none.`;
    return { code: "subscription_required", message, subscription: "none" };
  }
  return undefined;
}
