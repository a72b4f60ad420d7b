import { layersOf, type SchemaRules } from "./schemaRules";

type Layers = readonly SchemaRules[];

/** Lists the names that schemas describe in an object, in their order. */
export function describedNames(layers: Layers): string[] {
  return [...new Set(layers.flatMap(({ properties }) => [...(properties?.keys() ?? [])]))];
}

/** Returns the required names of an object. */
export function requiredNames(layers: Layers): ReadonlySet<string> {
  return new Set(layers.flatMap(({ required }) => required ?? []));
}

/** Lists the required names of an object: first the described ones, in the order of their descriptions. */
export function requiredInOrder(layers: Layers): string[] {
  const required = requiredNames(layers);
  return [
    ...new Set([...describedNames(layers).filter((name) => required.has(name)), ...required]),
  ];
}

/** Lists the layers of the property with this name. */
export function propertyLayers(layers: Layers, name: string): Layers {
  return layersOf(layers.flatMap(({ properties }) => properties?.get(name) ?? []));
}
