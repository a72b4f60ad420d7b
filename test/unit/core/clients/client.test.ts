import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as esbuild from "esbuild";
import { describe, it } from "mocha";
import {
  type ClientSource,
  clientFileName,
  readClientHeader,
  statusOfReason,
} from "../../../../src/core/clients/client";
import { pythonClient } from "../../../../src/core/clients/pythonClient";
import { pythonRuntime, runtimeModule } from "../../../../src/core/clients/pythonRuntime";
import { pythonText } from "../../../../src/core/clients/pythonTypes";
import { readShapes } from "../../../../src/core/clients/readShapes";
import { functionName, typescriptClient } from "../../../../src/core/clients/typescriptClient";
import { classifyResponse } from "../../../../src/core/invocation/errorCodes";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { readSchema } from "../../../../src/core/schema/read/readSchema";
import { catalog } from "../../../../src/localRegistry/catalog/catalog";
import { startRawServer } from "../../../fixtures/network/rawServer";
import { withRegistry } from "../../localRegistry/withRegistry";
import { compileTypeScript } from "./compileTypeScript";

const folder = resolve("out/test/clients");
const key = "skh_a-key-that-must-not-be-said";
/** The key in another JSON spelling. */
const escapedKey = key.replace("k", "\\u006b");

const sources: readonly (ClientSource & {
  readonly examples: readonly { input: JsonValue; output?: JsonValue }[];
})[] = catalog.map(({ slug, releases: [{ manifest, examples }] }) => ({
  slug,
  version: manifest.version,
  contractHash: "contract-v1:sha256-00",
  input: readShapes(readSchema(manifest.inputSchema)),
  output: readShapes(readSchema(manifest.outputSchema)),
  examples,
}));
const sourceOf = (slug: string) => {
  const source = sources.find((one) => one.slug === slug);
  assert.ok(source);
  return source;
};

type Invoke = (
  input: unknown,
  options: { baseUrl: string; projectKey: string; fetch?: unknown; signal?: AbortSignal },
) => Promise<Record<string, unknown>>;

/** Loads a client's function like a program that uses it. */
async function load(source: ClientSource): Promise<Invoke> {
  const { code } = await esbuild.transform(typescriptClient(source), { loader: "ts" });
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return module[functionName(source.slug)];
}

