import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { type BatchOutputs, runBatch } from "../../../src/batch/batchRun";
import { inputLines, shortDigest } from "../../../src/batch/inputLines";
import { Journal } from "../../../src/batch/journal";
import {
  type InputLine,
  type LineDispatcher,
  lineDispatcher,
} from "../../../src/batch/lineDispatcher";
import { readJournal } from "../../../src/batch/readJournal";
import { OrderedResults } from "../../../src/batch/results";
import { CommandError } from "../../../src/core/findings/commandError";
import type { JournalEntry } from "../../../src/core/invocation/run/journalEntry";
import type { LineResult } from "../../../src/core/invocation/run/lineResult";
import { sha256 } from "../../../src/engine/sha256";

const head = { journal: 1, skill: "a", version: "1.0.0", registry: "built-in", shard: "" } as const;
const texts = ['{"of":1}', '{"of":2}', '{"of":3}', '{"of":4}'];
const success: LineResult = {
  next: "ended",
  facts: { status: "success", ran: "yes", cents: 2, currency: "USD" },
  outputText: "1",
  waitSeconds: 0,
};
const notSent: LineResult = {
  ...{ next: "hold", facts: { status: "cancelled", ran: "no" }, waitSeconds: 0 },
};
const never = new AbortController().signal;

