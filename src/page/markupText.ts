import type { Markup } from "./markup";

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
