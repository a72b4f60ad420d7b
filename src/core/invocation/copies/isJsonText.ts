/** Tells whether a text is one JSON value, and so can stand in a request as it is. */
export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
