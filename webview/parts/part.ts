import type { ReadyPage } from "../../src/protocol/pageMessages";
import type { Content } from "../element";

/** A part of a skill's page. Its element stays; its content is redrawn only when its facts have changed. */
export interface PagePart {
  readonly element: HTMLElement;
  update(page: ReadyPage): void;
}

/**
 * Creates a part. `read` selects the part's facts of the page, which are compared as JSON; `draw` draws them. `inner`
 * takes parts within it and returns their elements; these redraw by themselves.
 */
export function pagePart<Shown>(
  element: HTMLElement,
  read: (page: ReadyPage) => Shown,
  draw: (shown: Shown, inner: (part: PagePart) => HTMLElement) => readonly Content[],
): PagePart {
  let drawn: string | undefined;
  let within: readonly PagePart[] = [];
  const redraw = redrawing(element);
  return {
    element,
    update: (page) => {
      const shown = read(page);
      const text = JSON.stringify(shown) ?? "";
      if (text === drawn) {
        for (const one of within) one.update(page);
        return;
      }
      drawn = text;
      const parts: PagePart[] = [];
      const content = draw(shown, (one) => {
        parts.push(one);
        one.update(page);
        return one.element;
      });
      within = parts;
      redraw(content);
    },
  };
}

/** Creates a part of several parts, one after another in its element. */
export function partOf(element: HTMLElement, ...parts: readonly PagePart[]): PagePart {
  element.append(...parts.map((one) => one.element));
  return {
    element,
    update: (page) => {
      for (const one of parts) one.update(page);
    },
  };
}

/**
 * Returns a function that redraws the content of an element. Where something in it had the focus, the element of the
 * same name gets it, else the tab above. While the focus is elsewhere, for instance in a picker, no page may take it:
 * it is set when the page is used again.
 */
export function redrawing(root: HTMLElement): (content: readonly Content[]) => void {
  let awaited: HTMLElement | undefined;
  return (content) => {
    const focused = awaited ?? document.activeElement;
    const hadFocus = focused !== null && focused !== root && root.contains(focused);
    root.replaceChildren(...content.filter((one) => one !== undefined));
    if (!hadFocus) return;
    const target = sameIn(root, focused) ?? tabAbove(root);
    if (document.hasFocus()) {
      target?.focus();
      return;
    }
    awaited = target;
    const takeFocus = () => {
      awaited?.focus();
      awaited = undefined;
    };
    window.addEventListener("focus", takeFocus, { once: true });
  };
}

function sameIn(root: HTMLElement, one: Element): HTMLElement | undefined {
  return [...root.querySelectorAll<HTMLElement>(one.tagName)].find(
    (each) => nameOf(each) === nameOf(one) && each.closest("[hidden]") === null,
  );
}

function nameOf(one: Element): string {
  return one.id || (one.getAttribute("aria-label") ?? one.textContent ?? "");
}

function tabAbove(root: HTMLElement): HTMLElement | undefined {
  const tabs = root.closest("vscode-panels");
  return tabs?.querySelector<HTMLElement>("vscode-panel-tab[aria-selected=true]") ?? undefined;
}
