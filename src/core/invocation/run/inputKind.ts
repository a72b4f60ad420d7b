import { JsonTokens } from "../../json/jsonTokens";
import { isJsonObject, type JsonValue, parsedJson } from "../../json/jsonValue";
import { isClosing, isOpening, type TextRange, Token } from "../../json/token";
import { readSchema } from "../../schema/read/readSchema";

/**
 * The format of a file with payloads, by its first bytes: a payload in each line, a table with a header, a JSON list of
 * payloads, or another one with the sentence that names it and its remedy.
 */
export type InputKind =
  | { readonly kind: "lines" | "list" }
  | { readonly kind: "table"; readonly delimiter: string }
  | { readonly kind: "other"; readonly message: string };

/**
 * Determines the format of a file named `name` from its first bytes. `isWhole` is whether they are the whole file. A
 * single line with a list is one payload if the skill's payloads may be lists.
 */
export function inputKind(
  name: string,
  head: Uint8Array,
  isWhole: boolean,
  schema?: JsonValue,
): InputKind {
  const signed = signatureText(name, head);
  if (signed !== undefined) return { kind: "other", message: signed };
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: false }).decode(head);
  return textKind(name, text.trimStart(), isWhole, schema);
}

function textKind(
  name: string,
  text: string,
  isWhole: boolean,
  schema: JsonValue | undefined,
): InputKind {
  const first = (text.split("\n", 1)[0] ?? "").trim();
  if (parsedJson(first) !== undefined) {
    const isList = isWhole && text.trim() === first && /^\[\s*\{/.test(first);
    return { kind: isList && !mayBeList(schema) ? "list" : "lines" };
  }
  if (first.startsWith("[")) return { kind: "list" };
  if (first === "{") {
    const message = `${name} looks like one JSON object over several lines. Write each payload in a line of its own, or all in a JSON list.`;
    return { kind: "other", message };
  }
  if (/^\{.*\},$/.test(first) && parsedJson(first.slice(0, -1)) !== undefined) {
    const message = `${name} has a comma after each line. Remove the commas, or put the lines into a JSON list.`;
    return { kind: "other", message };
  }
  const other = /^</.test(first)
    ? "XML or HTML"
    : first === "---" || /\.ya?ml$/i.test(name)
      ? "YAML"
      : undefined;
  if (other !== undefined) {
    return { kind: "other", message: `${name} looks like ${other}. A payload is JSON.` };
  }
  const delimiter = delimiterOf(name, first);
  return delimiter === undefined ? { kind: "lines" } : { kind: "table", delimiter };
}

/** Returns a sentence about the format that the first bytes of a file have; undefined for text. */
export function signatureText(name: string, head: ArrayLike<number>): string | undefined {
  const found = signatures.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte));
  if (found !== undefined) return `${name} ${found.message}`;
  const hasZero = Array.prototype.includes.call(head, 0);
  return hasZero ? `${name} is not UTF-8 text. Save it as JSON or CSV in UTF-8.` : undefined;
}

/** Why a text is not one payload, and the offset where that shows. */
export interface NotOnePayload {
  readonly message: string;
  readonly start: number;
}

/**
 * Returns why a text holds no payload or several: it has lines, a table or a list. Undefined for a text that may be one
 * payload by the schema.
 */
