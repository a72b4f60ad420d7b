import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "mocha";
import { InvocationStore } from "../../../src/engine/record/invocationStore";
import { itInWholeSuite } from "../../fixtures/wholeSuite";
import { windowProgram } from "../../fixtures/windowProgram";

const windows = 4;
const killedAfter = 60;

/** Makes call after call, as a window does: a running record, then the finished one, with a large output. */
const windowSource = `
  import { newRecordId } from "src/core/invocation/record/invocationRecord";
  import { InvocationStore } from "src/engine/record/invocationStore";
  const [folder, name] = process.argv.slice(2);
  const store = new InvocationStore(folder);
  const outputText = JSON.stringify("x".repeat(200_000));
  for (let call = 1; ; call += 1) {
    const startedAt = Date.now();
    const facts = {
      format: 1, id: newRecordId(startedAt, name + String(call).padStart(6, "0")), startedAt,
      endsBefore: startedAt + 600_000, registry: "built-in", skillSlug: "text-stats",
      version: "1.0.0", durationMs: 1, pid: process.pid,
      caller: { kind: "person" }, profile: "Test Editor",
    };
    await store.write({ ...facts, status: "running", ran: "unknown" }, { inputText: "{}" });
    await store.write({ ...facts, status: "success", ran: "yes" }, { inputText: "{}", outputText });
    await store.retain({ maxEntries: 100_000, since: 0 });
    process.stdout.write(call + "\\n");
  }
`;

describe("windows that invoke at the same time and are killed", () => {
  let folder: string;
  let program: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "killed-"));
    program = await windowProgram(windowSource, folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  itInWholeSuite(
    "lose at most the invocation that was running, which shows as unknown",
    async () => {
      const record = join(folder, "invocations");
      const finished = await Promise.all(
        Array.from({ length: windows }, (_, index) => runAndKill(program, record, `w${index}`)),
      );
      const { records, damaged } = await new InvocationStore(record).list(100_000);
      assert.deepEqual(damaged, []);
      for (const [index, count] of finished.entries()) {
        const own = records.filter(({ id }) => id.includes(`-w${index}`));
        const ended = own.filter(({ status }) => status === "success").length;
        const unknown = own.filter(({ status }) => status === "outcome unknown").length;
        assert.ok(ended >= count, `${ended} of ${count} calls of window ${index} are on record`);
        assert.ok(unknown <= 1, `${unknown} calls of window ${index} are unknown`);
        assert.equal(own.length, ended + unknown);
      }
      const halves = (await readdir(record)).filter((name) => name.endsWith(".tmp"));
      assert.ok(halves.length <= windows);
    },
  );
});

/** Runs a window until it made some calls and kills it in the middle of the next. Resolves to how many it finished. */
async function runAndKill(program: string, folder: string, name: string): Promise<number> {
  const child: ChildProcess = spawn(process.execPath, [program, folder, name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let finished = 0;
  child.stdout?.on("data", (text: Buffer) => {
    finished = Number(text.toString("utf8").trim().split("\n").at(-1));
    if (finished >= killedAfter) child.kill("SIGKILL");
  });
  await once(child, "close");
  return finished;
}
