/** Characters that terminals draw over two columns: East Asian wide and full-width ones (UAX #11), and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u3247\u3250-\u4dbf\u4e00-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2fb}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|\ufe0f/u;
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
let segmenter: Intl.Segmenter | undefined;

/**
 * Splits a text into graphemes, which readers see as characters. Loads the segmenter on first use, since that takes 5
 * ms.
 */
function graphemesOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** Returns how many terminal columns a text takes. */
export function widthOf(text: string): number {
  // Nearly all texts are ASCII.
  if (/^[ -~]*$/.test(text)) return text.length;
  return [...graphemesOf(text)].reduce((sum, { segment }) => sum + graphemeWidth(segment), 0);
}

/** Cuts a text to a number of columns and ends it with `…`. */
export function cutToWidth(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let [cut, width] = ["", 0];
  for (const { segment } of graphemesOf(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** Pads a text to a number of columns, on its right or left. */
export function padToWidth(text: string, columns: number, where: "after" | "before"): string {
  const space = " ".repeat(Math.max(0, columns - widthOf(text)));
  return where === "after" ? text + space : space + text;
}

/** The assumed width of a terminal that reports none, or 0. */
const defaultColumns = 80;

/** Returns the columns of a stream that is a terminal; undefined for other streams. */
export function columnsOf(stream: { readonly isTTY?: boolean; readonly columns?: number }) {
  return stream.isTTY === true ? stream.columns || defaultColumns : undefined;
}

/** Wraps a text between words, with `indent` spaces before each line. A longer word stays whole. */
export function wrap(text: string, indent: number, columns: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && widthOf(line) + widthOf(word) + 1 > columns - indent) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((item) => " ".repeat(indent) + item).join("\n");
}

/**
 * Wraps lines that are wider than a terminal. Indents their continuations to the text after the line's indentation or
 * label.
 */
export function wrapLines(text: string, columns = Number.POSITIVE_INFINITY): string {
  const lines = text.split("\n").map((line) => {
    if (widthOf(line) <= columns) return line;
    const [start = ""] = /^(?: *\S.*? {2,}| *)/.exec(line) ?? [];
    return start + wrap(line.slice(start.length), start.length, columns).trimStart();
  });
  return lines.join("\n");
}

function graphemeWidth(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return zeroWidth.test(grapheme) ? 0 : 1;
}
