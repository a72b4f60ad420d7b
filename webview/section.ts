import { type Content, element } from "./element";

/** Makes a part of the page with its heading. It is no landmark: there would be a dozen of them. */
export function section(id: string, title: string, ...content: Content[]): HTMLElement {
  return element("section", { id }, element("h2", {}, title), ...content);
}

/** Makes a list of labels and what they stand for. */
export function definitions(rows: readonly (readonly [string, ...Content[]])[]): HTMLElement {
  const groups = rows.map(([label, ...content]) =>
    element("div", {}, element("dt", {}, label), element("dd", {}, ...content)),
  );
  return element("dl", { class: "facts" }, ...groups);
}

/** Says that a part is not there, in a quiet voice. */
export function notGiven(text: string): HTMLElement {
  return element("p", { class: "quiet" }, text);
}
