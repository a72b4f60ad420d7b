import { isJsonObject, type JsonObject, type JsonValue } from "../../text/json";

type Layers = readonly JsonObject[];

/**
 * Writes alternatives that differ in nothing but their type, or in one constant each, as one list of
 * types or values, so that both ways to say it compare as the same. Leaves both sides as they are where
 * one has alternatives of another kind: those are compared one by one.
 */
export function plainAlternatives(before: Layers, after: Layers): [Layers, Layers] {
  const [old, now] = [before.map(withoutPlain), after.map(withoutPlain)];
  return [...old, ...now].some(hasAlternatives) ? [before, after] : [old, now];
}

function hasAlternatives({ anyOf, oneOf }: JsonObject): boolean {
  return Array.isArray(anyOf) || Array.isArray(oneOf);
}

function withoutPlain(layer: JsonObject): JsonObject {
  for (const keyword of ["anyOf", "oneOf"]) {
    const options = layer[keyword];
    if (!Array.isArray(options) || options.length === 0) continue;
    const { [keyword]: _, ...rest } = layer;
    const types = rest["type"] === undefined ? onlyOf("type", options) : undefined;
    // A whole number would fit two of them, which oneOf refuses.
    const overlap = keyword === "oneOf" && types?.includes("integer") && types.includes("number");
    if (types !== undefined && !overlap) return { ...rest, type: types.flat() };
    const values = rest["enum"] === undefined ? onlyOf("const", options) : undefined;
    if (values !== undefined) return { ...rest, enum: values };
  }
  return layer;
}

function onlyOf(keyword: string, options: readonly JsonValue[]): JsonValue[] | undefined {
  const values = options.map((option) =>
    isJsonObject(option) &&
    Object.keys(option).every((name) => name === keyword || silent.has(name))
      ? option[keyword]
      : undefined,
  );
  return values.every((value) => value !== undefined) ? values : undefined;
}

const silent = new Set(["title", "description", "$comment", "examples"]);
