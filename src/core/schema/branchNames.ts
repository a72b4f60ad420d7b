import { allowedValues } from "./allowedValues";
import { describedNames, propertyLayers } from "./objectNames";
import { firstOf, layersOf, type SchemaRules } from "./schemaRules";

/** The maximum number of a branch's properties that may name it. */
const maxProperties = 300;

/**
 * Names the branches of a `oneOf` or `anyOf` as every view does: by the title that the author gave, else by the value
 * that distinguishes the branch (`kind: card`), else by `nameOfOther`. A second branch of one name gets its number
 * (`kind: card (3)`).
 */
export function branchNames(
  branches: readonly SchemaRules[],
  nameOfOther: (branch: SchemaRules, number: number) => string,
): readonly string[] {
  const constants = branches.map(constantsOf);
  const isShared = (text: string) => constants.every((own) => own.includes(text));
  const used = new Set<string>();
  return branches.map((branch, index) => {
    const number = index + 1;
    const title = (firstOf(layersOf([branch]), "title") ?? "").trim();
    const texts = constants[index] ?? [];
    const constant = texts.find((text) => branches.length === 1 || !isShared(text));
    const own = title || (constant ?? nameOfOther(branch, number));
    const name = used.has(own) ? `${own} (${number})` : own;
    used.add(name);
    return name;
  });
}

/** Lists the properties of which a branch allows one value, each with this value. */
function constantsOf(branch: SchemaRules): readonly string[] {
  const layers = layersOf([branch]);
  return [...describedNames(layers)].slice(0, maxProperties).flatMap((name) => {
    const [value, ...others] = allowedValues(propertyLayers(layers, name)) ?? [];
    if (value === undefined || others.length > 0) return [];
    return [`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`];
  });
}
