import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { before, describe, it } from "mocha";
import { closeMessage, type LocalRegistryReport } from "../../../src/localRegistry/workerMessages";

const outdir = resolve("out/test/localRegistryBundles");
const bundle = (name: string) => resolve(outdir, `${name}.js`);

describe("the registry's bundles", () => {
  let workerBytes = 0;
  before(async () => {
    const built = await build({
      entryPoints: ["localRegistryWorker", "localRegistryCli"].map((name) =>
        resolve(`src/localRegistry/${name}.ts`),
      ),
      outdir,
      bundle: true,
      minify: true,
      platform: "node",
      target: "node22",
      logLevel: "silent",
      metafile: true,
    });
    const sizes = Object.entries(built.metafile.outputs);
    workerBytes = sizes.find(([file]) => file.endsWith("Worker.js"))?.[1].bytes ?? 0;
  });

  it("keep the worker below 250 KB", () => {
    assert.ok(workerBytes > 0 && workerBytes < 250_000, `${workerBytes} bytes`);
  });

  it("report the registry's address, and end on request", async () => {
    const worker = new Worker(bundle("localRegistryWorker"));
    const [report] = (await once(worker, "message")) as [LocalRegistryReport];
    assert.ok("baseUrl" in report);
    assert.match(report.projectKey, /^skh_[0-9a-f]{64}$/);
    const answer = await fetch(`${report.baseUrl}/v1/runtime/invoke`, {
      method: "POST",
      headers: { authorization: `Bearer ${report.projectKey}` },
      body: JSON.stringify({ skillSlug: "text-stats", input: { text: "a" } }),
    });
    assert.equal(answer.status, 200);
    const exited = once(worker, "exit");
    worker.postMessage(closeMessage);
    assert.deepEqual(await exited, [0]);
    await assert.rejects(fetch(`${report.baseUrl}/health`));
  });

  it("listen in the given range while it has a free port", async () => {
    const portRange = await freeRange(2);
    const workers = [1, 2, 3].map(
      () => new Worker(bundle("localRegistryWorker"), { workerData: { portRange } }),
    );
    const reports = await Promise.all(
      workers.map(async (worker) => ((await once(worker, "message")) as [LocalRegistryReport])[0]),
    );
    const ports = reports.map((report) =>
      "baseUrl" in report ? Number(new URL(report.baseUrl).port) : 0,
    );
    assert.deepEqual(ports.filter((port) => portRange.includes(port)).sort(), portRange);
    assert.ok(ports.every((port) => port > 0));
    const exited = workers.map((worker) => once(worker, "exit"));
    for (const worker of workers) worker.postMessage(closeMessage);
    await Promise.all(exited);
  });

  it("report why there is no registry", async () => {
    const first = new Worker(bundle("localRegistryWorker"));
    const [report] = (await once(first, "message")) as [LocalRegistryReport];
    assert.ok("baseUrl" in report);
    const port = Number(new URL(report.baseUrl).port);
    const second = new Worker(bundle("localRegistryWorker"), { workerData: { port } });
    // A worker that ends at once reports its end in the same turn as its last message.
    const exited = [once(first, "exit"), once(second, "exit")];
    const [failure] = (await once(second, "message")) as [LocalRegistryReport];
    assert.ok("error" in failure && /EADDRINUSE/.test(failure.error));
    first.postMessage(closeMessage);
    await Promise.all(exited);
  });

  it("run alone until Ctrl+C", async () => {
    const child = spawn(process.execPath, [bundle("localRegistryCli"), "--port", "0"]);
    let printed = "";
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      printed += chunk;
      if (printed.includes("Ctrl+C")) break;
    }
    const [, baseUrl = ""] = /Registry: +(\S+)/.exec(printed) ?? [];
    assert.match(printed, /Project Key: skh_[0-9a-f]{64}\n/);
    assert.match(printed, /User token: {2}shub_user_[0-9a-f]{64}\n/);
    assert.equal((await fetch(`${baseUrl}/health`)).status, 200);
    const exited = once(child, "exit");
    child.kill("SIGINT");
    assert.deepEqual(await exited, [0, null]);
  });

  for (const wrong of [["--port", "x"], ["--port", "70000"], ["--nothing"]]) {
    it(`reject ${wrong.join(" ")} with a usage line`, async () => {
      const child = spawn(process.execPath, [bundle("localRegistryCli"), ...wrong]);
      let printed = "";
      child.stderr.on("data", (chunk) => {
        printed += chunk;
      });
      assert.deepEqual(await once(child, "close"), [2, null]);
      assert.match(printed, /^Usage: /);
    });
  }
});

/** Finds this many consecutive ports that are free now. */
async function freeRange(count: number): Promise<number[]> {
  for (;;) {
    const first = 29_300 + Math.floor(Math.random() * 400);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return ports;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server, "listening").then(
    () => true,
    () => false,
  );
  server.listen(port, "127.0.0.1");
  const free = await listening;
  server.close();
  return free;
}
