import assert from "node:assert/strict";
import * as esbuild from "esbuild";
import { describe, it } from "mocha";
import {
  type ClientSource,
  clientFileName,
  readClientHeader,
} from "../../../../src/core/clients/client";
import { pythonClient } from "../../../../src/core/clients/pythonClient";
import { functionName, typescriptClient } from "../../../../src/core/clients/typescriptClient";
import { endFacts } from "../../../../src/core/invocation/outcome";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import { runSync } from "../../../../src/core/text/chunked";
import { readOutcome } from "../../../../src/registry/routes/invokeSkill";
import { withRegistry } from "../../localRegistry/withRegistry";
import { escapedKey, key, sourceOf, sources } from "./clientRegistry";
import { compileTypeScript } from "./compileTypeScript";
import { failureResponses, successResponses, waits } from "./responses";

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

  it("gives its function no name that the module already has", () => {
    const text = typescriptClient(sourceOf("text-stats"));
    const declared = [...text.matchAll(/^(?:async )?(?:function|const) (\w+)/gm)];
    assert.ok(declared.length > 10);
    for (const [, name = ""] of declared) {
      const slug = name.replace(/_?([A-Z])/g, (_, letter: string) => `-${letter.toLowerCase()}`);
      assert.equal(functionName(slug), `${name}Skill`);
    }
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

    it("accepts an address that ends in /v1, as documents name it", async () => {
      const send = await load(sourceOf("text-stats"));
      const { baseUrl, projectKey } = test.registry;
      const outcome = await send({ text: "One." }, { baseUrl: `${baseUrl}/v1/`, projectKey });
      assert.equal(outcome["status"], "success");
    });

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

  for (const [http, body, record, client] of [...successResponses, ...failureResponses]) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    it(`reads HTTP ${http} ${text} as ${client}, where the record has ${record}`, async () => {
      const send = await load(sourceOf("text-stats"));
      const outcome = await send({}, answering(http, text));
      const answer = { status: http, headers: {}, body: Buffer.from(text) };
      const url = new URL("https://registry.example/v1/runtime/invoke");
      const read = runSync(readOutcome(answer, url, 1, new KeyRedactor()));
      assert.deepEqual([endFacts(read).status, outcome["status"]], [record, client]);
      if (http < 300 && client !== "success" && text.includes('{"at"')) {
        assert.deepEqual(outcome["output"], "output" in (body as object) ? { at: 3 } : undefined);
      }
    });
  }

  for (const [fields, seconds] of waits) {
    it(`reads a wait of ${seconds} s from ${JSON.stringify(fields)}`, async () => {
      const send = await load(sourceOf("text-stats"));
      const outcome = await send({}, answering(429, "{}", fields));
      assert.deepEqual([outcome["status"], outcome["retryAfterSeconds"]], ["rateLimited", seconds]);
    });
  }

  it("removes the key from the words of every response", async () => {
    const send = await load(sourceOf("text-stats"));
    for (const status of [200, 400, 403, 429, 500]) {
      const outcome = await send({}, answering(status, JSON.stringify({ error: `Echo ${key}.` })));
      assert.match(JSON.stringify(outcome), /Echo \[Project Key\]/);
    }
  });

  it("reports accepted and unsent invocations, and repeats nothing", async () => {
    const send = await load(sourceOf("text-stats"));
    const metered = await send({}, answering(200, '{"output":{"mode":"metered_contract"}}'));
    assert.deepEqual([metered["status"], metered["code"]], ["notExecuted", "metered_contract"]);
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

function answering(status: number, body: string, fields: Record<string, string> = {}) {
  return {
    baseUrl: "https://registry.example",
    projectKey: key,
    fetch: async () =>
      new Response(body, {
        status,
        headers: status === 302 ? { location: "https://x.example" } : fields,
      }),
  };
}
