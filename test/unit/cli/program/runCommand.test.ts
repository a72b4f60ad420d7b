import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Command, Terminal } from "../../../../src/cli/command";
import { runCommand } from "../../../../src/cli/program/runCommand";

describe("a command", () => {
  /** Runs a command that does nothing but write, and returns what came of its results. */
  async function written(write: (terminal: Terminal) => void): Promise<string> {
    const command: Command = {
      name: "write",
      operands: "",
      summary: "",
      details: [],
      options: {},
      examples: [],
      run: async (_, terminal) => {
        write(terminal);
        return 0;
      },
    };
    let all = "";
    const never = () => Promise.reject(new Error("Nothing is started."));
    const code = await runCommand([command], ["write"], {
      env: {},
      cwd: ".",
      threads: { language: never, registry: never },
      out: (text) => {
        all += text;
      },
      err: () => undefined,
      isTerminal: false,
      signal: new AbortController().signal,
    });
    assert.equal(code, 0);
    return all;
  }

  const text = "text-stats\rspoofed\r\nnext\n";
  const kept = "text-stats\\u000dspoofed\r\nnext\n";

  it("writes no text over the line that it stands in", async () => {
    assert.equal(await written(({ out }) => out(text)), kept);
  });

  it("paints no text over the line that it stands in", async () => {
    assert.equal(await written(({ paint }) => paint([text])), kept);
  });
});
