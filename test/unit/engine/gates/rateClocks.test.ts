import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "mocha";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import { RateClocks } from "../../../../src/engine/gates/rateClock";
import { windowProgram } from "../../../fixtures/windowProgram";

const limit = 5;
const windows = 4;

/** Waits until all windows are there, then claims places one after the other, and says how many it got. */
const windowSource = `
  import { once } from "node:events";
  import { RateClocks } from "src/engine/gates/rateClock";
  const clocks = new RateClocks(process.argv[2]);
  process.stdout.write("ready\\n");
  await once(process.stdin, "data");
  const scope = { registry: "built-in", project: "p", skillSlug: "s" };
  let got = 0;
  for (let tries = 0; tries < ${limit}; tries += 1) {
    if ((await clocks.claim(scope, Date.now())) === 0) got += 1;
  }
  process.stdout.write(String(got) + "\\n");
  process.exit(0);
`;

describe("the rate of invocations over all windows", () => {
  let folder: string;
  let path: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "rate-"));
    path = join(folder, "rateClock.json");
  });
  beforeEach(() => rm(path, { force: true }));
  after(() => rm(folder, { recursive: true, force: true }));

  const scope = { registry: "built-in", project: "p", skillSlug: "s" };
  const claim = (now = Date.now()) => new RateClocks(path).claim(scope, now);
  const note = (outcome: InvocationOutcome, sentAt = Date.now()) =>
    new RateClocks(path).noteOutcome(scope, outcome, sentAt);
  const success = {
    kind: "success",
    acceptedNotRun: false,
    outputText: "1",
    durationMs: 1,
  } as const;

  it("is kept exactly by windows that invoke at the same moment", async () => {
    const known = { ...scope, calls: [], limit };
    await writeFile(path, JSON.stringify([known]));
    const program = await windowProgram(windowSource, folder);
    const running = Array.from({ length: windows }, () => {
      const child = spawn(process.execPath, [program, path], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      const lines: string[] = [];
      const ready = new Promise<void>((resolve) => {
        child.stdout.on("data", (text: Buffer) => {
          lines.push(...text.toString().trim().split("\n"));
          resolve();
        });
      });
      const places = new Promise<number>((resolve) => {
        child.once("close", () => resolve(Number(lines.at(-1))));
      });
      return { child, ready, places };
    });
    await Promise.all(running.map(({ ready }) => ready));
    for (const { child } of running) child.stdin.write("go\n");
    const places = await Promise.all(running.map((window) => window.places));
    assert.equal(
      places.reduce((sum, got) => sum + got, 0),
      limit,
    );
    assert.ok((await claim()) > 0);
  });

  it("gives a place back for an invocation that never left", async () => {
    await writeFile(path, JSON.stringify([{ ...scope, calls: [], limit: 1 }]));
    const sentAt = Date.now();
    assert.equal(await claim(sentAt), 0);
    assert.ok((await claim()) > 0);
    await note({ kind: "notSent", failure: { kind: "cancelled" } }, sentAt);
    assert.equal(await claim(), 0);
  });

  it("still holds when an invocation that left before a refusal is taken after it", async () => {
    const sentAt = Date.now() - 1000;
    const refusal = { kind: "refused", reason: "rateLimit", status: 429, durationMs: 1 } as const;
    assert.equal(await note({ ...refusal, retryAfterSeconds: 42 }), 42);
    await note(success, sentAt);
    assert.ok((await claim()) > 20);
  });

  it("holds the next invocation where the registry says that this was the last it takes now", async () => {
    await note({ ...success, pauseSeconds: 30 });
    assert.ok((await claim()) > 10);
  });
});
