import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, it } from "mocha";

describe("an unhandled rejection", () => {
  const cases: readonly (readonly [when: string, test: string, expected: RegExp])[] = [
    [
      "during a test",
      `it("goes on", (done) => {
        setTimeout(() => { Promise.reject(new Error("lost")); setTimeout(done, 1); });
      });`,
      /1\) goes on:\s+Uncaught Error: lost\s+at .*lost\.cjs:2:/,
    ],
    [
      "after the last test",
      `it("is over", () => {
        process.once("beforeExit", () => Promise.reject(new Error("late")));
      });`,
      /Error: late\s+at .*lost\.cjs:2:/,
    ],
  ];
  for (const [when, test, expected] of cases) {
    it(`fails the run with its stack ${when}`, () => {
      const folder = mkdtempSync(join(tmpdir(), "lost-rejections-"));
      try {
        const file = join(folder, "lost.cjs");
        writeFileSync(file, test);
        const mocha = resolve("node_modules/mocha/bin/mocha.js");
        const prepare = resolve("scripts/suite/prepareUnitTests.cjs");
        const run = spawnSync(process.execPath, [mocha, "--require", prepare, file], {
          encoding: "utf8",
        });
        assert.notEqual(run.status, 0);
        assert.match(run.stdout + run.stderr, expected);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});
