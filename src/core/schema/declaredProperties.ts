import { statedTypes } from "./allowedValues";
import type { ReadSchema } from "./read/readSchema";
import { layersOf, type SchemaRules, schemaLayers } from "./schemaRules";

/** The maximum number of branches to read. Each is combined with everything else. */
const maxBranches = 500;

/**
 * Lists the properties that a schema declares for an object, each with its types, such as `integer|null`. The types are
 * empty where any type is allowed. Follows references and `allOf`. Of the branches of `oneOf`, `anyOf`, or `then` and
 * `else`, only one counts: the branch that declares most of `names`, and of these the one with the fewest properties.
 */
export function declaredProperties(
  { root }: ReadSchema,
  names: readonly string[],
): ReadonlyMap<string, string> {
  const wanted = new Set(names);
  let branchesLeft = maxBranches;

  function declaredBy(rules: SchemaRules, above: ReadonlySet<SchemaRules>) {
    const { layers } = schemaLayers([rules], (one) => above.has(one));
    const declared = new Map<string, string>();
    const here = new Set([...above, ...layers]);
    const add = (more: ReadonlyMap<string, string>) => {
      for (const [name, types] of more) declared.set(name, declared.get(name) || types);
    };
    for (const { properties = new Map<string, SchemaRules>() } of layers) {
      add(new Map([...properties].map(([name, one]) => [name, typesOf(one)])));
    }
    for (const { oneOf = [], anyOf = [], then, else: otherwise, dependentSchemas } of layers) {
      const outcomes = [then, otherwise].filter((one) => one !== undefined);
      for (const alternatives of [oneOf, anyOf, outcomes]) add(bestOf(alternatives, here));
      for (const [name, one] of dependentSchemas ?? []) {
        if (wanted.has(name)) add(bestOf([one], here));
      }
    }
    return declared;
  }

  function bestOf(alternatives: readonly SchemaRules[], above: ReadonlySet<SchemaRules>) {
    let best: ReadonlyMap<string, string> = new Map();
    for (const one of alternatives) {
      if (branchesLeft === 0) break;
      branchesLeft -= 1;
      const declared = declaredBy(one, above);
      const more = usedOf(declared) - usedOf(best);
      if (more > 0 || best.size === 0 || (more === 0 && declared.size < best.size)) best = declared;
    }
    return best;
  }

  function usedOf(declared: ReadonlyMap<string, string>): number {
    return [...declared.keys()].filter((name) => wanted.has(name)).length;
  }

  function typesOf(rules: SchemaRules): string {
    return statedTypes(layersOf([rules]))?.join("|") ?? "";
  }

  return declaredBy(root, new Set());
}
