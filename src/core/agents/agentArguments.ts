import {
  canonicalText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parsedJson,
} from "../json/jsonValue";
import { evaluateSchema } from "../schema/evaluate/evaluateSchema";
import { stepsOf } from "../schema/evaluate/evaluation";
import { describeFailure } from "../schema/explain/describeFailure";
import { readSchema } from "../schema/read/readSchema";
import { readSkillAddress, type SkillAddress } from "../skill/skillAddress";
import { english } from "../text/language";
import { type AgentToolName, agentTools } from "./agentTools";
import type { AgentRefusal } from "./gates/agentRefusal";

/** The arguments of each tool after reading. */
export interface AgentArguments {
  readonly find_skill: {
    readonly query: string;
    readonly task: string;
    readonly allowedOnly: boolean;
    readonly limit: number;
  };
  readonly inspect_skill: { readonly skill: SkillAddress; readonly withOutput: boolean };
  readonly check_payload: { readonly skill: SkillAddress; readonly payload: AgentPayload };
  readonly invoke_skill: {
    readonly skill: SkillAddress;
    readonly payload: AgentPayload;
    readonly contractHash: string;
    readonly reason: string;
  };
  readonly read_output: {
    readonly recordId: string;
    readonly pointer: string;
    readonly offset: number;
  };
}

/** A payload to send: the canonical text of an object, or a JSON text byte for byte. */
export interface AgentPayload {
  readonly text: string;
  /** Equal for payloads with the same meaning. */
  readonly dedupeKey: string;
}

/** The parsed arguments, or why they are invalid. */
export type ArgumentsReading<Tool extends AgentToolName> =
  | { readonly ok: true; readonly value: AgentArguments[Tool] }
  | { readonly ok: false; readonly refusal: AgentRefusal };

const examples: Readonly<Record<AgentToolName, string>> = {
  find_skill: `{"query":"csv"}`,
  inspect_skill: `{"skill":"csv-profile"}`,
  check_payload: `{"skill":"csv-profile","input":{"csv":"a,b"}}`,
  invoke_skill: `{"skill":"csv-profile","contractHash":"contract-v1:sha256-…","input":{"csv":"a,b"}}`,
  read_output: `{"recordId":"…"}`,
};

/**
 * Parses the arguments of a tool as a client sent them. Tolerates spellings with only one meaning (`slug@version`, an
 * object as its JSON text), but never changes a payload's values.
 */
export function readAgentArguments<Tool extends AgentToolName>(
  tool: Tool,
  given: unknown,
): ArgumentsReading<Tool> {
  const refused = (refusal: AgentRefusal) => ({ ok: false as const, refusal });
  const bad = (message: string) =>
    refused({
      code: "badArguments",
      message,
      next: `Call ${tool} with arguments such as ${examples[tool]}.`,
    });
  const sent = given === undefined || given === null ? {} : given;
  if (!isJsonObject(sent)) return bad("The arguments are not an object.");
  const args = agentTools[tool].annotations.readOnlyHint ? withoutSlips(tool, sent) : sent;
  const problem = problemOf(tool, args);
  if (problem !== undefined) return bad(problem);
  const read = readers[tool](args);
  if (typeof read === "string") return bad(read);
  return "code" in read ? refused(read) : { ok: true, value: read as AgentArguments[Tool] };
}

/**
 * Corrects what models often send to a tool that only reads: null for an optional argument, and numbers and booleans as
 * text. Leaves the payload as it is.
 */
function withoutSlips(tool: AgentToolName, args: JsonObject): JsonObject {
  const properties = objectIn(agentTools[tool].inputSchema["properties"]);
  const members = Object.entries(args).flatMap(([name, value]): [string, JsonValue][] => {
    const isPayload = name === "input" && args["inputJson"] === undefined;
    if (value === null && !isPayload) return [];
    const type = objectIn(properties[name])["type"];
    const mayBe = typeof value === "string" && (type === "integer" || type === "boolean");
    const read = mayBe ? parsedJson(value.trim()) : undefined;
    const isOfType = type === "integer" ? typeof read === "number" : typeof read === "boolean";
    return [[name, isOfType && read !== undefined ? read : value]];
  });
  return Object.fromEntries(members);
}

