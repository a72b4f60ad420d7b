import { strict as assert } from "node:assert";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { connect } from "node:net";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { describe, it } from "mocha";
import { eventually } from "../../editor/eventually";

/** A program that listens on a port and prints it. */
const listener =
  'require("node:net").createServer().listen(0, "127.0.0.1", function () { console.log(this.address().port); });';

/** Starts that program and creates a folder, both for its own lifetime; prints port and folder. */
const owner = `
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProcesses } from ${JSON.stringify(pathToFileURL(resolve("scripts/editor/startProcesses.mjs")).href)};
const processes = startProcesses();
const folder = mkdtempSync(join(tmpdir(), "owner-"));
processes.removeAtEnd(folder);
const child = processes.start(process.execPath, ["-e", ${JSON.stringify(listener)}]);
child.stdout.once("data", (port) => console.log(JSON.stringify({ port: Number(port), folder })));
process.once("SIGTERM", () => processes.end());
`;

describe("the processes of a test host", () => {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    it(`end with their owner when it gets ${signal}`, async () => {
      const child = spawn(process.execPath, ["--input-type=module", "-e", owner], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const { port, folder } = await firstLine(child);
      assert.equal(await isOpen(port), true);
      child.kill(signal);
      await eventually("the port closed", async () => !(await isOpen(port)));
      await eventually("the folder gone", () => stat(folder).then(notYet, () => true));
    });
  }
});

async function firstLine(child: ChildProcess): Promise<{ port: number; folder: string }> {
  assert(child.stdout);
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return JSON.parse(line);
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const opened = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return opened;
}

function notYet(): false {
  return false;
}
