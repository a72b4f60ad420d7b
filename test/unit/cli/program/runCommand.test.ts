import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { command } from "../../../../src/cli/command";
import { columnsOf } from "../../../../src/cli/output/width";
import { runCommand } from "../../../../src/cli/program/runCommand";
import { programOf } from "../../../../src/cli/program/runProgram";
import type { Terminal } from "../../../../src/cli/terminal";

describe("a command's output", () => {
  /** Runs a command that only writes, and returns its results as written. */
  async function written(act: (terminal: Terminal) => void, columns?: number): Promise<string> {
    const write = command({
      name: "write",
      operands: "",
      summary: "",
      details: [],
      options: {},
      examples: [],
      run: async (_, terminal) => {
        act(terminal);
        return 0;
      },
    });
    let all = "";
    const never = () => Promise.reject(new Error("Nothing is started."));
    const code = await runCommand([write], ["write"], {
      env: {},
      cwd: ".",
      program: [],
      threads: { language: never, registry: never },
      out: (text) => {
        all += text;
      },
      err: (text) => {
        all += text;
      },
      columns,
      errColumns: columns,
      signal: new AbortController().signal,
    });
    assert.equal(code, 0);
    return all;
  }

  const text = "text-stats\rspoofed\r\nnext\n";
  const kept = "text-stats\\u000dspoofed\r\nnext\n";

  it("overwrites no line with a text", async () => {
    assert.equal(await written(({ out }) => out(text)), kept);
  });

  it("overwrites no line with a painted text", async () => {
    assert.equal(await written(({ paint }) => paint([text])), kept);
  });

  it("wraps sentences at the terminal's width, but not data or progress", async () => {
    const say = (terminal: Terminal) => {
      terminal.err("one two three four\n");
      terminal.print("two three four five\n");
      terminal.out("{ data as it stands }\n");
      terminal.draw("\rfive six seven");
    };
    const rest = "{ data as it stands }\n\rfive six seven";
    assert.equal(await written(say, 12), `one two\nthree four\ntwo three\nfour five\n${rest}`);
    assert.equal(await written(say), `one two three four\ntwo three four five\n${rest}`);
  });
});

describe("the command line to start the program again", () => {
  const started = { execPath: "/bin/node", argv: ["node", "/lib/cli.js"], versions: {} };
  const rows: readonly (readonly [string, object, readonly string[]])[] = [
    ["Node.js with its script", { platform: "linux" }, ["/bin/node", "/lib/cli.js"]],
    [
      "Node.js of the PATH where an editor runs it",
      { platform: "linux", versions: { electron: "1" } },
      ["node", "/lib/cli.js"],
    ],
    [
      "the launcher that started it",
      { platform: "linux", env: { SKILL_REGISTRY_LAUNCHER: "/bin/skill-registry" } },
      ["/bin/skill-registry"],
    ],
    [
      "a shell with the launcher on Windows",
      { platform: "win32", env: { SKILL_REGISTRY_LAUNCHER: "/bin/skill-registry.cmd" } },
      ["cmd", "/c", "/bin/skill-registry.cmd"],
    ],
    [
      "no launcher whose place depends on the folder",
      { platform: "linux", env: { SKILL_REGISTRY_LAUNCHER: "skill-registry" } },
      ["/bin/node", "/lib/cli.js"],
    ],
  ];
  for (const [name, given, expected] of rows) {
    it(`is ${name}`, () => {
      const program = { env: {}, ...started, ...given } as Parameters<typeof programOf>[0];
      assert.deepEqual(programOf(program), expected);
    });
  }
});

describe("the width of a terminal", () => {
  it("is 80 if it reports none or 0, and unknown without a terminal", () => {
    const columns = [{ columns: 60 }, { columns: 0 }, {}].map((one) =>
      columnsOf({ isTTY: true, ...one }),
    );
    assert.deepEqual(columns, [60, 80, 80]);
    assert.equal(columnsOf({ columns: 60 }), undefined);
  });
});
