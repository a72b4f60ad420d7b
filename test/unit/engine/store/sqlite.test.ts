import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import * as esbuild from "esbuild";
import { after, before, describe, it } from "mocha";
import { loadSqlite } from "../../../../src/engine/store/sqlite";

describe("node:sqlite", () => {
  const outfile = resolve("out/test", `sqlite-${process.pid}.cjs`);
  before(() =>
    esbuild.build({
      entryPoints: [resolve("src/engine/store/sqlite.ts")],
      outfile,
      bundle: true,
      platform: "node",
      format: "cjs",
    }),
  );
  after(() => rm(outfile));

  // A process warns about a module once, so each test runs in a process of its own.
  const printed = (code: string, ...flags: readonly string[]) =>
    execFileSync(process.execPath, [...flags, "-e", code, outfile], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });

  it("is loaded without its warning, and other warnings stay", () => {
    const code = `
      process.on("warning", ({ message }) => console.log(message));
      const { DatabaseSync } = require(process.argv[1]).loadSqlite();
      console.log(new DatabaseSync(":memory:").prepare("SELECT 6 * 7 AS answer").get().answer);
      process.emitWarning("Another.", "ExperimentalWarning");`;
    assert.equal(printed(code), "42\nAnother.\n");
  });

  it("is loaded without its warning in a thread", () => {
    const code = `
      const { Worker } = require("node:worker_threads");
      const thread = \`
        process.on("warning", ({ message }) => console.log(message));
        require(\${JSON.stringify(process.argv[1])}).loadSqlite();
        process.emitWarning("Another.", "ExperimentalWarning");\`;
      new Worker(thread, { eval: true });`;
    assert.equal(printed(code), "Another.\n");
  });

  it("leaves process.emitWarning as it was", () => {
    const { emitWarning } = process;
    assert.notEqual(loadSqlite(), undefined);
    assert.equal(process.emitWarning, emitWarning);
  });

  it("is reported as missing if Node.js has none", () => {
    const code = `
      const { hasSqlite, loadSqlite } = require(process.argv[1]);
      console.log(hasSqlite(), loadSqlite());`;
    assert.equal(printed(code, "--no-experimental-sqlite"), "false undefined\n");
  });
});
