/**
 * The values that a schema accepts, in terms of a programming language's types. A shape includes every valid value, and
 * some invalid ones. What types cannot express is left out, or is `unknown` with the reason.
 */
export type Shape =
  | { readonly kind: "unknown"; readonly why?: string }
  | { readonly kind: "never" }
  | { readonly kind: "primitive"; readonly type: PrimitiveType }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "array"; readonly items: Shape }
  /** The first `required` items must be present. Without `rest`, there are no further items. */
  | {
      readonly kind: "tuple";
      readonly items: readonly Shape[];
      readonly required: number;
      readonly rest?: Shape;
    }
  | ObjectShape
  | { readonly kind: "union" | "intersection"; readonly of: readonly Shape[] }
  /** Refers to the definition of this number in `Shapes`. */
  | { readonly kind: "named"; readonly id: number };

/** The JSON types that have no parts. */
export type PrimitiveType = "null" | "boolean" | "number" | "integer" | "string";

/** An object. Without `rest` it has no other properties. */
export interface ObjectShape {
  readonly kind: "object";
  readonly properties: readonly ShapeProperty[];
  readonly rest?: Shape;
}

/** A property, with comment lines about its values. */
interface ShapeProperty {
  readonly name: string;
  readonly isRequired: boolean;
  readonly shape: Shape;
  readonly about: readonly string[];
}

/** A schema's shape: a root, and the definitions that it refers to. */
export interface Shapes {
  readonly root: Shape;
  /** Comment lines about the whole. */
  readonly about: readonly string[];
  /** By ID, in the order of their first reference. */
  readonly definitions: ReadonlyMap<number, ShapeDefinition>;
}

/** A referenced part of a schema. */
export interface ShapeDefinition {
  /** The last name in its pointer; empty for the root of the schema. */
  readonly name: string;
  readonly shape: Shape;
  readonly about: readonly string[];
}

/** The shape of unknown values. */
export const unknown: Shape = { kind: "unknown" };

/** The shape of an unknown schema, with the reason. */
export function unknownShapes(why = "the registry provides no schema"): Shapes {
  return { root: { kind: "unknown", why }, about: [], definitions: new Map() };
}

/** The maximum number of alternatives that each get a copy of the object's common properties. */
const maxMerged = 12;
/** The maximum number of branches. Compilers give up on larger unions, and no hand-written schema has more. */
export const maxBranches = 200;

/** Returns the union of the shapes of parts; `unknown` if there are too many. */
export function unionOf<Part>(parts: readonly Part[], shapeOf: (part: Part) => Shape): Shape {
  if (parts.length > maxBranches) return { kind: "unknown", why: "too many alternatives" };
  return union(parts.map(shapeOf));
}

/** Returns the union of shapes: a value matches at least one of them. */
export function union(shapes: readonly Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === "union" ? shape.of : [shape]));
  const parts = flat.filter(({ kind }) => kind !== "never");
  const open = parts.find(({ kind }) => kind === "unknown");
  if (open !== undefined) return open;
  const distinct = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
  const [only] = distinct;
  if (only === undefined) return { kind: "never" };
  return distinct.length === 1 ? only : { kind: "union", of: distinct };
}

/** Returns the intersection of shapes: a value matches all of them. Objects are merged into one. */
export function intersectionOf(shapes: readonly Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === "intersection" ? shape.of : [shape]));
  const parts = flat.filter(({ kind }) => kind !== "unknown");
  const closed = parts.find(({ kind }) => kind === "never");
  if (closed !== undefined) return closed;
  const objects = parts.filter((part) => part.kind === "object");
  const [first, ...others] = objects;
  const whole = first && others.reduce(mergeObjects, first);
  const rest = parts.filter(({ kind }) => kind !== "object");
  const [alone, ...further] = rest;
  if (whole && alone?.kind === "union" && further.length === 0 && alone.of.length <= maxMerged) {
    // One object per alternative reads better, and its constants distinguish the alternatives.
    const objects = alone.of.filter((part) => part.kind === "object");
    if (objects.length === alone.of.length) {
      return union(objects.map((object) => mergeObjects(whole, object)));
    }
  }
  const merged = whole === undefined ? [] : [whole];
  const distinct = multiplied([
    ...new Map([...merged, ...rest].map((part) => [JSON.stringify(part), part])).values(),
  ]);
  const [only] = distinct;
  if (only === undefined) {
    return flat.find((shape) => shape.kind === "unknown" && shape.why !== undefined) ?? unknown;
  }
  return distinct.length === 1 ? only : { kind: "intersection", of: distinct };
}

/**
 * The maximum number of combined alternatives. Compilers multiply them, and fail at 100,000; nobody could choose among
 * so many.
 */
const maxProduct = 2000;

/** Drops alternatives whose combinations would exceed what a compiler can handle. */
function multiplied(parts: readonly Shape[]): readonly Shape[] {
  let product = 1;
  return parts.filter((part) => {
    const count = part.kind === "union" ? part.of.length : 1;
    if (product > 1 && product * count > maxProduct) return false;
    product *= count;
    return true;
  });
}

/** Merges two objects into the object that describes values matching both. */
export function mergeObjects(one: ObjectShape, other: ObjectShape): ObjectShape {
  const merged = new Map(one.properties.map((property) => [property.name, property]));
  for (const property of other.properties) {
    const { name, isRequired, shape, about } = property;
    const known = merged.get(name);
    merged.set(
      name,
      known === undefined
        ? property
        : {
            name,
            isRequired: known.isRequired || isRequired,
            shape: intersectionOf([known.shape, shape]),
            about: [...new Set([...known.about, ...about])],
          },
    );
  }
  const rest = one.rest && other.rest && intersectionOf([one.rest, other.rest]);
  return { kind: "object", properties: [...merged.values()], ...(rest && { rest }) };
}

/**
 * Replaces references that lead back to themselves without passing a property or an item. No language can define such a
 * type, and it restricts nothing.
 */
export function withoutCircles(
  root: Shape,
  about: readonly string[],
  definitions: ReadonlyMap<number, ShapeDefinition>,
): Shapes {
  const opened = new Map<number, ShapeDefinition>();
  const entered = new Set<number>();
  const open = (shape: Shape): Shape => {
    switch (shape.kind) {
      case "union":
        return union(shape.of.map(open));
      case "intersection":
        return intersectionOf(shape.of.map(open));
      case "named":
        return define(shape.id) ? shape : { kind: "unknown", why: "refers to itself" };
      default:
        return shape;
    }
  };
  /** Returns whether a definition can be referenced here. */
  const define = (id: number): boolean => {
    if (opened.has(id)) return true;
    const definition = definitions.get(id);
    if (definition === undefined || entered.has(id)) return false;
    entered.add(id);
    const shape = open(definition.shape);
    entered.delete(id);
    opened.set(id, { ...definition, shape });
    return true;
  };
  const shape = open(root);
  for (const id of definitions.keys()) define(id);
  return { root: shape, about, definitions: opened };
}
