import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import {
  type Credential,
  credentialProblem,
  type UserToken,
} from "../../../../src/core/registry/credential";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import type { RegistryClient } from "../../../../src/registry/registryClient";
import { Transport } from "../../../../src/registry/transport/transport";
import type { WorkspaceRoutes } from "../../../../src/registry/workspace/workspaceRoutes";
import { clientFor, never, plainNetwork } from "../../../fixtures/registries/clientFor";
import { startTestRegistry, type TestRegistry } from "../../../fixtures/registries/testRegistry";
import { strictPolicy } from "../../../fixtures/strictPolicy";

const key = `skh_${"0123456789abcdef".repeat(4)}`;
const token = `shub_user_${"fedcba9876543210".repeat(4)}`;
const limits = { seconds: 5, maxBytes: 100_000 };

describe("a credential", () => {
  let server: TestRegistry;
  let transport: Transport;
  beforeEach(async () => {
    server = await startTestRegistry({ "**": { body: {} } });
    transport = new Transport(`${server.baseUrl}/prefix`, plainNetwork);
  });
  afterEach(async () => {
    transport.close();
    await server.close();
  });

  const send = (credential: Credential, path: string) =>
    transport.exchange({ method: "POST", path, headers: {}, credential }, limits, never);
  const userToken = (origin: string, text = token): UserToken => ({
    kind: "userToken",
    origin,
    text,
  });
  const projectKey = (origin: string, text = key): Credential => ({
    kind: "projectKey",
    origin,
    text,
  });

  const userPaths = [
    "/prefix/v1/account",
    "/prefix/v1/account/sessions/1/revoke",
    "/prefix/v1/developer/projects",
    "/prefix/v1/developer/projects?limit=100",
    "/prefix/v1/developer/projects/demo",
    "/prefix/v1/projects/demo/api-keys",
    "/prefix/v1/projects/demo/runtime/test",
    "/prefix/v1/skills/abc/feedback",
    "/prefix/v1/skills/abc/abuse-reports",
    "/prefix/v1/checkout/sessions",
    "/prefix/v1/publisher/skills",
    "/prefix/v1/publisher/skills/abc/versions",
    "/prefix/v1/publisher/skills/abc/versions/1.0.0/submit",
  ];
  const keyPaths = ["/prefix/v1/runtime/invoke", "/prefix/mcp"];
  const openPaths = [
    "/prefix/v1/skills/search",
    "/prefix/v1/skills/abc",
    "/prefix/v1/auth/email/verify-code",
    "/prefix/v1/auth/providers",
    "/v1/account",
    "/prefix/",
    "/prefix/v1/runtime/invoke/",
    "/prefix/mcp2",
  ];

  it("is sent on its own routes, as a bearer token", async () => {
    const { origin } = new URL(server.baseUrl);
    for (const path of userPaths) await send(userToken(origin), path);
    for (const path of keyPaths) await send(projectKey(origin), path);
    assert.deepEqual(
      server.requests.map(({ path, headers }) => [path, headers.authorization]),
      [
        ...userPaths.map((path) => [path, `Bearer ${token}`]),
        ...keyPaths.map((path) => [path, `Bearer ${key}`]),
      ],
    );
  });

  it("is refused on every other route before anything is sent", async () => {
    const { origin } = new URL(server.baseUrl);
    const ends = [
      ...[...keyPaths, ...openPaths].map((path) => send(userToken(origin), path)),
      ...[...userPaths, ...openPaths].map((path) => send(projectKey(origin), path)),
    ];
    for (const end of await Promise.all(ends)) {
      const failure = { kind: "wrongCredential", problem: "otherRoute" };
      assert.deepEqual(end, { kind: "failed", failure, mayBeSent: false });
    }
    assert.deepEqual(server.requests, []);
  });

  it("of the wrong kind is refused before anything is sent", async () => {
    const { origin } = new URL(server.baseUrl);
    const ends = [
      ...userPaths.map((path) => send(userToken(origin, key), path)),
      ...keyPaths.map((path) => send(projectKey(origin, token), path)),
    ];
    for (const end of await Promise.all(ends)) {
      const failure = { kind: "wrongCredential", problem: "otherKind" };
      assert.deepEqual(end, { kind: "failed", failure, mayBeSent: false });
    }
    assert.deepEqual(server.requests, []);
  });

  it("for another origin is refused before anything is sent", async () => {
    const others = [
      "https://elsewhere.example",
      server.baseUrl.replace("127.0.0.1", "localhost"),
      server.baseUrl.replace("http:", "https:"),
      server.baseUrl.replace(/\d+$/, "1"),
      "",
    ];
    for (const origin of others) {
      for (const [credential, paths] of [
        [userToken(origin), userPaths],
        [projectKey(origin), keyPaths],
      ] as const) {
        for (const path of paths) {
          const end = await send(credential, path);
          const failure = { kind: "wrongCredential", problem: "otherOrigin" };
          assert.deepEqual(end, { kind: "failed", failure, mayBeSent: false });
        }
      }
    }
    assert.deepEqual(server.requests, []);
  });
});

