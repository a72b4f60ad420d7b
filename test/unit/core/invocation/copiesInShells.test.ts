import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "mocha";
import { invokeBody } from "../../../../src/core/invocation/invocation";
import {
  curlCommand,
  curlForPowerShell,
  fetchModule,
  pythonScript,
} from "../../../../src/core/invocation/invocationCopies";
import { startLocalRegistry } from "../../../../src/localRegistry/startLocalRegistry";
import { startTestRegistry, type TestRegistry } from "../../../fixtures/registries/testRegistry";
import { skipWithout, type ToolName } from "../../../fixtures/tools";

/**
 * A program that runs copied commands: each in a file, or if `pasted`, line by line as at a prompt. With `several`, the
 * program gets all files at once and prints a line "----" after each, since Node.js and Python take longer to start
 * than to run them.
 */
interface Runner {
  readonly name: string;
  /** The tools that it needs; the first one is its program. None: Node.js. */
  readonly tools: readonly ToolName[];
  readonly program: readonly string[];
  readonly several?: boolean;
  readonly write: typeof curlCommand;
  readonly pasted?: boolean;
}

const runners: readonly Runner[] = [
  { name: "bash", tools: ["bash", "curl"], program: ["bash"], write: curlCommand },
  {
    name: "bash at its prompt",
    tools: ["bash", "curl"],
    program: ["bash", "--norc", "-i"],
    pasted: true,
    write: curlCommand,
  },
  { name: "dash", tools: ["dash", "curl"], program: ["dash"], write: curlCommand },
  { name: "zsh", tools: ["zsh", "curl"], program: ["zsh", "-f"], write: curlCommand },
  {
    name: "zsh at its prompt",
    tools: ["zsh", "curl"],
    program: ["zsh", "-f", "-i"],
    pasted: true,
    write: curlCommand,
  },
  { name: "ksh", tools: ["ksh", "curl"], program: ["ksh"], write: curlCommand },
  { name: "busybox", tools: ["busybox", "curl"], program: ["busybox", "sh"], write: curlCommand },
  { name: "fish", tools: ["fish", "curl"], program: ["fish", "--no-config"], write: curlCommand },
  {
    name: "PowerShell",
    tools: ["PowerShell", "curl"],
    program: ["pwsh", "-NoProfile", "-File"],
    write: (baseUrl, call) => curlForPowerShell(baseUrl, call).replaceAll("curl.exe", "curl"),
  },
  {
    name: "Python",
    tools: ["Python 3.11"],
    program: [
      "python3",
      "-c",
      `import runpy, sys
for file in sys.argv[1:]:
    runpy.run_path(file, run_name="__main__")
    print("\\n----", flush=True)`,
    ],
    several: true,
    write: pythonScript,
  },
  {
    name: "Node",
    tools: [],
    program: [
      process.execPath,
      "--input-type=module",
      "--eval",
      `for (const file of process.argv.slice(1)) {
        await import(file);
        console.log("\\n----");
      }`,
    ],
    several: true,
    write: fetchModule,
  },
];

const inputs: readonly (readonly [string, string])[] = [
  ["quotes", String.raw`["it's", "\"", "'", "''", "'\"'", "'; touch owned; '"]`],
  [
    "backslashes",
    String.raw`["\\", "\\\\", "\\'", "'\\", "\\\"", "a\\nb", "a\nb", "\/", "\\u0041"]`,
  ],
  ["substitutions", '["$HOME", "$(touch owned)", "`touch owned`", "$((1))", "$$", "$"]'],
  ["what cmd expands", '["%PATH%", "%%", "^", "^&", "& touch owned", "| touch owned", "> owned"]'],
  ["what a prompt expands", '["!", "!!", "!x", "a!b", "~", "*", "?", "[a]", "{a,b}", "#", ";"]'],
  ["lines", '{\n\t"a": "it\'s!",\r\n\t"b": "!! \\\\ !",\n\n  "c": []\n}\n'],
  ["signs at the start", '"@/etc/passwd"'],
  ["numbers", "[9007199254740993, 1.0, 1E400, -0, 1e-7]"],
  ["other writing", '["é ü ß", "你好", "😀👩‍🚀", "‘curly’ “marks” «a»", "\u2028\u2029\u0085"]'],
  ["what a terminal acts on", '["a\u007f\u007f\u007fb", "\u009b31m", "\u202egpj", "\u200b\ufeff"]'],
];

const key = "skh_from-environment";
const textStats = { skillSlug: "text-stats", version: "1.0.0" };

