import { childAt, pointerOf, valueAt } from "../../json/jsonPointer";
import { isJsonObject, type JsonValue } from "../../json/jsonValue";
import { prettyJsonChunked } from "../../json/printJson";
import { type PayloadProblem, problemText } from "../../payload/payloadCheck";
import type { Chunked } from "../../text/chunked";
import { timeFormats } from "../../text/dates";
import { durationText, type Language } from "../../text/language";
import { oneLine } from "../../text/plainText";
import { costOf, costText } from "../cost";
import { isOver, outcomeOf } from "../outcome";
import { endingText } from "./invocationLabels";
import { type InvocationRecord, kindOf } from "./invocationRecord";
import { shownJson } from "./recordDocument";

/** The longest output that opens by itself after an invocation, in characters; longer ones take noticeable time. */
export const longestResult = 1_000_000;

/** Who reads an output, and when, in milliseconds since 1970. */
export interface OutputReader {
  readonly language: Language;
  readonly now: number;
}

/** How much of an output a document shows: up to `longestResult`, all of it, or all of it without comments. */
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
 * Describes in one line how an invocation ended unless it succeeded, how long it took, what it cost, its time
 * and its invocation ID. Facts that the record also shows come last: narrow editors cut the line.
 */
function outputComment(record: InvocationRecord, reader: OutputReader): string {
  const isPlain = outcomeOf(record).isSuccess && kindOf(record) === "invocation";
  const ending = isPlain ? [] : [oneLine(endingText(record, reader.language))];
  return [...ending, ...outcomeFacts(record, reader)].join(" · ");
}

/** Lists how long an invocation took, what it cost, its time and its invocation ID, as far as they are known. */
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
  const said = message === undefined ? [] : [oneLine(message, 1000)];
  if (status === "not executed") {
    return [...said, t("The registry does not run this skill. This is not its output.")];
  }
  if (outcomeOf(record).isSuccess || !isOver(record)) return [];
  return [
    ...said,
    ...(code === undefined ? [] : [t("Code: {code}", { code: oneLine(code, 200) })]),
  ];
}

/**
 * Describes a problem of an invocation's output, the property first, so that the Problems list reads alone.
 * Only violations of the output schema mention it; that the output could not be checked, or that a number
 * loses digits, needs no explanation.
 */
export function outputProblemText(problem: PayloadProblem, { t }: Language): string {
  const { code, schemaPointer } = problem;
  const isOfSchema = schemaPointer !== undefined && code !== "unchecked";
  const text = problemText(problem);
  return isOfSchema ? `${text} ${t("Output does not match the schema.")}` : text;
}

/** A long string in an output. `pointer` is a JSON pointer, empty for the output itself. */
export interface OutputString {
  readonly pointer: string;
  /** Its extension makes the editor use the right language: `rows.csv`, `statement.sql`, `text.txt`. */
  readonly fileName: string;
  readonly length: number;
}

/** Longer outputs take too long to be scanned each time. */
const longestRead = 5_000_000;
/** Shorter texts are read where they stand, in the JSON. */
const shortestText = 120;
/** As many as one chooses from. */
const maxTexts = 20;
/** Deeper texts are parts of data rather than a result. */
const maxDepth = 3;
/** Further items of a list are rarely worth opening where these are not. */
const maxItems = 20;

/**
 * Finds the strings of an output that are better read as text: the output itself, or properties and items
 * down to the third level, with more than one line or at least 120 characters. At most 20, in their order;
 * none where the output has more than five million characters. `schema` may declare their media types.
 */
export function longStrings(outputText: string, schema?: JsonValue): readonly OutputString[] {
  const output = read(outputText);
  const found: OutputString[] = [];
  if (output !== undefined) visit(output, schema, [], undefined);
  return found;

  function visit(
    value: JsonValue,
    rules: JsonValue | undefined,
    path: readonly string[],
    besides: string | undefined,
  ): void {
    if (found.length >= maxTexts) return;
    if (typeof value === "string") {
      if (value.length < shortestText && !value.trim().includes("\n")) return;
      const name = path.at(-1);
      const ending = endingOf({ mediaType: mediaTypeOf(rules) ?? besides, name, text: value });
      const fileName = `${fileNameOf(name)}.${ending}`;
      found.push({ pointer: pointerOf(path), fileName, length: value.length });
    } else if (Array.isArray(value) && path.length < maxDepth) {
      const items = childAt(rules, "items");
      for (const [index, item] of value.slice(0, maxItems).entries()) {
        visit(item, items, [...path, String(index)], undefined);
      }
    } else if (isJsonObject(value) && path.length < maxDepth) {
      const properties = childAt(rules, "properties");
      const stated = statedMediaType(value);
      for (const [name, part] of Object.entries(value)) {
        visit(part, childAt(properties, name), [...path, name], stated);
      }
    }
  }
}

