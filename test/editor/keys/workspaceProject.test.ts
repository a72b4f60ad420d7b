import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
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

  it("has a policy edited as a document, which is checked by its schema", async () => {
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
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });
});

describe("A user token, after signing in to a registry elsewhere", () => {
  const window = useWindow({ steps: true });
  const view = () => window.view("Project");
  const press = (key: string) => window.page.keyboard.press(key);
  let registry: LocalRegistry;
  let token = "";

  before(async function () {
    needsDialogs(this);
    registry = await startLocalRegistry();
    token = registry.userTokens.developer;
    window.atEnd(() => vscode.commands.executeCommand("_extensionTests.setLogLevel", "info"));
    await vscode.commands.executeCommand("_extensionTests.setLogLevel", "trace");
    await window.openContainer("Skill Registry");
    window.atEnd(() => view().locator(".pane-header").press("ArrowLeft"));
    await window.connectTo(registry);
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
    await window.editor.locator(".view-lines").first().waitFor();
    const readonly = window.page.locator(".monaco-editor-overlaymessage", {
      hasText: /read-only/i,
    });
    // It goes by itself.
    await eventually("that it is read-only", async () => {
      // A picker that closes may give the focus back to where it was before the document opened.
      await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
      await press("x");
      return readonly.isVisible();
    });
    assert.ok(vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("runs a skill as a test", async () => {
    await openPayload(window, "text-stats");
    await writeValidInput(window, '{"text": "one two"}');
    const question = window.dialog.filter({ hasText: "Test run text-stats@" });
    await window.codeLens("More…").click();
    await window.choose("Test Run");
    await question.waitFor();
    await window.pressInDialog("Test run text-stats@", "Run");
    await window.statusBarItem(/text-stats: .*success/).waitFor();
  });

  it("stands in no file, log or store of the window, nor on its screen, but encrypted", async () => {
    await vscode.commands.executeCommand("skillRegistry.refresh");
    await window.storeState();
    await eventually("the registry on the disk", async () => {
      return (await filesWith(dataFolder(), [registry.baseUrl])).length > 0;
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
