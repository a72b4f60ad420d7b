import { strict as assert } from "node:assert";
import { eventually } from "./eventually";
import type { EditorWindow } from "./window";

/** Selects rows of the Skills view with the mouse, again where rows that are listed anew meanwhile take the selection away. */
export async function selectRows(
  window: EditorWindow,
  [first, ...others]: readonly RegExp[],
): Promise<void> {
  assert.ok(first !== undefined);
  const selected = window.view("Skills").locator(".monaco-list-row.selected");
  const click = async (row: RegExp, modifiers: "ControlOrMeta"[] = []) => {
    await window.pointAt(window.treeRow(row));
    await window.treeRow(row).click({ modifiers, timeout: 15_000 });
  };
  await eventually("the rows selected", async () => {
    await click(first);
    for (const row of others) await click(row, ["ControlOrMeta"]);
    return (await selected.count()) === 1 + others.length;
  });
}
