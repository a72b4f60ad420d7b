import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import { useEditor } from "../useEditor";
import { askElsewhere, invokeBlocked } from "./project";

describe("A late answer to a question about a project", () => {
  const editor = useEditor();
  let registry: LocalRegistry;
  let other: LocalRegistry;
  const switched = "The account or registry was switched in the meantime, so nothing was changed.";

  before(async () => {
    [registry, other] = await Promise.all([startLocalRegistry(), startLocalRegistry()]);
    await signIn(registry);
  });
  after(() => Promise.all([registry.close(), other.close()]));

  async function signIn(at: LocalRegistry): Promise<void> {
    await editor.connectTo(at);
    const signedIn = editor.run("signIn");
    await editor.choose("User Token");
    await editor.answer(at.userTokens.owner);
    await signedIn;
    await editor.status("Local Demo");
  }

  async function chooseProject(name: string): Promise<void> {
    const chosen = editor.run("chooseProject");
    await editor.choose(name);
    await chosen;
    await editor.status(name);
  }

  /** Creates a Project Key for use elsewhere, and returns it. */
  async function newKey(): Promise<string> {
    editor.parts.machine.clipboard = "";
    const copied = editor.run("createProjectKey");
    await editor.choose("For Use Elsewhere, Such as CI");
    await editor.press("and copy it once?", "Create and Copy Once");
    (await editor.notification(/Project Key CI, .* copied/)).close();
    await copied;
    return editor.parts.machine.clipboard;
  }

  const keys = async () => {
    const { apiKeys: rows } = JSON.parse(await askElsewhere(registry, "GET", "api-keys")) as {
      readonly apiKeys: readonly unknown[];
    };
    return rows.length;
  };

  it("Creates no Project Key after its user signed out", async () => {
    const before = await keys();
    const created = editor.run("createProjectKey");
    await editor.choose("For This Editor");
    const question = await editor.dialog("Create a Project Key for");
    await editor.run("signOut");
    question.press("Create Key");
    await editor.notification(switched);
    await created;
    assert.equal(await keys(), before);
  });

  it("Creates no Project Key after the window was connected to another registry", async () => {
    await signIn(registry);
    const before = await keys();
    const created = editor.run("createProjectKey");
    await editor.choose("For This Editor");
    const question = await editor.dialog("Create a Project Key for");
    await signIn(other);
    question.press("Create Key");
    await editor.notification(switched);
    await created;
    assert.equal(await keys(), before);
    await editor.connectTo(registry);
    await editor.status("Local Demo");
  });

  it("Sends no test run after the window was connected to another registry, and says why", async () => {
    await editor.newPayload("redact-pii");
    const tested = editor.run("testRun");
    const question = await editor.dialog("Test run redact-pii@");
    await editor.connectTo(other);
    question.press("Run");
    await tested;
    await editor.notification("another registry or environment was chosen meanwhile");
    await editor.connectTo(registry);
    await editor.status("Local Demo");
    assert.deepEqual([...registry.invocations(), ...other.invocations()], []);
  });

  it("Stores a new Project Key for its own project, not for one that was chosen meanwhile", async () => {
    const second = editor.run("newProject");
    await editor.answer("Second");
    await second;
    await chooseProject("Local Demo");
    const created = editor.run("createProjectKey");
    await editor.choose("For This Editor");
    const question = await editor.dialog("Create a Project Key for");
    await chooseProject("Second");
    question.press("Create Key");
    await created;
    await editor.row("project", /^No key in this editor/);
    await chooseProject("Local Demo");
    await editor.row("project", /used by this editor/);
  });

  it("Leaves a key that another window set while this one asked about revoking the earlier key", async () => {
    const inUse = await newKey();
    const fresh = await newKey();
    const { secrets } = editor.parts.machine;
    const slot = (await secrets.keys()).find((one) => one.endsWith("/local-demo")) ?? assert.fail();
    await secrets.store(slot, inUse);
    const revoked = editor.run("revokeProjectKey");
    const last4 = inUse.slice(-4);
    const list = await editor.pick("Select the Project Key to revoke");
    list.choose(new RegExp(last4));
    const reason = await editor.input("This editor uses the key");
    await secrets.store(slot, fresh);
    reason.type("lost by a colleague");
    reason.accept();
    await revoked;
    await editor.status(/Project Key CI.* revoked/);
    assert.equal(await secrets.get(slot), fresh);
  });

  it("Leaves a key that another window set while a notification was open", async () => {
    const ofDemo = await newKey();
    const fresh = await newKey();
    await chooseProject("Second");
    const set = editor.run("setProjectKey");
    await editor.choose("Paste a Project Key");
    await editor.answer(ofDemo);
    await set;
    await invokeBlocked(editor, "market-data");
    await editor.press("market-data was not run", "Subscribe…");
    const offer = await editor.notification("belongs to Local Demo");
    const { secrets } = editor.parts.machine;
    const slot = (await secrets.keys()).find((one) => one.endsWith("/second")) ?? assert.fail();
    await secrets.store(slot, fresh);
    offer.press("Choose Local Demo");
    await editor.notification(switched);
    assert.equal(await secrets.get(slot), fresh);
    await editor.status("Second");
  });

  it("Sends no rating after its user signed out", async () => {
    const rated = editor.run("rateSkill", { own: { skillSlug: "text-stats" } });
    await editor.choose("★★★★☆");
    await editor.answer("Counts well");
    await editor.answer("Fast, and right about words.");
    const question = await editor.dialog("Send this rating of text-stats?");
    for (const notice of editor.parts.notices) if (notice !== question) notice.close();
    await editor.run("signOut");
    question.press("Send Rating");
    await editor.notification(switched);
    await rated;
    assert.ok(!editor.screen.includes("Rating sent"));
  });
});
