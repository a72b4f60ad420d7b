import { strict as assert } from "node:assert";
import { before, it } from "mocha";
import * as vscode from "vscode";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { eventually } from "../eventually";
import { openPayload, writeValidInput } from "../payloads";
import { needsDialogs } from "../window/needsDialogs";
import { outputText } from "../window/outputText";
import { useWindow } from "../window/useWindow";

/** Where what is opened brings settings of ours that would lead elsewhere, or keep nothing. */
export type ForeignSettings = "folder" | "workspace";

/**
 * Defines, inside a `describe`, tests that calls and their key go to the registry of the user's own
 * settings, by the user's own limits, whatever the settings of what is opened say.
 */
export function invokesUsersRegistry(brought: ForeignSettings): void {
  const window = useWindow({ showsOutput: true });
  let registry: ForeignRegistry;

  before(async function () {
    needsDialogs(this);
    registry = await startForeignRegistry({ dialect: "camel" });
    await window.set("skillRegistry.history.keepTexts", "always");
    await window.connectTo(registry);
  });

  it("is a window whose settings would lead elsewhere", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const file =
      brought === "workspace"
        ? vscode.workspace.workspaceFile
        : folder && vscode.Uri.joinPath(folder, ".vscode/settings.json");
    assert.ok(file !== undefined);
    const text = Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
    assert.match(text, /"skillRegistry\.baseUrl": "http:\/\/127\.0\.0\.1:9/);
    assert.match(text, /"skillRegistry\.history\.maxEntries": 1,?$/m);
  });

  it("sends invocations and key to the user's own registry, and keeps them all", async () => {
    await openPayload(window, "word-tally");
    for (const [index, text] of ["one", "one two", "one two three"].entries()) {
      await writeValidInput(window, JSON.stringify({ text }));
      const call = vscode.commands.executeCommand("skillRegistry.invoke");
      if (index === 0) {
        await window.pressInDialog("Invoke word-tally@2.1.0?", "Invoke");
        await window.answer(registry.projectKey);
      }
      await call;
      await eventually("the output", () => outputText().includes(`"words": ${index + 1}`));
    }
    const posts = registry.requests.filter(({ path }) => path === "/v1/runtime/invoke");
    assert.equal(posts.length, 3);
    for (const { headers } of posts) {
      assert.equal(headers.authorization, `Bearer ${registry.projectKey}`);
    }
    await window.openContainer("Skill Registry");
    const rows = window
      .view("Invocations")
      .getByRole("treeitem", { name: /^word-tally@2\.1\.0, success/ });
    await eventually("three rows", async () => (await rows.count()) === 3);
  });
}
