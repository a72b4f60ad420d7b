import { mkdtemp, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { eventually } from "../eventually";
import type { EditorWindow } from "./window";

/** Waits for the window's own file dialog and answers it with the path of a file outside of its start folder. */
export async function answerFileDialog(window: EditorWindow, path: string): Promise<void> {
  const folder = dirname(path);
  // If the dialog is answered while it still reads the folder, it may read it twice and ignore the answer. It has
  // finished reading once it lists the file that was created there.
  const mark = await mkdtemp(join(folder, "listed-"));
  // The dialog writes into its box again after it has listed its start folder.
  await window.quickInput.locator(".monaco-list-row").first().waitFor();
  await window.typeIntoQuickInput(`${folder}/`);
  await window.quickPickRow(basename(mark)).waitFor();
  await rmdir(mark);
  await window.typeIntoQuickInput(path);
  const ok = window.quickInput.getByRole("button", { name: "OK" });
  await eventually("the dialog to take its answer", async () => {
    if (!(await ok.isVisible())) return true;
    await ok.click({ timeout: 15_000 });
    await ok.waitFor({ state: "hidden", timeout: 10_000 });
    return true;
  });
}
