import { isJsonObject, type JsonObject, parsedJson } from "../../json/jsonValue";
import { registryFailureText } from "../../registry/registryFailure";
import { builtInRegistryName } from "../../registry/registryName";
import { isSameVersion } from "../../skill/isNewerVersion";
import { english } from "../../text/language";
import { type InvocationOutcome, namedCents, type PolicyVerdict } from "../invocation";
import { abandonedFacts, areEndFacts, type EndFacts, endFacts, isOver } from "../outcome";

/** How a skill was invoked: with a Project Key, or as a test run of a signed-in user, which is not billed. */
export type InvocationKind = "invocation" | "testRun";

/** The kinds of callers, in the order of the filter. */
export const callerKinds = [
  "person",
  "suite",
  "test",
  "commandLine",
  "chat",
  "extension",
  "mcp",
] as const;

/**
 * The kind of caller: a person in the editor, a suite in the Test Explorer, a suite on the command line (`test`),
 * another command, or an agent in a chat of the editor, in another extension or over MCP.
 */
export type CallerKind = (typeof callerKinds)[number];

/** Returns whether a caller is an agent, which needs a person's earlier agreement. */
export function isAgent(kind: CallerKind | undefined): boolean {
  return kind === "chat" || kind === "extension" || kind === "mcp";
}

/** The caller of an invocation, with the program's name and version if known. An agent states its own. */
export interface Caller {
  readonly kind: CallerKind;
  readonly name?: string;
  readonly version?: string;
  /** For an agent: its window or process, in 8 hex digits. */
  readonly session?: string;
  /** For an agent over the Model Context Protocol: the protocol's version. */
  readonly protocol?: string;
  /** For such an agent: the span of its call, in the format of W3C Trace Context. */
  readonly traceparent?: string;
}

/** Further facts of an agent's invocation. */
export interface AgentCall {
  /** The name of the tool that was called. */
  readonly tool: string;
  /** The reason in the agent's words. */
  readonly agentReason?: string;
  /** The hash of the contract that a person agreed to. */
  readonly agreement: string;
}

/** The version of a record's shape. Readers refuse every other number. */
export const recordFormat = 1;

/** The stored facts of one invocation, flat except for its caller and its policy. Never contains a Project Key. */
export interface InvocationRecord extends EndFacts, Partial<AgentCall> {
  readonly format: typeof recordFormat;
  /** The record's ID, which sorts by time. */
  readonly id: string;
  /** When the invocation started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** The time by which an invocation must have ended even if no end was recorded, in milliseconds since 1970. */
  readonly endsBefore: number;
  /** The registry's base URL, or `built-in`. */
  readonly registry: string;
  readonly skillSlug: string;
  readonly version: string;
  /** The requested version, if the registry ran another. */
  readonly askedVersion?: string;
  /** Set for test runs, and for trials of a manifest, which are never kept as invocations. */
  readonly kind?: "testRun" | "trial";
  /** Milliseconds from sending to the last byte; 0 while running and for unsent invocations. */
  readonly durationMs: number;
  readonly invocationId?: string;
  /** The project, if the registry names it. */
  readonly projectSlug?: string;
  readonly mode?: string;
  readonly code?: string;
  readonly message?: string;
  /** The cost that the response named, in hundredths of `currency`. */
  readonly amountCents?: number;
  readonly currency?: string;
  /**
   * The expected cost before sending: the listed price, or the earlier billed price if that is higher. Hundredths of
   * `expectedCurrency`; 0 for a free skill; left out for test runs, and if neither is known.
   */
  readonly expectedCents?: number;
  readonly expectedCurrency?: string;
  /** Set if characters of the response could not be decoded and were replaced. */
  readonly hasReplacedText?: true;
  /** The registry's statement about the project's policy. */
  readonly policy?: PolicyVerdict;
  /** The hash of the skill's contract (`contractHash`); left out if a part of it was unknown. */
  readonly contractHash?: string;
  /** Identifies the payload's document without naming it: 16 hex digits of a digest of its address. */
  readonly payloadId?: string;
  /** The environment that provided values; left out for none. */
  readonly environment?: string;
  /** SHA-256 in hex of the request's body, byte for byte. */
  readonly requestSha256?: string;
  /** SHA-256 in hex of the output's JSON text. */
  readonly responseSha256?: string;
  readonly caller: Caller;
  /**
   * Identifies invocations that were agreed to together, such as the lines of a run or the cases of a suite. Retention
   * counts them apart from single invocations, so that a long run displaces no other records.
   */
  readonly batch?: string;
  /** The editor and its profile, or `commandLineProfile`. */
  readonly profile: string;
  /** Whether it is exempt from retention. Stored beside the record rather than in it. */
  readonly pinned?: boolean;
}

