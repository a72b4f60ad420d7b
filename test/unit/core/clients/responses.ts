import type { JsonValue } from "../../../../src/core/json/jsonValue";

/** A response of the runtime route, and the status that the record and both clients give it. */
export type KnownResponse = readonly [
  http: number,
  body: JsonValue | string,
  record: string,
  client: string,
];

const id = { invocationId: "i" };
const output = { output: { at: 3 } };

/** Responses whose status is 2xx, with every kind of word. */
export const successResponses: readonly KnownResponse[] = [
  ...["success", "Succeeded", "COMPLETED", " ok "].flatMap((status): KnownResponse[] => [
    [200, { ...id, ...output, status }, "success", "success"],
    [202, { ...id, ...output, status }, "success", "success"],
  ]),
  [200, { ...id, ...output }, "success", "success"],
  [200, output, "success", "success"],
  [200, id, "success", "success"],
  [201, { ...output, state: "ok" }, "success", "success"],
  [200, { ...output, status: 200 }, "success", "success"],
  [200, { ...output, error: null }, "success", "success"],
  [200, { ...output, ok: true }, "success", "success"],
  [200, { ...output, ok: 1, isError: "false", error: 0, errors: [] }, "success", "success"],
  [200, { ...id, output: { mode: "metered_contract" } }, "not executed", "notExecuted"],
  ...["error", "failed", "errored", "Failure"].map(
    (status): KnownResponse => [200, { ...id, status }, "error", "error"],
  ),
  ...["timeout", "TIMED_OUT", "timedOut", "cancelled", "denied", "blocked"].map(
    (status): KnownResponse => [200, { ...id, status }, "error", "error"],
  ),
  [200, { ...id, state: "failed" }, "error", "error"],
  [200, { ...id, status: { phase: "Failed" } }, "error", "error"],
  [200, { ...id, ...output, status: "failed", error: { message: "boom" } }, "error", "error"],
  [200, { ...id, ...output, status: "success", error: { message: "boom" } }, "error", "error"],
  [200, { ...id, error: { message: "boom" } }, "error", "error"],
  [200, { ...id, ok: false, error: "boom" }, "error", "error"],
  [200, { ...id, success: false }, "error", "error"],
  // Of several words, one that is no success counts.
  ...[
    ...[{ status: 200, state: "failed" }, { status: "ok", state: "failed" }, { success: "false" }],
    ...[{ status: "success", success: false }, { state: "ok", ok: 0 }, { isError: true }],
    ...[{ is_error: "true" }, { errors: ["boom"] }, { status: "ok", errors: { a: ["boom"] } }],
  ].map((words): KnownResponse => [200, { ...id, ...output, ...words }, "error", "error"]),
  [200, { ...id, ...output, status: "ok", state: "queued" }, "not executed", "notExecuted"],
  ...["queued", "pending", "running", "pending_approval", "In Progress", "inProgress"].map(
    (status): KnownResponse => [200, { ...id, status }, "not executed", "notExecuted"],
  ),
  [202, { ...id, status: "queued" }, "not executed", "notExecuted"],
  [202, { ...id, ...output }, "not executed", "notExecuted"],
  [202, {}, "not executed", "notExecuted"],
  ...["partial", "moon_phase", "0", "successfully_queued", "not ok"].map(
    (status): KnownResponse => [
      200,
      { ...id, ...output, status },
      "outcome unknown",
      "outcomeUnknown",
    ],
  ),
  [200, { ...id, ...output, status: 0 }, "outcome unknown", "outcomeUnknown"],
  [200, { ...id, ...output, status: "" }, "outcome unknown", "outcomeUnknown"],
  [200, { ...id, ...output, status: "ok", state: "moon" }, "outcome unknown", "outcomeUnknown"],
  [200, { ...id, ...output, success: "partly" }, "outcome unknown", "outcomeUnknown"],
  [200, { errors: [{ message: "boom" }] }, "outcome unknown", "outcomeUnknown"],
  [200, { ...id, ...output, status: ["success"] }, "outcome unknown", "outcomeUnknown"],
  [200, { error: { message: "boom" } }, "outcome unknown", "outcomeUnknown"],
  [200, {}, "outcome unknown", "outcomeUnknown"],
  [200, "<title>Sign in</title>", "outcome unknown", "outcomeUnknown"],
  [200, { ...id, status: "blocked", code: "budget_exceeded" }, "blocked", "blocked"],
  [200, { code: "invalid_api_key" }, "refused", "refused"],
];

const codes = ["policy_missing", "rate_limit_exceeded", "missing_skill_slug", undefined];

/** Responses whose status is 4xx or 5xx. */
export const failureResponses: readonly KnownResponse[] = [
  ...[400, 401, 404, 405, 413, 422].map(
    (http): KnownResponse => [http, { error: "No." }, "refused", "refused"],
  ),
  ...[408, 409, 410, 418, 423, 424, 500, 502, 503, 504].map(
    (http): KnownResponse => [http, { error: "No." }, "outcome unknown", "outcomeUnknown"],
  ),
  ...[400, 401, 402, 403, 404].map(
    (http): KnownResponse => [http, "<title>Blocked</title>", "refused", "refused"],
  ),
  ...[409, 500, 503].map(
    (http): KnownResponse => [http, "<title>Blocked</title>", "outcome unknown", "outcomeUnknown"],
  ),
  [402, { error: "No." }, "blocked", "blocked"],
  [403, { error: "No." }, "blocked", "blocked"],
  [429, { error: "No." }, "blocked", "rateLimited"],
  [422, { ...id, status: "error" }, "error", "error"],
  [502, { ...id, status: "failed", code: "budget_exceeded" }, "error", "error"],
  [502, { ...id, status: "timeout" }, "outcome unknown", "outcomeUnknown"],
  ...[400, 403, 500].flatMap((http) =>
    codes.flatMap((code): KnownResponse[] => {
      if (code === "policy_missing") return [[http, { code }, "blocked", "blocked"]];
      if (code === "rate_limit_exceeded") return [[http, { code }, "blocked", "rateLimited"]];
      return code === undefined ? [] : [[http, { code }, "refused", "refused"]];
    }),
  ),
];

/** Fields of a response with 429, and the wait in seconds that a client reports for them. */
export const waits: readonly (readonly [
  fields: Record<string, string>,
  seconds: number | undefined,
])[] = [
  [{ "retry-after": "7" }, 7],
  [{ "retry-after": "6m0s" }, 360],
  [{ "retry-after-ms": "2500" }, 2.5],
  [{ "x-ms-retry-after-ms": "500", "retry-after": "1" }, 1],
  [{ "x-ratelimit-reset-after": "1.5" }, 1.5],
  [{ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{}, undefined],
];
