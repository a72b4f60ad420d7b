import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { before, describe, it } from "mocha";
import { clientFileName } from "../../../../src/core/clients/client";
import { pythonClient } from "../../../../src/core/clients/pythonClient";
import { pythonRuntime, runtimeModule } from "../../../../src/core/clients/pythonRuntime";
import { pythonText } from "../../../../src/core/clients/pythonTypes";
import { readShapes } from "../../../../src/core/clients/readShapes";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { readSchema } from "../../../../src/core/schema/read/readSchema";
import { startRawServer } from "../../../fixtures/network/rawServer";
import { skipWithout } from "../../../fixtures/tools";
import { withRegistry } from "../../localRegistry/withRegistry";
import { escapedKey, key, sourceOf, sources } from "./clientRegistry";
import { failureResponses, successResponses, waits } from "./responses";

const folder = resolve("out/test/clients");

describe("a Python client", () => {
  before(() => {
    mkdirSync(folder, { recursive: true });
  });

  const lineBreaks = [10, 13, 0x2028, 0x2029, 0x85, 11, 12];
  for (const code of lineBreaks) {
    it(`keeps a description inside its comment despite the line break U+${code.toString(16)}`, () => {
      const separator = String.fromCodePoint(code);
      const description = `First line.${separator}import os`;
      const schema = {
        type: "object",
        description,
        properties: { a: { description, enum: ["x", "y"] } },
      };
      const input = readShapes(readSchema(schema));
      const lines = pythonClient({ ...sourceOf("text-stats"), input }).split(
        /[\r\n\u2028\u2029\u0085\v\f]/,
      );
      const told = lines.filter((line) => line.includes("import os"));
      assert.ok(told.length > 0);
      assert.deepEqual(
        told.filter((line) => !line.trim().startsWith("# ")),
        [],
      );
    });
  }

  it("passes mypy --strict for every sample, with each of its examples and with no wrong one", function () {
    const mypy = skipWithout(this, "mypy");
    this.timeout(120_000);
    writeFileSync(join(folder, "__init__.py"), "");
    writeFileSync(join(folder, `${runtimeModule}.py`), pythonRuntime());
    const files = sources.map((source, index) => {
      const client = pythonClient(source, { sharesRuntime: index % 2 === 0 });
      const lines = client.split("\n");
      for (const { input, output } of source.examples) {
        lines.push(`input${lines.length}: Input = ${pythonValue(input)}`);
        if (output !== undefined) {
          lines.push(`output${lines.length}: Output = ${pythonValue(output)}`);
        }
      }
      lines.push("wrong: Input = 7");
      const name = clientFileName(source.slug, "python");
      writeFileSync(join(folder, name), lines.join("\n"));
      return { name, wrong: lines.length };
    });
    const { stdout } = spawnSync(
      mypy,
      ["--strict", "--no-incremental", ...files.map(({ name }) => name), `${runtimeModule}.py`],
      { cwd: folder, encoding: "utf8" },
    );
    const errors = [...stdout.matchAll(/^([^:\n]+):(\d+): error/gm)].map(
      ([, name, line]) => `${name}:${line}`,
    );
    assert.deepEqual(
      errors.toSorted(),
      files.map(({ name, wrong }) => `${name}:${wrong}`).toSorted(),
      stdout,
    );
  });

  const modules: readonly (readonly [slug: string, file: string])[] = [
    ["csv-profile", "csv_profile.py"],
    ["3d-print", "skill_3d_print.py"],
    ["email", "email_skill.py"],
    ["Json", "Json.py"],
    ["class", "class_skill.py"],
    ["skill-registry-runtime", "skill_registry_runtime_skill.py"],
  ];
  for (const [slug, file] of modules) {
    it(`of ${slug} is the module ${file}`, () => {
      assert.equal(clientFileName(slug, "python"), file);
    });
  }

  it("is never named like a module of the standard library, and keeps letters beyond U+FFFF", async function () {
    const python = skipWithout(this, "Python 3.11");
    const script = "import sys, json; print(json.dumps(sorted(sys.stdlib_module_names)))";
    const names: string[] = JSON.parse(await output(python, ["-c", script]));
    const taken = names.filter((name) => /^[a-z]/i.test(name));
    assert.ok(taken.length > 100);
    for (const name of taken) assert.notEqual(clientFileName(name, "python"), `${name}.py`);
    const text = 'a😀é\u007f"\\';
    const literal = pythonText(text);
    assert.match(literal, /^[ -~]+$/);
    const codes = await output(python, ["-c", `print([ord(c) for c in ${literal}])`]);
    assert.deepEqual(
      JSON.parse(codes),
      [...text].map((letter) => letter.codePointAt(0)),
    );
  });

  describe("at a registry", () => {
    const test = withRegistry();
    it("reports success, a failed run and a wrong key", async function () {
      const python = skipWithout(this, "Python 3.11");
      this.timeout(60_000);
      writeFileSync(join(folder, `${runtimeModule}.py`), pythonRuntime());
      for (const [slug, sharesRuntime] of [
        ["text-stats", true],
        ["flaky-fetch", false],
      ] as const) {
        writeFileSync(
          join(folder, `run_${clientFileName(slug, "python")}`),
          pythonClient(sourceOf(slug), { sharesRuntime }),
        );
      }
      const script = `
import json, run_text_stats, run_flaky_fetch
options = {"base_url": ${JSON.stringify(test.registry.baseUrl)}, "project_key": ${JSON.stringify(test.registry.projectKey)}}
print(json.dumps([
    run_text_stats.invoke({"text": "One. Two."}, **{**options, "base_url": options["base_url"] + "/v1"}),
    run_flaky_fetch.invoke({"url": "https://news.example/"}, **options),
    run_text_stats.invoke({"text": "One."}, **{**options, "project_key": "wrong"}),
    run_text_stats.invoke({"text": "One."}, **{**options, "project_key": "a\\nb"}),
    run_text_stats.invoke({"text": "One."}, **{**options, "base_url": "http://127.0.0.1:9"}),
]))`;
      const outcomes = JSON.parse(await output(python, ["-c", script]));
      assert.deepEqual(
        outcomes.map((one: { status: string; code?: string }) => [one.status, one.code ?? ""]),
        [
          ["success", ""],
          ["error", ""],
          ["refused", "invalid_api_key"],
          ["notSent", ""],
          ["notSent", ""],
        ],
      );
      assert.equal(outcomes[0].output.words, 2);
    });
  });

  it("reads every response as the TypeScript client does", async function () {
    const python = skipWithout(this, "Python 3.11");
    this.timeout(60_000);
    const limited = waits.map(([fields]) => [429, "{}", "blocked", "rateLimited", fields] as const);
    const responses = [...successResponses, ...failureResponses, ...limited];
    let next = 0;
    const server = createServer((request, response) => {
      const [http = 0, body = "", , , fields = {}] = responses[next++] ?? [];
      const text = typeof body === "string" ? body : JSON.stringify(body);
      request.resume().on("end", () => response.writeHead(http, fields).end(text));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    writeFileSync(join(folder, "run_all.py"), pythonClient(sourceOf("text-stats")));
    const { port } = server.address() as AddressInfo;
    const script = `
import json, run_all
print(json.dumps([run_all.invoke({"text": "x"}, base_url="http://127.0.0.1:${port}", project_key="${key}") for _ in range(${responses.length})]))`;
    const outcomes: { status: string; retry_after_seconds?: number }[] = JSON.parse(
      await output(python, ["-c", script]),
    );
    server.close();
    assert.deepEqual(
      outcomes.slice(-waits.length).map((one) => one.retry_after_seconds),
      waits.map(([, seconds]) => seconds),
    );
    assert.deepEqual(
      outcomes.map(({ status }, index) => [status, responses[index]?.[1]]),
      responses.map(([, body, , client]) => [client, body]),
    );
  });

  it("raises no error and shows no key, whatever a server answers", async function () {
    const python = skipWithout(this, "Python 3.11");
    this.timeout(60_000);
    const answer = (body: string) =>
      `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    const ran = `{"status":"error","invocationId":"i","output":{"at":3}}`;
    const failed = `HTTP/1.1 502 No\r\ncontent-length: ${ran.length}\r\n\r\n${ran}`;
    const answers = [
      ["outcomeUnknown", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"],
      ["outcomeUnknown", "HTTP/1.1 500 No\r\ncontent-length: 100\r\n\r\n{"],
      ["outcomeUnknown", "no HTTP at all\r\n\r\n"],
      ["outcomeUnknown", `HTTP/1.1 200 OK\r\nx: ${"x".repeat(70_000)}\r\n\r\n`],
      ["outcomeUnknown", answer("[".repeat(100_000))],
      ["outcomeUnknown", answer(`{"a":${"9".repeat(5000)}}`)],
      ["success", answer(`{"output":{"a ${escapedKey}":["${escapedKey}"]}}`)],
      ["error", failed],
    ];
    writeFileSync(join(folder, "run_any.py"), pythonClient(sourceOf("text-stats")));
    const outcomes: string[] = [];
    for (const [, bytes = ""] of answers) {
      const server = await startRawServer((socket) => void socket.end(bytes));
      const script = `
import json, run_any
print(json.dumps(run_any.invoke({"text": "x"}, base_url="http://127.0.0.1:${server.port}", project_key="${key}")))`;
      outcomes.push(await output(python, ["-c", script]));
      await server.close();
    }
    assert.ok(!outcomes.join("").includes(key));
    assert.deepEqual(
      outcomes.map((text) => (text.startsWith("{") ? JSON.parse(text).status : text)),
      answers.map(([status]) => status),
    );
    // As in the TypeScript client.
    assert.deepEqual(JSON.parse(outcomes.at(-1) ?? "").output, { at: 3 });
  });
});

/** Writes a JSON value as Python does. */
function pythonValue(value: JsonValue): string {
  return JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"|true|false|null/g, (token) =>
    token.startsWith('"')
      ? token
      : ({ true: "True", false: "False", null: "None" }[token] ?? token),
  );
}

/** Resolves to the output of a program. Asynchronous, since the tests' registry runs in this process. */
function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { cwd: folder });
    let printed = "";
    child.stdout.on("data", (text) => (printed += text));
    child.stderr.on("data", (text) => (printed += text));
    child.on("error", fail);
    child.on("close", () => done(printed));
  });
}
