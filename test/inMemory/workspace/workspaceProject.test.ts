import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { editorCommandIds } from "../../../src/host/ids";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import { accountsAre, assertCopiedOnce, invokeBlocked, projectSays } from "./project";

const suite = (skill: string) =>
  JSON.stringify({
    format: 1,
    skill,
    cases: [{ name: "one", payload: { text: "Mail", mask: "*" } }],
  });

describe("The project of the built-in registry", () => {
  // What follows a dot in a name may be a label.
  const folder = useFolder({
    "redact-pii.saved.skill-input.json": '{"text": "Mail ana@example.org", "mask": "*"}',
    "redact.skill-suite.json": suite("redact-pii"),
    "pinned.skill-suite.json": suite("redact-pii@1.1.0"),
  });
  const editor = useEditor(() => ({
    settings: { "skillRegistry.history.keepTexts": "always" },
    folders: [folder.path],
  }));

  const leavesStatusBar = (text: string) =>
    editor.until(`no ${text}`, () => !editor.parts.statusBar.texts.join().includes(text));

  it("It appears with two keys once somebody signs in", async () => {
    await projectSays(editor, "Sign in to see your project");
    const signedIn = editor.run("signIn");
    await editor.choose("owner@local.example");
    await signedIn;
    await editor.row("project", /^Installed Skills 12/);
    await editor.status("Local Demo");
    await accountsAre(editor, "owner@local.example (Local Workspace)");
  });

  it("An installed skill opens its page", async () => {
    await editor.pressRow("project", /^Draft writer \d\.\d\.\d/);
    await editor.page("Draft writer");
  });

  it("A skill is shown in its installed version, with the available one", async () => {
    await editor.run("openSkill", "redact-pii");
    const page = await editor.page("Redact personal data");
    await page.shows(/The project .* runs version 1\.1\.0; .* available/);
  });

  it("It gets a Project Key for this editor, and keeps its name", async () => {
    const created = editor.run("createProjectKey");
    await editor.choose("For This Editor");
    const dialog = await editor.dialog("Create a Project Key for");
    assert.doesNotMatch(dialog.text, /rename/);
    dialog.press("Create Key");
    await created;
    await editor.status("created and set for this editor");
    await editor.status("Local Demo");
    await editor.run("checkProjectKey");
    await editor.notification(/accepts it and lists \d+ skills/);
  });

  it("A skill is suspended with a reason, and restored", async () => {
    const suspended = editor.runFromPalette("Skill Registry: Manage Skill in Project…");
    await editor.choose("CSV profile");
    await editor.choose("Suspend…");
    const input = await editor.input();
    input.lookAway();
    input.type("short");
    await editor.input("a reason of at least 6 characters");
    await editor.answer("not needed now");
    await suspended;
    await editor.status("CSV profile suspended");
    const restored = editor.run("restoreSkill");
    await editor.choose("CSV profile");
    await restored;
    await editor.status("CSV profile restored");
    await editor.row("project", /^CSV profile 2\.0\.0(?! · suspended)/);
  });

  it("It shows why an invocation would be blocked, check by check", async () => {
    const shown = editor.run("showWhy");
    await editor.choose("Rotate vault secrets");
    const pick = await editor.pick("permission level is above what this project's policy");
    assert.match(pick.text, /network access/);
    pick.hide();
    await shown;
  });

  it("The owner approves a skill from a blocked invocation", async () => {
    const payload = { service: "Checkout", message: "All well", state: "resolved" };
    await invokeBlocked(editor, "status-notice", payload);
    await editor.press("status-notice", "Approve…");
    const dialog = await editor.dialog("Approve status-notice@");
    assert.match(dialog.text, /The policy allows at most high permissions/);
    dialog.press("Approve");
    await editor.status("Status notice approved");
    await editor.press("status-notice is no longer blocked", "Invoke Again");
    await editor.row("invocations", /^status-notice@1\.0\.0 1 × success, 1 × blocked/);
  });

  it("The policy is changed to allow a blocked invocation, which then continues", async () => {
    await invokeBlocked(editor, "vault-rotate");
    await editor.press("vault-rotate was not run", "Allow in Policy…");
    const dialog = await editor.dialog("Change the policy for vault-rotate");
    assert.match(dialog.text, /maxPermissionLevel: medium → high/);
    dialog.press("Save Policy");
    await editor.press("vault-rotate is no longer blocked", "Invoke Again");
    await editor.row("invocations", /^vault-rotate@\S+ 1 × success, 1 × blocked/);
  });

  it("A policy is edited as a document, and saved after a question", async () => {
    const opened = editor.run("editPolicy");
    await editor.choose("CSV profile");
    await opened;
    const { document } = editor;
    assert.ok(document.uri.path.endsWith("csv-profile.skill-policy.json"));
    // The editor adds this text if the policy is not saved.
    assert.doesNotMatch(document.uri.toString(), /[\da-f]{8}-[\da-f]{4}-/);
    editor.write(
      document.getText().replace('"rateLimitPerMinute": 600', '"rateLimitPerMinute": 5'),
    );
    const refused = document.save().catch(() => false);
    const dialog = await editor.dialog("Change the policy for csv-profile");
    assert.match(dialog.text, /rateLimitPerMinute: 600 → 5/);
    dialog.press("Cancel");
    assert.equal(await refused, false);
    assert.ok(document.isDirty);
    const saved = document.save();
    await editor.press("Change the policy for csv-profile", "Save Policy");
    assert.equal(await saved, true);
    await editor.status("Policy for CSV profile saved");
  });

  it("An update is adopted after its changes and broken payloads were listed, and rolled back", async () => {
    await editor.newPayload("redact-pii", '{"text": "Mail ana@example.org", "mask": "#"}');
    const adopted = editor.run("adoptUpdate");
    const pick = await editor.pick(/redact-pii.* would no longer be valid: "mask"/);
    assert.match(pick.text, /(Permissions|Input): /);
    assert.match(pick.text, /redact-pii\.saved.* would no longer be valid: "mask"/);
    assert.match(pick.text, /redact\.skill-suite\.json would no longer be valid: "mask"/);
    assert.doesNotMatch(pick.text, /pinned\.skill-suite\.json/);
    pick.accept();
    const pinned = /redact-pii@\S+ is pinned in Local Demo\. 2 files .* no longer valid/;
    await editor.press(pinned, "Roll Back");
    await editor.press("Roll back redact-pii to 1.1.0", "Roll Back");
    await adopted;
    await editor.status("redact-pii@1.1.0 is pinned again");
  });

  it("An adopted update shows the suites that it breaks, and updates their versions on request", async () => {
    const adopted = editor.run("adoptUpdate");
    await editor.choose("Redact personal data");
    (await editor.pick("would no longer be valid")).accept();
    await editor.press(/redact-pii@\S+ is pinned in Local Demo/, "Show Files");
    await editor.choose(/^redact\.skill-suite\.json/);
    await adopted;
    const problem = "a problem of the suite in front";
    await editor.until(problem, () => editor.problems.includes('additionalProperties "mask"'));
    const { window, workspace } = editor.vscode;
    const pinned = await workspace.openTextDocument(folder.uri("pinned.skill-suite.json"));
    await window.showTextDocument(pinned);
    await editor.until("a hint", () => editor.problems.includes('version "redact-pii@1.1.0"'));
    await editor.takeAction("Update to 2.0.0");
    assert.match(editor.document.getText(), /"redact-pii@2\.0\.0"/);
    await editor.until(problem, () => editor.problems.join() === 'additionalProperties "mask"');
    // The skill of the visible suite.
    const rolledBack = editor.run("rollBackSkill");
    await editor.choose("1.1.0");
    await editor.press("Roll back redact-pii to 1.1.0", "Roll Back");
    await rolledBack;
  });

  it("The registry's current version is installed after its permissions were agreed to", async () => {
    const installed = editor.runOnRow(
      "skills",
      "Redact personal data",
      "Install Skill in Project…",
    );
    const dialog = await editor.dialog("Install redact-pii@");
    assert.match(dialog.text, /Replaces the installed version 1\.1\.0/);
    dialog.press("Install");
    await installed;
    await editor.status(/redact-pii@.* installed/);
  });

  it("A skill is rolled back to the previously pinned version", async () => {
    const rolledBack = editor.run("rollBackSkill");
    await editor.choose("Redact personal data");
    await editor.choose("1.1.0");
    await editor.press("Roll back redact-pii to 1.1.0", "Roll Back");
    await rolledBack;
    await editor.status("redact-pii@1.1.0 is pinned again");
  });

  it("A payload for another version can be invoked with the installed version", async () => {
    await editor.newPayload("redact-pii", '{"text": "Mail bo@example.net"}');
    await editor.run(editorCommandIds.moveToVersion, editor.document.uri, "2.0.0");
    assert.equal(await editor.checked(), "redact-pii@2.0.0: valid");
    const invoked = editor.run("invoke");
    await editor.press("redact-pii is not expected to run", "Invoke Anyway");
    await invoked;
    await editor.press("redact-pii was not run", "Install…");
    await editor.press("The project runs redact-pii 1.1.0", "Use 1.1.0 and Invoke");
    await editor.press("redact-pii@1.1.0 has changed since you agreed to it", "Invoke");
    await editor.row("invocations", /^redact-pii@1\.1\.0 success/);
  });

  it("A test run needs no Project Key, and the record marks it", async () => {
    const removed = editor.run("removeProjectKey");
    await editor.press("Remove the Project Key for", "Remove");
    await removed;
    await editor.newPayload("text-stats", '{"text": "one two"}');
    await editor.chooseAction("Test Run");
    await editor.status(/text-stats: test run, success/);
    await editor.row("invocations", /^text-stats@.* test run, success/);
  });

  it("The skill of an invocation is rated after a preview", async () => {
    const rated = editor.run("rateSkill");
    const list = await editor.pick("text-stats@1.0.0");
    assert.match(list.text, /text-stats@1\.0\.0 \| .* \| one two → .*words 2/);
    list.choose("text-stats@1.0.0");
    await editor.choose("★★★★☆");
    const title = await editor.input("Title of the rating");
    title.accept();
    await editor.input("Enter a text.");
    await editor.answer("Counts well");
    await editor.input("What others should know");
    await editor.answer("Fast, and right about words.");
    const dialog = await editor.dialog("Send this rating of text-stats?");
    assert.match(dialog.text, /Fast, and right about words\./);
    dialog.press("Send Rating");
    await rated;
    await editor.notification("Rating sent");
  });

  it("A report to the registry's staff starts from the same list", async () => {
    const reported = editor.run("rateSkill");
    await editor.choose("text-stats@1.0.0");
    await editor.choose("Report a Problem…");
    await editor.pick("What is it about?");
    await editor.leave();
    await reported;
  });

  it("A new Project Key is offered if one is missing", async () => {
    const set = editor.run("setProjectKey");
    await editor.choose("Create a Project Key for Local Demo");
    await editor.press("Create a Project Key for", "Create Key");
    await set;
    await editor.status("Project Key set for");
  });

  it("The Project Key of this editor is rotated, and another revoked with a reason", async () => {
    const rotated = editor.run("rotateProjectKey");
    await editor.press("Replace the Project Key", "Rotate Key");
    await rotated;
    await editor.status("the old one is revoked");
    const revoked = editor.run("revokeProjectKey");
    await editor.choose("Built-in key");
    await editor.answer("used by nobody");
    await revoked;
    await editor.status(/Project Key Built-in key .* revoked/);
  });

  it("A Project Key for use elsewhere is copied once, and neither shown nor stored", async () => {
    const copied = editor.run("createProjectKey");
    await editor.choose("For Use Elsewhere, Such as CI");
    await editor.press("and copy it once?", "Create and Copy Once");
    const notice = await editor.notification(/Project Key CI, .* copied/);
    await assertCopiedOnce(editor, copied, notice, /^skh_[0-9a-f]{64}$/);
  });

  it("A token for CI is copied once, listed in the sessions, and revoked there", async () => {
    const created = editor.run("createCiToken");
    const box = await editor.input("What will use it");
    assert.match(box.value, /^CI \S+ \d{4}-\d\d-\d\d$/);
    await editor.answer("CI of shop");
    await editor.press("Create the user token CI of shop", "Create and Copy Once");
    const notice = await editor.notification(/Token CI of shop .* copied/);
    await assertCopiedOnce(editor, created, notice, /^shub_user_[0-9a-f]{64}$/);
    const revoked = editor.run("showSessions");
    await editor.choose(/^CI of shop/);
    await editor.press("Revoke CI of shop", "Revoke");
    await revoked;
    await editor.status(/CI of shop .* is revoked/);
    const again = editor.run("showSessions");
    const list = await editor.pick("Sessions and Tokens of owner@local.example");
    assert.ok(!list.text.includes("CI of shop"), list.text);
    list.leave();
    await again;
  });

  it("Each project has its own Project Key, which is chosen with it", async () => {
    const created = editor.run("newProject");
    await editor.input("Name of the project");
    await editor.answer("Second");
    await created;
    await editor.status("Second");
    await editor.notification("This editor has no Project Key of Second");
    await editor.row("project", /^No key in this editor/);
    const again = editor.run("newProject");
    await editor.answer("Second");
    await editor.notification(/^The registry rejected this: A project with this slug already/);
    assert.equal((await editor.input("Name of the project")).value, "Second");
    await editor.answer("Zweïtes");
    await again;
    await editor.status("Zweïtes");
    const keyed = editor.run("createProjectKey");
    await editor.choose("For This Editor");
    const question = await editor.dialog(/This may rename the project from “Zweïtes” to /);
    question.press("Cancel");
    await keyed;
    const back = editor.run("chooseProject");
    await editor.choose("Second");
    await back;
    const installed = editor.run("installSkill", "text-stats");
    await editor.press("Install text-stats@", "Install");
    await installed;
    const chosen = editor.run("chooseProject");
    await editor.pick(/Second.* 1 skill installed/);
    await editor.choose("Local Demo");
    await chosen;
    await editor.status("Local Demo");
    await editor.row("project", /used by this editor/);
    assert.equal((await editor.view("project")).row(/^No key in this editor/), undefined);
  });

  it("A change applies to the project of the Project Key in use, not to another chosen one", async () => {
    const copied = editor.run("createProjectKey");
    await editor.choose("For Use Elsewhere, Such as CI");
    await editor.press("and copy it once?", "Create and Copy Once");
    const notice = await editor.notification(/Project Key CI, .* copied/);
    const key = editor.parts.machine.clipboard;
    notice.close();
    await copied;
    const chosen = editor.run("chooseProject");
    await editor.choose("Second");
    await chosen;
    await editor.status("Second");
    const set = editor.run("setProjectKey");
    await editor.choose("Paste a Project Key");
    await editor.answer(key);
    await set;
    await projectSays(editor, "Project Key is not one of this project's");
    await invokeBlocked(editor, "market-data");
    await editor.press("market-data was not run", "Subscribe…");
    await editor.press("belongs to Local Demo", "Choose Local Demo");
    // The built-in registry takes no payments.
    await editor.press("Start a trial of market-data in Local Demo?", "Start Trial");
    await editor.notification("market-data is no longer blocked");
    await editor.status("Local Demo");
  });

  it("The publisher of an unverified skill is asked, since no project can change that", async () => {
    await editor.newPayload("draft-writer");
    await editor.run("invoke");
    await editor.press("draft-writer was not invoked", "Ask Publisher…");
    await editor.until("the request", () =>
      editor.parts.machine.clipboard.startsWith(
        // Nobody else can reach an address of this machine.
        "Please have draft-writer@0.1.0 verified at Built-in registry, or ",
      ),
    );
  });

  it("It is hidden from a role without access, until the account is switched back", async () => {
    const signedIn = editor.run("signIn");
    await editor.choose("Sign In with Another Account…");
    await editor.choose("finance@local.example");
    await signedIn;
    await accountsAre(
      editor,
      "owner@local.example (Local Workspace)",
      "finance@local.example (Local Workspace)",
    );
    await projectSays(editor, "Only owners, admins and developers can see projects");
    await leavesStatusBar("Local Demo");
    const switched = editor.run("signIn");
    await editor.choose("owner@local.example (Local Workspace)");
    await switched;
    await editor.status("Local Demo");
  });

  it("It disappears after everybody has signed out", async () => {
    const signedOut = editor.run("signOut");
    await editor.choose("owner@local.example (Local Workspace)");
    await signedOut;
    await projectSays(editor, "Only owners, admins and developers can see projects");
    await editor.run("signOut");
    await accountsAre(editor);
    await projectSays(editor, "Sign in to see your project");
    await leavesStatusBar("Local Demo");
  });
});
