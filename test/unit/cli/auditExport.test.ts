import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import {
  defaultMachineSettings,
  keepMachineSettings,
} from "../../../src/engine/files/machineSettings";
import { atStore, atTables } from "../../fixtures/machineStore";
import { httpAnswer, type RawServer, startRawServer } from "../../fixtures/network/rawServer";
import { type CountingRegistry, startCountingRegistry } from "./countingRegistry";
import { cliFolder } from "./runTestCli";

const key = "skh_counting_0123456789";

describe("the audit export of a command", () => {
  const folder = cliFolder();
  let registry: CountingRegistry;
  let collector: RawServer;
  before(async () => {
    registry = await startCountingRegistry();
  });
  after(() => registry.close());
  beforeEach(async () => {
    await rm(folder.path("machine"), { recursive: true, force: true });
    collector = await startRawServer((socket) => socket.write(httpAnswer(200, "{}")));
  });
  afterEach(() => collector.close());
  const machine = () => folder.path("machine");
  const invoke = async (options: readonly string[], variables: Record<string, string> = {}) => {
    await writeFile(folder.path("a.json"), JSON.stringify({ text: "PAYLOAD-MARKER" }));
    const args = ["invoke", "text-stats", "a.json", "--yes", "--registry", registry.url];
    const env = {
      SKILL_REGISTRY_PROJECT_KEY: key,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.baseUrl,
      OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=shop",
      ...variables,
    };
    return folder.run([...args, ...options], env);
  };
  const sent = () => collector.requests.map((request) => request.split(" ", 2).join(" ")).sort();

  it("follows the variables, but only if an option asks for it", async () => {
    assert.equal((await invoke([])).code, 0);
    assert.deepEqual(sent(), []);
    assert.equal((await invoke(["--otlp"])).code, 0);
    assert.deepEqual(sent(), ["POST /v1/logs", "POST /v1/traces"]);
    const all = collector.requests.join("\n");
    assert.match(all, /x-tenant: shop/);
    assert.match(
      all,
      /"skill_registry.caller.name","value":\{"stringValue":"skill-registry invoke"/,
    );
    assert.doesNotMatch(all, new RegExp(`MARKER|${key}`));
    const waiting = await atTables(machine(), (database) =>
      database.prepare("SELECT count(*) AS count FROM outbox").get(),
    );
    assert.deepEqual({ ...waiting }, { count: 0 });
  });

  it("follows the editor's settings", async () => {
    const auditEndpoint = `${collector.baseUrl}/own`;
    const settings = { ...defaultMachineSettings, auditExport: "otlp", auditEndpoint } as const;
    await atStore(machine(), (store) => keepMachineSettings(store, settings));
    assert.equal((await invoke([])).code, 0);
    assert.deepEqual(sent(), ["POST /own/v1/logs", "POST /own/v1/traces"]);
  });

  it("is sent by the next command if nobody listened", async () => {
    const nowhere = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
    assert.equal((await invoke(["--otlp"], nowhere)).code, 0);
    assert.equal((await invoke(["--otlp"])).code, 0);
    const names = collector.requests.flatMap(
      (request) => request.match(/execute_tool text/g) ?? [],
    );
    assert.equal(names.filter((name) => name === "execute_tool text").length, 2);
  });

  it("ends the command before anything is sent if the variables are unusable", async () => {
    registry.forget();
    const { code, err } = await invoke(["--otlp"], { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" });
    assert.equal(code, 2);
    assert.match(err, /http\/json/);
    assert.deepEqual(sent(), []);
  });
});
