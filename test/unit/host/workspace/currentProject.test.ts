import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { accountKey, sessionId } from "../../../../src/core/account/sessions";
import { activeKeys } from "../../../../src/core/project/project";
import { noProjectNotice, noProjectText } from "../../../../src/core/project/projectState";
import { english } from "../../../../src/core/text/language";
import type { SignedIn } from "../../../../src/host/workspace/signedIn";
import { never } from "../../../fixtures/registries/clientFor";
import { startTestRegistry } from "../../../fixtures/registries/testRegistry";
import { memento } from "./memorySecrets";
import { useProjectWindows } from "./useProjectWindows";

describe("the project in use", () => {
  const bench = useProjectWindows();
  const { openWindow, sessionFor } = bench;

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

  it("is not requested before somebody signs in, and is then chosen as the only one", async () => {
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

  it("is reported as deleted if its own route returns 404, even if the list contains it or is full", async () => {
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
        { behind: bench.server },
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

  it("is hidden from a role without access", async () => {
    const { project, signIn } = openWindow();
    await signIn(await sessionFor("finance"));
    await project.ready();
    assert.equal(project.state.kind, "wrongRole");
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
          { behind: bench.server },
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

  it("stores tokens only in the secret storage", async () => {
    const kept: Record<string, unknown> = {};
    const window = openWindow({ userMemory: memento(kept), memory: memento(kept) });
    const session = await sessionFor("owner");
    await window.signIn(session);
    await window.project.ready();
    assert.ok([...bench.secrets.values.values()].join().includes(session.token));
    await window.project.accounts.signOut(sessionId(session));
    assert.ok(Object.keys(kept).length === 2);
    assert.ok(!JSON.stringify(kept).includes(session.token));
    assert.ok(
      !JSON.stringify([window.project.state, [...bench.secrets.values]]).includes(session.token),
    );
  });
});
