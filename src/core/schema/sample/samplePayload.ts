import { pointerOf } from "../../json/jsonPointer";
import { isJsonObject } from "../../json/jsonValue";
import { type Language, l10nText, localize } from "../../text/language";
import { evaluateSchema } from "../evaluate/evaluateSchema";
import { type SchemaFailure, stepsOf } from "../evaluate/evaluation";
import { describeFailure } from "../explain/describeFailure";
import type { TestableSchema } from "../read/testableSchema";
import type { SchemaRules } from "../schemaRules";
import { bestSample, SampleBudget } from "./sampleValues";

/**
 * What to generate: only what the schema requires, every property it names, or the first example that
 * the schema accepts as it is, `minimal` where there is none.
 */
export interface SamplePayloadOptions {
  mode: "minimal" | "full" | "example";
  /** The skill's own example payloads; their values are preferred where they match. */
  examples?: readonly unknown[];
}

/** A generated payload, and as sentences what could not be satisfied; without notes the schema accepts it. */
export interface SamplePayload {
  value: unknown;
  notes: string[];
}

/**
 * Generates a first payload from an input schema: values of examples, defaults and enums, else the plainest
 * that keep the limits. Ends on any schema, even a malicious one, within some 100 ms.
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
  const budget = new SampleBudget(schema);
  const fits = (other: unknown) => budget.fits([root], other);
  const example = mode === "example" ? examples.find(fits) : undefined;
  const wanted = mode === "full" ? "full" : "minimal";
  const found = example ?? madeSample(root, wanted, examples, budget);
  const check = (value: unknown): Checked => {
    const limits = { limit: maxNotes, steps: { remaining: maxStepsAtEnd } };
    const verdict = evaluateSchema(budget.schemaAt(root), value, limits);
    return { value, failures: verdict.kind === "decided" ? verdict.findings.failures : undefined };
  };
  const gaps = defects.first === undefined ? [] : [localize(defects.first.reason, language)];
  const first = check(found);
  const { value, failures } = wanted === "full" ? withoutFailing(first, check) : first;
  const notes = failures?.map((failure) => noteOf(failure, language));
  return { value, notes: [...(notes ?? [localize(notChecked, language)]), ...gaps] };
}

/** A value and its failures; undefined where undecided. */
interface Checked {
  readonly value: unknown;
  readonly failures: readonly SchemaFailure[] | undefined;
}

/** Removes failing members, the innermost first, then those around them, as long as that helps. */
function withoutFailing(first: Checked, check: (value: unknown) => Checked): Checked {
  let best = first;
  for (let round = 0; round < maxRounds; round += 1) {
    if (best.failures === undefined || best.failures.length === 0) return best;
    let { value } = best;
    for (const { path } of best.failures) {
      const steps = stepsOf(path);
      value = withoutMember(value, steps.slice(0, Math.max(1, steps.length - round)));
    }
    const next = check(value);
    const isBetter = next.failures !== undefined && next.failures.length <= best.failures.length;
    if (isBetter) best = next;
  }
  return best.failures?.length === 0 ? best : first;
}

/** A check takes some milliseconds; deeper failures of a sample do not occur. */
const maxRounds = 8;

function withoutMember(value: unknown, [step, ...more]: readonly (string | number)[]): unknown {
  if (step === undefined) return value;
  if (Array.isArray(value)) {
    return more.length === 0
      ? value.filter((_, index) => index !== step)
      : value.map((item, index) => (index === step ? withoutMember(item, more) : item));
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, inner]) => {
    if (name !== step) return [[name, inner]];
    return more.length === 0 ? [] : [[name, withoutMember(inner, more)]];
  });
  return Object.fromEntries(members);
}

function madeSample(
  root: SchemaRules,
  mode: "minimal" | "full",
  hints: readonly unknown[],
  budget: SampleBudget,
): unknown {
  const found = bestSample({ list: [root], mode, hints, around: new Set(), depth: 0, budget });
  const fits = (other: unknown) => budget.fits([root], other);
  return mode === "minimal" ? pruneSample(found, fits, hints) : found;
}

/** The notes above a payload; the diagnostics name all. */
const maxNotes = 10;
/** The sample was already checked while it was made; this final check has a budget of its own. */
const maxStepsAtEnd = 200_000;
const notChecked = l10nText("Could not validate the generated payload.");

function noteOf(failure: SchemaFailure, language: Language): string {
  const where = pointerOf(stepsOf(failure.path));
  const words = describeFailure(failure, language);
  return where === "" ? words : `${where}: ${words}`;
}

/** Upper limit of properties that are tried; the remaining ones stay. */
const maxTries = 200;

/**
 * Removes properties from a value as long as `fits` accepts the whole, the last ones first: those that only
 * another branch required are dropped. A value that does not match is returned as it is, and so are lists in
 * `given` values: they are better examples.
 */
export function pruneSample(
  value: unknown,
  fits: (value: unknown) => boolean,
  given: readonly unknown[] = [],
): unknown {
  let tries = maxTries;
  const kept = listsIn(given);
  const prune = (part: unknown, isEnough: (part: unknown) => boolean): unknown => {
    if (kept.has(part)) return part;
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
    const whole = (list: readonly [string, unknown][]) => isEnough(Object.fromEntries(list));
    for (const name of Object.keys(part).reverse()) {
      const without = members.filter(([other]) => other !== name);
      if (tries <= 0) break;
      tries -= 1;
      if (whole(without)) members = without;
    }
    for (const [name, inner] of members) {
      const put = (value: unknown) =>
        members.map((member): [string, unknown] => (member[0] === name ? [name, value] : member));
      members = put(prune(inner, (value) => whole(put(value))));
    }
    return Object.fromEntries(members);
  };
  return fits(value) ? prune(value, fits) : value;
}

/** Upper limit of values that are visited. */
const maxLooked = 10_000;

function listsIn(values: readonly unknown[]): Set<unknown> {
  const lists = new Set<unknown>();
  const open = [...values];
  for (let looked = 0; open.length > 0 && looked < maxLooked; looked += 1) {
    const value = open.pop();
    if (Array.isArray(value)) lists.add(value);
    else if (isJsonObject(value)) open.push(...Object.values(value).slice(0, maxLooked));
  }
  return lists;
}
