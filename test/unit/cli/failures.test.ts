import assert from "node:assert/strict";
import { type StdioOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, open as openFile, openSync, writeFileSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { after, afterEach, before, describe, it } from "mocha";
import { someOf } from "../../editor/someOf";
import { atStore } from "../../fixtures/machineStore";
import { mountSmallDisk, type SmallDisk } from "../../fixtures/smallDisk";
import { itInWholeSuite } from "../../fixtures/wholeSuite";
import { type CountingRegistry, startCountingRegistry } from "./countingRegistry";
import { buildProgram, cliFolder } from "./runTestCli";

const key = "skh_counting_0123456789";
const nobody = "http://127.0.0.1:1";

/** The signals that end a program gracefully, all by one handler. */
const signals: Readonly<Record<string, NodeJS.Signals>> = {
  "Ctrl+C": "SIGINT",
  kill: "SIGTERM",
  "a terminal that closes": "SIGHUP",
};

describe("the command line on a failure", () => {
  const folder = cliFolder();
  const { setTimeout: realTimeout } = globalThis;
  let registry: CountingRegistry;
  before(async () => {
    registry = await startCountingRegistry();
    const suite = { format: 1, skill: "text-stats", cases: [{ name: "a", payload: { text: "" } }] };
    await writeFile(folder.path("a.skill-suite.json"), JSON.stringify(suite));
    await writeFile(folder.path("text-stats.skill-input.json"), '{"text":"a"}');
    await writeFile(folder.path("text-stats.jsonl"), '{"text":"a"}\n');
    await mkdir(folder.path("folder.jsonl"));
    // The text contains an é in ISO 8859-1, which is invalid UTF-8.
    const latin = Buffer.from('{"text":"caf\xe9"}', "latin1");
    await writeFile(folder.path("text-stats.latin.skill-input.json"), latin);
    await writeFile(folder.path("latin.jsonl"), Buffer.concat([Buffer.from("\n\n"), latin]));
    await mkdir(folder.path("taken"));
    await writeFile(folder.path("taken/.skill-registry"), "");
    await mkdir(folder.path("broken/.skill-registry/policy.json"), { recursive: true });
  });
  after(() => registry.close());
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
  const env = { SKILL_REGISTRY_PROJECT_KEY: key };

  it("reports a missing home to a user whom the system does not know (needs root)", async function () {
    if (process.getuid?.() !== 0) this.skip();
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
    const args = ["invoke", "text-stats", "a.json", "--registry", registry.url, "--yes"];
    const home = { SKILL_REGISTRY_HOME: folder.path("no-folder") };
    registry.forget();
    const { code, err } = await folder.run(args, { ...env, ...home });
    assert.equal(
      err.match(/^The record cannot be read\. .* is not a folder \(ENOTDIR\)/gm)?.length,
      1,
    );
    assert.deepEqual([code, registry.total()], [1, 0]);
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
      const args = [...command, "--registry", registry.url];
      const { code, err } = await folder.run(args, env, AbortSignal.abort());
      assert.match(err, /^Canceled\.\n$/);
      assert.equal(code, 3);
      assert.equal(registry.total(), 0);
    });
  }

  it("waits as long as --timeout allows, and records that", async () => {
    const args = ["--registry", registry.url, "--timeout", "1"];
    registry.describe({ fails: "silent" });
    // A second passes once the request has arrived, however busy the machine is.
    const pass = holdTimeouts(1000);
    const asked = registry.asked("/v1/skills/text-stats");
    const showing = folder.run(["show", "text-stats", ...args]);
    await asked;
    pass();
    const shown = await showing;
    registry.forget();
    assert.match(shown.err, /within 1 s/);
    assert.equal(shown.code, 3);
    registry.answerNext("never", "a");
    const invoke = ["invoke", "text-stats", "text-stats.skill-input.json", "--yes", ...args];
    const invoking = folder.run(invoke, env);
    await registry.reached(1);
    pass();
    const { code, err } = await invoking;
    assert.match(err, /within 1 s/);
    assert.deepEqual([code, registry.total()], [3, 1]);
    const [record] = (await atStore(folder.path("machine"), (store) => store.list({}))).records;
    assert.equal((record?.endsBefore ?? 0) - (record?.startedAt ?? 0), 11_000);
    registry.forget();
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
      const none = await folder.run([...command, "--registry", registry.url]);
      assert.equal(
        none.err,
        `Set SKILL_REGISTRY_PROJECT_KEY to the Project Key of ${registry.url}, or have the keyCommand of your config.json print it.\n`,
      );
      const wrong = { SKILL_REGISTRY_PROJECT_KEY: "shub_user_0123456789abcdef" };
      const token = await folder.run([...command, "--registry", registry.url], wrong);
      assert.match(
        token.err,
        /^Set SKILL_REGISTRY_PROJECT_KEY to the Project Key of http:\S+, .* print it\. ./,
      );
      assert.ok(!token.err.includes("0123456789"));
      assert.deepEqual([none.code, token.code, registry.total()], [2, 2, 0]);
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
      const at = args[0] === "merge" ? [] : ["--registry", registry.url];
      const { code, out, err } = await folder.run([...args, ...at], env);
      assert.match(out + err, message);
      assert.deepEqual([code, registry.total()], [2, 0]);
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
    const at = ["--registry", registry.url];
    const invoked = await folder.run([...args, ...at], env, undefined, "broken");
    assert.match(invoked.err, /^A file in \.skill-registry is broken\./);
    assert.deepEqual([check.code, invoked.code, registry.total()], [2, 2, 0]);
  });

  it("reports that reviews cannot be written, and ends with 2", async () => {
    const args = ["review", "text-stats", "--who", "Ann", "--registry", registry.url];
    const { code, err } = await folder.run(args, env, undefined, "taken");
    assert.match(
      err,
      /^\.skill-registry\/\S+ could not be written: .* \((?:EEXIST|ENOTDIR)\)\.\n$/,
    );
    assert.equal(code, 2);
  });

  const lines = (...texts: readonly string[]) =>
    texts.map((text) => `${JSON.stringify({ text })}\n`).join("");
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
      registry.forget();
      const args = ["run", "changing.jsonl", "--skill", "text-stats", "--registry", registry.url];
      const change = (err: string) => {
        if (err.startsWith("3 invocations of ")) writeFileSync(file, lines(...after));
      };
      const { code, err } = await folder.run([...args, "--yes"], env, undefined, "", change);
      assert.match(err, /Stopped: changing\.jsonl changed after its lines were checked\./);
      assert.equal(code, 2);
      const checked = after.filter((text) => ["a", "b", "c"].includes(text));
      // Checked lines that were not claimed yet when the change was found are taken back.
      const mayBeSent = what === "another line" ? ["a"] : checked;
      const sent = [...registry.counts.keys()];
      assert.deepEqual(
        sent.filter((text) => !mayBeSent.includes(text)),
        [],
      );
      await writeFile(file, lines("a", "b", "c"));
      const rest = await folder.run([...args, "--yes", "--resume"], env);
      assert.equal(rest.code, 0, rest.err);
      assert.deepEqual([...registry.counts].toSorted(), [
        ["a", 1],
        ["b", 1],
        ["c", 1],
      ]);
    });
  }

  it("explains why a run stopped, even after Ctrl+C", async () => {
    await writeFile(folder.path("stopped.jsonl"), lines("stopped"));
    registry.forget();
    registry.answerNext("policy", "stopped");
    const stop = new AbortController();
    const args = ["run", "stopped.jsonl", "--skill", "text-stats", "--yes"];
    const ran = folder.run([...args, "--registry", registry.url], env, stop.signal);
    await registry.reached(1);
    stop.abort();
    const { code, err } = await ran;
    assert.match(err, /\nStopped at line 1\. /);
    assert.equal(code, 1);
  });

  it("leaves no results behind after a canceled merge", async () => {
    await writeFile(folder.path("merged.jsonl"), lines("a"));
    const args = ["run", "merged.jsonl", "--skill", "text-stats", "--yes"];
    await folder.run([...args, "--registry", registry.url], env);
    const merge = ["merge", "merged.jsonl.journal", "--out", "results.jsonl"];
    const { code, err } = await folder.run(merge, env, AbortSignal.abort());
    assert.deepEqual([code, err], [3, "Canceled.\n"]);
    const written = (await readdir(folder.path())).filter((name) => name.startsWith("results"));
    assert.deepEqual(written, []);
    assert.equal((await folder.run(merge, env)).code, 0);
    assert.equal((await folder.run(merge, env)).code, 2);
    assert.match(await readFile(folder.path("results.jsonl"), "utf8"), /"of":"a"/);
  });

  describe("on a separate disk", () => {
    let disk: SmallDisk;
    before(function () {
      disk = mountSmallDisk(this, folder.path("disk"));
    });
    after(() => disk?.unmount());
    const run = (...args: string[]) =>
      folder.run(["run", "many.jsonl", ...args, "--registry", registry.url, "--yes"], env);

    itInWholeSuite(
      "stops a run whose journal has no room, and loses and repeats nothing",
      async () => {
        const count = 500;
        const lines = Array.from({ length: count }, (_, line) => `{"text":"line ${line}"}\n`);
        await writeFile(folder.path("many.jsonl"), lines.join(""));
        registry.forget();
        const full = await run("--skill", "text-stats", "--journal", "disk/a.journal");
        assert.match(full.err, /a\.journal could not be written: the disk is full \(ENOSPC\)\. ./);
        assert.match(full.err, /Nothing more was sent\.\n$/);
        assert.equal(full.code, 2);
        let sent = registry.total();
        assert.ok(sent > 10 && sent < count);
        for (const _ of [1, 2, 3]) {
          const again = await run(
            "--skill",
            "text-stats",
            "--journal",
            "disk/a.journal",
            "--resume",
          );
          assert.match(again.err, /could not be written: the disk is full \(ENOSPC\)/);
          // With fewer lines in progress, a few more ends fit.
          assert.ok(registry.total() - sent <= 8, `${registry.total()} after ${sent}`);
          sent = registry.total();
        }
        await copyFile(folder.path("disk/a.journal"), folder.path("a.journal"));
        const rest = await run("--skill", "text-stats", "--journal", "a.journal", "--resume");
        assert.equal(rest.code, 0, rest.err);
        assert.equal(registry.counts.size, count);
        assert.ok([...registry.counts.values()].every((times) => times === 1));
        const into = await folder.run(["merge", "a.journal", "--out", "disk/all.jsonl"]);
        assert.match(into.err, /all\.jsonl could not be written: the disk is full \(ENOSPC\)\.\n$/);
        assert.equal(into.code, 2);
        await assert.rejects(readFile(folder.path("disk/all.jsonl")));
        await rm(folder.path("disk/a.journal"));
      },
    );

    it("keeps the end of a line whose output does not fit", async () => {
      const text = "long ".repeat(4800);
      await writeFile(folder.path("many.jsonl"), lines("a", text, "c", text, "e", text, "g"));
      registry.forget();
      const full = await run("--skill", "text-stats", "--journal", "disk/c.journal");
      assert.match(
        full.err,
        /Line \d ended with “success”, invocation ID .*; its output is missing from the journal\.\n$/,
      );
      assert.equal(full.code, 2);
      await copyFile(folder.path("disk/c.journal"), folder.path("c.journal"));
      const rest = await run("--skill", "text-stats", "--journal", "c.journal", "--resume");
      assert.match(rest.out, /^7 succeeded, 0 failed, 0 with unknown outcome/);
      assert.deepEqual([...registry.counts.values()].toSorted(), [1, 1, 1, 1, 3]);
      await rm(folder.path("disk/c.journal"));
    });

    it("reports sent cases if their outputs cannot be stored", async () => {
      const cases = [{ name: "a", payload: { text: "kept" }, expect: { snapshot: true } }];
      const suite = JSON.stringify({ format: 1, skill: "text-stats", cases });
      await writeFile(folder.path("disk/b.skill-suite.json"), suite);
      disk.makeReadOnly();
      registry.forget();
      const args = ["test", "disk/b.skill-suite.json", "--live", "--update", "--yes"];
      const at = ["--format", "json", "--registry", registry.url];
      const { code, out, err } = await folder.run([...args, ...at], env);
      assert.equal(JSON.parse(out).items[0].invocationId, "kept 1");
      assert.match(err, /b\.skill-snapshots\.json could not be written: the disk is read-only/);
      assert.equal(code, 2);
    });

    it("sends nothing if the journal's disk is read-only", async () => {
      disk.makeReadOnly();
      registry.forget();
      const { code, err } = await run("--skill", "text-stats", "--journal", "disk/b.journal");
      assert.match(err, /could not be written: the disk is read-only \(EROFS\)\.$/m);
      assert.deepEqual([code, registry.total()], [2, 0]);
    });
  });

  describe("as a process", () => {
    let program: string;
    before(async () => {
      program = await buildProgram();
    });
    const options = () => ({ cwd: folder.path(), env: { ...process.env, ...env } });
    const start = (args: readonly string[]) =>
      spawn(process.execPath, [program, ...args], {
        ...options(),
        stdio: ["ignore", "pipe", "pipe"],
      });

    it("ends without an error if nobody reads its output any more, as head does", async () => {
      const child = start(["--help"]);
      let err = "";
      child.stderr.on("data", (chunk) => {
        err += chunk;
      });
      child.stdout.destroy();
      await once(child, "close");
      assert.equal(err, "");
    });

    it("ends with 2 if its output cannot be written, and prints the invocation ID", async function () {
      if (!existsSync("/dev/full")) this.skip();
      registry.forget();
      const full = openSync("/dev/full", "w");
      const args = ["invoke", "text-stats", "text-stats.skill-input.json", "--yes"];
      const asJson = [program, ...args, "--format", "json", "--registry", registry.url];
      const stdio: StdioOptions = ["ignore", full, "pipe"];
      const child = spawn(process.execPath, asJson, { ...options(), stdio });
      closeSync(full);
      let err = "";
      child.stderr?.on("data", (chunk) => {
        err += chunk;
      });
      const [code] = await once(child, "close");
      assert.match(err, /^text-stats: success, .*, invocation ID a 1$/m);
      assert.match(err, /^The output could not be written: the disk is full \(ENOSPC\)\.$/m);
      assert.equal(code, 2);
    });

    it("reports in one line that its help cannot be written", async function () {
      if (!existsSync("/dev/full")) this.skip();
      const full = openSync("/dev/full", "w");
      const stdio: StdioOptions = ["ignore", full, "pipe"];
      const child = spawn(process.execPath, [program, "--help"], { ...options(), stdio });
      closeSync(full);
      let err = "";
      child.stderr?.on("data", (chunk) => {
        err += chunk;
      });
      const [code] = await once(child, "close");
      assert.equal(err, "The output could not be written: the disk is full (ENOSPC).\n");
      assert.equal(code, 2);
    });

    for (const [, signal] of someOf(signals, ["Ctrl+C"])) {
      it(`ends at ${signal} while it reads endless input`, async function () {
        const pipe = folder.path("pipe");
        if (spawnSync("mkfifo", [pipe]).status !== 0) this.skip();
        const endsAt = async (file: string) => {
          const args = ["invoke", "text-stats", file, "--registry", registry.url];
          const child = spawn(process.execPath, [program, ...args], options());
          let err = "";
          child.stderr.on("data", (chunk) => {
            err += chunk;
          });
          const closed = once(child, "close");
          child.stdin.on("error", () => undefined);
          // Writing and opening both take until the command reads.
          if (file === "-") await new Promise((read) => child.stdin.write(Buffer.alloc(1e6), read));
          const writer = file === "-" ? undefined : await promisify(openFile)(pipe, "w");
          child.kill(signal);
          const [code, by] = await closed;
          if (writer !== undefined) closeSync(writer);
          assert.equal(err, "Canceled.\n");
          assert.ok(code === 3 || by === signal, `${code} ${by}`);
        };
        await Promise.all(["pipe", "-"].map(endsAt));
        await rm(pipe);
      });
    }

    it("continues if nobody reads its messages", async () => {
      await writeFile(folder.path("quiet.jsonl"), '{"text":"a"}\n{"text":"b"}\n');
      const args = ["run", "quiet.jsonl", "--skill", "text-stats", "--registry", registry.url];
      const child = start([...args, "--yes"]);
      let out = "";
      child.stdout.on("data", (chunk) => {
        out += chunk;
      });
      child.stderr.destroy();
      const [code] = await once(child, "close");
      assert.match(out, /^2 succeeded, /);
      assert.equal(code, 0);
    });

    for (const [, signal] of someOf(signals, ["Ctrl+C"])) {
      it(`ends a run in good order at ${signal}: it awaits sent lines, and can be resumed`, async () => {
        const count = 60;
        const lines = Array.from({ length: count }, (_, line) => `{"text":"line ${line}"}\n`);
        await writeFile(folder.path("int.jsonl"), lines.join(""));
        await rm(folder.path("int.jsonl.journal"), { force: true });
        registry.forget();
        const args = ["run", "int.jsonl", "--skill", "text-stats", "--registry", registry.url];
        const child = start([...args, "--yes"]);
        let err = "";
        child.stderr.on("data", (chunk) => {
          err += chunk;
        });
        child.stdout.resume();
        // Its last output may arrive after its exit.
        const closed = once(child, "close");
        await registry.reached(5);
        child.kill(signal);
        const [code] = await closed;
        assert.match(err, /Canceled\. Continue with --resume\.\n$/);
        assert.ok(!existsSync(folder.path("int.jsonl.journal.lock")));
        assert.equal(code, 3);
        const sent = registry.total();
        assert.ok(sent < count);
        const rest = await folder.run([...args, "--yes", "--resume"], env);
        assert.equal(
          rest.out,
          `${count} succeeded, 0 failed, 0 with unknown outcome. Billed: $1.20.\n`,
        );
        assert.ok([...registry.counts.values()].every((times) => times === 1));
      });
    }

    it("reports every sent case at Ctrl+C, by its invocation ID", async () => {
      const cases = Array.from({ length: 200 }, (_, at) => ({
        name: `${at}`,
        payload: { text: `case ${at}` },
      }));
      const suite = JSON.stringify({ format: 1, skill: "text-stats", cases });
      await writeFile(folder.path("int.skill-suite.json"), suite);
      registry.forget();
      const args = ["test", "int.skill-suite.json", "--live", "--yes", "--format", "json"];
      const child = start([...args, "--registry", registry.url]);
      const written = { out: "", err: "" };
      child.stdout.on("data", (chunk) => {
        written.out += chunk;
      });
      child.stderr.on("data", (chunk) => {
        written.err += chunk;
      });
      const closed = once(child, "close");
      await registry.reached(20);
      child.kill("SIGINT");
      const [code] = await closed;
      assert.match(written.err, /\nCanceled\.\n$/);
      const { items } = JSON.parse(written.out) as { items: { invocationId?: string }[] };
      const ids = items.flatMap(({ invocationId }) => invocationId ?? []);
      assert.deepEqual(
        ids,
        [...registry.counts.keys()].map((text) => `${text} 1`),
      );
      assert.ok(ids.length < cases.length);
      assert.equal(items.length, cases.length);
      assert.equal(code, 3);
    });
  });
});
