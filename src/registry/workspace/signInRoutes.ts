import type { JsonObject, JsonValue } from "../../core/json/jsonValue";
import type { Result } from "../../core/registry/registryFailure";
import {
  type Account,
  isNotOffered,
  type OfferedSignIn,
  readUserToken,
  type SignInProvider,
  type UserSession,
} from "../../core/workspace/account";
import {
  given,
  listOf,
  member,
  objectOf,
  textOf,
  timeOf,
  unwrapList,
  unwrapObject,
  wordOf,
} from "../decode/field";
import { decoded, type UserRoutes } from "./userRoutes";

/** A code that is on its way by mail. */
export interface CodeChallenge {
  readonly challengeId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** Signs people in at one registry. Nothing it sends carries a token; passwords and codes are kept nowhere. */
export class SignInRoutes {
  readonly #routes: UserRoutes;
  readonly #origin: string;

  constructor(routes: UserRoutes, origin: string) {
    this.#routes = routes;
    this.#origin = origin;
  }

  /** Asks which ways to sign in there are. A registry without the route offers none. */
  async offered(signal: AbortSignal): Promise<Result<OfferedSignIn>> {
    const route = "/v1/auth/providers";
    const [providers, status] = await Promise.all([
      this.#routes.send({ method: "GET", route }, signal),
      this.#routes.send({ method: "GET", route: "/v1/status" }, signal),
    ]);
    if (!providers.ok) {
      return isNotOffered(providers.failure)
        ? { ok: true, value: { isOffered: false, providers: [] } }
        : providers;
    }
    return decoded(providers, route, "providers", (body) => {
      const list = unwrapList(body, "providers");
      if (list === undefined) return undefined;
      return {
        isOffered: true,
        providers: listOf([...list.items], readProvider),
        ...given("mailWorks", status.ok ? mailWorks(status.value) : undefined),
      };
    });
  }

  /** Has a code sent to an address. The gateway answers the same for an unknown address. */
  async requestCode(email: string, signal: AbortSignal): Promise<Result<CodeChallenge>> {
    const route = "/v1/auth/email/request-code";
    // Without the mode the gateway makes a new workspace of it.
    const body = { mode: "login", email };
    const answer = await this.#routes.send({ method: "POST", route, body }, signal);
    return decoded(answer, route, "challengeId", (value) => {
      const challenge = unwrapObject(value, "challenge") ?? {};
      const challengeId = textOf(member(challenge, "challengeId", "id"));
      if (challengeId === undefined) return undefined;
      return { challengeId, ...given("expiresAt", timeOf(member(challenge, "expiresAt"))) };
    });
  }

  /** Signs in with a code. */
  async verifyCode(
    challengeId: string,
    code: string,
    signal: AbortSignal,
  ): Promise<Result<UserSession>> {
    return this.#login("/v1/auth/email/verify-code", { challengeId, code }, signal);
  }

  /** Signs in with a password. */
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
    const request = { method: "POST", route, body, bringsSecret: true } as const;
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

/** Reads who is signed in, from the answer to a sign-in or of the account's route. Undefined without a user. */
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
    ...given("expiresAt", timeOf(member(session, "expiresAt"))),
  };
}

function readProvider(value: JsonValue): SignInProvider | undefined {
  const source = objectOf(value);
  const provider = source && textOf(member(source, "provider", "type"), 60);
  if (source === undefined || provider === undefined) return undefined;
  return { provider, status: wordOf(member(source, "status")) ?? "" };
}

/** `degraded` of the sum is the normal state of an installation without payments: the mail's own word counts. */
function mailWorks(body: JsonValue): boolean | undefined {
  const status = unwrapObject(body, "status");
  const services = status === undefined ? [] : listOf(member(status, "services"), objectOf);
  const mail = services.find((service) => member(service, "key") === "email");
  const word = mail && textOf(member(mail, "status"), 60);
  return word === undefined ? undefined : word !== "degraded" && word !== "down";
}
