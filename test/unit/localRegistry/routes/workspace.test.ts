import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../../src/core/json/jsonValue";
import { type RawAnswer, rawRequest } from "../rawRequest";
import { withRegistry } from "../withRegistry";

type Who = "owner" | "developer" | "finance" | "key" | "nobody";

/** A role, a request, its body, and the expected status and members (or error text) of the response. */
type Row = readonly [
  who: Who,
  request: string,
  body: JsonObject | undefined,
  status: number,
  answer: string | JsonObject,
];

const startedAt = Date.parse("2026-11-20T10:00:00Z");

function withWorkspace() {
  const codes = new Map<string, string>();
  const clock = { now: startedAt };
  const test = withRegistry({
    now: () => clock.now,
    deliverCode: (email, code) => codes.set(email, code),
  });
  const send = (token: string | undefined, request: string, body?: JsonObject) => {
    const [method = "", path = ""] = request.split(" ");
    return rawRequest(test.registry.baseUrl + path, {
      method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  const tokenOf = (who: Who) => {
    if (who === "nobody") return undefined;
    return who === "key" ? test.registry.projectKey : test.registry.userTokens[who];
  };
  const ask = (who: Who, request: string, body?: JsonObject) => send(tokenOf(who), request, body);
  return { test, codes, clock, send, ask };
}

/** Compares the expected members in depth; others may exist. */
function assertHolds(given: unknown, expected: unknown, path = "answer"): void {
  const isObject = typeof expected === "object" && expected !== null && !Array.isArray(expected);
  if (!isObject) assert.deepEqual(given, expected, path);
  else
    for (const [name, value] of Object.entries(expected)) {
      assertHolds((given as JsonObject | undefined)?.[name], value, `${path}.${name}`);
    }
}

function assertAnswer({ status, json, text }: RawAnswer, [, , , wanted, expected]: Row): void {
  assert.equal(status, wanted, text);
  if (typeof expected === "string") {
    const { error, ...more } = json as JsonObject;
    assert.deepEqual([error, more], [expected, {}]);
  } else assertHolds(json, expected);
}

const projects = "/v1/developer/projects";
const demo = "/v1/projects/local-demo";
const install = `${demo}/installed-skills`;
const policies = `${demo}/policies`;
const missing = "Missing authorization bearer token.";
const revoked = "Invalid or revoked user token.";
const role = "Requires one of these roles: super_admin, admin, owner, developer.";
const reason = "A reason is required before this project operation.";
const noId = "00000000-0000-4000-8000-000000000000";
const signIn = "POST /v1/auth/email/request-code";
const verify = "POST /v1/auth/email/verify-code";
const login = "POST /v1/auth/password/login";
const subscriptions = `${demo}/subscriptions`;
const keyRoute = `POST ${demo}/api-keys`;
const text = "text-stats";
const bad = (error: string): JsonObject => ({ code: "bad_request", error });

/** Requests that change nothing that another row uses. */
const rows: readonly Row[] = [
  ["nobody", "GET /v1/auth/me", undefined, 401, missing],
  ["key", "GET /v1/auth/me", undefined, 401, revoked],
  ["key", `GET ${projects}`, undefined, 401, revoked],
  ["key", `POST ${demo}/runtime/test`, {}, 401, revoked],
  ["nobody", `GET ${install}`, undefined, 401, missing],
  ["finance", `GET ${projects}`, undefined, 403, role],
  ["finance", keyRoute, { name: "x" }, 403, role],
  ["finance", `PUT ${policies}/text-stats`, {}, 403, role],
  ["finance", "GET /v1/auth/me", undefined, 200, { subject: { roles: ["user", "finance"] } }],

  [
    "nobody",
    signIn,
    { email: "a@b.example" },
    403,
    "Public email access is disabled for this deployment.",
  ],
  ["nobody", signIn, { mode: "x" }, 400, "Email access mode must be login or signup."],
  ["nobody", signIn, { mode: "login", email: "nobody" }, 400, "A valid email is required."],
  [
    "nobody",
    signIn,
    { mode: "login", email: "stranger@b.example" },
    201,
    { challenge: { mode: "login", deliveryPreviewCode: null, email: "stranger@b.example" } },
  ],
  [
    "nobody",
    verify,
    { challengeId: "x", code: "123456" },
    400,
    "Email verification challenge id is invalid.",
  ],
  [
    "nobody",
    verify,
    { challengeId: noId, code: "12345" },
    400,
    "Email verification code must be 6 digits.",
  ],
  [
    "nobody",
    verify,
    { challengeId: noId, code: "123456" },
    404,
    "Email verification challenge was not found.",
  ],
  ["nobody", login, {}, 400, "Email or username is required."],
  [
    "nobody",
    login,
    { identifier: "owner", password: "short" },
    400,
    "Password must be 8-128 characters.",
  ],
  [
    "nobody",
    login,
    { identifier: "a b", password: "longenough" },
    400,
    "Username must be 3-32 characters using letters, numbers, underscores, or hyphens.",
  ],
  [
    "nobody",
    login,
    { identifier: "owner", password: "longenough" },
    400,
    "Email/username or password is incorrect.",
  ],
  [
    "nobody",
    login,
    { identifier: "stranger", password: "longenough" },
    400,
    "Email/username or password is incorrect.",
  ],

  ["owner", "POST /v1/account/sessions/x/revoke", {}, 404, "Account session was not found."],
  [
    "owner",
    `GET ${projects}?limit=abc`,
    undefined,
    400,
    bad('invalid input syntax for type bigint: "NaN"'),
  ],
  ["owner", `GET ${projects}/nothing-here`, undefined, 404, "Project not found."],
  ["owner", `POST ${projects}`, { name: "x" }, 400, "Project name must be at least 2 characters."],
  [
    "owner",
    `POST ${projects}`,
    { name: "x".repeat(91) },
    400,
    "Project name must be 90 characters or fewer.",
  ],
  [
    "owner",
    `POST ${projects}`,
    { name: "日本語" },
    400,
    "Project slug must include at least 2 letters or numbers.",
  ],
  [
    "owner",
    `POST ${projects}`,
    { name: "ok", slug: "s".repeat(81) },
    400,
    "Project slug must be 80 characters or fewer.",
  ],
  [
    "owner",
    `POST ${projects}`,
    { name: "Local Demo" },
    400,
    "A project with this slug already exists in this organization.",
  ],
  [
    "owner",
    `POST ${projects}`,
    { name: "  A   new\tone " },
    201,
    { project: { slug: "a-new-one", name: "A new one" } },
  ],

  ["owner", "GET /v1/projects/nothing-here/api-keys", undefined, 200, { apiKeys: [] }],
  [
    "owner",
    "GET /v1/projects/nothing-here/installed-skills",
    undefined,
    200,
    { installedSkills: [] },
  ],
  ["owner", "GET /v1/projects/nothing-here/policies", undefined, 200, { policies: [] }],
  ["owner", "GET /v1/projects/nothing-here/update-inbox", undefined, 200, { updates: [] }],

  ["developer", `${keyRoute}/${noId}/revoke`, {}, 400, reason],
  ["developer", `${keyRoute}/${noId}/revoke`, { reason: "short" }, 400, reason],
  ["developer", `${keyRoute}/${noId}/revoke`, { reason: "long enough" }, 400, "API key not found."],
  [
    "developer",
    `${keyRoute}/zzz/revoke`,
    { reason: "long enough" },
    400,
    bad('invalid input syntax for type uuid: "zzz"'),
  ],
  ["developer", keyRoute, { name: null }, 400, { code: "bad_request" }],

  ["owner", `POST ${install}`, {}, 400, "Missing skillSlug."],
  ["owner", `POST ${install}`, { skillSlug: "nothing-here" }, 400, "Skill or version not found."],
  [
    "owner",
    `POST ${install}`,
    { skillSlug: text, version: "9.9.9" },
    400,
    "Skill or version not found.",
  ],
  [
    "owner",
    `POST ${install}`,
    { skillSlug: "draft-writer" },
    400,
    "Only verified skills can be installed into developer projects.",
  ],
  [
    "owner",
    `POST ${install}`,
    { skillSlug: "flaky-fetch" },
    400,
    "Only verified skills can be installed into developer projects.",
  ],
  ["owner", `PUT ${install}/${text}/status`, {}, 400, "Missing install status."],
  [
    "owner",
    `PUT ${install}/${text}/status`,
    { status: "x" },
    400,
    "Install status must be installed, suspended, or removed.",
  ],
  ["owner", `PUT ${install}/${text}/status`, { status: "removed" }, 400, reason],
  [
    "owner",
    `PUT ${install}/nothing-here/status`,
    { status: "installed" },
    400,
    "Installed skill not found for this project.",
  ],

  ["owner", `PUT ${policies}/nothing-here`, {}, 400, "Skill or version not found."],
  ["owner", `PUT ${policies}/${text}`, { rateLimitPerMinute: 0 }, 400, { code: "bad_request" }],
  ["owner", `PUT ${policies}/${text}`, { monthlyBudgetCents: -1 }, 400, { code: "bad_request" }],
  ["owner", `PUT ${policies}/${text}`, { filesystemAccess: "all" }, 400, { code: "bad_request" }],
  [
    "owner",
    `PUT ${policies}/${text}`,
    { rateLimitPerMinute: 1.5 },
    400,
    bad('invalid input syntax for type integer: "1.5"'),
  ],
  [
    "owner",
    `PUT ${policies}/${text}`,
    { rateLimitPerMinute: "5", allowNetwork: "no", other: 1 },
    200,
    { policy: { rateLimitPerMinute: 5, allowNetwork: false } },
  ],
  [
    "owner",
    `PUT ${policies}/${text}`,
    { rateLimitPerMinute: null },
    200,
    { policy: { rateLimitPerMinute: 60 } },
  ],
  [
    "developer",
    `PUT ${policies}/status-notice`,
    { approvalRequired: false },
    400,
    "Owner or admin role is required to approve high-risk project policy.",
  ],

  [
    "owner",
    `PUT ${demo}/update-inbox/${noId}/action`,
    {},
    400,
    "Update action status must be acknowledged, scheduled, adopted, or ignored.",
  ],
  [
    "owner",
    `PUT ${demo}/update-inbox/${noId}/action`,
    { status: "ignored" },
    400,
    "Update event not found for this project.",
  ],
  [
    "owner",
    `PUT ${demo}/update-inbox/${noId}/action`,
    { status: "scheduled", scheduledFor: "soon" },
    400,
    "scheduledFor must be a valid date.",
  ],

  ["owner", "POST /v1/projects/nothing-here/runtime/test", {}, 404, { code: "project_not_found" }],
  ["owner", `POST ${demo}/runtime/test`, {}, 400, { code: "missing_skill_slug" }],

  [
    "finance",
    "POST /v1/skills/text-stats/feedback",
    { rating: 6 },
    400,
    "Rating must be an integer between 1 and 5.",
  ],
  ["finance", "POST /v1/skills/text-stats/feedback", { rating: 5 }, 400, "title is required."],
  [
    "finance",
    "POST /v1/skills/text-stats/feedback",
    { rating: 5, title: "t" },
    400,
    "body is required.",
  ],
  [
    "finance",
    "POST /v1/skills/x/feedback",
    { rating: 5, title: "t", body: "b" },
    400,
    "Skill not found.",
  ],
  [
    "finance",
    "POST /v1/skills/text-stats/feedback",
    { rating: 5, title: "t", body: "b", projectSlug: "x" },
    400,
    "Project not found for this organization.",
  ],
  [
    "finance",
    "POST /v1/skills/text-stats/feedback",
    { rating: 5, title: "t", body: "b" },
    201,
    { feedback: { status: "pending" } },
  ],
  [
    "finance",
    "POST /v1/skills/text-stats/abuse-reports",
    { title: "t", description: "d", category: "x" },
    201,
    { abuseReport: { category: "other" } },
  ],

  ["finance", "POST /v1/checkout/sessions", {}, 403, role],
  [
    "developer",
    "POST /v1/checkout/sessions",
    { projectSlug: "local-demo", skillSlug: "market-data" },
    400,
    "Stripe commerce is not active. Configure Stripe in admin platform settings.",
  ],
  [
    "owner",
    "POST /v1/checkout/sessions",
    { projectSlug: "local-demo", skillSlug: "market-data", provider: "cash" },
    400,
    "Checkout provider must be stripe or paypal.",
  ],
  [
    "owner",
    "POST /v1/checkout/sessions",
    { projectSlug: "local-demo", skillSlug: "text-stats" },
    404,
    "Active skill price or project not found.",
  ],
  [
    "owner",
    "POST /v1/checkout/sessions",
    { projectSlug: "nothing-here", skillSlug: "market-data" },
    404,
    "Active skill price or project not found.",
  ],
  [
    "owner",
    "POST /v1/checkout/sessions",
    { projectSlug: "local-demo", skillSlug: "market-data", provider: "paypal" },
    400,
    "PayPal commerce is not active. Configure PayPal in admin platform settings.",
  ],

  ["finance", `POST ${subscriptions}`, { skillSlug: "market-data" }, 403, role],
  ["owner", `POST ${subscriptions}`, {}, 400, "skillSlug is required."],
  [
    "owner",
    `POST ${subscriptions}`,
    { skillSlug: "market-data", status: "odd" },
    400,
    "Subscription status must be trialing or active.",
  ],
  [
    "owner",
    `POST ${subscriptions}`,
    { skillSlug: "nothing-here" },
    400,
    "Project, skill, or active price not found.",
  ],
  [
    "owner",
    "POST /v1/projects/nothing-here/subscriptions",
    { skillSlug: "market-data" },
    400,
    "Project, skill, or active price not found.",
  ],
  [
    "owner",
    `POST ${subscriptions}`,
    { skillSlug: "redact-pii" },
    400,
    "Only subscription-priced skills can create project subscriptions.",
  ],
  [
    "developer",
    `POST ${subscriptions}`,
    { skillSlug: "market-data" },
    201,
    {
      subscription: {
        projectSlug: "local-demo",
        skillSlug: "market-data",
        displayName: "Market data",
        status: "trialing",
        billingModel: "subscription",
        currency: "usd",
        pausedAt: null,
        canceledAt: null,
      },
    },
  ],

  ["finance", `PUT ${subscriptions}/${noId}/status`, { status: "canceled" }, 403, role],
  [
    "owner",
    `PUT ${subscriptions}/${noId}/status`,
    { status: "canceled" },
    400,
    "FOR UPDATE cannot be applied to the nullable side of an outer join",
  ],

  ["nobody", "GET /v1/status", undefined, 200, { status: { overall: "degraded" } }],
];

/** Operations that the gateway does not have: another registry may lack any. */
const absent = [
  `POST ${keyRoute.slice(5)}/${noId}/rotate`,
  `DELETE ${policies}/text-stats`,
  `PUT ${projects}/local-demo`,
  "POST /v1/auth/logout",
  "GET /v1/admin/audit-logs",
];

describe("the workspace's routes", () => {
  const { ask } = withWorkspace();
  for (const row of rows) {
    const [who, request, body, status] = row;
    it(`return ${status} to ${who}: ${request} ${JSON.stringify(body ?? "").slice(0, 120)}`, async () => {
      assertAnswer(await ask(who, request, body), row);
    });
  }
  for (const request of absent) {
    it(`have no ${request}`, async () => {
      const answer = await ask("owner", request, request.startsWith("P") ? {} : undefined);
      assert.deepEqual([answer.status, answer.text], [404, "404 Not Found"]);
    });
  }
});

describe("signing in", () => {
  const { test, codes, clock, send, ask } = withWorkspace();
  const email = "developer@local.example";
  const challenge = async () => {
    const { json } = await ask("nobody", signIn, { mode: "login", email });
    const { challengeId } = (json as { challenge: JsonObject }).challenge;
    return { challengeId: String(challengeId), code: codes.get(email) ?? "" };
  };
  const enter = (body: JsonObject) => ask("nobody", verify, body);

  it("accepts a code once, with spaces and dashes, and starts a session of 14 days", async () => {
    const { challengeId, code } = await challenge();
    const spaced = `${code.slice(0, 3)}-${code.slice(3)} `;
    const { status, json } = await enter({ challengeId, code: spaced });
    assert.equal(status, 200);
    const { accessToken, user } = (json as { login: { accessToken: JsonObject; user: JsonObject } })
      .login;
    const { token, name, expiresAt } = accessToken;
    assert.match(String(token), /^shub_user_[0-9a-f]{64}$/);
    assert.deepEqual([user["email"], name], [email, "Email verification session"]);
    assert.equal(expiresAt, "2026-12-04T10:00:00.000Z");
    const { json: account } = await send(String(token), "GET /v1/account");
    assertHolds(account, {
      account: {
        membership: { role: "developer", organizationName: "Local Workspace" },
        session: { expiresAt, tokenLast4: String(token).slice(-4) },
      },
    });
    const again = await enter({ challengeId, code });
    const error = "Email verification code has already been used.";
    assert.deepEqual([again.status, again.json], [403, { error }]);
    clock.now = Date.parse(String(expiresAt));
    assert.equal((await send(String(token), "GET /v1/auth/me")).status, 401);
    clock.now = startedAt;
  });

  it("rejects a wrong code, an expired one, and a stranger's", async () => {
    const { challengeId, code } = await challenge();
    const other = code === "000000" ? "111111" : "000000";
    const wrong = await enter({ challengeId, code: other });
    const errors = [wrong.json];
    clock.now += 600_000;
    errors.push((await enter({ challengeId, code })).json);
    clock.now = startedAt;
    const stranger = "stranger@b.example";
    const { json } = await ask("nobody", signIn, { mode: "login", email: stranger });
    const asked = (json as { challenge: { challengeId: string } }).challenge;
    const strange = { challengeId: asked.challengeId, code: codes.get(stranger) ?? "" };
    for (let time = 0; time < 2; time += 1) errors.push((await enter(strange)).json);
    const noWorkspace = { error: "No SkillHub workspace was found for this verified email." };
    assert.deepEqual(errors, [
      { error: "Email verification code is invalid." },
      { error: "Email verification code has expired." },
      noWorkspace,
      // The code stays unused.
      noWorkspace,
    ]);
  });

  it("accepts a password, and revokes every session but the current one", async () => {
    const { password } = test.registry;
    const { json } = await ask("nobody", login, { identifier: "owner", password });
    const { token, id } = (json as { login: { accessToken: Record<string, string> } }).login
      .accessToken;
    const own = await send(token, `POST /v1/account/sessions/${id}/revoke`, {});
    assert.deepEqual(
      [own.status, own.json],
      [
        403,
        {
          error: "The current session cannot be revoked from this list. Use sign out to end it.",
        },
      ],
    );
    for (let time = 0; time < 2; time += 1) {
      const { status, json: body } = await ask(
        "owner",
        `POST /v1/account/sessions/${id}/revoke`,
        {},
      );
      assert.equal(status, 200);
      assertHolds(body, { session: { status: "revoked", isCurrent: false } });
    }
    assert.equal((await send(token, "GET /v1/auth/me")).status, 401);
    const { json: list } = await ask("owner", "GET /v1/account/sessions");
    const { sessions } = list as { sessions: { isCurrent: boolean; status: string }[] };
    assert.deepEqual(
      sessions.map(({ isCurrent, status }) => [isCurrent, status]),
      [
        [false, "revoked"],
        [true, "active"],
      ],
    );
  });
});

describe("a project's keys", () => {
  const { test, send, ask } = withWorkspace();

  it("are shown once, work at once, and reset the project's name", async () => {
    const named = async () => {
      const { json } = await ask("owner", `GET ${projects}/local-demo`);
      return (json as { project: { project: JsonObject } }).project.project["name"];
    };
    assert.equal(await named(), "Local Demo");
    const { status, json } = await ask("developer", keyRoute, { name: "CI" });
    const { apiKey } = json as { apiKey: Record<string, string> };
    const { apiKey: key, id } = apiKey;
    assert.equal(status, 201);
    assert.match(key ?? "", /^skh_[0-9a-f]{64}$/);
    assert.equal(await named(), "Local Demo");
    const input = { text: "a" };
    const invoke = () => send(key, "POST /v1/runtime/invoke", { skillSlug: text, input });
    assert.equal((await invoke()).status, 200);

    const { json: list } = await ask("owner", `GET ${demo}/api-keys`);
    const { apiKeys } = list as { apiKeys: JsonObject[] };
    assert.deepEqual(
      apiKeys.map((one) => [one["name"], one["keyPrefix"], one["keyLast4"], one["lastUsedAt"]]),
      [
        ["CI", "skh", key?.slice(-4), "2026-11-20T10:00:00.000Z"],
        ["Built-in key", "skh", test.registry.projectKey.slice(-4), null],
      ],
    );
    assert.ok(!JSON.stringify(list).includes(key ?? ""));

    const revoke = { reason: "no longer needed" };
    const { json: row } = await ask("developer", `${keyRoute}/${id}/revoke`, revoke);
    assertHolds(row, { apiKey: { id, name: "CI", revokedAt: "2026-11-20T10:00:00.000Z" } });
    assertHolds((await invoke()).json, { code: "invalid_api_key" });
  });

  it("create a project for a misspelled slug", async () => {
    await ask("owner", "POST /v1/projects/lokal-demo/api-keys", {});
    const { json } = await ask("owner", `GET ${projects}`);
    const names = (json as { projects: JsonObject[] }).projects.map((one) => one["name"]);
    assert.deepEqual(names, ["Lokal Demo", "Local Demo"]);
  });
});

describe("a project's installs and policies", () => {
  const { test, ask } = withWorkspace();
  const invoke = async (skillSlug: string, input: JsonObject) => {
    const { status, json } = await test.invoke({ skillSlug, input });
    return [status, (json as JsonObject)["code"]];
  };
  const notice = { service: "Shop", state: "resolved", message: "All well." };
  const approve = { approvalRequired: false, monthlyBudgetCents: 0 };

  it("run a high skill after an owner's approval, until the policy is written without it", async () => {
    const policy = `PUT ${policies}/status-notice`;
    assert.deepEqual(await invoke("status-notice", notice), [403, "skill_not_approved"]);
    const { json } = await ask("owner", policy, approve);
    assertHolds(json, {
      policy: { approvalRequired: false, approvedAt: "2026-11-20T10:00:00.000Z" },
    });
    assert.deepEqual(await invoke("status-notice", notice), [200, undefined]);
    // A row without the approval resets it to the default, even from a developer.
    await ask("developer", policy, { rateLimitPerMinute: 5 });
    assert.deepEqual(await invoke("status-notice", notice), [403, "skill_not_approved"]);
    // A new install removes an approval as well.
    await ask("owner", policy, approve);
    await ask("developer", `POST ${install}`, { skillSlug: "status-notice" });
    assert.deepEqual(await invoke("status-notice", notice), [403, "skill_not_approved"]);
  });

  it("are suspended, restored and removed", async () => {
    const reason = "for the test";
    const set = (status: string) =>
      ask("owner", `PUT ${install}/json-diff/status`, { status, reason });
    const input = { before: 1, after: 1 };
    for (const status of ["suspended", "removed"]) {
      assertHolds((await set(status)).json, { install: { status } });
      assert.deepEqual(await invoke("json-diff", input), [403, "install_not_active"]);
    }
    await ask("developer", `POST ${install}`, { skillSlug: "json-diff" });
    assert.deepEqual(await invoke("json-diff", input), [200, undefined]);
  });

  it("return the pinned manifest without redaction", async () => {
    const { json } = await ask("developer", `GET ${install}`);
    const { installedSkills } = json as { installedSkills: JsonObject[] };
    const find = (slug: string) => installedSkills.find((one) => one["skillSlug"] === slug);
    assertHolds(find("redact-pii"), { version: "1.1.0", manifest: { version: "1.1.0" } });
    assertHolds(find("vault-rotate"), {
      manifest: { permissions: { secrets: ["VAULT_TOKEN", "NOTIFY_TOKEN"] } },
    });
  });

  it("write a whole policy: missing members return to the manifest's default", async () => {
    await ask("owner", `PUT ${policies}/slow-report`, {
      rateLimitPerMinute: 7,
      allowNetwork: false,
    });
    const { json } = await ask("owner", `PUT ${policies}/slow-report`, { monthlyBudgetCents: 5 });
    assertHolds(json, {
      policy: { monthlyBudgetCents: 5, rateLimitPerMinute: 60, allowNetwork: true },
    });
  });

  it("run a test that is not billed and counts in the same rate window", async () => {
    const run = (skillSlug: string) =>
      ask("developer", `POST ${demo}/runtime/test`, { skillSlug, input: { text: "a" } });
    const { status, json } = await run("redact-pii");
    assert.equal(status, 200);
    assertHolds(json, { mode: "console_test", billable: false, amountCents: 0, status: "success" });
    for (let time = 0; time < 3; time += 1) await run("burst-limited");
    assert.deepEqual(await invoke("burst-limited", {}), [403, "rate_limit_exceeded"]);
  });

  it("keep the newest 25 invocations", async () => {
    for (let time = 0; time < 26; time += 1) await invoke("text-stats", { text: "a" });
    await invoke("nothing-here", {});
    await invoke("text-stats", {});
    const { json } = await ask("owner", `GET ${projects}/local-demo`);
    const { recentInvocations } = (json as { project: { recentInvocations: JsonObject[] } })
      .project;
    assert.equal(recentInvocations.length, 25);
    assert.deepEqual(
      recentInvocations
        .slice(0, 2)
        .map((one) => [one["skillSlug"], one["status"], one["errorCode"]]),
      [
        ["text-stats", "error", "runtime_http_error"],
        [null, "blocked", "skill_not_installed"],
      ],
    );
  });
});

describe("a project's update inbox", () => {
  const { test, ask } = withWorkspace();
  const inbox = async () => {
    const { json } = await ask("developer", `GET ${demo}/update-inbox`);
    return (json as { updates: Record<string, string>[] }).updates;
  };

  it("has two rows for every version, even for an installed, older or draft one", async () => {
    const rows = (await inbox()).map((one) => [
      one["skillSlug"],
      one["eventType"],
      one["currentVersion"],
      one["targetVersion"],
      one["adoptionState"],
    ]);
    const of = (slug: string) => rows.filter(([skillSlug]) => skillSlug === slug);
    const csv = (version: string) => ["csv-profile", "new_version", "2.0.0", version, "ready"];
    assert.deepEqual(
      of("csv-profile"),
      ["2.0.0", "2.0.0", "1.1.0", "1.1.0", "1.0.0", "1.0.0"].map(csv),
    );
    const redact = (version: string, state: string) => {
      return ["redact-pii", "new_version", "1.1.0", version, state];
    };
    assert.deepEqual(of("redact-pii"), [
      redact("2.1.0", "awaiting_review"),
      redact("2.0.0", "ready"),
      redact("2.0.0", "ready"),
      redact("1.1.0", "ready"),
      redact("1.1.0", "ready"),
    ]);
    const events = rows.filter(([, eventType]) => eventType !== "new_version");
    assert.deepEqual(
      events.map(([slug, type, , version, state]) => [slug, type, version, state]).sort(),
      [
        ["flaky-fetch", "deprecated", null, "not_version_update"],
        ["slow-report", "incident", null, "not_version_update"],
      ],
    );
  });

  it("moves the pin when an update is adopted, and removes only its row", async () => {
    const isRow = (one: Record<string, string>) =>
      one["skillSlug"] === "redact-pii" && one["targetVersion"] === "2.0.0";
    const update = (await inbox()).find(isRow);
    const route = `PUT ${demo}/update-inbox/${update?.["id"]}/action`;
    await ask("developer", route, { status: "acknowledged", note: "soon" });
    const noted = (await inbox()).find((one) => one["id"] === update?.["id"]);
    assert.deepEqual([noted?.["actionStatus"], noted?.["actionNote"]], ["acknowledged", "soon"]);
    const { json } = await ask("developer", route, { status: "adopted" });
    assertHolds(json, { action: { adoptedVersion: "2.0.0", adoptionApprovalState: "approved" } });
    const input = { text: "a" };
    const answer = await test.invoke({ skillSlug: "redact-pii", version: "2.0.0", input });
    assert.equal(answer.status, 200);
    assert.equal((await inbox()).filter(isRow).length, 1);
  });

  it("adopts neither a draft nor an update of a removed skill", async () => {
    const updates = await inbox();
    const adopt = (slug: string) => {
      const update = updates.find((one) => one["skillSlug"] === slug);
      return ask("owner", `PUT ${demo}/update-inbox/${update?.["id"]}/action`, {
        status: "adopted",
      });
    };
    assert.deepEqual((await adopt("redact-pii")).json, {
      error: "Only approved skill versions can be adopted by a project.",
    });
    const removal = { status: "removed", reason: "for the test" };
    await ask("owner", `PUT ${install}/csv-profile/status`, removal);
    assert.deepEqual((await adopt("csv-profile")).json, {
      error: "Removed skills must be reinstalled before adopting updates.",
    });
  });

  it("removes a handled event, and keeps the pin", async () => {
    const isEvent = (one: Record<string, string>) => one["eventType"] === "incident";
    const event = (await inbox()).find(isEvent);
    const route = `PUT ${demo}/update-inbox/${event?.["id"]}/action`;
    const { json } = await ask("developer", route, { status: "adopted" });
    assertHolds(json, { action: { adoptedVersion: null } });
    const rows = await inbox();
    assert.equal(rows.find(isEvent), undefined);
    const slow = rows.find((one) => one["skillSlug"] === "slow-report");
    assert.equal(slow?.["currentVersion"], event?.["currentVersion"]);
  });

  it("adopts an older version, which moves the pin back", async () => {
    const isOld = (one: Record<string, string>) =>
      one["skillSlug"] === "redact-pii" && one["targetVersion"] === "1.1.0";
    const update = (await inbox()).find(isOld);
    const route = `PUT ${demo}/update-inbox/${update?.["id"]}/action`;
    assertHolds((await ask("owner", route, { status: "adopted" })).json, {
      action: { adoptedVersion: "1.1.0" },
    });
  });
});
