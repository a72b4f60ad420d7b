import { strict as assert } from "node:assert";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, before, describe, it } from "mocha";
import * as vscode from "vscode";
import { startForeignRegistry } from "../../fixtures/registries/foreignRegistry";
import { plainManifest, startManifestRegistry } from "../../fixtures/registries/manifestRegistry";
import { eventually } from "../eventually";
import { openPayload, problemsAre, problemsOfActiveEditor } from "../payloads";
import { answerFileDialog } from "../window/answerFileDialog";
import { needsDialogs } from "../window/needsDialogs";
import { useWindow } from "../window/useWindow";

describe("What a payload is bound to", () => {
  const window = useWindow();
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "skill-inputs-"));
    window.atEnd(() => rm(folder, { recursive: true, force: true }));
  });

  let connected: { close(): unknown } | undefined;
  /** Connects to a registry until the test ends. */
  async function connectTo(registry: { baseUrl: string; close(): unknown }): Promise<void> {
    connected = registry;
    await vscode.commands.executeCommand("skillRegistry.connect", registry.baseUrl);
  }
  afterEach(async () => {
    if (connected === undefined) return;
    await vscode.commands.executeCommand("skillRegistry.connect", "");
    await connected.close();
    connected = undefined;
  });

  /** Opens an input for csv-profile that is bound to an earlier version. */
  async function openEarlier(version: string): Promise<vscode.TextEditor> {
    const editor = await openPayload(window, "csv-profile");
    const command = "skillRegistry.editor.moveToVersion";
    await vscode.commands.executeCommand(command, editor.document.uri, version);
    await window.replaceText('{"text": "a,b\\n1,2"}');
    await window.statusBarItem(`csv-profile@${version}: valid`).waitFor();
    return editor;
  }

  /** The row that moves the input to a version, in the list of what that changes. */
  const move = (version: string) =>
    window.quickInput.locator(".monaco-list-row", { hasText: `Update to ${version}` });

  it("stays with its version, tells what a newer one changes, and moves when asked", async () => {
    await openEarlier("1.1.0");
    await eventually("the news", () =>
      problemsOfActiveEditor().some((one) => /^version /.test(one)),
    );
    const [news] = vscode.languages
      .getDiagnostics(vscode.window.activeTextEditor?.document.uri ?? vscode.Uri.file("/"))
      .filter(({ code }) => code === "version");
    assert.equal(news?.severity, vscode.DiagnosticSeverity.Information);
    assert.match(news?.message ?? "", /Removed text/);
    assert.match(news?.message ?? "", /Added csv/);
    const changes = window.quickInput.getByText(/Removed text/);
    await window.pressUntil(window.codeLens(/New version 2\.0\.0: what changed/), changes);
    await window.takeRow(move("2.0.0"));
    await window.statusBarItem(/csv-profile@2\.0\.0: 2 problems/).waitFor();
    await problemsAre('additionalProperties "text"', "required {");
    await window.codeLens(/New version/).waitFor({ state: "detached" });
  });

  it("follows an untitled payload that is saved under another name", async () => {
    await openEarlier("1.0.0");
    const saved = vscode.commands.executeCommand("workbench.action.files.saveAs");
    await answerFileDialog(window, join(folder, "table.json"));
    await saved;
    await eventually("the file", () =>
      vscode.window.activeTextEditor?.document.uri.path.endsWith("/table.json"),
    );
    await window.statusBarItem("csv-profile@1.0.0: valid").waitFor();
  });

  it("follows a folder that is renamed, in both halves of a split editor", async () => {
    await mkdir(join(folder, "in"));
    await writeFile(join(folder, "in", "one.json"), '{"text": 5}');
    const before = vscode.Uri.file(join(folder, "in", "one.json"));
    await vscode.window.showTextDocument(before);
    await vscode.commands.executeCommand("skillRegistry.bindPayload", "text-stats");
    await window.statusBarItem(/text-stats@.*: 1 problem/).waitFor();
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(vscode.Uri.file(join(folder, "in")), vscode.Uri.file(join(folder, "out")));
    await vscode.workspace.applyEdit(edit);
    const now = vscode.Uri.file(join(folder, "out", "one.json"));
    for (const viewColumn of [vscode.ViewColumn.One, vscode.ViewColumn.Two]) {
      // The editor of the old name opens the file anew by itself, and ends what is under way then.
      await eventually(`the renamed file in column ${viewColumn}`, async () =>
        vscode.window.showTextDocument(now, { viewColumn }),
      );
    }
    await window.statusBarItem(/text-stats@.*: 1 problem/).waitFor();
    await problemsAre("type 5");
    await eventually(
      "no problem of the old file",
      () => vscode.languages.getDiagnostics(before).length === 0,
    );
  });

  it("is not sent by another version where the registry knows only its newest", async () => {
    const registry = await startForeignRegistry({ dialect: "camel", detail: "full" });
    await connectTo(registry);
    const editor = await openPayload(window, "word-tally");
    const command = "skillRegistry.editor.moveToVersion";
    await vscode.commands.executeCommand(command, editor.document.uri, "1.0.0");
    await window.statusBarItem(/word-tally@1\.0\.0: not checked/).waitFor();
    await eventually("the news", () => problemsOfActiveEditor().length === 2);
    await vscode.commands.executeCommand("skillRegistry.invoke");
    await window.notification(/instead of word-tally 1\.0\.0/).waitFor();
    assert.deepEqual(
      registry.requests.filter(({ path }) => path === "/v1/runtime/invoke"),
      [],
    );
    await window.pressUntil(window.codeLens(/New version/), move(""));
    await window.takeRow(move(""));
    await window.statusBarItem(/word-tally@.*: valid/).waitFor();
  });

  it("is the skill that a file's whole name spells, dots and capitals too; a label is asked about", async function () {
    needsDialogs(this);
    const slugs = ["acme", "acme.csv-clean", "CSV_Clean"];
    const registry = await startManifestRegistry(
      Object.fromEntries(slugs.map((slug) => [slug, plainManifest(slug)])),
    );
    await connectTo(registry);
    const open = async (name: string) => {
      const path = join(folder, `${name}.skill-input.json`);
      await writeFile(path, "{}");
      await vscode.window.showTextDocument(vscode.Uri.file(path));
    };
    await open("acme.csv-clean");
    await window.statusBarItem("acme.csv-clean@1.0.0: valid").waitFor();
    await open("CSV_Clean.2");
    await window.statusBarItem("CSV_Clean@1.0.0: valid").waitFor();
    await open("acme.other");
    await window.statusBarItem("acme: valid").waitFor();
    const invoked = vscode.commands.executeCommand("skillRegistry.invoke");
    await window.dialog.getByText("The file is named after acme.other").waitFor();
    await window.pressInDialog("Send this payload to acme?", "Cancel");
    await invoked;
    assert.ok(registry.requests.every(({ method }) => method === "GET"));
  });

  it("is known for documents of other schemes", async () => {
    const files = new Map([["/remote/text-stats.skill-input.json", '{"text": 5}']]);
    const provider = vscode.workspace.registerTextDocumentContentProvider("far-away", {
      provideTextDocumentContent: ({ path }) => files.get(path) ?? "",
    });
    window.atEnd(() => provider.dispose());
    const uri = vscode.Uri.parse("far-away:/remote/text-stats.skill-input.json");
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    await window.statusBarItem(/text-stats@.*: 1 problem/).waitFor();
    await problemsAre("type 5");
  });
});
