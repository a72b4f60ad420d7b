import { pointerSteps } from "../json/jsonPointer";
import { type JsonType, type JsonValue, jsonTypeOf } from "../json/jsonValue";
import { allowedValues } from "../schema/allowedValues";
import type { ReadSchema } from "../schema/read/readSchema";
import { schemaLimits } from "../schema/schemaLimits";
import { firstOf, layersOf, type SchemaRules } from "../schema/schemaRules";
import type { LossyNumbers } from "../skill/skill";
import { english, localize } from "../text/language";
import {
  intersectionOf,
  maxBranches,
  type ObjectShape,
  type PrimitiveType,
  type Shape,
  type ShapeDefinition,
  type Shapes,
  union,
  unionOf,
  unknown,
  unknownShapes,
  withoutCircles,
} from "./shape";

/**
 * Reads the shape of a schema. If the schema cannot be applied, everything is `unknown`. Runs in linear time: a part is
 * read once, however often it is referenced. Beyond 5,000 parts or 40 levels the rest is `unknown`, since no compiler
 * could handle it.
 */
export function readShapes({ root, refusal }: ReadSchema, lossyNumbers?: LossyNumbers): Shapes {
  if (refusal !== undefined) return unknownShapes(localize(refusal.reason, english));
  const reader = new ShapeReader(lossyNumbers);
  const shape = reader.shapeOf(root, allTypes, 0);
  reader.defineAll();
  const whole: Shape = reader.definitions.has(root.id) ? { kind: "named", id: root.id } : shape;
  return withoutCircles(whole, aboutOf([root], lossyNumbers), reader.definitions);
}

const allTypes: readonly JsonType[] = ["object", "array", "string", "number", "boolean", "null"];
/** The maximum number of types that a reader can use. A schema may describe exponentially many. */
const maxParts = 5000;
/** The maximum depth. Nobody reads deeper types; the rest is `unknown` with a comment. */
const maxDepth = 40;

class ShapeReader {
  readonly definitions = new Map<number, ShapeDefinition>();
  readonly #lossyNumbers: LossyNumbers;
  readonly #waiting: SchemaRules[] = [];
  #partsLeft = maxParts;

  constructor(lossyNumbers: LossyNumbers = []) {
    this.#lossyNumbers = lossyNumbers;
  }

  /** Reads referenced parts, until all their references are read. */
  defineAll(): void {
    for (let rules = this.#waiting.pop(); rules !== undefined; rules = this.#waiting.pop()) {
      const name = pointerSteps(rules.pointer ?? "")?.at(-1) ?? "";
      const shape = this.shapeOf(rules, allTypes, 0);
      this.definitions.set(rules.id, { name, shape, about: aboutOf([rules], this.#lossyNumbers) });
    }
  }

  /** Returns the shape of rules. `within` are the JSON types that other rules for the value allow. */
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
    // A value matches one of the two, whatever the condition's result.
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
      // Add the definition before reading it, so that it is read once.
      this.definitions.set(target.id, { name: "", shape: unknown, about: [] });
      this.#waiting.push(target);
    }
    return { kind: "named", id: target.id };
  }

  /** Returns the shape of a schema's own keywords, without combining keywords such as `allOf`. */
  #ownShape(rules: SchemaRules, types: readonly JsonType[], depth: number): Shape {
    const values = allowedValues([rules]);
    if (values !== undefined) return this.#valuesShape(values, types);
    const isOfAllTypes = types.length === allTypes.length;
    if (isOfAllTypes && shown.every((keyword) => rules[keyword] === undefined)) return unknown;
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
      const matching = types.filter((type) => kinds.has(type));
      return union(matching.map((type) => this.#anyOfType(type)));
    }
    const matching = values.filter((value) => types.includes(typeOfValue(value)));
    return union(matching.map((value) => this.#valueShape(value)));
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
          about: aboutOf(layersOf([below]), this.#lossyNumbers),
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

/** The keywords of a list or an object that its shape shows. */
const shown = [
  "prefixItems",
  "items",
  "properties",
  "required",
  "patternProperties",
  "additionalProperties",
] as const;

function isContainer(type: JsonType): boolean {
  return type === "object" || type === "array";
}

/** Returns whether a schema is a single type or a few values. These tell the reader more than a type's name would. */
function isPlain(rules: SchemaRules): boolean {
  const { types, allOf, anyOf, oneOf, reference } = rules;
  if ([allOf, anyOf, oneOf, reference, rules.if].some((keyword) => keyword !== undefined)) {
    return false;
  }
  return (rules.enum?.length ?? 0) < 8 && types?.some(isContainer) === false;
}

/**
 * Lists the comment lines about a value: title and description, limits, default, deprecation. Leaves out numbers that
 * lost digits when the schema was parsed.
 */
function aboutOf(
  layers: readonly SchemaRules[],
  lossyNumbers: LossyNumbers = [],
): readonly string[] {
  // A title mostly repeats the name below it.
  const lines = layers.map(({ title, description }) => description ?? title);
  const isLossy = (value: unknown) =>
    typeof value === "number" && (lossyNumbers === "many" || lossyNumbers.includes(value));
  const own = layers.map(({ anyOf, oneOf, additionalProperties, ...limited }) => {
    const exact = Object.entries(limited).filter(([, value]) => !isLossy(value));
    return Object.fromEntries(exact) as typeof limited;
  });
  const limits = schemaLimits(own, english);
  const fallback = firstOf(layers, "default");
  return [
    ...new Set(lines.filter((line) => line !== undefined && line.trim() !== "")),
    ...(limits.length === 0 ? [] : [`Limits: ${limits.slice(0, 12).join(", ")}.`]),
    ...(fallback === undefined || isLossy(fallback)
      ? []
      : [`Default: ${JSON.stringify(fallback)}.`]),
    ...(layers.some(({ deprecated }) => deprecated) ? ["@deprecated"] : []),
  ]
    .map((line) => (line ?? "").slice(0, maxLine))
    .slice(0, 8);
}

/** The maximum length of one comment line, in characters. */
const maxLine = 2000;
