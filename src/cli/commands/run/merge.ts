import { closeSync, openSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { textAt } from "../../../batch/journal";
import { type JournalReading, readJournal } from "../../../batch/readJournal";
import { createResults } from "../../../batch/results";
import { CommandError } from "../../../core/findings/commandError";
import { exitCodes } from "../../../core/findings/report";
import type { JournalHead } from "../../../core/invocation/run/journalEntry";
import { lineText } from "../../../core/invocation/run/lineText";
import { missingLines, settledCounts } from "../../../core/invocation/run/runJournal";
import { missingShards } from "../../../core/invocation/run/shard";
import { command } from "../../command";
import { UsageError } from "../../terminal";

const journalEnding = ".journal";

export const merge = command({
  name: "merge",
  operands: "JOURNALS|INPUTS…",
  summary: "Write the results of a run from its journal, or from those of all shards.",
  details: [
    "For a file of inputs, its journal is read, or the journals of its shards beside it. The results are in the order of the inputs, in the format of `skill-registry run --out`. A line that was started but did not end has the status “outcome unknown”. Shards and lines that are missing, and journals of other inputs, are named on standard error, and the exit code is 1.",
  ],
  options: {
    out: {
      value: "FILE",
      text: "Write the results to this file. Must not exist yet. Default: print them.",
    },
  },
  examples: [
    ["Print the results of a run without --out", "skill-registry merge inputs.jsonl"],
    ["Join shards", "skill-registry merge inputs.jsonl.*.journal --out results.jsonl"],
  ],
  run: async ({ operands, options }, terminal) => {
    if (operands.length === 0)
      throw new UsageError("Specify one or more journals, or the inputs of a run.");
    const given = operands.map((name) => resolve(terminal.cwd, name));
    const paths = (await Promise.all(given.map(journalsOf))).flat();
    const journals: OpenJournal[] = [];
    const { out } = options;
    const file = out === undefined ? undefined : createResults(resolve(terminal.cwd, out));
    const write = file?.write ?? terminal.out;
    try {
      for (const path of paths) {
        const reading = await readJournal(path, terminal.signal);
        journals.push({ ...reading, path, file: openSync(path, "r") });
      }
      requireSameRun(journals.map(({ head }) => head));
      const lines = writeLines(journals, write, terminal.signal);
      file?.finish();
      const unknown = journals.reduce((sum, { state }) => sum + settledCounts(state).unknown, 0);
      terminal.err(`${lines} lines, ${unknown} with unknown outcome.\n`);
      const missing = missingTexts(journals);
      for (const text of missing) terminal.err(`${text}\n`);
      if (missing.length > 0) return exitCodes.findings;
      return lines === 0 ? exitCodes.nothing : exitCodes.good;
    } finally {
      file?.close();
      for (const journal of journals) closeSync(journal.file);
    }
  },
});

/**
 * Returns the journals of a file of inputs that lie beside it: its own, else those of its shards. Returns a journal, or
 * a file without journals, as it is.
 */
async function journalsOf(path: string): Promise<readonly string[]> {
  if (path.endsWith(journalEnding)) return [path];
  const names = await readdir(dirname(path)).catch((): string[] => []);
  const own = `${basename(path)}${journalEnding}`;
  const ofShards = names.filter(
    (name) =>
      name.startsWith(`${basename(path)}.`) &&
      /^\d+-\d+\.journal$/.test(name.slice(basename(path).length + 1)),
  );
  const found = names.includes(own) ? [own] : ofShards.toSorted();
  return found.length === 0 ? [path] : found.map((name) => join(dirname(path), name));
}

interface OpenJournal extends JournalReading {
  readonly path: string;
  readonly file: number;
}

/** Writes the result of each line from the journals, in the order of the inputs. Returns the number of lines. */
function writeLines(
  journals: readonly OpenJournal[],
  write: (text: string) => void,
  signal: AbortSignal,
): number {
  const last = Math.max(...journals.map(({ ranges }) => ranges.last));
  let lines = 0;
  for (let line = 1; line <= last; line += 1) {
    signal.throwIfAborted();
    const [text, twice] = journals.flatMap(({ path, file, ranges, state }) => {
      const range = ranges.get(line);
      const own = lineText(line, range && textAt(file, range), state);
      return own === undefined ? [] : [{ own, path }];
    });
    if (twice !== undefined) {
      throw new CommandError(`Line ${line} is in two journals. One of them is ${twice.path}.`);
    }
    if (text === undefined) continue;
    write(`${text.own}\n`);
    lines += 1;
  }
  return lines;
}

/** Names shards without a journal, journals that end before their last line, and those of other inputs. */
function missingTexts(journals: readonly OpenJournal[]): readonly string[] {
  const shards = missingShards(journals.map(({ head }) => head.shard));
  const known = journals.find(({ state }) => state.inputs !== undefined);
  const ends = journals.flatMap(({ path, state }) => {
    const { inputs } = state;
    if (state.lines === undefined) {
      return [`Missing: all lines of ${basename(path)}. Continue its run with --resume.`];
    }
    if (known !== undefined && inputs !== undefined && inputs !== known.state.inputs) {
      return [
        `${basename(path)} has other inputs than ${basename(known.path)}. Continue both runs with --resume, from the same file.`,
      ];
    }
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

/** Throws a `CommandError` if the journals are of different runs. */
function requireSameRun(heads: readonly JournalHead[]): void {
  for (const name of ["skill", "version", "registry"] as const) {
    const values = new Set(heads.map((head) => head[name]));
    if (values.size > 1) {
      throw new CommandError(
        `These journals belong to different runs: ${name} is ${[...values].join(" and ")}.`,
      );
    }
  }
}
