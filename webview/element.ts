/** Attributes by name. `true` sets an empty attribute; `false` and undefined set none. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** The content of an element. Text is never parsed as markup; `false` and undefined are left out. */
export type Content = Node | string | false | undefined;

/** Creates an element with attributes and content. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...content: readonly Content[]
): HTMLElementTagNameMap[Tag];
export function element(
  tag: string,
  attributes: Attributes,
  ...content: readonly Content[]
): HTMLElement;
export function element(
  tag: string,
  attributes: Attributes,
  ...content: readonly Content[]
): HTMLElement {
  return filled(document.createElement(tag), attributes, content);
}

/** Creates an SVG element. */
export function svgElement(tag: string, attributes: Attributes, ...content: Content[]): SVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  return filled(document.createElementNS(namespace, tag) as SVGElement, attributes, content);
}

function filled<Made extends Element>(
  made: Made,
  attributes: Attributes,
  content: readonly Content[],
): Made {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...shownParts(content));
  return made;
}

/** Replaces the content of an element. */
export function refill(place: Element, content: readonly Content[]): void {
  place.replaceChildren(...shownParts(content));
}

function shownParts(content: readonly Content[]): readonly (Node | string)[] {
  return content.filter((part) => part !== undefined && part !== false);
}

/** Creates a part of the page with its heading. It gets no accessible name: a dozen landmarks would be too many. */
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

/** Creates a subdued note, for instance that data is missing. */
export function quietNote(text: string): HTMLElement {
  return element("p", { class: "quiet" }, text);
}

/** The options of a list: the value and the text of each. */
export type Options = readonly (readonly [value: string, text: string])[];

/** Creates a list to choose from. Calls `choose` with the value of each choice. */
export function selectOf(
  attributes: Attributes,
  options: Options,
  choose: (value: string) => void,
): HTMLSelectElement {
  const list = element("select", attributes, ...optionsOf(options));
  list.addEventListener("change", () => choose(list.value));
  return list;
}

/** Creates the elements of options. */
export function optionsOf(options: Options): readonly HTMLOptionElement[] {
  return options.map(([value, text]) => element("option", { value }, text));
}