/**
 * The texts of an invocation: the payload as typed, with its placeholders, and the output's JSON text as received, if
 * any. Both are missing if the user does not store them.
 */
export interface InvocationTexts {
  readonly inputText?: string;
  readonly outputText?: string;
}

/** An ended invocation: its outcome and its record. */
export interface EndedInvocation {
  readonly outcome: InvocationOutcome;
  readonly record: InvocationRecord;
  /** Whole seconds until the skill may be invoked again; 0 for now, or if that is unknown. */
  readonly waitSeconds: number;
}

/** Returns whether an invocation may cost money. Test runs and the built-in registry are free. */
export function isBilledKind(record: Pick<InvocationRecord, "kind" | "registry">): boolean {
  return record.registry !== builtInRegistryName && kindOf(record) === "invocation";
}

/** Returns how the skill of a record was invoked. A trial counts as a test run: without a key, and not billed. */
export function kindOf({ kind }: Pick<InvocationRecord, "kind">): InvocationKind {
  return kind === undefined ? "invocation" : "testRun";
}

/**
 * Creates a record ID from milliseconds and a random part, so that IDs sort in the order of the invocations. Sorts
 * after `newest`, the last ID so far, even if the clock was ahead when that was created.
 */
export function newRecordId(startedAt: number, random: string, newest = ""): string {
  const time = Math.max(startedAt, isRecordId(newest) ? recordTime(newest) + 1 : 0);
  return `${String(time).padStart(14, "0")}-${random}`;
}

/** Returns whether a text is the name of a record, and so safe to use in a path. */
export function isRecordId(text: string): boolean {
  return /^[0-9]{14}-[0-9a-z-]{4,40}$/.test(text);
}

/** Returns the time in a record's ID, in milliseconds since 1970. It may be later than the clock, to keep the order. */
function recordTime(id: string): number {
  return Number(id.slice(0, 14));
}

/** Serializes a record as JSON, for `readWrittenRecord`. */
export function writeRecord({ pinned: _pinned, ...facts }: InvocationRecord): string {
  return JSON.stringify(facts);
}

/**
 * Parses a record as it was written: a status `running` stays, even if the program has ended. Undefined for a damaged
 * text; `newer` if a later version of this extension wrote it.
 */
export function readWrittenRecord(line: string): InvocationRecord | "newer" | undefined {
  const value = parsedJson(line);
  if (!isJsonObject(value)) return undefined;
  if (value["format"] !== recordFormat) return isNewer(value["format"]) ? "newer" : undefined;
  if (!Object.entries(members).every(([name, isFit]) => isFit(value[name]))) return undefined;
  const record = value as unknown as InvocationRecord;
  const isKnown = isRecordId(record.id) && areEndFacts(value);
  if (!isKnown || Number.isNaN(new Date(record.startedAt).getTime())) return undefined;
  return record;
}

function isCaller(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    callerKinds.some((kind) => kind === value["kind"]) &&
    hasTypes(value, ["name", "version", "session", "protocol", "traceparent"], optionalText)
  );
}

/**
 * Returns a record as `outcome unknown` if it has no end and its program has ended, or it should have ended by `now`.
 * The end may still be written: after a sleep or a clock change, a running invocation can look overdue.
 */
