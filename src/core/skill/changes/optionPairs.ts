import type { JsonValue } from "../../text/json";
import { jsonFingerprint, type ReadingBudget } from "./jsonFingerprint";
import type { SchemaOption } from "./schemaOptions";

/** An alternative before and after; undefined on the side that does not have it. */
export interface OptionPair {
  readonly name: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/**
 * Finds which alternatives of two lists belong together: those of one name; of those without a name the
 * ones that are written alike, whatever their place, and the rest in their order.
 */
export function optionPairs(
  before: readonly SchemaOption[],
  after: readonly SchemaOption[],
  budget: ReadingBudget,
): OptionPair[] {
  const left = new Set(after);
  const take = (fits: (option: SchemaOption) => boolean) => {
    const found = [...left].find(fits);
    if (found !== undefined) left.delete(found);
    return found;
  };
  const texts = new Map(
    [...before, ...after]
      .filter(({ isNamed }) => !isNamed)
      .map((option) => [option, jsonFingerprint(option.schema, budget)]),
  );
  const found = new Map(
    before.map((option) => [
      option,
      option.isNamed
        ? take(({ isNamed, name }) => isNamed && name === option.name)
        : take((other) => !other.isNamed && texts.get(other) === texts.get(option)),
    ]),
  );
  const pairs = before.map((option): OptionPair => {
    const later =
      found.get(option) ?? (option.isNamed ? undefined : take(({ isNamed }) => !isNamed));
    return later === undefined
      ? { name: option.name, before: option.schema }
      : { name: later.name, before: option.schema, after: later.schema };
  });
  return [...pairs, ...[...left].map(({ name, schema }) => ({ name, after: schema }))];
}
