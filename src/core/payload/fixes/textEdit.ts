import type { JsonValue } from "../../json/jsonValue";

/** Replaces the characters from `start` to `end` (UTF-16 offsets, `end` exclusive) by `text`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits to a text, all offsets meaning the text as it was. Edits must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const inOrder = edits.toSorted(byStart);
  const pieces: string[] = [];
  let from = 0;
  for (const edit of inOrder) {
    pieces.push(text.slice(from, edit.start), edit.text);
    from = edit.end;
  }
  return [...pieces, text.slice(from)].join("");
}

/** Leaves out every edit that touches characters an earlier one of the list touches as well. */
export function withoutOverlaps(edits: readonly TextEdit[]): TextEdit[] {
  const kept: TextEdit[] = [];
  let end = -1;
  for (const edit of edits.toSorted(byStart)) {
    if (edit.start < end) continue;
    kept.push(edit);
    end = edit.end;
  }
  return kept;
}

function byStart(left: TextEdit, right: TextEdit): number {
  return left.start - right.start || left.end - right.end;
}

/** How a text is laid out: what one level of indentation is, and how lines end. */
export interface TextStyle {
  readonly indent: string;
  readonly lineEnd: "\n" | "\r\n";
}

/** Reads the layout off a text: its first indented line and its first line end. Two spaces where none is. */
export function textStyle(text: string): TextStyle {
  const start = text.slice(0, 10_000);
  const indent = /\n(\t| +)(?=\S)/.exec(start)?.[1] ?? "  ";
  return { indent, lineEnd: start.includes("\r\n") ? "\r\n" : "\n" };
}

/** Answers the white space that the line of an offset begins with. */
export function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, start + 1000))?.[0] ?? "";
}

/** Writes a value as JSON text over several lines, for a place whose line begins with `outer`. */
export function indentedJson(value: JsonValue, style: TextStyle, outer: string): string {
  return JSON.stringify(value, undefined, style.indent).replaceAll("\n", style.lineEnd + outer);
}
