import type { KeyReading, ListedSkill } from "../../core/invocation/permission/canInvoke";
import { isJsonObject, type JsonObject, type JsonValue, optional } from "../../core/json/jsonValue";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import type { Result } from "../../core/registry/registryFailure";
import type { OwnDetail } from "../../core/skill/mergeSkill";
import type { Chunked } from "../../core/text/chunked";
import {
  booleanOf,
  member,
  numberOf,
  objectOf,
  readSlug,
  textOf,
  versionOf,
} from "../decode/field";
import { foreignAnswer } from "../decode/foreignAnswer";
import { parseJson, surveyBody } from "../decode/parseJson";
import { readErrorBody, unreadable } from "../decode/readErrorBody";
import { redactBytes } from "../redactBytes";
import { requestHeaders, type WireResponse } from "../transport/wire";
import { runYielding } from "../wait";
import type { InvokeRoute } from "./invokeSkill";
import { readCopy } from "./readSkill";

const listRequest = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');

/**
 * Reads which skills a key may invoke. This is free and runs nothing. Unknown if the registry lacks the route or
 * ignores the key there.
 */
export async function readKey(
  route: InvokeRoute,
  projectKey: string,
  signal: AbortSignal,
): Promise<KeyReading> {
  const answer = await requestList(route, projectKey, signal);
  return answer.ok ? readingOf(answer.value) : { kind: "failed", failure: answer.failure };
}

/**
 * Reads a skill from the registry's list for a key, in the version that the key's project has installed: schemas, level
 * and verification. Permissions and runtime are unknown. Name and description are omitted: the public gateway takes
 * them from the publisher's newest draft, which nobody reviewed.
 */
export async function readListedSkill(
  route: InvokeRoute,
  projectKey: string,
  slug: string,
  signal: AbortSignal,
): Promise<Result<OwnDetail>> {
  const answer = await requestList(route, projectKey, signal);
  if (!answer.ok) return answer;
  const { message, bytes } = answer.value;
  const found = toolsOf(message)
    .flatMap(toolAnnotations)
    .find((tool) => slugOf(tool) === slug);
  const inputSchema = found && member(found.tool, "inputSchema");
  const path = route.url.pathname;
  if (found === undefined || inputSchema === undefined) return unreadable(path, "inputSchema");
  const { version, verificationStatus, permissionLevel, runtimeType } = found.annotations;
  const manifest: JsonObject = {
    name: slug,
    ...optional("version", version),
    inputSchema,
    ...optional("outputSchema", member(found.tool, "outputSchema")),
  };
  const status = {
    ...optional("verificationStatus", verificationStatus),
    ...optional("permissionLevel", permissionLevel),
  };
  const read = await readCopy({ manifest, ...status }, slug, path);
  if (!read.ok) return read;
  const type = textOf(runtimeType, 60)?.toLowerCase();
  const summary = { ...read.value.summary, ...optional("runtimeType", type) };
  // These facts are about the whole list, so another skill may cause them. They can be too strict, but never too
  // lenient.
  const { lossyNumbers, repeatsNames } = await runYielding(surveyBody(bytes));
  const value: OwnDetail = {
    ...read.value,
    summary,
    isManifestUnknown: true,
    ...(lossyNumbers.length > 0 && { lossyNumbers }),
    ...(repeatsNames && { repeatsNames }),
  };
  return { ok: true, value };
}

/** A redacted response to the request for the list. */
interface ListAnswer extends Pick<WireResponse, "status"> {
  readonly message: JsonValue | undefined;
  readonly bytes: Buffer;
  /** Whether it is a stream of events. */
  readonly isStream: boolean;
}

