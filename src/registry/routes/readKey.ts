import type { ListedSkill } from "../../core/invocation/permission/canInvoke";
import type { KeyReading } from "../../core/invocation/permission/keyDiagnosis";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json/jsonValue";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import type { Chunked } from "../../core/text/chunked";
import { booleanOf, given, member, numberOf, objectOf, readSlug, textOf } from "../decode/field";
import { parseJson } from "../decode/parseJson";
import { readErrorBody } from "../decode/readErrorBody";
import { redactBytes } from "../redactBytes";
import { runYielding } from "../runYielding";
import { requestHeaders, type WireResponse } from "../transport/wire";
import type { InvokeRoute } from "./invokeSkill";

const question = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');

/**
 * Reads what a key may invoke, which costs nothing and runs nothing. Unknown where the registry has no such
 * route or ignores the key there.
 */
export async function readKey(
  { transport, url, limits, redactor }: InvokeRoute,
  projectKey: string,
  signal: AbortSignal,
): Promise<KeyReading> {
  const headers = {
    ...requestHeaders(),
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
  const credential = { kind: "projectKey", origin: url.origin, text: projectKey } as const;
  const route = { method: "POST", path: url.pathname } as const;
  const request = { ...route, headers, credential, body: question };
  const exchange = await transport.exchange(request, limits, signal);
  return exchange.kind === "answered"
    ? runYielding(readingOf(exchange.answer, redactor))
    : { kind: "failed", failure: exchange.failure };
}

function* readingOf(
  { status, headers, body }: WireResponse,
  redactor: KeyRedactor,
): Chunked<KeyReading> {
  if (status === 401 || status === 403) return { kind: "refused" };
  if (status === 429 || status >= 500) return failed({ status });
  if (status !== 200) return { kind: "unknown" };
  const isStream = headers["content-type"]?.startsWith("text/event-stream") ?? false;
  const bytes = yield* redactBytes(body, redactor);
  const message = yield* parseJson(
    isStream ? Buffer.from(firstEvent(bytes.toString("utf8"))) : bytes,
  );
  if (!isJsonObject(message)) return { kind: "unknown" };
  const error = objectOf(member(message, "error"));
  if (error !== undefined) return readingOfError(error);
  const result = objectOf(member(message, "result")) ?? {};
  const tools = member(result, "tools");
  if (!Array.isArray(tools)) return { kind: "unknown" };
  // Without the key's own annotations this is the public list.
  const known = tools.flatMap(toolAnnotations);
  if (tools.length > 0 && known.length === 0) return { kind: "unknown" };
  const listed = known.flatMap(listedSkill);
  return {
    kind: "accepted",
    skills: known.filter(({ callable }) => callable).length,
    listed,
    complete: listed.length === tools.length && member(result, "nextCursor") === undefined,
  };
}

/** JSON-RPC reports a wrong key in a response with status 200. */
function readingOfError(error: JsonObject): KeyReading {
  const code = numberOf(member(error, "code"));
  if (code === wrongKey) return { kind: "refused" };
  if (code === undefined || code <= standardErrors) return { kind: "unknown" };
  return failed({ status: 200, ...readErrorBody({ error }) });
}

/** The gateway's code for a key that it does not know or that was revoked. */
const wrongKey = -32001;

/** JSON-RPC's own codes, such as "method not found", are at most this; a server's own are above. */
const standardErrors = -32600;

function failed(answer: { status: number; code?: string; message?: string }): KeyReading {
  return { kind: "failed", failure: { kind: "errorAnswer", ...answer } };
}

/** A tool with annotations on whether the key may invoke it. */
interface AnnotatedTool {
  readonly tool: JsonObject;
  readonly annotations: JsonObject;
  readonly callable: boolean;
}

function toolAnnotations(tool: JsonValue): readonly AnnotatedTool[] {
  const annotations = isJsonObject(tool) ? objectOf(member(tool, "annotations")) : undefined;
  const callable = annotations && booleanOf(member(annotations, "callable"));
  return isJsonObject(tool) && annotations && callable !== undefined
    ? [{ tool, annotations, callable }]
    : [];
}

/** Undefined where the tool's name is not a slug. */
function listedSkill({ tool, annotations, callable }: AnnotatedTool) {
  const slug = readSlug(member(annotations, "skillSlug") ?? member(tool, "name"));
  if (slug === undefined) return [];
  const word = (name: string) => textOf(member(annotations, name), 60);
  const listed: ListedSkill = {
    callable,
    ...given("version", textOf(member(annotations, "version"), 100)),
    ...given("permissionLevel", word("permissionLevel")),
    ...given("maxPermissionLevel", word("maxPermissionLevel")),
    ...given("installStatus", word("installStatus")),
    ...given("approvalState", word("approvalState")),
    ...given("verificationStatus", word("verificationStatus")),
  };
  return [[slug, listed] as const];
}

/** The data of a stream's first event. */
function firstEvent(text: string): string {
  const [event = ""] = text.replaceAll("\r\n", "\n").split("\n\n");
  return event
    .split("\n")
    .flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trimStart()] : []))
    .join("\n");
}
