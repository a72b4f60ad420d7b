import { termsUnknownNotice } from "../../invocation/permission/gateNotices";
import { declinedCallText, stopText } from "../../invocation/permission/question";
import type { AgentSpending } from "../../invocation/spending";
import type { RegistryFailure } from "../../registry/registryFailure";
import { unknownContractText } from "../../review/driftText";
import {
  type ContractReading,
  levelByContract,
  type UnknownPart,
} from "../../skill/compare/contract";
import { isSameVersion } from "../../skill/isNewerVersion";
import { levelRank, type PermissionLevel } from "../../skill/permissions";
import { type InvocationPrice, invocationPrice } from "../../skill/price";
import type { SkillDetail } from "../../skill/skill";
import { addressText } from "../../skill/skillAddress";
import { english } from "../../text/language";
import { type AgentAgreement, type AgentLimits, isExpired } from "../agentAgreements";
import { allowsSkill, restrictedLimits, turnsOff, type WorkspacePolicies } from "../agentPolicy";
import type { AgentRefusal } from "./agentRefusal";
import type { EarlierCall } from "./earlierCall";
import { exceededAmounts, isOverCalls, spendingLimitsOf } from "./spendingLimits";

/** A skill as read from the registry for this invocation. */
export interface ReadSkill {
  readonly version: string;
  readonly contract: ContractReading;
  /** The differences from the agreed contract, one line per change. */
  readonly changes: readonly string[];
  readonly level: PermissionLevel;
  readonly price: InvocationPrice;
}

/** The facts before a skill is read: a person's permission and the limits. */
export interface AgentStanding {
  readonly slug: string;
  /** Whether agents are turned on and not stopped. */
  readonly isOn: boolean;
  readonly policies: WorkspacePolicies;
  readonly agreement: AgentAgreement | undefined;
  /** `YYYY-MM-DD` by UTC. */
  readonly today: string;
  readonly limits: AgentLimits;
  /** The hash of the contract that the caller read. */
  readonly callerHash: string;
}

/** The facts about a skill that hold for every invocation. */
export interface SkillFacts extends AgentStanding {
  /** The skill, the failure to read it, or `outdated` where it was read too long ago. */
  readonly read: ReadSkill | RegistryFailure | "outdated";
  /**
   * A warning that an invocation may be billed without being executed. Empty if nothing suggests that, undefined if
   * nobody checked.
   */
  readonly warning: string | undefined;
}

/** Earlier invocations, which the decision depends on. */
export interface AgentUse {
  /** The earlier equal invocation, in its current state. */
  readonly earlier: EarlierCall | undefined;
  readonly sessionCalls: number;
  readonly today: AgentSpending;
}

/** A person's answer about this invocation; undefined until somebody was asked. */
export type AgentAnswer = "yes" | "no" | "noPerson" | undefined;

/** The result of the gates: the call is refused, an equal invocation exists, or a person must be asked first. */
export type AgentVerdict =
  | { readonly kind: "refused"; readonly refusal: AgentRefusal }
  | { readonly kind: "earlier"; readonly earlier: EarlierCall }
  | { readonly kind: "ask" };

/** All facts about one invocation. */
export interface CallFacts extends SkillFacts {
  readonly use: AgentUse;
  readonly answer: AgentAnswer;
}

/** Decides whether agents may read a skill. Returns the first closed gate; undefined if all are open. */
export function closedBeforeReading(standing: AgentStanding): AgentRefusal | undefined {
  return turnedOff(standing) ?? notAgreed(standing) ?? workspaceGate(standing);
}

/**
 * Decides whether agents may use a skill at all. Returns the first closed gate; undefined if all are open. Missing or
 * outdated facts close a gate.
 */
export function closedForSkill(facts: SkillFacts): AgentRefusal | undefined {
  return (
    turnedOff(facts) ??
    notAgreed(facts) ??
    contractGate(facts) ??
    executionGate(facts) ??
    workspaceGate(facts) ??
    levelGate(facts)
  );
}

/**
 * Decides whether an agent may make one invocation. Returns the first closed gate; undefined if all are open. Checks
 * only the gates of agents: the missing gate numbers are steps of the engine, which all callers share.
 */
