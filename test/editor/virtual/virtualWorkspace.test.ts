import { strict as assert } from "node:assert";
import { homedir } from "node:os";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import { MemoryFiles } from "../../fixtures/memoryFiles";
import { eventually } from "../eventually";
import { openPayload, problemsOfActiveEditor, writeValidInput } from "../payloads";
import { outputText } from "../window/outputText";
import { useWindow } from "../window/useWindow";

const scheme = "memory-files";
const input = vscode.Uri.parse(`${scheme}://anywhere/project/text-stats.one.skill-input.json`);

describe("A virtual workspace", () => {
  const window = useWindow({ showsOutput: true });

  before(async () => {
    const files = new MemoryFiles(vscode, {
      "project/text-stats.one.skill-input.json": '{ "text": "One two three." }\n',
      "project/text-stats.none.skill-input.json": "{}\n",
      "project/.vscode/settings.json": '{ "skillRegistry.baseUrl": "http://127.0.0.1:9/x" }',
    });
    const registration = vscode.workspace.registerFileSystemProvider(scheme, files);
    window.atEnd(() => registration.dispose());
  });

  const textOf = async (uri: vscode.Uri) =>
    Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();

  it("supports everything in the manifest except a search for payloads", async () => {
    // The editor may read the workspace's file after its extensions have started.
    const folders = await eventually("the workspace's folder", () => {
      const found = vscode.workspace.workspaceFolders ?? [];
      return found.length > 0 && found;
    });
    assert.deepEqual(
      folders.map(({ uri }) => uri.scheme),
      [scheme],
    );
    const ours = vscode.extensions.getExtension("skill-registry.skill-registry");
    const { supported, description } = ours?.packageJSON.capabilities.virtualWorkspaces ?? {};
    assert.equal(supported, "limited");
    assert.match(description, /Test Explorer/);
  });

  it("lists the skills of the user's registry, whatever its settings say", async () => {
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Text statistics/).waitFor();
  });

  it("has its payloads bound, checked and fixed in place", async () => {
    await vscode.window.showTextDocument(
      vscode.Uri.joinPath(input, "../text-stats.none.skill-input.json"),
    );
    await window.statusBarItem("text-stats: 1 problem").waitFor();
    await eventually("the problem", () => problemsOfActiveEditor().join() === "required {");
  });

  it("invokes with a payload of its own, and records the invocation on this machine", async () => {
    await vscode.window.showTextDocument(input);
    await vscode.commands.executeCommand("skillRegistry.bindPayload", "text-stats");
    await window.statusBarItem(/text-stats@1\.0\.0: valid/).waitFor();
    await writeValidInput(window, '{ "text": "One two three four five." }\n');
    await vscode.commands.executeCommand("workbench.action.files.save");
    assert.match(await textOf(input), /four five/);
    await window.runCommand("Skill Registry: Invoke Skill");
    await eventually("the output", () => outputText().includes('"words": 5'));
    await window.openContainer("Skill Registry");
    const row = window
      .view("Invocations")
      .getByRole("treeitem", { name: /^text-stats@1\.0\.0, success/ });
    const output = await eventually("the output of the record", async () => {
      // While the editor redraws the rows, clicks on them do nothing.
      await window.pressRow(row.first());
      const shown = () => {
        const { document } = vscode.window.activeTextEditor ?? {};
        return document?.uri.scheme === "skill-output" && document;
      };
      return eventually("its text", shown, 5);
    });
    assert.match(output.getText(), /"words": 5/);
    const id = new URLSearchParams(output.uri.query).get("id");
    await vscode.commands.executeCommand("skillRegistry.openInvocation", { id });
    const opened = vscode.window.activeTextEditor?.document.getText() ?? "";
    assert.match(opened, /four five/);
  });

  it("proposes a path for a new payload in the project, or in the user's home on a server", async () => {
    const { document } = await openPayload(window, "text-stats");
    const folder = vscode.env.remoteName === undefined ? "/project" : homedir();
    assert.equal(document.isUntitled, true);
    assert.equal(document.uri.path, `${folder}/text-stats.skill-input.json`);
    await writeValidInput(window, '{ "text": "Here as well." }');
  });
});
