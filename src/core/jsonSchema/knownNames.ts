import type { SchemaFailure } from "./failures/schemaFailure";

/** The properties that an object may have where one of its keys is not known. */
export function knownNames({ rules, value }: SchemaFailure): string[] {
  const given = new Set(Object.keys(value as object));
  return [...(rules.properties?.keys() ?? [])].filter((name) => !given.has(name));
}
