import type { SchemaRules } from "../schemaRules";

/** The rules that hold together once every choice is made, and how many options each choice had. */
export interface GatheredParts {
  parts: SchemaRules[];
  options: number[];
}

/**
 * Collects all rules that apply to one value: through references and `allOf`, and through the branch
 * of `anyOf`, `oneOf` and `if` that `choices` names in the order they are met (the first unless given).
 */
export function gatherParts(
  list: readonly SchemaRules[],
  choices: readonly number[],
): GatheredParts {
  const parts = new Set<SchemaRules>();
  const options: number[] = [];
  const choose = <T>(from: readonly T[]): T | undefined => {
    const chosen = choices[options.length] ?? 0;
    options.push(from.length);
    return from[chosen];
  };
  const open = [...list].reverse();
  for (let rules = open.pop(); rules !== undefined; rules = open.pop()) {
    if (parts.has(rules)) continue;
    parts.add(rules);
    const next: (SchemaRules | undefined)[] = [rules.reference?.target, ...(rules.allOf ?? [])];
    for (const branches of [rules.anyOf, rules.oneOf]) {
      if (branches !== undefined) next.push(choose(branches));
    }
    if (rules.if !== undefined) {
      next.push(...(choose([[rules.if, rules.then], [rules.else]]) ?? []));
    }
    for (const found of next.reverse()) if (found !== undefined) open.push(found);
  }
  return { parts: [...parts], options };
}

/** Goes through the combinations of choices, the last one fastest, at most `limit` of them. */
export function* everyChoice(
  list: readonly SchemaRules[],
  limit: number,
): Generator<SchemaRules[]> {
  let choices: number[] = [];
  for (let count = 0; count < limit; count += 1) {
    const { parts, options } = gatherParts(list, choices);
    if (!parts.some(({ never }) => never)) yield parts;
    const current = options.map((_, index) => choices[index] ?? 0);
    let last = options.length - 1;
    while (last >= 0 && (current[last] ?? 0) + 1 >= (options[last] ?? 0)) last -= 1;
    if (last < 0) return;
    choices = [...current.slice(0, last), (current[last] ?? 0) + 1];
  }
}