export function withPresumedEnd(
  record: InvocationRecord,
  now: number,
  hasEnded: () => boolean,
): InvocationRecord {
  const isAbandoned = !isOver(record) && (record.endsBefore < now || hasEnded());
  return isAbandoned ? { ...record, ...abandonedFacts } : record;
}

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => typeof value === "number";
const maybe = (isFit: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || isFit(value);

/** The validity check of each member of a written record. */
const members: Readonly<
  Record<
    Exclude<keyof InvocationRecord, "format" | "pinned" | keyof EndFacts>,
    (value: unknown) => boolean
  >
> = {
  id: isText,
  registry: isText,
  skillSlug: isText,
  version: isText,
  profile: isText,
  startedAt: isNumber,
  endsBefore: isNumber,
  durationMs: isNumber,
  askedVersion: maybe(isText),
  kind: maybe(isText),
  invocationId: maybe(isText),
  projectSlug: maybe(isText),
  mode: maybe(isText),
  code: maybe(isText),
  message: maybe(isText),
  amountCents: maybe(isNumber),
  currency: maybe(isText),
  expectedCents: maybe(isNumber),
  expectedCurrency: maybe(isText),
  hasReplacedText: maybe((value) => value === true),
  policy: maybe(isJsonObject),
  contractHash: maybe(isText),
  payloadId: maybe(isText),
  environment: maybe(isText),
  batch: maybe(isText),
  requestSha256: maybe(isText),
  responseSha256: maybe(isText),
  caller: isCaller,
  tool: maybe(isText),
  agentReason: maybe(isText),
  agreement: maybe(isText),
};
const optionalText = ["string", "undefined"];

function hasTypes(value: JsonObject, names: readonly string[], types: readonly string[]): boolean {
  return names.every((name) => types.includes(typeof value[name]));
}

function isNewer(format: unknown): boolean {
  return typeof format === "number" && format > recordFormat;
}

/**
 * Returns the earliest time by which a running invocation must have ended, in milliseconds since 1970; its record is
 * then read again. Undefined if no running invocation must end after `now`.
 */
export function nextLatestEnd(
  records: readonly (Pick<InvocationRecord, "status"> & { readonly endsBefore?: number })[],
  now: number,
): number | undefined {
  const ends = records.flatMap((record) => {
    const { endsBefore = 0 } = record;
    return isOver(record) || endsBefore < now ? [] : endsBefore;
  });
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** Completes the record of a running invocation with its outcome. Records are in English for all readers. */
export function finishedRecord(
  running: InvocationRecord,
  outcome: InvocationOutcome,
): InvocationRecord {
  const { reason: _reason, ...rest } = running;
  const base = { ...rest, ...endFacts(outcome) };
  if (outcome.kind === "notSent")
    return { ...base, message: registryFailureText(outcome.failure, english) };
  if (outcome.kind === "outcomeUnknown") {
    const { failure } = outcome;
    return {
      ...base,
      durationMs: outcome.durationMs,
      ...(failure.kind === "errorAnswer" && given("code", failure.code)),
      message: registryFailureText(failure, english),
      ...given("invocationId", outcome.invocationId),
    };
  }
  return {
    ...base,
    durationMs: outcome.durationMs,
    version: outcome.version ?? running.version,
    ...given("askedVersion", replacedVersion(running.version, outcome)),
    ...given("invocationId", outcome.invocationId),
    ...given("projectSlug", outcome.projectSlug),
    ...given("mode", outcome.mode),
    ...given("code", outcome.code),
    ...given("message", outcome.message ?? outcome.runStatus),
    ...given("amountCents", namedCents(outcome)),
    ...given("currency", outcome.currency),
    ...given("hasReplacedText", outcome.hasReplacedText),
    ...(outcome.kind === "refused" && given("policy", outcome.policy)),
  };
}

/**
 * Returns the requested version if another one ran. A rejection may name any version, which does not matter.
 */
function replacedVersion(requested: string, outcome: InvocationOutcome): string | undefined {
  const isAnswered = outcome.kind === "success" || outcome.kind === "skillError";
  if (!isAnswered || requested === "" || outcome.version === undefined) return undefined;
  return isSameVersion(outcome.version, requested) ? undefined : requested;
}

function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value };
}
