import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import { costText } from "../../core/invocation/cost";
import {
  minIdLength,
  recordsWithId,
  shownId,
  startOfId,
} from "../../core/invocation/invocationIds";
import { type InvocationStatus, isOver } from "../../core/invocation/outcome";
import type { KeptTrial } from "../../core/invocation/output/keptTrials";
import { commandLineProfile, profileText } from "../../core/invocation/profile";
import { recordsAsCsv, recordsAsJsonLines } from "../../core/invocation/record/exportRecords";
import { endingText } from "../../core/invocation/record/invocationLabels";
import {
  type InvocationRecord,
  type InvocationTexts,
  isAgent,
} from "../../core/invocation/record/invocationRecord";
import type { RecordQuery } from "../../core/invocation/record/recordQuery";
import { parsedJson } from "../../core/json/jsonValue";
import { prettyJsonChunked } from "../../core/json/printJson";
import { addressText } from "../../core/skill/skillAddress";
import { runSync } from "../../core/text/chunked";
import { localMinute } from "../../core/text/dates";
import { durationText, english } from "../../core/text/language";
import { oneLine, revealHidden } from "../../core/text/plainText";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import type { TrialRecord } from "../../engine/record/trialRecord";
import { orAbort } from "../../registry/wait";
import { command } from "../command";
import { openRecord } from "../engine/cliEngine";
import { extentLine, readQuery, recordOptions } from "../engine/recordOptions";
import { rowsWith } from "../options";
import type { Color, Piece } from "../output/colors";
import { paintedTable, type TableColumn } from "../output/table";
import { type Terminal, UsageError } from "../terminal";

const formats = ["text", "json", "jsonl", "csv"] as const;
type LogFormat = (typeof formats)[number];

/** The mode that shows one invocation. */
const singleMode = "ID";

export const log = command({
  name: "log",
  operands: "[ID]",
  summary: "List what was invoked on this machine, and by whom.",
  details: [
    `Lists the invocations of the editor and of the command line, oldest first. ID is the ID of a record, the invocation ID of the registry, or the beginning of either (at least ${minIdLength} characters): that invocation is shown alone, with its payload and output if they were kept. Times are local on a terminal, and UTC for a file or another program.`,
  ],
  options: {
    ...rowsWith(recordOptions, { not: [singleMode] }),
    limit: { value: "N", text: "Only the newest N.", count: { min: 1 }, not: [singleMode] },
    follow: {
      text: "After that, list each invocation as it ends, until Ctrl+C.",
      not: [singleMode],
    },
    trials: {
      text: "List the trials of manifests on this machine instead, as text. No registry got them, so they are no invocations.",
      not: [singleMode, "follow", "status", "caller", "profile", "project"],
    },
    format: {
      value: "FORMAT",
      text: "How invocations are listed: as text, jsonl or csv. With ID: text, or json, which a file or another program always gets.",
      oneOf: formats,
      default: "text",
      group: "Output",
    },
  },
  modes: [singleMode],
  modeOf: ([id]) => (id === undefined ? undefined : singleMode),
  examples: [
    ["List what scripts invoked today", "skill-registry log --since 12h --caller commandLine"],
    [
      "Export a skill's invocations",
      "skill-registry log --skill text-stats --format csv > invocations.csv",
    ],
    ["Watch", "skill-registry log --follow"],
  ],
  run: async ({ operands, options }, terminal) => {
    const [id, ...more] = operands;
    if (more.length > 0) throw new UsageError("Specify one ID.");
    const { format, follow: follows } = options;
    const query = readQuery(options, Date.now());
    const isList = id === undefined;
    if (isList ? format === "json" : format === "jsonl" || format === "csv") {
      const fitting = isList ? "text, jsonl or csv" : "text or json";
      throw new UsageError(`--format expects ${fitting} ${isList ? "without" : "with"} an ID.`);
    }
    if (follows && format === "csv") {
      throw new UsageError("--follow lists invocations, as text or jsonl.");
    }
    if (options.trials && format !== "text") {
      throw new UsageError("--trials lists text.");
    }
    const { history, trials, close } = await openRecord(terminal);
    try {
      if (options.trials) return await listTrials(trials, query, options.limit, terminal);
      if (id !== undefined) return await showInvocation(id, format, history, terminal);
      const { limit } = options;
      const found = await history.list({ ...query, ...(limit !== undefined && { limit }) });
      const listed = found.toReversed();
      terminal.paint(asText(listed, format, terminal.columns));
      if (follows) await follow(history, found, query, format, terminal);
      else if (listed.length === 0) terminal.err("Nothing was invoked.\n");
      else if (format === "text") terminal.err(await extentLine(history));
      return listed.length === 0 ? exitCodes.nothing : exitCodes.good;
    } finally {
      await close();
    }
  },
});

