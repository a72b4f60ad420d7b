import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { describe, it } from "mocha";
import { commands } from "../../../../src/cli/cli";
import { skipWithout } from "../../../fixtures/tools";
import { cliFolder } from "../runTestCli";

describe("skill-registry completion", () => {
  const folder = cliFolder();
  const shells = ["bash", "zsh", "fish", "powershell"];

  it("has every command and option for each shell", async () => {
    for (const shell of shells) {
      const { code, out } = await folder.run(["completion", shell]);
      assert.equal(code, 0);
      for (const { name, options } of commands) {
        assert.ok(out.includes(name), `${shell}: ${name}`);
        for (const option of Object.keys(options)) {
          assert.ok(out.includes(shell === "fish" ? `-l ${option}` : `--${option}`), option);
        }
      }
    }
    assert.equal((await folder.run(["completion", "tcsh"])).code, 2);
  });

  it("completes typed words in bash", async function () {
    skipWithout(this, "bash");
    const { out } = await folder.run(["completion", "bash"]);
    const complete = (...words: string[]) => {
      const script = `${out}\nCOMP_WORDS=(skill-registry ${words.map((word) => `'${word}'`).join(" ")})\nCOMP_CWORD=${words.length}\n_skill_registry\necho "\${COMPREPLY[*]}"`;
      return spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.trim();
    };
    assert.equal(complete("inv"), "invoke");
    assert.equal(complete("run", "--max-c"), "--max-cents");
    assert.equal(complete("log", "--format", ""), "text json jsonl csv");
    assert.equal(complete("search", "--sort", "re"), "recommended recent");
    assert.equal(complete("agents", "l"), "list limits log");
  });
});

describe("skill-registry invoke FILE", () => {
  const folder = cliFolder();

  it("uses the skill in the file's name, and ignores a label if no skill has the longer name", async () => {
    for (const name of ["text-stats.skill-input.json", "text-stats.first.skill-input.json"]) {
      await writeFile(folder.path(name), '{"text":"Good morning."}');
      const { code, err } = await folder.run(["invoke", name]);
      assert.equal(code, 0, err);
      assert.match(err, /^text-stats: success/m);
    }
  });

  const typed: readonly (readonly [words: readonly string[], output: RegExp])[] = [
    [["text-stats", "text=One. Two."], /"words": 2/],
    [["text-stats", 'text:="One."'], /"words": 1/],
    [["text-stats", '{"text":"One. Two. Three."}'], /"words": 3/],
    [["json-diff", "before:={}", 'after:={"a":1}'], /"path": "\/a"/],
  ];
  for (const [words, output] of typed) {
    it(`reads a payload from the command line: ${words.join(" ")}`, async () => {
      const { code, out, err } = await folder.run(["invoke", ...words]);
      assert.equal(code, 0, err);
      assert.match(out, output);
    });
  }

  it("explains what is wrong with a payload on the command line", async () => {
    const noJson = await folder.run(["invoke", "text-stats", "text:=One"]);
    assert.match(noJson.err, /^text:= expects JSON/);
    assert.equal(noJson.code, 2);
    const invalid = await folder.run(["invoke", "text-stats", "text:=5"]);
    assert.match(invalid.err, /^payload:1:10: /);
    assert.equal(invalid.code, 1);
  });

  it("asks for the skill if the file's name has none", async () => {
    await writeFile(folder.path("payload.json"), "{}");
    const { code, err } = await folder.run(["invoke", "payload.json"]);
    assert.match(err, /^Specify a skill and a file\. Only a file named <slug>\.skill-input\.json/);
    assert.equal(code, 2);
  });
});