describe("a run of lines", () => {
  let folder: string;
  let journal: Journal | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "lines-"));
  });
  afterEach(async () => {
    await journal?.close();
    journal = undefined;
    await rm(folder, { recursive: true });
  });

  /** Options of a run besides its dispatcher. */
  interface Setting {
    readonly refuses?: (entry: JournalEntry) => boolean;
    readonly flush?: () => Promise<void>;
    readonly maxCents?: number;
    readonly maxWait?: number;
    readonly results?: string[];
    readonly signal?: AbortSignal;
    readonly said?: string[];
    /** The second line after the lines were checked. */
    readonly changed?: string;
  }

  async function run(dispatcher: LineDispatcher, setting: Setting = {}) {
    const { refuses = () => false, maxCents, maxWait = 600, results, signal = never } = setting;
    const inputs = join(folder, "a.jsonl");
    const { changed = texts[1] ?? "" } = setting;
    await writeFile(inputs, texts.with(1, changed).join("\n"));
    const opened = await Journal.open(join(folder, "a.journal"), head, true);
    journal = opened;
    const note = opened.note.bind(opened);
    opened.note = (entry, output) => {
      if (refuses(entry)) throw new CommandError("The disk is full.");
      note(entry, output);
    };
    if (setting.flush !== undefined) opened.flush = setting.flush;
    const toSend = texts.map((text) => shortDigest(sha256(text)));
    const ordered = results && new OrderedResults(opened, (text) => results.push(text));
    const screen: BatchOutputs["screen"] = {
      done: () => undefined,
      waits: () => undefined,
      say: (message) => setting.said?.push(message),
    };
    const options = {
      ...{ inputs, inputsName: "a.jsonl", shard: undefined, again: new Set<number>(), toSend },
      ...{ price: { kind: "amount", cents: 2, currency: "USD" } as const, jobs: texts.length },
      ...{ maxCents, maxWait, allowsUnexecuted: false },
    };
    return runBatch(options, dispatcher, { journal: opened, results: ordered, screen }, signal);
  }
  const read = async () => (await readJournal(join(folder, "a.journal"))).state;

  /** Returns a dispatcher that sends all lines at once, as soon as their starts are written. */
  function dispatcherOfAll(left: string[]): LineDispatcher {
    let letAllLeave: () => void;
    const ready = new Promise<void>((resolve) => {
      letAllLeave = resolve;
    });
    let wanted = 0;
    return lineDispatcher(async ({ text }, { beforeSend }) => {
      wanted += 1;
      if (wanted === texts.length) letAllLeave();
      await ready;
      await beforeSend();
      left.push(text);
      return { kind: "ended", result: success };
    }, String);
  }

  it("does not send a line whose start could not be written, but sends the others", async () => {
    const left: string[] = [];
    const refuses = (entry: JournalEntry) => entry.kind === "started" && entry.line === 2;
    await assert.rejects(run(dispatcherOfAll(left), { refuses }), /disk is full/);
    assert.deepEqual(left, [texts[0], texts[2], texts[3]]);
    const { lastLine, notRun, counts, open } = await read();
    assert.deepEqual([lastLine, [...notRun], counts.success, open.size], [4, [2], 3, 0]);
  });

  it("never sends a line whose start the disk did not confirm", async () => {
    const left: string[] = [];
    const flush = () => Promise.reject(new CommandError("The disk is gone."));
    await assert.rejects(run(dispatcherOfAll(left), { flush }), /disk is gone/);
    assert.deepEqual(left, []);
  });

  it("counts a line as unknown if its end could not be written, and never repeats it", async () => {
    const left: string[] = [];
    const refuses = (entry: JournalEntry) => entry.kind === "ended" && entry.line === 2;
    await assert.rejects(run(dispatcherOfAll(left), { refuses }), /disk is full/);
    assert.deepEqual(left, texts);
    const { notRun, counts, open } = await read();
    assert.deepEqual([[...notRun], counts.success, [...open.keys()]], [[], 3, [2]]);
  });

  /** Returns a dispatcher whose lines a test controls. */
  function steered() {
    const sent: {
      readonly line: InputLine;
      readonly hear: Parameters<LineDispatcher["send"]>[1];
    }[] = [];
    let heard: () => void = () => undefined;
    let stops = 0;
    const dispatcher: LineDispatcher = {
      send: (line, hear) => {
        sent.push({ line, hear });
        heard();
      },
      stop: () => {
        stops += 1;
      },
    };
    const reached = async (count: number) => {
      while (sent.length < count) await new Promise<void>((resolve) => (heard = resolve));
    };
    /** Lets a line be sent. */
    const leave = (at: number) =>
      new Promise<void>((resolve, fail) => {
        sent[at]?.hear({ kind: "started", send: resolve, fail });
      });
    /** Resolves when the run has handled all events until now, since it answers them in order. */
    const handled = () =>
      new Promise<boolean>((answer) => sent[0]?.hear({ kind: "held", seconds: 0, answer }));
    return { dispatcher, sent, reached, leave, handled, stops: () => stops };
  }

  it("writes the end of a line once, as soon as the response arrives", async () => {
    const { dispatcher, sent, reached, leave, handled } = steered();
    const running = run(dispatcher);
    await reached(4);
    for (const at of [0, 1, 2, 3]) await leave(at);
    for (const { hear } of sent) hear({ kind: "answered", result: success });
    await handled();
    const { counts, open } = await read();
    assert.deepEqual([counts.success, open.size], [4, 0]);
    for (const { hear } of sent) hear({ kind: "ended", result: success });
    assert.equal(await running, undefined);
    assert.equal((await read()).counts.success, 4);
  });

  it("writes results in line order as they become final", async () => {
    const { dispatcher, sent, reached, leave, handled } = steered();
    const results: string[] = [];
    const running = run(dispatcher, { results });
    await reached(4);
    for (const at of [0, 1, 2, 3]) await leave(at);
    const end = (at: number) => sent[at]?.hear({ kind: "ended", result: success });
    for (const at of [2, 0, 3]) end(at);
    await handled();
    assert.deepEqual(numbers(results), [1]);
    end(1);
    assert.equal(await running, undefined);
    assert.deepEqual(numbers(results), [1, 2, 3, 4]);
    assert.equal(
      results[0],
      '{"line":1,"status":"success","ran":"yes","cents":2,"currency":"USD","output":1}\n',
    );
  });

  it("repeats a line that was certainly not sent, within the cost limit", async () => {
    const { dispatcher, sent, reached, leave } = steered();
    const running = run(dispatcher, { maxCents: 2 });
    await reached(1);
    await leave(0);
    sent[0]?.hear({ kind: "ended", result: notSent });
    await reached(2);
    assert.equal(sent[1]?.line.line, 1);
    await leave(1);
    sent[1]?.hear({ kind: "ended", result: success });
    const stop = await running;
    assert.match(stop?.error.message ?? "", /^Stopped before line 2: .* exceed --max-cents\./);
    assert.equal(sent.length, 2);
  });

  it("waits up to --max-wait for each line, and stops before a longer wait", async () => {
    const { dispatcher, sent, reached } = steered();
    const running = run(dispatcher, { maxWait: 5 });
    await reached(4);
    const waits = (seconds: number) =>
      new Promise<boolean>((answer) => sent[0]?.hear({ kind: "held", seconds, answer }));
    assert.deepEqual([await waits(4), await waits(5), await waits(6)], [true, true, false]);
    for (const { hear } of sent) hear({ kind: "stopped", why: "" });
    const stop = await running;
    assert.match(
      stop?.error.message ?? "",
      /^Stopped before line 1: the rate limit requires a wait of 6 seconds, more than --max-wait 5 allows\./,
    );
  });

  it("stops if a refused line would wait longer than --max-wait", async () => {
    const { dispatcher, sent, reached, leave, stops } = steered();
    const running = run(dispatcher, { maxWait: 5 });
    await reached(4);
    await leave(0);
    const facts = { status: "blocked", ran: "no", reason: "rateLimit" } as const;
    const result: LineResult = { next: "hold", facts, waitSeconds: 6 };
    sent[0]?.hear({ kind: "ended", result });
    for (const { hear } of sent.slice(1)) hear({ kind: "stopped", why: "" });
    assert.match((await running)?.error.message ?? "", /requires a wait of 6 seconds, more than/);
    assert.ok(stops() > 0);
    assert.deepEqual([...(await read()).notRun], [1]);
  });

  it("names the lines that it waits for after a cancellation", async () => {
    const { dispatcher, sent, reached, leave } = steered();
    const [cancel, said] = [new AbortController(), [] as string[]];
    const running = run(dispatcher, { signal: cancel.signal, said });
    await reached(4);
    await leave(2);
    cancel.abort();
    assert.match(said.join(), /^Waiting for the answer to line 3\. Press Ctrl\+C again/);
    for (const at of [0, 1, 3]) sent[at]?.hear({ kind: "stopped", why: "" });
    sent[2]?.hear({ kind: "ended", result: success });
    assert.equal((await running)?.error.message, "Canceled. Continue with --resume.");
  });

  it("ends with the error of a broken dispatcher or a bug, after all sent lines have ended", async () => {
    const { dispatcher, sent, reached, leave } = steered();
    const running = run(dispatcher);
    await reached(4);
    await leave(1);
    sent[0]?.hear({ kind: "failed", error: new Error("a bug") });
    for (const at of [2, 3]) sent[at]?.hear({ kind: "stopped", why: "" });
    sent[1]?.hear({ kind: "ended", result: success });
    await assert.rejects(running, /a bug/);
    assert.equal((await read()).counts.success, 1);
  });

  it("explains on separate lines why it stopped and how to continue, if a line must not be sent", async () => {
    const dispatcher = lineDispatcher(
      async () => ({ kind: "stopped", why: "It may not." }),
      String,
    );
    const stop = await run(dispatcher);
    assert.equal(
      stop?.error.message,
      "Stopped before line 1. It may not.\nContinue with --resume.",
    );
  });

  it("refuses a pipe, whose lines the check would take", async () => {
    const device = { ...{ inputs: "/dev/null", inputsName: "b.jsonl" }, shard: undefined };
    const lines = inputLines({ ...device, again: new Set<number>() });
    await assert.rejects(
      lines.next(),
      /^CommandError: b\.jsonl is not a file that can be read twice/,
    );
  });

  it("never sends a line that changed after its check", async () => {
    const { dispatcher, sent, reached, leave } = steered();
    const running = run(dispatcher, { changed: '{"of":"another"}' });
    await reached(1);
    await leave(0);
    sent[0]?.hear({ kind: "ended", result: success });
    const stop = await running;
    assert.match(
      stop?.error.message ?? "",
      /^Stopped: a\.jsonl changed after its lines were checked/,
    );
    assert.deepEqual(
      sent.map(({ line }) => line.line),
      [1],
    );
  });
});

function numbers(results: readonly string[]): readonly number[] {
  return results.map((text) => JSON.parse(text).line);
}
