import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import type { EditorWindow } from "../window/window";

/**
 * Selects rows of the Skills view with the mouse. Tries again if a redraw cleared the selection. Opens no pages, which
 * would appear later and disturb the test.
 */
export async function selectRows(window: EditorWindow, rows: readonly RegExp[]): Promise<void> {
  assert.ok(rows.length > 0);
  const selected = window.view("Skills").locator(".monaco-list-row.selected");
  await eventually("the rows selected", async () => {
    await vscode.commands.executeCommand("skillRegistry.skills.focus");
    await vscode.commands.executeCommand("list.clear");
    for (const row of rows) {
      await window.pointAt(window.treeRow(row));
      await window.treeRow(row).click({ modifiers: ["ControlOrMeta"], timeout: 15_000 });
    }
    return (await selected.count()) === rows.length;
  });
}
