import { canonicalText, isJsonObject, type JsonObject, type JsonValue } from "../json/jsonValue";
import {
  type Declaration,
  declarationOf,
  type KnownContract,
  levelByContract,
  readContractAs,
  type UnknownPart,
} from "../skill/compare/contract";
import {
  levelRank,
  type PermissionLevel,
  permissionLevelOf,
  permissionLevels,
} from "../skill/permissions";
import type { SkillDetail } from "../skill/skill";
import { dayMs, utcDay } from "../text/dates";
import { modelText } from "./modelText";

/**
 * The limits for all agents together. Amounts are in the smallest unit of one currency (`totalCents`); with 0
 * cents, agents can invoke only free skills.
 */
export interface AgentLimits {
  /** The maximum number of invocations in one session: a window of the editor, or a process of the server. */
  readonly callsPerSession: number;
  readonly centsPerDay: number;
  readonly maxPermissionLevel: PermissionLevel;
}

/** The default limits: only free skills. */
export const defaultAgentLimits: AgentLimits = {
  callsPerSession: 20,
  centsPerDay: 0,
  maxPermissionLevel: "medium",
};

/** Returns whether a change of the limits allows agents more. */
export function raisesLimits(before: AgentLimits, now: AgentLimits): boolean {
  return (
    now.callsPerSession > before.callsPerSession ||
    now.centsPerDay > before.centsPerDay ||
    levelRank(now.maxPermissionLevel) > levelRank(before.maxPermissionLevel)
  );
}

/** Whether a person is asked about each invocation. */
export type AgentMode = "auto" | "ask";

/** A person's permission for agents to invoke a skill: one version with one contract at one registry. */
export interface AgentAgreement {
  /** The registry's base URL, or `built-in`. */
  readonly registry: string;
  readonly skill: string;
  readonly version: string;
  readonly contractHash: string;
  /** The skill's permission level at that time; left out in agreements of earlier versions. */
  readonly level?: PermissionLevel;
  /** The agreed texts that a model may read. */
  readonly text: { readonly title: string; readonly description: string };
  readonly mode: AgentMode;
  /** The limit for this skill, in addition to the limit for all. */
  readonly centsPerDay: number;
  readonly callsPerDay: number;
  readonly who: string;
  /** An ISO time in UTC. */
  readonly when: string;
  /** The last valid day, `YYYY-MM-DD` by UTC. */
  readonly until: string;
  /** The day on which a changed contract was found. The agreement is then invalid until a person agrees again. */
  readonly suspended?: string;
  /** The contract, for finding later differences; left out if it is long. */
  readonly contract?: Declaration;
  /** Where the skill runs, which the hash does not cover. Left out if `contract` contains it, or it is unknown. */
  readonly entry?: string;
}

/** Everything that a person allows agents, as stored. */
export interface AgentSettings {
  readonly format: 1;
  /** Whether agents are stopped for now. */
  readonly stopped?: true;
  readonly limits: AgentLimits;
  readonly skills: readonly AgentAgreement[];
}

/** The settings that allow nothing. */
export const noAgentSettings: AgentSettings = { format: 1, limits: defaultAgentLimits, skills: [] };

/** The default number of invocations of a skill per day. */
export const defaultCallsPerDay = 50;

/** The number of days that an agreement is valid. */
const agreementDays = 90;
/** The maximum number of agreements. A person reviews them one by one, so a longer list was not written by us. */
const maxAllowed = 200;
/**
 * The maximum length of a stored contract in characters of JSON. For a longer one, only its hash and where it runs are
 * stored.
 */
const longestContract = 200_000;

