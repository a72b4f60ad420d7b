import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { before, beforeEach, describe, it } from "mocha";
import { junitProblems } from "../../../fixtures/junitRules";
import { cliFolder } from "../runTestCli";

const key = "skh_reports_0123456789";

describe("the files of a report", () => {
  const folder = cliFolder();
  before(async () => {
    const suite = { format: 1, skill: "text-stats", cases: [{ name: "a", payload: {} }] };
    await writeFile(folder.path("a.skill-suite.json"), JSON.stringify(suite));
    await writeFile(folder.path(`text-stats.${key}.skill-input.json`), "{}");
    await writeFile(folder.path("code.ts"), "");
    await mkdir(folder.path("team/.skill-registry"), { recursive: true });
    await writeFile(folder.path("team/.skill-registry/policy.json"), "{");
  });
  beforeEach(async () => {
    for (const name of ["junit.xml", "a.sarif"]) await rm(folder.path(name), { force: true });
  });
  const run = (...args: string[]) => folder.run(args, { SKILL_REGISTRY_PROJECT_KEY: key });
  /** Removes what differs in each run: times, and the key of the built-in registry. */
  const steady = (report: string) =>
    report.replace(/ time="[\d.]+"|…\w{4}|\d{4}-\d\d-\d\d \d\d:\d\d/g, "");
  const text = (name: string) => readFile(folder.path(name), "utf8");

  for (const command of [
    ["validate", "."],
    ["check", "team"],
    ["test"],
    ["ready", "text-stats"],
    ["types", "--check", "--out", "."],
  ]) {
    it(`have the requested formats, beside the text: ${command.join(" ")}`, async () => {
      const alone = steady((await run(...command)).out);
      const forms = ["--report-junit", "junit.xml", "--report-sarif", "a.sarif"];
      const { code, out } = await run(...command, ...forms);
      assert.equal(steady(out), alone);
      for (const [format, name] of [
        ["junit", "junit.xml"],
        ["sarif", "a.sarif"],
      ] as const) {
        const printed = await run(...command, "--format", format);
        assert.equal(steady(await text(name)), steady(printed.out));
        if (format === "junit") assert.deepEqual(junitProblems(printed.out), []);
        assert.equal(printed.code, code);
      }
    });
  }

  it("contain safe file names, without characters that XML forbids", async function () {
    if (process.platform === "win32") this.skip();
    const name = "text-stats.%,line=9::\uffff.skill-input.json";
    await writeFile(folder.path(name), "[");
    const { out } = await run("validate", name, "--format", "github");
    assert.match(
      out,
      /^::error file=text-stats\.%25%2Cline=9%3A%3A\uffff\.skill-input\.json,title=/,
    );
    const xml = (await run("validate", name, "--format", "junit")).out;
    assert.match(xml, /name="text-stats\.%,line=9::\.skill-input\.json"/);
    assert.doesNotMatch(xml, /\uffff/);
    await rm(folder.path(name));
  });

  it("contain no unpaired surrogates for readers of JSON", async () => {
    const suite = '{"format":1,"skill":"text-stats","cases":[{"name":"\\ud800","payload":{}}]}';
    await writeFile(folder.path("half.skill-suite.json"), suite);
    for (const format of ["sarif", "json"]) {
      const { out } = await run("test", "half.skill-suite.json", "--format", format);
      assert.match(out, /\ufffd: The payload is not valid/, format);
      assert.doesNotMatch(out, /\\ud[89a-f]/i, format);
    }
    await rm(folder.path("half.skill-suite.json"));
  });

  it("contain no secret", async () => {
    await run("validate", ".", "--report-junit", "junit.xml", "--report-sarif", "a.sarif");
    for (const name of ["junit.xml", "a.sarif"]) {
      const written = await text(name);
      assert.match(written, /skill-input/);
      assert.ok(!written.includes(key), name);
    }
  });

  it("are written even if another report cannot be, which ends with 2", async () => {
    const forms = ["--report-junit", "gone/junit.xml", "--report-sarif", "a.sarif"];
    const { code, out, err } = await run("validate", ".", ...forms);
    assert.match(out, /1 undecided\.$/m);
    assert.match(err, /^gone\/junit\.xml could not be written: no such f/);
    assert.equal(code, 2);
    assert.equal(JSON.parse(await text("a.sarif")).version, "2.1.0");
  });

  it("must have different names", async () => {
    const { code, err } = await run("check", "--report-junit", "a", "--report-sarif", "a");
    assert.match(err, /need a file each/);
    assert.equal(code, 2);
  });
});
