import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "mocha";
import {
  curlForCmd,
  curlForPowerShell,
  fetchModule,
  pythonScript,
} from "../../../../src/core/invocation/callCopies";
import { curlCommand } from "../../../../src/core/invocation/curlCommand";
import { invokeBody } from "../../../../src/core/invocation/invokeBody";
import { startLocalRegistry } from "../../../../src/localRegistry/startLocalRegistry";
import { type RecordingServer, startRecordingServer } from "../../../fixtures/recordingServer";

/** Everything that some shell or language gives a meaning to. */
const awkward = `it's "quoted" \\ $HOME \`id\` %PATH% !x! ^ & | < > ( ) ; # * ? ~ {a,b} ‘curly’ “marks” é ü 😀 \u2028 \\" \\\\`;
const inputText = `{ "text": ${JSON.stringify(awkward)},\r\n\t"n": 9007199254740993, "e": 1.0 }`;
const call = { skillSlug: "text-stats", version: "1.0.0", inputText };
const body = invokeBody(call);
const key = "skh_from-environment";

describe("a copied call", () => {
  let server: RecordingServer;
  before(async () => {
    server = await startRecordingServer((_request, response) => response.end('{"ok":true}'));
  });
  after(() => server.close());

  const runners: readonly (readonly [
    name: string,
    program: string,
    run: (base: string) => readonly string[],
  ])[] = [
    ["cURL in a POSIX shell", "curl", (base) => ["bash", "-c", curlCommand(base, call)]],
    ["Python", "python3", (base) => ["python3", "-c", pythonScript(base, call)]],
    [
      "fetch",
      process.execPath,
      (base) => [process.execPath, "--input-type=module", "-e", fetchModule(base, call)],
    ],
  ];
  for (const [name, program, run] of runners) {
    it(`as ${name} sends what the editor sends, with the key from the environment`, async function () {
      if (!exists(program)) return this.skip();
      const seen = server.requests.length;
      const output = await runProgram(run(server.baseUrl));
      const request = server.requests[seen];
      assert.equal(request?.method, "POST", output);
      assert.equal(request?.path, "/v1/runtime/invoke");
      assert.equal(request?.headers.authorization, `Bearer ${key}`);
      assert.equal(request?.headers["content-type"], "application/json");
      assert.equal(request?.body, body);
      assert.match(output, /\{"ok":true\}/);
    });
  }

  it("runs as it is against the embedded registry", async function () {
    if (!exists("curl") || !exists("python3")) return this.skip();
    const registry = await startLocalRegistry({ projectKey: `skh_${"5".repeat(64)}` });
    try {
      for (const words of [
        ["bash", "-c", curlCommand(registry.baseUrl, call)],
        ["python3", "-c", pythonScript(registry.baseUrl, call)],
        [process.execPath, "--input-type=module", "-e", fetchModule(registry.baseUrl, call)],
      ]) {
        const output = await runProgram(words, registry.projectKey);
        assert.match(output, /"invocationId"/);
        assert.match(output, /additional|"status":"(success|error)"/);
      }
      assert.equal(registry.invocations().length, 3);
    } finally {
      await registry.close();
    }
  });

  it("as cURL for PowerShell gives curl the same value on its input", async () => {
    const script = curlForPowerShell("http://127.0.0.1:9", call);
    const [, piped = ""] = /^'([^']*)' \| /.exec(script) ?? [];
    assert.match(piped, /^[\x20-\x7e]+$/);
    assert.deepEqual(exactly(piped), exactly(body));
    assert.match(script, /"Authorization: Bearer \$env:SKILL_PROJECT_KEY"/);
    if (!exists("pwsh")) return;
    const seen = server.requests.length;
    const real = curlForPowerShell(server.baseUrl, call).replaceAll("curl.exe", "curl");
    await runProgram(["pwsh", "-NoProfile", "-Command", real]);
    assert.deepEqual(exactly(server.requests[seen]?.body ?? ""), exactly(body));
  });

  it("as cURL for cmd gives curl the same value as one argument", () => {
    const line = curlForCmd("http://127.0.0.1:9", call);
    const expanded = expandedByCmd(line, { SKILL_PROJECT_KEY: key });
    const words = windowsArguments(expanded);
    assert.ok(words.includes(`Authorization: Bearer ${key}`));
    assert.ok(words.includes("http://127.0.0.1:9/v1/runtime/invoke"));
    assert.deepEqual(exactly(words[words.indexOf("--data-raw") + 1] ?? ""), exactly(body));
    assert.equal(words.indexOf("--data-raw"), words.length - 2);
  });

  it("never holds a line end, a caret or a percent sign that cmd would act on", () => {
    const line = curlForCmd("http://127.0.0.1:9", call);
    assert.doesNotMatch(line.replace("%SKILL_PROJECT_KEY%", ""), /[\r\n^%!&|<>]/);
  });
});

/** The value and the spelling of every number. */
function exactly(json: string): unknown {
  const numbers = json.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d[\d.eE+-]*/g);
  return { value: JSON.parse(json), numbers };
}

function exists(program: string): boolean {
  const found: SpawnSyncReturns<Buffer> = spawnSync(program, ["--version"]);
  return found.error === undefined;
}

async function runProgram(
  [program = "", ...words]: readonly string[],
  projectKey = key,
): Promise<string> {
  const child = spawn(program, words, { env: { ...process.env, SKILL_PROJECT_KEY: projectKey } });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, "exit");
  return out + err;
}

/** What cmd's prompt makes of a line: variables expanded everywhere, carets outside quotes taken. */
function expandedByCmd(line: string, variables: Readonly<Record<string, string>>): string {
  const expanded = line.replace(/%([^%]+)%/g, (whole, name: string) => variables[name] ?? whole);
  let quoted = false;
  let result = "";
  for (let index = 0; index < expanded.length; index += 1) {
    const character = expanded.charAt(index);
    if (character === '"') quoted = !quoted;
    assert.ok(quoted || !"&|<>".includes(character), `cmd acts on ${character}`);
    if (character === "^" && !quoted) index += 1;
    result += expanded.charAt(index);
  }
  return result;
}

/** The words a Windows program finds in its command line (Microsoft C rules). */
function windowsArguments(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quoted = false;
  for (const [part, slashes = "", quote] of line.matchAll(/(\\*)(")|[^"]|\\+$/g)) {
    if (quote === undefined) {
      if (part === " " && !quoted) {
        if (word !== undefined) words.push(word);
        word = undefined;
      } else word = (word ?? "") + part;
      continue;
    }
    word = (word ?? "") + "\\".repeat(Math.floor(slashes.length / 2));
    if (slashes.length % 2 === 1) word += '"';
    else quoted = !quoted;
  }
  return word === undefined ? words : [...words, word];
}
