import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { describe, it } from "mocha";

/** A program that starts another one, which computes for 300 ms and reports that; then both wait. */
const starter = `
const busy = "while (process.cpuUsage().user < 3e5); console.log(1); setInterval(() => {}, 1e6);";
require("node:child_process").spawn(process.execPath, ["-e", busy], { stdio: ["ignore", "inherit", "inherit"] })
  .on("spawn", function () { console.log(this.pid); });
`;

describe("the processor time of a stage", () => {
  it("includes processes that outlived their parent", async function () {
    if (!existsSync("/proc/self/stat")) this.skip();
    const module = pathToFileURL(resolve("scripts/suite/processorTime.mjs")).href;
    const { followProcessorTime } = await import(module);
    const processors = followProcessorTime();
    const child = spawn(process.execPath, ["-e", starter], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const grandchild = Number((await lines.next()).value);
    await lines.next();
    try {
      assert.ok(processors.secondsOf(child.pid) >= 0.3);
      child.kill("SIGKILL");
      await once(child, "exit");
    } finally {
      process.kill(grandchild, "SIGKILL");
    }
    assert.ok(processors.secondsOf(child.pid) >= 0.3);
    processors.stop();
  });
});
