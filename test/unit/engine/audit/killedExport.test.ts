import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "mocha";
import { otlpIds } from "../../../../src/core/audit/otlpExport";
import { AuditExport } from "../../../../src/engine/audit/auditExport";
import { sha256 } from "../../../../src/engine/sha256";
import { postToCollector } from "../../../../src/registry/routes/postToCollector";
import { openTestStore } from "../../../fixtures/machineStore";
import { httpAnswer, startRawServer } from "../../../fixtures/network/rawServer";
import { plainNetwork } from "../../../fixtures/registries/clientFor";
import { itInWholeSuite } from "../../../fixtures/wholeSuite";
import { windowProgram } from "../../../fixtures/windowProgram";

const killedAfter = 40;

/** Notes start and end of one invocation after another, and prints the ID of each once its start is noted. */
const source = `
  import { invocationEvent } from "src/core/audit/auditEvent";
  import { AuditExport } from "src/engine/audit/auditExport";
  import { openTestStore, startSame } from "test/fixtures/machineStore";
  const [folder] = process.argv.slice(2);
  const target = { url: "http://x/", headers: {}, timeoutSeconds: 1, isCompressed: false };
  const address = { targets: { traces: target, logs: target }, resource: {} };
  const { store } = openTestStore(folder);
  const audit = new AuditExport({
    store,
    folder, version: "1", settings: () => address, redact: (text) => text, report: () => undefined,
    post: async () => ({ kind: "failed" }),
  });
  for (let call = 1; ; call += 1) {
    const skill = { registry: "built-in", skillSlug: "text-stats", version: "1.0.0" };
    const record = await startSame(store, { ...skill, inputText: String(call) }, 600_000);
    await audit.note(invocationEvent(record));
    process.stdout.write(record.id + "\\n");
    await audit.note(invocationEvent({ ...record, status: "success", ran: "yes" }));
  }
`;

describe("the audit export of a killed program", () => {
  let folder: string;
  let program: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "killed-export-"));
    program = await windowProgram(source, folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  itInWholeSuite(
    "has every invocation that started, with the same ID, however it is received",
    async () => {
      const machine = join(folder, "machine");
      const started = [
        ...(await runAndKill(program, machine)),
        ...(await runAndKill(program, machine)),
      ];
      let count = 0;
      const complete = new Set<string>();
      const receiver = await startRawServer((socket, request) => {
        count += 1;
        // Every third request gets no response, as if the program were killed at that moment.
        if (count % 3 === 1) return socket.resetAndDestroy();
        const ids = [...request.matchAll(/"spanId":"([0-9a-f]{16})"/g)].map(([, id = ""]) => id);
        for (const id of ids) complete.add(id);
        return socket.write(httpAnswer(200, "{}"));
      });
      const target = { headers: {}, timeoutSeconds: 10, isCompressed: false };
      const settings = {
        targets: {
          traces: { ...target, url: `${receiver.baseUrl}/t` },
          logs: { ...target, url: `${receiver.baseUrl}/l` },
        },
        resource: {},
      };
      const { store, close } = openTestStore(machine);
      const parts = { store, folder: machine, version: "1", settings: () => settings };
      for (let run = 0; run < 6; run += 1) {
        const next = new AuditExport({
          ...parts,
          post: (to, body, signal) => postToCollector(to, body, plainNetwork, signal),
          redact: (text) => text,
          report: () => undefined,
        });
        next.wake();
        await next.finish(30_000);
      }
      await receiver.close();
      await close();
      const expected = started.map((id) => otlpIds(id, sha256).spanId);
      assert.ok(started.length >= 2 * killedAfter);
      const lost = expected.filter((id) => !complete.has(id));
      assert.deepEqual(lost, []);
      // The killed program may have noted a start without printing its ID.
      assert.ok(complete.size <= expected.length + 2);
    },
  );
});

/** Runs the program and kills it in the middle. Resolves to the invocations that it started. */
async function runAndKill(path: string, folder: string): Promise<readonly string[]> {
  const child = spawn(process.execPath, [path, folder], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (part: Buffer) => {
    text += part.toString("utf8");
    if (text.split("\n").length > killedAfter) child.kill("SIGKILL");
  });
  await once(child, "close");
  return text.split("\n").slice(0, -1);
}
