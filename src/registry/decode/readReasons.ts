import type { RejectedValue } from "../../core/invocation/invocation";
import { pointerOf } from "../../core/json/jsonPointer";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json/jsonValue";
import { member, objectOf, textOf } from "./field";

/** The maximum number of reasons. Others are ignored. */
const maxReasons = 100;
const maxText = 2000;
/** The maximum number of visited values and of levels: more than any list of reasons has. */
const maxVisited = 10_000;
const maxDepth = 20;

/**
 * Reads which values a server rejected and why, in the format of any framework. A reason is a text in a list of errors,
 * a text below the name of a field, or an object with a text and a place. Empty for none.
 */
export function readReasons(body: JsonValue): readonly RejectedValue[] {
  const walk: Walk = { found: [], visited: 0 };
  visit(body, { names: [], index: [], isError: true, isItem: false, depth: 0 }, walk);
  return walk.found;
}

interface Walk {
  readonly found: RejectedValue[];
  visited: number;
}

/** The position of a value in a response. */
interface Position {
  /** The names and indexes of the payload that lead here. */
  readonly names: readonly string[];
  /** The index in the innermost list. It belongs to the place only if the name of a field follows. */
  readonly index: readonly string[];
  /** Whether only members of errors and names of fields lead here, such as `error.details`. */
  readonly isError: boolean;
  /** Whether a text here is a reason. */
  readonly isItem: boolean;
  /** Whether the value is an object of messages by field, or is inside one. */
  readonly map?: "self" | "inside" | undefined;
  readonly depth: number;
}

/** Members that contain errors. None of them is a field of a payload. */
const errorMember =
  /^(?:data|body|response|result|extensions|fields|invalid[-_]?params|.*(?:error|detail|message|issue|violation|problem|fault|reason|cause)s?)$/i;
/** Members that may be an object of messages by field. */
const mapMember = /(?:errors|^fields)$/i;
/** Names that stand for the whole payload, for example in Marshmallow, Django, Rails and Zod. */
const wholePayload = /^(?:_|_errors|non_?field_?errors|base|form_?errors)?$/i;

function visit(value: JsonValue, at: Position, walk: Walk): void {
  walk.visited += 1;
  if (at.depth > maxDepth || walk.visited > maxVisited) return;
  const below = { ...at, depth: at.depth + 1 };
  if (isJsonObject(value)) visitObject(value, below, walk);
  else if (Array.isArray(value)) {
    const isItem = at.isError;
    for (const [index, item] of value.slice(0, maxVisited).entries()) {
      visit(item, { ...below, index: [String(index)], isItem, map: undefined }, walk);
    }
  } else if (at.isItem) add(walk, at, undefined, textOf(value, maxText));
}

function visitObject(source: JsonObject, at: Position, walk: Walk): void {
  const message = textIn(source);
  const place = placeIn(source, at.isItem);
  if (message === undefined || place === undefined) {
    const before = walk.found.length;
    const isMap = at.map === "self" || (at.map === "inside" && message === undefined);
    visitMembers(source, at, isMap, walk);
    if (walk.found.length > before) return;
  }
  if (place !== undefined || at.isItem) add(walk, at, place, message);
}

function visitMembers(source: JsonObject, at: Position, isMap: boolean, walk: Walk): void {
  const isShaped = at.isError && isFieldMap(source);
  for (const [name, value] of Object.entries(source)) {
    const isPart = !isMap && errorMember.test(name);
    const isField = isMap || (isShaped && !isPart);
    const isWhole = isPart || wholePayload.test(name);
    const hasMap = at.isError && isPart && mapMember.test(name);
    visit(
      value,
      {
        names: isWhole ? at.names : [...at.names, ...indexBefore(at), ...partsOf(name)],
        index: [],
        isError: at.isError && (isPart || isField || isShaped),
        isItem: isField && typeof value !== "number",
        map: hasMap ? "self" : isField ? "inside" : undefined,
        depth: at.depth,
      },
      walk,
    );
  }
}

function indexBefore({ names, index }: Position): readonly string[] {
  return names.length === 0 ? [] : index;
}

/** Returns whether an object has only lists of messages, and such objects, as the errors of a form do. */
function isFieldMap(source: JsonObject): boolean {
  const values = Object.values(source);
  return values.length > 0 && values.length <= maxReasons && values.every(isMessages);
}

function isMessages(value: JsonValue): boolean {
  if (isJsonObject(value)) return isFieldMap(value);
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (item) =>
        typeof item === "string" ||
        (isJsonObject(item) &&
          (textIn(item) !== undefined || Object.keys(item).length === 0 || isFieldMap(item))),
    )
  );
}

function add(
  { found }: Walk,
  { names }: Position,
  place: string | undefined,
  message: string | undefined,
): void {
  if (message === undefined || found.length >= maxReasons) return;
  found.push({ pointer: place ?? pointerOf(names), message });
}

function textIn(source: JsonObject): string | undefined {
  const text = member(
    source,
    ...["detail", "message", "msg", "defaultMessage", "description", "reason", "title", "code"],
  );
  return textOf(text, maxText);
}

/** These name the place of an error and nothing else. A skill or a link also has a name or a path. */
const placeNames = ["pointer", "instancePath", "propertyPath", "field", "param", "property"];

/** Reads the pointer to a rejected value; `isItem` is whether the object is in a list of errors. */
function placeIn(source: JsonObject, isItem: boolean): string | undefined {
  const loc = member(source, "loc");
  if (Array.isArray(loc)) return pointerOf(belowPayload(loc).map((part) => textOf(part) ?? ""));
  const within = objectOf(member(source, "source"));
  const place =
    (within && member(within, "pointer", "parameter")) ??
    member(source, ...placeNames, ...(isItem ? ["path", "name"] : []));
  return place === undefined || isJsonObject(place) ? undefined : readPointer(place);
}

/** Removes the start of a FastAPI path that leads to the payload: `body`, and its member `input`. */
function belowPayload(loc: readonly JsonValue[]): readonly JsonValue[] {
  const [where, member, ...rest] = loc;
  if (where !== "body") return loc;
  return member === "input" ? rest : loc.slice(1);
}

/** Reads a pointer (`#/a/0`, `/a/0`) or a path (`["a",0]`, `a.0`, `a[0]`, `$.a[0]`); empty for anything else. */
function readPointer(value: JsonValue): string {
  if (Array.isArray(value)) return pointerOf(value.map((part) => textOf(part) ?? ""));
  const text = textOf(value, maxText) ?? "";
  if (text.startsWith("/")) return text;
  if (text.startsWith("#")) return decoded(text.slice(1));
  return pointerOf(partsOf(text));
}

function partsOf(path: string): readonly string[] {
  return path
    .replace(/^\$/, "")
    .split(/[.[\]]/)
    .filter((part) => part !== "");
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
