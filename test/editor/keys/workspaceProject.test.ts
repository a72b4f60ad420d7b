import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import { remedyNames } from "../../../src/core/workspace/remedies";
import type { ConnectedRegistry } from "../../../src/host/connect/registryConnection";
import { editorCommandIds } from "../../../src/host/ids";
import type { KeyProjectParts } from "../../../src/host/workspace/blocked/reachKeyProject";
import { RemedyRunner } from "../../../src/host/workspace/blocked/remedyRunner";
import type { CurrentProject } from "../../../src/host/workspace/currentProject";
import type { InstallParts } from "../../../src/host/workspace/installCommands";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import { type DyingServer, startDyingServer } from "../../fixtures/network/dyingServer";
import { plainManifest } from "../../fixtures/registries/manifestRegistry";
import { dataFolder } from "../dataFolder";
import { eventually } from "../eventually";
import { openPayload, writeValidInput } from "../payloads";
import { needsDialogs } from "../window/needsDialogs";
import { useWindow } from "../window/useWindow";
import type { EditorWindow } from "../window/window";
import { filesWith } from "./filesWith";
import { windowState } from "./windowState";

/** Waits until the Accounts menu would list these accounts. */
function accountsAre(...labels: readonly string[]): Promise<true> {
  return eventually(`the accounts ${labels}`, async () => {
    const accounts = await vscode.authentication.getAccounts("skill-registry");
    return accounts.map(({ label }) => label).join() === labels.join() && true;
  });
}

/** Starts a command, which asks for the rest, for a skill or for one that is chosen. */
function run(name: string, slug?: string): void {
  void vscode.commands.executeCommand(`skillRegistry.${name}`, slug);
}

/** Has somebody else ask for something about the project of a registry. Resolves to the text of the answer. */
async function askElsewhere(
  { baseUrl, userTokens }: LocalRegistry,
  method: "GET" | "POST" | "PUT",
  path: string,
  body?: object,
): Promise<string> {
  const headers = {
    authorization: `Bearer ${userTokens.owner}`,
    "content-type": "application/json",
  };
  const url = `${baseUrl}/v1/projects/local-demo/${path}`;
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return text;
}

/** Signs out who is still signed in, which tests that failed leave behind. */
async function signOutEverybody(window: EditorWindow): Promise<void> {
  await eventually("nobody to be signed in", async () => {
    const [account, ...others] = await vscode.authentication.getAccounts("skill-registry");
    if (account === undefined) return true;
    const signedOut = vscode.commands.executeCommand("skillRegistry.signOut");
    if (others.length > 0) await window.choose(account.label);
    await signedOut;
    return false;
  });
}

