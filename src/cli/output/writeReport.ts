import { existsSync } from "node:fs";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import type { CommandError } from "../../core/findings/commandError";
import { exitCodeOf, type Finding, type ReportItem } from "../../core/findings/report";
import type { TextPosition } from "../../core/payload/payloadCheck";
import { oneLine } from "../../core/text/plainText";
import { writeError } from "../../engine/files/textFile";
import { writeFileAtomic } from "../../engine/files/writeFileAtomic";
import type { OptionTable, OptionValues } from "../options";
import { type Terminal, UsageError } from "../terminal";
import type { Color, Piece } from "./colors";
import { junitReport } from "./junitReport";

const formats = ["text", "json", "sarif", "junit", "github"] as const;

/** The formats for results that are no list of findings. */
const plainFormats = ["text", "json"] as const;

/** The option for the format of results that are no list of findings. */
export const formatOption = {
  format: {
    value: "FORMAT",
    text: "How results are written.",
    oneOf: plainFormats,
    default: "text",
    group: "Output",
  },
} as const satisfies OptionTable;

/** Options for the format of findings, and for the files to write them to. */
export const reportOptions = {
  format: { ...formatOption.format, text: "How findings are written.", oneOf: formats },
  "report-junit": {
    value: "FILE",
    text: "Also write the report as JUnit into this file.",
    group: "Output",
  },
  "report-sarif": {
    value: "FILE",
    text: "Also write the report as SARIF into this file.",
    group: "Output",
  },
} as const satisfies OptionTable;

const fileFormats = ["junit", "sarif"] as const;

/** The format of a report, and additional report files as named by the user. */
interface ReportForms {
  readonly format: (typeof formats)[number];
  readonly files: readonly (readonly [format: (typeof fileFormats)[number], name: string])[];
}

/** The data of a report in its own formats. */
interface ReportSource {
  readonly command: string;
  readonly version: string;
  /** The folder to which the paths of its items are relative. */
  readonly folder: string;
  /** The text of a report without items. Default: a sentence that nothing matched. */
  readonly nothing?: string;
}

/** Reads the options of reports. Throws a `UsageError` if one file would get two reports. */
export function readReport(options: OptionValues<typeof reportOptions>): ReportForms {
  const files = fileFormats.flatMap((format) => {
    const name = options[`report-${format}`];
    return name === undefined ? [] : [[format, name] as const];
  });
  if (new Set(files.map(([, name]) => name)).size < files.length) {
    throw new UsageError("--report-junit and --report-sarif need a file each.");
  }
  return { format: options.format, files };
}

/**
 * Writes a report in the chosen formats, and resolves to the exit code. If a file cannot be written, writes all others,
 * then rejects with a `CommandError`.
 */
export async function writeReport(
  items: readonly ReportItem[],
  forms: ReportForms,
  source: ReportSource,
  terminal: Terminal,
): Promise<number> {
  // A canceled check has not checked everything, so it writes no report.
  terminal.signal.throwIfAborted();
  return writePartialReport(items, forms, source, terminal);
}

/** Writes a report like `writeReport`, but even after a cancellation: its items already report what was not checked. */
export async function writePartialReport(
  items: readonly ReportItem[],
  forms: ReportForms,
  source: ReportSource,
  terminal: Terminal,
): Promise<number> {
  const { format } = forms;
  const { nothing } = source;
  if (format === "text") {
    terminal.paint(
      items.length === 0 && nothing !== undefined ? [nothing, "\n"] : textReport(items),
    );
  } else {
    if (items.length === 0 && nothing !== undefined) terminal.err(`${nothing}\n`);
    (format === "github" ? terminal.annotate : terminal.out)(formatReport(items, format, source));
  }
  await writeReportFiles(items, forms, source, terminal);
  return exitCodeOf(items);
}

/** Writes only the files of a report. Rejects as `writeReport` does. */
export async function writeReportFiles(
  items: readonly ReportItem[],
  { files }: ReportForms,
  source: ReportSource,
  { cwd, clean }: Terminal,
): Promise<void> {
  let failure: CommandError | undefined;
  for (const [format, name] of files) {
    const text = clean(formatReport(items, format, source));
    await writeFileAtomic(resolve(cwd, name), text, "shared").catch((error: unknown) => {
      failure ??= writeError(name, error);
    });
  }
  if (failure !== undefined) throw failure;
}

/** Formats a report for a program. It ends with a line break, or is empty. */
function formatReport(
  items: readonly ReportItem[],
  format: Exclude<(typeof formats)[number], "text">,
  source: ReportSource,
): string {
  const whole = items.map(wellFormed);
  switch (format) {
    case "json":
      return `${JSON.stringify({ exitCode: exitCodeOf(whole), items: whole.map(jsonItem) }, undefined, 2)}\n`;
    case "sarif":
      return `${JSON.stringify(sarifReport(relativeToRepository(whole, source), source), undefined, 2)}\n`;
    case "junit":
      return junitReport(whole, source.command, locationText);
    case "github":
      return githubReport(relativeToRepository(whole, source), source);
  }
}

/** Replaces unpaired surrogates in all texts of an item. UTF-8 cannot represent them, and JSON parsers reject them. */
function wellFormed<Item extends ReportItem>(item: Item): Item {
  const whole = (value: unknown): unknown => {
    if (typeof value === "string") return value.toWellFormed();
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, whole(one)]));
  };
  return whole(item) as Item;
}

