import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { afterEach, describe, it } from "mocha";
import { atStore } from "../../fixtures/machineStore";
import { skipUnlessOthersRunNode } from "../../fixtures/tools";
import { env, failingCli, lines } from "./failingCli";
import { buildProgram } from "./runTestCli";

const nobody = "http://127.0.0.1:1";

describe("the command line on a failure", () => {
  const bench = failingCli();
  const { folder } = bench;
  const { setTimeout: realTimeout } = globalThis;
  afterEach(() => {
    globalThis.setTimeout = realTimeout;
  });

  /** Holds time-outs of this length until the returned function is called, for the rest of a test. */
  const holdTimeouts = (milliseconds: number) => {
    const due: (() => void)[] = [];
    globalThis.setTimeout = ((work: () => void, ms = 0, ...given: []) => {
      if (ms !== milliseconds) return realTimeout(work, ms, ...given);
      due.push(work);
      return realTimeout(() => undefined, 0);
    }) as typeof setTimeout;
    return () => {
      for (const work of due.splice(0)) work();
    };
  };

  it("reports a missing home to a user whom the system does not know (needs root)", async function () {
    skipUnlessOthersRunNode(this, 54_321);
    const program = await buildProgram();
    const log = (more: Record<string, string>) =>
      spawnSync(process.execPath, [program, "log"], { uid: 54_321, gid: 54_321, env: more });
    const unknown = log({});
    assert.equal(
      `${unknown.stderr}`,
      "No home folder is known. Set HOME, or SKILL_REGISTRY_HOME to a folder.\n",
    );
    assert.equal(unknown.status, 2);
    const unreadable = log({ SKILL_REGISTRY_HOME: "/nowhere" });
    assert.equal(
      `${unreadable.stderr}`,
      "The record cannot be read. /nowhere/store.db cannot be used: permission denied (EACCES). Let this user write it and its folder, or name another folder in SKILL_REGISTRY_HOME.\n",
    );
    assert.equal(unreadable.status, 3);
  });

  it("reports once that the record cannot be used, before it sends anything", async () => {
    await writeFile(folder.path("a.json"), '{"text":"a"}');
    await writeFile(folder.path("no-folder"), "");
    const args = ["invoke", "text-stats", "a.json", "--registry", bench.registry.url, "--yes"];
    const home = { SKILL_REGISTRY_HOME: folder.path("no-folder") };
    bench.registry.forget();
    const { code, err } = await folder.run(args, { ...env, ...home });
    assert.equal(
      err.match(/^The record cannot be read\. .* is not a folder \(ENOTDIR\)/gm)?.length,
      1,
    );
    assert.deepEqual([code, bench.registry.total()], [1, 0]);
  });

  it("names the required update if Node.js has no node:sqlite, before anything is loaded", async () => {
    const args = ["--no-experimental-sqlite", await buildProgram(), "--help"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    const { node } = process.versions;
    assert.deepEqual(
      [status, stdout, stderr],
      [2, "", `This is Node.js ${node}, without node:sqlite. Update Node.js to 22.13 or newer.\n`],
    );
  });

  it("refuses a home inside the repository, before anything is opened", async () => {
    for (const [home, args] of [
      [".", ["log"]],
      ["machine", ["agents"]],
      ["./x", ["invoke", "text-stats", "text-stats.skill-input.json", "--yes"]],
    ] as const) {
      const { code, out, err } = await folder.run(args, { ...env, SKILL_REGISTRY_HOME: home });
      const why = "SKILL_REGISTRY_HOME is not an absolute path. Set it to one, or unset it.\n";
      assert.deepEqual([code, out, err], [2, "", why]);
    }
  });

  const commands: readonly (readonly string[])[] = [
    ["search"],
    ["show", "text-stats"],
    ["validate", "text-stats.skill-input.json"],
    ["invoke", "text-stats", "text-stats.skill-input.json"],
    ["run", "text-stats.jsonl"],
    ["test", "a.skill-suite.json"],
    ["review", "text-stats", "--who", "Ann"],
    ["ready", "text-stats"],
  ];
  for (const command of commands) {
    it(`names the registry that does not respond, and ends with 3: ${command.join(" ")}`, async () => {
      const { code, out, err } = await folder.run([...command, "--registry", nobody], env);
      assert.ok(out.concat(err).includes(`${nobody}: No server is listening`), out + err);
      if (command[0] === "invoke") assert.match(err, /^text-stats was not invoked\. http:/);
      assert.equal(code, 3, out + err);
    });

    it(`ends with 3 and one word after a cancellation: ${command.join(" ")}`, async () => {
      const args = [...command, "--registry", bench.registry.url];
      const { code, err } = await folder.run(args, env, AbortSignal.abort());
      assert.match(err, /^Canceled\.\n$/);
      assert.equal(code, 3);
      assert.equal(bench.registry.total(), 0);
    });
  }

  it("waits as long as --timeout allows, and records that", async () => {
    const args = ["--registry", bench.registry.url, "--timeout", "1"];
    bench.registry.describe({ fails: "silent" });
    // A second passes once the request has arrived, however busy the machine is.
    const pass = holdTimeouts(1000);
    const asked = bench.registry.asked("/v1/skills/text-stats");
    const showing = folder.run(["show", "text-stats", ...args]);
    await asked;
    pass();
    const shown = await showing;
    bench.registry.forget();
    assert.match(shown.err, /within 1 s/);
    assert.equal(shown.code, 3);
    bench.registry.answerNext("never", "a");
    const invoke = ["invoke", "text-stats", "text-stats.skill-input.json", "--yes", ...args];
    const invoking = folder.run(invoke, env);
    await bench.registry.reached(1);
    pass();
    const { code, err } = await invoking;
    assert.match(err, /within 1 s/);
    assert.deepEqual([code, bench.registry.total()], [3, 1]);
    const [record] = (await atStore(folder.path("machine"), (store) => store.list({}))).records;
    assert.equal((record?.endsBefore ?? 0) - (record?.startedAt ?? 0), 11_000);
    bench.registry.forget();
    await rm(folder.path("machine"), { recursive: true });
    for (const seconds of ["0", "3601", "1.5"]) {
      const wrong = await folder.run(["show", "text-stats", "--timeout", seconds]);
      assert.match(wrong.err, /^--timeout expects a whole number from 1 to 3600\.$/m);
      assert.equal(wrong.code, 2);
    }
  });

  for (const command of [
    ["invoke", "text-stats", "text-stats.skill-input.json", "--yes"],
    ["run", "text-stats.jsonl", "--yes"],
    ["test", "a.skill-suite.json", "--live", "--yes"],
  ]) {
    it(`names the variable of a missing key, and ends with 2: ${command.join(" ")}`, async () => {
      const none = await folder.run([...command, "--registry", bench.registry.url]);
      assert.equal(
        none.err,
        `Set SKILL_REGISTRY_PROJECT_KEY to the Project Key of ${bench.registry.url}, or have the keyCommand of your config.json print it.\n`,
      );
      const wrong = { SKILL_REGISTRY_PROJECT_KEY: "shub_user_0123456789abcdef" };
      const token = await folder.run([...command, "--registry", bench.registry.url], wrong);
      assert.match(
        token.err,
        /^Set SKILL_REGISTRY_PROJECT_KEY to the Project Key of http:\S+, .* print it\. ./,
      );
      assert.ok(!token.err.includes("0123456789"));
      assert.deepEqual([none.code, token.code, bench.registry.total()], [2, 2, 0]);
    });
  }

  const files: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [
      ["run", "folder.jsonl", "--skill", "text-stats", "--yes"],
      /^folder\.jsonl could not be read: it is a folder \(EISDIR\)\.$/m,
    ],
    [
      ["run", "gone.jsonl", "--skill", "text-stats", "--yes"],
      /^gone\.jsonl could not be read: no such file \(ENOENT\)\.$/m,
    ],
    [
      ["run", "text-stats.jsonl", "--yes", "--journal", "gone/a.journal"],
      /a\.journal\.lock could not be written: no such file \(ENOENT\)\.$/m,
    ],
    [["merge", "folder.jsonl"], /folder\.jsonl could not be read: it is a folder \(EISDIR\)\.$/m],
    [["merge", "text-stats.jsonl"], /text-stats\.jsonl is not a run journal\.$/m],
    [
      ["validate", "taken/.skill-registry/a.json"],
      /a\.json could not be read: part of its path is not a folder \(ENOTDIR\)\.$/m,
    ],
    [
      ["validate", "text-stats.latin.skill-input.json"],
      /^text-stats\.latin\.skill-input\.json: error: This file could not be read: it is not UTF-8 text\./m,
    ],
    [
      ["invoke", "text-stats", "text-stats.latin.skill-input.json", "--yes"],
      /^text-stats\.latin\.skill-input\.json could not be read: it is not UTF-8 text\.$/m,
    ],
    [
      ["run", "latin.jsonl", "--skill", "text-stats", "--yes"],
      /^latin\.jsonl:3 could not be read: it is not UTF-8 text\.$/m,
    ],
    [
      ["review", "text-stats", "--who", "Ann", "--until", "2027-02-30"],
      /^Nothing was written: \.skill-registry\/reviews\.json would be invalid\. reviews\[0\]\.until: This date does not exist\.$/m,
    ],
    [["invoke", "text-stats", "taken"], /^taken could not be read: it is a folder \(EISDIR\)\.$/m],
  ];
  for (const [args, message] of files) {
    it(`explains why a file is unusable, and ends with 2: ${args.join(" ")}`, async () => {
      const at = args[0] === "merge" ? [] : ["--registry", bench.registry.url];
      const { code, out, err } = await folder.run([...args, ...at], env);
      assert.match(out + err, message);
      assert.deepEqual([code, bench.registry.total()], [2, 0]);
      await assert.rejects(stat(folder.path(".skill-registry")));
      await rm(folder.path("folder.jsonl.journal"), { force: true });
      await rm(folder.path("latin.jsonl.journal"), { force: true });
      await rm(folder.path("gone.jsonl.journal"), { force: true });
    });
  }

  it("treats an unreadable policy as broken, not as missing", async () => {
    const check = await folder.run(["check", "broken"]);
    const why = "This file could not be read: it is a folder (EISDIR).";
    assert.match(check.out, /^\.skill-registry\/policy\.json:1:1: error: /);
    assert.ok(check.out.includes(why), check.out);
    const args = ["invoke", "text-stats", "../text-stats.skill-input.json", "--yes"];
    const at = ["--registry", bench.registry.url];
    const invoked = await folder.run([...args, ...at], env, undefined, "broken");
    assert.match(invoked.err, /^A file in \.skill-registry is broken\./);
    assert.deepEqual([check.code, invoked.code, bench.registry.total()], [2, 2, 0]);
  });

  it("reports that reviews cannot be written, and ends with 2", async () => {
    const args = ["review", "text-stats", "--who", "Ann", "--registry", bench.registry.url];
    const { code, err } = await folder.run(args, env, undefined, "taken");
    assert.match(
      err,
      /^\.skill-registry\/\S+ could not be written: .* \((?:EEXIST|ENOTDIR)\)\.\n$/,
    );
    assert.equal(code, 2);
  });
  const changes: Record<string, readonly string[]> = {
    "another line": ["a", "other", "c"],
    "one line more": ["a", "b", "c", "d"],
    "one line less": ["a", "b"],
  };
  for (const [what, after] of Object.entries(changes)) {
    it(`sends no unchecked line, and resumes once the file is restored: ${what}`, async () => {
      const [file, journal] = [
        folder.path("changing.jsonl"),
        folder.path("changing.jsonl.journal"),
      ];
      await rm(journal, { force: true });
      await writeFile(file, lines("a", "b", "c"));
      bench.registry.forget();
      const args = [
        "run",
        "changing.jsonl",
        "--skill",
        "text-stats",
        "--registry",
        bench.registry.url,
      ];
      const change = (err: string) => {
        if (err.startsWith("3 invocations of ")) writeFileSync(file, lines(...after));
      };
      const { code, err } = await folder.run([...args, "--yes"], env, undefined, "", change);
      assert.match(err, /Stopped: changing\.jsonl changed after its lines were checked\./);
      assert.equal(code, 2);
      const checked = after.filter((text) => ["a", "b", "c"].includes(text));
      // Checked lines that were not claimed yet when the change was found are taken back.
      const mayBeSent = what === "another line" ? ["a"] : checked;
      const sent = [...bench.registry.counts.keys()];
      assert.deepEqual(
        sent.filter((text) => !mayBeSent.includes(text)),
        [],
      );
      await writeFile(file, lines("a", "b", "c"));
      const rest = await folder.run([...args, "--yes", "--resume"], env);
      assert.equal(rest.code, 0, rest.err);
      assert.deepEqual([...bench.registry.counts].toSorted(), [
        ["a", 1],
        ["b", 1],
        ["c", 1],
      ]);
    });
  }

  it("explains why a run stopped, even after Ctrl+C", async () => {
    await writeFile(folder.path("stopped.jsonl"), lines("stopped"));
    bench.registry.forget();
    bench.registry.answerNext("policy", "stopped");
    const stop = new AbortController();
    const args = ["run", "stopped.jsonl", "--skill", "text-stats", "--yes"];
    const ran = folder.run([...args, "--registry", bench.registry.url], env, stop.signal);
    await bench.registry.reached(1);
    stop.abort();
    const { code, err } = await ran;
    assert.match(err, /\nStopped at line 1\. /);
    assert.equal(code, 1);
  });

  it("leaves no results behind after a canceled merge", async () => {
    await writeFile(folder.path("merged.jsonl"), lines("a"));
    const args = ["run", "merged.jsonl", "--skill", "text-stats", "--yes"];
    await folder.run([...args, "--registry", bench.registry.url], env);
    const merge = ["merge", "merged.jsonl.journal", "--out", "results.jsonl"];
    const { code, err } = await folder.run(merge, env, AbortSignal.abort());
    assert.deepEqual([code, err], [3, "Canceled.\n"]);
    const written = (await readdir(folder.path())).filter((name) => name.startsWith("results"));
    assert.deepEqual(written, []);
    assert.equal((await folder.run(merge, env)).code, 0);
    assert.equal((await folder.run(merge, env)).code, 2);
    assert.match(await readFile(folder.path("results.jsonl"), "utf8"), /"of":"a"/);
  });
});
