import { readFile } from "node:fs/promises";
import type { Locator } from "playwright-core";
import { focusable, nameOfFocused, namesInPage } from "../../webview/focusOrder";
import { eventually } from "../eventually";
import type { EditorWindow } from "../window/window";

/** Runs `read` in the page in the editor area. Tries again if the page reloads meanwhile. */
export async function readPage<T>(
  window: EditorWindow,
  read: (root: Element, argument: string) => T,
  argument = "",
): Promise<T> {
  const [value] = await eventually("the page", async () => {
    return [await window.webview.locator("html").evaluate(read, argument)] as const;
  });
  return value;
}

/** Returns the name of the focused element of the page as a screen reader reads it; empty if nothing has the focus. */
export async function focusedName(window: EditorWindow): Promise<string> {
  return readPage(window, nameOfFocused);
}

/**
 * Presses Tab, or `key`, until the named element has the focus. Returns the names of all elements that had it on the
 * way.
 */
export async function tabTo(
  window: EditorWindow,
  name: string | RegExp,
  key = "Tab",
): Promise<string[]> {
  const reached: string[] = [];
  const fits = (found: string) => (typeof name === "string" ? found === name : name.test(found));
  await eventually(`the focus on ${name}`, async () => {
    await window.page.keyboard.press(key);
    reached.push(await focusedName(window));
    return fits(reached.at(-1) ?? "");
  });
  return reached;
}

/**
 * Runs a command from the palette by keyboard until `done` is visible, since a palette that opens while the focus moves
 * closes again. Only for commands that may run twice.
 */
export async function runByKeys(window: EditorWindow, title: string, done: Locator): Promise<void> {
  const command = window.quickInput.locator(".monaco-list-row.focused", { hasText: title });
  await eventually(`what comes of ${title}`, async () => {
    await window.openPalette(title);
    await command.waitFor({ timeout: 15_000 });
    await window.page.keyboard.press("Enter");
    return done.waitFor({ timeout: 10_000 }).then(() => true);
  });
}

/** Lists the names of all visible focusable elements of the page, in reading order. */
export async function namesInOrder(window: EditorWindow): Promise<string[]> {
  return readPage(window, namesInPage, focusable);
}

/** Lists what axe finds wrong in the page, and where. */
export async function axeViolations(window: EditorWindow): Promise<string[]> {
  const axe = await readFile(require.resolve("axe-core/axe.min.js"), "utf8");
  const run = `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"] })})`;
  const { violations } = await eventually("what axe finds", async () => {
    const body = await window.webview.locator("body").elementHandle();
    // The page's policy allows no script, except code that is evaluated in its frame as text.
    const frame = await body?.ownerFrame();
    await frame?.evaluate(axe);
    return (await frame?.evaluate(run)) as AxeResult | undefined;
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Lists the elements of the page that overflow its sides or are clipped. */
export async function beyondSides(window: EditorWindow): Promise<string[]> {
  return readPage(window, () => {
    const { left, right } = document.body.getBoundingClientRect();
    return [...document.querySelectorAll("main *")]
      .filter((each) => {
        const box = each.getBoundingClientRect();
        const isBeyond = box.width > 0 && (box.right > right + 1 || box.left < left - 1);
        // Elements for screen readers only have a size of one pixel.
        const isCut = each.clientWidth > 1 && each.scrollWidth > each.clientWidth + 1;
        return isBeyond || (isCut && getComputedStyle(each).overflowX !== "visible");
      })
      .map((each) => each.outerHTML.slice(0, 200));
  });
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}
