import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import { batchLauncher, shellLauncher } from "../../../../src/host/terminal/launcher";

describe("a launcher", () => {
  it("for a shell passes arguments and exit code, wherever program and script are", () => {
    const folder = mkdtempSync(join(tmpdir(), "launch '$(exit 9)` \" é-"));
    try {
      const script = join(folder, "a 'b'.js");
      const text =
        "const { argv, env } = process; console.log(JSON.stringify([argv.slice(2), env.ELECTRON_RUN_AS_NODE, env.SKILL_REGISTRY_LAUNCHER]))";
      writeFileSync(script, text);
      const program = join(folder, "no'de");
      symlinkSync(process.execPath, program);
      const started = shellLauncher({ program, script, launcher: "/it's here" });
      const args = ["a b", "$HOME", "'", '"', "*"];
      const out = execFileSync("/bin/sh", ["-c", started, "sh", ...args], { encoding: "utf8" });
      assert.deepEqual(JSON.parse(out), [args, "1", "/it's here"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const batches: readonly (readonly [program: string, line: string, isWide: boolean])[] = [
    ["C:\\Program Files\\Code.exe", '"C:\\Program Files\\Code.exe" "C:\\cli.js" %*', false],
    ["C:\\100%PATH%\\Code.exe", '"C:\\100%%PATH%%\\Code.exe" "C:\\cli.js" %*', false],
    ["C:\\Jörg\\Code.exe", '"C:\\Jörg\\Code.exe" "C:\\cli.js" %*', true],
  ];
  for (const [program, line, isWide] of batches) {
    it(`for cmd.exe keeps ${program}`, () => {
      const lines = batchLauncher({
        program,
        script: "C:\\cli.js",
        launcher: "C:\\100%\\s.cmd",
      }).split("\r\n");
      assert.ok(lines.includes(line));
      assert.ok(lines.includes('set "SKILL_REGISTRY_LAUNCHER=C:\\100%%\\s.cmd"'));
      assert.equal(lines.includes("chcp 65001 >nul"), isWide);
    });
  }
});
