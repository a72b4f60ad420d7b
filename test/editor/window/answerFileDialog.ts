import { eventually } from "../eventually";
import type { EditorWindow } from "./window";

/** Fills the window's own dialog for a file, once it is open, with an absolute path. */
export async function answerFileDialog(window: EditorWindow, path: string): Promise<void> {
  // The dialog writes into its box once more when it has listed the folder it starts with.
  await window.quickInput.locator(".monaco-list-row").first().waitFor();
  await window.typeIntoQuickInput(path);
  const ok = window.quickInput.getByRole("button", { name: "OK" });
  let typedAt = Date.now();
  await eventually("the dialog to take its answer", async () => {
    // It takes none while it looks at what was typed, and may have looked before the folder was listed.
    if (Date.now() - typedAt > 10_000) {
      await window.typeIntoQuickInput(`${path}.`);
      await window.typeIntoQuickInput(path);
      typedAt = Date.now();
    }
    await ok.click({ timeout: 1000 }).catch(() => undefined);
    return !(await ok.isVisible());
  });
}
