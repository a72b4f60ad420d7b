import type { Translate } from "../src/core/text/language";
import { type Attributes, icon, type Markup } from "../src/page/markup";
import type { PageMessage } from "../src/protocol/pageMessages";

/** The content of an element: text is always shown as it is, never read as markup. */
export type Content = Node | Markup | string | undefined;

/** Creates an element with attributes and content. */
export function element(tag: string, attributes: Attributes, ...content: Content[]): HTMLElement {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  for (const part of content) {
    if (part === undefined) continue;
    made.append(part instanceof Node || typeof part === "string" ? part : live(part));
  }
  return made;
}

/** Creates a toolkit button with an action. */
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

/** Creates a subtle toolkit button for places with several of them. Screen readers read `label` instead of `text`. */
export function toolButton(
  text: string,
  label: string,
  press: () => void,
  icon?: Markup,
): HTMLElement {
  // The toolkit names an icon button "Icon Button" unless the label is set before the appearance.
  return button(text, press, { "aria-label": label, appearance: "icon", class: "tool" }, icon);
}

/** The context of every part of the page: the reader's language and the connection to the host. */
export interface PageContext {
  readonly t: Translate;
  readonly send: (message: PageMessage) => void;
}

/**
 * Creates a part of the page with its heading. It has no accessible name, so that it does not become one of a
 * dozen landmarks.
 */
export function section(id: string, title: string, ...content: Content[]): HTMLElement {
  return element("section", { id }, element("h2", {}, title), ...content);
}

/** Creates a list of labels and their values. */
export function definitions(rows: readonly (readonly [string, ...Content[]])[]): HTMLElement {
  const groups = rows.map(([label, ...content]) =>
    element("div", {}, element("dt", {}, label), element("dd", {}, ...content)),
  );
  return element("dl", { class: "facts" }, ...groups);
}

/** Notes in a subdued style that a part is missing. */
export function notGiven(text: string): HTMLElement {
  return element("p", { class: "quiet" }, text);
}

/** Creates a button that looks like a link and requests the host to open an address, which asks the user. */
export function linkButton(label: string, url: string, { t, send }: PageContext): HTMLElement {
  const made = element(
    "button",
    { type: "button", class: "link", title: url },
    label,
    icon("open"),
  );
  made.setAttribute("aria-label", t("{label} (opens {url} in the browser)", { label, url }));
  made.addEventListener("click", () => send({ type: "openLink", url }));
  return made;
}

/** Creates a button that looks like a link and opens another skill. */
export function skillLink(slug: string, { send }: PageContext): HTMLElement {
  const made = element("button", { type: "button", class: "link" }, slug);
  made.addEventListener("click", () => send({ type: "openSkill", slug }));
  return made;
}

const svgTags: ReadonlySet<string> = new Set([
  "svg",
  "path",
  "defs",
  "pattern",
  "rect",
  "line",
  "circle",
  "text",
  "title",
]);

/** Creates the elements that markup describes. Its buttons use `send` for their messages. */
export function live(
  { tag, attributes, content, press }: Markup,
  send: (message: PageMessage) => void = sendNowhere,
): Element {
  const made = svgTags.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  setAttributes(made, attributes);
  for (const part of content) made.append(typeof part === "string" ? part : live(part, send));
  if (press !== undefined) made.addEventListener("click", () => send(press));
  return made;
}

/** Sets attributes on an element. */
function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    target.setAttribute(name, value === true ? "" : value);
  }
}

function sendNowhere(message: PageMessage): never {
  throw new Error(`Nobody hears ${message.type}.`);
}
