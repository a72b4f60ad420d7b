import { prettyJsonChunked } from "../../json/printJson";
import { type PayloadProblem, problemText } from "../../payload/payloadCheck";
import type { Chunked } from "../../text/chunked";
import { timeFormats } from "../../text/dates";
import { durationText, type Language } from "../../text/language";
import { oneLine } from "../../text/plainText";
import { costOf, costText } from "../cost";
import { outcomeOf } from "../outcome";
import { endingText, otherTargetText, type WindowTarget } from "./invocationLabels";
import { type InvocationRecord, kindOf } from "./invocationRecord";
import { shownJson } from "./recordDocument";

/**
 * The maximum length of an output that opens by itself after an invocation, in characters. Longer ones take noticeable
 * time.
 */
export const longestResult = 1_000_000;

/** The user's language and the current time, in milliseconds since 1970. */
export interface OutputReader {
  readonly language: Language;
  readonly now: number;
}

/**
 * What a document contains of an output: all of it, or the beginning of one that is longer than `longestResult`. A
 * `side` of a comparison contains all of it, without lenses and problems.
 */
export type OutputExtent = "result" | "whole" | "side";

/** Returns whether a result shows only the beginning of an output, which is then no JSON. */
export function isCut(outputText: string, extent: OutputExtent): boolean {
  return extent === "result" && outputText.length > longestResult;
}

/**
 * Writes the output of an invocation for an editor: its JSON and nothing else, so that a saved copy is the output.
 * Without an output (undefined), writes a JSON object with the status and the error.
 */
export function* outputDocument(
  record: InvocationRecord,
  outputText: string | undefined,
  extent: OutputExtent,
  { t }: Language,
): Chunked<string> {
  if (outputText === undefined) return withoutOutput(record, t);
  if (!isCut(outputText, extent)) return yield* shownJson(outputText);
  const { text } = yield* prettyJsonChunked(outputText, longestResult);
  return `${text}\n${t("Truncated. “Skill Registry: Open Output” shows all of it.")}\n`;
}

function withoutOutput(record: InvocationRecord, t: Language["t"]): string {
  const { status, code, message } = record;
  const output = outcomeOf(record).isSuccess
    ? t("The output of this invocation was not kept.")
    : undefined;
  return `${JSON.stringify({ status, code, message, output }, undefined, 2)}\n`;
}

/**
 * Describes the invocation of an output: the title says in a few words where it was made (unless the window is there)
 * and how it ended (unless it succeeded), and is empty for neither; the measures are its duration, cost and the
 * beginning of its ID; the details are its time, whole ID, registry and environment.
 */
export function outputTitle(
  record: InvocationRecord,
  { language, now, window }: OutputReader & { readonly window: WindowTarget },
): { readonly title: string; readonly measures: string; readonly details: string } {
  const { t } = language;
  const { startedAt, registry, environment = "" } = record;
  const id = oneLine(record.invocationId ?? "", 200);
  const isPlain = outcomeOf(record).isSuccess && kindOf(record) === "invocation";
  const isForeign = record.status === "not executed";
  const ending = isForeign ? t("Not the output of this skill") : endingText(record, language);
  const shortId = id.length > shownIdLength + 1 ? `${id.slice(0, shownIdLength)}…` : id;
  const title = [otherTargetText(record, window, language), isPlain ? "" : ending];
  const measures = [durationOf(record, language), priceOf(record, language), shortId];
  const details = [
    isForeign ? t("The registry does not run this skill.") : "",
    timeFormats(language).timeBeside(startedAt, now),
    id,
    registry,
    environment,
  ];
  return { title: joined(title), measures: joined(measures), details: joined(details) };
}

/** The length of the first part of a UUID, which is enough to recognize an invocation. */
const shownIdLength = 8;

function joined(facts: readonly string[]): string {
  return facts
    .filter((fact) => fact !== "")
    .map((fact) => oneLine(fact, 200))
    .join(" · ");
}

function durationOf({ durationMs }: InvocationRecord, language: Language): string {
  return durationMs === 0 ? "" : durationText(durationMs, language);
}

function priceOf(record: InvocationRecord, language: Language): string {
  const cost = costOf(record);
  return "cents" in cost && cost.cents === 0 ? language.t("free") : costText(record, language);
}

/** Lists the known facts of duration, cost, time and invocation ID. */
export function outcomeFacts(
  record: InvocationRecord,
  { language, now }: OutputReader,
): readonly string[] {
  const { startedAt, invocationId = "" } = record;
  const facts = [
    durationOf(record, language),
    priceOf(record, language),
    timeFormats(language).timeBeside(startedAt, now),
    invocationId,
  ];
  return facts.filter((fact) => fact !== "").map((fact) => oneLine(fact, 200));
}

/**
 * Describes a problem of an invocation's output, with the property first, so that it makes sense in the Problems list.
 * Only violations of the output schema mention that schema.
 */
export function outputProblemText(problem: PayloadProblem, { t }: Language): string {
  const { code, schemaPointer } = problem;
  const isOfSchema = schemaPointer !== undefined && code !== "unchecked";
  const text = problemText(problem);
  return isOfSchema ? `${text} ${t("Output does not match the schema.")}` : text;
}
