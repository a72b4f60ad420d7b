/** A row that is found again by its slug; hidden ones are shown only where the typed text is in them. */
export interface StayingRow {
  readonly slug: string;
  readonly alwaysShow?: boolean;
}

/**
 * Adds the rows of a new answer to a list without moving any: the editor tells of a checked row by its
 * number, and what it tells may have been said of the list before. A row that is in the answer becomes
 * the answer's, one that is neither in it nor checked stays in its place unseen.
 */
export function rowsInPlace<Row extends StayingRow>(
  before: readonly Row[],
  answer: readonly Row[],
  checked: readonly Row[],
): Row[] {
  const found = new Map(answer.map((row) => [row.slug, row]));
  const isChecked = new Set(checked.map(({ slug }) => slug));
  const kept = before.map((row) => {
    const fresh = found.get(row.slug);
    found.delete(row.slug);
    return fresh ?? { ...row, alwaysShow: isChecked.has(row.slug) };
  });
  return [...kept, ...found.values()];
}
