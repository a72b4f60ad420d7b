import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Context, describe, it } from "mocha";
import { storeName } from "../../../../src/engine/store/operations";
import { allowAgentWrites, atTables, refuseAgentWrites } from "../../../fixtures/machineStore";
import { plainManifest } from "../../../fixtures/registries/manifestRegistry";
import { startTestRegistry } from "../../../fixtures/registries/testRegistry";
import { mountSmallDisk, type SmallDisk } from "../../../fixtures/smallDisk";
import { cliFolder } from "../runTestCli";

/** Ways to keep even root from writing the store. `isStoppable` if an empty file can still be created beside it. */
const closedDisks = {
  "the disk is full": { close: onSmallDisk((disk) => disk.fill()), isStoppable: true },
  "the disk is read-only": {
    close: onSmallDisk((disk) => disk.makeReadOnly()),
    isStoppable: false,
  },
  "the store is immutable": {
    close: immutable((home) => join(home, storeName)),
    isStoppable: true,
  },
  "the store's folder is immutable": { close: immutable((home) => home), isStoppable: false },
};

interface ClosableDisk {
  readonly close: () => unknown;
  readonly open: () => void;
}

function onSmallDisk(close: (disk: SmallDisk) => unknown) {
  return async (test: Context, home: string): Promise<ClosableDisk> => {
    const disk = mountSmallDisk(test, home, "2m");
    await chmod(home, 0o700);
    return { close: () => close(disk), open: () => disk.unmount() };
  };
}

/** Skips the test with a message if this system or this user cannot make a file immutable. */
function immutable(pathIn: (home: string) => string) {
  return async (test: Context, home: string): Promise<ClosableDisk> => {
    await mkdir(home, { recursive: true });
    const change = (flag: string, path: string) =>
      execFileSync("chattr", [flag, path], { stdio: "pipe" });
    try {
      change("+i", home);
      change("-i", home);
    } catch {
      console.log(`      skipped: only root on Linux can make a file immutable (${home})`);
      test.skip();
    }
    const path = pathIn(home);
    return { close: () => change("+i", path), open: () => change("-i", path) };
  };
}