type Requests = Readonly<
  Record<keyof WorkspaceRoutes, (routes: WorkspaceRoutes) => Promise<{ readonly ok: boolean }>>
>;

/** Returns every request of a signed-in user, with `text` in every text. A new route must be added. */
const requests = (text: string): Requests => ({
  account: (routes) => routes.account(never),
  revokeSession: (routes) => routes.revokeSession("1", never),
  tokens: (routes) => routes.tokens(never),
  createToken: (routes) => routes.createToken("1", text, never),
  projects: (routes) => routes.projects(never),
  createProject: (routes) => routes.createProject(text, never),
  project: (routes) => routes.project("demo", never),
  ownSkills: (routes) => routes.ownSkills(never),
  ownVersions: (routes) => routes.ownVersions("abc", never),
  saveDraft: (routes) => routes.saveDraft("abc", JSON.stringify({ description: text }), never),
  submitVersion: (routes) => routes.submitVersion("abc", "1.0.0", never),
  keys: (routes) => routes.keys("demo", never),
  createKey: (routes) => routes.createKey("demo", text, never),
  revokeKey: (routes) => routes.revokeKey("demo", "1", text, never),
  policies: (routes) => routes.policies("demo", never),
  permissions: (routes) => routes.permissions("demo", never),
  putPolicy: (routes) => routes.putPolicy("demo", "abc", strictPolicy, never),
  pinnedSkill: (routes) => routes.pinnedSkill("demo", "abc", never),
  settleUpdate: (routes) =>
    routes.settleUpdate("demo", "1", { status: "ignored", note: text }, never),
  install: (routes) => routes.install("demo", "abc", text, never),
  startTrial: (routes) => routes.startTrial("demo", "abc", never),
  checkout: (routes) => routes.checkout("demo", "abc", never),
  setInstallStatus: (routes) =>
    routes.setInstallStatus("demo", "abc", { status: "removed", reason: text }, never),
  rateSkill: (routes) => routes.rateSkill("abc", { rating: 5, title: text, body: text }, never),
  reportSkill: (routes) => {
    const report = { category: "other", severity: "low", title: text, description: text } as const;
    return routes.reportSkill("abc", report, never);
  },
});

describe("a signed-in user's request", () => {
  let server: TestRegistry;
  let client: RegistryClient;
  beforeEach(async () => {
    const echo = `${token} ${Buffer.from(token).toString("base64")} ${key}`;
    const body = { error: echo, code: echo, checkout: { url: echo }, id: echo };
    server = await startTestRegistry({ "**": { body } });
    client = clientFor(server.baseUrl, { redactor });
  });
  afterEach(async () => {
    client.close();
    await server.close();
  });
  const redactor = new KeyRedactor();
  redactor.learn(key);

  const routesWith = (text: string) => {
    const { origin } = new URL(server.baseUrl);
    return client.workspace({ kind: "userToken", origin, text });
  };
  for (const [name, ask] of Object.entries(requests("a text"))) {
    it(`${name} is sent with the user token only, to which no Project Key may go`, async () => {
      const text = JSON.stringify(await ask(routesWith(token)));
      assert.ok(!text.includes(token.slice(10)) && !text.includes(key.slice(4)), text);
      const [request, ...more] = server.requests;
      assert.deepEqual([request?.headers.authorization, more], [`Bearer ${token}`, []]);
      const { origin } = new URL(server.baseUrl);
      const target = { origin, route: request?.path ?? "" };
      const credential = { kind: "projectKey", origin, text: key } as const;
      assert.equal(credentialProblem(credential, target), "otherRoute");
      assert.ok(!JSON.stringify([request?.path, `${request?.body}`]).includes(token.slice(10)));
    });

    it(`${name} is not sent with a Project Key instead of the token`, async () => {
      const failure = { kind: "wrongCredential", problem: "otherKind" };
      assert.deepEqual(await ask(routesWith(key)), { ok: false, failure });
      assert.deepEqual(server.requests, []);
    });
  }

  for (const secret of [token, key]) {
    for (const [name, ask] of Object.entries(requests(`It is ${secret}.`))) {
      it(`${name} contains no ${secret.slice(0, 4)} credential from typed text`, async () => {
        await ask(routesWith(token));
        const bodies = server.requests.map(({ path, body }) => `${path} ${body}`).join("\n");
        assert.ok(!bodies.includes(secret.slice(10)), bodies);
      });
    }
  }
});

