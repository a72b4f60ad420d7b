import { isJsonObject } from "../json/jsonValue";
import type { SchemaRules } from "./schemaRules";

/** The rules that all hold for one value: a schema's own, those of its references and of its `allOf`. */
export interface SchemaLayers {
  readonly layers: readonly SchemaRules[];
  /** True where the schema allows no value at all. */
  readonly impossible: boolean;
  /** Rules that hold as well, but are being described further up already. */
  readonly repeated: readonly SchemaRules[];
  /** References that lead out of the document or nowhere. */
  readonly unresolved: readonly string[];
}

const maxLayers = 64;

/** Gathers the layers of one value, at most 64. `isAbove` tells rules that are being described further up. */
export function schemaLayers(
  schemas: readonly SchemaRules[],
  read: (rules: SchemaRules) => SchemaRules = (rules) => rules,
  isAbove: (rules: SchemaRules) => boolean = () => false,
): SchemaLayers {
  const layers = new Set<SchemaRules>();
  const unresolved: string[] = [];
  const repeated: SchemaRules[] = [];
  let impossible = false;
  const waiting = [...schemas].reverse();
  for (let rules = waiting.pop(); rules !== undefined; rules = waiting.pop()) {
    if (rules.never) impossible = true;
    if (!isDescribed(rules) || layers.has(rules)) continue;
    if (isAbove(rules)) {
      repeated.push(rules);
      continue;
    }
    const { allOf = [], reference, unresolved: lost = [] } = read(rules);
    layers.add(rules);
    if (layers.size === maxLayers) break;
    waiting.push(...allOf.slice(0, maxLayers).reverse());
    if (reference !== undefined) waiting.push(reference.target);
    unresolved.push(...lost);
  }
  return { layers: [...layers], impossible, repeated, unresolved };
}

/** The layers alone, of rules that were read. */
export function layersOf(schemas: readonly SchemaRules[]): readonly SchemaRules[] {
  return schemaLayers(schemas).layers;
}

/** Tells whether a schema is an object: `true` and `false` describe nothing. */
export function isDescribed({ source }: SchemaRules): boolean {
  return isJsonObject(source);
}
