import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { after, before, describe, it } from "mocha";
import { startTestRegistry } from "../../fixtures/registries/testRegistry";

/** Runs in a separate process: the client as it is shipped, and another extension's `fetch`. */
const script = `
const slots = ["undici.globalDispatcher.1", "undici.globalDispatcher.2"].map((name) => Symbol.for(name));
const held = () => slots.map((slot) => globalThis[slot]);
const network = { proxy: "", noProxy: [], proxySupport: "on", strictSSL: true, proxyAuthorization: "", systemCertificates: true, environment: {} };
const [, , bundle, baseUrl] = process.argv;
const { RegistryClient } = require(bundle);
const limits = { requestTimeoutSeconds: 5, invokeTimeoutSeconds: 5, maxResponseBytes: 1000 };
const use = async () => {
  const client = new RegistryClient({ baseUrl, network, ...limits });
  const { signal } = new AbortController();
  const list = await client.search({ text: "", filters: {} }, undefined, signal);
  const call = { skillSlug: "a", version: "", inputText: "{}" };
  const outcome = await client.invoke(call, "skh_0123456789abcdef", signal);
  client.close();
  return list.ok && outcome.kind;
};
(async () => {
  const used = await use();
  const unset = held().every((slot) => slot === undefined);
  const answer = await fetch(baseUrl, { method: "POST", body: "abc", headers: { "content-length": "3" } });
  const own = held();
  await use();
  const unchanged = held().every((slot, index) => slot === own[index]);
  console.log(JSON.stringify({ used, unset, fetched: answer.status, unchanged }));
})();
`;

describe("the client's bundle", () => {
  let folder = "";
  let bundle = "";

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "bundle-"));
    bundle = join(folder, "registryClient.js");
    await build({
      entryPoints: [resolve("src/registry/registryClient.ts")],
      outfile: bundle,
      bundle: true,
      minify: true,
      platform: "node",
      format: "cjs",
      target: "node22",
      legalComments: "none",
    });
    await writeFile(join(folder, "use.cjs"), script);
  });

  after(async () => {
    await rm(folder, { recursive: true });
  });

  it("does not change the process's own dispatcher", async () => {
    const body = { status: "success", output: 1, skills: [] };
    const registry = await startTestRegistry({ "**": { body } });
    const run = promisify(execFile);
    const words = [join(folder, "use.cjs"), bundle, registry.baseUrl];
    const { stdout } = await run(process.execPath, words).finally(registry.close);
    assert.deepEqual(JSON.parse(stdout), {
      used: "success",
      unset: true,
      fetched: 200,
      unchanged: true,
    });
  });

  it("stays small", async () => {
    const { size } = await stat(bundle);
    // Most of it is undici.
    assert.ok(size < 420_000, `${size} bytes`);
  });
});
