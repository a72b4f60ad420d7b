import type { KeyReading } from "../../core/invocation/keyDiagnosis";
import { isJsonObject, type JsonValue } from "../../core/text/json";
import { member, objectOf } from "../decode/field";
import { parseJson } from "../decode/parseJson";
import { requestHeaders } from "../requestHeaders";
import type { WireAnswer } from "../transport/wire";
import type { InvokeRoute } from "./invokeSkill";

const question = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');

/**
 * Asks what a key may call, which costs nothing and runs nothing (wire contract, section 4). Unknown
 * where the registry has no such route, does not look at the key, or cannot be reached.
 */
export async function readKey(
  { transport, url, limits }: Pick<InvokeRoute, "transport" | "url" | "limits">,
  projectKey: string,
  signal: AbortSignal,
): Promise<KeyReading> {
  const headers = {
    ...requestHeaders(),
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    authorization: `Bearer ${projectKey}`,
  };
  const request = { method: "POST", path: url.pathname, headers, body: question } as const;
  const exchange = await transport.exchange(request, limits, signal);
  return exchange.kind === "answered" ? readingOf(exchange.answer) : { kind: "unknown" };
}

function readingOf({ status, headers, body }: WireAnswer): KeyReading {
  if (status === 401 || status === 403) return { kind: "refused" };
  if (status !== 200) return { kind: "unknown" };
  const isStream = headers["content-type"]?.startsWith("text/event-stream") ?? false;
  const text = body.toString("utf8");
  const message = parseJson(isStream ? firstEvent(text) : text);
  const result = isJsonObject(message) ? objectOf(member(message, "result")) : undefined;
  const tools = result === undefined ? undefined : member(result, "tools");
  if (!Array.isArray(tools)) return { kind: "unknown" };
  // Without the key's own annotations this is the list that everybody gets.
  const known = tools.map(callable);
  if (tools.length > 0 && known.every((answer) => answer === undefined)) return { kind: "unknown" };
  return { kind: "accepted", skills: known.filter((answer) => answer === true).length };
}

function callable(tool: JsonValue): boolean | undefined {
  const annotations = isJsonObject(tool) ? objectOf(member(tool, "annotations")) : undefined;
  const value = annotations === undefined ? undefined : member(annotations, "callable");
  return typeof value === "boolean" ? value : undefined;
}

/** The data of a stream's first event. */
function firstEvent(text: string): string {
  const [event = ""] = text.replaceAll("\r\n", "\n").split("\n\n");
  return event
    .split("\n")
    .flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trimStart()] : []))
    .join("\n");
}
