import {
  canonicalText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parsedJson,
} from "../json/jsonValue";
import { readSkillAddress, type SkillAddress } from "../skill/skillAddress";
import type { AgentRefusal } from "./agentGates";
import { type AgentToolName, agentTools } from "./agentTools";

/** The arguments of each tool, as they are meant. */
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

/** A payload as it is sent: the canonical text of an object, or a JSON text byte for byte. */
interface AgentPayload {
  readonly text: string;
  /** What two payloads have in common that are the same. */
  readonly sameness: string;
}

/** Arguments that were understood, or why not. */
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
 * Reads the arguments of a tool, whatever a client sent: nobody has checked them. Lenient where only one thing can be
 * meant (`slug@version`, an object as its JSON text), and never at the cost of a payload's values.
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
  const args = given === undefined || given === null ? {} : given;
  if (!isJsonObject(args)) return bad("The arguments are not an object.");
  const { properties, required = [] } = agentTools[tool].inputSchema as unknown as ToolSchema;
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length > 0) return bad("There are arguments that the tool does not have.");
  const missing = required.find((name) => args[name] === undefined);
  if (missing !== undefined) return bad(`${missing} is missing.`);
  const wrong = Object.keys(args).find((name) => !hasType(properties[name], args[name], name));
  if (wrong !== undefined) return bad(`${wrong} has another type or size than it may.`);
  const read = readers[tool](args);
  if (typeof read === "string") return bad(read);
  return "code" in read ? refused(read) : { ok: true, value: read as AgentArguments[Tool] };
}

interface ToolSchema {
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
}

interface PropertySchema {
  readonly type: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

function hasType(
  schema: PropertySchema | undefined,
  value: JsonValue | undefined,
  name: string,
): boolean {
  if (value === undefined) return true;
  switch (schema?.type) {
    case "string": {
      if (typeof value !== "string") return false;
      // Of a version behind a slug, the schema's length says nothing.
      const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
      return value.length >= minLength && (name === "skill" || value.length <= maxLength);
    }
    case "integer": {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
      return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
    }
    case "boolean":
      return typeof value === "boolean";
    default:
      return isJsonObject(value) || typeof value === "string";
  }
}

type Read<Tool extends AgentToolName> = AgentArguments[Tool] | AgentRefusal | string;

const readers: { readonly [Tool in AgentToolName]: (args: JsonObject) => Read<Tool> } = {
  find_skill: ({ query = "", task = "", allowedOnly = false, limit = 10 }) => ({
    query: String(query),
    task: String(task),
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

/** Reads a payload that came as a value or as JSON text. A sentence where it is neither, or both. */
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
    return { text, sameness: text };
  }
  const text = String(inputJson ?? input);
  const value = parsedJson(text);
  if (value === undefined) return "The payload is no JSON text.";
  if (inputJson === undefined && !isJsonObject(value)) return "input is not an object.";
  // Spelled otherwise it is the same payload, unless reading it could lose digits.
  return {
    text,
    sameness: /\d{16}|\d[eE]/.test(text) ? withoutLayout(text) : canonicalText(value),
  };
}

/** A JSON text without what stands between its tokens. */
function withoutLayout(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

function losesDigits(value: JsonValue): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(losesDigits);
}
