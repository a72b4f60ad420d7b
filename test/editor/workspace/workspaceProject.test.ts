import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import { filesWith } from "../connect/filesWith";
import { windowState } from "../connect/windowState";
import { dataFolder } from "../dataFolder";
import { eventually } from "../eventually";
import { needsDialogs } from "../window/needsDialogs";
import { useWindow } from "../window/useWindow";

/** Starts a command for a skill, or for one that the test then chooses. */
function run(name: string, slug?: string): void {
  void vscode.commands.executeCommand(`skillRegistry.${name}`, slug);
}

describe("A user token, after signing in to a registry elsewhere", () => {
  const window = useWindow({ steps: true });
  const view = () => window.view("Project");
  let registry: LocalRegistry;
  let token = "";

  before(async function () {
    needsDialogs(this);
    registry = await startLocalRegistry();
    token = registry.userTokens.owner;
    window.atEnd(() => vscode.commands.executeCommand("_extensionTests.setLogLevel", "info"));
    await vscode.commands.executeCommand("_extensionTests.setLogLevel", "trace");
    await window.openContainer("Skill Registry");
    window.atEnd(() => view().locator(".pane-header").press("ArrowLeft"));
    await window.connectTo(registry);
  });

  it("that was pasted shows the project, and appears in the Accounts menu", async () => {
    run("signIn");
    await window.choose("User Token");
    await window.typeIntoQuickInput(registry.projectKey);
    await window.quickInput.getByText("This is a Project Key").waitFor();
    await window.answer(token);
    await window.treeRow(/^Installed Skills, 12/).waitFor();
    // As the Accounts menu does.
    const accounts = await vscode.authentication.getAccounts("skill-registry");
    assert.match(accounts.map(({ label }) => label).join(), /^owner@local\.example \(/);
  });

  it("of an owner can edit a policy as a document, which is checked by its schema", async () => {
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

  it("appears in no file, log or store of the window, nor on its screen, except encrypted", async () => {
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
