import type { AgentPolicy, WorkspacePolicies } from "../core/agents/agentPolicy";
import { isJsonObject, type JsonObject } from "../core/json/jsonValue";
import { permissionLevels } from "../core/skill/permissions";
import { readCaseValues } from "../core/suite/caseValues";

/** A skill that a command names. */
export interface SkillRequest {
  readonly slug: string;
  /** Empty for the current version. */
  readonly version: string;
}

/** A payload as written, in which the window replaces placeholders. */
export interface PayloadOfCommand {
  readonly text: string;
  /** Identifies the payload: the URI of its file. If each line is a payload, it includes the line number. */
  readonly source: string;
  /** The working directory of the command. */
  readonly folder: string;
  /** The values of placeholders that a case takes from the outputs of earlier cases, as JSON text. */
  readonly caseValues?: Readonly<Record<string, string>>;
}

const invokingCommands = ["invoke", "run", "test"] as const;

/** The skill to invoke, with the options of the command. */
export interface CommandInvocation extends SkillRequest {
  readonly command: (typeof invokingCommands)[number];
  /** The registry that the window used when the command started. The payload is sent to no other registry. */
  readonly registry: string;
  /** The environment that the window used when the command started; missing for none. */
  readonly environment?: string;
  readonly folder: string;
  readonly isTestRun: boolean;
  readonly isWaitedFor: boolean;
  readonly isNumberChosen: boolean;
  readonly count?: number;
  readonly maxCents?: number;
  /** The command's own limit per minute at the time of this request; missing for none. */
  readonly perMinute?: number;
  /** The maximum cost of all batches of the connection together, in hundredths. */
  readonly allowedCents?: number;
}

/** A payload to check. */
export interface CheckRequest extends SkillRequest {
  readonly payload: PayloadOfCommand;
}

/** A request to ask a person about several invocations. */
export interface OpenRequest {
  readonly wanted: CommandInvocation;
}

/** A request to invoke once, alone or in a batch. */
export interface InvokeRequest {
  /** The number that the command gives to the invocation. */
  readonly call: number;
  readonly wanted: CommandInvocation;
  /** The number of the batch; missing for a single invocation. */
  readonly series?: number;
  readonly payload: PayloadOfCommand;
}

/** A call of a tool by an agent, with the client's name and version. */
export interface AgentRequest {
  readonly tool: string;
  /** Whether the tool invokes one particular skill. */
  readonly isTyped: boolean;
  readonly input: unknown;
  readonly folder: string;
  readonly name?: string;
  readonly version?: string;
  readonly protocol?: string;
  readonly traceparent?: string;
}

/** Reads a `SkillRequest`; undefined for anything else. */
export function readSkillRequest(value: unknown): SkillRequest | undefined {
  return isJsonObject(value) && isText(value["slug"], 200) && isText(value["version"], 200)
    ? { slug: value["slug"], version: value["version"] }
    : undefined;
}

/** Reads a `CheckRequest`; undefined for anything else. */
export function readCheckRequest(value: unknown): CheckRequest | undefined {
  const skill = readSkillRequest(value);
  const payload = isJsonObject(value) ? readPayload(value["payload"]) : undefined;
  return skill && payload && { ...skill, payload };
}

/** Reads an `OpenRequest`; undefined for anything else. */
export function readOpenRequest(value: unknown): OpenRequest | undefined {
  const wanted = isJsonObject(value) ? readInvocation(value["wanted"]) : undefined;
  return wanted && { wanted };
}

/** Reads an `InvokeRequest`; undefined for anything else. */
export function readInvokeRequest(value: unknown): InvokeRequest | undefined {
  if (!isJsonObject(value)) return undefined;
  const { call, series } = value;
  const wanted = readInvocation(value["wanted"]);
  const payload = readPayload(value["payload"]);
  if (wanted === undefined || payload === undefined || !isCount(call)) return undefined;
  if (series === undefined) return { call, wanted, payload };
  return isCount(series) ? { call, wanted, payload, series } : undefined;
}

/** Reads an `AgentRequest`; undefined for anything else. */
export function readAgentRequest(value: unknown): AgentRequest | undefined {
  if (!isJsonObject(value)) return undefined;
  const { tool, isTyped, input, folder } = value;
  if (!isText(tool, 200) || typeof isTyped !== "boolean" || !isText(folder, maxPath)) {
    return undefined;
  }
  const told = ["name", "version", "protocol", "traceparent"].filter((name) =>
    isText(value[name], 200),
  );
  const facts = Object.fromEntries(told.map((name) => [name, value[name]]));
  return { tool, isTyped, input, folder, ...facts };
}

/** Reads the policies of a repository, which can only restrict permissions. Unreadable policies allow nothing. */
export function readPolicies(value: unknown): WorkspacePolicies {
  return Array.isArray(value) && value.length <= 10 && value.every(isPolicy) ? value : "unreadable";
}

function isPolicy(value: unknown): value is AgentPolicy {
  if (!isJsonObject(value)) return false;
  const { off, allow, maxPermissionLevel, maxCentsPerDay, maxCallsPerSession } = value;
  return (
    (off === undefined || off === true) &&
    (allow === undefined || (Array.isArray(allow) && allow.every((item) => isText(item, 200)))) &&
    (maxPermissionLevel === undefined ||
      permissionLevels.some((level) => level === maxPermissionLevel)) &&
    [maxCentsPerDay, maxCallsPerSession].every((item) => item === undefined || isCount(item))
  );
}

function readInvocation(value: unknown): CommandInvocation | undefined {
  const skill = readSkillRequest(value);
  if (skill === undefined || !isJsonObject(value)) return undefined;
  const { folder, registry, environment } = value;
  if (!isText(folder, maxPath) || !isText(registry, maxPath)) return undefined;
  if (environment !== undefined && !isText(environment, 200)) return undefined;
  const command = invokingCommands.find((item) => item === value["command"]);
  const flags = ["isTestRun", "isWaitedFor", "isNumberChosen"] as const;
  if (command === undefined || flags.some((flag) => typeof value[flag] !== "boolean")) {
    return undefined;
  }
  const counts = ["count", "maxCents", "perMinute", "allowedCents"] as const;
  const isFit = (name: string) => value[name] === undefined || isCount(value[name]);
  if (!counts.every(isFit)) return undefined;
  const given = [...flags, ...counts].filter((name) => value[name] !== undefined);
  const rest = Object.fromEntries(given.map((name) => [name, value[name]]));
  return {
    ...skill,
    ...{ command, folder, registry },
    ...(environment !== undefined && { environment }),
    ...(rest as Pick<CommandInvocation, (typeof flags)[number]>),
  };
}

function readPayload(value: unknown): PayloadOfCommand | undefined {
  if (!isJsonObject(value)) return undefined;
  const { text, source, folder, caseValues } = value as JsonObject;
  if (typeof text !== "string" || !isText(source, maxPath) || !isText(folder, maxPath)) {
    return undefined;
  }
  if (caseValues === undefined) return { text, source, folder };
  const values = readCaseValues(caseValues);
  return values && { text, source, folder, caseValues: Object.fromEntries(values) };
}

const maxPath = 10_000;

function isText(value: unknown, longest: number): value is string {
  return typeof value === "string" && value.length <= longest;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
