import type { RejectedValue } from "../../core/invocation/invocation";
import { pointerOf } from "../../core/json/jsonPointer";
import type { JsonObject, JsonValue } from "../../core/json/jsonValue";
import { listOf, member, objectOf, textOf } from "./field";

/** The maximum number of reasons. Others are ignored. */
const maxReasons = 100;
const maxText = 2000;

/** Members that list field errors, in the dialects of several frameworks. */
const listNames = [
  ...["errors", "details", "detail", "issues", "violations", "fieldErrors", "fieldViolations"],
  ...["validationErrors", "invalidParams", "invalid-params", "problems", "error"],
] as const;

/** Those of the members above that may also be an object of messages by field. */
const mapNames: ReadonlySet<string> = new Set(["errors", "fieldErrors", "validationErrors"]);

/**
 * Reads which values a server rejected and why. Supports problem details (RFC 9457), FastAPI's `detail[].loc`, lists of
 * field errors under several names, and messages by field. The list may be beside the error, inside it, or in its
 * details. Empty for none.
 */
export function readReasons(source: JsonObject): readonly RejectedValue[] {
  const error = objectOf(member(source, "error"));
  const holders = [source, error].flatMap((holder) =>
    holder === undefined
      ? []
      : [holder, objectOf(member(holder, "details")), objectOf(member(holder, "detail"))],
  );
  for (const holder of holders) {
    for (const name of holder === undefined ? [] : listNames) {
      const reasons = reasonsIn(member(holder ?? {}, name), mapNames.has(name));
      if (reasons.length > 0) return reasons;
    }
  }
  return [];
}

function reasonsIn(value: JsonValue | undefined, isMap: boolean): readonly RejectedValue[] {
  const map = isMap ? objectOf(value) : undefined;
  const found =
    map === undefined
      ? listOf(value, readReason, maxReasons)
      : Object.entries(map)
          .slice(0, maxReasons)
          .map(([field, messages]) => readField(field, messages));
  return found.flat().slice(0, maxReasons);
}

/** Reads the messages of one field. `_` and `non_field_errors` stand for the whole value. */
function readField(field: string, messages: JsonValue): readonly RejectedValue[] {
  const pointer = /^(?:_|non_field_errors|base)?$/.test(field) ? "" : readPointer(field);
  return [messages].flat().flatMap((value) => {
    const message = messageOf(value);
    return message === undefined ? [] : [{ pointer, message }];
  });
}

/** Reads an item of a list, which may contain a list itself. */
function readReason(value: JsonValue): readonly RejectedValue[] | undefined {
  const source = objectOf(value);
  const nested = source === undefined ? [] : listOf(member(source, "fieldViolations"), readReason);
  if (nested.length > 0) return nested.flat();
  const message = messageOf(value);
  if (message === undefined) return undefined;
  return [{ pointer: source === undefined ? "" : pointerIn(source), message }];
}

function messageOf(value: JsonValue): string | undefined {
  const source = objectOf(value);
  if (source === undefined) return textOf(value, maxText);
  const text = member(
    source,
    ...["detail", "message", "msg", "defaultMessage", "description", "reason", "title", "code"],
  );
  return textOf(text, maxText);
}

function pointerIn(source: JsonObject): string {
  const loc = member(source, "loc");
  if (Array.isArray(loc)) return pointerOf(belowPayload(loc).map((part) => textOf(part) ?? ""));
  const within = objectOf(member(source, "source"));
  const pointer =
    (within && member(within, "pointer", "parameter")) ??
    member(
      source,
      ...["pointer", "path", "instancePath", "propertyPath", "field", "name", "param", "property"],
    );
  return readPointer(pointer);
}

/** Removes the start of a FastAPI path that leads to the payload: `body`, and its member `input`. */
function belowPayload(loc: readonly JsonValue[]): readonly JsonValue[] {
  const [where, member, ...rest] = loc;
  if (where !== "body") return loc;
  return member === "input" ? rest : loc.slice(1);
}

/** Reads a pointer (`#/a/0`, `/a/0`) or a path (`["a",0]`, `a.0`, `a[0]`, `$.a[0]`); empty for anything else. */
function readPointer(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return pointerOf(value.map((part) => textOf(part) ?? ""));
  const text = textOf(value, maxText) ?? "";
  if (text.startsWith("/")) return text;
  if (text.startsWith("#")) return decoded(text.slice(1));
  const parts = text.replace(/^\$/, "").split(/[.[\]]/);
  return pointerOf(parts.filter((part) => part !== ""));
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
