import type { JsonObject, JsonValue } from "../../core/json/jsonValue";
import type { RegistryFailure, Result } from "../../core/registry/registryFailure";
import { shortened } from "../../core/text/plainText";
import { given, member, objectOf, textOf } from "./field";
import { readReasons } from "./readReasons";

/** The contents of an error response, in any of the usual shapes. */
export interface ErrorBody {
  readonly code?: string;
  /** The registry's own message. */
  readonly message?: string;
}

/**
 * Reads `{error:"text",code}`, `{error:{code,message}}`, `{message,code}` and problem details
 * (RFC 9457); without a message, the first of the field errors. Empty for a body that is none of them.
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
    reasonOf(outer) ??
    textOf(member(outer, "title"), 2000);
  return { ...given("code", code), ...given("message", message) };
}

function codeIn(source: JsonObject): string | undefined {
  return textOf(member(source, "code", "errorCode"), 100);
}

function messageIn(source: JsonObject): string | undefined {
  return textOf(member(source, "detail", "message", "errorMessage"), 2000);
}

function reasonOf(source: JsonObject): string | undefined {
  const [first] = readReasons(source);
  if (first === undefined) return undefined;
  const { pointer, message } = first;
  return shortened(pointer === "" ? message : `${message} (${pointer})`, 2000);
}

/** Makes the failure that an answer with an error status stands for; `body` is undefined where it is no JSON. */
export function failureOfAnswer(status: number, body: JsonValue | undefined): RegistryFailure {
  const read = readErrorBody(body);
  if (status === 404) return { kind: "notFound", ...given("message", read.message) };
  return { kind: "errorAnswer", status, ...read };
}

/** Makes the result of an answer that lacks what it must hold; an empty field means that it is no JSON at all. */
export function unreadable(route: string, field: string): Result<never> {
  return failed({ kind: "unreadable", route: route.split("?", 1)[0] ?? route, field });
}

/** Makes the result that is a failure. */
export function failed(failure: RegistryFailure): Result<never> {
  return { ok: false, failure };
}
