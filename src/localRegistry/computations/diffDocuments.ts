import { isDeepStrictEqual } from "node:util";
import { createPatch, createTests, type Operation } from "rfc6902";

/** Compares two JSON values. `arrays` tells how the patch treats lists, `tests` guards it. */
export interface DiffOptions {
  /** Edit lists item by item, or replace a list that differs as a whole. */
  readonly arrays: "edit" | "replace";
  /** Puts a test before the patch for every value that it would destroy. */
  readonly tests: boolean;
}

/**
 * Writes the RFC 6902 patch from one JSON value to another. Lists are replaced as a whole where
 * editing them would take too long; `arrays` says what was done.
 */
export function diffDocuments(before: unknown, after: unknown, { arrays, tests }: DiffOptions) {
  const edited = arrays === "edit" ? editingPatch(before, after) : undefined;
  const changes = edited ?? createPatch(before, after, replaceArrays);
  const guards = tests ? createTests(before, changes) : [];
  return {
    patch: [...guards.filter(({ value }) => value !== undefined), ...changes],
    changes: {
      added: count(changes, "add"),
      removed: count(changes, "remove"),
      replaced: count(changes, "replace"),
    },
    equal: changes.length === 0,
    arrays: edited === undefined ? ("replace" as const) : arrays,
  };
}

/** Tells how many levels a JSON value has; stops counting past `limit`. */
export function depthOf(value: unknown, limit: number): number {
  if (typeof value !== "object" || value === null || limit === 0) return 0;
  return Object.values(value).reduce<number>(
    (deepest, child) => Math.max(deepest, 1 + depthOf(child, limit - 1)),
    1,
  );
}

// The shortest edit of two lists compares every item with every other, at every level of nesting.
const maxComparisons = 200_000;
const maxTableSize = 20_000;

function editingPatch(before: unknown, after: unknown): Operation[] | undefined {
  let comparisons = 0;
  let tooMuch = false;
  const patch = createPatch(before, after, (one: unknown, other: unknown) => {
    comparisons += 1;
    tooMuch ||= comparisons > maxComparisons || tableSize(one, other) > maxTableSize;
    // "No difference" ends the comparison soonest; its result is thrown away.
    return tooMuch ? [] : undefined;
  });
  return tooMuch ? undefined : patch;
}

function tableSize(one: unknown, other: unknown): number {
  return Array.isArray(one) && Array.isArray(other) ? (one.length + 1) * (other.length + 1) : 0;
}

function replaceArrays(one: unknown, other: unknown, place: { toString(): string }) {
  if (!Array.isArray(one) || !Array.isArray(other)) return undefined;
  return isDeepStrictEqual(one, other)
    ? []
    : [{ op: "replace" as const, path: place.toString(), value: other }];
}

function count(patch: readonly Operation[], op: Operation["op"]): number {
  return patch.filter((operation) => operation.op === op).length;
}
