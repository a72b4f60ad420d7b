import { retryFields } from "../invocation/rateLimit";
import { runStatusWords } from "../invocation/response/runStatus";
import { type ClientSource, clientHeader, codesByStatus, httpByStatus } from "./client";
import { typescriptTypes } from "./typescriptTypes";

/**
 * Writes a TypeScript module for one skill: its input and output as types, and one function that invokes it once. It
 * needs only `fetch`, compiles under `strict` and `exactOptionalPropertyTypes`, never repeats a request, and gets the
 * Project Key from its caller only.
 */
export function typescriptClient(source: ClientSource): string {
  const { blocked, rateLimited, refused } = codesByStatus();
  const http = httpByStatus();
  return `${clientHeader(source, "//")}
// Generated: do not edit. Generate it again when the contract of the skill changes.

${typescriptTypes("Input", source.input)}

${typescriptTypes("Output", source.output)}

/** The facts that a response may contain, whatever its status. */
export type Answered = {
  readonly invocationId?: string;
  readonly amountCents?: number;
  readonly currency?: string;
  readonly code?: string;
  readonly message?: string;
};

/**
 * The outcome of an invocation. Only \`notSent\` is safe to send again: after any other status, the registry may have
 * received the payload, run the skill and billed it.
 */
export type Outcome =
  /** The output as the registry returned it, not checked against the schema. */
  | (Answered & { readonly status: "success"; readonly output: Output })
  /** The skill failed, or its run ended without a result. */
  | (Answered & { readonly status: "error"; readonly output?: unknown })
  /**
   * The registry accepted the invocation, and has no result yet (\`message\` has its status), or never runs the skill
   * (\`code\` is \`metered_contract\`).
   */
  | (Answered & { readonly status: "notExecuted"; readonly output?: unknown })
  /** A policy, a budget or a subscription does not allow the invocation. */
  | (Answered & { readonly status: "blocked" })
  /** The registry did not accept the key, the payload or the skill. */
  | (Answered & { readonly status: "refused" })
  /** Too many invocations. One that is sent before \`retryAfterSeconds\` have passed counts too. */
  | (Answered & { readonly status: "rateLimited"; readonly retryAfterSeconds?: number })
  /** The payload was sent, and no response says in known words whether the skill ran. */
  | (Answered & { readonly status: "outcomeUnknown"; readonly output?: unknown })
  | { readonly status: "notSent"; readonly message: string };

export type Options = {
  /** The address of the registry, such as https://registry.example.com. */
  readonly baseUrl: string;
  readonly projectKey: string;
  readonly fetch?: typeof globalThis.fetch;
  readonly signal?: AbortSignal;
};

/** Invokes ${source.slug} once. Never throws, and never sends twice. */
export async function ${functionName(source.slug)}(input: Input, options: Options): Promise<Outcome> {
  const { baseUrl, projectKey, signal } = options;
  const send = options.fetch ?? globalThis.fetch;
  if (!/^[\\x21-\\x7e]+$/.test(projectKey)) {
    return { status: "notSent", message: "The Project Key is missing or not valid." };
  }
  let url: URL;
  let body: string;
  try {
    url = new URL(baseUrl.replace(/(?:\\/+v1)?\\/*$/, "") + "/v1/runtime/invoke");
    body = JSON.stringify({ ${bodyMembers(source)}, input });
  } catch {
    return { status: "notSent", message: "The address or the payload is not valid." };
  }
  const isLoopback = /^(localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1\\])$/.test(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback)) {
    return { status: "notSent", message: "A Project Key is sent over https only." };
  }
  if (signal?.aborted) return { status: "notSent", message: "Canceled before sending." };
  let response: Response;
  let text: string;
  try {
    response = await send(url, {
      method: "POST",
      headers: { authorization: \`Bearer \${projectKey}\`, "content-type": "application/json" },
      body,
      redirect: "manual",
      ...(signal && { signal }),
    });
    text = await response.text();
  } catch (error) {
    // The error's message is left out, since it may contain the header with the key.
    const code = codeOf(error);
    return neverConnected.includes(code)
      ? { status: "notSent", message: \`The registry could not be reached (\${code}).\` }
      : { status: "outcomeUnknown", message: "The connection broke after sending." };
  }
  return readAnswer(response, parse(text, projectKey));
}

const neverConnected = ["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT"];

function codeOf(error: unknown): string {
  for (let at: unknown = error, depth = 0; isObject(at) && depth < 5; at = at["cause"], depth++) {
    if (typeof at["code"] === "string") return at["code"];
  }
  return "";
}

const blockedCodes: readonly string[] = ${list(blocked)};
const rateLimitedCodes: readonly string[] = ${list(rateLimited)};
const refusedCodes: readonly string[] = ${list(refused)};
const blockedHttp: readonly number[] = ${JSON.stringify(http.blocked).replaceAll(",", ", ")};
const refusedHttp: readonly number[] = ${JSON.stringify(http.refused).replaceAll(",", ", ")};
const retryFields: Readonly<Record<string, number>> = ${JSON.stringify(Object.fromEntries(retryFields))};
const secondsOf: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60, s: 1, ms: 0.001 };
const runStatuses: Readonly<Record<string, readonly string[]>> = {
${Object.entries(runStatusWords)
  .map(([status, words]) => `  ${status}: ${list(words)},`)
  .join("\n")}
};

function readAnswer(
  { status: http, headers }: Response,
  answer: Readonly<Record<string, unknown>> | undefined,
): Outcome {
  const answered = readAnswered(answer);
  const word = readWord(answer);
  const runStatus = word === "" ? "" : (statusOf(word) ?? "unknown");
  const message = word === "" ? {} : { message: answered.message ?? \`The registry's status is \${word}.\` };
  const output = answer?.["output"];
  const hasError = isError(answer?.["error"]) || isError(answer?.["errors"]);
  const isKnown = output !== undefined || answered.invocationId !== undefined;
  const hasRun = runStatus === "failed" && answered.invocationId !== undefined;
  const refusal = readRefusal(spell(answered.code ?? ""), answered, headers);
  const withOutput = { ...answered, ...(output !== undefined && { output }) };
  if (http < 300) {
    if (runStatus === "failed") return { ...withOutput, ...message, status: "error" };
    if (runStatus === "waiting") return { ...withOutput, ...message, status: "notExecuted" };
    if (refusal !== undefined && runStatus !== "success" && (runStatus !== "" || output === undefined)) {
      return refusal;
    }
    if (runStatus === "stopped") return { ...withOutput, ...message, status: "error" };
    if (runStatus === "unknown") return { ...withOutput, ...message, status: "outcomeUnknown" };
    if (hasError) {
      return { ...withOutput, status: runStatus === "success" || isKnown ? "error" : "outcomeUnknown" };
    }
    if (runStatus === "" && http === 202) {
      return { ...withOutput, status: "notExecuted", message: answered.message ?? "HTTP 202" };
    }
    if (runStatus === "" && !isKnown) return { ...answered, status: "outcomeUnknown" };
    const mode = isObject(output) ? output["mode"] : undefined;
    return [answer?.["mode"], mode].includes("metered_contract")
      ? { ...withOutput, status: "notExecuted", code: "metered_contract" }
      : { ...answered, status: "success", output: (output ?? null) as Output };
  }
  if (http < 400) return { ...answered, status: "refused" };
  // The skill itself sets the code of a failed run, and may use one of the registry's codes.
  if (hasRun && http >= 500) return { ...withOutput, status: "error" };
  if (refusal !== undefined) return refusal;
  if (http === 429) return rateLimit(answered, headers);
  if (hasRun) return { ...withOutput, status: "error" };
  // A page without JSON is the answer of a proxy or firewall, not a decision about the project.
  const page = answer === undefined ? { message: \`A proxy or firewall answered (HTTP \${http}).\` } : {};
  if (blockedHttp.includes(http)) return { ...answered, ...page, status: answer === undefined ? "refused" : "blocked" };
  return { ...answered, ...page, status: refusedHttp.includes(http) ? "refused" : "outcomeUnknown" };
}

function readRefusal(code: string, answered: Answered, headers: Headers): Outcome | undefined {
  if (blockedCodes.includes(code)) return { ...answered, status: "blocked" };
  if (refusedCodes.includes(code)) return { ...answered, status: "refused" };
  return rateLimitedCodes.includes(code) ? rateLimit(answered, headers) : undefined;
}

function rateLimit(answered: Answered, headers: Headers): Outcome {
  const waits = Object.entries(retryFields).flatMap(([name, unit]) => readWait(headers.get(name) ?? "", unit));
  return {
    ...answered,
    status: "rateLimited",
    ...(waits.length > 0 && { retryAfterSeconds: Math.max(0, ...waits) }),
  };
}

/** Reads a wait in seconds: a number, a date or a duration such as 6m0s. */
function readWait(text: string, unit: number): number[] {
  const value = text.trim();
  if (/^\\d{1,12}(?:\\.\\d{1,9})?$/.test(value)) return [Number(value) * unit];
  if (/^(?:\\d{1,9}(?:\\.\\d{1,9})?(?:ms|[dhms]))+$/.test(value)) {
    const parts = [...value.matchAll(/([\\d.]+)(ms|[dhms])/g)];
    return [parts.reduce((sum, [, n = "", name = ""]) => sum + Number(n) * (secondsOf[name] ?? 0), 0)];
  }
  const time = /[A-Za-z]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? [] : [(time - Date.now()) / 1000];
}

/** Reads the registry's own word for the status; empty for none. */
function readWord(answer: Readonly<Record<string, unknown>> = {}): string {
  const { status, state, success, ok, isError, is_error } = answer;
  const words = [
    ...[status, state].map(wordIn),
    ...[success, ok].map((flag) => wordOfFlag(flag, true)),
    ...[isError, is_error].map((flag) => wordOfFlag(flag, false)),
  ].filter((word) => word !== "");
  return words.find((word) => statusOf(word) !== "success") ?? words[0] ?? "";
}

function wordOfFlag(value: unknown, good: boolean): string {
  const flag = [true, "true", 1].includes(value as 1) ? true : [false, "false", 0].includes(value as 0) ? false : value;
  return flag === good ? "" : typeof flag === "boolean" ? "failed" : wordIn(value);
}

function wordIn(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? "success" : "failed";
  if (isNumber(value)) return value >= 200 && value < 300 ? "" : String(value);
  const within = isObject(value) ? (value["status"] ?? value["state"] ?? value["phase"] ?? value["code"]) : value;
  return (typeof within === "string" && within !== "" ? within : JSON.stringify(value)).slice(0, 60);
}

function statusOf(word: string): string | undefined {
  const spelled = spell(word.trim());
  return Object.keys(runStatuses).find((status) => runStatuses[status]?.includes(spelled));
}

function spell(word: string): string {
  return word.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase().replace(/[^a-z0-9]+/g, "_");
}

function isError(error: unknown): boolean {
  return typeof error === "object" && error !== null ? Object.keys(error).length > 0 : Boolean(error);
}

function readAnswered(answer: Readonly<Record<string, unknown>> | undefined): Answered {
  const error = answer?.["error"];
  const source = { ...answer, ...(isObject(error) && error) };
  const one = <Type>(names: readonly string[], is: (value: unknown) => value is Type) =>
    names.map((name) => source[name]).find(is);
  const invocationId = one(["invocationId", "invocation_id"], isText);
  const amountCents = one(["amountCents", "amount_cents"], isNumber);
  const currency = one(["currency"], isText);
  const code = one(["code"], isText);
  const message = one(["error_description", "message", "detail", "error"], isText);
  return {
    ...(invocationId !== undefined && { invocationId }),
    ...(amountCents !== undefined && { amountCents }),
    ...(currency !== undefined && { currency }),
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
  };
}

function parse(text: string, key: string): Readonly<Record<string, unknown>> | undefined {
  try {
    // Serializing the JSON again removes escapes that could hide the key from the replacement.
    const plain = JSON.stringify(JSON.parse(text));
    const inPlain = JSON.stringify(key).slice(1, -1);
    const value: unknown = JSON.parse(plain.replaceAll(inPlain, "[Project Key]"));
    if (!isObject(value)) return undefined;
    const data = value["data"];
    const isBare = ["invocationId", "output", "error", "code", "status", "state"].some((name) => name in value);
    return isObject(data) && !isBare ? data : value;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}
`;
}

function bodyMembers({ slug, version }: ClientSource): string {
  const skill = `skillSlug: ${JSON.stringify(slug)}`;
  return version === "" ? skill : `${skill}, version: ${JSON.stringify(version)}`;
}

function list(codes: readonly string[]): string {
  return `[\n${codes.map((code) => `  ${JSON.stringify(code)},\n`).join("")}]`;
}

/** Returns a function name for a slug: `csv-profile` is `csvProfile`, `3d-print` is `skill3dPrint`. */
export function functionName(slug: string): string {
  const [first = "skill", ...others] = slug.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const name = [first, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join(
    "",
  );
  const start = /^\d/.test(name) ? `skill${name}` : name;
  return reserved.has(start) ? `${start}Skill` : start;
}

/** Names that a function of the module cannot have: keywords, and names that the module uses. */
const reserved: ReadonlySet<string> = new Set(
  "await break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static implements interface package private protected public eval arguments async undefined fetch parse isObject isText isNumber isError readAnswer readAnswered readRefusal rateLimit readWait readWord wordIn wordOfFlag statusOf spell codeOf retryFields secondsOf neverConnected blockedCodes rateLimitedCodes refusedCodes blockedHttp refusedHttp runStatuses".split(
    " ",
  ),
);
