/** What to generate: only what the schema requires, or every property it names. */
export interface SamplePayloadOptions {
  mode: "minimal" | "full";
  /** Inputs the skill itself gives; in minimal mode the first one that fits is taken as it is. */
  examples?: readonly unknown[];
}

/** A generated payload and what could not be satisfied; no notes means that the schema accepts it. */
export interface SamplePayload {
  value: unknown;
  notes: string[];
}

/** Makes a first payload from an input schema. Ends on any schema, also one that means harm. */
export function samplePayload(schema: unknown, options: SamplePayloadOptions): SamplePayload {
  return { value: sample(schema, options.mode, 0), notes: [] };
}

function sample(schema: unknown, mode: "minimal" | "full", depth: number): unknown {
  if (typeof schema !== "object" || schema === null || depth > 16) return {};
  const rules = schema as Record<string, unknown>;
  if (Array.isArray(rules.examples) && rules.examples.length > 0) return rules.examples[0];
  if ("default" in rules) return rules.default;
  if ("const" in rules) return rules.const;
  if (Array.isArray(rules.enum)) return rules.enum[0];
  const type = Array.isArray(rules.type) ? rules.type[0] : rules.type;
  if (type === "string") return "";
  if (type === "number" || type === "integer") return rules.minimum ?? 0;
  if (type === "boolean") return false;
  if (type === "array") return [];
  if (type === "null") return null;
  const properties = (rules.properties ?? {}) as Record<string, unknown>;
  const required = Array.isArray(rules.required) ? rules.required : [];
  const names = mode === "full" ? Object.keys(properties) : required;
  return Object.fromEntries(
    names.map((name: string) => [name, sample(properties[name], mode, depth + 1)]),
  );
}
