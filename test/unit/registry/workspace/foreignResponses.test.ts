import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import { endsSession, isNotOffered, isWrongRole } from "../../../../src/core/account/sessions";
import { signInMethods } from "../../../../src/core/account/signIn";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import type { RegistryClient } from "../../../../src/registry/registryClient";
import { clientFor, never } from "../../../fixtures/registries/clientFor";
import {
  type Answer,
  startTestRegistry,
  type TestRegistry,
} from "../../../fixtures/registries/testRegistry";
import { failureIn, valueIn } from "./resultParts";

describe("another registry's responses to signed-in requests", () => {
  let server: TestRegistry;
  let client: RegistryClient;
  let answer: Answer;
  const secret = `skh_${"9".repeat(64)}`;
  const redactor = new KeyRedactor();
  beforeEach(async () => {
    server = await startTestRegistry({ "**": () => answer });
    client = clientFor(server.baseUrl, { redactor });
  });
  afterEach(async () => {
    client.close();
    await server.close();
  });
  const routes = () => {
    const { origin } = new URL(server.baseUrl);
    return client.workspace({ kind: "userToken", origin, text: "shub_user_x" });
  };

  const failures: readonly [what: string, status: number, body: JsonValue | string, is: string][] =
    [
      ["end the session at a 401", 401, { error: "Invalid or revoked user token." }, "ended"],
      [
        "count a 403 as a wrong role",
        403,
        { error: "Requires one of these roles: owner." },
        "role",
      ],
      [
        "count a 404 without a message as a route that is not offered",
        404,
        "404 Not Found",
        "none",
      ],
      [
        "count a 404 with a message as another failure",
        404,
        { error: "Project not found." },
        "other",
      ],
      ["count a 405 as a route that is not offered", 405, "", "none"],
      ["count a 501 as a route that is not offered", 501, { error: "Not implemented." }, "none"],
      [
        "count a 400 as another failure",
        400,
        { code: "bad_request", error: "connect ECONNREFUSED" },
        "other",
      ],
      ["count a 500 as another failure", 500, "<html>", "other"],
      ["count a page of HTML as another failure", 200, "<html>", "other"],
    ];
  for (const [what, status, body, is] of failures) {
    it(what, async () => {
      answer = { status, body };
      const failure = failureIn(await routes().projects(never));
      const found = endsSession(failure)
        ? "ended"
        : isWrongRole(failure)
          ? "role"
          : isNotOffered(failure)
            ? "none"
            : "other";
      assert.equal(found, is);
    });
  }

  it("name a missing required member", async () => {
    answer = { status: 200, body: { other: [] } };
    for (const [ask, field] of [
      [() => routes().projects(never), "projects"],
      [() => routes().project("demo", never), "project"],
      [() => routes().createKey("demo", "x", never), "apiKey"],
      [() => routes().account(never), "account"],
      [() => client.signIn.verifyCode("1", "123456", never), "token"],
      [() => client.signIn.requestCode("a@b.c", never), "challengeId"],
      [() => client.signIn.methods(never), "providers"],
    ] as const) {
      const failure = failureIn(await ask());
      assert.deepEqual(
        [failure.kind, failure.kind === "unreadable" && failure.field],
        ["unreadable", field],
      );
    }
  });

  it("are read alike in snake case and in an envelope", async () => {
    answer = {
      status: 200,
      body: {
        data: {
          project: {
            project: { slug: "demo", name: "Demo", installs: { installed_skill_count: 1 } },
            installed_skills: [
              {
                skill_slug: "abc",
                display_name: "Abc",
                version: "1.0.0",
                approval_state: "approved",
                pricing: {
                  model: "per_invocation",
                  amount_cents: 5,
                  currency: " ",
                  status: "active",
                },
              },
              {
                skill_slug: "free",
                price: { billingModel: "free", unitAmountCents: 0, currency: "eur" },
              },
              { skill_slug: "unpriced", price: { unitAmountCents: 5 } },
              { skill_slug: "../up" },
              7,
            ],
            api_keys: [{ id: "k", name: "Key", key_last4: "abcd", last_used_at: null }],
          },
        },
      },
    };
    const detail = valueIn(await routes().project("demo", never));
    assert.deepEqual(detail, {
      summary: { slug: "demo", name: "Demo", installedCount: 1 },
      skills: [
        {
          slug: "abc",
          name: "Abc",
          version: "1.0.0",
          approvalState: "approved",
          price: { billingModel: "per_invocation", unitAmountCents: 5, status: "active" },
        },
        {
          slug: "free",
          name: "free",
          version: "",
          price: { billingModel: "free", unitAmountCents: 0, currency: "EUR" },
        },
        { slug: "unpriced", name: "unpriced", version: "" },
      ],
      keys: [{ id: "k", name: "Key", last4: "abcd" }],
      updates: [],
      invocations: [],
      subscriptions: [],
    });
  });

  it("have no policy if it cannot be sent back completely", async () => {
    const whole = {
      skill_slug: "abc",
      max_permission_level: "low",
      allow_network: false,
      allow_browser: false,
      filesystem_access: "none",
      allow_secret_access: false,
      monthly_budget_cents: 0,
      rate_limit_per_minute: 5,
      approval_required: false,
    };
    const { allow_network: _, ...part } = whole;
    answer = { status: 200, body: { policies: [whole, { ...part, skill_slug: "def" }, 1] } };
    const policies = valueIn(await routes().policies("demo", never));
    assert.deepEqual(
      [...policies].map(([slug, { row }]) => [slug, row?.rateLimitPerMinute]),
      [
        ["abc", 5],
        ["def", undefined],
      ],
    );
  });

  it("return a new key once: nothing else keeps it", async () => {
    const apiKey = { id: secret, name: secret, keyLast4: "9999", apiKey: secret, more: secret };
    answer = { status: 201, body: { apiKey } };
    const made = valueIn(await routes().createKey("demo", "x", never));
    assert.equal(made.key, secret);
    assert.ok(!JSON.stringify(made.row).includes(secret));
    assert.equal(redactor.redact(secret), "[Project Key]");
  });

  const checkouts: readonly (readonly [url: JsonValue, page: string | undefined])[] = [
    ["https://checkout.example/pay?id=1", "https://checkout.example/pay?id=1"],
    ["http://checkout.example/pay", undefined],
    ["https://user:secret@checkout.example/", undefined],
    ["vscode://checkout.example/pay", undefined],
    ["command:workbench.action.quit", undefined],
    [null, undefined],
  ];
  for (const [url, page] of checkouts) {
    it(`open ${page ?? "nothing"} for a checkout at ${url}`, async () => {
      answer = { status: 201, body: { checkout: { checkoutSessionId: "c", url } } };
      const read = await routes().checkout("demo", "market-data", never);
      assert.equal(read.ok ? read.value : undefined, page);
      assert.equal(server.requests[0]?.path, "/v1/checkout/sessions");
    });
  }

  it("sign nobody in without a user token", async () => {
    for (const token of [secret, "", 7, "shub_user_ä", "shub_user_ x", null]) {
      const accessToken = { id: "t", token };
      answer = { status: 200, body: { login: { accessToken, user: { id: "u", email: "a@b.c" } } } };
      const failure = failureIn(await client.signIn.passwordLogin("a", "password", never));
      assert.equal(failure.kind, "unreadable");
      assert.ok(!JSON.stringify(failure).includes(secret));
    }
  });

  it("do not offer mail that cannot be sent as a way to sign in", async () => {
    const providers = [
      { provider: "email", status: "active" },
      { provider: "github", status: "active" },
    ];
    assert.deepEqual(signInMethods({ isOffered: true, providers, mailWorks: false }), [
      "token",
      "password",
    ]);
    assert.deepEqual(signInMethods({ isOffered: false, providers: [] }), ["token"]);
    assert.deepEqual(signInMethods({ isOffered: true, providers: [] }), ["token"]);
  });
});
