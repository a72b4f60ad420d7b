import type { InputProblem } from "../../core/invocation/invocation";
import type { JsonObject, JsonValue } from "../../core/json/jsonValue";
import { given, listOf, member, objectOf, textOf } from "./field";

/** What an error answer says, in whichever of the usual shapes. */
export interface ErrorBody {
  readonly code?: string;
  /** The registry's own words. */
  readonly message?: string;
}

/**
 * Reads `{error:"text",code}`, `{error:{code,message}}`, `{message,code}` and problem details
 * (RFC 9457). Empty for a body that is none of them.
 */
export function readErrorBody(body: JsonValue | undefined): ErrorBody {
  const outer = objectOf(body);
  if (outer === undefined) return {};
  const error = member(outer, "error");
  const inner = objectOf(error) ?? {};
  const code = codeIn(outer) ?? codeIn(inner);
  const message =
    textOf(error, 2000) ??
    messageIn(inner) ??
    messageIn(outer) ??
    textOf(member(outer, "title"), 2000);
  return { ...given("code", code), ...given("message", message) };
}

function codeIn(source: JsonObject): string | undefined {
  return textOf(member(source, "code", "errorCode"), 100);
}

function messageIn(source: JsonObject): string | undefined {
  return textOf(member(source, "detail", "message", "errorMessage"), 2000);
}

/** Reads the faults a registry found: `errors` beside the error, or in it, or in its `details`. */
export function readInputProblems(source: JsonObject): readonly InputProblem[] {
  const error = objectOf(member(source, "error")) ?? {};
  const candidates = [
    source,
    error,
    objectOf(member(source, "details")),
    objectOf(member(error, "details")),
  ];
  for (const candidate of candidates) {
    const problems = listOf(candidate && member(candidate, "errors", "details"), readProblem);
    if (problems.length > 0) return problems;
  }
  return [];
}

function readProblem(value: JsonValue): InputProblem | undefined {
  const source = objectOf(value);
  const message = textOf(source ? member(source, "detail", "message") : value, 2000);
  if (message === undefined) return undefined;
  return {
    pointer: readPointer(source && member(source, "pointer", "path", "instancePath")),
    message,
  };
}

/** `#/a/0` and `/a/0` are pointers, `["a",0]`, `a.0`, `a[0]` and `$.a[0]` are paths; empty for anything else. */
function readPointer(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return pointerOf(value.map((part) => textOf(part) ?? ""));
  const text = textOf(value, 2000) ?? "";
  if (text.startsWith("/")) return text;
  if (text.startsWith("#")) return decoded(text.slice(1));
  const parts = text.replace(/^\$/, "").split(/[.[\]]/);
  return pointerOf(parts.filter((part) => part !== ""));
}

function pointerOf(parts: readonly string[]): string {
  return parts.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
