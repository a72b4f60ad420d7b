import type { Answered, PolicyVerdict, RejectedValue } from "../../core/invocation/invocation";
import { runStatusOf } from "../../core/invocation/response/runStatus";
import { isJsonObject, type JsonObject, type JsonValue, optional } from "../../core/json/jsonValue";
import { isSuccessStatus } from "../../core/registry/httpStatus";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import { type Chunked, runSync } from "../../core/text/chunked";
import { redactBytes } from "../redactBytes";
import {
  amountOf,
  booleanOf,
  member,
  numberOf,
  objectOf,
  textOf,
  versionOf,
  wordOf,
} from "./field";
import { JsonScanner, jsonMembers, type Span } from "./jsonScanner";
import { parseJson, utf8Text } from "./parseJson";
import { type ErrorBody, readErrorBody } from "./readErrorBody";
import { readReasons } from "./readReasons";
import { readCurrency } from "./readSkillDetail";

/** The body of the response to an invocation. */
export interface InvokeResponse {
  /** False if the body is not a JSON object. Then the other fields are unknown. */
  readonly isReadable: boolean;
  /** Whether the body is JSON of any kind. */
  readonly isJson: boolean;
  readonly answered: Omit<Answered, "durationMs" | "code" | "message">;
  /** Empty for a success. */
  readonly error: ErrorBody;
  /** Whether the body has an error, whatever its status. */
  readonly hasError: boolean;
  /** The registry's own word for the status, shortened. */
  readonly runStatus?: string;
  /** The output's own JSON text; null counts as an output. */
  readonly outputText?: string;
  readonly policy?: PolicyVerdict;
  readonly inputProblems?: readonly RejectedValue[];
}

/**
 * Reads a response of the runtime route, in any dialect and envelope. `redactor` redacts everything but the output,
 * before any text is truncated: a truncated key would no longer be found.
 */
export function* readInvokeResponse(bytes: Buffer, redactor: KeyRedactor): Chunked<InvokeResponse> {
  const located = yield* locate(bytes, redactor);
  if (located === undefined) {
    const body = yield* parseJson(yield* redactBytes(bytes, redactor));
    const isJson = body !== undefined;
    return { isReadable: false, isJson, answered: {}, hasError: false, ...readRefusal(body) };
  }
  const { source, output } = located;
  const runStatus = readRunStatus(source);
  const hasError = hasErrorIn(source);
  const isSuccess = runStatus !== undefined && runStatusOf(runStatus) === "success" && !hasError;
  const outputText = output && (yield* utf8Text(bytes, output.start, output.end));
  return {
    isReadable: true,
    isJson: true,
    answered: readAnswered(source),
    ...optional("runStatus", runStatus),
    ...optional("outputText", outputText),
    hasError,
    ...(isSuccess ? { error: {} } : readRefusal(source)),
  };
}

/**
 * Reads the registry's word for the status from `status`, `state`, or the booleans `success`, `ok` and `isError`. Of
 * several words, one that is no success counts. Undefined if there is none.
 */
function readRunStatus(source: JsonObject): string | undefined {
  const words = [
    ...["status", "state"].map((name) => wordIn(member(source, name))),
    ...["success", "ok"].map((name) => wordOfFlag(member(source, name), true)),
    wordOfFlag(member(source, "isError"), false),
  ].filter((word) => word !== undefined);
  return words.find((word) => runStatusOf(word) !== "success") ?? words[0];
}

/** Reads a word, also inside an object. A number of HTTP that means success is no word. */
function wordIn(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && isSuccessStatus(value)) return undefined;
  if (typeof value === "boolean") return value ? "success" : "failed";
  const within = objectOf(value);
  const word = within === undefined ? value : member(within, "status", "state", "phase", "code");
  return textOf(word, 60) ?? JSON.stringify(value).slice(0, 60);
}

/** Returns no word for the good value of a boolean, and its text if it is none. */
function wordOfFlag(value: JsonValue | undefined, good: boolean): string | undefined {
  const flag = booleanOf(value);
  if (value === undefined || flag === good) return undefined;
  return flag === undefined ? wordIn(value) : "failed";
}

function hasErrorIn(source: JsonObject): boolean {
  return ["error", "errors"].some((name) => {
    const error = member(source, name) ?? false;
    return typeof error === "object" ? Object.keys(error).length > 0 : Boolean(error);
  });
}