describe("skill-registry agents", () => {
  const folder = cliFolder();
  let machine = 0;
  /** Returns a function that runs commands on a new machine; `typed` is a person's input at the terminal. */
  function newMachine() {
    machine += 1;
    const env = { SKILL_REGISTRY_HOME: folder.path(`agents-${machine}`) };
    return (
      args: readonly string[],
      typed?: readonly string[],
      more: Record<string, string> = {},
    ) => folder.run(["agents", ...args], { ...env, ...more }, undefined, "", undefined, typed);
  }

  it("allows a skill after a person has typed its name, showing everything that this allows", async () => {
    const run = newMachine();
    const { code, err } = await run(["allow", "text-stats", "--mode", "auto"], ["text-stats"]);
    assert.equal(code, 0, err);
    assert.match(err, /Permissions: compute only/);
    assert.match(err, /Contract: [0-9a-f]{12}/);
    assert.match(err, /A model will read: Text statistics\./);
    assert.match((await run([])).out, /text-stats@1\.0\.0 · without asking/);
    await run(["stop", "text-stats"]);
    assert.doesNotMatch((await run(["list"])).out, /text-stats@/);
  });

  it("warns before a person allows a skill that the key's project suspended", async () => {
    const annotations = { callable: false, installStatus: "suspended", version: "1.0.0" };
    const tools = [{ name: "notes", inputSchema: { type: "object" }, annotations }];
    const registry = await startTestRegistry({
      "/mcp": { body: { jsonrpc: "2.0", id: 1, result: { tools } } },
      "/v1/skills/notes": { body: plainManifest("notes") },
      "/v1/skills/notes/prices": { body: { prices: [{ billingModel: "free", status: "active" }] } },
      "/v1/publishers": { body: { publishers: [] } },
    });
    try {
      const { code, err } = await newMachine()(["allow", "notes"], ["notes"], {
        SKILL_REGISTRY_URL: registry.baseUrl,
        SKILL_REGISTRY_PROJECT_KEY: `skh_${"7".repeat(64)}`,
      });
      assert.equal(code, 0, err);
      assert.match(err, /It cannot be invoked now: .*suspended/);
      assert.equal(registry.requests.filter(({ path }) => path === "/mcp").length, 1);
    } finally {
      await registry.close();
    }
  });

  it("names a mistake in the input schema before a person allows the skill, and in the list", async () => {
    const inputSchema = { type: "object", properties: { n: { minimum: 2, maximum: 1 } } };
    const registry = await startTestRegistry({
      "/v1/skills/notes": { body: plainManifest("notes", { inputSchema }) },
      "/v1/skills/notes/prices": { body: { prices: [{ billingModel: "free", status: "active" }] } },
      "/v1/publishers": { body: { publishers: [] } },
    });
    const mistake =
      /publisher of notes about its input schema at \/properties\/n\/minimum: No value/;
    try {
      const run = newMachine();
      const at = { SKILL_REGISTRY_URL: registry.baseUrl };
      const { code, err } = await run(["allow", "notes"], ["notes"], at);
      assert.equal(code, 0, err);
      assert.match(err, mistake);
      assert.match((await run(["list"])).out, mistake);
    } finally {
      await registry.close();
    }
  });

  const refused: readonly (readonly [
    string,
    readonly string[],
    string[]?,
    Record<string, string>?,
  ])[] = [
    ["nobody is at the terminal", ["allow", "text-stats"]],
    ["another name was typed", ["allow", "text-stats"], ["yes"]],
    ["an agent runs the terminal", ["allow", "text-stats"], ["text-stats"], { CLAUDECODE: "1" }],
    ["nobody raises a limit", ["limits", "--cents-per-day", "5"]],
    [
      "an agent raises a limit",
      ["limits", "--max-level", "high"],
      ["raise"],
      { CURSOR_AGENT: "1" },
    ],
    ["nobody lets agents go on", ["resume"]],
    ["the mode is none", ["allow", "text-stats", "--mode", "always"], ["text-stats"]],
    ["there is no such action", ["permit"]],
    ["there is no such client", ["setup", "Word"]],
    ["a skill is named although limits apply to all", ["limits", "a", "--calls-per-session", "3"]],
  ];
  for (const [name, args, typed, more] of refused) {
    it(`changes nothing if ${name}`, async () => {
      const run = newMachine();
      assert.notEqual((await run(args, typed, more)).code, 0);
      const { out } = await run([]);
      assert.match(out, /20 invocations a session, 0\.00 a day|20 invocations a session, 0/);
      assert.doesNotMatch(out, /text-stats@/);
    });
  }

  it("needs a person to raise limits or resume agents, and none to lower limits or stop agents", async () => {
    const run = newMachine();
    assert.equal((await run(["limits", "--calls-per-session", "3"])).code, 0);
    assert.equal((await run(["limits", "--cents-per-day", "100"], ["raise"])).code, 0);
    assert.equal((await run(["stop"])).code, 0);
    const { out } = await run([]);
    assert.match(out, /Agents are stopped\./);
    assert.match(out, /3 invocations a session/);
    assert.equal((await run(["resume"], ["resume"])).code, 0);
    assert.match((await run([])).out, /Agents may invoke no skill yet/);
  });

  const text = ["text-stats"];
  it("removes agreements at every registry, and lists them", async () => {
    const run = newMachine();
    await run(["allow", ...text], text);
    const { code, out } = await run(["stop", ...text], undefined, {
      SKILL_REGISTRY_URL: "https://registry.example",
    });
    assert.deepEqual(
      [code, out],
      [0, "Agents may no longer invoke text-stats@1.0.0 at built-in.\n"],
    );
  });

  for (const [name, args] of Object.entries({
    "the name is misspelled": ["text-stat"],
    "another registry is named": ["text-stats", "--registry", "https://registry.example"],
  })) {
    it(`ends with 4, and reports that nothing was removed, if ${name}`, async () => {
      const run = newMachine();
      await run(["allow", ...text], text);
      const { code, err } = await run(["stop", ...args]);
      assert.equal(code, 4);
      assert.match(err, /Nothing was removed: agents were not allowed to invoke text-stat/);
      assert.match((await run(["list"])).out, /text-stats@/);
    });
  }

  it("stops agents if the store cannot be written, and continues once it can", async () => {
    const run = newMachine();
    const home = folder.path(`agents-${machine}`);
    await refuseAgentWrites(home);
    assert.equal((await run(["stop"])).code, 0);
    assert.equal(JSON.parse((await run(["list", "--format", "json"])).out).stopped, true);
    assert.match((await run(["list"])).out, /Agents are stopped\./);
    const kept = await run(["resume"], ["resume"]);
    assert.equal(kept.code, 2, kept.err);
    await allowAgentWrites(home);
    assert.match((await run(["list"])).out, /Agents are stopped\./);
    assert.equal((await run(["resume"], ["resume"])).code, 0);
    assert.doesNotMatch((await run(["list"])).out, /Agents are stopped/);
  });

  for (const [name, args, typed] of [
    ["stop", ["stop", "text-stats"]],
    ["lower a limit", ["limits", "--calls-per-session", "3"]],
    ["allow a skill", ["allow", "text-stats"], text],
  ] as const) {
    it(`ends with 2 if it cannot ${name}, since the store cannot be written`, async () => {
      const run = newMachine();
      await refuseAgentWrites(folder.path(`agents-${machine}`));
      const { code, err } = await run(args, typed);
      assert.equal(code, 2, err);
      assert.match(err, /Nothing was changed\. .*store\.db cannot be written/);
    });
  }

  for (const [disk, { close, isStoppable }] of Object.entries(closedDisks)) {
    it(`reports to root too that nothing was changed, if ${disk}`, async function () {
      const run = newMachine();
      const home = folder.path(`agents-${machine}`);
      const closed = await close(this, home);
      try {
        assert.equal((await run(["allow", "text-stats"], ["text-stats"])).code, 0);
        await closed.close();
        for (const args of [
          ["limits", "--calls-per-session", "3"],
          ["stop", "text-stats"],
        ]) {
          const { code, err } = await run(args);
          assert.equal(code, 2, err);
          assert.match(err, /Nothing was changed\. .*store\.db cannot be written/);
        }
        const { code, out } = await run(["stop"]);
        assert.deepEqual([code, out], isStoppable ? [0, "Agents are stopped.\n"] : [2, ""]);
      } finally {
        closed.open();
      }
    });
  }

  it("explains why nothing is listed if the store is of a newer version", async () => {
    const run = newMachine();
    await atTables(folder.path(`agents-${machine}`), (database) =>
      database.exec("PRAGMA user_version = 99"),
    );
    const { code, err } = await run(["list"]);
    assert.equal(code, 2);
    assert.match(err, /The record cannot be used\. .*newer version/);
  });

  it("ends with 2 if nothing can be written to stop agents", async () => {
    const run = newMachine();
    await writeFile(folder.path(`agents-${machine}`), "");
    assert.equal((await run(["stop"])).code, 2);
  });

  it("allows nothing in a folder that others may write, and reports that", async function () {
    if (process.platform === "win32") this.skip();
    const run = newMachine();
    const home = folder.path(`agents-${machine}`);
    await mkdir(home, { recursive: true });
    await chmod(home, 0o777);
    const { code, err } = await run(["allow", ...text], text);
    assert.equal(code, 2, err);
    assert.match(err, /others may write it or its folder/);
  });

  it("writes the configuration of a client without a key in it", async () => {
    const run = newMachine();
    const key = `skh_${"0123456789abcdef".repeat(3)}`;
    for (const client of ["VS Code", "Claude Code", "Codex", "Cursor"]) {
      const { code, out } = await run(["setup", client], undefined, {
        SKILL_REGISTRY_PROJECT_KEY: key,
      });
      assert.equal(code, 0);
      assert.match(out, /\/bin\/skill-registry\b[\s\S]*mcp/);
      assert.doesNotMatch(out, /skh_/);
    }
  });
});
