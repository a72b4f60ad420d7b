import type { DecidingKeyword } from "../keywords";
import type { SchemaResource, SchemaRules } from "../schemaRules";

/** Returns whether a pattern is found in a text. */
export type PatternTest = (text: string) => boolean;

/**
 * The verdict of another engine on rules and a value: `clean` (valid, and every format too), `fits`, `fails`,
 * or undefined where it has none.
 */
export type OtherVerdict = (
  rules: SchemaRules,
  value: unknown,
) => "clean" | "fits" | "fails" | undefined;

/** One application of a schema to a value: what it needs, and what bounds it. */
export interface Evaluation {
  /** Returns the test of a pattern. Throws where the pattern must not be tried. */
  testOf(pattern: string): PatternTest;
  /** Asked first, so that only values it does not find clean are evaluated here. */
  otherVerdict: OtherVerdict | undefined;
  /**
   * Numbers that were read from literals with more digits than a number has, in the value or the schema, and
   * whether none in the value has a fraction. A comparison with a number of the schema stops where the lost
   * digits would decide.
   */
  lossyValues: ReadonlyMap<number, boolean> | undefined;
  /** Steps left before the evaluation is aborted; one step is one schema at one value. */
  steps: { remaining: number };
  /** Schemas applied to the same value, one inside the other; beyond the limit they would never end. */
  inPlace: number;
  inPlaceLimit: number;
  /** The resources entered so far, outermost first; recorded only for schemas with dynamic references. */
  scope: SchemaResource[] | undefined;
  /** Whether the schema depends on what others have evaluated (`unevaluatedProperties`, `…Items`). */
  tracksEvaluated: boolean;
}

/** The path of a value, as steps back to the root, which has none. */
export interface InstancePath {
  parent: InstancePath | undefined;
  key: string | number;
}

/** Lists the steps of an instance path from the root on: names of properties, indexes as numbers. */
export function stepsOf(path: InstancePath | undefined): (string | number)[] {
  const steps: (string | number)[] = [];
  for (let at = path; at !== undefined; at = at.parent) steps.push(at.key);
  return steps.reverse();
}

/** The findings so far. Failures beyond `limit` are only counted, and counting ends at `hiddenLimit`. */
export interface Findings {
  failures: SchemaFailure[];
  hidden: number;
  limit: number;
  hiddenLimit: number;
  warnings: SchemaFailure[];
}

/** The state of an evaluation at one value. Without findings it only determines validity, as fast as possible. */
export interface EvaluationContext {
  evaluation: Evaluation;
  path: InstancePath | undefined;
  findings: Findings | undefined;
}

/** Thrown where an evaluation cannot end, or has found enough. */
export class EvaluationStopped extends Error {
  readonly why: "endless" | "steps" | "lossy" | "enough";

  constructor(why: EvaluationStopped["why"]) {
    super(why);
    this.name = "EvaluationStopped";
    this.why = why;
  }
}

/** Stops where a value is or contains a number that lost digits, so that it only seems to equal another. */
export function stopIfLossy(
  value: unknown,
  { evaluation: { lossyValues } }: EvaluationContext,
): void {
  if (lossyValues === undefined || lossyValues.size === 0) return;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "number" && lossyValues.has(next)) throw new EvaluationStopped("lossy");
    if (typeof next !== "object" || next === null) continue;
    for (const inner of Object.values(next)) open.push(inner);
  }
}

/** The context of a property or item. Without findings, the path is not needed. */
export function childContext(context: EvaluationContext, key: string | number): EvaluationContext {
  if (context.findings === undefined) return context;
  return {
    evaluation: context.evaluation,
    path: { parent: context.path, key },
    findings: context.findings,
  };
}

/** The same value, evaluated for validity only. */
export function quietContext(context: EvaluationContext): EvaluationContext {
  if (context.findings === undefined) return context;
  return { evaluation: context.evaluation, path: undefined, findings: undefined };
}

/** Makes an empty set of findings that keeps at most `limit` failures. */
export function newFindings(limit: number, hiddenLimit = Number.POSITIVE_INFINITY): Findings {
  return { failures: [], hidden: 0, limit, hiddenLimit, warnings: [] };
}

/** Records a failure where failures are recorded. Returns false, the verdict. */
export function fail(context: EvaluationContext, failure: () => SchemaFailure): false {
  const { findings } = context;
  if (findings === undefined) return false;
  if (findings.failures.length < findings.limit) findings.failures.push(failure());
  else findings.hidden += 1;
  if (findings.hidden > findings.hiddenLimit) throw new EvaluationStopped("enough");
  return false;
}

/** Records that a value as a whole violates a rule. Returns false, the verdict. */
export function failValue(
  keyword: FailingKeyword,
  rules: SchemaRules,
  value: unknown,
  context: EvaluationContext,
  more?: Pick<SchemaFailure, "indexes" | "count">,
): false {
  const { path } = context;
  return fail(context, () => ({ keyword, rules, path, value, at: "value", ...more }));
}

/** The properties and items of one value that some schema has evaluated successfully. */
export class Evaluated {
  allProperties = false;
  allItems = false;
  /** All items before this index. */
  itemsBefore = 0;
  readonly #properties = new Set<string>();
  readonly #items = new Set<number>();

  addProperty(name: string): void {
    this.#properties.add(name);
  }

  addItem(index: number): void {
    this.#items.add(index);
  }

  hasProperty(name: string): boolean {
    return this.allProperties || this.#properties.has(name);
  }

  hasItem(index: number): boolean {
    return this.allItems || index < this.itemsBefore || this.#items.has(index);
  }

  /** Adds what another schema has evaluated of the same value. */
  add(other: Evaluated): void {
    this.allProperties ||= other.allProperties;
    this.allItems ||= other.allItems;
    this.itemsBefore = Math.max(this.itemsBefore, other.itemsBefore);
    for (const name of other.#properties) this.#properties.add(name);
    for (const index of other.#items) this.#items.add(index);
  }
}

/**
 * What a value can violate: a rule of the model, or the schema `false`. Keywords that only apply other schemas do not
 * fail themselves.
 */
export type FailingKeyword = Exclude<DecidingKeyword, "prefixItems" | "allOf" | "if"> | "never";

/** One rule that a value violates, before it is described. */
export interface SchemaFailure {
  /** `format` failures are warnings. */
  keyword: FailingKeyword;
  rules: SchemaRules;
  path: InstancePath | undefined;
  /** The value at that path. */
  value: unknown;
  /** The range to mark: the value, the key `name` in it, or its opening brace for a missing `name`. */
  at: "value" | "key" | "brace";
  name?: string;
  /** The property whose presence requires `name`. */
  given?: string;
  /** Relevant indexes: the branches that match, or the equal items. */
  indexes?: number[];
  /** The measure that violates a bound. */
  count?: number;
  /** Why a property's name is not allowed, or the values that several branches allow together. */
  because?: SchemaFailure[];
  /** The keyword of `rules` whose branches are reported together, if any. */
  branches?: "anyOf" | "oneOf";
  /**
   * What holds only if the most likely branch is the intended one: all of it (`branch`), or a value from the schema
   * (`value`). Absent where nothing is guessed.
   */
  guess?: "branch" | "value";
}

/** The properties that an object may have where one of its keys is unknown. */
export function knownNames({ rules, value }: SchemaFailure): string[] {
  const given = new Set(Object.keys(value as object));
  return [...(rules.properties?.keys() ?? [])].filter((name) => !given.has(name));
}
