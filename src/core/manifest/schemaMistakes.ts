import { jsonEqual } from "../json/jsonValue";
import { similarName } from "../schema/explain/similarName";
import type { SchemaRules } from "../schema/schemaRules";
import { l10nText } from "../text/language";
import { oneLine } from "../text/plainText";
import type { ManifestFinding } from "./manifestRules";

/** The maximum number of findings from one schema, and of compared values of one list. */
const maxListed = 50;

const limitPairs = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
] as const;

/**
 * Lists the mistakes in a valid schema that its author did not intend: limits that exclude each other, a required name
 * that differs slightly from a property, and repeated values. `pointer` is the schema's place in the manifest.
 */
export function schemaMistakes(
  all: readonly SchemaRules[],
  pointer: string,
): readonly ManifestFinding[] {
  return all
    .filter(({ pointer: own }) => own !== undefined)
    .flatMap((rules) => {
      const at = `${pointer}${rules.pointer}`;
      return [...emptyRanges(rules, at), ...misspelled(rules, at), ...repeated(rules, at)];
    })
    .slice(0, maxListed);
}

function emptyRanges(rules: SchemaRules, at: string): readonly ManifestFinding[] {
  return limitPairs.flatMap(([low, high]) => {
    const [from, to] = [rules[low], rules[high]];
    if (from === undefined || to === undefined || from <= to) return [];
    const message = l10nText("No value fits: {low} is above {high}. Change one of them.", {
      low,
      high,
    });
    return [{ code: "schema", severity: "warning", pointer: `${at}/${low}`, message }];
  });
}

function misspelled(
  { required = [], properties, patternProperties }: SchemaRules,
  at: string,
): readonly ManifestFinding[] {
  if (properties === undefined || patternProperties !== undefined) return [];
  const optional = [...properties.keys()].filter((name) => !required.includes(name));
  return required.slice(0, maxListed).flatMap((name, index) => {
    const near = properties.has(name) ? undefined : similarName(name, optional);
    if (near === undefined) return [];
    const message = l10nText("“{name}” is required, but no property has this name. Use “{near}”?", {
      name: oneLine(name, 60),
      near: oneLine(near, 60),
    });
    const pointer = `${at}/required/${index}`;
    const fix = { pointer, value: near, isGuess: true } as const;
    return [{ code: "schema", severity: "warning", pointer, message, fix }];
  });
}

function repeated({ enum: values = [] }: SchemaRules, at: string): readonly ManifestFinding[] {
  const compared = values.slice(0, maxListed);
  return compared.flatMap((value, index) =>
    compared.slice(0, index).some((other) => jsonEqual(other, value))
      ? [
          {
            code: "schema",
            severity: "warning",
            pointer: `${at}/enum/${index}`,
            message: l10nText("This value is listed twice. Remove it."),
          },
        ]
      : [],
  );
}
