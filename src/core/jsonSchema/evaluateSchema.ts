import { evaluateRules } from "./evaluateRules";
import {
  type Evaluation,
  EvaluationStopped,
  type Findings,
  type Guide,
  newFindings,
  type PatternTest,
} from "./evaluation";
import type { SchemaRules } from "./schemaRules";

/** A schema ready to be applied, with the test of every pattern it may ask for. */
export interface EvaluableSchema {
  root: SchemaRules;
  all: readonly SchemaRules[];
  testOf(pattern: string): PatternTest;
}

/** How a value fares: whether it fits and what was found, or why nobody can tell. */
export type SchemaVerdict =
  | { kind: "decided"; fits: boolean; findings: Findings }
  | { kind: "undecided"; cause: "endless" | "steps" | "depth" };

/**
 * Applies a schema to a value and lists what it does not keep, at most `limit` failures, the rest
 * counted. A `guide` names the parts of the value to look at when the others are known to hold.
 */
export function evaluateSchema(
  schema: EvaluableSchema,
  value: unknown,
  options: { limit?: number; guide?: Guide | undefined; maxSteps?: number } = {},
): SchemaVerdict {
  const findings = newFindings(options.limit ?? 200);
  const evaluation = newEvaluation(schema, options.maxSteps ?? Number.POSITIVE_INFINITY);
  const spot = { evaluation, place: undefined, findings, guide: options.guide };
  return decided(() => ({
    kind: "decided",
    fits: evaluateRules(schema.root, value, spot),
    findings,
  }));
}

/** Tells whether a value fits a schema, as fast as that can be told; nothing when nobody can tell. */
export function fitsSchema(
  schema: EvaluableSchema,
  value: unknown,
  options: { maxSteps?: number } = {},
): boolean | undefined {
  const evaluation = newEvaluation(schema, options.maxSteps ?? Number.POSITIVE_INFINITY);
  const spot = { evaluation, place: undefined, findings: undefined, guide: undefined };
  const findings = newFindings(0);
  const verdict = decided(() => ({
    kind: "decided",
    fits: evaluateRules(schema.root, value, spot),
    findings,
  }));
  return verdict.kind === "decided" ? verdict.fits : undefined;
}

function newEvaluation({ all, testOf }: EvaluableSchema, maxSteps: number): Evaluation {
  const isDynamic = all.some(({ reference }) => reference?.overrides !== undefined);
  return {
    testOf,
    stepsLeft: maxSteps,
    inPlace: 0,
    // A longer chain of schemas at one value repeats itself; dynamic references may repeat a little.
    inPlaceLimit: all.length * (isDynamic ? 4 : 1) + 16,
    scope: isDynamic ? [] : undefined,
    tracksEvaluated: all.some(
      ({ unevaluatedItems, unevaluatedProperties }) => unevaluatedItems ?? unevaluatedProperties,
    ),
  };
}

function decided(decide: () => SchemaVerdict): SchemaVerdict {
  try {
    return decide();
  } catch (error) {
    if (error instanceof EvaluationStopped) return { kind: "undecided", cause: error.why };
    // The engine's own signal that the stack is used up: schema and value are nested too deeply.
    if (error instanceof RangeError) return { kind: "undecided", cause: "depth" };
    throw error;
  }
}
