import { childAt, pointerOf, valueAt } from "../../json/jsonPointer";
import { isJsonObject, type JsonValue, parsedJson } from "../../json/jsonValue";
import { type PartContent, partContent, type StatedContent } from "./partContent";

/** A string of an output that deserves its own view. `pointer` is a JSON pointer, empty for the output itself. */
export interface OutputPart extends OutputString {
  readonly content: PartContent;
}

/** A long text in an output. */
export interface OutputString {
  readonly pointer: string;
  /** Its extension selects the editor's language: `rows.csv`, `statement.sql`, `text.txt`, `chart.png`. */
  readonly fileName: string;
  /** The number of characters in the output. */
  readonly length: number;
}

/** The maximum length of an output to search. Longer ones would take too long each time. */
const longestRead = 5_000_000;
/** The minimum length of a single-line text. Shorter texts are read inside the JSON. */
const shortestText = 120;
/** The maximum number of parts to choose from. */
const maxParts = 20;
/** The maximum depth. Deeper texts are data rather than a result. */
const maxDepth = 3;
/** The maximum number of items per list. Later items are rarely of interest if the first are not. */
const maxItems = 20;

/**
 * Finds the strings of an output that deserve their own view: images, files, and texts with several lines or at least
 * 120 characters. Searches the output itself, its properties and items down to the third level. Returns at most 20, in
 * order; none for an output of more than five million characters. `schema` may declare their types.
 */
export function outputParts(outputText: string, schema?: JsonValue): readonly OutputPart[] {
  const output = parsedOutput(outputText);
  const found: OutputPart[] = [];
  if (output !== undefined) visit(output, schema, [], undefined);
  return found;

  function visit(
    value: JsonValue,
    rules: JsonValue | undefined,
    path: readonly string[],
    neighborType: string | undefined,
  ): void {
    if (found.length >= maxParts) return;
    if (typeof value === "string") {
      // A short string beside a media type is a name rather than content of that type.
      const stated = statedContent(rules, isLong(value) ? neighborType : undefined);
      const content = partContent(value, stated);
      if (content.kind === "text" && content.isWritten && !isLong(value)) return;
      const fileName = fileNameFor(content, stated, path.at(-1));
      found.push({ pointer: pointerOf(path), fileName, length: value.length, content });
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

/** Finds the long texts that an output contains literally, not as base64 or a data URL. */
export function longStrings(outputText: string, schema?: JsonValue): readonly OutputString[] {
  return outputParts(outputText, schema)
    .filter(({ content }) => content.kind === "text" && content.isWritten)
    .map(({ pointer, fileName, length }) => ({ pointer, fileName, length }));
}

/** Returns the string at a JSON pointer of an output; undefined for none. */
export function outputTextAt(outputText: string, pointer: string): string | undefined {
  const value = valueAt(parsedOutput(outputText), pointer);
  return typeof value === "string" ? value : undefined;
}

function parsedOutput(outputText: string): JsonValue | undefined {
  return outputText.length > longestRead ? undefined : parsedJson(outputText);
}

function isLong(text: string): boolean {
  return text.length >= shortestText || text.trim().includes("\n");
}

function statedContent(
  rules: JsonValue | undefined,
  neighborType: string | undefined,
): StatedContent {
  const [type, encoding] = [childAt(rules, "contentMediaType"), childAt(rules, "contentEncoding")];
  return {
    mediaType: typeof type === "string" ? type : neighborType,
    encoding: typeof encoding === "string" ? encoding : undefined,
  };
}

function fileNameFor(content: PartContent, stated: StatedContent, name: string | undefined) {
  const { mediaType } = "mediaType" in content ? content : stated;
  const ending =
    content.kind === "text"
      ? endingOf({ mediaType, name, text: content.text })
      : (fileEndings[mediaType ?? ""] ?? "bin");
  return `${safeName(name)}.${ending}`;
}

/** The usual extension by media type. Includes only types of files that no system executes. */
const fileEndings: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "application/pdf": "pdf",
  "application/zip": "zip",
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "video/mp4": "mp4",
};

function statedMediaType(value: Readonly<Record<string, JsonValue>>): string | undefined {
  const stated = Object.entries(value).find(
    ([name, part]) => typeof part === "string" && /^(?:mime|media|content)_?type$/i.test(name),
  );
  return stated?.[1] as string | undefined;
}

/** Converts a registry's name to part of a file name: letters, digits and characters that every file system allows. */
function safeName(name: string | undefined): string {
  const safe = (name ?? "").replace(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 40);
  return safe === "" || /^\d+$/.test(safe) ? "text" : safe;
}

/**
 * Languages that the editor recognizes by extension without fetching anything. XML and YAML are excluded, since common
 * extensions fetch the schema that a text names.
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

/** Chooses the extension by the media type, else by the property's name, else by the text itself. */
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

/**
 * Returns whether a text has at least two lines with the same positive number of separators. Separators in quoted cells
 * do not count.
 */
function isTable(text: string, separator: string): boolean {
  const bare = text.replace(/(?<=^|[,\t\n])"(?:[^"]|"")*"/g, "");
  const lines = bare.split(/\r?\n/).slice(0, 5);
  // The last line may be truncated or empty.
  const whole = lines.slice(0, Math.max(2, lines.length - 1));
  const counts = whole.map((line) => line.split(separator).length - 1);
  return whole.length >= 2 && (counts[0] ?? 0) >= 1 && new Set(counts).size === 1;
}
