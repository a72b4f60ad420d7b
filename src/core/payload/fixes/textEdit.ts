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
