import { prettyJsonChunked } from "../../json/printJson";
import type { Chunked } from "../../text/chunked";
import type { InvocationRecord, InvocationTexts } from "./invocationRecord";
import { longestShownOutput, openOutputLabel } from "./outputBlock";

/** The order of an invocation's facts: for reading, or for comparing, with facts that always differ last. */
export type FactOrder = "record" | "comparison";

/**
 * Writes a past invocation as one JSON document: the facts, then payload and output as they were sent and
 * received, where they are kept. A payload that is not JSON is written as a string; an output that is too long
 * for an editor is replaced by its length, and one that only indentation makes too long is written as
 * received. Pauses in between.
 */
export function* invocationDocument(
  record: InvocationRecord,
  texts: InvocationTexts | undefined,
  order: FactOrder = "record",
): Chunked<string> {
  const { format: _format, id: _id, startedAt, endsBefore: _ends, pid: _pid, ...facts } = record;
  const members = Object.entries({ time: new Date(startedAt).toISOString(), ...facts });
  const isLast = ([name]: [string, unknown]) => order === "comparison" && everChanging.has(name);
  const written = (some: [string, unknown][]) =>
    some.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const parts = written(members.filter((one) => !isLast(one)));
  if (texts?.inputText !== undefined) parts.push(`"input": ${jsonOrString(texts.inputText)}`);
  if (texts?.outputText !== undefined) parts.push(`"output": ${shortOutput(texts.outputText)}`);
  parts.push(...written(members.filter(isLast)));
  return `${yield* shownJson(`{${parts.join(",")}}`)}\n`;
}

/** Facts that no two invocations share, whatever their payload and output. */
const everChanging = new Set([
  "time",
  "durationMs",
  "invocationId",
  "requestSha256",
  "responseSha256",
]);

/** Formats JSON text for an editor, or leaves it as it is where that would be too long. */
export function* shownJson(text: string): Chunked<string> {
  const pretty = yield* prettyJsonChunked(text, longestShownOutput);
  return pretty.whole ? pretty.text : text;
}

/** Only to find out whether it is JSON, the editor would wait. */
const longestReadAgain = 1_000_000;

function shortOutput(text: string): string {
  if (text.length <= longestShownOutput) return jsonOrString(text);
  return JSON.stringify(`${text.length} characters: ${openOutputLabel}`);
}

function jsonOrString(text: string): string {
  // Sent and received JSON is valid; parsing megabytes again would block the editor.
  if (text.length > longestReadAgain) return text;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
