import { isJsonObject, type JsonObject } from "../../json/jsonValue";

const maxNames = 40;

/** The names that schemas require, in the order in which they describe them, at most 40. */
export function requiredNames(layers: readonly JsonObject[]): string[] {
  const required = new Set(
    layers.flatMap(({ required: names }) =>
      Array.isArray(names) ? names.filter((name) => typeof name === "string") : [],
    ),
  );
  const described = layers.flatMap(({ properties }) =>
    isJsonObject(properties) ? Object.keys(properties) : [],
  );
  const inOrder = described.filter((name) => required.has(name));
  return [...new Set([...inOrder, ...required])].slice(0, maxNames);
}
