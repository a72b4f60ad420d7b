/**
 * Respells JSON text so that it survives being pasted and is what it looks like: control characters,
 * which a terminal acts on, and characters that show nothing or turn the reading direction become
 * escapes, tabs become spaces. The value stays the same: line ends and tabs only stand between values.
 */
export function pastableJson(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", "  ")
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapesOf);
}

function escapesOf(character: string): string {
  const units = [...Array(character.length).keys()].map((index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
