import { mkdtemp, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { eventually } from "../eventually";
import type { EditorWindow } from "./window";

/** Fills the window's own dialog for a file, once it is open, with the path of a file outside the folder it starts with. */
export async function answerFileDialog(window: EditorWindow, path: string): Promise<void> {
  const folder = dirname(path);
  // A dialog that is answered while it still reads the folder may read it twice, and takes no answer any more
  // where the second look overtakes the first. It has read the folder when it lists what was made in it.
  const mark = await mkdtemp(join(folder, "listed-"));
  // The dialog writes into its box once more when it has listed the folder it starts with.
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
