import { pointerSteps } from "../json/jsonPointer";
import { type JsonType, type JsonValue, jsonTypeOf } from "../json/jsonValue";
import { readSchema } from "../schema/read/readSchema";
import { schemaLimits } from "../schema/schemaLimits";
import { layersOf, type SchemaRules } from "../schema/schemaRules";
import type { LossyNumbers, SkillSchema } from "../skill/skill";
import { english, localize } from "../text/language";

/**
 * The values a schema accepts, as far as the type system of a programming language can say it: a shape holds
 * every valid value, and some that are not. What it cannot say is left out, or `unknown` with the reason.
 */
export type Shape =
  | { readonly kind: "unknown"; readonly why?: string }
  | { readonly kind: "never" }
  | { readonly kind: "primitive"; readonly type: PrimitiveType }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "array"; readonly items: Shape }
  /** Items from `required` on may be missing. Without `rest` there are no others. */
  | {
      readonly kind: "tuple";
      readonly items: readonly Shape[];
      readonly required: number;
      readonly rest?: Shape;
    }
  | ObjectShape
  | { readonly kind: "union" | "intersection"; readonly of: readonly Shape[] }
  /** The definition of this number in `Shapes`. */
  | { readonly kind: "named"; readonly id: number };

/** The JSON types without parts. */
type PrimitiveType = "null" | "boolean" | "number" | "integer" | "string";

/** An object. Without `rest` it has no other properties. */
export interface ObjectShape {
  readonly kind: "object";
  readonly properties: readonly ShapeProperty[];
  readonly rest?: Shape;
}

/** A property, with what people should know of its values, one line each. */
interface ShapeProperty {
  readonly name: string;
  readonly isRequired: boolean;
  readonly shape: Shape;
  readonly about: readonly string[];
}

/** A schema's shape: a root, and the definitions it names. */
export interface Shapes {
  readonly root: Shape;
  /** What people should know of the whole, one line each. */
  readonly about: readonly string[];
  /** By ID, in the order they are first named. */
  readonly definitions: ReadonlyMap<number, ShapeDefinition>;
}

/** A part of a schema that is referred to. */
interface ShapeDefinition {
  /** The last name in its pointer; empty for the root of the schema. */
  readonly name: string;
  readonly shape: Shape;
  readonly about: readonly string[];
}

const unknown: Shape = { kind: "unknown" };

/**
 * Reads the shape of a schema. Without one, or with one that cannot be read, everything is `unknown`. Linear:
 * a part is read once, however often it is referred to, and what goes beyond 5,000 parts or 40 levels is
 * `unknown`, since no compiler would be of help with it.
 */
export function readShapes({ schema, lossyNumbers }: SkillSchema): Shapes {
  if (schema === undefined) return unknownShapes("the registry provides no schema");
  const read = readSchema(schema);
  if (read.kind === "refused") return unknownShapes(localize(read.reason, english));
  const { root } = read;
  const reader = new ShapeReader(lossyNumbers);
  const shape = reader.shapeOf(root, allTypes, 0);
  reader.defineAll();
  const whole: Shape = reader.definitions.has(root.id) ? { kind: "named", id: root.id } : shape;
  return withoutCircles(whole, aboutOf([root]), reader.definitions);
}

/** The shape of a schema that is not known, with the reason. */
export function unknownShapes(why: string): Shapes {
  return { root: { kind: "unknown", why }, about: [], definitions: new Map() };
}

const allTypes: readonly JsonType[] = ["object", "array", "string", "number", "boolean", "null"];
const maxParts = 5000;
const maxDepth = 40;
/** Alternatives of an object that are each written as a whole. */
const maxMerged = 12;
/** Compilers give up on larger unions; no hand-written schema has more. */
const maxBranches = 200;

class ShapeReader {
  readonly definitions = new Map<number, ShapeDefinition>();
  readonly #lossyNumbers: LossyNumbers;
  readonly #waiting: SchemaRules[] = [];
  #partsLeft = maxParts;

  constructor(lossyNumbers: LossyNumbers = []) {
    this.#lossyNumbers = lossyNumbers;
  }

  /** Reads what is referred to, until all that it refers to is read. */
  defineAll(): void {
    for (let rules = this.#waiting.pop(); rules !== undefined; rules = this.#waiting.pop()) {
      const name = pointerSteps(rules.pointer ?? "")?.at(-1) ?? "";
      const shape = this.shapeOf(rules, allTypes, 0);
      this.definitions.set(rules.id, { name, shape, about: aboutOf([rules]) });
    }
  }

