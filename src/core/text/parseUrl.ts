/**
 * Parses a URL, relative to `base` where that is given; undefined where it is none. `URL.canParse` is no substitute: in
 * Node.js 20 and 22 it denies hosts with letters such as “ü”, once it was called so often that V8 compiled its callers.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