describe("a TypeScript client", () => {
  it("compiles for every sample skill, accepts each example and rejects wrong ones", function () {
    this.timeout(60_000);
    const modules: Record<string, string> = {};
    const wrong: string[] = [];
    for (const source of sources) {
      const lines = typescriptClient(source).split("\n");
      for (const { input, output } of source.examples) {
        lines.push(`export const input${lines.length}: Input = ${JSON.stringify(input)};`);
        if (output !== undefined) {
          lines.push(`export const output${lines.length}: Output = ${JSON.stringify(output)};`);
        }
      }
      lines.push("export const wrong: Input = 7;");
      const name = clientFileName(source.slug, "typescript");
      modules[name] = lines.join("\n");
      wrong.push(`${name}:${lines.length}`);
    }
    const failed = compileTypeScript(modules);
    assert.deepEqual(
      [...failed.keys()].toSorted(),
      wrong.toSorted(),
      [...failed.values()].join("\n"),
    );
  });

  it("has a header with its source that can be read again", () => {
    const source = sourceOf("csv-profile");
    const { slug, version, contractHash } = source;
    assert.deepEqual(readClientHeader(typescriptClient(source)), { slug, version, contractHash });
    assert.deepEqual(readClientHeader(pythonClient(source)), { slug, version, contractHash });
    assert.equal(
      readClientHeader(typescriptClient({ ...source, contractHash: "" }))?.contractHash,
      "",
    );
    assert.equal(readClientHeader("// csv-profile"), undefined);
    assert.equal(clientFileName("3d-print.x", "python"), "skill_3d_print_x.py");
    assert.equal(clientFileName("CSV", "python"), "CSV.py");
    assert.equal(functionName("3d-print"), "skill3dPrint");
    assert.equal(functionName("delete"), "deleteSkill");
  });

  for (const [language, write, comment] of [
    ["TypeScript", typescriptClient, "//"],
    ["Python", pythonClient, "#"],
  ] as const) {
    it(`contains a version with line breaks only inside strings and comments, in ${language}`, () => {
      const version = "1.0\n0\r1\u20282\u00853 4";
      const source = { ...sourceOf("text-stats"), version };
      const plain = write({ ...source, version: "1.0" });
      const text = write(source);
      assert.equal(text.split(/[\n\r]/).length, plain.split("\n").length);
      assert.ok(text.startsWith(`${comment} skill-registry: text-stats@1.0_0_1_2_3_4 contract`));
      assert.equal(readClientHeader(text)?.version, "1.0_0_1_2_3_4");
    });
  }

  it("removes a key that a registry returns with escapes", async () => {
    const send = await load(sourceOf("text-stats"));
    for (const body of [
      `{"output":{"a\\u0020${escapedKey}":["${escapedKey}"]},"error":"${escapedKey}"}`,
      `{"code":"invalid_api_key","error":"${escapedKey}"}`,
    ]) {
      const outcome = await send({}, answering(body.includes("output") ? 200 : 401, body));
      assert.ok(JSON.stringify(outcome).includes("[Project Key]"));
      assert.ok(!JSON.stringify(outcome).includes(key), body);
    }
  });

  describe("at a registry", () => {
    const test = withRegistry();
    const invoke = async (slug: string, input: unknown, projectKey = test.registry.projectKey) => {
      const send = await load(sourceOf(slug));
      return send(input, { baseUrl: test.registry.baseUrl, projectKey });
    };

    it("reports success with the output, the ID and the cost", async () => {
      const outcome = await invoke("text-stats", { text: "One. Two." });
      assert.equal(outcome["status"], "success");
      assert.equal((outcome["output"] as { words: number }).words, 2);
      assert.equal(typeof outcome["invocationId"], "string");
      assert.equal(outcome["amountCents"], 0);
    });

    const cases: readonly (readonly [
      slug: string,
      input: unknown,
      status: string,
      code?: string,
    ])[] = [
      ["flaky-fetch", { url: "https://news.example/" }, "error"],
      ["market-data", { symbols: ["X"] }, "blocked", "subscription_required"],
    ];
    for (const [slug, input, status, code] of cases) {
      it(`reports ${status} of ${slug}`, async () => {
        const outcome = await invoke(slug, input);
        assert.deepEqual(
          [outcome["status"], outcome["code"]],
          [status, code],
          JSON.stringify(outcome),
        );
      });
    }

    it("reports a reached limit and an unknown key", async () => {
      let last: Record<string, unknown> = {};
      for (let count = 0; count < 5 && last["status"] !== "rateLimited"; count++) {
        last = await invoke("burst-limited", { text: "a", message: "a" });
      }
      assert.equal(last["status"], "rateLimited", JSON.stringify(last));
      const refused = await invoke("text-stats", { text: "One." }, key);
      assert.deepEqual([refused["status"], refused["code"]], ["refused", "invalid_api_key"]);
    });
  });

  it("reports responses as the editor does, and a server's failure as unknown", async () => {
    const send = await load(sourceOf("text-stats"));
    const codes = ["policy_missing", "rate_limit_exceeded", "missing_skill_slug", undefined];
    let compared = 0;
    for (const status of [
      200, 302, 400, 401, 402, 403, 404, 413, 418, 422, 429, 500, 502, 503, 504,
    ]) {
      for (const code of codes) {
        const body = JSON.stringify({ error: `Echo ${key}.`, ...(code && { code }) });
        const outcome = await send({}, answering(status, body));
        const kind = classifyResponse({
          status,
          isReadable: true,
          ...(code && { code }),
          hasInvocationId: false,
          hasOutput: false,
          lacksScope: false,
          hasLocation: status === 302,
        });
        const expected =
          kind === "unknown" ||
          kind === "registryError" ||
          kind === "success" ||
          kind === "skillError"
            ? undefined
            : statusOfReason(kind);
        if (expected !== undefined) {
          assert.equal(outcome["status"], expected, `${status} ${code}`);
          compared++;
        } else if (status >= 500) assert.equal(outcome["status"], "outcomeUnknown", `${status}`);
        assert.ok(!JSON.stringify(outcome).includes(key));
      }
    }
    assert.ok(compared > 30, `${compared}`);
  });

  it("reports accepted and unsent invocations, and repeats nothing", async () => {
    const send = await load(sourceOf("text-stats"));
    const metered = await send({}, answering(200, '{"output":{"mode":"metered_contract"}}'));
    assert.deepEqual([metered["status"], metered["code"]], ["error", "metered_contract"]);
    let sent = 0;
    const failing = (code: string) => ({
      baseUrl: "https://registry.example",
      projectKey: key,
      fetch: async () => {
        sent++;
        throw new TypeError(`fetch failed for Bearer ${key}`, { cause: { code } });
      },
    });
    assert.equal((await send({}, failing("ECONNREFUSED")))["status"], "notSent");
    const lost = await send({}, failing("ECONNRESET"));
    assert.equal(lost["status"], "outcomeUnknown");
    assert.ok(!JSON.stringify(lost).includes(key));
    assert.equal(sent, 2);
    for (const options of [
      { baseUrl: "https://registry.example", projectKey: `${key}\r\nx: y` },
      { baseUrl: "http://registry.example", projectKey: key },
      { baseUrl: "nowhere", projectKey: key },
      { baseUrl: "https://registry.example", projectKey: key, signal: AbortSignal.abort() },
    ]) {
      const outcome = await send({}, { ...failing("x"), ...options });
      assert.equal(outcome["status"], "notSent");
      assert.ok(!JSON.stringify(outcome).includes(key));
    }
    assert.equal(sent, 2);
  });
});

