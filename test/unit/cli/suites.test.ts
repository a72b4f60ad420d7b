import assert from "node:assert/strict";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { after, before, describe, it } from "mocha";
import { startDriftingRegistry } from "./driftingRegistry";
import { cliFolder } from "./runTestCli";

describe("skill-registry test", () => {
  const folder = cliFolder();
  let registry: Awaited<ReturnType<typeof startDriftingRegistry>>;
  before(async () => {
    registry = await startDriftingRegistry();
  });
  after(() => registry.close());
  const run = (...args: string[]) =>
    folder.run(["test", ...args, "--registry", registry.url], {
      SKILL_REGISTRY_PROJECT_KEY: registry.projectKey,
    });
  const write = (cases: readonly object[], skill = "text-stats") => {
    const text = JSON.stringify({ format: 1, skill, cases }, undefined, 2);
    return writeFile(folder.path("a.skill-suite.json"), text);
  };
  const words = { name: "two words", payload: { text: "Good morning" } };

  it("has nothing to do without suites", async () => {
    assert.equal((await run()).code, 4);
  });

  it("checks payloads without sending anything", async () => {
    await write([
      words,
      { name: "no text", payload: {}, expect: { invalid: ["required"] } },
      { name: "wrong", payload: { text: 1 } },
    ]);
    const { code, out } = await run();
    assert.equal(code, 1);
    assert.match(
      out,
      /^a\.skill-suite\.json: error: wrong: The payload is not valid: .* \(type\) \(case\)\n2 good, 1 with findings\.\n$/,
    );
    assert.equal(registry.invocations().length, 0);
  });

  it("invokes each case once, after its number and price were said", async () => {
    await write([
      { ...words, expect: { output: { "/words": 2 }, maxMilliseconds: 60_000, maxCents: 0 } },
      { name: "no text", payload: {}, expect: { invalid: ["required"] } },
      { name: "three words", payload: { text: "a b c" }, expect: { output: { "/words": 2 } } },
    ]);
    assert.match((await run("--live")).err, /nobody has agreed to its terms/);
    const { code, out, err } = await run("--live", "--yes");
    assert.equal(err, "2 invocations, free.\n");
    assert.match(out, /three words: Expected 2 at \/words; it is 3\. \(case\)/);
    assert.equal(code, 1);
    assert.equal(registry.invocations().length, 2);
    const junit = (await run("--format", "junit")).out;
    assert.match(
      junit,
      /<testcase name="a\.skill-suite\.json: two words" classname="test" file="a\.skill-suite\.json" time="/,
    );
  });

  it("expects refusals and failures", async () => {
    await write(
      [{ name: "blocked", payload: {}, expect: { refusal: "install_not_active" } }],
      "flaky-fetch",
    );
    const { out } = await run("--live", "--yes");
    assert.match(out, /blocked: (The payload is not valid|Expected the refusal)/);
  });

  it("compares with the outputs that are kept", async () => {
    await write([{ ...words, expect: { snapshot: true, ignore: ["/readingSeconds"] } }]);
    assert.match((await run("--live", "--yes")).out, /No output of this case is kept yet/);
    assert.equal((await run("--live", "--yes", "--update")).code, 0);
    assert.equal((await run("--live", "--yes")).code, 0);
    const file = folder.path("a.skill-snapshots.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"words": 2', '"words": 3'));
    assert.match(
      (await run("--live", "--yes")).out,
      /another than the one that is kept, first at \/words/,
    );
    await writeFile(file, text.replace('"words": 2', '"words": "2"'));
    assert.match((await run()).out, /The output that is kept does not match its schema at \/words/);
    await writeFile(file, "{");
    assert.equal((await run()).code, 2);
    await writeFile(file, text);
  });

  it("reads payloads from files of its folder, and no others", async () => {
    await writeFile(folder.path("p.json"), '{"text":"a"}');
    await symlink("/etc/hostname", folder.path("link.json"));
    await write([
      { name: "file", payloadFile: "p.json" },
      { name: "link", payloadFile: "link.json" },
    ]);
    const { code, out } = await run();
    assert.equal(code, 1);
    assert.match(
      out,
      /link: link\.json could not be read\. \(case\)\n1 good, 1 with findings\.\n$/,
    );
  });

  it("is broken, at line and column, or not decided", async () => {
    await write([{ name: "a" }]);
    const broken = await run();
    assert.equal(broken.code, 2);
    assert.match(broken.out, /^a\.skill-suite\.json:\d+:\d+: error: /);
    await write([words], "no-such-skill");
    assert.equal((await run()).code, 3);
  });
});