function readRefusal(
  body: JsonValue | undefined,
): Pick<InvokeResponse, "error" | "policy" | "inputProblems"> {
  const policy = objectOf(member(objectOf(body) ?? {}, "policy"));
  const problems = body === undefined ? [] : readReasons(body);
  return {
    error: readErrorBody(body),
    ...optional("policy", policy && readPolicy(policy)),
    ...optional("inputProblems", problems.length === 0 ? undefined : problems),
  };
}

const idNames: ReadonlySet<string> = new Set(["invocationId", "invocation_id"]);
/** A response has one of these members. An envelope around a response has none. */
const ownNames: ReadonlySet<string> = new Set([
  ...idNames,
  ...["output", "error", "code", "status", "state"],
]);
const locatedNames: ReadonlySet<string> = new Set([...ownNames, "data"]);

/** Finds the invocation ID in a truncated response. */
export function readCutInvocationId(bytes: Buffer, redactor: KeyRedactor): string | undefined {
  const { spans } = runSync(jsonMembers(bytes, startOf(bytes), idNames));
  const span = spans.get("invocationId") ?? spans.get("invocation_id");
  return (
    span &&
    textOf(
      runSync(parseJson(runSync(redactBytes(bytes.subarray(span.start, span.end), redactor)))),
      500,
    )
  );
}

/** The object with the invocation's data, parsed without its output, and the range of the output. */
interface Located {
  readonly source: JsonObject;
  readonly output: Span | undefined;
}

/** Unwraps `{data:{…}}`, unless the members beside `data` are the response. */
function* locate(bytes: Buffer, redactor: KeyRedactor): Chunked<Located | undefined> {
  const start = startOf(bytes);
  const outer = yield* jsonMembers(bytes, start, locatedNames);
  if (outer.end < 0 || bytes.toString("latin1", outer.end).trim() !== "") return undefined;
  const data = outer.spans.get("data");
  const isBare = [...outer.spans.keys()].some((name) => ownNames.has(name));
  const isInside = data !== undefined && bytes[data.start] === 0x7b && !isBare;
  const span = isInside ? data : { start, end: outer.end };
  const members = isInside ? yield* jsonMembers(bytes, data.start, locatedNames) : outer;
  const output = members.spans.get("output");
  const source = yield* parseJson(yield* redactBytes(textWithout(bytes, span, output), redactor));
  return isJsonObject(source) ? { source, output } : undefined;
}

/** Returns the bytes of `span` with null in place of the output, which may be megabytes long. */
function textWithout(bytes: Buffer, span: Span, output: Span | undefined): Buffer {
  const { start, end } = span;
  if (output === undefined) return bytes.subarray(start, end);
  const [before, after] = [bytes.subarray(start, output.start), bytes.subarray(output.end, end)];
  return Buffer.concat([before, Buffer.from("null"), after]);
}

/** Returns the position after a byte order mark and white space. */
export function startOf(bytes: Buffer): number {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return new JsonScanner(bytes).afterSpace(hasMark ? 3 : 0);
}

function readAnswered(source: JsonObject): InvokeResponse["answered"] {
  return {
    ...optional("invocationId", textOf(member(source, "invocationId"), 500)),
    ...optional("mode", textOf(member(source, "mode"), 60)),
    ...optional("projectSlug", textOf(member(source, "projectSlug"))),
    ...optional("version", versionOf(member(source, "version"))),
    ...optional("billable", booleanOf(member(source, "billable"))),
    ...optional("amountCents", amountOf(member(source, "amountCents"))),
    ...optional("currency", readCurrency(member(source, "currency"))),
  };
}

function readPolicy(source: JsonObject): PolicyVerdict {
  const rate = objectOf(member(source, "rateLimit"));
  const budget = objectOf(member(source, "budget"));
  const subscription = member(source, "subscription");
  const state = objectOf(subscription);
  return {
    ...optional("permissionLevel", wordOf(member(source, "permissionLevel"))),
    ...optional("maxPermissionLevel", wordOf(member(source, "maxPermissionLevel"))),
    ...optional("installStatus", wordOf(member(source, "installStatus"))),
    ...optional("approvalState", wordOf(member(source, "approvalState"))),
    ...optional("verificationStatus", wordOf(member(source, "verificationStatus"))),
    ...optional("rateLimit", rate && numbers(rate, "limit", "used")),
    ...optional("budget", budget && numbers(budget, "limitCents", "usedCents")),
    ...optional("subscription", textOf(state ? member(state, "status") : subscription, 60)),
  };
}

function numbers<Name extends string>(
  source: JsonObject,
  ...names: readonly Name[]
): { readonly [name in Name]?: number } {
  const found = names.flatMap((name) => {
    const value = numberOf(member(source, name));
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found) as { readonly [name in Name]?: number };
}