async function requestList(
  { transport, url, limits, redactor }: InvokeRoute,
  projectKey: string,
  signal: AbortSignal,
): Promise<Result<ListAnswer>> {
  const headers = {
    ...requestHeaders(),
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
  const credential = { kind: "projectKey", origin: url.origin, text: projectKey } as const;
  const route = { method: "POST", path: url.pathname } as const;
  const request = { ...route, headers, credential, body: listRequest };
  const exchange = await transport.exchange(request, limits, signal);
  if (exchange.kind !== "answered") return { ok: false, failure: exchange.failure };
  const value = await runYielding(listAnswer(exchange.answer, redactor));
  const foreign = value.isStream
    ? undefined
    : foreignAnswer(exchange.answer, value.message !== undefined, redactor);
  return foreign === undefined ? { ok: true, value } : { ok: false, failure: foreign };
}

function* listAnswer(
  { status, headers, body }: WireResponse,
  redactor: KeyRedactor,
): Chunked<ListAnswer> {
  const redacted = yield* redactBytes(body, redactor);
  const isStream = headers["content-type"]?.startsWith("text/event-stream") ?? false;
  const bytes = isStream ? Buffer.from(firstEvent(redacted.toString("utf8"))) : redacted;
  return { status, message: yield* parseJson(bytes), bytes, isStream };
}

function toolsOf(message: JsonValue | undefined): readonly JsonValue[] {
  const result = isJsonObject(message) ? objectOf(member(message, "result")) : undefined;
  const tools = result && member(result, "tools");
  return Array.isArray(tools) ? tools : [];
}

function readingOf({ status, message }: ListAnswer): KeyReading {
  if (status === 401 || status === 403) return { kind: "refused" };
  if (status === 429 || status >= 500) return failed({ status });
  if (status !== 200 || !isJsonObject(message)) return { kind: "unknown" };
  const error = objectOf(member(message, "error"));
  if (error !== undefined) return readingOfError(error);
  const result = objectOf(member(message, "result")) ?? {};
  if (!Array.isArray(member(result, "tools"))) return { kind: "unknown" };
  const tools = toolsOf(message);
  // A list without annotations about the key is the public one.
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

/** Interprets an error of JSON-RPC, which reports a wrong key with status 200. */
function readingOfError(error: JsonObject): KeyReading {
  const code = numberOf(member(error, "code"));
  if (code === wrongKey) return { kind: "refused" };
  if (code === undefined || code <= standardErrors) return { kind: "unknown" };
  return failed({ status: 200, ...readErrorBody({ error }) });
}

/** The gateway's code for an unknown or revoked key. */
const wrongKey = -32001;

/** JSON-RPC's own codes, such as "method not found", are at most this; a server's own codes are higher. */
const standardErrors = -32600;

function failed(answer: { status: number; code?: string; message?: string }): KeyReading {
  return { kind: "failed", failure: { kind: "errorAnswer", ...answer } };
}

/** A tool with annotations about whether the key may invoke it. */
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

/** Returns the slug of a tool; undefined if its name is not a slug. */
function slugOf({ tool, annotations }: AnnotatedTool): string | undefined {
  return readSlug(member(annotations, "skillSlug") ?? member(tool, "name"));
}

function listedSkill(tool: AnnotatedTool) {
  const { annotations, callable } = tool;
  const slug = slugOf(tool);
  if (slug === undefined) return [];
  const word = (name: string) => textOf(member(annotations, name), 60);
  const listed: ListedSkill = {
    callable,
    ...optional("version", versionOf(member(annotations, "version"))),
    ...optional("projectSlug", word("projectSlug")),
    ...optional("permissionLevel", word("permissionLevel")),
    ...optional("maxPermissionLevel", word("maxPermissionLevel")),
    ...optional("installStatus", word("installStatus")),
    ...optional("approvalState", word("approvalState")),
    ...optional("verificationStatus", word("verificationStatus")),
    ...optional("approvalRequired", booleanOf(member(annotations, "approvalRequired"))),
    ...optional("allowNetwork", booleanOf(member(annotations, "allowNetwork"))),
    ...optional("allowBrowser", booleanOf(member(annotations, "allowBrowser"))),
    ...optional("filesystemAccess", word("filesystemAccess")),
    ...optional("allowSecretAccess", booleanOf(member(annotations, "allowSecretAccess"))),
    ...optional("monthlyBudgetCents", numberOf(member(annotations, "monthlyBudgetCents"))),
    ...optional("spentThisMonthCents", numberOf(member(annotations, "spentThisMonthCents"))),
  };
  return [[slug, listed] as const];
}

/** Returns the data of a stream's first event. */
function firstEvent(text: string): string {
  const [event = ""] = text.replaceAll("\r\n", "\n").split("\n\n");
  return event
    .split("\n")
    .flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trimStart()] : []))
    .join("\n");
}
