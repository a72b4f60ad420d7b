import { readFile } from "node:fs/promises";
import type { Locator } from "playwright-core";
import { focusable, nameOfFocused, namesInPage } from "../../webview/focusOrder";
import { eventually } from "../eventually";
import type { EditorWindow } from "../window/window";

/** Runs `read` in the page that is open in the editor area, again where the page is written anew meanwhile. */
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

/** Names what has the focus inside the page as a screen reader would; empty where nothing has. */
export async function focusedName(window: EditorWindow): Promise<string> {
  return readPage(window, nameOfFocused);
}

/** Presses Tab, or `key`, until what is named has the focus. Answers everything that had it on the way. */
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
 * Runs a command from the palette by its keys until `done` is there: a palette that opens while the focus moves
 * closes again. For what may be run twice.
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

/** Names everything in the page that can have the focus and is on the screen, in the order it is read. */
export async function namesInOrder(window: EditorWindow): Promise<string[]> {
  return readPage(window, namesInPage, focusable);
}

/** Lists what axe finds wrong in the page, and where. */
export async function axeViolations(window: EditorWindow): Promise<string[]> {
  const axe = await readFile(require.resolve("axe-core/axe.min.js"), "utf8");
  const run = `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"] })})`;
  const { violations } = await eventually("what axe finds", async () => {
    const body = await window.webview.locator("body").elementHandle();
    // The page's own rules allow no script but what is evaluated in its frame as text.
    const frame = await body?.ownerFrame();
    await frame?.evaluate(axe);
    return (await frame?.evaluate(run)) as AxeResult | undefined;
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Lists what of the page reaches beyond its sides, or is cut off inside of it. */
export async function beyondSides(window: EditorWindow): Promise<string[]> {
  return readPage(window, () => {
    const { left, right } = document.body.getBoundingClientRect();
    return [...document.querySelectorAll("main *")]
      .filter((each) => {
        const box = each.getBoundingClientRect();
        const isBeyond = box.width > 0 && (box.right > right + 1 || box.left < left - 1);
        // What is there for a screen reader alone has one pixel.
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
