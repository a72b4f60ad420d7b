import { nextToken } from "../../json/jsonTokens";
import { endOfProperty } from "./containerText";
import type { TextEdit } from "./textEdit";

/**
 * Takes out the property whose key starts at an offset, with the comma and space that belong to it.
 * Undefined where its value is too long to be read here.
 */
export function removeMember(text: string, keyStart: number): TextEdit | undefined {
  const end = endOfProperty(text, keyStart);
  if (end === undefined) return undefined;
  const next = nextToken(text, end);
  if (next.kind === ",") {
    const following = nextToken(text, next.end);
    if (following.kind !== "}") return { start: keyStart, end: following.start, text: "" };
  }
  const before = lastVisible(text, keyStart);
  if (text[before] === ",") return { start: before, end, text: "" };
  if (text[before] === "{" && next.kind === "}") {
    return { start: before + 1, end: next.start, text: "" };
  }
  return { start: keyStart, end, text: "" };
}

function lastVisible(text: string, offset: number): number {
  let at = offset - 1;
  while (at >= 0 && " \t\r\n".includes(text[at] ?? "")) at -= 1;
  return at;
}
