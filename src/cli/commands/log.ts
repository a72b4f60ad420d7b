import { exitCodes } from "../../core/findings/report";
import type { InvocationStatus } from "../../core/invocation/invocation";
import { recordsAsCsv, recordsAsJsonLines } from "../../core/invocation/record/exportRecords";
import { endingText } from "../../core/invocation/record/invocationLabels";
import {
  builtInRegistryName,
  type InvocationRecord,
} from "../../core/invocation/record/invocationRecord";
import { sampleText } from "../../core/skill/price";
import { durationText, english } from "../../core/text/language";
import { moneyText } from "../../core/text/money";
import { oneLine } from "../../core/text/plainText";
import type { InvocationHistory } from "../../engine/invocationHistory";
import {
  CliError,
  type Command,
  type ParsedArguments,
  type Terminal,
  usageError,
} from "../command";
import { openHistory } from "../engine/cliEngine";
import { readWanted, recordOptions, type Wanted } from "../engine/recordOptions";
import type { Color, Piece } from "../output/colors";

const formats = ["text", "jsonl", "csv"] as const;
type LogFormat = (typeof formats)[number];

export const log: Command = {
  name: "log",
  operands: "[ID]",
  summary: "List what was invoked on this machine, and by whom.",
  details: [
    "The record has the invocations of the editor and of the command line, oldest first. ID is the name of one of them or the invocation ID that the registry gave it: then it is shown with its payload and output, where they were kept.",
  ],
  options: {
    ...recordOptions,
    limit: { value: "N", text: "Only the newest N." },
    follow: { text: "Then list each invocation as it ends, until Ctrl+C." },
    format: { value: "FORMAT", text: `One of ${formats.join(", ")}. Default: text.` },
  },
  examples: [
    "skill-registry log --since 12h --caller commandLine",
    "skill-registry log --skill text-stats --format csv > invocations.csv",
    "skill-registry log --follow",
  ],
  run: async (given, terminal) => {
    const [id, ...more] = given.operands;
    if (more.length > 0) throw usageError("log", "Specify one ID.");
    const format = readFormat(given);
    const wanted = readWanted(given, "log", Date.now());
    if (given.isSet("follow") && (id !== undefined || format === "csv")) {
      throw usageError("log", "--follow lists invocations, as text or jsonl.");
    }
    const history = await openHistory(terminal);
    try {
      if (id !== undefined) return await showOne(id, history, terminal);
      const found = [...wanted(await history.list())].reverse();
      const limit = given.count("limit", 1) ?? found.length;
      const listed = found.slice(-limit);
      terminal.paint(asText(listed, format));
      if (given.isSet("follow")) await follow(history, wanted, format, terminal);
      return listed.length === 0 ? exitCodes.nothing : exitCodes.good;
    } finally {
      history.dispose();
    }
  },
};

function readFormat(given: ParsedArguments): LogFormat {
  const name = given.text("format") ?? "text";
  const format = formats.find((one) => one === name);
  if (format !== undefined) return format;
  throw usageError("log", `--format expects one of ${formats.join(", ")}.`);
}

function asText(records: readonly InvocationRecord[], format: LogFormat): readonly Piece[] {
  switch (format) {
    case "text":
      return records.flatMap(lineOf);
    case "jsonl":
      return [recordsAsJsonLines(records)];
    case "csv":
      return [recordsAsCsv(records)];
  }
}

const statusColors: Readonly<Record<InvocationStatus, Color>> = {
  running: "yellow",
  success: "green",
  error: "red",
  blocked: "red",
  refused: "red",
  cancelled: "yellow",
  "outcome unknown": "yellow",
};

function lineOf(record: InvocationRecord): readonly Piece[] {
  const { startedAt, skillSlug, version, status, durationMs, code, currency } = record;
  const { amountCents = 0 } = record;
  const skill = version === "" ? skillSlug : `${skillSlug}@${version}`;
  const isSample = record.registry === builtInRegistryName;
  const ending = endingText(record, english);
  const before = [
    new Date(startedAt).toISOString(),
    record.caller?.name ?? record.caller?.kind ?? "person",
    skill,
  ];
  const after = [
    status === "running" ? "" : durationText(durationMs, english),
    amountCents > 0 ? sampleText(moneyText(amountCents, currency, english), isSample, english) : "",
    record.invocationId ?? record.id,
  ];
  const text = oneLine(code === undefined ? ending : `${ending} (${code})`, 200);
  return [
    `${factsText(before)}  `,
    { text, color: statusColors[status] },
    `  ${factsText(after)}\n`,
  ];
}

function factsText(facts: readonly string[]): string {
  return facts
    .filter((fact) => fact !== "")
    .map((fact) => oneLine(fact, 200))
    .join("  ");
}

async function showOne(
  id: string,
  history: InvocationHistory,
  terminal: Terminal,
): Promise<number> {
  const records = await history.list();
  const record = records.find((one) => one.id === id || one.invocationId === id);
  if (record === undefined) {
    throw new CliError(`There is no invocation "${oneLine(id, 80)}".`, exitCodes.nothing);
  }
  const texts = await history.texts(record.id);
  terminal.out(`${JSON.stringify({ ...record, ...texts }, null, 2)}\n`);
  return exitCodes.good;
}

/** Lists invocations as they end, until the user cancels. */
async function follow(
  history: InvocationHistory,
  wanted: Wanted,
  format: LogFormat,
  { paint, signal }: Terminal,
): Promise<void> {
  const ended = (records: readonly InvocationRecord[]) =>
    records.filter(({ status }) => status !== "running");
  const known = new Set(ended(await history.list()).map(({ id }) => id));
  const listNew = async () => {
    const fresh = ended(await history.list()).filter(({ id }) => !known.has(id));
    for (const { id } of fresh) known.add(id);
    paint(asText([...wanted(fresh)].reverse(), format));
  };
  const subscription = history.onDidChange(() => void listNew());
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  subscription.dispose();
}
