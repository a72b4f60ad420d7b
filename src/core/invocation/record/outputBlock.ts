import { oneLine } from "../../text/plainText";
import { type InvocationRecord, kindOf } from "./invocationRecord";

/**
 * Writes the output channel's block for a finished call: a line of time, skill, status and duration,
 * then ID, code, message and output. `prettyOutput` is the output as it shall be shown.
 */
export function outputBlock(record: InvocationRecord, prettyOutput: string | undefined): string {
  const lines = [outputHeading(record)];
  if (record.code !== undefined) lines.push(`Code: ${singleLine(record.code)}`);
  if (record.message !== undefined) lines.push(`Message: ${singleLine(record.message)}`);
  if (kindOf(record) === "testRun") {
    lines.push("Note: test run. Invoked without a Project Key and not billed.");
  }
  if (record.acceptedNotRun) {
    lines.push(
      "Note: accepted, not run. The registry metered this call and did not run the skill.",
    );
  }
  if (prettyOutput !== undefined) lines.push("Output:", prettyOutput);
  return `${lines.join("\n")}\n\n`;
}

/** Writes the two lines that a block begins with and that name its call. */
export function outputHeading(record: InvocationRecord): string {
  const time = new Date(record.startedAt).toISOString();
  const version = singleLine(record.version);
  const skill = version === "" ? record.skillSlug : `${record.skillSlug}@${version}`;
  return [
    `── ${time}  ${skill}  ${record.status}  ${Math.round(record.durationMs)} ms`,
    `Invocation ID: ${singleLine(record.invocationId ?? "(none)")}`,
  ].join("\n");
}

/** So many characters are more than any of a registry's words has. */
const longestLine = 10_000;

/** A registry's word must not begin a line of its own: whoever reads the channel would take it for ours. */
function singleLine(text: string): string {
  return oneLine(text, longestLine);
}
