import { levelRank, type PermissionLevel } from "../skill/permissions";
import {
  type AgentAgreement,
  type AgentLimits,
  type AgentSettings,
  isInForce,
} from "./agentAgreements";

/** A team's policy for agents, stored in its repository. It can only restrict what a person allows. */
export type AgentPolicy =
  | { readonly off: true }
  | {
      /** The only skills that are allowed; left out for all. */
      readonly allow?: readonly string[];
      readonly maxPermissionLevel?: PermissionLevel;
      readonly maxCentsPerDay?: number;
      readonly maxCallsPerSession?: number;
    };

/** The policies of all folders of a workspace; `unreadable` if one of them is broken, which allows nothing. */
export type WorkspacePolicies = readonly AgentPolicy[] | "unreadable";

/** Joins policies. Each can only restrict. */
export function joinPolicies(one: WorkspacePolicies, other: WorkspacePolicies): WorkspacePolicies {
  return one === "unreadable" || other === "unreadable" ? "unreadable" : [...one, ...other];
}

/** Returns whether a policy turns agents off. */
export function turnsOff(policy: AgentPolicy): policy is { readonly off: true } {
  return "off" in policy;
}

/** Returns whether every policy allows agents to invoke a skill. */
export function allowsSkill(policies: readonly AgentPolicy[], slug: string): boolean {
  return policies.every(
    (policy) => !turnsOff(policy) && (policy.allow === undefined || policy.allow.includes(slug)),
  );
}

/** Lists the skills that agents may invoke at a registry on a day (`YYYY-MM-DD` by UTC), within the policies. */
export function allowedAt(
  { skills }: AgentSettings,
  policies: WorkspacePolicies,
  registry: string,
  today: string,
): readonly AgentAgreement[] {
  if (policies === "unreadable") return [];
  return skills.filter(
    (agreement) =>
      agreement.registry === registry &&
      isInForce(agreement, today) &&
      allowsSkill(policies, agreement.skill),
  );
}

/** Lowers limits to those of the policies. A policy that turns agents off, or that is broken, leaves no invocations. */
export function restrictedLimits(limits: AgentLimits, policies: WorkspacePolicies): AgentLimits {
  const isOff = policies === "unreadable" || policies.some(turnsOff);
  if (isOff) return { ...limits, callsPerSession: 0, centsPerDay: 0 };
  const restrictions = policies.flatMap((policy) => (turnsOff(policy) ? [] : [policy]));
  const numbers = (name: "maxCallsPerSession" | "maxCentsPerDay") =>
    restrictions.map((policy) => policy[name] ?? Number.POSITIVE_INFINITY);
  const levels = restrictions.map(
    ({ maxPermissionLevel = limits.maxPermissionLevel }) => maxPermissionLevel,
  );
  return {
    callsPerSession: Math.min(limits.callsPerSession, ...numbers("maxCallsPerSession")),
    centsPerDay: Math.min(limits.centsPerDay, ...numbers("maxCentsPerDay")),
    maxPermissionLevel: [limits.maxPermissionLevel, ...levels].reduce((lowest, level) =>
      levelRank(level) < levelRank(lowest) ? level : lowest,
    ),
  };
}