describe("a copied call, run by", () => {
  let server: TestRegistry;
  let folder = "";
  let runs = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "copies-"));
    server = await startTestRegistry({ "**": { body: { ok: true } } });
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  /** Runs copied commands in one process. Resolves to what each printed. */
  async function run({ program, pasted }: Runner, copied: readonly string[], projectKey = key) {
    const [command = "", ...words] = program;
    const files = copied.map(() => {
      runs += 1;
      // Node.js and PowerShell decide by the file extension.
      return join(folder, `${runs}.${program[0] === process.execPath ? "mjs" : "ps1"}`);
    });
    for (const [index, file] of files.entries()) await writeFile(file, copied[index] ?? "");
    const env = { ...process.env, SKILL_REGISTRY_PROJECT_KEY: projectKey, PYTHONUTF8: "1" };
    const child = spawn(command, pasted ? words : [...words, ...files], { cwd: folder, env });
    child.stdin.on("error", () => undefined);
    child.stdin.end(pasted ? `${copied.join("\n")}\nexit\n` : "");
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return out + err;
  }

  /** Sends each value with a copied command. Resolves to what each printed and what the server received. */
  async function send(runner: Runner, inputTexts: readonly string[]) {
    const calls = inputTexts.map((inputText) => ({ ...textStats, inputText }));
    const seen = server.requests.length;
    const output = await run(
      runner,
      calls.map((call) => runner.write(server.baseUrl, call)),
    );
    const requests = server.requests.slice(seen);
    const outputs = runner.several ? output.split("\n----\n") : [output];
    return calls.map((call, index) => ({
      call,
      output: outputs[index] ?? output,
      requests: requests.slice(index, index === calls.length - 1 ? undefined : index + 1),
    }));
  }

  for (const runner of runners) {
    describe(runner.name, () => {
      // Linux allows at most 128 KB for one argument.
      const long = longInput(150_000);
      const values = [...inputs, ["more than an argument takes", long] as const];
      let sent: Awaited<ReturnType<typeof send>> = [];
      before(async function () {
        const [program, ...others] = runner.tools;
        if (program !== undefined) skipWithout(this, program, ...others);
        if (!runner.several) return;
        sent = await send(
          runner,
          values.map(([, inputText]) => inputText),
        );
      });

      for (const [index, [name, inputText]] of values.entries()) {
        it(`sends the same value: ${name}`, async () => {
          const one = sent[index] ?? (await send(runner, [inputText]))[0];
          assert.ok(one);
          const { call, output, requests } = one;
          const [request, ...more] = requests;
          assert.deepEqual(more, []);
          assert.equal(request?.method, "POST", output.slice(0, 1000));
          assert.equal(request?.path, "/v1/runtime/invoke");
          assert.equal(request?.headers.authorization, `Bearer ${key}`);
          assert.equal(request?.headers["content-type"], "application/json");
          assert.deepEqual(exactly(request?.body ?? ""), exactly(invokeBody(call)));
          assert.ok(output.includes('{"ok":true}'), output.slice(0, 1000));
          assert.ok(!(await readdir(folder)).includes("owned"));
        });
      }

      it("sends one request to an address that curl would expand to many", async () => {
        const call = { skillSlug: "text-stats", version: "", inputText: "{}" };
        const seen = server.requests.length;
        await run(runner, [runner.write(`${server.baseUrl}/[1-3]/{a,b}`, call)]);
        const paths = server.requests.slice(seen).map(({ path }) => decodeURI(path));
        assert.deepEqual(paths, ["/[1-3]/{a,b}/v1/runtime/invoke"]);
      });

      it("is answered by the embedded registry", async () => {
        const registry = await startLocalRegistry({ projectKey: `skh_${"5".repeat(64)}` });
        try {
          const call = {
            skillSlug: "text-stats",
            version: "",
            inputText: '{"text":"It\'s \\\\ !"}',
          };
          const output = await run(
            runner,
            [runner.write(registry.baseUrl, call)],
            registry.projectKey,
          );
          assert.match(output, /"status":"success"/);
          assert.equal(registry.invocations().length, 1);
        } finally {
          await registry.close();
        }
      });
    });
  }
});

function longInput(length: number): string {
  return JSON.stringify({ text: `it's \\ "long" ! `.repeat(length / 17) });
}

/** Returns the value, and the spelling of every number. */
function exactly(json: string): unknown {
  const numbers = json.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d[\d.eE+-]*/g);
  return { value: JSON.parse(json), numbers };
}
