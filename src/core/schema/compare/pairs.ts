/** Two corresponding things. One side is undefined if nothing corresponds. */
export interface Pair<Thing> {
  readonly before?: Thing;
  readonly after?: Thing;
}

/** Returns the key by which a thing is paired. Undefined if it cannot be paired by this key. */
type KeyOf<Thing> = (thing: Thing) => string | undefined;

/**
 * Pairs the things of two lists by their keys: first by the first key, at any position, then the rest by the second
 * key, and so on. Things with equal keys are paired in order. Returns the pairs in the order of `before`, then the
 * added things.
 */
export function pairsOf<Thing>(
  before: readonly Thing[],
  after: readonly Thing[],
  ...keys: readonly KeyOf<Thing>[]
): readonly Pair<Thing>[] {
  const found = new Map<Thing, Thing>();
  let added = after;
  // If each list has only one thing and the last key pairs them, skip the earlier keys.
  const isDecided = before.length === 1 && after.length === 1 && isSame(before, after, keys.at(-1));
  for (const keyOf of isDecided ? keys.slice(-1) : keys) {
    const unpaired = Map.groupBy(added.toReversed(), keyOf);
    unpaired.delete(undefined);
    for (const thing of before) {
      const other = found.has(thing) ? undefined : unpaired.get(keyOf(thing))?.pop();
      if (other !== undefined) found.set(thing, other);
    }
    const paired = new Set(found.values());
    added = added.filter((thing) => !paired.has(thing));
  }
  return [
    ...before.map((thing) => pairOf(thing, found.get(thing))),
    ...added.map((thing) => pairOf(undefined, thing)),
  ];
}

function isSame<Thing>(
  [left]: readonly Thing[],
  [right]: readonly Thing[],
  keyOf: KeyOf<Thing> = () => undefined,
): boolean {
  if (left === undefined || right === undefined) return false;
  const key = keyOf(left);
  return key !== undefined && key === keyOf(right);
}

function pairOf<Thing>(before: Thing | undefined, after: Thing | undefined): Pair<Thing> {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}
