import assert from "node:assert/strict";
import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import { after, before, describe, it } from "mocha";
import type { ReportItem } from "../../../../src/core/findings/report";
import { readSnapshots, writeSnapshots } from "../../../../src/core/suite/suite";
import {
  plainManifest,
  startManifestRegistry,
} from "../../../fixtures/registries/manifestRegistry";
import type { TestRegistry } from "../../../fixtures/registries/testRegistry";
import { startCountingRegistry } from "../countingRegistry";
import { startDriftingRegistry } from "../driftingRegistry";
import { movableClock } from "../movableClock";
import { cliFolder } from "../runTestCli";

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
  const runSignedIn = (...args: string[]) =>
    folder.run(["test", ...args, "--registry", registry.url], {
      SKILL_REGISTRY_USER_TOKEN: registry.userToken,
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
      /^a\.skill-suite\.json:22:7: error: wrong: The payload is not valid: .* \(type\) \(case\)\n1 passed, 1 payload valid, 1 output not tested \(needs --live or --test-run\), 1 with findings\.\n$/,
    );
    assert.equal(registry.invocations().length, 0);
  });

  it("shows on a terminal how each case ended, as it ends", async () => {
    await write([words, { ...words, name: "bad", payload: {} }]);
    const heard: string[] = [];
    const listen = (text: string) => heard.push(text);
    const nobody = new AbortController().signal;
    await folder.run(["test"], {}, nobody, "", listen, []);
    assert.equal(heard[0], "Registry: built-in (SKILL_REGISTRY_URL).\n");
    assert.match(heard[1] ?? "", /^a\.skill-suite\.json: two words: payload valid, \d/);
    assert.match(heard[2] ?? "", /^a\.skill-suite\.json: bad: failed, \d/);
    assert.match(heard.at(-1) ?? "", /1 with findings\.\n$/);
    const piped = await folder.run(["test"]);
    assert.equal(piped.err, "");
  });

  it("lists the outputs that it did not check, and passes none of them", async () => {
    const three = ["one", "two", "three"].map((name) => ({ ...words, name }));
    await write(three.map((one) => ({ ...one, expect: { output: { "/words": 7 } } })));
    const { code, out } = await run();
    assert.deepEqual(
      [code, out],
      [0, "3 payloads valid, 3 outputs not tested (needs --live or --test-run).\n"],
    );
    const junit = (await run("--format", "junit")).out;
    assert.equal(
      junit.match(/<skipped message="Payload valid, output not tested\."\/>/g)?.length,
      3,
    );
    assert.match(junit, /<testsuite .* skipped="3" file="a\.skill-suite\.json">/);
    assert.equal(
      (await run("--format", "github")).out,
      "::notice title=skill-registry test::3 payloads valid, 3 outputs not tested (needs --live or --test-run).\n",
    );
    const { items } = JSON.parse((await run("--format", "json")).out);
    assert.deepEqual(
      items.map(({ state }: { state: string }) => state),
      ["untested", "untested", "untested"],
    );
    const against = await run("--against", "0.9.0,1.0.0");
    assert.doesNotMatch(against.out, /passed/);
  });

  it("invokes each case once, after showing number and price", async () => {
    await write([
      { ...words, expect: { output: { "/words": 2 }, maxMilliseconds: 60_000, maxCents: 0 } },
      { name: "no text", payload: {}, expect: { invalid: ["required"] } },
      { name: "three words", payload: { text: "a b c" }, expect: { output: { "/words": 2 } } },
    ]);
    assert.match((await run("--live")).err, /its terms have not been agreed to/);
    const { code, out, err } = await run("--live", "--yes");
    assert.equal(err, "2 invocations, free.\n");
    assert.equal(code, 1);
    const ids = registry.invocations().map(({ invocationId }) => invocationId);
    assert.equal(ids.length, 2);
    const wrong = "three words: Expected 2 at /words; it is 3. (case, invocation ID ";
    assert.ok(out.includes(`${wrong}${ids[1]})`), out);
    const junit = (await run("--format", "junit")).out;
    assert.match(junit, /<testcase name="a\.skill-suite\.json: two words" classname="test" time="/);
    assert.doesNotMatch(junit, /Invocation ID/);
    const sent = (await run("--live", "--yes", "--format", "junit")).out;
    for (const { invocationId } of registry.invocations().slice(2)) {
      assert.ok(sent.includes(`<system-out>Invocation ID: ${invocationId}<`), sent);
    }
  });

  it("runs the cases of other skills if one was accepted without being executed last time", async () => {
    await write([words]);
    registry.changeAnswers((answer) => ({ ...answer, output: { mode: "metered_contract" } }));
    await run("--live", "--yes");
    registry.restore();
    const other = { name: "same", payload: { before: "{}", after: "{}" } };
    const file = folder.path("b.skill-suite.json");
    await writeFile(file, JSON.stringify({ format: 1, skill: "json-diff", cases: [other] }));
    const before = registry.invocations().length;
    const { code, out, err } = await run("--live", "--yes", "--format", "json");
    await rm(file);
    assert.equal(registry.invocations().length, before + 1);
    assert.equal(err, "1 invocation, free.\n");
    assert.equal(code, 3);
    const { items } = JSON.parse(out) as { items: ReportItem[] };
    assert.deepEqual(
      items.map(({ file, state }) => [file, state]),
      [
        ["a.skill-suite.json", "unknown"],
        ["b.skill-suite.json", "good"],
      ],
    );
    assert.match(
      items[0]?.findings[0]?.message ?? "",
      /^two words: text-stats was not invoked: it is not expected to run\. Your last invocation was accepted but not executed, .+\. Send it anyway with --unexecuted\.$/,
    );
    assert.equal((await run("--live", "--yes", "--unexecuted")).code, 0);
  });

  describe("after its agreement is five minutes old", () => {
    const clock = movableClock();
    after(() => registry.restore());

    it("sends nothing more to a changed skill, and reports sent cases", async () => {
      await write([words, { name: "again", payload: { text: "a b" } }]);
      registry.changeAnswers((answer) => {
        registry.change("text-stats", (detail) => ({ ...detail, outputSchema: true }));
        clock.pass(5);
        return answer;
      });
      const before = registry.invocations().length;
      const { code, out } = await run("--live", "--yes");
      assert.equal(registry.invocations().length, before + 1);
      assert.equal(code, 3);
      assert.match(
        out,
        /warning: again: text-stats was not invoked: it changed at the registry after it was agreed to\. Output: .+ \(unknown\)\n1 passed, 1 undecided\.\n$/,
      );
    });
  });

  it("runs each case once in a project for a signed-in user, without a Project Key", async () => {
    await write([{ ...words, expect: { output: { "/words": 2 } } }]);
    const before = registry.invocations().length;
    const { code, out, err } = await runSignedIn("--test-run", "--yes");
    assert.deepEqual([code, out, err], [0, "1 passed.\n", "1 test run, not billed.\n"]);
    assert.equal(registry.invocations().length, before + 1);
    const wrong = await runSignedIn("--test-run", "--yes", "--project", "no-such-project");
    assert.deepEqual([wrong.code, wrong.err], [4, 'There is no project "no-such-project".\n']);
    const signedOut = await run("--test-run");
    assert.deepEqual(
      [signedOut.code, signedOut.err],
      [2, "Not signed in. Set SKILL_REGISTRY_USER_TOKEN.\n"],
    );
  });

  it("lists differing results of other versions", async () => {
    await write([{ name: "table", payload: { csv: "a\n1\n" } }], "csv-profile@2.0.0");
    const offline = await run("--against", "1.1.0,2.0.0,0.0.1");
    assert.equal(offline.code, 1);
    assert.match(
      offline.out,
      /error: table, against 1\.1\.0: The payload is not valid for 1\.1\.0, unlike for 2\.0\.0: .* \(required\) \(differs\)\n/,
    );
    assert.match(offline.out, /warning: table, against 0\.0\.1: The skill could not be read\. /);
    assert.match(
      offline.out,
      /1 payload valid, 1 output not tested \(needs --live or --test-run\), 1 with findings, 1 undecided\.\n$/,
    );
    const before = registry.invocations().length;
    await write([{ name: "empty", payload: { text: "a" } }], "text-stats");
    const same = await runSignedIn("--against", "1.0.0", "--test-run", "--yes");
    assert.deepEqual([same.code, same.out], [0, "1 passed.\n"]);
    assert.equal(registry.invocations().length, before + 1);
  });

  const wrong: readonly (readonly [args: string[], err: RegExp])[] = [
    [["--against", "1.0.0,,2"], /^--against expects versions, such as 1\.2\.0,1\.3\.0\./],
    [["--live", "--test-run"], /^--live cannot be used with --test-run\./],
    [["--update"], /^--update needs --live or --test-run\./],
  ];
  for (const [args, err] of wrong) {
    it(`ends with 2 for: ${args.join(" ")}`, async () => {
      const ended = await run(...args);
      assert.match(ended.err, err);
      assert.equal(ended.code, 2);
    });
  }

  it("expects rejections and failures", async () => {
    await write(
      [{ name: "blocked", payload: {}, expect: { refusal: "install_not_active" } }],
      "flaky-fetch",
    );
    const { out } = await run("--live", "--yes");
    assert.match(out, /blocked: (The payload is not valid|Expected the error)/);
  });

  it("compares with stored outputs", async () => {
    await write([{ ...words, expect: { snapshot: true, ignore: ["/readingSeconds"] } }]);
    for (const level of [[], ["--live", "--yes"]]) {
      const { code, out } = await run(...level);
      assert.equal(code, 1);
      assert.match(out, /^a\.skill-suite\.json:11:9: error: .* yet\. Store one with/);
    }
    const updated = await run("--live", "--yes", "--update");
    assert.equal(updated.code, 0);
    assert.match(updated.err, /^Stored 1 output in a\.skill-snapshots\.json\.$/m);
    assert.equal((await run("--live", "--yes")).code, 0);
    const file = folder.path("a.skill-snapshots.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"words": 2', '"words": 3'));
    assert.match(
      (await run("--live", "--yes")).out,
      /The output differs from the stored one, first at \/words/,
    );
    await writeFile(file, text.replace('"words": 2', '"words": "2"'));
    assert.match((await run()).out, /The stored output does not match its schema at \/words/);
    await writeFile(file, text.replace(JSON.stringify(words.name), '"old"'));
    const orphaned = await run();
    assert.match(orphaned.out, /^a\.skill-snapshots\.json:4:5: warning: No case is named “old”\./m);
    assert.ok(orphaned.out.includes(`Rename this output to “${words.name}”, or remove it.`));
    await writeFile(file, text);
    await write([{ ...words, expect: { snapshot: true, output: { "/words": 3 } } }]);
    const wrong = await run();
    assert.equal(wrong.code, 1);
    assert.match(wrong.out, /Expected 3 at \/words; the stored output has 2\./);
    await writeFile(file, "{");
    assert.equal((await run()).code, 2);
    await writeFile(file, text);
  });

  it("stores an output that seems to contain a credential only if a person allows it", async () => {
    const secret = `npm_${"a1B2c3D4".repeat(4)}e5F6`;
    registry.changeAnswers((answer) => ({ ...answer, output: { words: 2, note: secret } }));
    const names = ["first", "second"];
    await write(names.map((name) => ({ ...words, name, expect: { snapshot: true } })));
    const file = folder.path("a.skill-snapshots.json");
    const outputs = async () => Object.keys(JSON.parse(await readFile(file, "utf8")).outputs);
    const update = (options: readonly string[], typed?: readonly string[]) =>
      folder.run(
        ["test", "--live", "--yes", "--update", ...options, "--registry", registry.url],
        { SKILL_REGISTRY_PROJECT_KEY: registry.projectKey },
        undefined,
        undefined,
        undefined,
        typed,
      );
    await rm(file, { force: true });
    const alone = await update([]);
    assert.equal(alone.code, 1);
    assert.match(alone.err, /The output of “first” in a\.skill-suite\.json was not stored: /);
    assert.match(alone.err, / Store it with --secrets\.\n$/);
    await assert.rejects(readFile(file));
    const asked = await update([], ["n", "y"]);
    assert.match(
      asked.err,
      /“first” in a\.skill-suite\.json: .* contain an npm token\. .*\(y\/N\) /,
    );
    assert.deepEqual([asked.code, await outputs()], [1, ["second"]]);
    assert.match(asked.err, /it appears to contain a credential\.\n$/);
    assert.doesNotMatch((await update(["--secrets"])).err, /npm token/);
    assert.deepEqual(await outputs(), names);
    // A stored output was asked about before, and is only a warning.
    const stored = await update([]);
    assert.doesNotMatch(stored.err, /credential/);
    const warning = /^a\.skill-snapshots\.json:\d+:\d+: warning: This looks like an npm token\./gm;
    assert.equal(stored.out.match(warning)?.length, 2);
    await rm(file);
    registry.restore();
  });

  it("reads payloads from files of its own folder only", async () => {
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
      /link: link\.json could not be read\. \(case\)\n1 payload valid, 1 output not tested \(needs --live or --test-run\), 1 with findings\.\n$/,
    );
  });

  it("reports a broken or undecided suite at line and column", async () => {
    await write([{ name: "a" }]);
    const broken = await run();
    assert.equal(broken.code, 2);
    assert.match(broken.out, /^a\.skill-suite\.json:\d+:\d+: error: /);
    await write([words], "no-such-skill");
    assert.match((await run()).out, /: This registry has no skill “no-such-skill”\./);
  });

  it("keeps the outputs that another program stored while its cases ran", async () => {
    const counting = await startCountingRegistry();
    try {
      const file = folder.path("a.skill-snapshots.json");
      await rm(file, { force: true });
      await write([{ name: "late", payload: { text: "late" }, expect: { snapshot: true } }]);
      counting.answerNext("held", "late");
      const env = { SKILL_REGISTRY_PROJECT_KEY: "skh_counting_0123456789" };
      const args = ["test", "--live", "--yes", "--update", "--registry", counting.url];
      const running = folder.run(args, env);
      await counting.reached(1);
      await writeFile(file, writeSnapshots(new Map([["another", 7]])));
      counting.answerHeld();
      assert.equal((await running).code, 0);
      const stored = readSnapshots(await readFile(file, "utf8"));
      assert.deepEqual(
        [...(stored ?? [])],
        [
          ["another", 7],
          ["late", { of: "late" }],
        ],
      );
      await rm(file);
    } finally {
      counting.close();
    }
  });

  it("runs one case at once if the rate limit is unknown, or as many as --jobs says", async () => {
    const counting = await startCountingRegistry();
    try {
      const names = ["a", "b", "c", "d"];
      await write(names.map((name) => ({ name, payload: { text: name } })));
      const env = { SKILL_REGISTRY_PROJECT_KEY: "skh_counting_0123456789" };
      const send = (...args: string[]) =>
        folder.run(["test", "--live", "--yes", "--registry", counting.url, ...args], env);
      assert.equal((await send()).code, 0);
      assert.deepEqual([counting.total(), counting.mostAtOnce()], [4, 1]);
      counting.forget();
      for (const name of names.slice(0, 3)) counting.answerNext("held", name);
      const running = send("--jobs", "3", "--format", "json");
      await counting.reached(3);
      counting.answerHeld();
      const { items } = JSON.parse((await running).out);
      assert.deepEqual([counting.total(), counting.mostAtOnce()], [4, 3]);
      assert.deepEqual(
        items.map(({ name }: { name: string }) => name),
        names.map((name) => `a.skill-suite.json: ${name}`),
      );
    } finally {
      counting.close();
    }
  });
});

describe("skill-registry test of several suites for one skill", () => {
  const folder = cliFolder();
  let registry: TestRegistry;
  before(async () => {
    registry = await startManifestRegistry({ notes: plainManifest("notes") });
  });
  after(() => registry.close());

  it("reads the skill once for all of them", async () => {
    for (const name of ["a", "b", "c"]) {
      const suite = JSON.stringify({ format: 1, skill: "notes", cases: [{ name, payload: {} }] });
      await writeFile(folder.path(`${name}.skill-suite.json`), suite);
    }
    assert.equal((await folder.run(["test", "--registry", registry.baseUrl])).code, 0);
    const paths = registry.requests.map(({ path }) => path);
    const reads = paths.filter((path) => path.startsWith("/v1/skills/notes"));
    assert.equal(reads.filter((path) => /notes(?:\?|$)/.test(path)).length, 1);
    assert.equal(new Set(reads).size, reads.length);
  });
});
