import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { needsApproval } from "../../../../src/core/project/policies";
import { readInstall } from "../../../../src/registry/workspace/projectReading";
import { never } from "../../../fixtures/registries/clientFor";
import { startTestRegistry } from "../../../fixtures/registries/testRegistry";
import { useProjectWindows } from "./useProjectWindows";

describe("the project in use", () => {
  const bench = useProjectWindows();
  const { clock, openWindow, sessionFor } = bench;

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
      { behind: bench.server },
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
});
