import { prettyJsonChunked } from "../../json/printJson";
import { type PayloadProblem, problemText } from "../../payload/payloadCheck";
import type { Chunked } from "../../text/chunked";
import { timeFormats } from "../../text/dates";
import { durationText, type Language } from "../../text/language";
import { oneLine } from "../../text/plainText";
import { costOf, costText } from "../cost";
import { isOver, isWaiting, outcomeOf } from "../outcome";
import { endingText } from "./invocationLabels";
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
 * What a document contains of an output: at most `longestResult` characters, all of it, or all of it without comments.
 */
export type OutputExtent = "result" | "whole" | "bare";

/**
 * Writes the output of an invocation as JSON for an editor, below comment lines: time, cost and invocation ID in the
 * first, and an error in the next. Without an output (undefined), writes only the comments. `bare` has no comments, so
 * that two documents differ by their outputs only.
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
  const head = comments([outputComment(record, reader), ...failureLines(record, language)]);
  if (outputText === undefined) return outcomeOf(record).isSuccess ? head + none : head;
  if (extent === "whole") return head + (yield* shownJson(outputText));
  const { text, whole } = yield* prettyJsonChunked(outputText, longestResult);
  if (whole) return head + text;
  const cut = t("Truncated. “Skill Registry: Open Output” shows all of it.");
  return `${head}${text}\n${comments([cut])}`;
}

/** Returns the offset of an output's JSON in its document, after the comments. */
export function jsonStart(text: string): number {
  return /^(?:\/\/[^\n]*\n)*/.exec(text)?.[0].length ?? 0;
}

/**
 * Describes on one line how an invocation ended (unless it succeeded), its duration, cost, time and invocation ID.
 * Facts that the record also shows come last, since narrow editors truncate the line.
 */
function outputComment(record: InvocationRecord, reader: OutputReader): string {
  const isPlain = outcomeOf(record).isSuccess && kindOf(record) === "invocation";
  const ending = isPlain ? [] : [oneLine(endingText(record, reader.language))];
  return [...ending, ...outcomeFacts(record, reader)].join(" · ");
}

/** Lists the known facts of duration, cost, time and invocation ID. */
export function outcomeFacts(
  record: InvocationRecord,
  { language, now }: OutputReader,
): readonly string[] {
  const { startedAt, durationMs, invocationId = "" } = record;
  const cost = costOf(record);
  const facts = [
    durationMs === 0 ? "" : durationText(durationMs, language),
    "cents" in cost && cost.cents === 0 ? language.t("free") : costText(record, language),
    timeFormats(language).timeBeside(startedAt, now),
    invocationId,
  ];
  return facts.filter((fact) => fact !== "").map((fact) => oneLine(fact, 200));
}

function failureLines(record: InvocationRecord, { t }: Language): readonly string[] {
  const { code, message, status } = record;
  const messages = message === undefined ? [] : [oneLine(message, 1000)];
  if (isWaiting(record)) return messages;
  if (status === "not executed") {
    return [...messages, t("The registry does not run this skill. This is not its output.")];
  }
  if (outcomeOf(record).isSuccess || !isOver(record)) return [];
  return [
    ...messages,
    ...(code === undefined ? [] : [t("Code: {code}", { code: oneLine(code, 200) })]),
  ];
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
