import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { describe, it } from "mocha";
import { hasColors } from "../../../../src/cli/output/colors";
import { cliFolder } from "../runTestCli";

describe("the colors of the command line", () => {
  const cases: readonly (readonly [
    env: Record<string, string>,
    columns: number | undefined,
    isColored: boolean,
  ])[] = [
    [{}, 80, true],
    [{}, undefined, false],
    [{ TERM: "dumb" }, 80, false],
    [{ NO_COLOR: "1" }, 80, false],
    [{ NO_COLOR: "" }, 80, true],
    [{ FORCE_COLOR: "1" }, undefined, true],
    [{ FORCE_COLOR: "" }, undefined, false],
    [{ FORCE_COLOR: "0" }, 80, false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, 80, true],
  ];
  for (const [env, columns, isColored] of cases) {
    const where = columns === undefined ? "in a file" : "on a terminal";
    it(`are ${isColored ? "" : "not "}written ${where} with ${JSON.stringify(env)}`, () => {
      assert.equal(hasColors({ env, columns }), isColored);
    });
  }

  const folder = cliFolder();
  const steering = "\u001b";
  const validate = async (...args: string[]) => {
    const name = `a${steering}.json`;
    await writeFile(folder.path(name), "{}");
    const given = ["validate", name, "--skill", "text-stats", ...args];
    const { code, out } = await folder.run(given, {}, undefined, "", undefined, undefined, 80);
    return { code, out: out.replaceAll(steering, "<ESC>") };
  };

  it("show the severity of a finding, without other control sequences", async () => {
    const { code, out } = await validate();
    assert.equal(code, 1);
    assert.match(out, /^a\\u001B\.json:1:1: <ESC>\[31merror<ESC>\[39m: /);
    assert.match(out, /^<ESC>\[31m1 with findings<ESC>\[39m\.$/m);
    assert.equal(out.split("<ESC>").length, 5);
  });

  it("do not hide secrets from the redactor", async () => {
    const key = "skh_colors_0123456789";
    const name = `${key}.json`;
    await writeFile(folder.path(name), "{}");
    const env = { FORCE_COLOR: "1", SKILL_REGISTRY_PROJECT_KEY: key };
    const { out } = await folder.run(["validate", name, "--skill", "text-stats"], env);
    assert.match(out, /error/);
    assert.ok(!out.includes(key));
  });

  for (const args of [
    ["search", "text"],
    ["show", "text-stats"],
  ]) {
    it(`show verification and permission level in ${args[0]}, on a terminal only`, async () => {
      const run = async (columns?: number) =>
        (await folder.run(args, {}, undefined, "", undefined, undefined, columns)).out;
      const [colored, plain] = [await run(120), await run()];
      const words = colored.replaceAll(steering, "<ESC>");
      assert.match(words, /<ESC>\[32mverified *<ESC>\[39m/i);
      assert.match(words, /<ESC>\[32mlow *<ESC>\[39m/i);
      assert.ok(!plain.includes(steering));
    });
  }

  it("are left out of formats for programs", async () => {
    const { out } = await validate("--format", "junit");
    assert.doesNotMatch(out, /<ESC>/);
  });
});
