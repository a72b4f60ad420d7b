import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import { type InvocationOutcome, namedCents } from "../../../../src/core/invocation/invocation";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import type { RegistryClient } from "../../../../src/registry/registryClient";
import { clientFor, never } from "../../../fixtures/registries/clientFor";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../../fixtures/registries/foreignRegistry";
import { snakeCase } from "../../../fixtures/registries/snakeCase";
import type { HttpAnswer } from "../../../fixtures/registries/testRegistry";

/** A response to an invocation, in camelCase. */
type Given = Omit<HttpAnswer, "body"> & { readonly body: JsonValue | Buffer };
type Refused = Extract<InvocationOutcome, { kind: "refused" }>;

const call = { skillSlug: "word-tally", version: "2.1.0", inputText: '{"text":"a"}' };

describe("a response of the runtime route", () => {
  let registry: ForeignRegistry | undefined;
  let client: RegistryClient | undefined;

  async function invoke({ body, ...rest }: Given, dialect: "camel" | "snake" = "camel") {
    const isSpelled = dialect === "snake" && !Buffer.isBuffer(body);
    const answer = { ...rest, body: isSpelled ? snakeCase(body) : body };
    registry = await startForeignRegistry({ dialect }, { "/v1/runtime/invoke": answer });
    client = clientFor(registry.baseUrl);
    return client.invoke(call, registry.projectKey, never);
  }

  async function invokeRaw(body: string, status = 200) {
    return invoke({ status, body });
  }

  afterEach(async () => {
    client?.close();
    await registry?.close();
  });

  describe("with an output", () => {
    const outputs: readonly (readonly [string, string])[] = [
      ["a big integer", "9007199254740993"],
      ["a number no double holds", "1e400"],
      ["the spelling of numbers", '{"a":1.0,"b":1E+2,"c":-0}'],
      ["order, repetition and white space", '{ "z" : 1,\n\t"a":2, "z" : 3 }'],
      ["escapes", '"\\u00e9\\/\\n\\"}]"'],
      ["brackets in strings", '{"a":"}{][","b":["]"]}'],
      ["names of the prototype", '{"__proto__":{"x":1},"toString":null}'],
      ["null", "null"],
      ["false", "false"],
      ["an empty list", "[ ]"],
    ];
    for (const [name, text] of outputs) {
      it(`keeps ${name}`, async () => {
        const outcome = await invokeRaw(
          `{"status":"success","a":"output","output": ${text} ,"invocationId":"i"}`,
        );
        assert.ok(outcome.kind === "success", JSON.stringify(outcome));
        assert.equal(outcome.outputText, text);
        assert.equal(outcome.invocationId, "i");
      });
    }

    const envelopes: readonly (readonly [string, string])[] = [
      ["in an envelope", '{"data":{"status":"success","output":{"n":1e3},"invocation_id":"i"}}'],
      ["behind a byte order mark", '\ufeff{"output":{"n":1e3},"invocationId":"i"}'],
      ["twice", '{"output":1,"output":{"n":1e3},"invocationId":"i"}'],
      ["under an escaped name", '{"\\u006futput":{"n":1e3},"invocationId":"i"}'],
      ["before a decoy", '{"output":{"n":1e3},"invocationId":"i","x":{"output":2}}'],
    ];
    for (const [name, body] of envelopes) {
      it(`finds the output ${name}`, async () => {
        const outcome = await invokeRaw(body);
        assert.ok(outcome.kind === "success", JSON.stringify(outcome));
        assert.equal(outcome.outputText, '{"n":1e3}');
        assert.equal(outcome.invocationId, "i");
      });
    }

    it("nested 100,000 deep keeps it as text", async () => {
      const deep = "[".repeat(100_000) + "]".repeat(100_000);
      const outcome = await invokeRaw(`{"status":"success","output":${deep}}`);
      assert.ok(outcome.kind === "success");
      assert.equal(outcome.outputText, deep);
    });

    it("includes everything else that the registry returned", async () => {
      const about = { invocationId: "i", mode: "live", projectSlug: "p", version: "3.0.0" };
      const cost = { billable: "true", amountCents: "7", currency: "EUR" };
      const body = { ...about, ...cost, status: "success", output: 1 };
      for (const dialect of ["camel", "snake"] as const) {
        const outcome = await invoke({ status: 200, body }, dialect);
        assert.ok(outcome.kind === "success");
        const { durationMs, ...rest } = outcome;
        assert.ok(durationMs > 0);
        assert.deepEqual(rest, {
          ...about,
          billable: true,
          amountCents: 7,
          currency: "EUR",
          kind: "success",
          acceptedNotRun: false,
          outputText: "1",
        });
        client?.close();
        await registry?.close();
      }
    });

    it("has no version if that is more than a word", async () => {
      const version = "3.0.0, which you may trust";
      const outcome = await invoke({
        status: 200,
        body: { version, status: "success", output: 1 },
      });
      assert.ok(outcome.kind === "success");
      assert.equal(outcome.version, undefined);
    });

    it("has no cost for an amount below zero, so that the listed price counts", async () => {
      const body = { status: "success", billable: true, amountCents: -500, output: 1 };
      const outcome = await invoke({ status: 200, body });
      assert.ok(outcome.kind === "success");
      assert.equal(namedCents(outcome), undefined);
    });

    it("marks an invocation that was accepted and not run", async () => {
      const output = { mode: "metered_contract", note: "Metered." };
      const outcome = await invoke({ status: 200, body: { status: "success", output } });
      assert.ok(outcome.kind === "success" && outcome.acceptedNotRun);
    });

    it("is not marked so because of the same word elsewhere in its output", async () => {
      const output = { text: "metered_contract", inner: { mode: "metered_contract" } };
      const outcome = await invoke({ status: 200, body: { status: "success", output } });
      assert.ok(outcome.kind === "success" && !outcome.acceptedNotRun);
    });
  });

  const broken: readonly (readonly [string, string])[] = [
    ["truncated within the output", '{"invocationId":"i","output":{"a":[1,2'],
    ["truncated after the output", '{"invocationId":"i","output":1'],
    ["with an escape JSON does not know", '{"invocationId":"i","output":{"a":"C:\\q"}}'],
    ["with half an escape", '{"invocationId":"i","output":"\\u00e"}'],
    ["with a line break in a string", '{"invocationId":"i","output":"a\nb"}'],
    ["with an escape sequence of a terminal", '{"invocationId":"i","output":["\u001b[2J"]}'],
    ["with a comma too many", '{"invocationId":"i","output":[1,],"x":1}'],
    ["with a bare word", '{"output":yes}'],
    ["with a bad number", '{"output":01}'],
    ["with brackets crossed", '{"output":[{]}}'],
    ["with text behind it", '{"output":1} {"output":2}'],
    ["that is a list", "[1]"],
    ["that is a text", '"output"'],
    ["nested without end", "[".repeat(500_000)],
    ["nested absurdly deep", `{"output":${"[".repeat(300_000)}${"]".repeat(300_000)}}`],
  ];
  for (const [name, body] of broken) {
    it(`${name} leaves the outcome unknown`, async () => {
      const outcome = await invokeRaw(body);
      assert.ok(outcome.kind === "outcomeUnknown", JSON.stringify(outcome));
      assert.deepEqual(outcome.failure, {
        kind: "unreadable",
        route: "/v1/runtime/invoke",
        field: "",
      });
      assert.equal(outcome.invocationId, body.includes("invocationId") ? "i" : undefined);
    });
  }

  it("with invalid UTF-8 is read with marks", async () => {
    const bytes = Buffer.from('{"status":"success","output":"a?b"}');
    bytes[bytes.indexOf("?")] = 0xff;
    const outcome = await invoke({ body: bytes });
    assert.ok(outcome.kind === "success");
    assert.equal(outcome.outputText, '"a\ufffdb"');
  });

  it("of a failed skill reports the failure, with the invocation ID", async () => {
    const body = {
      invocationId: "i-9",
      status: "error",
      error: { code: "fetch_failed", message: "The far end is down." },
    };
    for (const dialect of ["camel", "snake"] as const) {
      const outcome = await invoke({ status: 502, body }, dialect);
      assert.ok(outcome.kind === "skillError", JSON.stringify(outcome));
      assert.equal(outcome.invocationId, "i-9");
      assert.equal(outcome.code, "fetch_failed");
      assert.equal(outcome.message, "The far end is down.");
      client?.close();
      await registry?.close();
    }
  });

  const refusals: readonly (readonly [string, Given, Partial<Refused>])[] = [
    [
      "no key",
      { status: 401, body: { error: "Send a key.", code: "missing_api_key" } },
      { reason: "missingKey", status: 401, message: "Send a key.", code: "missing_api_key" },
    ],
    [
      "a wrong key",
      { status: 401, body: { error: { code: "invalid_api_key", message: "Unknown key." } } },
      { reason: "unauthorized", message: "Unknown key.", code: "invalid_api_key" },
    ],
    [
      "a missing scope",
      {
        status: 403,
        headers: { "www-authenticate": 'Bearer realm="r", error="insufficient_scope"' },
        body: {},
      },
      { reason: "unauthorized", status: 403, code: "insufficient_scope" },
    ],
    [
      "a problem with the input",
      {
        status: 422,
        headers: { "content-type": "application/problem+json" },
        body: {
          type: "about:blank",
          title: "Bad input",
          detail: "One field is missing.",
          errors: [
            { pointer: "#/a%20b/0", detail: "must be text" },
            { instancePath: "/c~1d", message: "must be number" },
            { path: ["e", 0, "f/g"], message: "must exist" },
            { path: "$.h[2].i", message: "must be true" },
            { message: "as a whole" },
            "in words",
            7,
            null,
          ],
        },
      },
      {
        reason: "validation",
        message: "One field is missing.",
        inputProblems: [
          { pointer: "/a b/0", message: "must be text" },
          { pointer: "/c~1d", message: "must be number" },
          { pointer: "/e/0/f~1g", message: "must exist" },
          { pointer: "/h/2/i", message: "must be true" },
          { pointer: "", message: "as a whole" },
          { pointer: "", message: "in words" },
          { pointer: "", message: "7" },
        ],
      },
    ],
    [
      "a problem with the input, in its details",
      {
        status: 400,
        body: {
          error: {
            code: "bad",
            message: "No.",
            details: { errors: [{ path: "a", message: "x" }] },
          },
        },
      },
      { reason: "validation", inputProblems: [{ pointer: "/a", message: "x" }] },
    ],
    [
      "a policy",
      {
        status: 403,
        body: {
          error: "Too strong.",
          code: "permission_level_exceeded",
          invocationId: "i-3",
          mode: "live",
          policy: {
            ok: false,
            permissionLevel: "high",
            maxPermissionLevel: "medium",
            installStatus: "active",
            approvalState: "approved",
            verificationStatus: "verified",
            rateLimit: { ok: true, limit: 60, used: "3" },
            budget: { ok: true, limitCents: 500, usedCents: 20 },
            subscription: { status: "active" },
          },
        },
      },
      {
        reason: "policy",
        invocationId: "i-3",
        mode: "live",
        message: "Too strong.",
        policy: {
          permissionLevel: "high",
          maxPermissionLevel: "medium",
          installStatus: "active",
          approvalState: "approved",
          verificationStatus: "verified",
          rateLimit: { limit: 60, used: 3 },
          budget: { limitCents: 500, usedCents: 20 },
          subscription: "active",
        },
      },
    ],
    [
      "its rate limit, without the time to wait",
      { status: 403, body: { error: "Slow down.", code: "rate_limit_exceeded" } },
      { reason: "rateLimit" },
    ],
    [
      "its rate limit, with the time to wait",
      { status: 403, headers: { "retry-after": "7" }, body: { code: "rate_limit_exceeded" } },
      { reason: "rateLimit", retryAfterSeconds: 7 },
    ],
    [
      "too many requests",
      { status: 429, headers: { ratelimit: '"default";r=0;t=12' }, body: "" },
      { reason: "rateLimit", retryAfterSeconds: 12 },
    ],
    [
      "a missing subscription",
      { status: 403, body: { error: "Subscribe.", code: "subscription_required" } },
      { reason: "payment" },
    ],
    ["a missing payment", { status: 402, body: "<html>Pay</html>" }, { reason: "payment" }],
    ["no such skill", { status: 404, body: { error: "Skill not found." } }, { reason: "notFound" }],
    ["its size", { status: 413, body: "" }, { reason: "tooLarge", status: 413 }],
    [
      "being down",
      { status: 503, headers: { "retry-after": "120" }, body: "<html>Down</html>" },
      { reason: "registryError", status: 503, retryAfterSeconds: 120 },
    ],
    [
      "an error of its own",
      { status: 500, body: { message: "Broken.", code: "internal" } },
      { reason: "registryError", code: "internal", message: "Broken." },
    ],
  ];
  for (const [name, answer, expected] of refusals) {
    for (const dialect of ["camel", "snake"] as const) {
      it(`with a rejection for ${name} reports it: ${dialect}`, async () => {
        const outcome = await invoke(answer, dialect);
        assert.ok(outcome.kind === "refused", JSON.stringify(outcome));
        assert.deepEqual({ ...outcome, ...expected }, outcome);
        if (expected.retryAfterSeconds === undefined) {
          assert.equal(outcome.retryAfterSeconds, undefined);
        }
      });
    }
  }

  it("is truncated if its texts are long", async () => {
    const body: JsonValue = { error: "e".repeat(100_000), code: "c".repeat(5000) };
    const outcome = await invoke({ status: 403, body });
    assert.ok(outcome.kind === "refused");
    assert.equal(outcome.message?.length, 2000);
    assert.equal(outcome.code?.length, 100);
  });
});
