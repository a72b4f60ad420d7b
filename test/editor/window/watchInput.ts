/** Runs in the window: returns whether a menu's entry is focused, and notes whether its menu gets the next key. */
export function watchKey(entry: Element): boolean {
  const menu = entry.closest(".monaco-menu");
  const { dataset } = document.documentElement;
  dataset["tookKey"] = "no";
  const note = (event: Event) => {
    if (menu !== null && event.composedPath().includes(menu)) dataset["tookKey"] = "yes";
  };
  addEventListener("keydown", note, { capture: true, once: true });
  return entry.closest(".action-item")?.classList.contains("focused") ?? false;
}
/** Runs in the window: notes whether an element gets the next click. A row of a list must still be the same row. */
export function watchClick(element: Element): void {
  const { dataset } = document.documentElement;
  const { ariaLabel } = element;
  const isRow = element.classList.contains("monaco-list-row");
  dataset["tookClick"] = "no";
  const note = (event: Event) => {
    const isSame = !isRow || element.ariaLabel === ariaLabel;
    if (isSame && event.composedPath().includes(element)) dataset["tookClick"] = "yes";
  };
  addEventListener("click", note, { capture: true, once: true });
}
