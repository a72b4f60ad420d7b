/**
 * Parses a URL, relative to `base` where that is given; undefined where it is none. `URL.canParse` is no substitute: in
 * Node.js 22 it denies hosts with letters such as “ü”, once it was called so often that V8 compiled its callers.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/**
 * Returns an address without its credentials, query and fragment, which public copies of a skill lack and which may be
 * others with each reading; what is no URL as it is.
 */
export function publicAddress(text: string): string {
  const url = parseUrl(text);
  if (url === undefined) return text;
  const isPublic = [url.username, url.password, url.search, url.hash].every((part) => part === "");
  return isPublic ? text : `${url.protocol}//${url.host}${url.pathname}`;
}
