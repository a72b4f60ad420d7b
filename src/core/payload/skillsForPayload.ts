import { checkSyntax } from "../json/checkSyntax";
import { isJsonObject, type JsonValue, parsedJson } from "../json/jsonValue";
import type { SkillSummary } from "../skill/skill";
import { type Language, localize } from "../text/language";
import { oneLine } from "../text/plainText";
import { heldJson } from "./heldJson";
import {
  errorCount,
  errorsOf,
  type PayloadCheck,
  type PayloadProblem,
  problemText,
} from "./payloadCheck";

/** A value that was checked as a payload for a skill. */
export interface PayloadTrial {
  readonly skill: SkillSummary;
  /** The properties that the skill's input schema declares for the value, each with its types. */
  readonly declared: ReadonlyMap<string, string>;
  readonly check: PayloadCheck;
}

/** A skill that accepts a value, or nearly does. */
export interface SkillFit {
  readonly skill: SkillSummary;
  readonly fits: boolean;
  /** "Fits", or the missing property, such as "Needs priority: string". Not escaped. */
  readonly reason: string;
}

/** The maximum length of a text. Each skill's schema checks it, so a longer one would block the thread for a minute. */
const maxLength = 1_000_000;

/** A value to find skills for. */
interface SearchedJson {
  readonly value: JsonValue;
  /** The JSON that was taken from a text of another kind; undefined if the text itself is JSON. */
  readonly taken?: string;
}

/** Reads the JSON to find skills for, in a text of at most 1,000,000 characters, or describes the problem of the text. */
export function parseSearchedJson(
  text: string,
  language: Language,
): SearchedJson | { readonly problem: string } {
  const { t } = language;
  if (text.trim() === "") {
    return { problem: t("There is no JSON here. Open, select or copy some, then run this again.") };
  }
  if (text.length > maxLength) {
    return { problem: t("This text is too long. Select at most 1,000,000 characters of JSON.") };
  }
  const value = parsedJson(text);
  if (value !== undefined) return { value };
  const held = heldJson(text);
  if (held !== undefined) return { value: held.value, taken: held.text };
  const [first] = checkSyntax(text, 1).findings;
  const line = text.slice(0, first?.start).split("\n").length;
  const why = first === undefined ? "" : localize(first.message, language);
  return { problem: t("This is not valid JSON. Line {line}: {why}", { line, why }) };
}

/** How many of the checked skills accept a value. */
export interface FitCounts {
  readonly takers: number;
  readonly checked: number;
  /** Whether these are all skills of the registry. */
  readonly isAll: boolean;
}

/** Says which JSON was taken from a text of another kind; empty if the text itself is JSON. */
export function takenText({ taken }: SearchedJson, { t }: Language): string {
  return taken === undefined ? "" : t("Taken from the text: {json}", { json: oneLine(taken, 80) });
}

/** Describes how many skills accept a value. */
export function fitCountText({ isAll, ...counts }: FitCounts, { t }: Language): string {
  if (counts.takers === 0) {
    return isAll
      ? t("No skill takes this as it is ({checked} checked)", counts)
      : t("No skill takes this as it is ({checked} checked, more exist)", counts);
  }
  return isAll
    ? t("{takers} of {checked} skills take this", counts)
    : t("{takers} of {checked} checked skills take this; more exist", counts);
}

/** The maximum number of skills. Nobody looks for worse matches. */
const maxFits = 20;

/**
 * Selects the skills that accept a value or nearly do. Sorts them by the fewest errors, then by the most declared
 * properties of the value, then by the fewest other declared properties. A skill with errors must declare at least one
 * property of the value. Skills without a check are omitted.
 */
export function skillsForPayload(
  value: JsonValue,
  trials: readonly PayloadTrial[],
  language: Language,
): readonly SkillFit[] {
  const names = isJsonObject(value) ? Object.keys(value) : [];
  const measured = trials
    .filter(({ check }) => check.state !== "unchecked")
    .map((trial) => ({ trial, ...measures(trial, names) }))
    .filter(({ errors, used }) => errors === 0 || used > 0)
    .sort(
      (left, right) =>
        left.errors - right.errors || right.used - left.used || left.others - right.others,
    );
  return measured.slice(0, maxFits).map(({ trial, errors }) => ({
    skill: trial.skill,
    fits: errors === 0,
    reason: errors === 0 ? language.t("Fits") : whyNotText(trial, language),
  }));
}

function measures({ declared, check }: PayloadTrial, names: readonly string[]) {
  const used = names.filter((name) => declared.has(name)).length;
  return { used, others: declared.size - used, errors: errorCount(check) };
}

/** The maximum number of names in a row of the list. */
const maxNamed = 3;

/** Names the missing properties, then the first other problem, and counts the rest. */
function whyNotText({ check, declared }: PayloadTrial, { t }: Language): string {
  const errors = errorsOf(check);
  const missing = errors.flatMap((problem) => missingName(problem) ?? []).slice(0, maxNamed);
  const other = errors.find((problem) => missingName(problem) === undefined);
  const named = missing.map((name) =>
    [oneLine(name, 40), oneLine(declared.get(name) ?? "", 20)].filter(Boolean).join(": "),
  );
  const rest = errorCount(check) - missing.length - (other === undefined ? 0 : 1);
  return [
    named.length > 0 ? t("Needs {names}", { names: named.join(", ") }) : "",
    other === undefined ? "" : oneLine(problemText(other), 100),
    rest > 0 ? t("{count} more", { count: rest }) : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Returns the property of the whole value that a problem reports as missing. */
function missingName({ pointer, data }: PayloadProblem): string | undefined {
  return pointer === "" && data?.kind === "missingProperty" ? data.name : undefined;
}
