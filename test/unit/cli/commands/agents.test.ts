import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { cliFolder } from "../runTestCli";

describe("skill-registry agents", () => {
  const folder = cliFolder();
  let machine = 0;
  /** Runs commands of one machine of its own; `typed` is what a person at the terminal types. */
  function newMachine() {
    machine += 1;
    const env = { SKILL_REGISTRY_HOME: folder.path(`agents-${machine}`) };
    return (
      args: readonly string[],
      typed?: readonly string[],
      more: Record<string, string> = {},
    ) => folder.run(["agents", ...args], { ...env, ...more }, undefined, "", undefined, typed);
  }

  it("allows a skill once a person has typed its name, with all that is agreed to", async () => {
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
  ];
  for (const [name, args, typed, more] of refused) {
    it(`changes nothing where ${name}`, async () => {
      const run = newMachine();
      assert.notEqual((await run(args, typed, more)).code, 0);
      const { out } = await run([]);
      assert.match(out, /20 invocations a session, 0\.00 a day|20 invocations a session, 0/);
      assert.doesNotMatch(out, /text-stats@/);
    });
  }

  it("lowers limits and stops without a person, and raises them with one", async () => {
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

  it("writes the configuration of a client without a key in it", async () => {
    const run = newMachine();
    const key = `skh_${"0123456789abcdef".repeat(3)}`;
    for (const client of ["VS Code", "Claude Code", "Codex", "Cursor"]) {
      const { code, out } = await run(["setup", client], undefined, {
        SKILL_REGISTRY_PROJECT_KEY: key,
      });
      assert.equal(code, 0);
      assert.match(out, /skill-registry[\s\S]*mcp/);
      assert.doesNotMatch(out, /skh_/);
    }
  });
});
