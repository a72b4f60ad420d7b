import type { ReadyPage } from "../../src/protocol/pageMessages";
import { type Content, refill } from "../element";

/** A part of a skill's page. It keeps its element and redraws its content only when its data changes. */
export interface PagePart {
  readonly element: HTMLElement;
  update(page: ReadyPage): void;
}

/**
 * Creates a part. `read` selects the part's data, which is compared as JSON; `draw` draws it. `inner` adds a nested
 * part, which redraws by itself, and returns its element.
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
        for (const part of within) part.update(page);
        return;
      }
      drawn = text;
      const parts: PagePart[] = [];
      const content = draw(shown, (item) => {
        parts.push(item);
        item.update(page);
        return item.element;
      });
      within = parts;
      redraw(content);
    },
  };
}

/** Returns the named members of an object, for a part that shows only these. */
export function picked<Whole extends object, Name extends keyof Whole>(
  whole: Whole,
  ...names: readonly Name[]
): Pick<Whole, Name> {
  return Object.fromEntries(names.map((name) => [name, whole[name]])) as Pick<Whole, Name>;
}

/** Combines several parts in one element. */
export function partOf(element: HTMLElement, ...parts: readonly PagePart[]): PagePart {
  element.append(...parts.map((item) => item.element));
  return {
    element,
    update: (page) => {
      for (const part of parts) part.update(page);
    },
  };
}

/**
 * Returns a function that redraws the content of an element. If the focus was inside, it moves to the matching new
 * element, else to the tab above. If the window's focus is outside of the page, for instance in a picker, the page
 * waits until it returns.
 */
export function redrawing(root: HTMLElement): (content: readonly Content[]) => void {
  let awaited: HTMLElement | undefined;
  return (content) => {
    const focused = awaited ?? document.activeElement;
    const hadFocus = focused !== null && focused !== root && root.contains(focused);
    refill(root, content);
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

function sameIn(root: HTMLElement, element: Element): HTMLElement | undefined {
  return [...root.querySelectorAll<HTMLElement>(element.tagName)].find(
    (each) => nameOf(each) === nameOf(element) && each.closest("[hidden]") === null,
  );
}

function nameOf(element: Element): string {
  return element.id || (element.getAttribute("aria-label") ?? element.textContent ?? "");
}

function tabAbove(root: HTMLElement): HTMLElement | undefined {
  const tabs = root.closest("vscode-panels");
  return tabs?.querySelector<HTMLElement>("vscode-panel-tab[aria-selected=true]") ?? undefined;
}