/** A person's decision when they allow agents to invoke a skill. */
export interface AgreementChoice {
  readonly registry: string;
  readonly mode: AgentMode;
  readonly centsPerDay: number;
  readonly callsPerDay: number;
  readonly who: string;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/**
 * Creates the agreement that allows agents to invoke a skill. With a Project Key alone, only a part of the contract can
 * be read; if it equals that part of `reviewed`, the whole reviewed contract is used. If the contract is unknown,
 * returns its unknown part.
 */
export function agreementFor(
  skill: SkillDetail,
  { now, ...chosen }: AgreementChoice,
  digest: (text: string) => string,
  reviewed?: KnownContract,
): AgentAgreement | { readonly unknown: UnknownPart } {
  const contract = readContractAs(skill, reviewed, digest);
  if (!contract.ok) return { unknown: contract.unknown };
  // The hash is empty if the parts that were read differ from the reviewed contract.
  if (contract.hash === "") return { unknown: "manifest" };
  const { slug, version, displayName, description } = skill.summary;
  const declared: Declaration = skill.isManifestUnknown ? contract.contract : declarationOf(skill);
  const { entry } = declared;
  const isShort = canonicalText(declared).length <= longestContract;
  return {
    ...chosen,
    skill: slug,
    version,
    contractHash: contract.hash,
    level: levelByContract(skill, contract),
    text: { title: modelText(displayName, 200), description: modelText(description, 1000) },
    when: new Date(now).toISOString(),
    until: utcDay(now + agreementDays * dayMs),
    ...(isShort ? { contract: declared } : entry !== undefined && { entry }),
  };
}

/** Returns the permission level at the time of the agreement; `high` where the permissions are unknown. */
export function agreedLevel({ level, contract }: AgentAgreement): PermissionLevel {
  if (level !== undefined) return level;
  const permissions = contract?.permissions ?? undefined;
  return permissions === undefined ? "high" : permissionLevelOf(permissions);
}

/** Finds the agreement about a skill at a registry. */
export function agreementAbout(
  { skills }: AgentSettings,
  registry: string,
  slug: string,
): AgentAgreement | undefined {
  return skills.find((skill) => isAbout(skill, registry, slug));
}

function isAbout(agreement: AgentAgreement, registry: string, slug: string): boolean {
  return agreement.registry === registry && agreement.skill === slug;
}

/** Adds an agreement. Replaces an earlier one about the same skill; beyond the limit, removes the oldest. */
export function withAgreementAbout(
  settings: AgentSettings,
  agreement: AgentAgreement,
): AgentSettings {
  const { registry, skill } = agreement;
  const others = settings.skills.filter((item) => !isAbout(item, registry, skill));
  return { ...settings, skills: [...others, agreement].slice(-maxAllowed) };
}

/** Lists the agreements about a skill: those at `registry`, or at all registries if it is left out. */
export function agreementsAbout(
  { skills }: AgentSettings,
  slug: string,
  registry?: string,
): readonly AgentAgreement[] {
  return skills.filter((skill) => isAbout(skill, registry ?? skill.registry, slug));
}

/** Removes the agreements about a skill: those at `registry`, or at all registries if it is left out. */
export function withoutAgreementsAbout(
  settings: AgentSettings,
  slug: string,
  registry?: string,
): AgentSettings {
  const removed = agreementsAbout(settings, slug, registry);
  return { ...settings, skills: settings.skills.filter((skill) => !removed.includes(skill)) };
}

/** Changes an agreement, unless a person has replaced or removed it meanwhile. */
export function withChanged(
  settings: AgentSettings,
  agreement: AgentAgreement,
  change: Partial<Pick<AgentAgreement, "centsPerDay" | "callsPerDay" | "suspended">>,
): AgentSettings {
  const skills = settings.skills.map((item) =>
    isAbout(item, agreement.registry, agreement.skill) && item.when === agreement.when
      ? { ...item, ...change }
      : item,
  );
  return { ...settings, skills };
}

/** Stops agents, or lets them continue. */
export function withStopped(
  { stopped: _, ...settings }: AgentSettings,
  isStopped: boolean,
): AgentSettings {
  return isStopped ? { ...settings, stopped: true } : settings;
}

/** Finds the agreement that allows agents to invoke a skill on a day (`YYYY-MM-DD` by UTC). */
export function agreementInForce(
  settings: AgentSettings,
  registry: string,
  slug: string,
  today: string,
): AgentAgreement | undefined {
  const agreement = agreementAbout(settings, registry, slug);
  const isAllowed =
    settings.stopped !== true && agreement !== undefined && isInForce(agreement, today);
  return isAllowed ? agreement : undefined;
}

/** Returns whether an agreement is valid on a day (`YYYY-MM-DD` by UTC): neither suspended nor expired. */
export function isInForce(agreement: AgentAgreement, today: string): boolean {
  return agreement.suspended === undefined && !isExpired(agreement, today);
}

/** Returns whether a skill's name and agreed text contain all words of a search. */
export function hasWords({ skill, text }: AgentAgreement, query: string): boolean {
  const searched = `${skill} ${text.title} ${text.description}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

/** Returns whether an agreement has expired on a day (`YYYY-MM-DD` by UTC). */
export function isExpired({ until }: Pick<AgentAgreement, "until">, today: string): boolean {
  return until < today;
}

/** Reads the stored settings. Undefined for damaged ones; agents then may do nothing. */
export function readAgentSettings(value: unknown): AgentSettings | undefined {
  if (!isJsonObject(value)) return undefined;
  const { format, stopped, limits, skills } = value;
  const isRead =
    format === 1 &&
    (stopped === undefined || stopped === true) &&
    isJsonObject(limits) &&
    isLimits(limits) &&
    Array.isArray(skills) &&
    skills.length <= maxAllowed &&
    skills.every((skill) => isJsonObject(skill) && isAgreement(skill));
  if (!isRead) return undefined;
  return {
    format: 1,
    ...(stopped === true && { stopped }),
    limits: limits as unknown as AgentLimits,
    skills: skills as unknown as readonly AgentAgreement[],
  };
}

function isLimits({ callsPerSession, centsPerDay, maxPermissionLevel }: JsonObject): boolean {
  return [callsPerSession, centsPerDay].every(isCount) && isLevel(maxPermissionLevel);
}

function isLevel(value: JsonValue | undefined): boolean {
  return permissionLevels.some((level) => level === value);
}

function isCount(value: JsonValue | undefined): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isAgreement(value: JsonObject): boolean {
  const { text, mode, contract, level, suspended = "", entry = "" } = value;
  const names = ["registry", "skill", "version", "contractHash", "who", "when", "until"];
  return (
    names.every((name) => typeof value[name] === "string") &&
    isJsonObject(text) &&
    [text["title"], text["description"], suspended, entry].every(
      (part) => typeof part === "string",
    ) &&
    (level === undefined || isLevel(level)) &&
    (mode === "auto" || mode === "ask") &&
    [value["centsPerDay"], value["callsPerDay"]].every(isCount) &&
    (contract === undefined || (isJsonObject(contract) && Array.isArray(contract["prices"])))
  );
}
