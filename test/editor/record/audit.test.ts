import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { openPayload, writeValidInput } from "../payloads";
import { outputText } from "../window/outputText";
import { useWindow } from "../window/useWindow";

/** What the rest of the record does is tested in memory; this is what VS Code calls its channels. */
describe("The output channel", () => {
  const window = useWindow({ showsOutput: true });
  it("opens an invocation from its header", async () => {
    await openPayload(window, "text-stats");
    await writeValidInput(window, '{ "text": "One." }');
    await vscode.commands.executeCommand("skillRegistry.invoke");
    await eventually("the block", () => outputText().includes("text-stats@"));
    const channel = vscode.workspace.textDocuments.find(
      (document) => document.uri.scheme === "output" && document.getText().includes("text-stats@"),
    );
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      "vscode.executeLinkProvider",
      channel?.uri,
    );
    const paths = links.map(({ target }) => target?.path);
    assert.ok(paths.includes("skillRegistry.openInvocation"), paths.join());
  });
});
