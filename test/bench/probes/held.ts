/** Returns how long work blocks its thread, in milliseconds. */
export function heldMs(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/**
 * Returns how long the engine now takes to parse 1.4 MB, in milliseconds: the floor. An idle machine of 2026 takes 12.
 */
export function floorMs(): number {
  return heldMs(() => JSON.parse(floorText));
}

const floorText = JSON.stringify(
  Array.from({ length: 25_000 }, (_, id) => ({ id, name: `Row "${id}"`, tags: ["a", "b"] })),
);
