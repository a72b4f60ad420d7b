import { prettyJsonChunked } from "../../json/printJson";
import type { Chunked } from "../../text/chunked";
import { oneLine, revealHidden } from "../../text/plainText";
import { type InvocationRecord, type InvocationTexts, kindOf } from "./invocationRecord";

/**
 * Writes the output channel's block for a finished invocation: a line of time, skill, status and duration,
 * then ID, code, message and output. `prettyOutput` is the formatted output.
 */
export function outputBlock(record: InvocationRecord, prettyOutput: string | undefined): string {
  const lines = [channelHeading(record)];
  if (record.code !== undefined) lines.push(`Code: ${singleLine(record.code)}`);
  if (record.message !== undefined) lines.push(`Message: ${singleLine(record.message)}`);
  if (kindOf(record) === "testRun") {
    lines.push("Note: test run. Invoked without a Project Key and not billed.");
  }
  if (record.acceptedNotRun) {
    lines.push("Note: accepted, not executed. The registry does not run this skill.");
  }
  if (prettyOutput !== undefined) lines.push("Output:", prettyOutput);
  return `${lines.join("\n")}\n\n`;
}

/** Writes the first two lines of a block, which identify its invocation. */
export function channelHeading(record: InvocationRecord): string {
  const time = new Date(record.startedAt).toISOString();
  const version = singleLine(record.version);
  const skill = version === "" ? record.skillSlug : `${record.skillSlug}@${version}`;
  return [
    `── ${time}  ${skill}  ${record.status}  ${Math.round(record.durationMs)} ms`,
    `Invocation ID: ${singleLine(record.invocationId ?? "(none)")}`,
  ].join("\n");
}

/** Longer than any status, code or version of a registry. */
const longestLine = 10_000;

/** Text from a registry must not begin a line of its own: readers of the channel would take it for ours. */
function singleLine(text: string): string {
  return oneLine(text, longestLine);
}

/** A range in the output channel's text that links to an invocation. Offsets are in UTF-16 units. */
interface OutputLink {
  readonly start: number;
  readonly end: number;
  /** The two lines that name the invocation, as `outputHeading` writes them. */
  readonly heading: string;
  readonly opens: "invocation" | "output";
}

/** The longest output an editor shows, in characters; the editor itself gives up on longer texts. */
export const longestShownOutput = 20_000_000;

/** The label at the end of an output that was cut. */
export const openOutputLabel = "“Skill Registry: Open Output”";

/** Finds the links in the output channel's text: each header's time, and each cut output. */
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

/** The order of an invocation's facts: for reading, or for comparing, with facts that always differ last. */
export type FactOrder = "record" | "comparison";

/**
 * Writes a past invocation as one JSON document: the facts, then input and output as they were sent and
 * received, where they are kept. An input that is not JSON is written as a string; an output that is too long
 * for an editor is replaced by its length, and one that only indentation makes too long is written as
 * received. Pauses in between.
 */
