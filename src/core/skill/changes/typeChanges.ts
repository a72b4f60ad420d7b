import type { JsonObject } from "../../text/json";
import type { RuleChange } from "./ruleChanges";

/** Compares the types that are allowed. Every integer is a number. */
export function typeChanges(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): RuleChange[] {
  const [old, now] = [typesOf(before), typesOf(after)];
  const lost = [...(old ?? all)].some((type) => now !== undefined && !now.has(type));
  const won = [...(now ?? all)].some((type) => old !== undefined && !old.has(type));
  if (!lost && !won) return [];
  return [
    {
      kind: lost && won ? "changed" : lost ? "tightened" : "loosened",
      keyword: "type",
      ...(old !== undefined && { before: { type: namesOf(old) } }),
      ...(now !== undefined && { after: { type: namesOf(now) } }),
    },
  ];
}

const all: readonly string[] = [
  "object",
  "array",
  "string",
  "integer",
  "fraction",
  "boolean",
  "null",
];

// A value must be of a type that every layer allows. Undefined stands for any.
function typesOf(layers: readonly JsonObject[]): ReadonlySet<string> | undefined {
  let types: ReadonlySet<string> | undefined;
  for (const { type } of layers) {
    const stated = typeof type === "string" ? [type] : Array.isArray(type) ? type : undefined;
    if (stated === undefined) continue;
    const parts = new Set(
      stated
        .filter((name) => typeof name === "string")
        .flatMap((name) => (name === "number" ? ["integer", "fraction"] : [name])),
    );
    types = types === undefined ? parts : new Set([...types].filter((name) => parts.has(name)));
  }
  return types;
}

function namesOf(types: ReadonlySet<string>): string[] {
  return [...types]
    .filter((name) => name !== "integer" || !types.has("fraction"))
    .map((name) => (name === "fraction" ? "number" : name));
}
