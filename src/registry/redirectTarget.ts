import type { WireAnswer } from "./transport/wire";

/**
 * Where a redirect points. `shown` names it without path, user name and password; empty where it
 * cannot be read.
 */
export interface RedirectTarget {
  /** Undefined where the location cannot be read. */
  readonly url: URL | undefined;
  readonly shown: string;
}

/** Reads the target of a redirect answer to a request for `from`. Undefined for any other answer. */
export function redirectTarget(answer: WireAnswer, from: URL): RedirectTarget | undefined {
  const location = answer.headers["location"];
  if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined)
    return undefined;
  if (!URL.canParse(location, from.href)) return { url: undefined, shown: "" };
  const url = new URL(location, from);
  const shown = url.origin === "null" ? url.protocol : url.origin;
  return { url, shown: shown.slice(0, 300) };
}
