import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import { accountKey, sessionId, type UserSession } from "../../../../src/core/account/sessions";
import { needsApproval } from "../../../../src/core/project/policies";
import { activeKeys } from "../../../../src/core/project/project";
import { noProjectNotice, noProjectText } from "../../../../src/core/project/projectState";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import { english } from "../../../../src/core/text/language";
import { ChangeEvent } from "../../../../src/engine/changeEvent";
import { UserSessions } from "../../../../src/host/account/userSessions";
import type { ConnectedRegistry } from "../../../../src/host/connect/registryConnection";
import { CurrentProject } from "../../../../src/host/workspace/currentProject";
import { findKeyProject } from "../../../../src/host/workspace/keyProject";
import type { SignedIn } from "../../../../src/host/workspace/signedIn";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../../src/localRegistry/startLocalRegistry";
import { readInstall } from "../../../../src/registry/workspace/projectReading";
import { clientFor, never } from "../../../fixtures/registries/clientFor";
import { startTestRegistry } from "../../../fixtures/registries/testRegistry";
import { MemorySecrets, memento } from "./memorySecrets";

type Role = "owner" | "developer" | "finance";

describe("the project in use", () => {
  let server: LocalRegistry;
  let secrets: MemorySecrets;
  const clock = { now: Date.parse("2026-11-22T10:00:00Z") };
  const redactor = new KeyRedactor();
  const opened: { dispose(): unknown }[] = [];
  beforeEach(async () => {
    server = await startLocalRegistry({ now: () => clock.now });
    secrets = new MemorySecrets();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) one.dispose();
    await server.close();
  });

  /** Opens a window with its own connection and workspace; the user's memory may be shared. */
  function openWindow({
    baseUrl = server.baseUrl,
    userMemory = memento(),
    memory = memento(),
    findKey = async (): Promise<string | undefined> => undefined,
    changeMade = async (): Promise<void> => undefined,
  } = {}) {
    const { origin } = new URL(baseUrl);
    const client = clientFor(baseUrl, { redactor });
    const registry = { baseUrl, origin, name: origin, isBuiltIn: false, client };
    const changed = new ChangeEvent<void>();
    const sessions = new UserSessions(secrets.storage, () => clock.now);
    const connection = {
      current: async () => ({ ok: true as const, registry: registry as ConnectedRegistry }),
      onDidChange: changed.event,
    };
    const project = new CurrentProject(
      {
        connection,
        sessions,
        workspaceMemory: memory,
        userMemory,
        findKey,
        changeMade,
        namedProject: () => undefined,
      },
      () => clock.now,
    );
    opened.push(project, sessions, { dispose: () => client.close() });
    const signIn = async (session: UserSession) => project.accounts.signIn(registry, session);
    return { registry, client, sessions, project, signIn, changed };
  }

  async function sessionFor(role: Role, isOurs = true): Promise<UserSession> {
    const window = openWindow();
    const { origin } = window.registry;
    const token = { kind: "userToken", origin, text: server.userTokens[role] } as const;
    if (isOurs) {
      const made = await window.client.signIn.passwordLogin(role, server.password, never);
      assert.ok(made.ok);
      return made.value;
    }
    const account = await window.client.workspace(token).account(never);
    assert.ok(account.ok);
    return { ...account.value, origin, token: token.text, isOurs };
  }

  it("offers a version again after it was adopted and rolled back, unless it is ignored", async () => {
    const { project, signIn } = openWindow();
    await signIn(await sessionFor("owner"));
    await project.ready();
    const open = () => project.openUpdates().find(({ skillSlug }) => skillSlug === "redact-pii");
    const { ids = [], targetVersion = "" } = open() ?? {};
    assert.deepEqual([ids.length, targetVersion], [2, "2.0.0"]);
    const routes = (await project.accounts.inUse())?.routes ?? assert.fail();
    const [first = "", second = ""] = ids;
    assert.ok((await routes.settleUpdate("local-demo", first, { status: "adopted" }, never)).ok);
    assert.ok((await routes.settleUpdate("local-demo", second, { status: "ignored" }, never)).ok);
    await project.refresh();
    assert.equal(open(), undefined);
    assert.ok((await routes.install("local-demo", "redact-pii", "1.1.0", never)).ok);
    await project.refresh();
    assert.deepEqual([open()?.ids, open()?.targetVersion], [[], "2.0.0"]);
    const at = (await project.inChosen()) ?? assert.fail();
    await project.ignoreVersion(at, "redact-pii", "2.0.0");
    assert.equal(open(), undefined);
  });

  it("ignores a version in the project of the question, even if another one was chosen meanwhile", async () => {
    const { project, signIn, registry } = openWindow();
    const session = await sessionFor("owner");
    await signIn(session);
    await project.ready();
    const at = (await project.inChosen()) ?? assert.fail();
    const offered = () => project.openUpdates().map(({ skillSlug }) => skillSlug);
    assert.ok(offered().includes("redact-pii"));
    const routes = (await project.accounts.inUse())?.routes ?? assert.fail();
    const made = await routes.createProject("Second", never);
    assert.ok(made.ok);
    const { slug, name } = made.value;
    const account = accountKey(session);
    await project.choose(registry, { account, slug, name });
    await project.ignoreVersion(at, "redact-pii", "2.0.0");
    await project.choose(registry, { account, ...at.detail.summary });
    assert.ok(!offered().includes("redact-pii"));
  });

  it("is not requested before somebody signs in, and then is the only one", async () => {
    const { project, signIn, registry } = openWindow();
    await project.ready();
    const before: unknown = project.state;
    assert.deepEqual(before, { kind: "signedOut", hasEnded: false });
    const session = await sessionFor("developer");
    await signIn(session);
    await project.ready();
    const { state } = project;
    assert.ok(state.kind === "project", JSON.stringify(state));
    assert.equal(state.detail.summary.slug, "local-demo");
    assert.equal(state.account.role, "developer");
    assert.equal(project.chosenAt(registry)?.slug, "local-demo");
  });

  it("belongs to the user who signed in last, and stays if they may see it", async () => {
    const { project, signIn } = openWindow();
    const [developer, owner, finance] = await Promise.all([
      sessionFor("developer"),
      sessionFor("owner"),
      sessionFor("finance"),
    ]);
    const seen = async () => {
      await project.ready();
      const { state } = project;
      const who = await project.accounts.inUse();
      const remembered = await project.remembered();
      return [who?.session.email, state.kind, remembered?.chosen.slug];
    };
    await signIn(developer);
    assert.deepEqual(await seen(), [developer.email, "project", "local-demo"]);
    await signIn(owner);
    assert.deepEqual(await seen(), [owner.email, "project", "local-demo"]);
    await signIn(finance);
    assert.deepEqual(await seen(), [finance.email, "wrongRole", undefined]);
    const all = await project.accounts.all();
    const byEmail = (email: string) =>
      all.find(({ session }) => session.email === email) ?? assert.fail();
    await project.useAccount(byEmail(developer.email));
    assert.deepEqual(await seen(), [developer.email, "project", "local-demo"]);
    await project.accounts.signOut(sessionId(developer));
    assert.deepEqual(await seen(), [finance.email, "wrongRole", undefined]);
    assert.deepEqual(noProjectNotice(project.state, english)?.actions, [
      { action: "signIn", title: "Switch Account…" },
    ]);
  });

  it("can be read, chosen and left if the editor cannot write", async () => {
    const window = openWindow({ memory: memento({}, true), userMemory: memento({}, true) });
    const { project, registry } = window;
    const session = await sessionFor("developer");
    await window.signIn(session);
    await project.refresh();
    assert.equal(project.state.kind, "project");
    const chosen = { account: accountKey(session), slug: "local-demo", name: "Demo" };
    await project.choose(registry, chosen);
    assert.equal((await project.pinOf("redact-pii"))?.version, "1.1.0");
    assert.deepEqual(await project.accounts.signOut(sessionId(session)), session);
  });

  it("knows the installed version of a skill", async () => {
    const { project, signIn } = openWindow();
    assert.equal(await project.pinOf("redact-pii"), undefined);
    await signIn(await sessionFor("owner"));
    await project.ready();
    const pin = await project.pinOf("redact-pii");
    assert.deepEqual([pin?.version, pin?.project], ["1.1.0", "Local Demo"]);
    const copy = await pin?.read(never);
    assert.ok(copy?.ok && copy.value.summary.version === "1.1.0");
    const who = await project.accounts.inUse();
    const change = { status: "removed", reason: "not needed" } as const;
    await who?.routes.setInstallStatus("local-demo", "redact-pii", change, never);
    await project.followChange(who as SignedIn, { ok: true, value: true });
    assert.equal(await project.pinOf("redact-pii"), undefined);
  });

  it("is read again after a change, even if its cache cannot be cleared", async () => {
    const changeMade = () => Promise.reject(new Error("No space left."));
    const { project, signIn } = openWindow({ changeMade });
    await signIn(await sessionFor("owner"));
    await project.ready();
    const who = (await project.accounts.inUse()) as SignedIn;
    const answer = await who.routes.createKey("local-demo", "New", never);
    await project.followChange(who, answer);
    const { state } = project;
    assert.equal(state.kind === "project" && activeKeys(state.detail.keys).length, 2);
  });

  it("gives way to the project of the Project Key in use for invocations", async () => {
    const key = { inUse: server.projectKey };
    const memory = memento();
    const window = openWindow({ memory, findKey: async () => key.inUse });
    const { project, registry } = window;
    const session = await sessionFor("owner");
    await window.signIn(session);
    const routes = (await project.accounts.inUse())?.routes ?? assert.fail();
    assert.ok((await routes.createProject("Second", never)).ok);
    assert.ok((await routes.install("second", "redact-pii", "2.0.0", never)).ok);
    const other = await routes.createKey("second", "There", never);
    assert.ok(other.ok);
    const account = accountKey(session);
    await project.choose(registry, { account, slug: "local-demo", name: "Demo" });
    const changes = { count: 0 };
    project.onDidChange(() => {
      changes.count += 1;
    });
    const use = async (text: string) => {
      key.inUse = text;
      await project.followKey();
      const pin = await project.pinOf("redact-pii");
      const at = pin && `${pin.version} of ${pin.project}`;
      return [at, project.predictionOf("redact-pii", "2.0.0", text)?.prediction.kind];
    };
    assert.deepEqual(await use(server.projectKey), ["1.1.0 of Local Demo", "blocked"]);
    assert.equal(changes.count, 0);
    const named = (text: string) => project.ofKeyInUse(registry, text);
    const here = await named(server.projectKey);
    assert.equal(here?.text, "Local Demo (Local Workspace)");
    assert.match(here?.id ?? "", /\/local-demo$/);
    assert.deepEqual(await use(other.value.key), ["2.0.0 of Second", "allowed"]);
    assert.equal(changes.count, 1);
    const there = await named(other.value.key);
    assert.equal(there?.text, "Second (Local Workspace)");
    assert.match(there?.id ?? "", /\/second$/);
    assert.equal(await named("skh_of-nobody-here"), undefined);
    const copy = await (await project.pinOf("redact-pii"))?.read(never);
    assert.ok(copy?.ok && copy.value.summary.version === "2.0.0");
    // A test run uses the chosen project, whose version must be read as well.
    assert.equal((await project.pinOf("redact-pii", "1.1.0"))?.version, "1.1.0");
    assert.equal(project.predictionOf("redact-pii")?.version, "1.1.0");
    assert.ok(!project.isOfUnknownProject(key.inUse));
    const nobodys = "skh_of-nobody-here";
    assert.deepEqual(await use(nobodys), [undefined, undefined]);
    assert.ok(project.isOfUnknownProject(nobodys) && !project.isOfUnknownProject("skh_other"));
    assert.deepEqual(await use(other.value.key), ["2.0.0 of Second", "allowed"]);
    // It is read again together with the chosen project, and its place is remembered.
    assert.ok((await routes.install("second", "redact-pii", "1.1.0", never)).ok);
    await project.refresh();
    assert.deepEqual(await use(other.value.key), ["1.1.0 of Second", "blocked"]);
  });

  it("is chosen from several, and remembered by workspace and registry", async () => {
    const memory = memento();
    const window = openWindow({ memory });
    const session = await sessionFor("owner");
    await window.signIn(session);
    const who = await window.project.accounts.inUse();
    assert.ok((await who?.routes.createProject("Second", never))?.ok);
    await window.project.refresh();
    assert.equal(window.project.state.kind, "choose");
    const chosen = { account: accountKey(session), slug: "second", name: "Second" };
    await window.project.choose(window.registry, chosen);
    assert.equal(window.project.state.kind, "project");
    const again = openWindow({ memory });
    await again.project.ready();
    const { state } = again.project;
    assert.ok(state.kind === "project" && state.detail.summary.slug === "second");
    const elsewhere = openWindow();
    await elsewhere.project.ready();
    assert.equal(elsewhere.project.state.kind, "choose");
  });

  it("is reported as deleted, and no other one replaces it by itself", async () => {
    const window = openWindow();
    const session = await sessionFor("owner");
    await window.signIn(session);
    const chosen = { account: accountKey(session), slug: "deleted", name: "Old Project" };
    await window.project.choose(window.registry, chosen);
    const { state } = window.project;
    assert.equal(state.kind === "gone" && state.name, "Old Project");
    assert.match(noProjectText(state, english), /^The project Old Project is gone/);
    assert.equal(await window.project.remembered(), undefined);
    assert.deepEqual(window.project.chosenAt(window.registry), chosen);
  });

  it("is reported as deleted while it is read, or if there are more than a list has", async () => {
    const row = { slug: "local-demo", name: "Local Demo" };
    const many = Array.from({ length: 100 }, (_, at) => ({ slug: `p${at}`, name: `P ${at}` }));
    for (const projects of [[row], many]) {
      const without = await startTestRegistry(
        {
          "/v1/developer/projects": { body: { projects } },
          "/v1/developer/projects/local-demo": {
            status: 404,
            body: { error: "Project not found." },
          },
        },
        { behind: server },
      );
      try {
        const window = openWindow({ baseUrl: without.baseUrl });
        const session = { ...(await sessionFor("owner")), origin: window.registry.origin };
        await window.signIn(session);
        await window.project.choose(window.registry, { account: accountKey(session), ...row });
        assert.equal(window.project.state.kind, "gone");
      } finally {
        await without.close();
      }
    }
  });

  it("ignores the invocations of another project's key", async () => {
    const { project, signIn } = openWindow();
    await signIn(await sessionFor("owner"));
    await project.ready();
    const answer = (key?: string) => project.predictionOf("text-stats", "", key)?.prediction.kind;
    assert.equal(answer(server.projectKey), "allowed");
    assert.equal(answer(), "allowed", "a test run takes place in the chosen project");
    assert.equal(answer(`${server.projectKey}x`), undefined);
    assert.equal(project.predictionOf("text-stats", "0.9.0")?.prediction.kind, "blocked");
  });

  it("is found among all projects by its key, which is never sent", async () => {
    const owner = openWindow();
    await owner.signIn(await sessionFor("owner"));
    await owner.project.ready();
    const first = await owner.project.accounts.inUse();
    assert.ok(first !== undefined);
    const made = await first.routes.createProject("Second", never);
    const key = await first.routes.createKey("second", "There", never);
    assert.ok(made.ok && key.ok);
    const placeOf = async (text: string) => {
      const at = (await owner.project.inChosen()) ?? assert.fail();
      const place = await findKeyProject(text, at, await owner.project.accounts.all(), never);
      return place.kind === "elsewhere" ? place.summary.slug : place.kind;
    };
    assert.equal(await placeOf(server.projectKey), "here");
    assert.equal(await placeOf(key.value.key), "second");
    assert.equal(await placeOf("skh_of-nobody-here"), "notHere");
    await server.close();
    assert.equal(await placeOf(key.value.key), "unknown");
    server = await startLocalRegistry();
  });

  it("is read again when somebody returns after a minute, not before", async () => {
    const { project, signIn } = openWindow();
    await signIn(await sessionFor("owner"));
    await project.ready();
    const who = await project.accounts.inUse();
    const made = await who?.routes.install("local-demo", "redact-pii", "", never);
    assert.ok(made?.ok);
    const version = () =>
      project.state.kind === "project" &&
      project.state.detail.skills.find(({ slug }) => slug === "redact-pii")?.version;
    clock.now += 60_000;
    await project.refreshIfOld();
    assert.equal(version(), "1.1.0");
    clock.now += 1;
    await project.refreshIfOld();
    assert.equal(version(), made.value.version);
  });

  it("is read again once when somebody returns after a failure", async () => {
    let isDown = false;
    const flaky = await startTestRegistry(
      { "**": ({ passOn }) => (isDown ? "lost" : passOn()) },
      { behind: server },
    );
    try {
      const { project, signIn, registry } = openWindow({ baseUrl: flaky.baseUrl });
      await signIn({ ...(await sessionFor("owner")), origin: registry.origin });
      const readings = () => flaky.requests.filter(({ path }) => path === "/v1/account").length;
      const problem = () => project.state.kind === "project" && project.state.problem;
      // The first reading is in progress, or has not started.
      await project.refreshIfOld();
      assert.equal(problem(), undefined);
      assert.equal(readings(), 1);
      isDown = true;
      const failing = project.refresh();
      await project.refreshIfOld();
      await failing;
      assert.ok(problem());
      assert.equal(readings(), 2);
      isDown = false;
      await project.refreshIfOld();
      assert.equal(problem(), undefined);
      assert.equal(readings(), 3);
    } finally {
      await flaky.close();
    }
  });

  it("reads the registry's current state of an install, with its whole policy", async () => {
    const { project, signIn } = openWindow();
    await signIn(await sessionFor("owner"));
    await project.ready();
    const { routes } = (await project.accounts.inUse()) ?? assert.fail();
    const read = async (slug: string) => {
      const install = await readInstall(routes, "local-demo", slug, never);
      return install.ok ? install.value : assert.fail(JSON.stringify(install));
    };
    const before = await read("redact-pii");
    const policy = { ...(before.policy ?? assert.fail()), approvalRequired: true };
    assert.ok((await routes.putPolicy("local-demo", "redact-pii", policy, never)).ok);
    assert.ok((await routes.install("local-demo", "redact-pii", "2.0.0", never)).ok);
    const after = await read("redact-pii");
    assert.equal(before.skill?.version, "1.1.0");
    assert.equal(after.skill?.version, "2.0.0");
    assert.ok(after.skill !== undefined && needsApproval(after.skill));
    assert.deepEqual(after.policy, policy);
    assert.deepEqual(await read("nothing-here"), {});
  });

  it("includes a change for everyone who waits for it while it is read again", async () => {
    const { project, signIn } = openWindow();
    await signIn(await sessionFor("owner"));
    await project.ready();
    const who = (await project.accounts.inUse()) ?? assert.fail();
    const change = { status: "suspended", reason: "not needed" } as const;
    const answer = await who.routes.setInstallStatus("local-demo", "redact-pii", change, never);
    const following = project.followChange(who, answer);
    await project.ready();
    const { state } = project;
    assert.ok(state.kind === "project");
    const install = state.detail.skills.find(({ slug }) => slug === "redact-pii");
    assert.equal(install?.status, "suspended");
    await following;
  });

  it("is awaited if a newer reading overtakes the requested one", async () => {
    const { project, signIn, changed } = openWindow();
    await signIn(await sessionFor("owner"));
    const first = project.ready();
    const second = project.refresh();
    const third = project.refresh();
    for (const asked of [first, second, third]) {
      await asked;
      assert.equal(project.state.kind, "project");
    }
    const fourth = project.refresh();
    changed.fire();
    await fourth;
    assert.equal(project.state.kind, "project");
  });

  it("is hidden from a role without access", async () => {
    const { project, signIn } = openWindow();
    await signIn(await sessionFor("finance"));
    await project.ready();
    assert.equal(project.state.kind, "wrongRole");
  });

  it("is removed in every window after one signs out, and its token at the next sign-in", async () => {
    const userMemory = memento();
    const here = openWindow({ userMemory });
    const there = openWindow({ userMemory });
    const session = await sessionFor("owner");
    await here.signIn(session);
    await there.project.ready();
    assert.equal(there.project.state.kind, "project");
    assert.ok(await here.project.accounts.signOut(sessionId(session)));
    await there.project.ready();
    assert.equal(there.project.state.kind, "signedOut");
    const { origin } = here.registry;
    const old = here.client.workspace({ kind: "userToken", origin, text: session.token });
    assert.ok((await old.account(never)).ok, "signing out is no route of the registry");
    await here.signIn(await sessionFor("owner"));
    assert.ok(!(await old.account(never)).ok);
    assert.deepEqual(userMemory.get("forgottenSessions"), []);
  });

  it("does not revoke a pasted token", async () => {
    const window = openWindow();
    const pasted = await sessionFor("owner", false);
    await window.signIn(pasted);
    await window.project.accounts.signOut(sessionId(pasted));
    await window.signIn(await sessionFor("owner"));
    const { origin } = window.registry;
    const routes = window.client.workspace({ kind: "userToken", origin, text: pasted.token });
    assert.ok((await routes.account(never)).ok);
  });

  it("ends with a session that the registry ended, in every window, with a message", async () => {
    const window = openWindow();
    const session = await sessionFor("owner");
    await window.signIn(session);
    await window.project.ready();
    const other = await sessionFor("owner");
    const { origin } = window.registry;
    const routes = window.client.workspace({ kind: "userToken", origin, text: other.token });
    assert.ok((await routes.revokeSession(session.tokenId, never)).ok);
    await window.project.refresh();
    assert.deepEqual(window.project.state, { kind: "signedOut", hasEnded: true });
    assert.deepEqual(await window.sessions.list(), []);
    await window.project.ready();
    assert.deepEqual(window.project.state, { kind: "signedOut", hasEnded: true });
    await window.signIn(other);
    await window.project.ready();
    assert.equal(window.project.state.kind, "project");
  });

  it("ends when the session expires, with a message", async () => {
    const window = openWindow();
    const session = await sessionFor("owner");
    await window.signIn({ ...session, expiresAt: clock.now + 1000 });
    await window.project.ready();
    assert.equal(window.project.state.kind, "project");
    clock.now += 1000;
    await window.project.refresh();
    assert.deepEqual(window.project.state, { kind: "signedOut", hasEnded: true });
  });

  it("belongs to the account chosen last, and shows nothing of another account's", async () => {
    const window = openWindow();
    const [first, second] = [await sessionFor("owner"), await sessionFor("developer")];
    await window.signIn(first);
    await window.project.ready();
    await window.signIn(second);
    await window.project.ready();
    const account = () =>
      window.project.state.kind === "project" ? window.project.state.account.email : "none";
    assert.equal(account(), "developer@local.example", "who signed in last is used");
    const all = await window.project.accounts.all();
    assert.deepEqual(
      all.map(({ session }) => session.email),
      ["owner@local.example", "developer@local.example"],
    );
    const slug = "local-demo";
    await window.project.choose(window.registry, { account: accountKey(first), slug, name: "x" });
    assert.equal(account(), "owner@local.example");
    await window.project.choose(window.registry, { account: accountKey(second), slug, name: "x" });
    assert.equal(account(), "developer@local.example");
    // The second user's session ends. The first user's project is then neither shown nor chosen automatically.
    const other = window.client.workspace({
      kind: "userToken",
      origin: window.registry.origin,
      text: (await sessionFor("developer")).token,
    });
    assert.ok((await other.revokeSession(second.tokenId, never)).ok);
    await window.project.refresh();
    assert.deepEqual(window.project.state, { kind: "signedOut", hasEnded: true });
  });

  it("stays with the signed-in user while the registry is down", async () => {
    const window = openWindow();
    await window.signIn(await sessionFor("owner"));
    await window.project.ready();
    await server.close();
    await window.project.refresh();
    const { state } = window.project;
    assert.ok(state.kind === "project" && state.problem !== undefined);
    assert.equal((await window.sessions.list()).length, 1);
    server = await startLocalRegistry();
  });

  it("is not offered by a registry without its routes, which gets no token", async () => {
    const bare = await startTestRegistry({ "**": { status: 404, body: "404 Not Found" } });
    try {
      await openWindow().signIn(await sessionFor("owner"));
      const window = openWindow({ baseUrl: bare.baseUrl });
      await window.project.ready();
      assert.deepEqual(window.project.state, { kind: "notOffered" });
      assert.ok(bare.requests.length > 0);
      assert.ok(bare.requests.every(({ headers }) => headers.authorization === undefined));
    } finally {
      await bare.close();
    }
  });

  /** What a registry lacks, what is then shown, and which checks of an invocation are then unknown. */
  const lacking: readonly (readonly [path: RegExp, shown: string])[] = [
    [/^\/v1\/account$/, "notOffered"],
    [/^\/v1\/developer\/projects\?/, "notOffered"],
    [/^\/v1\/developer\/projects\/./, "notOffered"],
    [/\/policies$/, "project policy"],
    [/\/installed-skills$/, "project network,browser,filesystem,secrets"],
    [/\/(api-keys|update-inbox|runtime\/test)$/, "project "],
    [/^\/v1\/auth\//, "project "],
  ];
  for (const [path, shown] of lacking) {
    for (const status of [404, 405, 501]) {
      it(`is ${shown.trim()} if a registry returns ${status} for ${path}, and nobody is signed out`, async () => {
        const lacks = { status, body: `${status} Not Here` };
        const partial = await startTestRegistry(
          { "**": (asked) => (path.test(asked.path) ? lacks : asked.passOn()) },
          { behind: server },
        );
        try {
          const window = openWindow({ baseUrl: partial.baseUrl });
          const session = await sessionFor("owner");
          await window.signIn({ ...session, origin: window.registry.origin });
          await window.project.ready();
          const { kind } = window.project.state;
          const answer = window.project.predictionOf("text-stats")?.prediction;
          const unknown = answer?.kind === "allowed" ? ` ${answer.unknown}` : "";
          assert.equal(`${kind}${unknown}`, shown);
          assert.equal((await window.sessions.list()).length, 1);
        } finally {
          await partial.close();
        }
      });
    }
  }

  it("follows a sign-in and a sign-out in another window without a reload", async () => {
    const [here, there] = [openWindow(), openWindow()];
    await there.project.ready();
    const before: unknown = there.project.state.kind;
    assert.equal(before, "signedOut");
    const changed = () =>
      new Promise<void>((resolve) => {
        const subscription = there.project.onDidChange(() => {
          subscription.dispose();
          resolve();
        });
      });
    const session = await sessionFor("owner");
    const signedIn = changed();
    await here.signIn(session);
    await signedIn;
    await there.project.ready();
    assert.equal(there.project.state.kind, "project");
    const signedOut = changed();
    await here.project.accounts.signOut(sessionId(session));
    await signedOut;
    await there.project.ready();
    const after: unknown = there.project.state;
    assert.deepEqual(after, { kind: "signedOut", hasEnded: false });
  });

  it("stores tokens only in the secret storage", async () => {
    const kept: Record<string, unknown> = {};
    const window = openWindow({ userMemory: memento(kept), memory: memento(kept) });
    const session = await sessionFor("owner");
    await window.signIn(session);
    await window.project.ready();
    assert.ok([...secrets.values.values()].join().includes(session.token));
    await window.project.accounts.signOut(sessionId(session));
    assert.ok(Object.keys(kept).length === 2);
    assert.ok(!JSON.stringify(kept).includes(session.token));
    assert.ok(!JSON.stringify([window.project.state, [...secrets.values]]).includes(session.token));
  });
});