/** Returns the string at a JSON pointer of an output; undefined where there is none. */
export function outputTextAt(outputText: string, pointer: string): string | undefined {
  const value = valueAt(read(outputText), pointer);
  return typeof value === "string" ? value : undefined;
}

function read(outputText: string): JsonValue | undefined {
  if (outputText.length > longestRead) return undefined;
  try {
    return JSON.parse(outputText) as JsonValue;
  } catch {
    return undefined;
  }
}

function mediaTypeOf(rules: JsonValue | undefined): string | undefined {
  const stated = childAt(rules, "contentMediaType");
  return typeof stated === "string" ? stated : undefined;
}

function statedMediaType(value: Readonly<Record<string, JsonValue>>): string | undefined {
  const stated = Object.entries(value).find(
    ([name, part]) => typeof part === "string" && /^(?:mime|media|content)_?type$/i.test(name),
  );
  return stated?.[1] as string | undefined;
}

/** Turns a registry's name into part of a file name: letters, digits and characters that every file system allows. */
function fileNameOf(name: string | undefined): string {
  const safe = (name ?? "").replace(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 40);
  return safe === "" || /^\d+$/.test(safe) ? "text" : safe;
}

/**
 * Languages that the editor recognizes by extension without fetching anything: no XML or YAML, of which
 * common extensions fetch the schema that a text names.
 */
const endings: readonly (readonly [ending: string, mediaType: RegExp, name: RegExp])[] = [
  ["csv", /[/+]csv\b/, /^(?:csv|.*[a-z_-]csv)$/i],
  ["tsv", /tab-separated/, /^tsv$/i],
  ["sql", /[/+](?:x-)?sql\b/, /^(?:sql|.*_sql|statement|query)$/i],
  ["md", /markdown/, /^(?:markdown|md|readme)$/i],
  ["html", /[/]html\b/, /^html$/i],
  ["diff", /[/](?:x-)?(?:diff|patch)\b/, /^(?:diff|patch)$/i],
];

interface DescribedText {
  readonly mediaType: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
}

/** Chooses the language by the media type, else by the property's name, else by the text itself. */
function endingOf({ mediaType = "", name = "", text }: DescribedText): string {
  const stated = endings.find(([, type]) => type.test(mediaType.toLowerCase()));
  if (stated !== undefined) return stated[0];
  if (mediaType.toLowerCase().startsWith("text/plain")) return "txt";
  const named = endings.find(([, , names]) => names.test(name));
  return named?.[0] ?? endingByText(text.slice(0, 2000));
}

function endingByText(text: string): string {
  // SQL often starts with comments.
  const code = text.replace(/^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, "");
  if (/^(?:select|with|insert into|update|delete from|create (?:table|view|index))\s/i.test(code)) {
    return /\b(?:from|set|values|as|\()/i.test(code) ? "sql" : "txt";
  }
  if (/^\s*<(?:!doctype html|html)\b/i.test(text)) return "html";
  if (/^diff --git |^--- .+\n\+\+\+ /m.test(text)) return "diff";
  if (isTable(text, ",")) return "csv";
  if (isTable(text, "\t")) return "tsv";
  return /^#{1,6} \S|^\|.*\|\n\|[\s:|-]+\||^```/m.test(text) ? "md" : "txt";
}

/** Two lines or more with the same number of separators, at least one; those in a quoted cell do not count. */
function isTable(text: string, separator: string): boolean {
  const bare = text.replace(/(?<=^|[,\t\n])"(?:[^"]|"")*"/g, "");
  const lines = bare.split(/\r?\n/).slice(0, 5);
  // The last one may be cut, or be the end of the text.
  const whole = lines.slice(0, Math.max(2, lines.length - 1));
  const counts = whole.map((line) => line.split(separator).length - 1);
  return whole.length >= 2 && (counts[0] ?? 0) >= 1 && new Set(counts).size === 1;
}
