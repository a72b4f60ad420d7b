import { isWholeSuite } from "../fixtures/wholeSuite";

/**
 * Keeps the entries of a table of cases that are `named`; where `npm run test:all` runs the tests, all of
 * them. For tables whose every case is decided by code that unit tests go through, so that a window needs
 * to show the kinds alone, and for unit tests of which each case costs seconds. Fails where the table has no such entry.
 */
export function someOf<T>(cases: Readonly<Record<string, T>>, named: readonly string[]) {
  const unknown = named.filter((name) => !(name in cases));
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(", ")}.`);
  const all = isWholeSuite();
  return Object.entries(cases).filter(([name]) => all || named.includes(name));
}
