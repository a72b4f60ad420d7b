/** What may stand inside an element: text is always shown as it is, never read as markup. */
export type Content = Node | string | undefined;

/** Attributes by name; `true` sets an empty one, `false` and undefined set none. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Makes an element with attributes and content. */
export function element(tag: string, attributes: Attributes, ...content: Content[]): HTMLElement {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  for (const part of content) if (part !== undefined) made.append(part);
  return made;
}

/** Sets attributes on an element. */
function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    target.setAttribute(name, value === true ? "" : value);
  }
}

/** Makes a toolkit button that does something when pressed. */
export function button(
  label: string,
  press: () => void,
  attributes: Attributes = {},
  icon?: Node,
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
  icon?: Node,
): HTMLElement {
  // The toolkit names an icon button "Icon Button" unless the label is there before the appearance.
  return button(text, press, { "aria-label": label, appearance: "icon", class: "tool" }, icon);
}
