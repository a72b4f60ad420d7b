import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { exitCodes } from "../../../core/findings/report";
import {
  type JournalEntry,
  type JournalHead,
  type JournalState,
  missingLines,
  missingShards,
} from "../../../core/invocation/runJournal";
import { CliError, type Command, usageError } from "../../command";
import { isSystemError, readError, writeAll, writeError } from "../../textFile";
import { journalEntries, journalHead, journalState } from "./journalFile";

export const merge: Command = {
  name: "merge",
  operands: "JOURNALS…",
  summary: "Join the journals of shards, one line for each line of the inputs.",
  details: [
    "The results are in the order of the inputs. A line that was started but did not end has the status “outcome unknown”. Shards and lines that are missing are named on standard error, and the exit code is 1.",
  ],
  options: {
    into: {
      value: "FILE",
      text: "Write the results to this file. Must not exist yet. Default: print them.",
    },
  },
  examples: ["skill-registry merge inputs.jsonl.*.journal --into results.jsonl"],
  run: async (given, terminal) => {
    const { operands } = given;
    if (operands.length === 0) throw usageError("merge", "Specify one or more journals.");
    const paths = operands.map((name) => resolve(terminal.cwd, name));
    const heads = await requireSameRun(paths);
    const journals = await Promise.all(paths.map((path) => readJournal(path, terminal.signal)));
    const into = given.text("into");
    const file = into === undefined ? undefined : createResults(resolve(terminal.cwd, into));
    const write = file?.write ?? terminal.out;
    const counts = { lines: 0, unknown: 0 };
    try {
      for await (const { text, isUnknown } of joined(journals)) {
        terminal.signal.throwIfAborted();
        write(`${text}\n`);
        counts.lines += 1;
        if (isUnknown) counts.unknown += 1;
      }
      file?.finish();
    } finally {
      file?.close();
    }
    terminal.err(`${counts.lines} lines, ${counts.unknown} with unknown outcome.\n`);
    const missing = missingTexts(heads, journals);
    for (const text of missing) terminal.err(`${text}\n`);
    if (missing.length > 0) return exitCodes.findings;
    return counts.lines === 0 ? exitCodes.nothing : exitCodes.good;
  },
};

/** Says which shards have no journal, and which journals end before their last line. */
function missingTexts(
  heads: readonly JournalHead[],
  journals: readonly Journal[],
): readonly string[] {
  const shards = missingShards(heads.map(({ shard }) => shard));
  const ends = journals.flatMap(({ path, state }) => {
    const missing = missingLines(state);
    const { lastLine, last, lines } = state;
    const done = last === "notRun" ? lastLine - 1 : lastLine;
    return missing === 0
      ? []
      : [`Missing: ${missing} of ${lines} lines of ${basename(path)}, all after line ${done}.`];
  });
  return shards.length === 0
    ? ends
    : [`Missing: ${shards.length === 1 ? "shard" : "shards"} ${shards.join(", ")}.`, ...ends];
}

interface Journal {
  readonly path: string;
  readonly state: JournalState;
  /** The last outcome of the lines that were sent again, each as it stands in the journal; undefined without one. */
  readonly again: ReadonlyMap<number, Outcome | undefined>;
}

/** What a journal says of a line last. */
interface Outcome {
  readonly entry: Exclude<JournalEntry, { readonly kind: "planned" }>;
  readonly text: string;
}

/** Reads how a journal stands, and what became of lines that stand in it out of order. */
async function readJournal(path: string, signal: AbortSignal): Promise<Journal> {
  const again = new Map<number, Outcome | undefined>();
  const state = await journalState(path, (entry, text) => {
    signal.throwIfAborted();
    if (entry.kind === "again") again.set(entry.line, undefined);
    else if (entry.kind === "ended" && again.has(entry.line))
      again.set(entry.line, { entry, text });
  });
  return { path, state, again };
}

async function requireSameRun(paths: readonly string[]): Promise<readonly JournalHead[]> {
  const heads = await Promise.all(
    paths.map((path) =>
      journalHead(path).catch((error: unknown) => {
        throw isSystemError(error) ? readError(path, error) : error;
      }),
    ),
  );
  for (const name of ["skill", "version", "registry"] as const) {
    const values = new Set(heads.map((head) => head[name]));
    if (values.size > 1) {
      throw new CliError(
        `These journals belong to different runs: ${name} is ${[...values].join(" and ")}.`,
      );
    }
  }
  return heads;
}

interface Result {
  readonly line: number;
  readonly text: string;
  readonly isUnknown: boolean;
}

/** Joins journals, each of which is in the order of the inputs, with one result of each in memory. */
async function* joined(journals: readonly Journal[]): AsyncGenerator<Result> {
  const open = await Promise.all(
    journals.map(async (journal) => {
      const results = lineResults(journal);
      return { path: journal.path, results, next: await results.next() };
    }),
  );
  let lastLine = 0;
  for (;;) {
    const left = open.filter(({ next }) => next.done !== true);
    const first = left.reduce<(typeof left)[number] | undefined>(
      (best, one) => (best === undefined || lineOf(one.next) < lineOf(best.next) ? one : best),
      undefined,
    );
    if (first === undefined || first.next.done === true) return;
    const { value } = first.next;
    if (value.line === lastLine) {
      throw new CliError(`Line ${value.line} is in two journals. One of them is ${first.path}.`);
    }
    lastLine = value.line;
    yield value;
    first.next = await first.results.next();
  }
}

function lineOf(next: IteratorResult<Result, void>): number {
  return next.done === true ? Number.POSITIVE_INFINITY : next.value.line;
}

/** The last that a journal says of each line. */
async function* lineResults({ path, again }: Journal): AsyncGenerator<Result, void> {
  let last: Outcome | undefined;
  let lastLine = 0;
  for await (const { entry, text } of journalEntries(path)) {
    if (entry.kind === "planned" || entry.line < lastLine) continue;
    if (last !== undefined && last.entry.line !== entry.line) yield resultOf(last, again);
    last = { entry, text };
    lastLine = entry.line;
  }
  if (last !== undefined) yield resultOf(last, again);
}

function resultOf(last: Outcome, again: Journal["again"]): Result {
  const { line } = last.entry;
  const { entry, text } = again.get(line) ?? last;
  const isKnown = entry.kind === "ended" || (entry.kind === "notRun" && !again.has(line));
  if (isKnown) return { line, text, isUnknown: entry.status === "outcome unknown" };
  const unknown = { kind: "ended", line, status: "outcome unknown" };
  return { line, text: JSON.stringify(unknown), isUnknown: true };
}

/**
 * Writes a file that gets its name when it is whole, since half of the results would be taken for all of them. `close`
 * leaves nothing of one that was not finished. Throws a `CliError` where it is there already or cannot be written.
 */
function createResults(path: string) {
  const beside = `${path}.${process.pid}.tmp`;
  const attempt = <Value>(work: () => Value): Value => {
    try {
      return work();
    } catch (error) {
      throw isSystemError(error) ? writeError(path, error) : error;
    }
  };
  const requireNone = () => {
    if (existsSync(path)) {
      throw new CliError(`${path} already exists. Delete it or choose another path.`);
    }
  };
  requireNone();
  const file = attempt(() => openSync(beside, "w", 0o600));
  return {
    write: (text: string) => attempt(() => writeAll(file, text)),
    finish: () => {
      requireNone();
      attempt(() => renameSync(beside, path));
    },
    close: () => {
      closeSync(file);
      rmSync(beside, { force: true });
    },
  };
}