export function* invocationDocument(
  record: InvocationRecord,
  texts: InvocationTexts | undefined,
  order: FactOrder = "record",
): Chunked<string> {
  const { schema: _schema, id: _id, startedAt, endsBefore: _ends, pid: _pid, ...facts } = record;
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

/** Facts that no two invocations share, whatever their input and output. */
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

const columns = [
  "time",
  "registry",
  "skill",
  "version",
  "status",
  "durationMs",
  "invocationId",
  "code",
  "message",
  "amountCents",
  "currency",
  "contractHash",
  "requestSha256",
  "responseSha256",
  "kind",
] as const;

/** Writes records as JSON Lines, one record a line, without inputs and outputs. */
export function recordsAsJsonLines(records: readonly InvocationRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** Without it, spreadsheets read UTF-8 in the encoding of the system. */
const byteOrderMark = "\uFEFF";

/**
 * Writes records as CSV (RFC 4180) with a byte order mark, without inputs and outputs. Whatever a spreadsheet
 * would take for a formula gets an apostrophe in front (OWASP, CSV injection), also inside a cell: depending
 * on its settings, a spreadsheet splits at other characters than a comma, even in quotes.
 */
export function recordsAsCsv(records: readonly InvocationRecord[]): string {
  return (
    byteOrderMark +
    [columns.join(","), ...records.map(csvRow)].map((line) => `${line}\r\n`).join("")
  );
}

function csvRow(record: InvocationRecord): string {
  const cells: Readonly<Record<(typeof columns)[number], string | number | undefined>> = {
    time: new Date(record.startedAt).toISOString(),
    registry: record.registry,
    skill: record.skillSlug,
    version: record.version,
    status: record.status,
    durationMs: record.durationMs,
    invocationId: record.invocationId,
    code: record.code,
    message: record.message,
    amountCents: record.amountCents,
    currency: record.currency,
    contractHash: record.contractHash,
    requestSha256: record.requestSha256,
    responseSha256: record.responseSha256,
    kind: kindOf(record),
  };
  return columns.map((name) => csvCell(cells[name])).join(",");
}

function csvCell(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const start = /^[\t\r\n=+\-@＝＋－＠]/.test(value) ? "'" : "";
  const safe = start + value.replace(beforeFormula, "$&'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Characters at which a spreadsheet may split a cell, before a formula. */
const beforeFormula = /[\t\r\n,;|:"] {0,9}(?=[=+\-@＝＋－＠])| (?=[=+\-@＝＋－＠]\S)/g;

/** The facts of a support report. Nothing in it may be a secret, a payload or a whole address with one. */
export interface ReportFacts {
  /** Name → version, such as VS Code → 1.139.1. */
  readonly versions: Readonly<Record<string, string>>;
  /** Name → value as it applies; secrets are left out before. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly registry: string;
  /** The key's state as text, without the key. */
  readonly projectKey: string;
  /** Newest first. */
  readonly records: readonly InvocationRecord[];
}

const maxRecords = 20;

/**
 * Writes a support report as Markdown text. `redact` removes secrets from texts of a registry or user;
 * invisible characters are written as escapes. Inputs and outputs are never part of it.
 */
export function supportReport(facts: ReportFacts, redact: (text: string) => string): string {
  const { versions, settings, registry, projectKey, records } = facts;
  const lines = [
    "# Skill Registry: support report",
    "",
    "## Versions",
    ...Object.entries(versions).map(([name, version]) => `- ${name}: ${version}`),
    "",
    "## Settings",
    ...Object.entries(settings).map(([name, value]) => `- ${name}: ${valueText(value)}`),
    "",
    "## Registry",
    `- Address: ${registry}`,
    `- Project Key: ${projectKey}`,
    "",
    `## Last invocations (${Math.min(records.length, maxRecords)} of ${records.length} on record, without payloads and outputs)`,
    ...records.slice(0, maxRecords).map(recordLine),
  ];
  return `${lines.map((line) => revealHidden(redact(line))).join("\n")}\n`;
}

/** Removes user name and password from an address; a text that is not an address is not shown at all. */
export function addressWithoutSecrets(address: string): string {
  if (address === "") return "(not set)";
  if (!URL.canParse(address)) return "(not an address)";
  const { origin, pathname } = new URL(address);
  return origin === "null" ? "(not an address)" : `${origin}${pathname === "/" ? "" : pathname}`;
}

function recordLine(record: InvocationRecord): string {
  const { startedAt, skillSlug, version, status, durationMs, code, message, invocationId } = record;
  const parts = [
    new Date(startedAt).toISOString(),
    oneLine(`${skillSlug}@${version}`),
    kindOf(record) === "testRun" ? `test run, ${status}` : status,
    `${Math.round(durationMs)} ms`,
    `ID ${oneLine(invocationId ?? "(none)", 500)}`,
    ...(code === undefined ? [] : [`code ${oneLine(code)}`]),
    ...(message === undefined ? [] : [JSON.stringify(message.slice(0, 200))]),
  ];
  return `- ${parts.join(" · ")}`;
}

function valueText(value: string | number | boolean): string {
  return value === "" ? "(not set)" : String(value);
}