/** Returns the first argument that breaks a rule of the tool's schema, with the rule. Undefined if all are valid. */
function problemOf(tool: AgentToolName, args: JsonObject): string | undefined {
  const { inputSchema } = agentTools[tool];
  const names = Object.keys(objectIn(inputSchema["properties"]));
  const surplus = Object.keys(args).find((name) => !names.includes(name));
  if (surplus !== undefined) {
    // An unknown name may come from an attacker's text to the agent, so only a plain name is quoted.
    const what = /^[A-Za-z][\w-]{0,39}$/.test(surplus)
      ? `${surplus} is no argument of the tool.`
      : "There is an argument that the tool does not have.";
    return `${what} It has ${names.join(", ")}.`;
  }
  const { root, all } = readSchema(inputSchema);
  // No tool's schema has a pattern.
  const testOf = () => () => true;
  const verdict = evaluateSchema({ root, all, testOf }, strictArguments(args));
  if (verdict.kind === "undecided") return "The arguments could not be checked.";
  const [first] = verdict.findings.failures;
  if (first === undefined) return undefined;
  const [name] = stepsOf(first.path);
  const rule = describeFailure(first, english);
  return name === undefined ? rule : `${name}: ${rule}`;
}

/**
 * Replaces tolerated spellings with values that the schema accepts: an object as its JSON text, and a slug with a
 * version.
 */
function strictArguments({ input, skill, ...others }: JsonObject): JsonObject {
  return {
    ...others,
    ...(input !== undefined && { input: typeof input === "string" ? {} : input }),
    ...(skill !== undefined && {
      skill: typeof skill === "string" ? skill.replace(/@.*/s, "") : skill,
    }),
  };
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

type Read<Tool extends AgentToolName> = AgentArguments[Tool] | AgentRefusal | string;

const readers: { readonly [Tool in AgentToolName]: (args: JsonObject) => Read<Tool> } = {
  find_skill: ({ query = "", task = "", allowedOnly = false, limit = 10 }) => ({
    query: String(query).trim(),
    task: String(task).trim(),
    allowedOnly: allowedOnly === true,
    limit: Number(limit),
  }),
  inspect_skill: ({ skill, withOutput = false }) => {
    const address = readSkillAddress(skill);
    return address === undefined ? noSkill : { skill: address, withOutput: withOutput === true };
  },
  check_payload: (args) => withPayload(args, (skill, payload) => ({ skill, payload })),
  invoke_skill: (args) =>
    withPayload(args, (skill, payload) => ({
      skill,
      payload,
      contractHash: String(args["contractHash"]),
      reason: String(args["reason"] ?? ""),
    })),
  read_output: ({ recordId, pointer = "", offset = 0 }) => ({
    recordId: String(recordId),
    pointer: String(pointer),
    offset: Number(offset),
  }),
};

const noSkill = "skill is no slug, such as find_skill returns it.";

function withPayload<Value>(
  args: JsonObject,
  make: (skill: SkillAddress, payload: AgentPayload) => Value,
): Value | AgentRefusal | string {
  const address = readSkillAddress(args["skill"]);
  if (address === undefined) return noSkill;
  const payload = readAgentPayload(args["input"], args["inputJson"]);
  return typeof payload === "string" || "code" in payload ? payload : make(address, payload);
}

/**
 * Reads the payload from `input` (a value) or `inputJson` (its JSON text). Returns a sentence about the mistake if both
 * or neither are given, or if the text is not JSON.
 */
function readAgentPayload(
  input: JsonValue | undefined,
  inputJson: JsonValue | undefined,
): AgentPayload | AgentRefusal | string {
  if ((input === undefined) === (inputJson === undefined)) {
    return "Give the payload once, as input or as inputJson.";
  }
  if (isJsonObject(input)) {
    if (losesDigits(input)) {
      return {
        code: "numberLosesDigits",
        message: "input has an integer beyond 2^53, which has lost digits on its way here.",
        next: "Give the payload as JSON text in inputJson.",
      };
    }
    const text = canonicalText(input);
    return { text, dedupeKey: text };
  }
  const text = String(inputJson ?? input);
  const value = parsedJson(text);
  if (value === undefined) return "The payload is no JSON text.";
  if (inputJson === undefined && !isJsonObject(value)) return "input is not an object.";
  return payloadOf(text);
}

/**
 * Creates the payload of a JSON text. Another spelling counts as the same payload, unless parsing could lose digits.
 */
export function payloadOf(text: string): AgentPayload {
  const value = parsedJson(text);
  const isExact = value !== undefined && !/\d{16}|\d[eE]/.test(text);
  return { text, dedupeKey: isExact ? canonicalText(value) : withoutLayout(text) };
}

/** Removes white space between the tokens of a JSON text. */
function withoutLayout(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

function losesDigits(value: JsonValue): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(losesDigits);
}
