import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import { describe, it } from "mocha";
import { readJournal } from "../../../../../src/batch/readJournal";
import { buildProgram } from "../../runTestCli";
import { env, inputs, useRuns } from "./useRuns";

describe("skill-registry run", () => {
  const bench = useRuns();
  const { folder, run, write } = bench;

  const linesIn = (text: string) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));

  it("writes results into a file in line order, and again with the earlier ones after a resume", async () => {
    await write("text-stats.jsonl", inputs(6));
    await rm(folder.path("results.jsonl"), { force: true });
    bench.registry.answerNext("held", "line 1");
    const running = run(
      "text-stats.jsonl",
      "--jobs",
      "3",
      "--max-cents",
      "8",
      "--out",
      "results.jsonl",
    );
    await bench.registry.reached(1);
    bench.registry.answerHeld();
    await running;
    const some = linesIn(await readFile(folder.path("results.jsonl"), "utf8"));
    assert.deepEqual(
      some.map(({ line, output }) => [line, output.of]),
      [1, 2, 3, 4].map((line) => [line, `line ${line}`]),
    );
    const again = await run("text-stats.jsonl", "--out", "results.jsonl");
    assert.match(again.err, /already exists/);
    assert.equal((await run("text-stats.jsonl", "--resume", "--out", "results.jsonl")).code, 0);
    const all = await readFile(folder.path("results.jsonl"), "utf8");
    assert.deepEqual(
      linesIn(all).map(({ line }) => line),
      [1, 2, 3, 4, 5, 6],
    );
    assert.match(
      all,
      /^\{"line":1,"status":"success","ran":"yes",.*"output":\{"of":"line 1"\}\}$/m,
    );
    const merged = await folder.run(["merge", "text-stats.jsonl.journal"]);
    assert.equal(merged.out, all);
  });

  it("writes results to a pipe, and its summary to stderr", async () => {
    await write("text-stats.jsonl", inputs(3));
    bench.registry.answerNext("fails", "line 2");
    const { code, out, err } = await run("text-stats.jsonl", "--out", "-");
    assert.deepEqual(
      linesIn(out).map(({ line, status }) => [line, status]),
      [
        [1, "success"],
        [2, "error"],
        [3, "success"],
      ],
    );
    assert.match(err, /^2 succeeded, 1 failed, 0 with unknown outcome\./m);
    assert.equal(code, 1);
  });

  it("never overwrites its inputs, its journal, a link or another file with results", async () => {
    await write("text-stats.jsonl", inputs(1));
    await writeFile(folder.path("notes.txt"), "Dear diary");
    await rm(folder.path("link.jsonl"), { force: true });
    await symlink(folder.path("notes.txt"), folder.path("link.jsonl"));
    const names = ["text-stats.jsonl", "text-stats.jsonl.journal", "link.jsonl", "notes.txt"];
    for (const name of names) {
      const { code } = await run("text-stats.jsonl", "--resume", "--out", name);
      assert.equal(code, 2, name);
    }
    assert.equal(await readFile(folder.path("text-stats.jsonl"), "utf8"), inputs(1));
    assert.equal(await readFile(folder.path("notes.txt"), "utf8"), "Dear diary");
    assert.equal(bench.registry.total(), 0);
  });

  it("awaits sent lines, and explains how to continue, once nobody reads its output", async () => {
    await write("text-stats.jsonl", inputs(100));
    bench.registry.describe({ takesMs: 50 });
    const args = [
      "run",
      "text-stats.jsonl",
      "--registry",
      bench.registry.url,
      "--yes",
      "--out",
      "-",
    ];
    const child = spawn(process.execPath, [await buildProgram(), ...args, "--jobs", "8"], {
      cwd: folder.path(),
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const exit = once(child, "exit");
    child.stdout.once("data", () => child.stdout.destroy());
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    const [code] = await exit;
    bench.registry.describe({ takesMs: 0 });
    assert.match(said, /^Canceled\. Continue with --resume\.$/m);
    assert.equal(code, 3);
    const { state } = await readJournal(folder.path("text-stats.jsonl.journal"));
    assert.deepEqual([...state.open.keys()], []);
  });
});
