import { addressText } from "../../skill/skillAddress";
import { oneLine } from "../../text/plainText";
import { isWaiting } from "../outcome";
import { type InvocationRecord, kindOf } from "./invocationRecord";

/**
 * Writes the output channel's block for an ended invocation: a line of time, skill, status and duration, then ID, code,
 * message and output. `prettyOutput` is the formatted output.
 */
export function outputBlock(record: InvocationRecord, prettyOutput: string | undefined): string {
  const lines = [channelHeading(record)];
  if (record.code !== undefined) lines.push(`Code: ${singleLine(record.code)}`);
  if (record.message !== undefined) lines.push(`Message: ${singleLine(record.message)}`);
  if (kindOf(record) === "testRun") {
    lines.push("Note: test run. Invoked without a Project Key and not billed.");
  }
  if (isWaiting(record)) {
    lines.push("Note: accepted, not executed yet. The registry has the result under this ID.");
  } else if (record.status === "not executed") {
    lines.push("Note: accepted, not executed. The registry does not run this skill.");
  }
  if (record.askedVersion !== undefined) {
    lines.push(
      `Note: version ${singleLine(record.askedVersion)} was invoked. The registry ran another one.`,
    );
  }
  if (prettyOutput !== undefined) lines.push("Output:", prettyOutput);
  return `${lines.join("\n")}\n\n`;
}

/** Writes the first two lines of a block, which identify its invocation. */
export function channelHeading(record: InvocationRecord): string {
  const time = new Date(record.startedAt).toISOString();
  const skill = addressText(record.skillSlug, singleLine(record.version));
  return [
    `── ${time}  ${skill}  ${record.status}  ${Math.round(record.durationMs)} ms`,
    `Invocation ID: ${singleLine(record.invocationId ?? "(none)")}`,
  ].join("\n");
}

/** The maximum length of a line, more than any status, code or version of a registry. */
const longestLine = 10_000;

/** Puts a registry's text on one line. Its second line would look like a line of ours to readers of the channel. */
function singleLine(text: string): string {
  return oneLine(text, longestLine);
}

/** A range in the output channel's text that links to an invocation. Offsets are in UTF-16 units. */
interface OutputLink {
  readonly start: number;
  readonly end: number;
  /** The two lines that name the invocation, as `channelHeading` writes them. */
  readonly heading: string;
  readonly opens: "invocation" | "output";
}

/** The maximum length of an output in an editor, in characters. The editor fails to show longer texts. */
export const longestShownOutput = 20_000_000;

/** The label at the end of a truncated output. */
export const openOutputLabel = "“Skill Registry: Open Output”";

/** Finds the links in the output channel's text: each header's time, and each truncated output. */
export function outputLinks(text: string): readonly OutputLink[] {
  const links: OutputLink[] = [];
  let heading: string | undefined;
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start);
    const line = text.slice(start, Math.min(end, start + 400));
    const [, time] = /^── (\S+Z) {2}/.exec(line) ?? [];
    if (time !== undefined && Number.isFinite(Date.parse(time))) {
      heading = text.slice(start, lineEnd(text, end + 1));
      const from = start + 3;
      links.push({ start: from, end: from + time.length, heading, opens: "invocation" });
    }
    const at = line.startsWith("… ") ? line.indexOf(openOutputLabel) : -1;
    if (at !== -1 && heading !== undefined) {
      const from = start + at;
      links.push({ start: from, end: from + openOutputLabel.length, heading, opens: "output" });
    }
    start = end + 1;
  }
  return links;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}