export function agentVerdict(facts: CallFacts): AgentVerdict | undefined {
  const closed = (refusal: AgentRefusal): AgentVerdict => ({ kind: "refused", refusal });
  const { use, answer, agreement, slug } = facts;
  const standing = closedForSkill(facts) ?? unknownExecution(facts);
  if (standing !== undefined) return closed(standing);
  const once = onceGate(use, slug);
  if (once !== undefined) return once;
  const limited = limitGate(facts, use);
  if (limited !== undefined) return closed(limited);
  if (agreement?.mode === "auto" || answer === "yes") return undefined;
  return answer === undefined ? { kind: "ask" } : closed(notConfirmed(slug, answer));
}

/** Gate 1: agents are turned on. */
function turnedOff({ isOn, policies }: AgentStanding): AgentRefusal | undefined {
  if (!isOn) {
    return {
      code: "agentsOff",
      message: "The user has turned agents off.",
      next: "Tell the user. Only they can turn agents on again.",
    };
  }
  if (policies !== "unreadable" && policies.some(turnsOff)) {
    return { code: "agentsOff", message: "The policy of this repository turns agents off." };
  }
  return undefined;
}

/** Gate 3: a person agreed, and the agreement is valid. */
function notAgreed({ agreement, slug, today }: AgentStanding): AgentRefusal | undefined {
  if (agreement === undefined) {
    return {
      code: "notAllowed",
      message: `The user has not allowed agents to invoke ${slug}.`,
      next: askToAllow(slug),
    };
  }
  if (agreement.suspended !== undefined) {
    return {
      code: "notAllowed",
      message: `Agents can no longer invoke ${slug}: its contract changed.`,
      next: askToAllow(slug),
    };
  }
  if (!isExpired(agreement, today)) return undefined;
  return {
    code: "agreementExpired",
    message: `The user allowed agents to invoke ${slug} until ${agreement.until}.`,
    next: askToAllow(slug),
  };
}

function askToAllow(slug: string): string {
  return `Ask the user to run “Skill Registry: Allow Agents to Invoke…” or skill-registry agents allow ${slug}.`;
}

/** Gate 4: the skill as read now matches the agreement and the contract that the caller read. */
function contractGate({ read, agreement, callerHash, slug }: SkillFacts): AgentRefusal | undefined {
  if (agreement === undefined || !isRead(read)) return unread(slug, read);
  if (!read.contract.ok) {
    return contractMissing(addressText(slug, read.version), read.contract.unknown);
  }
  const isSame =
    read.contract.hash === agreement.contractHash && isSameVersion(read.version, agreement.version);
  // The hash does not cover where the skill runs; `changes` does.
  if (!isSame || read.changes.length > 0) {
    return {
      code: "contractChanged",
      message: `The contract of ${slug} changed since the user allowed it.`,
      changes: read.changes,
      next: askToAllow(slug),
    };
  }
  if (callerHash === agreement.contractHash) return undefined;
  return {
    code: "wrongContractHash",
    message: `The contractHash is not the one of ${slug}.`,
    next: "Call inspect_skill again, and check the payload against its inputSchema.",
  };
}

function contractMissing(skill: string, part: UnknownPart): AgentRefusal {
  const message = unknownContractText(skill, part, english);
  return { code: "contractMissing", message, next: "Tell the user." };
}

/** Explains why the skill could not be read. */
function unread(slug: string, read: SkillFacts["read"]): AgentRefusal {
  const next = "Try again later.";
  if (isRead(read) || read === "outdated") {
    const message = `What is known of ${slug} is too old, so that nothing was sent.`;
    return { code: "registryUnreachable", message, next };
  }
  const { message } = termsUnknownNotice(slug, read, english);
  return read.kind === "notFound"
    ? { code: "contractMissing", message }
    : { code: "registryUnreachable", message, next };
}

function isRead(read: SkillFacts["read"]): read is ReadSkill {
  return read !== "outdated" && !("kind" in read);
}

/** Part of gate 5: agents never invoke a skill that may be billed without running. */
function executionGate({ warning = "" }: SkillFacts): AgentRefusal | undefined {
  return warning === "" ? undefined : { code: "notCallable", message: warning };
}

/** Part of gate 5, for invocations only. Nothing is sent while it is unknown whether the skill would run. */
function unknownExecution({ warning, slug }: SkillFacts): AgentRefusal | undefined {
  if (warning !== undefined) return undefined;
  const message = `It is not known whether the registry would execute ${slug}.`;
  return { code: "notCallable", message };
}

