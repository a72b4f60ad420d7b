import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { accountKey, sessionId } from "../../../../src/core/account/sessions";
import { startLocalRegistry } from "../../../../src/localRegistry/startLocalRegistry";
import { never } from "../../../fixtures/registries/clientFor";
import { memento } from "./memorySecrets";
import { useProjectWindows } from "./useProjectWindows";

describe("the project in use", () => {
  const bench = useProjectWindows();
  const { clock, openWindow, sessionFor } = bench;

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
    await bench.server.close();
    await window.project.refresh();
    const { state } = window.project;
    assert.ok(state.kind === "project" && state.problem !== undefined);
    assert.equal((await window.sessions.list()).length, 1);
    bench.server = await startLocalRegistry();
  });

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
});
