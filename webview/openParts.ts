/** Notes which parts of the page are open. Returns what opens the same ones after a change. */
export function rememberOpenParts(root: HTMLElement): () => void {
  const before = new Map(partsOf(root).map((part) => [part.dataset["path"], part.open]));
  return () => {
    for (const part of partsOf(root)) part.open = before.get(part.dataset["path"]) ?? part.open;
  };
}

function partsOf(root: HTMLElement): HTMLDetailsElement[] {
  return [...root.querySelectorAll<HTMLDetailsElement>("details[data-path]")];
}
