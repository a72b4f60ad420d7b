import { allowedValues } from "./allowedValues";
import { tagNames } from "./evaluate/chooseBranch";
import { propertyLayers } from "./objectNames";
import { firstOf, layersOf, type SchemaRules } from "./schemaRules";

/**
 * Names the branches of a `oneOf` or `anyOf` as every view does: by the title that the author gave, else by the value
 * that distinguishes the branch (`kind: card`), else by `nameOfOther`. If two branches have the same name, the second
 * one gets its number (`kind: card (3)`).
 */
export function branchNames(
  branches: readonly SchemaRules[],
  nameOfOther: (branch: SchemaRules, number: number) => string,
): readonly string[] {
  const tags = tagNames(branches);
  const used = new Set<string>();
  return branches.map((branch, index) => {
    const layers = layersOf([branch]);
    const number = index + 1;
    const title = (firstOf(layers, "title") ?? "").trim();
    const own = title || (tagOf(layers, tags) ?? nameOfOther(branch, number));
    const name = used.has(own) ? `${own} (${number})` : own;
    used.add(name);
    return name;
  });
}

/** Returns the first property that distinguishes branches and allows one value here, with this value. */
function tagOf(layers: readonly SchemaRules[], tags: ReadonlySet<string>): string | undefined {
  for (const name of tags) {
    const [value, ...others] = allowedValues(propertyLayers(layers, name)) ?? [];
    if (value === undefined || others.length > 0) continue;
    return `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
  }
  return undefined;
}