function answering(status: number, body: string) {
  return {
    baseUrl: "https://registry.example",
    projectKey: key,
    fetch: async () =>
      new Response(body, {
        status,
        headers: status === 302 ? { location: "https://x.example" } : {},
      }),
  };
}

/** A Python that supports the types, and one with mypy; not every machine has them. */
const python = [process.env["PYTHON"] ?? "", "/usr/bin/python3", "python3"].find(
  (program) =>
    program !== "" &&
    spawnSync(program, ["-c", "from typing import Never, NotRequired"]).status === 0,
);
const mypy =
  python !== undefined && spawnSync(python, ["-m", "mypy", "--version"]).status === 0
    ? python
    : undefined;

describe("a Python client", () => {
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

  (mypy === undefined ? it.skip : it)(
    "passes mypy --strict for every sample, with each of its examples and with no wrong one (needs mypy)",
    function () {
      this.timeout(120_000);
      mkdirSync(folder, { recursive: true });
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
        mypy ?? "",
        [
          "-m",
          "mypy",
          "--strict",
          "--no-incremental",
          ...files.map(({ name }) => name),
          `${runtimeModule}.py`,
        ],
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
    },
  );

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

  (python === undefined ? it.skip : it)(
    "has no module of the standard library as its file, and letters beyond U+FFFF whole (needs Python 3.11)",
    async () => {
      const script = "import sys, json; print(json.dumps(sorted(sys.stdlib_module_names)))";
      const names: string[] = JSON.parse(await output(python ?? "", ["-c", script]));
      const taken = names.filter((name) => /^[a-z]/i.test(name));
      assert.ok(taken.length > 100);
      for (const name of taken) assert.notEqual(clientFileName(name, "python"), `${name}.py`);
      const text = 'a😀é\u007f"\\';
      const literal = pythonText(text);
      assert.match(literal, /^[ -~]+$/);
      const codes = await output(python ?? "", ["-c", `print([ord(c) for c in ${literal}])`]);
      assert.deepEqual(
        JSON.parse(codes),
        [...text].map((letter) => letter.codePointAt(0)),
      );
    },
  );

  describe("at a registry", () => {
    const test = withRegistry();
    (python === undefined ? it.skip : it)(
      "tells success, a failed run and a wrong key (needs Python 3.11)",
      async function () {
        this.timeout(60_000);
        mkdirSync(folder, { recursive: true });
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
    run_text_stats.invoke({"text": "One. Two."}, **options),
    run_flaky_fetch.invoke({"url": "https://news.example/"}, **options),
    run_text_stats.invoke({"text": "One."}, **{**options, "project_key": "wrong"}),
    run_text_stats.invoke({"text": "One."}, **{**options, "project_key": "a\\nb"}),
    run_text_stats.invoke({"text": "One."}, **{**options, "base_url": "http://127.0.0.1:9"}),
]))`;
        const outcomes = JSON.parse(await output(python ?? "", ["-c", script]));
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
      },
    );
  });

  (python === undefined ? it.skip : it)(
    "raises nothing and shows no key, whatever a server answers (needs Python 3.11)",
    async function () {
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
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "run_any.py"), pythonClient(sourceOf("text-stats")));
      const outcomes: string[] = [];
      for (const [, bytes = ""] of answers) {
        const server = await startRawServer((socket) => void socket.end(bytes));
        const script = `
import json, run_any
print(json.dumps(run_any.invoke({"text": "x"}, base_url="http://127.0.0.1:${server.port}", project_key="${key}")))`;
        outcomes.push(await output(python ?? "", ["-c", script]));
        await server.close();
      }
      assert.ok(!outcomes.join("").includes(key));
      assert.deepEqual(
        outcomes.map((text) => (text.startsWith("{") ? JSON.parse(text).status : text)),
        answers.map(([status]) => status),
      );
      // As in the TypeScript client.
      assert.deepEqual(JSON.parse(outcomes.at(-1) ?? "").output, { at: 3 });
    },
  );
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
