import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { accountKey } from "../../../../src/core/account/sessions";
import { findKeyProject } from "../../../../src/host/keys/keyProject";
import { startLocalRegistry } from "../../../../src/localRegistry/startLocalRegistry";
import { never } from "../../../fixtures/registries/clientFor";
import { memento } from "../workspace/memorySecrets";
import { useProjectWindows } from "../workspace/useProjectWindows";

describe("the project in use", () => {
  const bench = useProjectWindows();
  const { openWindow, sessionFor } = bench;

  it("gives way to the project of the Project Key in use for invocations", async () => {
    const key = { inUse: bench.server.projectKey };
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
    assert.deepEqual(await use(bench.server.projectKey), ["1.1.0 of Local Demo", "blocked"]);
    assert.equal(changes.count, 0);
    const named = (text: string) => project.ofKeyInUse(registry, text);
    const here = await named(bench.server.projectKey);
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

  it("ignores the invocations of another project's key", async () => {
    const { project, signIn } = openWindow();
    await signIn(await sessionFor("owner"));
    await project.ready();
    const answer = (key?: string) => project.predictionOf("text-stats", "", key)?.prediction.kind;
    assert.equal(answer(bench.server.projectKey), "allowed");
    assert.equal(answer(), "allowed", "a test run takes place in the chosen project");
    assert.equal(answer(`${bench.server.projectKey}x`), undefined);
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
    assert.equal(await placeOf(bench.server.projectKey), "here");
    assert.equal(await placeOf(key.value.key), "second");
    assert.equal(await placeOf("skh_of-nobody-here"), "notHere");
    await bench.server.close();
    assert.equal(await placeOf(key.value.key), "unknown");
    bench.server = await startLocalRegistry();
  });
});
