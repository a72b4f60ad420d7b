import type { DecidingKeyword } from "../keywords";
import type { SchemaResource, SchemaRules } from "../schemaRules";

/** Returns whether a pattern matches anywhere in a string. */
export type PatternTest = (text: string) => boolean;

/**
 * The verdict of another engine on rules and a value: `clean` (valid, and every format matches), `fits` or `fails`.
 * Undefined if the engine has no verdict.
 */
export type OtherVerdict = (
  rules: SchemaRules,
  value: unknown,
) => "clean" | "fits" | "fails" | undefined;

/** One application of a schema to a value: its helpers and limits. */
export interface Evaluation {
  /** Returns the test of a pattern. The test may throw if the pattern must not be run. */
  testOf(pattern: string): PatternTest;
  /** The verdict of another, faster engine. Values that it finds valid are not evaluated again. */
  otherVerdict: OtherVerdict | undefined;
  /**
   * Numbers of the value or the schema that lost digits when they were parsed. A number maps to true if none of its
   * literals in the value has a fraction. Evaluation stops if a comparison depends on the lost digits.
   */
  lossyValues: ReadonlyMap<number, boolean> | undefined;
  /** Remaining steps before the evaluation stops. One step applies one schema to one value. */
  steps: { remaining: number };
  /** The number of nested schemas that are being applied to the same value. Beyond the limit, they are a cycle. */
  nestedSchemas: number;
  maxNestedSchemas: number;
  /** The schema resources entered so far, outermost first. Recorded only for schemas with dynamic references. */
  scope: SchemaResource[] | undefined;
  /** Whether the schema uses `unevaluatedProperties` or `unevaluatedItems`. */
  tracksEvaluated: boolean;
}

/** An instance path, as a linked list from the value up to the root. Undefined stands for the root. */
export interface InstancePath {
  parent: InstancePath | undefined;
  key: string | number;
}

/** Lists the steps of an instance path from the root down: property names, and indexes as numbers. */
export function stepsOf(path: InstancePath | undefined): (string | number)[] {
  const steps: (string | number)[] = [];
  for (let at = path; at !== undefined; at = at.parent) steps.push(at.key);
  return steps.reverse();
}

/** The findings so far. Failures beyond `limit` are only counted. Counting ends at `hiddenLimit`. */
export interface Findings {
  failures: SchemaFailure[];
  hidden: number;
  limit: number;
  hiddenLimit: number;
  warnings: SchemaFailure[];
}

/** The state of an evaluation at one value. Without findings, it stops at the first failure. */
export interface EvaluationContext {
  evaluation: Evaluation;
  path: InstancePath | undefined;
  findings: Findings | undefined;
}

/** Ends an evaluation that cannot be decided or has found enough failures. */
export class EvaluationStopped extends Error {
  readonly why: "endless" | "steps" | "lossy" | "enough";

  constructor(why: EvaluationStopped["why"]) {
    super(why);
    this.name = "EvaluationStopped";
    this.why = why;
  }
}

/**
 * Stops the evaluation if a value is or contains a number that lost digits, since a comparison with the rounded number
 * may be wrong.
 */
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

/** Creates the context of a property or item. Without findings, the path is not needed. */
export function childContext(context: EvaluationContext, key: string | number): EvaluationContext {
  if (context.findings === undefined) return context;
  return {
    evaluation: context.evaluation,
    path: { parent: context.path, key },
    findings: context.findings,
  };
}

/** Creates a context for the same value without findings. */
export function quietContext(context: EvaluationContext): EvaluationContext {
  if (context.findings === undefined) return context;
  return { evaluation: context.evaluation, path: undefined, findings: undefined };
}

/** Creates an empty set of findings that keeps at most `limit` failures. */
export function newFindings(limit: number, hiddenLimit = Number.POSITIVE_INFINITY): Findings {
  return { failures: [], hidden: 0, limit, hiddenLimit, warnings: [] };
}

/** Records a failure if the context has findings. Always returns false, the verdict. */
export function fail(context: EvaluationContext, failure: () => SchemaFailure): false {
  const { findings } = context;
  if (findings === undefined) return false;
  if (findings.failures.length < findings.limit) findings.failures.push(failure());
  else findings.hidden += 1;
  if (findings.hidden > findings.hiddenLimit) throw new EvaluationStopped("enough");
  return false;
}

/** Records that a value as a whole violates a keyword. Always returns false, the verdict. */
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

/** The evaluated properties and items of one value, in the sense of `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  allProperties = false;
  allItems = false;
  /** All items before this index are evaluated. */
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

  /** Adds the members that another schema evaluated in the same value. */
  add(other: Evaluated): void {
    this.allProperties ||= other.allProperties;
    this.allItems ||= other.allItems;
    this.itemsBefore = Math.max(this.itemsBefore, other.itemsBefore);
    for (const name of other.#properties) this.#properties.add(name);
    for (const index of other.#items) this.#items.add(index);
  }
}

/**
 * A keyword that a value can violate, or the schema `false`. Keywords that only apply subschemas cannot be violated.
 */
export type FailingKeyword = Exclude<DecidingKeyword, "prefixItems" | "allOf" | "if"> | "never";

/** One violated keyword, before it is described. */
export interface SchemaFailure {
  /** The violated keyword. A failure of `format` is a warning. */
  keyword: FailingKeyword;
  rules: SchemaRules;
  path: InstancePath | undefined;
  value: unknown;
  /** The range to mark: the value, the key `name` in it, or its opening brace if `name` is missing. */
  at: "value" | "key" | "brace";
  name?: string;
  /** The property that makes `name` required. */
  given?: string;
  /** Indexes of the matching branches or of the equal items. */
  indexes?: number[];
  /** The measured number that violates a bound. */
  count?: number;
  /**
   * The failures that explain this one: why a property's name is not allowed, or the failures of several branches that
   * are reported together.
   */
  because?: SchemaFailure[];
  /** The keyword of `rules` whose branches are reported together, if any. */
  branches?: "anyOf" | "oneOf";
  /**
   * What depends on the guess that the most likely branch is intended: the whole failure (`branch`), or only a value
   * taken from the schema (`value`). Absent without a guess.
   */
  guess?: "branch" | "value";
}

/** Lists the declared properties that an object does not have yet. */
export function absentProperties({ rules, value }: SchemaFailure): string[] {
  const present = new Set(Object.keys(value as object));
  return [...(rules.properties?.keys() ?? [])].filter((name) => !present.has(name));
}
