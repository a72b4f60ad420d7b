/**
 * Respells JSON text so that no shell finds anything in it to act on: everything that is neither
 * structure nor a letter, digit, space or one of `_ . : / + - = @ ,` becomes an escape, and line ends between
 * values become spaces. The value stays the same, since such characters only stand in strings.
 */
export function plainJson(text: string): string {
  return text.replace(/[\r\n\t]/g, " ").replace(/[^A-Za-z0-9 "\\{}[\]_.:/+\-=@,]/g, escapeOf);
}

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
