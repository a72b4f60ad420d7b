import { pointerOf, withoutValues } from "../../json/jsonPointer";
import { isJsonObject, type JsonValue } from "../../json/jsonValue";
import { type Language, l10nText, localize } from "../../text/language";
import { evaluateSchema } from "../evaluate/evaluateSchema";
import { type SchemaFailure, stepsOf } from "../evaluate/evaluation";
import { EvaluationBudget } from "../evaluate/evaluationBudget";
import { describeFailure } from "../explain/describeFailure";
import type { TestableSchema } from "../read/testableSchema";
import { bestSample, sampleTask } from "./sampleValues";
import { givenValues, unfilledValue, type ValueSteps } from "./unfilledValue";

/**
 * The kind of sample: only required properties, all named properties, or the first example that the schema accepts
 * unchanged. Without such an example, the sample is `minimal`.
 */
export interface SamplePayloadOptions {
  mode: "minimal" | "full" | "example";
  /** The skill's own example payloads. Their values are preferred if they match. */
  examples?: readonly unknown[];
  /** Whether texts that neither the schema nor an example gives stay empty, for a person to write. */
  leavesTexts?: boolean;
}

/** A sample payload, and sentences about unsatisfied rules. Without notes, the schema accepts it. */
export interface SamplePayload {
  value: unknown;
  notes: string[];
  /** The steps to each value that nobody gave. The notes do not mention them. Missing unless `leavesTexts` is set. */
  empty?: readonly ValueSteps[];
}

/**
 * Generates a sample payload for an input schema. Prefers values of examples, defaults and enums, then the plainest
 * values within the limits. The work is bounded, even for a malicious schema.
 */
export function samplePayload(
  schema: TestableSchema,
  options: SamplePayloadOptions,
  language: Language,
): SamplePayload {
  const { mode, examples = [] } = options;
  const { root, defects, refusal } = schema;
  if (refusal !== undefined)
    return { value: examples[0] ?? {}, notes: [localize(refusal.reason, language)] };
  const budget = new EvaluationBudget(schema);
  const fits = (other: unknown) => budget.fits([root], other);
  const example = mode === "example" ? examples.find(fits) : undefined;
  const sampleMode = mode === "full" ? "full" : "minimal";
  const createSample = () =>
    bestSample({ ...sampleTask([root], budget), mode: sampleMode, hints: examples });
  const sample =
    example ??
    (sampleMode === "minimal" ? pruneSample(createSample(), fits, examples) : createSample());
  const check = (value: unknown): Checked => {
    const limits = { limit: maxNotes, steps: { remaining: maxStepsAtEnd } };
    const verdict = evaluateSchema(budget.schemaAt(root), value, limits);
    return { value, failures: verdict.kind === "decided" ? verdict.findings.failures : undefined };
  };
  const omittedNotes =
    defects.first === undefined ? [] : [localize(defects.first.reason, language)];
  const first = check(sample);
  const { value, failures } = sampleMode === "full" ? withoutFailing(first, check) : first;
  const notes = failures?.map((failure) => noteOf(failure, language));
  const allNotes = [...(notes ?? [localize(notChecked, language)]), ...omittedNotes];
  if (options.leavesTexts !== true) return { value, notes: allNotes };
  return { ...unfilledValue(value, givenValues(schema.all, examples)), notes: allNotes };
}

/** A value and its failures. They are undefined if the verdict is undecided. */
interface Checked {
  readonly value: unknown;
  readonly failures: readonly SchemaFailure[] | undefined;
}

/**
 * Removes members that fail, the innermost first and then those around them. Skips a removal that causes more failures.
 * If failures remain in the end, returns the value unchanged.
 */
function withoutFailing(first: Checked, check: (value: unknown) => Checked): Checked {
  let best = first;
  for (let round = 0; round < maxRounds; round += 1) {
    if (best.failures === undefined || best.failures.length === 0) return best;
    const paths = best.failures.map(({ path }) => stepsOf(path));
    const around = paths.map((steps) => steps.slice(0, Math.max(1, steps.length - round)));
    const below = around.filter((steps) => steps.length > 0);
    const next = check(withoutValues(best.value as JsonValue, below));
    const isBetter = next.failures !== undefined && next.failures.length <= best.failures.length;
    if (isBetter) best = next;
  }
  return best.failures?.length === 0 ? best : first;
}

/**
 * The maximum number of rounds. Each takes some milliseconds, and removes members one level further out than the last.
 */
const maxRounds = 8;

/** The maximum number of notes above a payload. The diagnostics list all. */
const maxNotes = 10;
/** The budget of the final check, separate from the budget of the search. */
const maxStepsAtEnd = 200_000;
const notChecked = l10nText("Could not validate the generated payload.");

function noteOf(failure: SchemaFailure, language: Language): string {
  const where = pointerOf(stepsOf(failure.path));
  const words = describeFailure(failure, language);
  return where === "" ? words : `${where}: ${words}`;
}

/** The maximum number of properties to try. The rest stay. */
const maxTries = 200;

/**
 * Removes properties from a value, starting with the last, while `fits` accepts the rest. This drops properties that
 * only another branch required. If `fits` does not accept the value, returns it unchanged. Does not change lists of
 * `given` values, since they are better examples.
 */
export function pruneSample(
  value: unknown,
  fits: (value: unknown) => boolean,
  given: readonly unknown[] = [],
): unknown {
  let tries = maxTries;
  const givenLists = listsIn(given);
  const prune = (part: unknown, isEnough: (part: unknown) => boolean): unknown => {
    if (givenLists.has(part)) return part;
    if (Array.isArray(part)) {
      let items: readonly unknown[] = part;
      for (const index of part.keys()) {
        const put = (item: unknown) => items.with(index, item);
        items = put(prune(items[index], (item) => isEnough(put(item))));
      }
      return items;
    }
    if (!isJsonObject(part)) return part;
    let members: [string, unknown][] = Object.entries(part);
    const isEnoughWith = (list: readonly [string, unknown][]) => isEnough(Object.fromEntries(list));
    for (const name of Object.keys(part).reverse()) {
      const without = members.filter(([other]) => other !== name);
      if (tries <= 0) break;
      tries -= 1;
      if (isEnoughWith(without)) members = without;
    }
    for (const [name, inner] of members) {
      const put = (value: unknown) =>
        members.map((member): [string, unknown] => (member[0] === name ? [name, value] : member));
      members = put(prune(inner, (value) => isEnoughWith(put(value))));
    }
    return Object.fromEntries(members);
  };
  return fits(value) ? prune(value, fits) : value;
}

function listsIn(values: readonly unknown[]): Set<unknown> {
  const lists = new Set<unknown>();
  const open = new Set(values);
  for (const value of open) {
    if (Array.isArray(value)) lists.add(value);
    else if (isJsonObject(value)) for (const inner of Object.values(value)) open.add(inner);
  }
  return lists;
}