export function notOnePayload(
  name: string,
  text: string,
  schema: JsonValue | undefined,
): NotOnePayload | undefined {
  const atStart = (message: string) => ({ message, start: 0 });
  const signed = signatureText(
    name,
    Array.from(text.slice(0, 1000), (character) => character.charCodeAt(0)),
  );
  if (signed !== undefined) return atStart(signed);
  const check = "Check each of its payloads with `skill-registry run --check-only`.";
  const value = parsedJson(text.replace(/^\uFEFF/, ""));
  if (value !== undefined) {
    const isOfPayloads = Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
    return isOfPayloads && !mayBeList(schema)
      ? atStart(`${name} looks like a JSON list. ${check}`)
      : undefined;
  }
  const start = startOfSecondValue(text);
  if (start !== undefined) {
    const message = `${name} has several JSON values. Write each in a line of its own. ${check}`;
    return { message, start };
  }
  if (/^\s*[[{]/.test(text)) return undefined;
  const found = textKind(name, text.trimStart().slice(0, 65_536), true, undefined);
  if (found.kind === "other") return atStart(found.message);
  const isTable = found.kind === "table" && text.trim().includes("\n");
  return isTable ? atStart(`${name} looks like CSV. ${check}`) : undefined;
}

/** Returns where the object or list starts that follows another one; undefined if none does. */
function startOfSecondValue(text: string): number | undefined {
  const tokens = new JsonTokens(text, text.startsWith("\uFEFF") ? 1 : 0);
  let depth = 0;
  let kind = tokens.next();
  if (!isOpening(kind)) return undefined;
  const { start } = tokens;
  for (; kind !== Token.end; kind = tokens.next()) {
    if (isOpening(kind)) depth += 1;
    if (isClosing(kind)) depth -= 1;
    if (depth === 0) break;
  }
  if (parsedJson(text.slice(start, tokens.end)) === undefined) return undefined;
  const next = tokens.next();
  return isOpening(next === Token.comma ? tokens.next() : next) ? tokens.start : undefined;
}

function mayBeList(schema: JsonValue | undefined): boolean {
  const { types } = readSchema(schema).root;
  return types === undefined || types.includes("array");
}

const signatures: readonly { readonly bytes: readonly number[]; readonly message: string }[] = [
  { bytes: [0x1f, 0x8b], message: "is compressed with gzip. Decompress it first." },
  { bytes: [0x50, 0x4b, 0x03, 0x04], message: "is a ZIP or Excel file. Save it as CSV (UTF-8)." },
  { bytes: [0xff, 0xfe], message: "is UTF-16 text. Save it as UTF-8." },
  { bytes: [0xfe, 0xff], message: "is UTF-16 text. Save it as UTF-8." },
  {
    bytes: [0x1e],
    message: "is a JSON text sequence (RFC 7464). Remove the record separators (0x1E).",
  },
];

/** Returns what separates the names of a header line; undefined if the line is none. */
function delimiterOf(name: string, line: string): string | undefined {
  const found = [",", ";", "\t"].find((delimiter) => {
    const names = line.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
    return names.length > 1 && names.every((cell) => /^[\p{L}_$][\p{L}\p{N} _$.-]*$/u.test(cell));
  });
  if (found !== undefined) return found;
  if (!/\.(?:csv|tsv)$/i.test(name) || !/^"?[\p{L}_]/u.test(line)) return undefined;
  return /\.tsv$/i.test(name) ? "\t" : ",";
}

/**
 * Writes a record of a table as a payload. A cell becomes the type that the schema has for its column: a number keeps its
 * digits, and a cell that is no such value stays text, which the check then reports. A cell also stays text where text
 * is allowed too. Empty cells are left out, unless only text is allowed there and the column is required.
 */
export function payloadOfRecord(schema: JsonValue | undefined): RecordWriter {
  const { root } = readSchema(schema);
  return (names, cells) => {
    const members = names.flatMap((name, at) => {
      const cell = cells[at] ?? "";
      const { types = [] } = root.properties?.get(name) ?? {};
      const isText = types.length === 1 && types[0] === "string";
      if (cell === "" && !(isText && root.required?.includes(name))) return [];
      const value = types.includes("string") ? undefined : literalOf(cell.trim(), types);
      return [`${JSON.stringify(name)}:${value ?? JSON.stringify(cell)}`];
    });
    return `{${members.join(",")}}`;
  };
}

/** Writes the cells of a record as JSON, by the names of the header. */
type RecordWriter = (names: readonly string[], cells: readonly string[]) => string;

function literalOf(cell: string, types: readonly string[]): string | undefined {
  const lower = cell.toLowerCase();
  if (types.includes("boolean") && ["true", "false"].includes(lower)) return lower;
  if (types.includes("null") && lower === "null") return lower;
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(cell);
  if (isNumber && (types.includes("number") || types.includes("integer"))) return cell;
  const isNested = /^[[{]/.test(cell) && (types.includes("object") || types.includes("array"));
  return isNested && parsedJson(cell) !== undefined ? cell : undefined;
}

/** Finds the items of a JSON list in a text. Undefined for invalid JSON and for anything but a list. */
export function itemsOfList(text: string): readonly TextRange[] | undefined {
  if (!Array.isArray(parsedJson(text.replace(/^\uFEFF/, "")))) return undefined;
  const tokens = new JsonTokens(text, text.startsWith("\uFEFF") ? 1 : 0);
  const items: TextRange[] = [];
  let depth = 0;
  let start = -1;
  let last = 0;
  for (let kind = tokens.next(); kind !== Token.end; kind = tokens.next()) {
    if (isClosing(kind)) depth -= 1;
    const isEnd = (depth === 1 && kind === Token.comma) || depth === 0;
    if (isEnd && start >= 0) {
      items.push({ start, end: last });
      start = -1;
    } else if (depth === 1 && start < 0 && !isEnd) start = tokens.start;
    if (isOpening(kind)) depth += 1;
    last = tokens.end;
  }
  return items;
}
