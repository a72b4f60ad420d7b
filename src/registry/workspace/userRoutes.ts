import { type Account, isNotOffered, type UserSession } from "../../core/account/sessions";
import { type OfferedSignIn, readUserToken, type SignInProvider } from "../../core/account/signIn";
import type { TokenRow } from "../../core/account/tokens";
import { type JsonObject, type JsonValue, optional } from "../../core/json/jsonValue";
import type { UserToken } from "../../core/registry/credential";
import { isSuccessStatus } from "../../core/registry/httpStatus";
import type { Result } from "../../core/registry/registryFailure";
import {
  booleanOf,
  listOf,
  member,
  objectOf,
  plainWordOf,
  textOf,
  timeOf,
  unwrapList,
  unwrapObject,
  wordOf,
} from "../decode/field";
import { parseJson } from "../decode/parseJson";
import { failed, failureOfAnswer, failureOfPage, unreadable } from "../decode/readErrorBody";
import { redactBytes } from "../redactBytes";
import type { Secrets } from "../routes/publicReader";
import { serviceWorks, statusRoute } from "../routes/readStatus";
import type { Transport } from "../transport/transport";
import {
  type ExchangeLimits,
  redirectTarget,
  requestHeaders,
  type WireRequest,
  type WireResponse,
} from "../transport/wire";
import { runYielding } from "../wait";

/** A request of a user who is signed in or signing in. */
interface UserRequest {
  readonly method: WireRequest["method"];
  /** Relative to the registry's base address; starts with a slash. */
  readonly route: string;
  /** Missing for sign-in routes. */
  readonly token?: UserToken;
  /** Text is sent unchanged. */
  readonly body?: JsonObject | string;
  /** Whether the response contains a new secret. Then it is returned unredacted, and the caller redacts its texts. */
  readonly returnsSecret?: boolean;
}

/** Sends requests of signed-in users. Never retries or follows a redirect; every result is a value. */
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

  /** The redactor that knows the secrets of this window. */
  get redactor(): Secrets["redactor"] {
    return this.#secrets.redactor;
  }

  /** Sends a request once. Does not send a request whose texts contain a known secret. */
  async send(request: UserRequest, signal: AbortSignal): Promise<Result<JsonValue>> {
    const { method, route, token, body } = request;
    const { redactor, keysKnown } = this.#secrets;
    await keysKnown;
    if (token !== undefined) redactor.learn(token.text);
    const text = typeof body === "object" ? JSON.stringify(body) : body;
    if (redactor.holds(route) || (text !== undefined && redactor.holds(text))) {
      return failed({ kind: "containsKey" });
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
        ...optional("body", text === undefined ? undefined : Buffer.from(text)),
        ...optional("credential", token),
      },
      this.#limits,
      signal,
    );
    return exchange.kind === "answered"
      ? this.#readAnswer(exchange.answer, url, request)
      : failed(exchange.failure);
  }

  async #readAnswer(
    answer: WireResponse,
    url: URL,
    { route, returnsSecret = false }: UserRequest,
  ): Promise<Result<JsonValue>> {
    const { redactor } = this.#secrets;
    const isGood = isSuccessStatus(answer.status);
    const bytes =
      returnsSecret && isGood ? answer.body : await runYielding(redactBytes(answer.body, redactor));
    const target = redirectTarget(answer, url);
    if (target !== undefined) {
      return failed({ kind: "redirected", target: redactor.redact(target.shown) });
    }
    const body = await runYielding(parseJson(bytes));
    if (!isGood) return failed(failureOfAnswer(answer, body, redactor));
    if (body === undefined) return failureOfPage(answer, route, redactor);
    return { ok: true, value: body };
  }
}

/** Reads the value of a successful response. If that is not possible, the failure names the field. */
export function decoded<Value>(
  answer: Result<JsonValue>,
  route: string,
  field: string,
  read: (body: JsonValue) => Value | undefined,
): Result<Value> {
  if (!answer.ok) return answer;
  const value = read(answer.value);
  return value === undefined ? unreadable(route, field) : { ok: true, value };
}

/** A code that was sent by email. */
interface CodeChallenge {
  readonly challengeId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** Signs users in at one registry. Sends no token and stores no passwords or codes. */
export class SignInRoutes {
  readonly #routes: UserRoutes;
  readonly #origin: string;

  constructor(routes: UserRoutes, origin: string) {
    this.#routes = routes;
    this.#origin = origin;
  }

  /** Lists the sign-in methods; none if the registry lacks the route. */
  async methods(signal: AbortSignal): Promise<Result<OfferedSignIn>> {
    const route = "/v1/auth/providers";
    const [providers, status] = await Promise.all([
      this.#routes.send({ method: "GET", route }, signal),
      this.#routes.send({ method: "GET", route: statusRoute }, signal),
    ]);
    if (!providers.ok) {
      // The route names nothing that could be missing, so a 404 with any text means that there is no such route.
      const isMissing = providers.failure.kind === "notFound" || isNotOffered(providers.failure);
      return isMissing ? { ok: true, value: { isOffered: false, providers: [] } } : providers;
    }
    return decoded(providers, route, "providers", (body) => {
      const list = unwrapList(body, "providers");
      if (list === undefined) return undefined;
      return {
        isOffered: true,
        providers: listOf([...list.items], readProvider),
        ...optional("mailWorks", status.ok ? serviceWorks(status.value, "email") : undefined),
      };
    });
  }

