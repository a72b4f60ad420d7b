import { isWholeSuite } from "../fixtures/wholeSuite";

/**
 * Returns only the `named` cases of a table; `npm run test:all` runs all of them. For tables whose cases unit tests
 * cover, so that a window needs to show one of each kind, and for unit tests that take seconds per case. Fails if the
 * table has no such entry.
 */
export function someOf<T>(cases: Readonly<Record<string, T>>, named: readonly string[]) {
  const unknown = named.filter((name) => !(name in cases));
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(", ")}.`);
  const all = isWholeSuite();
  return Object.entries(cases).filter(([name]) => all || named.includes(name));
}