describe("The project of the built-in registry", () => {
  const window = useWindow({ steps: true });
  const view = () => window.view("Project");

  before(async function () {
    needsDialogs(this);
    await window.openContainer("Skill Registry");
    window.atEnd(() => view().locator(".pane-header").press("ArrowLeft"));
    window.atEnd(() => signOutEverybody(window));
  });

  it("is there with two keys once somebody signs in", async () => {
    await vscode.commands.executeCommand("skillRegistry.project.focus");
    await view().getByText("Sign in to see your project").waitFor();
    const owner = window.quickPickRow("owner@local.example");
    // The button is drawn once more when the view has its rows.
    await eventually("the accounts", async () => {
      if (await owner.isVisible()) return true;
      await view().getByRole("button", { name: "Sign In" }).press("Enter", { timeout: 15_000 });
      return eventually("the accounts", () => owner.isVisible(), 10);
    });
    await window.choose("owner@local.example");
    await window.treeRow(/^Installed Skills, 12/).waitFor();
    await window.statusBarItem("Demo of the built-in registry").waitFor();
    await accountsAre("owner@local.example (Local Workspace)");
  });

  it("opens the page of an installed skill", async () => {
    const row = window.treeRow(/^Draft writer, \d\.\d\.\d/);
    await window.pressUntil(row, window.webview.getByText("Can I invoke it?"));
  });

  it("shows a skill in the version that it runs, and says which one is available", async () => {
    await vscode.commands.executeCommand("skillRegistry.openSkill", "redact-pii");
    await window.webview.getByText(/The project .* runs version 1\.1\.0; .* available/).waitFor();
  });

  it("gets a Project Key that this editor uses, and says before that its name may change", async () => {
    run("createProjectKey");
    await window.dialog.getByText("to “Local Demo”").waitFor();
    await window.pressInDialog("Create a Project Key for", "Create Key");
    await window.statusBarItem("created and set for this editor").waitFor();
    await window.statusBarItem("Local Demo").waitFor();
    run("checkProjectKey");
    await window.notification(/accepts it and lists \d+ skills/).waitFor();
  });

  it("has a skill suspended with a reason, and restored", async () => {
    await window.runCommand("Skill Registry: Suspend Skill…");
    await window.choose("CSV profile");
    await window.typeIntoQuickInput("short");
    await window.quickInput.getByText("a reason of at least 6 characters").waitFor();
    await window.answer("not needed now");
    await window.statusBarItem("CSV profile suspended").waitFor();
    run("restoreSkill");
    await window.choose("CSV profile");
    await window.statusBarItem("CSV profile restored").waitFor();
    await window.treeRow(/^CSV profile, 2\.0\.0(?! · suspended)/).waitFor();
  });

  it("says why an invocation would be blocked, check by check", async () => {
    run("showWhy");
    await window.choose("Rotate vault secrets");
    const rows = window.quickInput;
    await rows.getByText("permission level is above what this project's policy").first().waitFor();
    await rows.getByText("network access").waitFor();
    await window.leaveQuickInput();
  });

  it("has a skill approved by its owner, from the invocation that was blocked", async () => {
    await openPayload(window, "status-notice");
    const payload = { service: "Checkout", message: "All well", state: "resolved" };
    await writeValidInput(window, JSON.stringify(payload));
    run("invoke");
    await window.pressInDialog("status-notice is not expected to run", "Approve…");
    await window.dialog.getByText("The policy allows at most high permissions").waitFor();
    await window.pressInDialog("Approve status-notice@", "Approve");
    await window.statusBarItem("Status notice approved").waitFor();
    await window.pressInNotification("status-notice is no longer blocked", "Invoke Again");
    await window.pressInDialog("Invoke status-notice@", "Invoke");
    await window.treeRow(/^status-notice@1\.0\.0, success/).waitFor();
  });

  it("allows in the policy what blocked an invocation, and goes on with that", async () => {
    await openPayload(window, "vault-rotate");
    run("invoke");
    await window.pressInDialog("vault-rotate is not expected to run", "Invoke Anyway");
    await window.pressInDialog("Invoke vault-rotate@", "Invoke");
    await window.pressInNotification("vault-rotate was not run", "Allow in Policy…");
    await window.dialog.getByText("maxPermissionLevel: medium → high").waitFor();
    await window.pressInDialog("Change the policy for vault-rotate", "Save Policy");
    await window.pressInNotification("vault-rotate is no longer blocked", "Invoke Again");
    await window.treeRow(/^vault-rotate@\S+, accepted/).waitFor();
  });

  it("has a policy edited as a document, which is saved once the change was agreed to", async () => {
    run("editPolicy");
    await window.choose("CSV profile");
    const { document } = await eventually("the policy", () => {
      const { activeTextEditor: editor } = vscode.window;
      return editor?.document.uri.path.endsWith("csv-profile.skill-policy.json") && editor;
    });
    const set = async (from: string, to: string) => {
      const start = document.getText().indexOf(from);
      assert.ok(start > 0, document.getText());
      const [first, end] = [start, start + from.length].map((at) => document.positionAt(at));
      assert.ok(first !== undefined && end !== undefined);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, new vscode.Range(first, end), to);
      await vscode.workspace.applyEdit(edit);
    };
    await set('"rateLimitPerMinute": 600', '"rateLimitPerMinute": 0');
    await eventually("a problem by the schema", () => {
      const [problem] = vscode.languages.getDiagnostics(document.uri);
      return problem !== undefined && document.lineAt(problem.range.start).text.includes(": 0");
    });
    await set('"rateLimitPerMinute": 0', '"rateLimitPerMinute": 5');
    const refused = document.save();
    await window.dialog.getByText("rateLimitPerMinute: 600 → 5").waitFor();
    await window.pressInDialog("Change the policy for csv-profile", "Cancel");
    assert.equal(await refused.then(undefined, () => false), false);
    assert.ok(document.isDirty);
    const saved = document.save();
    await window.pressInDialog("Change the policy for csv-profile", "Save Policy");
    await window.statusBarItem("Policy for CSV profile saved").waitFor();
    assert.equal(await saved, true);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("adopts an update, whose changes and broken payloads are listed before, and rolls back", async () => {
    await openPayload(window, "redact-pii");
    await writeValidInput(window, '{"text": "Mail ana@example.org", "mask": "#"}');
    run("adoptUpdate");
    await window.choose("Redact personal data");
    await window.quickInput.getByText(/redact-pii.* would no longer be valid: "mask"/).waitFor();
    await window.quickInput
      .getByText(/^(Permissions|Input): /)
      .first()
      .waitFor();
    await window.quickInput.locator("input:not([type=checkbox])").first().press("Enter");
    await window.pressInNotification(/redact-pii@\S+ is pinned in Local Demo/, "Roll Back");
    await window.pressInDialog("Roll back redact-pii to 1.1.0", "Roll Back");
    await window.statusBarItem("redact-pii@1.1.0 is pinned again").waitFor();
  });

  it("installs what the registry offers now, once its permissions are agreed to", async () => {
    const row = window.view("Skills").getByRole("treeitem", { name: /^Redact personal data/ });
    await window.chooseFromMenu(row, "Install Skill in Project…");
    await window.dialog.getByText("Replaces the installed version 1.1.0").waitFor();
    await window.pressInDialog("Install redact-pii@", "Install");
    await window.statusBarItem(/redact-pii@.* installed/).waitFor();
  });

  it("rolls back to the version that was pinned before", async () => {
    run("rollBackSkill");
    await window.choose("Redact personal data");
    await window.choose("1.1.0");
    await window.pressInDialog("Roll back redact-pii to 1.1.0", "Roll Back");
    await window.statusBarItem("redact-pii@1.1.0 is pinned again").waitFor();
  });

  it("invokes the installed version with a payload that is for another one", async () => {
    const { document } = await openPayload(window, "redact-pii");
    await writeValidInput(window, '{"text": "Mail bo@example.net"}');
    const { moveToVersion } = editorCommandIds;
    await vscode.commands.executeCommand(moveToVersion, document.uri, "2.0.0");
    await window.statusBarItem("redact-pii@2.0.0: valid").waitFor();
    run("invoke");
    await window.pressInDialog("redact-pii is not expected to run", "Update Payload to 1.1.0");
    await window.pressInDialog("Invoke redact-pii@1.1.0", "Invoke");
    await window.treeRow(/^redact-pii@1\.1\.0, success/).waitFor();
  });

  it("runs a skill as a test without a Project Key, which the record tells apart", async () => {
    await window.removeProjectKey();
    await openPayload(window, "text-stats");
    await writeValidInput(window, '{"text": "one two"}');
    const runs = window.view("Invocations").getByRole("treeitem", { name: /test run, / });
    // One that runs is pressed no second time.
    await window.pressUntil(window.codeLens("Test Run"), runs);
    // This goes by itself.
    await window.statusBarItem(/text-stats: test run, success/).waitFor();
    await runs.and(window.treeRow(/test run, success/)).waitFor();
  });

  it("has the skill of an invocation rated, once what is sent was seen", async () => {
    run("rateSkill");
    await window.choose("text-stats@1.0.0");
    await window.choose("★★★★☆");
    await window.quickInput.getByText("Title of the rating").waitFor();
    await window.answer("Counts well");
    await window.quickInput.getByText("What others should know").waitFor();
    await window.answer("Fast, and right about words.");
    await window.dialog.getByText("Fast, and right about words.").waitFor();
    await window.pressInDialog("Send this rating of text-stats?", "Send Rating");
    await window.notification("Rating sent").waitFor();
  });

  it("offers a new Project Key where one is missing", async () => {
    run("setProjectKey");
    await window.choose("Create a Project Key for Local Demo");
    await window.pressInDialog("Create a Project Key for", "Create Key");
    await window.statusBarItem("Project Key set for").waitFor();
  });

  it("has the Project Key of this editor rotated, and another revoked with a reason", async () => {
    run("rotateProjectKey");
    await window.pressInDialog("Replace the Project Key", "Rotate Key");
    await window.statusBarItem("the old one is revoked").waitFor();
    run("revokeProjectKey");
    await window.choose("Built-in key");
    await window.answer("used by nobody");
    await window.statusBarItem(/Project Key Built-in key .* revoked/).waitFor();
  });

  it("gets a Project Key for use elsewhere, copied once and neither shown nor kept", async () => {
    run("copyNewProjectKey");
    await window.pressInDialog("and copy it once?", "Create and Copy Once");
    await window.notification(/Project Key CI, .* copied/).waitFor();
    const key = await vscode.env.clipboard.readText();
    assert.match(key, /^skh_[0-9a-f]{64}$/);
    assert.ok(!(await window.page.content()).includes(key));
    await window.pressInNotification(/Project Key CI, .* copied/, "Clear Clipboard");
    await eventually("an empty clipboard", async () => {
      return (await vscode.env.clipboard.readText()) === "" && true;
    });
  });

  it("has a Project Key of its own, which is chosen with it", async () => {
    run("newProject");
    await window.quickInput.getByText("Name of the project").waitFor();
    await window.answer("Second");
    await window.statusBarItem("Second").waitFor();
    await window.notification("This editor has no Project Key of Second").waitFor();
    await window.treeRow(/^No key in this editor/).waitFor();
    run("chooseProject");
    await window.choose("Local Demo");
    await window.statusBarItem("Local Demo").waitFor();
    await vscode.commands.executeCommand("notifications.clearAll");
    run("checkProjectKey");
    await window.notification(/accepts it and lists \d+ skills/).waitFor();
  });

  it("is changed where the Project Key in use belongs, not where another one is chosen", async () => {
    run("copyNewProjectKey");
    await window.pressInDialog("and copy it once?", "Create and Copy Once");
    await window.notification(/Project Key CI, .* copied/).waitFor();
    const key = await vscode.env.clipboard.readText();
    run("chooseProject");
    await window.choose("Second");
    await window.statusBarItem("Second").waitFor();
    run("setProjectKey");
    await window.choose("Paste a Project Key");
    await window.answer(key);
    await view().getByText("Project Key is not one of this project's").waitFor();
    await window.listNotifications();
    await openPayload(window, "market-data");
    run("invoke");
    await window.pressInDialog("market-data is not expected to run", "Subscribe…");
    await window.pressInNotification("belongs to Local Demo", "Choose Local Demo");
    // The built-in registry takes no payments.
    await window.pressInDialog("Start a trial of market-data in Local Demo?", "Start Trial");
    await window.statusBarItem("Trial of market-data started").waitFor();
    await window.statusBarItem("Local Demo").waitFor();
    await window.notification("market-data is no longer blocked").waitFor();
  });

  it("has the publisher asked for a skill that is not verified, which no project can change", async () => {
    await vscode.env.clipboard.writeText("");
    await openPayload(window, "draft-writer");
    run("invoke");
    await window.pressInNotification("draft-writer was not invoked", "Ask Publisher…");
    await eventually("the request", async () => {
      const text = await vscode.env.clipboard.readText();
      return text.startsWith("Please have draft-writer@0.1.0 verified at ");
    });
  });

  it("is not for a role that may see none, until the account is switched back", async () => {
    run("signIn");
    await window.choose("finance@local.example");
    await accountsAre(
      "owner@local.example (Local Workspace)",
      "finance@local.example (Local Workspace)",
    );
    await view().getByText("Only owners, admins and developers can see projects").waitFor();
    await window.statusBarItem("Local Demo").waitFor({ state: "detached" });
    run("switchAccount");
    await window.choose("owner@local.example (Local Workspace)");
    await window.statusBarItem("Local Demo").waitFor();
  });

  it("is gone once everybody has signed out", async () => {
    run("signOut");
    await window.choose("owner@local.example (Local Workspace)");
    await view().getByText("Only owners, admins and developers can see projects").waitFor();
    run("signOut");
    await accountsAre();
    await view().getByText("Sign in to see your project").waitFor();
    await window.statusBarItem("Local Demo").waitFor({ state: "detached" });
  });
});

describe("A project that somebody else changes meanwhile", () => {
  const window = useWindow({ steps: true });
  const view = () => window.view("Project");
  let registry: LocalRegistry;
  let server: DyingServer;
  const refresh = () => vscode.commands.executeCommand("skillRegistry.refreshProject");
  const suspend = (slug: string) => {
    const change = { status: "suspended", reason: "not needed" };
    return askElsewhere(registry, "PUT", `installed-skills/${slug}/status`, change);
  };

  before(async function () {
    needsDialogs(this);
    registry = await startLocalRegistry({ deliverCode: () => undefined });
    window.atEnd(() => registry.close());
    server = await startDyingServer(registry.baseUrl);
    await window.set("skillRegistry.history.keepTexts", "never");
    // What waits for the project to be read waits longer than any test.
    await window.set("skillRegistry.requestTimeoutSeconds", 600);
    await window.openContainer("Skill Registry");
    window.atEnd(() => view().locator(".pane-header").press("ArrowLeft"));
    await window.connectTo(server);
    window.atEnd(() => vscode.commands.executeCommand("skillRegistry.signOut"));
    run("signIn");
    await window.choose("User Token");
    await window.answer(registry.userTokens.owner);
    await window.statusBarItem("Demo of the built-in registry").waitFor();
  });

  it("has the version approved that was asked about, not one that was pinned meanwhile", async () => {
    await askElsewhere(registry, "PUT", "policies/redact-pii", { approvalRequired: true });
    await refresh();
    run("approveSkill", "redact-pii");
    await window.dialog.getByText("Approve redact-pii@1.1.0").waitFor();
    const newer = { skillSlug: "redact-pii", version: "2.0.0" };
    await askElsewhere(registry, "POST", "installed-skills", newer);
    await window.pressInDialog("Approve redact-pii@1.1.0", "Approve");
    await window.dialog.getByText("Approve redact-pii@2.0.0").waitFor();
    await window.dialog.getByText("The pinned version was changed elsewhere").waitFor();
    const { policies } = JSON.parse(await askElsewhere(registry, "GET", "policies")) as {
      readonly policies: readonly { readonly skillSlug: string; readonly approvedAt: unknown }[];
    };
    const policy = policies.find(({ skillSlug }) => skillSlug === "redact-pii");
    assert.equal(policy?.approvedAt, null);
    await window.pressInDialog("Approve redact-pii@2.0.0", "Approve");
    await window.statusBarItem("Redact personal data approved").waitFor();
  });

  it("has a new Project Key copied, and one kept, before it is read again", async () => {
    let letGo = server.holdReadsAfterChange();
    window.atEnd(() => letGo());
    run("copyNewProjectKey");
    await window.pressInDialog("and copy it once?", "Create and Copy Once");
    await eventually("the key", async () =>
      /^skh_[0-9a-f]{64}$/.test(await vscode.env.clipboard.readText()),
    );
    letGo();
    await window.pressInNotification(/Project Key CI, .* copied/, "Clear Clipboard");
    letGo = server.holdReadsAfterChange();
    run("createProjectKey");
    await window.pressInDialog("Create a Project Key for", "Create Key");
    await eventually("the key in use", async () => {
      await vscode.commands.executeCommand("skillRegistry.checkProjectKey");
      return window.notification(/accepts it and lists \d+ skills/).isVisible();
    });
    letGo();
    await window.statusBarItem("created and set for this editor").waitFor();
  });

  /** What the registry has of a policy, and what changes some of it. */
  const policyOf = async (slug: string) => {
    const { policies } = JSON.parse(await askElsewhere(registry, "GET", "policies")) as {
      readonly policies: readonly (Readonly<Record<string, unknown>> & { skillSlug: string })[];
    };
    return policies.find(({ skillSlug }) => skillSlug === slug) ?? assert.fail();
  };
  const changePolicy = async (slug: string, change: object) =>
    askElsewhere(registry, "PUT", `policies/${slug}`, { ...(await policyOf(slug)), ...change });

  it("has a policy saved on top of what was changed while its question was open", async () => {
    await refresh();
    run("editPolicy", "csv-profile");
    const { document } = await eventually("the policy", () => {
      const { activeTextEditor: editor } = vscode.window;
      return editor?.document.uri.path.endsWith("csv-profile.skill-policy.json") && editor;
    });
    const at = document.positionAt(document.getText().indexOf("600"));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(at, at.translate(0, 3)), "5");
    await vscode.workspace.applyEdit(edit);
    const saved = document.save();
    await window.dialog.getByText("rateLimitPerMinute: 600 → 5").waitFor();
    await changePolicy("csv-profile", { rateLimitPerMinute: 300, allowNetwork: true });
    await window.pressInDialog("rateLimitPerMinute: 600 → 5", "Save Policy");
    await window.dialog.getByText("It was changed elsewhere").waitFor();
    const between = await policyOf("csv-profile");
    assert.deepEqual([between["rateLimitPerMinute"], between["allowNetwork"]], [300, true]);
    await window.pressInDialog("rateLimitPerMinute: 300 → 5", "Save Policy");
    assert.equal(await saved, true);
    const kept = await policyOf("csv-profile");
    assert.deepEqual([kept["rateLimitPerMinute"], kept["allowNetwork"]], [5, true]);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("has a skill allowed on top of what was changed while that question was open", async () => {
    await window.listNotifications();
    await openPayload(window, "vault-rotate");
    run("invoke");
    await window.pressInDialog("vault-rotate is not expected to run", "Allow in Policy…");
    await window.dialog.getByText("maxPermissionLevel: medium → high").waitFor();
    await changePolicy("vault-rotate", { maxPermissionLevel: "low", rateLimitPerMinute: 7 });
    await window.pressInDialog("maxPermissionLevel: medium → high", "Save Policy");
    await window.dialog.getByText("It was changed elsewhere").waitFor();
    await window.pressInDialog("maxPermissionLevel: low → high", "Save Policy");
    await window.notification("vault-rotate is no longer blocked").waitFor();
    const kept = await policyOf("vault-rotate");
    assert.deepEqual([kept["maxPermissionLevel"], kept["rateLimitPerMinute"]], ["high", 7]);
  });

  it("is read again for a remedy, since the registry has said otherwise than what was known", async () => {
    await window.listNotifications();
    await openPayload(window, "text-stats");
    await writeValidInput(window, '{"text": "one two"}');
    await refresh();
    await suspend("text-stats");
    const question = window.dialog.filter({ hasText: "Test run text-stats@" });
    await window.pressUntil(window.codeLens("Test Run"), question);
    await window.pressInDialog("Test run text-stats@", "Run");
    await window.pressInNotification("text-stats was not run", "Restore…");
    await window.statusBarItem("Text statistics restored").waitFor();
    await window.pressInNotification("text-stats is no longer blocked", "Invoke Again");
    await window.statusBarItem(/text-stats: .*success/).waitFor();
  });

  it("is not shown as it was once where its registry is down, which is said instead", async () => {
    await vscode.commands.executeCommand("notifications.clearAll");
    window.atEnd(() => server.stayDown(false));
    server.stayDown(true);
    await suspend("csv-profile");
    run("showWhy", "csv-profile");
    await window.notification(/connection to the registry was lost/).waitFor();
    assert.ok(!(await window.quickInput.isVisible()));
  });

  it("is read again by the next command, however short a time ago that failed", async () => {
    server.stayDown(false);
    run("restoreSkill", "csv-profile");
    await window.statusBarItem("CSV profile restored").waitFor();
  });

  it("has no policy opened that cannot be read, and says why", async () => {
    await refresh();
    await vscode.commands.executeCommand("notifications.clearAll");
    server.stayDown(true);
    run("editPolicy", "csv-profile");
    await window.notification(/connection to the registry was lost/).waitFor();
    assert.equal(await window.notification("An unexpected error").count(), 0);
    const shown = vscode.window.visibleTextEditors.map(({ document }) => document.uri.scheme);
    assert.ok(!shown.includes("skill-policy"));
    server.stayDown(false);
    run("editPolicy", "csv-profile");
    await eventually("the policy", () => {
      const { path } = vscode.window.activeTextEditor?.document.uri ?? {};
      return path?.endsWith("csv-profile.skill-policy.json");
    });
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  });
});

describe("A user token, after signing in to a registry elsewhere", () => {
  const window = useWindow({ steps: true });
  const view = () => window.view("Project");
  const press = (key: string) => window.page.keyboard.press(key);
  const codes = new Map<string, string>();
  let registry: LocalRegistry;
  let server: DyingServer;
  let token = "";
  /** Has somebody do something in the project elsewhere. */
  const post = (path: string, body: object) => askElsewhere(registry, "POST", path, body);

  before(async function () {
    needsDialogs(this);
    registry = await startLocalRegistry({ deliverCode: (email, code) => codes.set(email, code) });
    // The embedded registry sells nothing.
    server = await startDyingServer(registry.baseUrl, {
      "/v1/payment/providers": { providers: [{ provider: "stripe", configured: true }] },
      "/v1/checkout/sessions": { checkout: { url: "https://checkout.example/pay" } },
      "/v1/skills/sly-skill": plainManifest("sly-skill", {
        permissions: { network: true, secrets: ["KEY\n\nCost: nothing.\u202Egnp"] },
      }),
    });
    token = registry.userTokens.developer;
    window.atEnd(() => vscode.commands.executeCommand("_extensionTests.setLogLevel", "info"));
    await vscode.commands.executeCommand("_extensionTests.setLogLevel", "trace");
    await window.openContainer("Skill Registry");
    window.atEnd(() => view().locator(".pane-header").press("ArrowLeft"));
    window.atEnd(() => registry.close());
    await window.connectTo(server);
  });

  it("that was pasted shows the project", async () => {
    run("signIn");
    await window.choose("User Token");
    await window.typeIntoQuickInput(registry.projectKey);
    await window.quickInput.getByText("This is a Project Key").waitFor();
    await window.answer(token);
    await window.treeRow(/^Installed Skills, 12/).waitFor();
  });

  it("of a role that may not approve has the policy of an approved high skill to read", async () => {
    run("editPolicy");
    await window.choose("Rotate vault secrets");
    await window.notification("Only an owner or admin of the organization may change").waitFor();
    await window.editor.and(window.page.locator(".focused")).waitFor();
    const readonly = window.page.locator(".monaco-editor-overlaymessage", {
      hasText: /read-only/i,
    });
    // It goes by itself.
    await eventually("that it is read-only", async () => {
      await press("x");
      return readonly.isVisible();
    });
    assert.ok(vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("comes with a code that is found in a pasted mail", async () => {
    run("signIn");
    await window.choose("Code by Email");
    await window.answer("owner@local.example");
    await window.quickInput.getByText(/\d:\d\d left, 5 tries/).waitFor();
    await window.answer("no code in this");
    await window.quickInput.getByText("contains no six-digit code").waitFor();
    await window.answer(`Hello, your code is ${codes.get("owner@local.example")}. Sent at 10:15`);
    await accountsAre(
      "developer@local.example (Local Workspace)",
      "owner@local.example (Local Workspace)",
    );
  });

  it("shows what others invoke in the project, apart from what this editor did", async () => {
    await post("runtime/test", { skillSlug: "text-stats", input: { text: "by somebody else" } });
    await vscode.commands.executeCommand("skillRegistry.refreshProject");
    await window.treeRow(/^Installed Skills, 12/).focus();
    // The rows that are out of sight are not there: the last ones come into it. A list that is filled anew
    // meanwhile forgets what was pressed.
    const end = () => view().getByRole("tree").press("End");
    await eventually("the last row", async () => {
      await end();
      return window.treeRow(/^Recent Invocations, 1/).isVisible();
    });
    await eventually("an invocation by somebody else", async () => {
      await end();
      await press("ArrowRight");
      return window.treeRow(/^text-stats, success · not from this editor/).isVisible();
    });
  });

  it("asks before an install, where the name of a secret stays on its line and hides nothing", async () => {
    void vscode.commands.executeCommand("skillRegistry.installSkill", "sly-skill");
    const question = window.dialog.filter({ hasText: "Install sly-skill@1.0.0" });
    const lines = (await question.innerText()).split("\n").map((line) => line.trim());
    const uses = "Uses 1 secret of the project: KEY Cost: nothing.\\u202Egnp";
    const line = `Permissions: ${uses}. Connects to other services over the network.`;
    assert.ok(lines.includes(line), lines.join("\n"));
    await window.pressInDialog("Install sly-skill@1.0.0", "Cancel");
  });

  it("goes on with a run that needed a subscription, once its checkout is complete", async () => {
    await window.listNotifications();
    await openPayload(window, "market-data");
    const question = window.dialog.filter({ hasText: "Test run market-data@" });
    await window.pressUntil(window.codeLens("Test Run"), question);
    await window.pressInDialog("Test run market-data@", "Run");
    await window.pressInNotification("market-data was not run", "Subscribe…");
    await window.pressInDialog("Open the checkout in the browser?", "Open");
    // The editor asks once more by itself, for addresses that its user does not trust yet.
    const its = window.dialog.filter({ hasText: "checkout.example" });
    await its.waitFor();
    await post("subscriptions", { skillSlug: "market-data", status: "active" });
    await press("Escape");
    await its.waitFor({ state: "detached" });
    await window.pressInNotification("Continue here once the checkout", "I Have Subscribed");
    await window.pressInNotification("market-data is no longer blocked", "Invoke Again");
    await window.treeRow(/^market-data@\S+, test run, accepted/).waitFor();
  });

  it("shows what is, after the server died in the middle of a change", async () => {
    server.dieOver("after");
    run("suspendSkill");
    await window.choose("CSV profile");
    await window.answer("not needed now");
    await window.notification(/It is not known whether this was changed/).waitFor();
    run("restoreSkill");
    await window.choose("CSV profile");
    await window.statusBarItem("CSV profile restored").waitFor();
  });

  it("is forgotten with the sign-out, which says until when it counts", async () => {
    run("signOut");
    await window.choose("owner@local.example (Local Workspace)");
    await window
      .notification(/owner@local.example .* until .*, or the next sign-in here/)
      .waitFor();
    await accountsAre("developer@local.example (Local Workspace)");
  });

  it("stands in no file, log or store of the window, nor on its screen, but encrypted", async () => {
    await vscode.commands.executeCommand("skillRegistry.refreshProject");
    await window.storeState();
    await eventually("the registry on the disk", async () => {
      return (await filesWith(dataFolder(), [server.baseUrl])).length > 0;
    });
    const needles = [token, token.slice(10, -4), btoa(token).slice(2, -4)];
    assert.deepEqual(await filesWith(dataFolder(), needles), []);
    const state = await windowState(window);
    assert.ok(state.includes("skillRegistry"), "this is not the window's state");
    const page = await window.page.content();
    for (const needle of needles) {
      assert.ok(!state.includes(needle) && !page.includes(needle));
    }
  });
});

describe("A remedy", () => {
  const window = useWindow();

  it("touches no project of another registry than the one that blocked", async () => {
    const touched: unknown[] = [];
    const untouched = <Part extends object>(part: object): Part =>
      new Proxy(part as Part, {
        get: (target, name) => Reflect.get(target, name) ?? touched.push(name),
      });
    const project = untouched<CurrentProject>({
      onDidChange: () => new vscode.Disposable(() => {}),
    });
    const parts = untouched<InstallParts & KeyProjectParts>({ project });
    const connection = {
      current: async () => ({
        ok: true as const,
        registry: {
          baseUrl: "http://127.0.0.1:9",
          origin: "http://127.0.0.1:9",
        } as ConnectedRegistry,
      }),
    };
    const remedies = new RemedyRunner(parts, untouched({}), parts, connection);
    window.atEnd(() => remedies.dispose());
    const blocked = { slug: "text-stats", version: "", code: "skill_not_installed" };
    for (const remedy of remedyNames) {
      await remedies.run(remedy, { ...blocked, registry: "http://127.0.0.1:10" });
      await window.notification("Not connected to the registry that blocked text-stats").waitFor();
      await vscode.commands.executeCommand("notifications.clearAll");
    }
    assert.deepEqual(touched, []);
  });
});
