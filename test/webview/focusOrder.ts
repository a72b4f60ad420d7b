/** Selects what of a skill's page can have the focus. */
export const focusable = [
  "vscode-button",
  "button",
  "select",
  "summary",
  "input",
  "pre[tabindex]",
  "vscode-panel-tab[aria-selected=true]",
].join(", ");

/** Runs in the page. Names what has the focus as a screen reader would; empty where nothing has. */
export function nameOfFocused(): string {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return "";
  const label = focused.closest("label")?.textContent;
  return (focused.getAttribute("aria-label") ?? label ?? focused.textContent ?? "").trim();
}

/** Runs in the page, on any element of it. Names what `selector` selects and is on the screen, in the order it is read. */
export function namesInPage(_root: Element, selector: string): string[] {
  return [...document.querySelectorAll(selector)]
    .filter((each) => each.checkVisibility())
    .map((each) => {
      const label = each.closest("label")?.textContent;
      return (each.getAttribute("aria-label") ?? label ?? each.textContent ?? "").trim();
    });
}
