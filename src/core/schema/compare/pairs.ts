/** Two things that correspond; undefined on the side that has none. */
interface Pair<Thing> {
  readonly before?: Thing;
  readonly after?: Thing;
}

/**
 * Finds which things of two lists correspond: those of equal text, wherever they are, then those of one kind in
 * order, then the rest in order.
 */
export function pairsOf<Thing>(
  before: readonly Thing[],
  after: readonly Thing[],
  textOf: (thing: Thing) => string,
  kindOf: (thing: Thing) => string = () => "",
): readonly Pair<Thing>[] {
  if (before.length === 1 && after.length === 1) return [pairOf(before[0], after[0])];
  let [old, now] = [before, after];
  const pairs: Pair<Thing>[] = [];
  for (const keyOf of [textOf, kindOf, () => ""]) {
    const left = new Map<string, Thing[]>();
    for (const thing of now.toReversed()) {
      const key = keyOf(thing);
      const same = left.get(key);
      if (same === undefined) left.set(key, [thing]);
      else same.push(thing);
    }
    old = old.filter((thing) => {
      const found = left.get(keyOf(thing))?.pop();
      if (found !== undefined) pairs.push(pairOf(thing, found));
      return found === undefined;
    });
    const unpaired = new Set([...left.values()].flat());
    now = now.filter((thing) => unpaired.has(thing));
  }
  return [
    ...pairs,
    ...old.map((it) => pairOf(it, undefined)),
    ...now.map((it) => pairOf(undefined, it)),
  ];
}

function pairOf<Thing>(before: Thing | undefined, after: Thing | undefined): Pair<Thing> {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}
