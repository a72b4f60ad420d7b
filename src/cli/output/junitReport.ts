import type { ReportItem } from "../../core/findings/report";
import { oneLine } from "../../core/text/plainText";

/**
 * Writes a JUnit report by the rules of Jenkins' `junit-10.xsd`. Each file becomes a suite, since a case has no
 * attribute for its file. The invocation ID becomes the case's output. `locate` returns the position of a finding.
 */
export function junitReport(
  items: readonly ReportItem[],
  command: string,
  locate: (finding: ReportItem["findings"][number]) => string,
): string {
  const files = [...new Set(items.map(({ file }) => file))];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${countsOf(items)}>`,
    ...files.flatMap((file) => {
      const own = items.filter((item) => item.file === file);
      return suiteLines(file, own, command, locate);
    }),
    "</testsuites>",
    "",
  ].join("\n");
}

function countsOf(items: readonly ReportItem[]): string {
  const failed = items.filter(({ state }) => state === "findings").length;
  const errors = items.filter(({ state }) => state === "unknown" || state === "broken").length;
  return `tests="${items.length}" failures="${failed}" errors="${errors}"`;
}

function suiteLines(
  file: string,
  items: readonly ReportItem[],
  command: string,
  locate: Parameters<typeof junitReport>[2],
): readonly string[] {
  const untested = items.filter(({ state }) => state === "untested").length;
  const name = file === "" ? `skill-registry ${command}` : `skill-registry ${command}: ${file}`;
  const head = [
    `name="${xml(name)}"`,
    countsOf(items),
    ...(untested === 0 ? [] : [`skipped="${untested}"`]),
    ...(file === "" ? [] : [`file="${xml(file)}"`]),
  ];
  return [
    `  <testsuite ${head.join(" ")}>`,
    ...items.flatMap((item) => caseLines(item, command, locate)),
    "  </testsuite>",
  ];
}

function caseLines(
  { name, state, findings, milliseconds, invocationId }: ReportItem,
  command: string,
  locate: Parameters<typeof junitReport>[2],
): readonly string[] {
  const time = milliseconds === undefined ? "" : ` time="${milliseconds / 1000}"`;
  const head = `    <testcase name="${xml(name)}" classname="${xml(command)}"${time}`;
  const text = findings
    .map((finding) => `${locate(finding)}${oneLine(finding.message, 1000)}`)
    .join("\n");
  const [first] = findings;
  const attributes = `type="${xml(first?.rule ?? state)}" message="${xml(oneLine(first?.message ?? state, 300))}"`;
  const kind = state === "findings" ? "failure" : "error";
  const result =
    state === "good"
      ? []
      : state === "untested"
        ? [`<skipped message="Payload valid, output not tested."/>`]
        : [`<${kind} ${attributes}>${xml(text)}</${kind}>`];
  const printed =
    invocationId === undefined
      ? []
      : [`<system-out>Invocation ID: ${xml(oneLine(invocationId))}</system-out>`];
  const parts = [...result, ...printed].map((part) => `      ${part}`);
  return parts.length === 0 ? [`${head}/>`] : [`${head}>`, ...parts, "    </testcase>"];
}

const xmlEscapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Escapes text for XML. Drops characters that XML 1.0 cannot represent. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"\n\r]/g, (character) => xmlEscapes[character] ?? "");
}