  /** `within` are the JSON types that what applies beside these rules allows. */
  shapeOf(rules: SchemaRules, within: readonly JsonType[], depth: number): Shape {
    if (rules.never) return { kind: "never" };
    this.#partsLeft -= 1;
    if (this.#partsLeft < 0 || depth > maxDepth) return { kind: "unknown", why: "too large" };
    const types = allTypes.filter((type) => within.includes(type) && allows(rules, type));
    const below = (part: SchemaRules) => this.shapeOf(part, types, depth + 1);
    const { allOf = [], anyOf, oneOf, reference } = rules;
    const parts = [this.#ownShape(rules, types, depth)];
    if (reference !== undefined) parts.push(this.#referred(reference, types));
    parts.push(...allOf.map(below));
    for (const branches of [anyOf, oneOf]) {
      if (branches !== undefined) parts.push(unionOf(branches.slice(0, maxBranches + 1), below));
    }
    // A value matches one of the two, whatever the condition says of it.
    if (rules.if && rules.then && rules.else) parts.push(unionOf([rules.then, rules.else], below));
    const lost = rules.unresolved?.[0];
    if (lost !== undefined) parts.push({ kind: "unknown", why: `refers to ${lost}` });
    return intersectionOf(parts);
  }

  #referred(
    { keyword, target }: NonNullable<SchemaRules["reference"]>,
    types: readonly JsonType[],
  ): Shape {
    if (keyword !== "$ref") return { kind: "unknown", why: "a dynamic reference" };
    if (target.never) return { kind: "never" };
    if (isPlain(target))
      return this.#ownShape(
        target,
        types.filter((type) => allows(target, type)),
        0,
      );
    if (!this.definitions.has(target.id)) {
      // Its place is kept, so that it is read once.
      this.definitions.set(target.id, { name: "", shape: unknown, about: [] });
      this.#waiting.push(target);
    }
    return { kind: "named", id: target.id };
  }

  /** The shape of a schema's own keywords, without those that combine others. */
  #ownShape(rules: SchemaRules, types: readonly JsonType[], depth: number): Shape {
    const values = rules.const === undefined ? rules.enum : [rules.const];
    if (values !== undefined) return this.#valuesShape(values, types);
    const isOfAllTypes = types.length === allTypes.length;
    if (isOfAllTypes && !describesArrays(rules) && !describesObjects(rules)) return unknown;
    return union(
      types.map((type) => {
        if (type === "array") return this.#arrayShape(rules, depth);
        if (type === "object") return this.#objectShape(rules, depth);
        const isInteger = type === "number" && rules.types?.includes("number") === false;
        return { kind: "primitive", type: isInteger ? "integer" : (type as PrimitiveType) };
      }),
    );
  }

  #valuesShape(values: readonly JsonValue[], types: readonly JsonType[]): Shape {
    if (values.length > maxBranches) {
      const kinds = new Set(values.map(typeOfValue));
      const left = types.filter((type) => kinds.has(type));
      return union(left.map((type) => this.#anyOfType(type)));
    }
    const left = values.filter((value) => types.includes(typeOfValue(value)));
    return union(left.map((value) => this.#valueShape(value)));
  }

  #valueShape(value: JsonValue): Shape {
    if (value === null) return { kind: "primitive", type: "null" };
    if (typeof value === "object") return this.#anyOfType(typeOfValue(value));
    const isLossy =
      typeof value === "number" &&
      (!Number.isFinite(value) ||
        this.#lossyNumbers === "many" ||
        this.#lossyNumbers.includes(value));
    return isLossy ? { kind: "primitive", type: "number" } : { kind: "literal", value };
  }

  #anyOfType(type: JsonType): Shape {
    if (type === "array") return { kind: "array", items: unknown };
    if (type === "object") return { kind: "object", properties: [], rest: unknown };
    return { kind: "primitive", type: type as PrimitiveType };
  }

  #arrayShape({ prefixItems = [], items, minItems = 0 }: SchemaRules, depth: number): Shape {
    const rest = items && this.shapeOf(items, allTypes, depth + 1);
    if (prefixItems.length === 0) {
      if (rest?.kind === "never") return { kind: "tuple", items: [], required: 0 };
      return { kind: "array", items: rest ?? unknown };
    }
    return {
      kind: "tuple",
      items: prefixItems.map((item) => this.shapeOf(item, allTypes, depth + 1)),
      required: Math.min(minItems, prefixItems.length),
      ...(rest?.kind !== "never" && { rest: rest ?? unknown }),
    };
  }

  #objectShape(rules: SchemaRules, depth: number): ObjectShape {
    const {
      properties = new Map<string, SchemaRules>(),
      required = [],
      additionalProperties,
    } = rules;
    const others = [additionalProperties, ...(rules.patternProperties?.values() ?? [])];
    const rest = unionOf(
      others.filter((other) => other !== undefined),
      (other) => this.shapeOf(other, allTypes, depth + 1),
    );
    const isOpen = additionalProperties === undefined;
    const otherShape = isOpen ? unknown : rest;
    return {
      kind: "object",
      properties: [
        ...[...properties].map(([name, below]) => ({
          name,
          isRequired: required.includes(name),
          shape: this.shapeOf(below, allTypes, depth + 1),
          about: aboutOf(layersOf([below])),
        })),
        ...required
          .filter((name) => !properties.has(name))
          .map((name) => ({ name, isRequired: true, shape: otherShape, about: [] })),
      ],
      ...(otherShape.kind !== "never" && { rest: otherShape }),
    };
  }
}

