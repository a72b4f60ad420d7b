import { parsedJson } from "../../json/jsonValue";
import { prettyJsonChunked } from "../../json/printJson";
import type { Chunked } from "../../text/chunked";
import type { InvocationRecord, InvocationTexts } from "./invocationRecord";
import { longestShownOutput, openOutputLabel } from "./outputBlock";

/** The order of an invocation's facts: for reading, or for comparing, where facts that always differ come last. */
export type FactOrder = "record" | "comparison";

/**
 * Writes a past invocation as one JSON document: the facts, then payload and output as sent and received, if they are
 * stored. A payload that is not JSON becomes a string. An output that is too long for an editor is replaced by its
 * length. If indentation would make the document too long, the document stays unformatted.
 */
export function* invocationDocument(
  record: InvocationRecord,
  texts: InvocationTexts | undefined,
  order: FactOrder = "record",
): Chunked<string> {
  const { format: _format, id: _id, startedAt, endsBefore: _ends, ...facts } = record;
  const members = Object.entries({ time: new Date(startedAt).toISOString(), ...facts });
  const isLast = ([name]: [string, unknown]) => order === "comparison" && everChanging.has(name);
  const written = (some: [string, unknown][]) =>
    some.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const parts = written(members.filter((member) => !isLast(member)));
  if (texts?.inputText !== undefined) parts.push(`"input": ${jsonOrString(texts.inputText)}`);
  if (texts?.outputText !== undefined) parts.push(`"output": ${shortOutput(texts.outputText)}`);
  parts.push(...written(members.filter(isLast)));
  return `${yield* shownJson(`{${parts.join(",")}}`)}\n`;
}

/** Facts that always differ between two invocations, even with equal payload and output. */
const everChanging = new Set([
  "time",
  "durationMs",
  "invocationId",
  "requestSha256",
  "responseSha256",
]);

/** Formats JSON text for an editor, or returns it unchanged if the formatted text would be too long. */
export function* shownJson(text: string): Chunked<string> {
  const pretty = yield* prettyJsonChunked(text, longestShownOutput);
  return pretty.whole ? pretty.text : text;
}

/** The maximum length of a text that is parsed to check whether it is JSON. */
const longestReadAgain = 1_000_000;

function shortOutput(text: string): string {
  if (text.length <= longestShownOutput) return jsonOrString(text);
  return JSON.stringify(`${text.length} characters: ${openOutputLabel}`);
}

function jsonOrString(text: string): string {
  // Sent and received JSON is valid. Parsing megabytes again would block the editor.
  const isJson = text.length > longestReadAgain || parsedJson(text) !== undefined;
  return isJson ? text : JSON.stringify(text);
}
