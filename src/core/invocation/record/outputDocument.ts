import { prettyJsonChunked } from "../../json/prettyJson";
import { type PayloadProblem, problemText } from "../../payload/payloadCheck";
import { sampleText } from "../../skill/price";
import type { Chunked } from "../../text/chunked";
import { durationText, type Language, timeFormats } from "../../text/language";
import { moneyText } from "../../text/money";
import { oneLine } from "../../text/plainText";
import { dayOf } from "../limits/spending";
import { endingText } from "../outcome/invocationStatus";
import { shownJson } from "./invocationDocument";
import { builtInRegistryName, type InvocationRecord, kindOf } from "./invocationRecord";

/** The longest output that opens by itself after an invocation, in characters: more can be felt. */
export const longestResult = 1_000_000;

/** Who reads an output, and when, in milliseconds since 1970. */
interface OutputReader {
  readonly language: Language;
  readonly now: number;
}

/** How much of an output a document shows: up to `longestResult`, all of it, or all of it and nothing else. */
export type OutputExtent = "result" | "whole" | "bare";

/**
 * Writes the output of an invocation as JSON for an editor, below comment lines: its time, cost and invocation
 * ID in the first one, and what went wrong in the next. Without an output (undefined)
 * there are the comments alone. `bare` has no comments, so that two of them differ by their outputs only.
 */
export function* outputDocument(
  record: InvocationRecord,
  outputText: string | undefined,
  extent: OutputExtent,
  reader: OutputReader,
): Chunked<string> {
  const { language } = reader;
  const { t } = language;
  const comments = (lines: readonly string[]) => lines.map((line) => `// ${line}\n`).join("");
  const none = comments([t("The output of this invocation was not kept.")]);
  if (extent === "bare") return outputText === undefined ? none : yield* shownJson(outputText);
  const head = comments([outputHeading(record, reader), ...failureLines(record, language)]);
  if (outputText === undefined) return record.status === "success" ? head + none : head;
  if (extent === "whole") return head + (yield* shownJson(outputText));
  const { text, whole } = yield* prettyJsonChunked(outputText, longestResult);
  if (whole) return head + text;
  const cut = t("Truncated. “Skill Registry: Open Output” shows all of it.");
  return `${head}${text}\n${comments([cut])}`;
}

/** Replaces the comments an output stands below by spaces, so that positions in the JSON stay. */
export function withoutComments(text: string): string {
  const [head = ""] = /^(?:\/\/[^\n]*\n)*/.exec(text) ?? [];
  return head.replace(/[^\n]/g, " ") + text.slice(head.length);
}

/**
 * Says how an invocation ended where it was no success, how long it took, what it cost, when it was made and its
 * invocation ID, in one line: what the record tells as well comes last, since a narrow editor shows the beginning.
 */
function outputHeading(record: InvocationRecord, { language, now }: OutputReader): string {
  const { startedAt, status, durationMs, invocationId } = record;
  const isPlain =
    status === "success" && record.acceptedNotRun !== true && kindOf(record) === "invocation";
  const { moment, timeOfDay } = timeFormats(language);
  const facts = [
    ...(isPlain ? [] : [endingText(record, language)]),
    ...(durationMs === 0 ? [] : [durationText(durationMs, language)]),
    ...costText(record, language),
    dayOf(startedAt) === dayOf(now) ? timeOfDay(startedAt) : moment(startedAt),
    ...(invocationId === undefined ? [] : [invocationId]),
  ];
  return facts.map((fact) => oneLine(fact, 200)).join(" · ");
}

function costText(
  { amountCents, currency, registry }: InvocationRecord,
  language: Language,
): readonly string[] {
  const { t } = language;
  if (amountCents === undefined) return [];
  if (amountCents === 0) return [t("free")];
  const cost = moneyText(amountCents, currency, language);
  return [sampleText(cost, registry === builtInRegistryName, language)];
}

function failureLines(
  { acceptedNotRun, code, message, status }: InvocationRecord,
  { t }: Language,
): readonly string[] {
  const said = message === undefined ? [] : [oneLine(message, 1000)];
  if (acceptedNotRun === true) {
    return [...said, t("The registry does not run this skill: this is no output of it.")];
  }
  if (status === "success" || status === "running") return [];
  return [
    ...said,
    ...(code === undefined ? [] : [t("Code: {code}", { code: oneLine(code, 200) })]),
  ];
}

/**
 * Says what is wrong with the output of an invocation, the property first, so that the Problems list reads
 * alone. Only what breaks a rule of the output schema is said to; that it could not be checked, or that a
 * number loses digits, stands for itself.
 */
export function outputProblemText(problem: PayloadProblem, { t }: Language): string {
  const { code, schemaPointer } = problem;
  const isOfSchema = schemaPointer !== undefined && code !== "unchecked";
  const text = problemText(problem);
  return isOfSchema ? `${text} ${t("Output does not match the schema.")}` : text;
}
