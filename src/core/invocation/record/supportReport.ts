import { addressText } from "../../skill/skillAddress";
import { parseUrl } from "../../text/parseUrl";
import { oneLine, revealHidden } from "../../text/plainText";
import { type InvocationRecord, kindOf } from "./invocationRecord";

/** The facts of a support report. They contain no secret, no payload, and no address with a credential. */
export interface ReportFacts {
  /** Version by name, such as VS Code → 1.139.1. */
  readonly versions: Readonly<Record<string, string>>;
  /** Effective value by name; secrets were removed before. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly registry: string;
  /** The key's state as text, without the key. */
  readonly projectKey: string;
  /** Newest first, at most `maxReported`. Undefined where the record cannot be read. */
  readonly records: readonly InvocationRecord[] | undefined;
}

/** The maximum number of invocations in a report. */
export const maxReported = 20;

/**
 * Writes a support report as Markdown. `redact` removes secrets from texts of a registry or user; invisible characters
 * become escapes. Payloads and outputs are never part of it.
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
    ...(records === undefined
      ? ["## Last invocations", "- The record cannot be read."]
      : [
          `## Last invocations (the newest ${records.length}, without payloads and outputs)`,
          ...records.map(recordLine),
        ]),
  ];
  return `${lines.map((line) => revealHidden(redact(line))).join("\n")}\n`;
}

/** Removes user name and password from an address. Returns a placeholder for a text that is no address. */
export function addressWithoutSecrets(address: string): string {
  if (address === "") return "(not set)";
  const { origin, pathname } = parseUrl(address) ?? { origin: "null", pathname: "" };
  return origin === "null" ? "(not an address)" : `${origin}${pathname === "/" ? "" : pathname}`;
}

function recordLine(record: InvocationRecord): string {
  const { startedAt, skillSlug, version, status, durationMs, code, message, invocationId } = record;
  const parts = [
    new Date(startedAt).toISOString(),
    oneLine(addressText(skillSlug, version)),
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
