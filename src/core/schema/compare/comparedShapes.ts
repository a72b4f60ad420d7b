import type { SchemaRules } from "../schemaRules";

type Schemas = readonly SchemaRules[];

/** What identifies the schemas of a value before and after; undefined where several apply together. */
type ShapePair = readonly [before: object | undefined, after: object | undefined];

/** Identifies the schemas of a value before and after. */
export function shapePair(before: Schemas, after: Schemas): ShapePair {
  return [shapeOf(before), shapeOf(after)];
}

/**
 * Pairs of shapes that need no further comparison: those that are being compared further up, since a shape may contain
 * itself, and those without a difference.
 */
export class ComparedShapes {
  readonly #pairs = new Map<object, Set<object>>();

  /** Records that a pair is compared. Returns false where it need not be. */
  begin([before, after]: ShapePair): boolean {
    if (before === undefined || after === undefined) return true;
    const compared = this.#pairs.get(before) ?? new Set();
    if (compared.has(after)) return false;
    this.#pairs.set(before, compared.add(after));
    return true;
  }

  /** Compares a pair again wherever it recurs, since it differs. */
  forget([before, after]: ShapePair): void {
    if (before !== undefined && after !== undefined) this.#pairs.get(before)?.delete(after);
  }
}

/** The shape of a value that no schema describes. */
const anything = {};

/** A schema that only refers to another has the other's shape. */
function shapeOf([only, ...others]: Schemas): object | undefined {
  if (only === undefined) return anything;
  if (others.length > 0) return undefined;
  const passed = new Set<SchemaRules>();
  let shape = only;
  while (shape.reference !== undefined && !passed.has(shape) && isOnlyReference(shape)) {
    passed.add(shape);
    shape = shape.reference.target;
  }
  return shape;
}

function isOnlyReference({ source, allOf }: SchemaRules): boolean {
  return allOf === undefined && Object.keys(source as object).every((name) => silent.has(name));
}

const silent = new Set(["$ref", "$dynamicRef", "$schema", "$id", "$defs", "title", "description"]);
