import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import { type DyingServer, startDyingServer } from "../../fixtures/registries/dyingServer";
import { useEditor } from "../useEditor";
import { askElsewhere, invokeBlocked } from "./project";

describe("A project that somebody else changes meanwhile", () => {
  const editor = useEditor({ settings: { "skillRegistry.history.keepTexts": "never" } });
  let registry: LocalRegistry;
  let server: DyingServer;
  const suspend = (slug: string) => {
    const change = { status: "suspended", reason: "not needed" };
    return askElsewhere(registry, "PUT", `installed-skills/${slug}/status`, change);
  };

  before(async () => {
    registry = await startLocalRegistry({ deliverCode: () => undefined });
    server = await startDyingServer(registry.baseUrl);
    await editor.connectTo(server);
    const signedIn = editor.run("signIn");
    await editor.choose("User Token");
    await editor.answer(registry.userTokens.owner);
    await signedIn;
    await editor.status("Local Demo");
  });
  after(async () => {
    await server.close();
    await registry.close();
  });

  /** Resolves to the registry's current policy. */
  const policyOf = async (slug: string) => {
    const { policies } = JSON.parse(await askElsewhere(registry, "GET", "policies")) as {
      readonly policies: readonly (Readonly<Record<string, unknown>> & { skillSlug: string })[];
    };
    return policies.find(({ skillSlug }) => skillSlug === slug) ?? assert.fail();
  };
  const changePolicy = async (slug: string, change: object) =>
    askElsewhere(registry, "PUT", `policies/${slug}`, { ...(await policyOf(slug)), ...change });

  it("The approval applies to the version in the question, not to one that was pinned meanwhile", async () => {
    await askElsewhere(registry, "PUT", "policies/redact-pii", { approvalRequired: true });
    await editor.run("refresh");
    const approved = editor.run("approveSkill", "redact-pii");
    const question = await editor.dialog("Approve redact-pii@1.1.0");
    const newer = { skillSlug: "redact-pii", version: "2.0.0" };
    await askElsewhere(registry, "POST", "installed-skills", newer);
    question.press("Approve");
    const again = await editor.dialog("Approve redact-pii@2.0.0");
    assert.match(again.text, /The pinned version was changed elsewhere/);
    assert.equal((await policyOf("redact-pii"))["approvedAt"], null);
    again.press("Approve");
    await approved;
    await editor.status("Redact personal data approved");
  });

  it("A new Project Key is copied, or stored, before the project is read again", async () => {
    let releaseReads = server.holdReadsAfterChange();
    const copied = editor.run("createProjectKey");
    await editor.choose("For Use Elsewhere, Such as CI");
    await editor.press("and copy it once?", "Create and Copy Once");
    await editor.until("the key", () => /^skh_[0-9a-f]{64}$/.test(editor.parts.machine.clipboard));
    releaseReads();
    await editor.press(/Project Key CI, .* copied/, "Clear Clipboard");
    await copied;
    releaseReads = server.holdReadsAfterChange();
    const kept = new Promise((done) => editor.parts.machine.secrets.onDidChange(done));
    const created = editor.run("createProjectKey");
    await editor.choose("For This Editor");
    await editor.press("Create a Project Key for", "Create Key");
    await kept;
    await editor.run("checkProjectKey");
    await editor.notification(/accepts it and lists \d+ skills/);
    releaseReads();
    await created;
    await editor.status("created and set for this editor");
  });

  it("A policy is saved on top of changes made during its question", async () => {
    await editor.run("refresh");
    await editor.run("editPolicy", "csv-profile");
    const { document } = editor;
    editor.write(document.getText().replace("600", "5"));
    const saved = document.save();
    const question = await editor.dialog("rateLimitPerMinute: 600 → 5");
    await changePolicy("csv-profile", { rateLimitPerMinute: 300, allowNetwork: true });
    question.press("Save Policy");
    const again = await editor.dialog("rateLimitPerMinute: 300 → 5");
    assert.match(again.text, /It was changed elsewhere/);
    const between = await policyOf("csv-profile");
    assert.deepEqual([between["rateLimitPerMinute"], between["allowNetwork"]], [300, true]);
    again.press("Save Policy");
    assert.equal(await saved, true);
    const kept = await policyOf("csv-profile");
    assert.deepEqual([kept["rateLimitPerMinute"], kept["allowNetwork"]], [5, true]);
  });

  it("A skill is allowed on top of changes made during that question", async () => {
    await invokeBlocked(editor, "vault-rotate");
    await editor.press("vault-rotate was not run", "Allow in Policy…");
    const question = await editor.dialog("maxPermissionLevel: medium → high");
    await changePolicy("vault-rotate", { maxPermissionLevel: "low", rateLimitPerMinute: 7 });
    question.press("Save Policy");
    const again = await editor.dialog("maxPermissionLevel: low → high");
    assert.match(again.text, /It was changed elsewhere/);
    again.press("Save Policy");
    await editor.notification("vault-rotate is no longer blocked");
    const kept = await policyOf("vault-rotate");
    assert.deepEqual([kept["maxPermissionLevel"], kept["rateLimitPerMinute"]], ["high", 7]);
  });

  it("It is read again for a remedy, since the registry contradicted the known facts", async () => {
    await editor.newPayload("text-stats", '{"text": "one two"}');
    await editor.run("refresh");
    await suspend("text-stats");
    const tested = editor.chooseAction("Test Run");
    await editor.press("Test run text-stats@", "Run");
    await tested;
    await editor.press("text-stats was not run", "Restore…");
    await editor.status("Text statistics restored");
    await editor.press("text-stats is no longer blocked", "Invoke Again");
    await editor.status(/text-stats: .*success/);
  });

  it("Its old state is not shown while its registry is down, with a message instead", async () => {
    server.stayDown(true);
    await suspend("csv-profile");
    await editor.run("showWhy", "csv-profile");
    await editor.notification(/connection to the registry was lost/);
    assert.equal(editor.parts.quickInputs.current, undefined);
  });

  it("It is read again by the next command, even right after a failed reading", async () => {
    server.stayDown(false);
    await editor.run("restoreSkill", "csv-profile");
    await editor.status("CSV profile restored");
  });

  it("An unreadable policy is not opened, with the reason", async () => {
    await editor.run("refresh");
    server.stayDown(true);
    await editor.run("editPolicy", "csv-profile");
    await editor.notification(/connection to the registry was lost/);
    assert.deepEqual(editor.parts.tabs.all, []);
    server.stayDown(false);
    await editor.run("editPolicy", "csv-profile");
    assert.ok(editor.document.uri.path.endsWith("csv-profile.skill-policy.json"));
  });
});
