const anyEscape = /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g;
const signs: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Reads every escape that JSON knows as the character it stands for; what is none stays as it is. */
export function unescapedText(text: string): string {
  return text.includes("\\") ? text.replaceAll(anyEscape, characterOf) : text;
}

/** Answers where offsets of the unescaped text, smallest first, lie in the text itself. */
export function escapedOffsets(text: string, offsets: readonly number[]): number[] {
  const found: number[] = [];
  let shift = 0;
  for (const { index, 0: spelled } of text.matchAll(anyEscape)) {
    while (offset() <= index - shift) found.push(offset() + shift);
    if (found.length === offsets.length) return found;
    shift += spelled.length - 1;
  }
  while (found.length < offsets.length) found.push(offset() + shift);
  return found;

  function offset(): number {
    return offsets[found.length] ?? Number.POSITIVE_INFINITY;
  }
}

function characterOf(spelled: string): string {
  const sign = spelled[1] ?? "";
  if (sign === "u") return String.fromCharCode(Number.parseInt(spelled.slice(2), 16));
  return signs[sign] ?? sign;
}
