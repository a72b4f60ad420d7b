import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { exitCodes } from "../../../core/findings/report";
import { abandonedFacts } from "../../../core/invocation/outcome";
import { type JournalHead, readJournalEntry } from "../../../core/invocation/run/journalEntry";
import {
  isUncertain,
  type JournalState,
  missingLines,
} from "../../../core/invocation/run/runJournal";
import { missingShards } from "../../../core/invocation/run/shard";
import { command } from "../../command";
import { isSystemError, readError, writeAll, writeError } from "../../files/textFile";
import { CliError, UsageError } from "../../terminal";
import { journalHead, journalState } from "./journalFile";

export const merge = command({
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
  examples: [["Join shards", "skill-registry merge inputs.jsonl.*.journal --into results.jsonl"]],
  run: async ({ operands, options }, terminal) => {
    if (operands.length === 0) throw new UsageError("Specify one or more journals.");
    const paths = operands.map((name) => resolve(terminal.cwd, name));
    const heads = await requireSameRun(paths);
    const journals = await Promise.all(paths.map((path) => readJournal(path, terminal.signal)));
    const { into } = options;
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
});

/** Says which shards have no journal, and which journals end before their last line. */
function missingTexts(
  heads: readonly JournalHead[],
  journals: readonly Journal[],
): readonly string[] {
  const shards = missingShards(heads.map(({ shard }) => shard));
  const ends = journals.flatMap(({ path, state }) => {
    const missing = missingLines(state);
    return missing === 0
      ? []
      : [
          `Missing: ${missing} of ${state.lines} lines of ${basename(path)}. Continue its run with --resume.`,
        ];
  });
  return shards.length === 0
    ? ends
    : [`Missing: ${shards.length === 1 ? "shard" : "shards"} ${shards.join(", ")}.`, ...ends];
}

interface Journal {
  readonly path: string;
  readonly state: JournalState;
  /** What it says of each line last, in the order of the lines. */
  readonly outcomes: readonly (readonly [line: number, outcome: Outcome])[];
}

/** Where in a journal the end of a line stands, in bytes; undefined for an outcome that is unknown. */
type Outcome = { readonly at: number; readonly length: number } | undefined;

/** Reads how a journal stands, and where it says what became of each line: lines end in any order. */
async function readJournal(path: string, signal: AbortSignal): Promise<Journal> {
  const outcomes = new Map<number, Outcome>();
  const again = new Set<number>();
  const state = await journalState(path, (entry, { bytes, at }) => {
    signal.throwIfAborted();
    if (!("line" in entry)) return;
    const { kind, line } = entry;
    if (kind === "again") again.add(line);
    // Of a line that was sent again, it is not known what became of it before.
    const isKnown = kind === "ended" || (kind === "notRun" && !again.has(line));
    outcomes.set(line, isKnown ? { at, length: bytes.length } : undefined);
  });
  return { path, state, outcomes: [...outcomes].sort(([one], [other]) => one - other) };
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

/** Joins journals in the order of the inputs, with one result of each in memory. */
async function* joined(journals: readonly Journal[]): AsyncGenerator<Result> {
  const sources = await Promise.all(
    journals.map(async (journal) => {
      const results = lineResults(journal);
      return { path: journal.path, results, next: await results.next() };
    }),
  );
  let lastLine = 0;
  try {
    for (;;) {
      const left = sources.filter(({ next }) => next.done !== true);
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
  } finally {
    await Promise.all(sources.map(({ results }) => results.return()));
  }
}

function lineOf(next: IteratorResult<Result, void>): number {
  return next.done === true ? Number.POSITIVE_INFINITY : next.value.line;
}

/** The last that a journal says of each line, read from where it stands. */
async function* lineResults({ path, outcomes }: Journal): AsyncGenerator<Result, void> {
  const file = await open(path);
  try {
    for (const [line, outcome] of outcomes) {
      if (outcome === undefined) {
        const unknown = { kind: "ended", line, ...abandonedFacts };
        yield { line, text: JSON.stringify(unknown), isUnknown: true };
        continue;
      }
      const { at, length } = outcome;
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, at);
      const text = buffer.toString("utf8");
      const entry = readJournalEntry(text);
      const isUnknown = entry?.kind === "ended" && isUncertain(entry);
      yield { line, text, isUnknown };
    }
  } finally {
    await file.close();
  }
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
