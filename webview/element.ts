import type { Attributes, Markup } from "../src/page/markup";
import { live, setAttributes } from "./live";

/** What may stand inside an element: text is always shown as it is, never read as markup. */
export type Content = Node | Markup | string | undefined;

/** Makes an element with attributes and content. */
export function element(tag: string, attributes: Attributes, ...content: Content[]): HTMLElement {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  for (const part of content) {
    if (part === undefined) continue;
    made.append(part instanceof Node || typeof part === "string" ? part : live(part));
  }
  return made;
}

/** Makes a toolkit button that does something when pressed. */
export function button(
  label: string,
  press: () => void,
  attributes: Attributes = {},
  icon?: Markup,
): HTMLElement {
  const appearance = attributes["appearance"] ?? "secondary";
  const made = element("vscode-button", { ...attributes, appearance }, icon, label);
  made.addEventListener("click", press);
  return made;
}

/** Makes a quiet toolkit button for a place with several of them. `label` is read out instead of `text`. */
export function toolButton(
  text: string,
  label: string,
  press: () => void,
  icon?: Markup,
): HTMLElement {
  // The toolkit names an icon button "Icon Button" unless the label is there before the appearance.
  return button(text, press, { "aria-label": label, appearance: "icon", class: "tool" }, icon);
}
