/**
 * Lists the known names that may have been intended, the nearest first. They differ in at most a third of the letters,
 * ignoring case, `_` and `-`. Compares only the first 500 known names. Empty for a name of more than 100 characters.
 */
export function similarNames(name: string, candidates: readonly string[]): string[] {
  if (name.length > 100) return [];
  const plainName = plain(name);
  const maxChanges = Math.floor(plainName.length / 3);
  return candidates
    .slice(0, 500)
    .map((candidate) => ({ candidate, other: plain(candidate) }))
    .filter(({ other }) => Math.abs(other.length - plainName.length) <= maxChanges)
    .map(({ candidate, other }) => ({ candidate, changes: editDistance(plainName, other) }))
    .filter(({ changes }) => changes <= maxChanges)
    .sort((left, right) => left.changes - right.changes)
    .map(({ candidate }) => candidate);
}

/** Returns the nearest name of `similarNames`. Undefined if no name is near. */
export function similarName(name: string, candidates: readonly string[]): string | undefined {
  return similarNames(name, candidates)[0];
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_\-\s]/g, "");
}

/** Counts the edits from one string to another: change, add or remove a letter, or swap two neighbors. */
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
