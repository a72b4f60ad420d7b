import type { Attributes, Markup } from "../src/page/markup";
import type { PageMessage } from "../src/protocol/skillPage";

const svgTags: ReadonlySet<string> = new Set(["svg", "path"]);

/** Makes the elements that markup describes. What can be pressed in it needs `send`, by which it says so. */
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
export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    target.setAttribute(name, value === true ? "" : value);
  }
}

function sendNowhere(message: PageMessage): never {
  throw new Error(`Nobody hears ${message.type}.`);
}