/** Makes paths relative to the repository, as services for annotations expect, wherever the command runs. */
function relativeToRepository(
  items: readonly ReportItem[],
  { folder }: ReportSource,
): readonly ReportItem[] {
  const path = relative(repositoryOf(folder), folder).split(sep).join("/");
  if (path === "") return items;
  const placed = (file: string) => (file === "" ? "" : posix.join(path, file));
  return items.map((item) => ({
    ...item,
    findings: item.findings.map((finding) => ({ ...finding, file: placed(finding.file) })),
  }));
}

/** Returns the nearest parent folder with a git repository, else the folder itself. */
function repositoryOf(folder: string): string {
  for (let root = folder; ; root = dirname(root)) {
    if (existsSync(join(root, ".git"))) return root;
    if (dirname(root) === root) return folder;
  }
}

const severityColors = { error: "red", warning: "yellow" } as const;

/** The text and color for the number of items in a state. */
const stateTexts: Readonly<
  Record<ReportItem["state"], readonly [words: (count: number) => string, color: Color]>
> = {
  good: [(count) => `${count} passed`, "green"],
  untested: [
    (count) =>
      count === 1
        ? "1 payload valid, 1 output not tested (needs --live or --test-run)"
        : `${count} payloads valid, ${count} outputs not tested (needs --live or --test-run)`,
    "green",
  ],
  findings: [(count) => `${count} with findings`, "red"],
  unknown: [(count) => `${count} undecided`, "yellow"],
  broken: [(count) => `${count} broken`, "red"],
};

function textReport(items: readonly ReportItem[]): readonly Piece[] {
  const lines = items.flatMap(({ findings, invocationId }) =>
    findings.flatMap((finding) => findingPieces(finding, invocationId)),
  );
  return [...lines, ...summaryPieces(items), "\n"];
}

/** Summarizes in a sentence how the items ended. */
function summaryPieces(items: readonly ReportItem[]): readonly Piece[] {
  const counts = Object.entries(stateTexts).flatMap(([state, [words, color]]) => {
    const count = items.filter((item) => item.state === state).length;
    return count === 0 ? [] : [{ text: words(count), color }];
  });
  const summary = counts.flatMap((piece, index) => (index === 0 ? [piece] : [", ", piece]));
  return [...(items.length === 0 ? ["Nothing matched"] : summary), "."];
}

function findingPieces(finding: Finding, invocationId?: string): readonly Piece[] {
  const { rule, severity, message } = finding;
  const id = invocationId === undefined ? "" : `, invocation ID ${oneLine(invocationId)}`;
  return [
    locationText(finding),
    severity === "note" ? severity : { text: severity, color: severityColors[severity] },
    `: ${oneLine(message, 1000)} (${oneLine(rule)}${id})\n`,
  ];
}

/** Formats a finding as one line of text, as reports do. */
export function findingText(finding: Finding): string {
  return plainText(findingPieces(finding));
}

function plainText(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}

function locationText({ file, start }: Finding): string {
  if (file === "") return "";
  const location = start === undefined ? "" : `:${start.line + 1}:${start.character + 1}`;
  return `${oneLine(file, 500)}${location}: `;
}

function jsonItem({ findings, ...item }: ReportItem) {
  return { ...item, findings: findings.map((finding) => ({ ...finding, ...locationOf(finding) })) };
}

/** Returns lines and columns counted from 1, as editors and other tools do. */
function locationOf({ start, end }: Finding) {
  const shown = (position: TextPosition) => ({
    line: position.line + 1,
    column: position.character + 1,
  });
  return {
    ...(start !== undefined && { start: shown(start) }),
    ...(end !== undefined && { end: shown(end) }),
  };
}

function sarifReport(items: readonly ReportItem[], { version }: ReportSource) {
  const findings = items.flatMap((item) => item.findings);
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: { name: "skill-registry", version, rules: rules.map((id) => ({ id })) },
        },
        columnKind: "utf16CodeUnits",
        results: findings.map(({ rule, severity, message, file, start, end }) => ({
          ruleId: rule,
          ruleIndex: rules.indexOf(rule),
          level: severity,
          message: { text: message },
          ...(file !== "" && {
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/") },
                  ...(start !== undefined && {
                    region: {
                      startLine: start.line + 1,
                      startColumn: start.character + 1,
                      ...(end !== undefined && {
                        endLine: end.line + 1,
                        endColumn: end.character + 1,
                      }),
                    },
                  }),
                },
              },
            ],
          }),
        })),
      },
    ],
  };
}

/**
 * Writes annotations for a GitHub workflow, and a summary. An untested item has no finding, so a notice mentions it;
 * otherwise it would seem to have passed.
 */
function githubReport(items: readonly ReportItem[], { command }: ReportSource): string {
  const lines = items.flatMap(({ findings }) => findings.map(githubLine));
  const summary = plainText(summaryPieces(items));
  const isTested = items.every(({ state }) => state !== "untested");
  const notice = `::notice title=skill-registry ${command}::${escaped(summary)}`;
  return [...lines, isTested ? summary : notice, "\n"].join("");
}

/** Writes an annotation for a GitHub workflow. Values are escaped as the runner reads them. */
function githubLine({ rule, severity, message, file, start, end }: Finding): string {
  const values = {
    ...(file !== "" && { file }),
    ...(start !== undefined && { line: start.line + 1, col: start.character + 1 }),
    ...(end !== undefined && { endLine: end.line + 1, endColumn: end.character + 1 }),
    title: rule,
  };
  const properties = Object.entries(values).map(
    ([name, value]) =>
      `${name}=${escaped(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`,
  );
  const level = severity === "note" ? "notice" : severity;
  return `::${level} ${properties.join(",")}::${escaped(oneLine(message, 1000))}\n`;
}

function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
