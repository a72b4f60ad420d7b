import { prettyJson } from "../text/prettyJson";
import type { InvocationRecord, InvocationTexts } from "./invocationRecord";

/**
 * Writes a past call as one JSON document: the facts, then input and output as they were sent and
 * received, where they are kept. An input that is no JSON stands as a string.
 */
export function invocationDocument(
  record: InvocationRecord,
  texts: InvocationTexts | undefined,
): string {
  const { schema: _schema, id: _id, startedAt, endsBefore: _ends, pid: _pid, ...facts } = record;
  const members = Object.entries({ time: new Date(startedAt).toISOString(), ...facts }).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  if (texts?.inputText !== undefined) members.push(`"input": ${jsonOrString(texts.inputText)}`);
  if (texts?.outputText !== undefined) members.push(`"output": ${jsonOrString(texts.outputText)}`);
  return `${prettyJson(`{${members.join(",")}}`).text}\n`;
}

function jsonOrString(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
