import { prettyJson } from "../../text/prettyJson";
import type { InvocationRecord, InvocationTexts } from "./invocationRecord";
import { longestShownOutput, openOutputWords } from "./outputLinks";

/**
 * Writes a past call as one JSON document: the facts, then input and output as they were sent and
 * received, where they are kept. An input that is no JSON stands as a string; an output that is too
 * long for an editor is named by its length.
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
  if (texts?.outputText !== undefined) members.push(`"output": ${shortOutput(texts.outputText)}`);
  return `${prettyJson(`{${members.join(",")}}`).text}\n`;
}

function shortOutput(text: string): string {
  if (text.length <= longestShownOutput) return jsonOrString(text);
  return JSON.stringify(`${text.length} characters: ${openOutputWords}`);
}

function jsonOrString(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
