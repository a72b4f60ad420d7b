/**
 * Parses a URL, relative to `base` if given; undefined for an invalid one. `URL.canParse` is no substitute: in Node.js
 * 22 it rejects hosts with letters such as “ü” after V8 has compiled its callers.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/**
 * Returns a web address without credentials, query and fragment. These may be secret, or differ each time the registry
 * returns the address. Returns an invalid URL unchanged.
 */
export function bareAddress(text: string): string {
  const url = parseUrl(text);
  if (url === undefined) return text;
  const isBare = [url.username, url.password, url.search, url.hash].every((part) => part === "");
  return isBare ? text : `${url.protocol}//${url.host}${url.pathname}`;
}
