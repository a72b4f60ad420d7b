import { withoutValues } from "../../json/jsonPointer";
import type { JsonValue } from "../../json/jsonValue";
import { type EvaluableSchema, evaluateSchema } from "../evaluate/evaluateSchema";
import { type Findings, type SchemaFailure, stepsOf } from "../evaluate/evaluation";

/** The maximum number of nulls that are tried, each with at most as many steps. */
const [maxTried, maxSteps] = [20, 50_000];

/**
 * Finds the failures at a null that is the value of an optional property: without the property, the value has fewer
 * failures. People and programs write such a null for a property without a value.
 */
export function optionalNulls(
  schema: EvaluableSchema,
  value: JsonValue,
  { failures, hidden, limit }: Findings,
): ReadonlySet<SchemaFailure> {
  const nulls = failures.filter(
    ({ value: failed, at, path }) =>
      failed === null && at === "value" && typeof path?.key === "string",
  );
  const count = failures.length + hidden;
  const isOptional = ({ path }: SchemaFailure) => {
    const without = withoutValues(value, [stepsOf(path)]);
    const verdict = evaluateSchema(schema, without, { limit, steps: { remaining: maxSteps } });
    if (verdict.kind === "undecided") return false;
    return verdict.findings.failures.length + verdict.findings.hidden < count;
  };
  return new Set(nulls.slice(0, maxTried).filter(isOptional));
}
