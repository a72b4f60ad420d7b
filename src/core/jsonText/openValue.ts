import type { JsonToken } from "./jsonTokens";

/** An object or array that a reader is in, and what may come next there. */
export interface OpenValue {
  token: JsonToken;
  expects: "firstKey" | "key" | "colon" | "value" | "firstItem" | "item" | "commaOrClose";
}

/** More brackets than these nobody wants to be closed for them. */
const maxClosed = 100;

/** The sign that closes what is open. */
export function closerOf({ token }: OpenValue): string {
  return token.kind === "{" ? "}" : "]";
}

/** Tells whether it may be closed where it stands. */
export function mayClose({ expects }: OpenValue): boolean {
  return expects === "firstKey" || expects === "firstItem" || expects === "commaOrClose";
}

/** The signs that close all that is open, outermost first; undefined where more than signs is missing. */
export function closersOf(open: readonly OpenValue[]): string | undefined {
  const inner = open.at(-1);
  if (inner === undefined || !mayClose(inner) || open.length > maxClosed) return undefined;
  return open.map(closerOf).reverse().join("");
}
