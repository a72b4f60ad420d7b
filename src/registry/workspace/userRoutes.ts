import type { JsonObject, JsonValue } from "../../core/json/jsonValue";
import type { UserToken } from "../../core/registry/credential";
import type { RegistryFailure, Result } from "../../core/registry/registryFailure";
import { given } from "../decode/field";
import { parseJson } from "../decode/parseJson";
import { readErrorBody } from "../decode/readAnswer";
import { redactBytes } from "../redactBytes";
import type { Secrets } from "../routes/publicReader";
import { runYielding } from "../runYielding";
import type { Transport } from "../transport/transport";
import {
  type ExchangeLimits,
  redirectTarget,
  requestHeaders,
  type WireAnswer,
  type WireRequest,
} from "../transport/wire";

/** A request of somebody who is signing in or signed in. */
export interface UserRequest {
  readonly method: WireRequest["method"];
  /** Below the registry's base address; starts with a slash. */
  readonly route: string;
  /** Missing for the routes that sign in. */
  readonly token?: UserToken;
  readonly body?: JsonObject;
  /** The answer brings a new secret, so that it is handed over as it came; the caller redacts its texts. */
  readonly bringsSecret?: boolean;
}

/** Carries requests of people: one try each, no redirect followed, every end a value. */
export class UserRoutes {
  readonly #transport: Transport;
  readonly #baseUrl: string;
  readonly #limits: ExchangeLimits;
  readonly #secrets: Secrets;

  constructor(transport: Transport, baseUrl: string, limits: ExchangeLimits, secrets: Secrets) {
    this.#transport = transport;
    this.#baseUrl = baseUrl;
    this.#limits = limits;
    this.#secrets = secrets;
  }

  /** Knows the secrets of this window, and takes them out of texts. */
  get redactor(): Secrets["redactor"] {
    return this.#secrets.redactor;
  }

  /** Sends a request once. A text in it that holds a known secret is not sent. */
  async send(request: UserRequest, signal: AbortSignal): Promise<Result<JsonValue>> {
    const { method, route, token, body } = request;
    const { redactor, known } = this.#secrets;
    await known;
    if (token !== undefined) redactor.learn(token.text);
    const text = body === undefined ? undefined : JSON.stringify(body);
    if (redactor.holds(route) || (text !== undefined && redactor.holds(text))) {
      return { ok: false, failure: { kind: "containsKey" } };
    }
    const url = new URL(this.#baseUrl + route);
    const exchange = await this.#transport.exchange(
      {
        method,
        path: url.pathname + url.search,
        headers: {
          ...requestHeaders(),
          ...(text !== undefined && { "content-type": "application/json" }),
        },
        ...given("body", text === undefined ? undefined : Buffer.from(text)),
        ...given("credential", token),
      },
      this.#limits,
      signal,
    );
    return exchange.kind === "answered"
      ? this.#readAnswer(exchange.answer, url, request)
      : { ok: false, failure: exchange.failure };
  }

  async #readAnswer(
    answer: WireAnswer,
    url: URL,
    { route, bringsSecret = false }: UserRequest,
  ): Promise<Result<JsonValue>> {
    const { redactor } = this.#secrets;
    const isGood = answer.status >= 200 && answer.status < 300;
    const bytes =
      bringsSecret && isGood ? answer.body : await runYielding(redactBytes(answer.body, redactor));
    const target = redirectTarget(answer, url);
    if (target !== undefined) {
      return failed({ kind: "redirected", target: redactor.redact(target.shown) });
    }
    const body = await runYielding(parseJson(bytes));
    if (!isGood) return failed(errorAnswer(answer.status, body));
    if (body === undefined) return failed(unreadable(route, ""));
    return { ok: true, value: body };
  }
}

/** Makes the failure of an answer that lacks what it must hold. */
function unreadable(route: string, field: string): RegistryFailure {
  return { kind: "unreadable", route: route.split("?", 1)[0] ?? route, field };
}

/** Reads the value of a good answer; the failure names the field where it cannot be read. */
export function decoded<Value>(
  answer: Result<JsonValue>,
  route: string,
  field: string,
  read: (body: JsonValue) => Value | undefined,
): Result<Value> {
  if (!answer.ok) return answer;
  const value = read(answer.value);
  return value === undefined ? failed(unreadable(route, field)) : { ok: true, value };
}

function errorAnswer(status: number, body: JsonValue | undefined): RegistryFailure {
  const said = readErrorBody(body);
  if (status === 404) return { kind: "notFound", ...given("message", said.message) };
  return { kind: "errorAnswer", status, ...said };
}

function failed(failure: RegistryFailure): Result<never> {
  return { ok: false, failure };
}
