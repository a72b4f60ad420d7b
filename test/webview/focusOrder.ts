/** The selector of all focusable elements of a skill's page. */
export const focusable = [
  "vscode-button",
  "button",
  "select",
  "summary",
  "input",
  "pre[tabindex]",
  "vscode-panel-tab[aria-selected=true]",
].join(", ");

/**
 * Runs in the page. Returns the name of the focused element as a screen reader reads it; empty if nothing has the
 * focus.
 */
export function nameOfFocused(): string {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return "";
  const label = focused.closest("label")?.textContent;
  return (focused.getAttribute("aria-label") ?? label ?? focused.textContent ?? "").trim();
}

/**
 * Runs in the page, on any element. Returns the names of all visible elements that match `selector`, in reading order.
 */
export function namesInPage(_root: Element, selector: string): string[] {
  return [...document.querySelectorAll(selector)]
    .filter((each) => each.checkVisibility())
    .map((each) => {
      const label = each.closest("label")?.textContent;
      return (each.getAttribute("aria-label") ?? label ?? each.textContent ?? "").trim();
    });
}
