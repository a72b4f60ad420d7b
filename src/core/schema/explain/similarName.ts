/**
 * Finds the name that was probably meant: the nearest of the known ones, where at most a third of its letters
 * differ, ignoring case, `_` and `-`. Undefined where none is near.
 */
export function similarName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 100) return undefined;
  const wanted = plain(name);
  let best: string | undefined;
  let fewest = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known.slice(0, 500)) {
    const other = plain(candidate);
    if (Math.abs(other.length - wanted.length) >= fewest) continue;
    const changes = editDistance(wanted, other);
    if (changes >= fewest) continue;
    best = candidate;
    fewest = changes;
  }
  return best;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_\-\s]/g, "");
}

/** Counts the letters to change, add, remove or swap (with a neighbor) to get from one text to another. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let changes = Math.min(
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      );
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwap) changes = Math.min(changes, (beforeLast[column - 2] ?? 0) + 1);
      current.push(changes);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
