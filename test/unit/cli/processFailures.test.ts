import assert from "node:assert/strict";
import { type StdioOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, open as openFile, openSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { before, describe, it } from "mocha";
import { someOf } from "../../editor/someOf";
import { env, failingCli } from "./failingCli";
import { buildProgram } from "./runTestCli";

/** The signals that end a program gracefully, all by one handler. */
const signals: Readonly<Record<string, NodeJS.Signals>> = {
  "Ctrl+C": "SIGINT",
  kill: "SIGTERM",
  "a terminal that closes": "SIGHUP",
};

describe("the command line on a failure", () => {
  const bench = failingCli();
  const { folder } = bench;

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

    it("ends without an error if its reader stops reading, as `head` does", async () => {
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
      bench.registry.forget();
      const full = openSync("/dev/full", "w");
      const args = ["invoke", "text-stats", "text-stats.skill-input.json", "--yes"];
      const asJson = [program, ...args, "--format", "json", "--registry", bench.registry.url];
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
          const args = ["invoke", "text-stats", file, "--registry", bench.registry.url];
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
      const args = [
        "run",
        "quiet.jsonl",
        "--skill",
        "text-stats",
        "--registry",
        bench.registry.url,
      ];
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
        bench.registry.forget();
        const args = [
          "run",
          "int.jsonl",
          "--skill",
          "text-stats",
          "--registry",
          bench.registry.url,
        ];
        const child = start([...args, "--yes"]);
        let err = "";
        child.stderr.on("data", (chunk) => {
          err += chunk;
        });
        child.stdout.resume();
        // Its last output may arrive after its exit.
        const closed = once(child, "close");
        await bench.registry.reached(5);
        child.kill(signal);
        const [code] = await closed;
        assert.match(err, /Canceled\. Continue with --resume\.\n$/);
        assert.ok(!existsSync(folder.path("int.jsonl.journal.lock")));
        assert.equal(code, 3);
        const sent = bench.registry.total();
        assert.ok(sent < count);
        const rest = await folder.run([...args, "--yes", "--resume"], env);
        assert.equal(
          rest.out,
          `${count} succeeded, 0 failed, 0 with unknown outcome. Billed: $1.20.\n`,
        );
        assert.ok([...bench.registry.counts.values()].every((times) => times === 1));
      });
    }

    it("reports every sent case at Ctrl+C, by its invocation ID", async () => {
      const cases = Array.from({ length: 200 }, (_, at) => ({
        name: `${at}`,
        payload: { text: `case ${at}` },
      }));
      const suite = JSON.stringify({ format: 1, skill: "text-stats", cases });
      await writeFile(folder.path("int.skill-suite.json"), suite);
      bench.registry.forget();
      const args = ["test", "int.skill-suite.json", "--live", "--yes", "--format", "json"];
      const child = start([...args, "--registry", bench.registry.url]);
      const written = { out: "", err: "" };
      child.stdout.on("data", (chunk) => {
        written.out += chunk;
      });
      child.stderr.on("data", (chunk) => {
        written.err += chunk;
      });
      const closed = once(child, "close");
      await bench.registry.reached(20);
      child.kill("SIGINT");
      const [code] = await closed;
      assert.match(written.err, /\nCanceled\.\n$/);
      const { items } = JSON.parse(written.out) as { items: { invocationId?: string }[] };
      const ids = items.flatMap(({ invocationId }) => invocationId ?? []);
      assert.deepEqual(
        ids,
        [...bench.registry.counts.keys()].map((text) => `${text} 1`),
      );
      assert.ok(ids.length < cases.length);
      assert.equal(items.length, cases.length);
      assert.equal(code, 3);
    });
  });
});
