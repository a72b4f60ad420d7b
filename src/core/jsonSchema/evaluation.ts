import type { SchemaFailure } from "./schemaFailure";
import type { SchemaResource } from "./schemaRules";

/** Tells whether a pattern is found in a text. */
export type PatternTest = (text: string) => boolean;

/** One application of a schema to a value: what it needs, and what bounds it. */
export interface Evaluation {
  /** Gives the test of a pattern. Fails by throwing where it must not be tried. */
  testOf(pattern: string): PatternTest;
  /** Steps left before the application is given up; one step is one schema at one value. */
  stepsLeft: number;
  /** Schemas applied to the same value, one inside the other; more than the limit never ends. */
  inPlace: number;
  inPlaceLimit: number;
  /** The resources entered so far, outermost first; kept only for schemas with dynamic references. */
  scope: SchemaResource[] | undefined;
  /** Whether the schema asks what others have evaluated (`unevaluatedProperties`, `…Items`). */
  tracksEvaluated: boolean;
}

/** Where a value lies, as steps back to the root, which has none. */
export interface ValuePlace {
  parent: ValuePlace | undefined;
  key: string | number;
}

/** The parts of a value that need to be looked at; what it does not name is known to hold. */
export type Guide = Map<string, Guide>;

/** What was found so far. Beyond `limit` failures are only counted. */
export interface Findings {
  failures: SchemaFailure[];
  hidden: number;
  limit: number;
  warnings: SchemaFailure[];
}

/** Where an evaluation stands. Without findings it only tells yes or no, as fast as it can. */
export interface Spot {
  evaluation: Evaluation;
  place: ValuePlace | undefined;
  findings: Findings | undefined;
  guide: Guide | undefined;
}

/** Thrown out of an evaluation that cannot come to an end. */
export class EvaluationStopped extends Error {
  readonly why: "endless" | "steps";

  constructor(why: "endless" | "steps") {
    super(why);
    this.name = "EvaluationStopped";
    this.why = why;
  }
}

/** Steps to a property or item. Where nothing is recorded, the place is of no interest. */
export function spotBelow(spot: Spot, key: string | number): Spot {
  if (spot.findings === undefined) return spot;
  return {
    evaluation: spot.evaluation,
    place: { parent: spot.place, key },
    findings: spot.findings,
    guide: spot.guide?.get(String(key)),
  };
}

/** The same place, asked for yes or no only. */
export function silentSpot(spot: Spot): Spot {
  if (spot.findings === undefined) return spot;
  return { evaluation: spot.evaluation, place: undefined, findings: undefined, guide: undefined };
}

/** Tells whether a property or item is known to hold and need not be looked at. */
export function isSkipped(spot: Spot, key: string | number): boolean {
  return spot.guide !== undefined && !spot.guide.has(String(key));
}

/** Makes an empty set of findings that keeps at most `limit` failures. */
export function newFindings(limit: number): Findings {
  return { failures: [], hidden: 0, limit, warnings: [] };
}

/** Records a failure where failures are recorded. Returns false, the verdict. */
export function fail(spot: Spot, failure: () => SchemaFailure): false {
  const { findings } = spot;
  if (findings === undefined) return false;
  if (findings.failures.length < findings.limit) findings.failures.push(failure());
  else findings.hidden += 1;
  return false;
}
