/** How long work holds its thread, in milliseconds. */
export function heldMs(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** The floor: how long the engine itself takes to parse 1.4 MB now, in milliseconds. An idle machine of 2026: 12. */
export function floorMs(): number {
  return heldMs(() => JSON.parse(floorText));
}

const floorText = JSON.stringify(
  Array.from({ length: 25_000 }, (_, id) => ({ id, name: `Row "${id}"`, tags: ["a", "b"] })),
);