describe("a user token that a registry returns", () => {
  let server: TestRegistry;
  let client: RegistryClient;
  const log: string[] = [];
  const redactor = new KeyRedactor();
  beforeEach(async () => {
    const location = `https://elsewhere.example/${token}`;
    server = await startTestRegistry({
      "**": ({ path }) => ({
        ...(path.endsWith("/revoke") && { status: 400 }),
        ...(path.endsWith("/moved") && { status: 307, headers: { location } }),
        body: echoes(path),
      }),
    });
    client = clientFor(server.baseUrl, { redactor, log: (line) => log.push(line) });
  });
  afterEach(async () => {
    client.close();
    await server.close();
  });

  function echoes(path: string): object {
    const echo = `${token} ${Buffer.from(token).toString("base64")} ${encodeURIComponent(token)}`;
    if (path.startsWith("/v1/developer/projects?")) {
      return { projects: [{ slug: "demo", name: echo }] };
    }
    if (path.startsWith("/v1/developer/projects/")) {
      const row = { id: "1", skillSlug: "abc", displayName: echo, status: echo, version: echo };
      const keyRow = { id: "2", name: echo, keyLast4: echo };
      return {
        project: {
          project: { slug: "demo", name: echo },
          installedSkills: [row],
          apiKeys: [keyRow],
          updateInbox: [{ ...row, title: echo, targetVersion: echo }],
          recentInvocations: [{ ...row, errorCode: echo }],
        },
      };
    }
    if (path === "/v1/account") {
      const profile = { userId: "u", email: echo };
      return { account: { profile, organization: { id: "o", name: echo }, session: { id: echo } } };
    }
    return { error: echo, code: echo };
  }

  it("is removed from everything that the client returns, its log and other requests", async () => {
    const { origin } = new URL(server.baseUrl);
    const routes = client.workspace({ kind: "userToken", origin, text: token });
    const out = [
      await routes.account(never),
      await routes.projects(never),
      await routes.project("demo", never),
      await routes.project("moved", never),
      await routes.revokeSession("1", never),
      await routes.revokeKey("demo", "1", `because of ${token}`, never),
      await routes.project(token.toLowerCase(), never),
      await client.search({ text: token, filters: {} }, undefined, never),
    ];
    assert.equal(out.filter(({ ok }) => ok).length, 3);
    const text = JSON.stringify([out, log]);
    assert.ok(text.includes("[User Token]") && !text.includes("[Project Key]"), text);
    assert.ok(!text.includes(token.slice(10)), text);
    assert.ok(!text.includes(Buffer.from(token).toString("base64").slice(4, -4)));
    assert.equal(server.requests.length, 5);
    for (const { path, headers, body } of server.requests) {
      const { authorization, ...others } = headers;
      assert.equal(authorization, `Bearer ${token}`);
      assert.ok(!JSON.stringify([path, others, body]).includes(token.slice(10)));
    }
  });

  it("for another registry is not sent", async () => {
    const routes = client.workspace({
      kind: "userToken",
      origin: "https://a.example",
      text: token,
    });
    const failure = { kind: "wrongCredential", problem: "otherOrigin" };
    assert.deepEqual(await routes.account(never), { ok: false, failure });
    assert.deepEqual(server.requests, []);
  });
});