/** Part of gate 6: the team's policy for agents. */
function workspaceGate({ policies, slug }: AgentStanding): AgentRefusal | undefined {
  if (policies === "unreadable") {
    return {
      code: "workspaceNarrows",
      message: "The policy of this repository is broken, so that agents may invoke nothing.",
      next: "Ask the user to fix .skill-registry/policy.json.",
    };
  }
  if (allowsSkill(policies, slug)) return undefined;
  return {
    code: "workspaceNarrows",
    message: `The policy of this repository does not let agents invoke ${slug}.`,
  };
}

/** Gate 7: the permission level. */
function levelGate({ read, limits, policies, slug }: SkillFacts): AgentRefusal | undefined {
  if (!isRead(read)) return unread(slug, read);
  const { maxPermissionLevel } = restrictedLimits(limits, policies);
  if (levelRank(read.level) <= levelRank(maxPermissionLevel)) return undefined;
  return {
    code: "levelExceeded",
    message: `${slug} has ${read.level} permissions; agents may invoke skills with ${maxPermissionLevel} ones at most.`,
    next: "Only the user can raise the limit.",
  };
}

/** Gate 9: no invocation is repeated. */
function onceGate({ earlier }: AgentUse, slug: string): AgentVerdict | undefined {
  if (earlier === undefined) return undefined;
  if (earlier.kind !== "unknown") return { kind: "earlier", earlier };
  const refusal: AgentRefusal = {
    code: "outcomeUnknownBefore",
    message: `${slug} was invoked with this payload before, and the outcome is unknown. It may have run and may be billed.`,
    next: "Do not repeat it; tell the user.",
  };
  return { kind: "refused", refusal };
}

/** Gate 10: the number of invocations and their cost. */
function limitGate(facts: SkillFacts, use: AgentUse): AgentRefusal | undefined {
  const { slug, agreement, read, policies } = facts;
  const limits = restrictedLimits(facts.limits, policies);
  const next = "Tell the user. Only they can raise the limit.";
  if (use.sessionCalls >= limits.callsPerSession) {
    const message = `Agents may invoke ${limits.callsPerSession} times in a session, which is reached.`;
    return { code: "callLimit", message, next };
  }
  if (agreement === undefined || !isRead(read)) return unread(slug, read);
  const { today } = use;
  const spendingLimits = spendingLimitsOf(agreement, limits);
  if (isOverCalls(spendingLimits, today)) {
    const message = `Agents may invoke ${slug} ${agreement.callsPerDay} times a day, which is reached.`;
    return { code: "callLimit", message, next };
  }
  if (read.price.kind === "unknown") {
    const { message } = stopText(slug, { kind: "price", isKnown: false }, english);
    return { code: "priceUnknown", message };
  }
  const exceeded = exceededAmounts(spendingLimits, today);
  if (exceeded.length === 0) return undefined;
  const sentences = exceeded.map(({ of, limitCents, spentCents }) => {
    const on = of === "all" ? "in all" : "on it";
    const spent = Number.isFinite(spentCents) ? String(spentCents) : "several currencies";
    return `Agents may spend ${limitCents} cents a day ${on}, and spent ${spent} today.`;
  });
  const message = [`${slug} costs ${today.nextCents} cents.`, ...sentences].join(" ");
  return { code: "spendingLimit", message, next };
}

/** Gate 12: a person agreed to this one invocation. */
function notConfirmed(slug: string, answer: "no" | "noPerson"): AgentRefusal {
  return answer === "no"
    ? {
        code: "declined",
        message: declinedCallText(slug, english),
        next: "Do not try again unless the user asks for it.",
      }
    : {
        code: "noPerson",
        message: `The user is asked each time ${slug} is invoked, and this client cannot ask.`,
        next: `Ask the user to allow ${slug} without asking, or to invoke it themselves.`,
      };
}

/** Extracts a skill's facts for the gates. `changes` are from `changesSinceAllowed`. */
export function readForAgents(
  skill: SkillDetail,
  contract: ContractReading,
  changes: readonly string[],
): ReadSkill {
  const { version } = skill.summary;
  const level = levelByContract(skill, contract);
  return { version, contract, changes, level, price: invocationPrice(skill) };
}
