import type { Locator } from "playwright-core";

/** Reads the lines of a text editor that are on the screen, from top to bottom. */
export async function visibleText(editor: Locator): Promise<string> {
  const lines = await editor.locator(".view-line").evaluateAll((elements) =>
    elements
      .map((element) => ({
        top: Number.parseFloat((element as HTMLElement).style.top),
        text: element.textContent ?? "",
      }))
      .sort((one, other) => one.top - other.top)
      .map(({ text }) => text.replaceAll("\u00a0", " ")),
  );
  return lines.join("\n");
}
