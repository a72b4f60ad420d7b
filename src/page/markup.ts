import type { PageMessage } from "../protocol/skillPage";

/** An element of the page as plain data: the host writes it down, the page makes it live. */
export interface Markup {
  readonly tag: string;
  readonly attributes: Attributes;
  /** Text is always shown as it is, never read as markup. */
  readonly content: readonly (Markup | string)[];
  /** What the page sends to the host when this is pressed. */
  readonly press?: PageMessage;
}

/** Attributes by name; `true` sets an empty one, `false` and undefined set none. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Describes an element with attributes and content; what is undefined is left out. */
export function markup(
  tag: string,
  attributes: Attributes,
  ...content: readonly (Markup | string | undefined)[]
): Markup {
  return { tag, attributes, content: content.filter((part) => part !== undefined) };
}

/** Describes a toolkit button that sends a message when it is pressed. */
export function pressButton(
  label: string,
  press: PageMessage,
  attributes: Attributes = {},
  icon?: Markup,
): Markup {
  const appearance = attributes["appearance"] ?? "secondary";
  return {
    ...markup(
      "vscode-button",
      { ...attributes, appearance },
      icon,
      markup("bdi", { class: "label" }, label),
    ),
    press,
  };
}

/** Writes markup as HTML. Whatever its texts and attributes say, they stay texts and attributes. */
export function markupText({ tag, attributes, content }: Markup): string {
  const set = Object.entries(attributes).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return ` ${name}="${value === true ? "" : escapeHtml(value)}"`;
  });
  const inside = content.map((part) =>
    typeof part === "string" ? escapeHtml(part) : markupText(part),
  );
  return `<${tag}${set.join("")}>${inside.join("")}</${tag}>`;
}

/** Writes a text so that HTML shows it as it is, between elements and inside a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
