import { pointerOf } from "../../json/jsonPointer";
import type { Language } from "../../text/language";
import { l10nText, localize } from "../../text/localizableText";
import { evaluateSchema } from "../evaluate/evaluateSchema";
import { stepsOf } from "../evaluate/evaluation";
import { describeFailure } from "../explain/describeFailure";
import type { SchemaFailure } from "../explain/schemaFailure";
import { readSchema } from "../read/readSchema";
import type { SchemaRules } from "../schemaRules";
import { pruneSample } from "./pruneSample";
import { SampleBudget } from "./sampleBudget";
import { bestSample } from "./sampleValues";

/**
 * What to generate: only what the schema requires, every property it names, or the first example that
 * the schema accepts as it is, `minimal` where there is none.
 */
export interface SamplePayloadOptions {
  mode: "minimal" | "full" | "example";
  /** Payloads that the skill itself gives as examples; their values are preferred where they fit. */
  examples?: readonly unknown[];
}

/** A generated payload, and in sentences what could not be satisfied; no notes means that the schema accepts it. */
export interface SamplePayload {
  value: unknown;
  notes: string[];
}

/**
 * Makes a first payload from an input schema: values that examples, defaults and enums give, else the
 * plainest that keep the limits. Ends on any schema, also one that means harm, within some 100 ms.
 */
export function samplePayload(
  schema: unknown,
  options: SamplePayloadOptions,
  language: Language,
): SamplePayload {
  const { mode, examples = [] } = options;
  const read = readSchema(schema);
  if (read.kind === "refused")
    return { value: examples[0] ?? {}, notes: [localize(read.reason, language)] };
  const { root, all, defects } = read;
  const budget = new SampleBudget(all);
  const fits = (other: unknown) => budget.fits([root], other);
  const example = mode === "example" ? examples.find(fits) : undefined;
  const value = example ?? madeSample(root, mode === "full" ? "full" : "minimal", examples, budget);
  const verdict = evaluateSchema(new SampleBudget(all).schemaAt(root), value, {
    limit: maxNotes,
    steps: { left: maxStepsAtEnd },
  });
  if (verdict.kind === "undecided") return { value, notes: [localize(notChecked, language)] };
  const failed = verdict.findings.failures.map((failure) => noteOf(failure, language));
  const gaps = defects.first === undefined ? [] : [localize(defects.first.reason, language)];
  return { value, notes: [...failed, ...gaps] };
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

const maxNotes = 10;
const maxStepsAtEnd = 200_000;
const notChecked = l10nText("Could not validate the generated payload.");

function noteOf(failure: SchemaFailure, language: Language): string {
  const where = pointerOf(stepsOf(failure.path));
  const words = describeFailure(failure, language);
  return where === "" ? words : `${where}: ${words}`;
}
