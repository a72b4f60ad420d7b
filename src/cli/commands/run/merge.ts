import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { exitCodes } from "../../../core/findings/report";
import type { JournalEntry } from "../../../core/invocation/runJournal";
import { CliError, type Command, usageError } from "../../command";
import { isSystemError, readError, writeAll, writeError } from "../../textFile";
import { journalEntries, journalHead } from "./journalFile";

export const merge: Command = {
  name: "merge",
  operands: "JOURNALS…",
  summary: "Join the journals of shards, one line for each line of the inputs.",
  details: [
    "The results are in the order of the inputs. A line that was started but did not end has the status “outcome unknown”.",
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
    await requireSameRun(paths);
    const into = given.text("into");
    const file = into === undefined ? undefined : createResults(resolve(terminal.cwd, into));
    const write = file?.write ?? terminal.out;
    const counts = { lines: 0, unknown: 0 };
    try {
      for await (const { text, isUnknown } of joined(paths)) {
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
    return counts.lines === 0 ? exitCodes.nothing : exitCodes.good;
  },
};

async function requireSameRun(paths: readonly string[]): Promise<void> {
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
}

interface Result {
  readonly line: number;
  readonly text: string;
  readonly isUnknown: boolean;
}

/** Joins journals, each of which is in the order of the inputs, with one result of each in memory. */
async function* joined(paths: readonly string[]): AsyncGenerator<Result> {
  const open = await Promise.all(
    paths.map(async (path) => {
      const results = lineResults(path);
      return { path, results, next: await results.next() };
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
async function* lineResults(path: string): AsyncGenerator<Result, void> {
  let last: { readonly entry: JournalEntry; readonly text: string } | undefined;
  for await (const next of journalEntries(path)) {
    if (last !== undefined && last.entry.line !== next.entry.line) yield resultOf(last);
    last = next;
  }
  if (last !== undefined) yield resultOf(last);
}

function resultOf({
  entry,
  text,
}: {
  readonly entry: JournalEntry;
  readonly text: string;
}): Result {
  const { line } = entry;
  if (entry.kind !== "started") {
    return { line, text, isUnknown: entry.status === "outcome unknown" };
  }
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
