import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { journalState, openJournal } from "../../../../../src/cli/commands/run/journalFile";
import { sendLines } from "../../../../../src/cli/commands/run/sendLines";
import { CliError, type Terminal } from "../../../../../src/cli/terminal";
import type { InvocationOutcome } from "../../../../../src/core/invocation/invocation";
import type { Stop } from "../../../../../src/core/invocation/permission/question";
import type { JournalEntry } from "../../../../../src/core/invocation/run/journalEntry";
import type { Asker } from "../../../../../src/engine/asker";
import { sha256 } from "../../../../../src/engine/sha256";
import { endedInvocation } from "../../../../fixtures/pastInvocation";
import { bareSkill } from "../../../../fixtures/skillDetail";

const head = { journal: 1, skill: "a", version: "1.0.0", registry: "built-in", shard: "" } as const;
const texts = ['{"of":1}', '{"of":2}', '{"of":3}', '{"of":4}'];

describe("the lines of a run, where the journal cannot be written", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "lines-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const stops: readonly Stop[] = [
    { kind: "notRecorded" },
    { kind: "noSender" },
    { kind: "registryChanged" },
    { kind: "termsUnknown", failure: { kind: "timeout", seconds: 1 } },
    { kind: "otherVersion", failure: { kind: "notFound" } },
  ];
  for (const stop of stops) {
    it(`says why it stopped and how to go on, each in a line: ${stop.kind}`, async () => {
      const path = join(folder, "a.journal");
      const error = await sendAll(path, () => false, stop).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      const { message } = error as CliError;
      assert.match(message, /^Stopped before line 1\. [^\n]+\.\nContinue with --resume\.$/);
      assert.doesNotMatch(message, /undefined/);
    });
  }

  /** Sends all lines at once, of which each leaves as soon as its start is written. Resolves to those that left. */
  async function sendAll(path: string, refuses: (entry: JournalEntry) => boolean, stop?: Stop) {
    const inputs = join(folder, "a.jsonl");
    await writeFile(inputs, texts.join("\n"));
    const journal = await openJournal(path, head, false);
    const full = new CliError("The disk is full.");
    const left: string[] = [];
    let letAllLeave: () => void;
    const ready = new Promise<void>((resolve) => {
      letAllLeave = resolve;
    });
    let wanted = 0;
    const invoke = async (payload: { text: string }, _signal: AbortSignal, asker: Asker) => {
      if (stop !== undefined) return { kind: "stopped", stop } as const;
      wanted += 1;
      if (wanted === texts.length) letAllLeave();
      await ready;
      await asker.started({} as never);
      left.push(payload.text);
      const outcome = { kind: "success", acceptedNotRun: false, durationMs: 1, outputText: "1" };
      return endedInvocation(outcome as InvocationOutcome);
    };
    const nothing = () => undefined;
    const status = { show: nothing, say: nothing, clear: nothing, end: nothing };
    const series = { invoke };
    const terminal = {
      signal: new AbortController().signal,
      finish: (work: unknown) => work,
    } as unknown as Terminal;
    const sender = {
      ...{ skill: bareSkill, series, asker: { answers: {} } },
      payloadOf: ({ text }: { text: string }) => ({ text }),
    } as unknown as Parameters<typeof sendLines>[0];
    const options = {
      ...{ inputs, inputsName: "a.jsonl", shard: undefined, again: new Set<number>() },
      ...{ status, jobs: texts.length, maxCents: undefined, perMinute: undefined, maxWait: 0 },
      allowsUnexecuted: false,
    };
    const start: typeof journal.start = async (entry) => {
      if (refuses(entry)) throw full;
      await journal.start(entry);
    };
    const note: typeof journal.note = (entry, output) => {
      if (refuses(entry)) throw full;
      journal.note(entry, output);
    };
    try {
      const digests = texts.map(sha256);
      const sending = sendLines(sender, options, digests, { ...journal, start, note }, terminal);
      if (stop === undefined) await assert.rejects(sending, full);
      else throw (await sending) ?? new Error("It did not stop.");
    } finally {
      await journal.close();
    }
    return left;
  }

  it("lets no line leave whose start was not written, and has it sent later though others left after it", async () => {
    const path = join(folder, "a.journal");
    const left = await sendAll(path, (entry) => entry.kind === "started" && entry.line === 2);
    assert.deepEqual(left, [texts[0], texts[2], texts[3]]);
    const { lastLine, notRun, counts, open } = await journalState(path);
    assert.deepEqual([lastLine, [...notRun], counts.success, open.size], [4, [2], 3, 0]);
  });

  it("counts a line as unknown whose end could not be written, and never as one to send", async () => {
    const path = join(folder, "a.journal");
    const left = await sendAll(path, (entry) => entry.kind === "ended" && entry.line === 2);
    assert.deepEqual(left, texts);
    const { notRun, counts, open } = await journalState(path);
    assert.deepEqual([[...notRun], counts.success, [...open.keys()]], [[], 3, [2]]);
  });
});