/** Lists trials, oldest first, with the conditions of a query that they can have. */
async function listTrials(
  trials: TrialRecord,
  { skills, since = 0, until = Number.POSITIVE_INFINITY }: RecordQuery,
  limit: number | undefined,
  terminal: Terminal,
): Promise<number> {
  const found = (await trials.list())
    .filter(({ skill }) => skills?.includes(skill) ?? true)
    .filter(({ startedAt }) => startedAt >= since && startedAt < until)
    .slice(0, limit)
    .toReversed();
  const width = terminal.columns;
  if (found.length === 0) terminal.err("No manifest was tried.\n");
  else if (width !== undefined) terminal.paint(paintedTable(found, trialColumns, { width }));
  else {
    for (const trial of found) {
      const [, ...facts] = trialColumns.map(({ of }) => of(trial));
      const time = new Date(trial.startedAt).toISOString();
      terminal.out(`${factsText([time, "trial", ...facts])}\n`);
    }
  }
  return found.length === 0 ? exitCodes.nothing : exitCodes.good;
}

function asText(
  records: readonly InvocationRecord[],
  format: LogFormat,
  width?: number,
): readonly Piece[] {
  switch (format) {
    case "text":
      if (width === undefined || records.length === 0) return records.flatMap(lineOf);
      return paintedTable(records, columnsFor(records), { width, dispensable: ["COST", "TOOK"] });
    case "json":
    case "jsonl":
      return [recordsAsJsonLines(records)];
    case "csv":
      return [recordsAsCsv(records)];
  }
}

const statusColors: Readonly<Record<InvocationStatus, Color>> = {
  running: "yellow",
  success: "green",
  "not executed": "red",
  error: "red",
  blocked: "red",
  refused: "red",
  "not sent": "yellow",
  cancelled: "yellow",
  "outcome unknown": "yellow",
};

/** The columns of the table on a terminal. A file or another program gets a line for each invocation instead. */
const columns: readonly TableColumn<InvocationRecord>[] = [
  { head: "TIME", of: ({ startedAt }) => localMinute(startedAt) },
  { head: "BY", of: callerWord },
  { head: "SKILL", of: skillOf },
  { head: "STATUS", of: statusOf, color: ({ status }) => statusColors[status] },
  { head: "TOOK", of: tookOf, isNumber: true },
  { head: "COST", of: costOf, isNumber: true },
  { head: "PROFILE", of: profileOf },
  { head: "ID", of: shownId },
];

const trialColumns: readonly TableColumn<KeptTrial>[] = [
  { head: "TIME", of: ({ startedAt }) => localMinute(startedAt) },
  { head: "SKILL", of: ({ skill, version }) => addressText(skill, version) },
  { head: "STATUS", of: ({ status }) => status, color: ({ status }) => statusColors[status] },
  { head: "TOOK", of: ({ durationMs }) => durationText(durationMs, english), isNumber: true },
  { head: "ADDRESS", of: ({ address }) => address },
];

/** Omits the profile if all records have the same. */
function columnsFor(records: readonly InvocationRecord[]): typeof columns {
  const isOne = records.every(({ profile }) => profile === records[0]?.profile);
  return isOne ? columns.filter(({ of }) => of !== profileOf) : columns;
}

function lineOf(record: InvocationRecord): readonly Piece[] {
  const before = [new Date(record.startedAt).toISOString(), callerOf(record), skillOf(record)];
  const profile = record.profile === commandLineProfile ? "" : profileOf(record);
  const after = [tookOf(record), costOf(record), shownId(record), profile];
  return [
    `${factsText(before)}  `,
    { text: oneLine(statusOf(record), 200), color: statusColors[record.status] },
    `  ${factsText(after)}\n`,
  ];
}

function callerOf({ caller }: InvocationRecord): string {
  return caller.name ?? caller.kind;
}

/** Names a caller as `--caller` accepts it, and an agent also by its own name. */
function callerWord({ caller: { kind, name } }: InvocationRecord): string {
  return isAgent(kind) && name !== undefined ? `${kind} (${name})` : kind;
}

function profileOf({ profile }: InvocationRecord): string {
  return profileText(profile, english);
}

