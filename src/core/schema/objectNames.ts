import { layersOf, type SchemaRules } from "./schemaRules";

type Layers = readonly SchemaRules[];

/** Lists the property names that schemas describe, in the order of the schemas. */
export function describedNames(layers: Layers): string[] {
  return [...new Set(layers.flatMap(({ properties }) => [...(properties?.keys() ?? [])]))];
}

/** Returns the required names of an object. */
export function requiredNames(layers: Layers): ReadonlySet<string> {
  return new Set(layers.flatMap(({ required }) => required ?? []));
}

/** Lists the required property names: first the described ones, in the order of their descriptions. */
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
