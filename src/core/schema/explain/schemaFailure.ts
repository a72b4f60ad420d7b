import type { InstancePath } from "../evaluate/evaluation";
import type { SchemaRules } from "../schemaRules";

/** One rule that a value does not keep, before it is put into words. */
export interface SchemaFailure {
  /** The keyword's name among the rules; `format` failures are warnings. */
  keyword: keyof SchemaRules & string;
  rules: SchemaRules;
  path: InstancePath | undefined;
  /** The value at that path. */
  value: unknown;
  /** What to point at: the value, the key `name` in it, or its opening brace for a missing `name`. */
  at: "value" | "key" | "brace";
  name?: string;
  /** Indexes that matter: the branches that fit, the equal items. */
  indexes?: number[];
  count?: number;
  /** Why a property's name is not allowed; the values several branches allow together. */
  because?: SchemaFailure[];
  /** The keyword of `rules` whose branches are reported together, where they are. */
  branches?: "anyOf" | "oneOf";
}

/** The properties that an object may have where one of its keys is not known. */
export function knownNames({ rules, value }: SchemaFailure): string[] {
  const given = new Set(Object.keys(value as object));
  return [...(rules.properties?.keys() ?? [])].filter((name) => !given.has(name));
}