  /** Requests a code by email. The gateway's response is the same for an unknown address. */
  async requestCode(email: string, signal: AbortSignal): Promise<Result<CodeChallenge>> {
    const route = "/v1/auth/email/request-code";
    // Without the mode, the gateway would create a new workspace.
    const body = { mode: "login", email };
    const answer = await this.#routes.send({ method: "POST", route, body }, signal);
    return decoded(answer, route, "challengeId", (value) => {
      const challenge = unwrapObject(value, "challenge") ?? {};
      const challengeId = textOf(member(challenge, "challengeId", "id"));
      if (challengeId === undefined) return undefined;
      return { challengeId, ...optional("expiresAt", timeOf(member(challenge, "expiresAt"))) };
    });
  }

  async verifyCode(
    challengeId: string,
    code: string,
    signal: AbortSignal,
  ): Promise<Result<UserSession>> {
    return this.#login("/v1/auth/email/verify-code", { challengeId, code }, signal);
  }

  async passwordLogin(
    identifier: string,
    password: string,
    signal: AbortSignal,
  ): Promise<Result<UserSession>> {
    return this.#login("/v1/auth/password/login", { identifier, password }, signal);
  }

  async #login(
    route: string,
    body: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Result<UserSession>> {
    const request = { method: "POST", route, body, returnsSecret: true } as const;
    const answer = await this.#routes.send(request, signal);
    return decoded(answer, route, "token", (value) => this.#session(value));
  }

  #session(body: JsonValue): UserSession | undefined {
    const login = unwrapObject(body, "login");
    const token = login && objectOf(member(login, "accessToken"));
    if (login === undefined || token === undefined) return undefined;
    const text = textOf(member(token, "token"), 5000);
    const read = text === undefined ? undefined : readUserToken(text, this.#origin);
    const account = readAccount(login, token);
    if (!read?.ok || account === undefined) return undefined;
    const { redactor } = this.#routes;
    redactor.learn(read.token.text);
    const clean = Object.fromEntries(
      Object.entries(account).map(([name, value]) => [
        name,
        typeof value === "string" ? redactor.redact(value) : value,
      ]),
    ) as unknown as Account;
    return { ...clean, origin: this.#origin, token: read.token.text, isOurs: true };
  }
}

/** Reads the signed-in user from the response to a sign-in, or of the account's route. Undefined without a user. */
export function readAccount(source: JsonObject, session: JsonObject): Account | undefined {
  const user = objectOf(member(source, "user", "profile")) ?? {};
  const organization = objectOf(member(source, "organization")) ?? {};
  const membership = objectOf(member(source, "membership")) ?? {};
  const userId = textOf(member(user, "userId", "id"));
  const email = textOf(member(user, "email"), 254);
  if (userId === undefined || email === undefined) return undefined;
  return {
    userId,
    email,
    organizationId: textOf(member(organization, "id")) ?? "",
    organization: textOf(member(organization, "name")) ?? "",
    role: textOf(member(membership, "role"), 60) ?? "",
    tokenId: textOf(member(session, "tokenId", "id")) ?? "",
    ...optional("expiresAt", timeOf(member(session, "expiresAt"))),
  };
}

/** Reads the list of a user's tokens. Undefined if there is no list. */
export function readTokens(body: JsonValue): readonly TokenRow[] | undefined {
  const list = unwrapList(body, "sessions");
  return list && listOf([...list.items], readTokenRow, 1000);
}

const endedWords: ReadonlySet<string> = new Set([
  ...["revoked", "expired", "inactive", "disabled", "deleted", "ended"],
]);

/** Reads the row of a token, from the list or from the response that created it. Undefined without an ID. */
export function readTokenRow(value: JsonValue): TokenRow | undefined {
  const source = objectOf(value);
  const id = source && textOf(member(source, "tokenId", "id"));
  if (source === undefined || id === undefined) return undefined;
  const revokedAt = timeOf(member(source, "revokedAt"));
  return {
    id,
    name: textOf(member(source, "name")) ?? "",
    last4: textOf(member(source, "tokenLast4", "last4"), 8) ?? "",
    isCurrent: booleanOf(member(source, "isCurrent")) ?? false,
    // With an unknown word, a token may work, so it can be revoked.
    isActive: revokedAt === undefined && !endedWords.has(plainWordOf(member(source, "status"))),
    ...optional("createdAt", timeOf(member(source, "createdAt"))),
    ...optional("lastUsedAt", timeOf(member(source, "lastUsedAt"))),
    ...optional("expiresAt", timeOf(member(source, "expiresAt"))),
  };
}

function readProvider(value: JsonValue): SignInProvider | undefined {
  const source = objectOf(value);
  const provider = source && textOf(member(source, "provider", "type"), 60);
  if (source === undefined || provider === undefined) return undefined;
  return { provider, status: wordOf(member(source, "status")) ?? "" };
}
