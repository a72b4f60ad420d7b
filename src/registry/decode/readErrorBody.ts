import type { JsonObject, JsonValue } from "../../core/json/jsonValue";
import { given, member, objectOf, textOf } from "./field";

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
