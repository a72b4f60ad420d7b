import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "./eventually";
import { problemsOfActiveEditor } from "./payloads";
import { lastBlock, outputText } from "./window/outputText";
import { useWindow } from "./window/useWindow";

describe("The main job, with the built-in registry", () => {
  const window = useWindow({ steps: true, showsOutput: true });

  async function openWalkthrough(): Promise<void> {
    // VS Code 1.110 opens its own walkthrough if it has not read those of extensions yet.
    let patience = 500;
    await eventually("the walkthrough", async () => {
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      const id = "skill-registry.skill-registry#firstSteps";
      await vscode.commands.executeCommand("workbench.action.openWalkthrough", id);
      const title = window.page.getByText("Get Started with Skill Registry").first();
      patience *= 2;
      return title.waitFor({ timeout: patience }).then(() => true);
    });
  }

  it("shows the walkthrough", async () => {
    // The editor tracks a walkthrough's steps once the walkthrough was shown, and a view's once it is visible.
    await vscode.commands.executeCommand("workbench.view.explorer");
    await openWalkthrough();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("lists skills with version, permission level, status and publisher", async () => {
    await window.openContainer("Skill Registry");
    const row = window.treeRow(
      /^Text statistics, verified, low permissions, free, 1\.0\.0, Plainworks/,
    );
    await row.waitFor();
  });

  it("shows the page of a skill when its row is chosen", async () => {
    // Rows that are being redrawn ignore clicks.
    await window.pressUntil(
      window.treeRow(/^Text statistics/),
      window.webview.getByRole("heading", { name: "Text statistics", level: 1 }),
    );
    for (const words of [
      "text-stats@1.0.0",
      "Plainworks",
      "Verified",
      "Does not use the network",
    ]) {
      await window.webview.getByText(words).filter({ visible: true }).first().waitFor();
    }
  });

  it("opens the form of a skill by the button of its row", async () => {
    const row = window.treeRow(/^Text statistics/);
    await window.pressRow(row, row.getByRole("button", { name: "Try Skill" }));
    await window.webview.getByRole("button", { name: "Invoke", exact: true }).waitFor();
  });

  it("opens a valid payload from the page, bound to the skill", async () => {
    await window.webview.getByRole("button", { name: "Open Payload" }).click();
    // The output channel may have been the active editor before.
    await eventually("the payload's editor", () => {
      const { fileName = "", languageId } = vscode.window.activeTextEditor?.document ?? {};
      return /text-stats\.skill-input\.json$/.test(fileName) && languageId === "json";
    });
    await window.statusBarItem(/text-stats@1\.0\.0: valid/).waitFor();
    await window.codeLens(/Invoke text-stats@1\.0\.0/).waitFor();
    assert.deepEqual(problemsOfActiveEditor(), []);
  });

  it("invokes and shows output and invocation ID", async () => {
    await window.replaceText('{ "text": "One two three. Four five." }');
    await window.statusBarItem(/text-stats@1\.0\.0: valid/).waitFor();
    await window.press(window.editorAction("Invoke Skill"));
    const block = await eventually("the block", () => {
      const newest = lastBlock();
      return /"words": 5[\s\S]*\n\}/.test(newest) && newest;
    });
    assert.match(
      block,
      /^── \d{4}-\d\d-\d\dT[\d:.]+Z {2}text-stats@1\.0\.0 {2}success {2}\d+ ms$/m,
    );
    assert.match(block, /^Invocation ID: [0-9a-f-]{36}$/m);
    assert.match(block, /"words": 5/);
    const channel = vscode.workspace.textDocuments.find(
      ({ uri, getText }) => uri.scheme === "output" && getText().includes("text-stats@"),
    );
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      "vscode.executeLinkProvider",
      channel?.uri,
    );
    const paths = links.map(({ target }) => target?.path);
    assert.ok(paths.includes("skillRegistry.openInvocation"), paths.join());
  });

  it("shows the result beside the payload, which keeps the focus, and then the next result in its place", async () => {
    const result = () =>
      vscode.window.visibleTextEditors.filter(
        ({ document }) => document.uri.scheme === "skill-output",
      );
    const [first] = await eventually("the result", () => result().length === 1 && result());
    assert.equal(JSON.parse(first?.document.getText() ?? "").words, 5);
    assert.equal(first?.viewColumn, 2);
    assert.match(vscode.window.activeTextEditor?.document.fileName ?? "", /text-stats\./);
    await window.replaceText('{ "text": "One two." }');
    await window.statusBarItem(/text-stats@1\.0\.0: valid/).waitFor();
    const isNext = () => result().some(({ document }) => /"words": 2/.test(document.getText()));
    await eventually("the next result", async () => {
      // A lens that is redrawn under the mouse ignores the click.
      await window.codeLens(/Invoke text-stats/).click({ timeout: 15_000 });
      return eventually("the next result", isNext, 15);
    });
    // The result is shown before its block in the output channel, which later tests read.
    await eventually("its block", () => /"words": 2/.test(lastBlock()));
    const outputs = window.page.locator(".tabs-container .tab", { hasText: "output" });
    // A tab is drawn after its text.
    await eventually("one tab", async () => (await outputs.count()) === 1);
    const shown = window.page.locator('.monaco-editor[data-uri^="skill-output"]');
    const lens = (text: string) => shown.locator(".codelens-decoration a", { hasText: text });
    await eventually("the output", async () => {
      await lens("Copy").click({ timeout: 15_000 });
      const isCopied = async () =>
        /^\{.*"words":\s*2\b.*\}$/s.test(await vscode.env.clipboard.readText());
      return eventually("the clipboard", isCopied, 5);
    });
    await window.page
      .getByText(/^[\d.]+ m?s · free · [0-9a-f]{8}…$/)
      .first()
      .waitFor();
    await lens("Compare").waitFor();
  });

  it("keeps the invocation in the record, to open, copy and run again", async () => {
    // Below the day, the newest invocation comes first. It can arrive after its block, and then the rows move.
    const row = window.view("Invocations").getByRole("treeitem").nth(1);
    const id = /^Invocation ID: (.*)$/m.exec(lastBlock())?.[1];
    const isOpen = () => {
      const { document } = vscode.window.activeTextEditor ?? {};
      const isOutput = document?.uri.scheme === "skill-output";
      return isOutput && document.getText().includes('"words": 2');
    };
    await eventually("the newest call", async () => {
      await window.pressRow(row);
      return eventually("its output", isOpen, 5);
    });
    await eventually("the ID", async () => {
      await window.pointAt(row);
      await row.getByRole("button", { name: "Copy Invocation ID" }).click({ timeout: 5_000 });
      const isCopied = async () => (await vscode.env.clipboard.readText()) === id;
      return eventually("the ID in the clipboard", isCopied, 5);
    });
    const blocks = () => outputText().match(/^── /gm)?.length ?? 0;
    const before = blocks();
    await window.pressRow(row, row.getByRole("button", { name: "Rerun Invocation" }));
    await eventually("another block", () => blocks() === before + 1);
  });

  it("has completed every step of the walkthrough", async () => {
    const row = window.view("Invocations").getByRole("treeitem").nth(1);
    window.atEnd(() => window.chooseFromMenu(row, "Unpin Invocation"));
    await window.chooseFromMenu(row, "Pin Invocation");
    await openWalkthrough();
    const steps = window.page.locator(".getting-started-step [data-done-step-id]");
    const done = steps.and(window.page.locator("[aria-checked=true]"));
    await eventually("five completed steps", async () => (await done.count()) === 5);
    assert.equal(await steps.count(), 5);
  });
});
