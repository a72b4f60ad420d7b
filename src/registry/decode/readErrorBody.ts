import { type JsonObject, type JsonValue, optional } from "../../core/json/jsonValue";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import type { RegistryFailure, Result } from "../../core/registry/registryFailure";
import { shortened } from "../../core/text/plainText";
import type { WireResponse } from "../transport/wire";
import { member, objectOf, textOf } from "./field";
import { foreignAnswer } from "./foreignAnswer";
import { readReasons } from "./readReasons";

/** The contents of an error response, in any of the usual formats. */
export interface ErrorBody {
  readonly code?: string;
  /** The registry's own message. */
  readonly message?: string;
}

/**
 * Reads `{error:"text",code}`, `{error:{code,message}}`, `{fault:{faultstring}}`, `{message,code}`,
 * `{error_description}` (OAuth) and problem details (RFC 9457). Without a message, uses the first field error. Empty for
 * any other body.
 */
export function readErrorBody(body: JsonValue | undefined): ErrorBody {
  const outer = objectOf(body);
  if (outer === undefined) return optional("message", body === undefined ? body : reasonOf(body));
  const error = member(outer, "error", "fault");
  const inner = objectOf(error) ?? {};
  const code = codeIn(outer) ?? codeIn(inner) ?? codeIn(objectOf(member(inner, "detail")) ?? {});
  // Some frameworks write the status in words into `error`, and the message beside it.
  const message =
    textOf(member(outer, "errorDescription"), 2000) ??
    messageIn(inner) ??
    messageIn(outer) ??
    reasonOf(outer) ??
    textOf(error, 2000) ??
    textOf(member(outer, "title"), 2000);
  return { ...optional("code", code), ...optional("message", message) };
}

function codeIn(source: JsonObject): string | undefined {
  return textOf(member(source, "code", "errorCode", "errorcode"), 100);
}

function messageIn(source: JsonObject): string | undefined {
  return ["detail", "message", "errorMessage", "faultstring"]
    .map((name) => textOf(member(source, name), 2000))
    .find((text) => text !== undefined);
}

function reasonOf(body: JsonValue): string | undefined {
  const [first] = readReasons(body);
  if (first === undefined) return undefined;
  const { pointer, message } = first;
  return shortened(pointer === "" ? message : `${message} (${pointer})`, 2000);
}

/** Creates the failure for a response with an error status; `body` is undefined if it is not JSON. */
export function failureOfAnswer(
  answer: WireResponse,
  body: JsonValue | undefined,
  redactor: KeyRedactor,
): RegistryFailure {
  const { status } = answer;
  const foreign = foreignAnswer(answer, body !== undefined, redactor);
  if (foreign !== undefined) return foreign;
  const read = readErrorBody(body);
  if (status === 404) return { kind: "notFound", ...optional("message", read.message) };
  return { kind: "errorAnswer", status, ...read };
}

/** Creates the failure for a successful response that is not JSON. */
export function failureOfPage(
  answer: WireResponse,
  route: string,
  redactor: KeyRedactor,
): Result<never> {
  const foreign = foreignAnswer(answer, false, redactor);
  return foreign === undefined ? unreadable(route, "") : failed(foreign);
}

/** Creates the failure for a response without a required field; an empty `field` means that it is not JSON. */
export function unreadable(route: string, field: string): Result<never> {
  return failed({ kind: "unreadable", route: route.split("?", 1)[0] ?? route, field });
}

/** Wraps a failure in a result. */
export function failed(failure: RegistryFailure): Result<never> {
  return { ok: false, failure };
}