function allows({ types }: SchemaRules, type: JsonType): boolean {
  if (types === undefined) return true;
  return types.includes(type) || (type === "number" && types.includes("integer"));
}

function typeOfValue(value: JsonValue): JsonType {
  const type = jsonTypeOf(value);
  return type === "integer" ? "number" : type;
}

function describesArrays({ prefixItems, items }: SchemaRules): boolean {
  return prefixItems !== undefined || items !== undefined;
}

function describesObjects({
  properties,
  required,
  patternProperties,
  additionalProperties,
}: SchemaRules): boolean {
  return [properties, required, patternProperties, additionalProperties].some(
    (keyword) => keyword !== undefined,
  );
}

/** A schema that is one type, or a few values, says more where it is used than a name for it would. */
function isPlain(rules: SchemaRules): boolean {
  const { types, allOf, anyOf, oneOf, reference } = rules;
  if ([allOf, anyOf, oneOf, reference, rules.if].some((keyword) => keyword !== undefined)) {
    return false;
  }
  return (
    (rules.enum?.length ?? 0) < 8 &&
    types?.every((type) => type !== "object" && type !== "array") === true
  );
}

/** Joins the shapes of parts of which a value matches one. */
function unionOf<Part>(parts: readonly Part[], shapeOf: (part: Part) => Shape): Shape {
  if (parts.length > maxBranches) return { kind: "unknown", why: "too many alternatives" };
  return union(parts.map(shapeOf));
}

/** Joins shapes of which a value has one. */
function union(shapes: readonly Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === "union" ? shape.of : [shape]));
  const parts = flat.filter(({ kind }) => kind !== "never");
  const open = parts.find(({ kind }) => kind === "unknown");
  if (open !== undefined) return open;
  const distinct = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
  const [only] = distinct;
  if (only === undefined) return { kind: "never" };
  return distinct.length === 1 ? only : { kind: "union", of: distinct };
}

/** Joins shapes that a value has all of. Objects become one. */
function intersectionOf(shapes: readonly Shape[]): Shape {
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
    // One object for each alternative reads better, and tells the alternatives apart by their constants.
    const objects = alone.of.filter((part) => part.kind === "object");
    if (objects.length === alone.of.length) {
      return union(objects.map((object) => mergeObjects(whole, object)));
    }
  }
  const merged = whole === undefined ? [] : [whole];
  const distinct = [
    ...new Map([...merged, ...rest].map((part) => [JSON.stringify(part), part])).values(),
  ];
  const [only] = distinct;
  if (only === undefined) {
    return flat.find((shape) => shape.kind === "unknown" && shape.why !== undefined) ?? unknown;
  }
  return distinct.length === 1 ? only : { kind: "intersection", of: distinct };
}

/** Joins two objects that a value is at once. */
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
 * Replaces references that lead back to themselves through nothing but alternatives and conditions: no type
 * can be defined so, and a schema that does it says nothing by it.
 */
function withoutCircles(
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
  /** Returns whether a definition can be named here. */
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

/** What people should know of a value: title and description, limits, default, deprecation. */
function aboutOf(layers: readonly SchemaRules[]): readonly string[] {
  // A title mostly repeats the name that stands below it.
  const lines = layers.map(({ title, description }) => description ?? title);
  const limits = layers.flatMap(({ anyOf, oneOf, additionalProperties, ...limited }) =>
    schemaLimits(limited, english),
  );
  const fallback = layers.find((layer) => layer.default !== undefined)?.default;
  return [
    ...new Set(lines.filter((line) => line !== undefined && line.trim() !== "")),
    ...(limits.length === 0 ? [] : [`Limits: ${[...new Set(limits)].slice(0, 12).join(", ")}.`]),
    ...(fallback === undefined ? [] : [`Default: ${JSON.stringify(fallback)}.`]),
    ...(layers.some(({ deprecated }) => deprecated) ? ["@deprecated"] : []),
  ]
    .map((line) => (line ?? "").slice(0, maxLine))
    .slice(0, 8);
}

/** The most of one line of a comment, in characters. */
const maxLine = 2000;
