import type { SchemaRules } from "../schemaRules";
import { evaluateRules } from "./evaluateRules";
import {
  type Evaluation,
  EvaluationStopped,
  type Findings,
  newFindings,
  type OtherVerdict,
  type PatternTest,
} from "./evaluation";

/** More failures than this are not even counted. */
const maxCounted = 100_000;

/** A schema ready to be applied, with the test of every pattern it may ask for. */
export interface EvaluableSchema {
  root: SchemaRules;
  all: readonly SchemaRules[];
  testOf(pattern: string): PatternTest;
}

/** The result for a value: whether it is valid and what was found, or why that is undecided. */
export type SchemaVerdict =
  | { kind: "decided"; fits: boolean; findings: Findings }
  | { kind: "undecided"; cause: "endless" | "steps" | "lossy" | "depth" };

/** Limits and helpers of one evaluation; none unless given. */
export interface EvaluationOptions {
  /** Failures to list; the rest is counted. */
  limit?: number;
  /** Steps that may be taken; what several applications share bounds them together. */
  steps?: { left: number };
  otherVerdict?: OtherVerdict;
  /** Numbers of the value that lost digits when it was read (see `Evaluation`); none unless given. */
  lossyValues?: ReadonlyMap<number, boolean>;
}

/** Applies a schema to a value and lists what it does not keep, at most 200 failures unless given. */
export function evaluateSchema(
  schema: EvaluableSchema,
  value: unknown,
  options: EvaluationOptions = {},
): SchemaVerdict {
  const findings = newFindings(options.limit ?? 200, maxCounted);
  return decided(findings, () => {
    const evaluation = newEvaluation(schema, options);
    return evaluateRules(schema.root, value, { evaluation, path: undefined, findings });
  });
}

/** Tells whether a value is valid, as fast as possible; undefined where that is undecided. */
export function fitsSchema(
  schema: EvaluableSchema,
  value: unknown,
  options: EvaluationOptions = {},
): boolean | undefined {
  const verdict = decided(newFindings(0), () => {
    const evaluation = newEvaluation(schema, options);
    const findings = undefined;
    return evaluateRules(schema.root, value, { evaluation, path: undefined, findings });
  });
  return verdict.kind === "decided" ? verdict.fits : undefined;
}

function newEvaluation({ all, testOf }: EvaluableSchema, options: EvaluationOptions): Evaluation {
  const isDynamic = all.some(({ reference }) => reference?.overrides !== undefined);
  return {
    testOf,
    otherVerdict: options.otherVerdict,
    lossyValues: options.lossyValues,
    steps: options.steps ?? { left: Number.POSITIVE_INFINITY },
    inPlace: 0,
    // A longer chain of schemas at one value repeats itself; dynamic references may repeat a little.
    inPlaceLimit: all.length * (isDynamic ? 4 : 1) + 16,
    scope: isDynamic ? [] : undefined,
    tracksEvaluated: all.some(
      ({ unevaluatedItems, unevaluatedProperties }) => unevaluatedItems ?? unevaluatedProperties,
    ),
  };
}

function decided(findings: Findings, evaluate: () => boolean): SchemaVerdict {
  try {
    return { kind: "decided", fits: evaluate(), findings };
  } catch (error) {
    if (error instanceof EvaluationStopped) {
      return error.why === "enough"
        ? { kind: "decided", fits: false, findings }
        : { kind: "undecided", cause: error.why };
    }
    // The engine's own signal that the stack is used up: schema and value are nested too deeply.
    if (error instanceof RangeError) return { kind: "undecided", cause: "depth" };
    throw error;
  }
}
