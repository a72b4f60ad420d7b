import assert from "node:assert/strict";
import { it } from "mocha";
import type { JsonObject } from "../../../src/core/json/jsonValue";
import { type RawAnswer, rawRequest } from "./rawRequest";
import { withRegistry } from "./withRegistry";

/** The caller of a request: a role, a Project Key, or nobody. */
export type Who = "owner" | "developer" | "finance" | "key" | "nobody";

/** The time at which the registry of `withWorkspace` starts, in milliseconds. */
export const startedAt = Date.parse("2026-11-20T10:00:00Z");

/** Starts a registry for a `describe`, with functions that send requests as its users. */
export function withWorkspace() {
  const codes = new Map<string, string>();
  const clock = { now: startedAt };
  const test = withRegistry({
    now: () => clock.now,
    deliverCode: (email, code) => codes.set(email, code),
  });
  const send = (token: string | undefined, request: string, body?: JsonObject) => {
    const [method = "", path = ""] = request.split(" ");
    return rawRequest(test.registry.baseUrl + path, {
      method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  const tokenOf = (who: Who) => {
    if (who === "nobody") return undefined;
    return who === "key" ? test.registry.projectKey : test.registry.userTokens[who];
  };
  const ask = (who: Who, request: string, body?: JsonObject) => send(tokenOf(who), request, body);
  return { test, codes, clock, send, ask };
}

/** Compares the expected members in depth; others may exist. */
export function assertHolds(given: unknown, expected: unknown, path = "answer"): void {
  const isObject = typeof expected === "object" && expected !== null && !Array.isArray(expected);
  if (!isObject) assert.deepEqual(given, expected, path);
  else
    for (const [name, value] of Object.entries(expected)) {
      assertHolds((given as JsonObject | undefined)?.[name], value, `${path}.${name}`);
    }
}

/** The route of the user's projects. */
export const projects = "/v1/developer/projects";

/** The route of the registry's sample project. */
export const demo = "/v1/projects/local-demo";

/** The route of the sample project's installed skills. */
export const install = `${demo}/installed-skills`;

/** The route of the sample project's policies. */
export const policies = `${demo}/policies`;

/** The request for a code by mail. */
export const signIn = "POST /v1/auth/email/request-code";

/** The request that signs in with a code. */
export const verify = "POST /v1/auth/email/verify-code";

/** The request that signs in with a password. */
export const login = "POST /v1/auth/password/login";

/** The request for a new key of the sample project. */
export const keyRoute = `POST ${demo}/api-keys`;

/** The slug of a free sample skill. */
export const text = "text-stats";

/** The error of a role that may not change projects. */
export const role = "Requires one of these roles: super_admin, admin, owner, developer.";

/** An ID that nothing has. */
export const noId = "00000000-0000-4000-8000-000000000000";

/** A role, a request, its body, and the expected status and members (or error text) of the response. */
export type Row = readonly [
  who: Who,
  request: string,
  body: JsonObject | undefined,
  status: number,
  answer: string | JsonObject,
];

function assertAnswer({ status, json, text }: RawAnswer, [, , , wanted, expected]: Row): void {
  assert.equal(status, wanted, text);
  if (typeof expected === "string") {
    const { error, ...more } = json as JsonObject;
    assert.deepEqual([error, more], [expected, {}]);
  } else assertHolds(json, expected);
}

/** Declares a test of each row, which sends its request with `ask`. */
export function itAnswers(
  rows: readonly Row[],
  ask: ReturnType<typeof withWorkspace>["ask"],
): void {
  for (const row of rows) {
    const [who, request, body, status] = row;
    it(`return ${status} to ${who}: ${request} ${JSON.stringify(body ?? "").slice(0, 120)}`, async () => {
      assertAnswer(await ask(who, request, body), row);
    });
  }
}
