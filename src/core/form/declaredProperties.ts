import { parsedJson } from "../json/jsonValue";
import { statedTypes } from "../schema/allowedValues";
import { EvaluationBudget } from "../schema/evaluate/evaluationBudget";
import { describedNames, propertyLayers } from "../schema/objectNames";
import type { TestableSchema } from "../schema/read/testableSchema";
import { rootField } from "./fieldWalk";

/**
 * Lists the properties that a schema declares for the object in a JSON text, each with its types, such as
 * `integer|null`. The types are empty if any type is allowed. Of alternatives, includes only those that the object's
 * form shows.
 */
export function declaredProperties(
  schema: TestableSchema,
  text: string,
): ReadonlyMap<string, string> {
  const { layers } = rootField(parsedJson(text), new EvaluationBudget(schema)).rules;
  return new Map(
    describedNames(layers).map((name) => [
      name,
      statedTypes(propertyLayers(layers, name))?.join("|") ?? "",
    ]),
  );
}