function skillOf({ skillSlug, version }: InvocationRecord): string {
  return addressText(skillSlug, version);
}

function statusOf(record: InvocationRecord): string {
  const ending = endingText(record, english);
  return record.code === undefined ? ending : `${ending} (${record.code})`;
}

function tookOf(record: InvocationRecord): string {
  return isOver(record) ? durationText(record.durationMs, english) : "";
}

function costOf(record: InvocationRecord): string {
  return costText(record, english);
}

function factsText(facts: readonly string[]): string {
  return facts
    .filter((fact) => fact !== "")
    .map((fact) => oneLine(fact, 200))
    .join("  ");
}

async function showInvocation(
  id: string,
  format: LogFormat,
  history: InvocationHistory,
  terminal: Terminal,
): Promise<number> {
  const records = recordsWithId(await history.list({ idStart: startOfId(id) }), id);
  const [record] = records;
  const shown = oneLine(id, 80);
  if (record === undefined) {
    // A registry's own ID may be that short, so a short ID is no error by itself.
    const isShort = startOfId(id).length < minIdLength;
    const rule = isShort ? ` The beginning of an ID needs ${minIdLength} characters.` : "";
    throw new CommandError(`There is no invocation "${shown}".${rule}`, exitCodes.nothing);
  }
  if (records.length > 1) {
    throw new CommandError(`The IDs of ${records.length} invocations begin with "${shown}".`);
  }
  const texts = await history.texts(record.id);
  if (terminal.columns === undefined || format === "json") {
    terminal.out(`${JSON.stringify({ ...record, ...texts }, null, 2)}\n`);
  } else {
    terminal.paint(invocationText(record, texts));
  }
  return exitCodes.good;
}

/** Describes one invocation for a person, with payload and output as indented JSON if they were kept. */
function invocationText(
  record: InvocationRecord,
  { inputText, outputText }: InvocationTexts = {},
): readonly Piece[] {
  const { registry, environment, projectSlug, message, invocationId, startedAt, status } = record;
  const facts = [
    ["Message", message],
    ["Time", localMinute(startedAt)],
    ["By", callerWord(record)],
    ["Took", tookOf(record)],
    ["Cost", costOf(record)],
    ["Registry", registry],
    ["Environment", environment],
    ["Project", projectSlug],
    ["Profile", profileOf(record)],
    ["Invocation ID", invocationId],
    ["Record", record.id],
  ].flatMap(([name, fact]) => (fact ? [`${`${name}:`.padEnd(15)}${oneLine(fact, 1000)}\n`] : []));
  const kept = [
    ["Payload", inputText],
    ["Output", outputText],
  ].flatMap(([name, text]) =>
    text === undefined ? [] : [`\n${name}:\n${revealHidden(indented(text))}\n`],
  );
  return [
    `${oneLine(skillOf(record), 200)}  `,
    { text: oneLine(statusOf(record), 200), color: statusColors[status] },
    "\n",
    ...facts,
    ...kept,
  ];
}

/** Indents JSON without changing its values; leaves any other text as it is. */
function indented(text: string): string {
  return parsedJson(text) === undefined ? text : runSync(prettyJsonChunked(text, Infinity)).text;
}

/** The number of newest records that each update reads. Fewer invocations end between two updates. */
const maxNewRecords = 1_000;

/** Lists invocations as they end, until the user cancels. Rejects once the record cannot be read. */
async function follow(
  history: InvocationHistory,
  listed: readonly InvocationRecord[],
  query: RecordQuery,
  format: LogFormat,
  { paint, signal, columns: width }: Terminal,
): Promise<void> {
  const ended = (records: readonly InvocationRecord[]) => records.filter(isOver);
  const listedIds = new Set(ended(listed).map(({ id }) => id));
  const listNew = async () => {
    const newest = await history.list({ ...query, limit: maxNewRecords });
    const fresh = ended(newest).filter(({ id }) => !listedIds.has(id));
    for (const { id } of fresh) listedIds.add(id);
    paint(asText(fresh.toReversed(), format, width));
  };
  let subscription = { dispose: (): void => undefined };
  const failing = new Promise<void>((_, reject) => {
    subscription = history.onDidChange(() => void listNew().catch(reject));
  });
  try {
    // Catch up on invocations that ended before the subscription.
    await Promise.race([listNew(), failing]);
    await orAbort(failing, signal);
  } finally {
    subscription.dispose();
  }
}
