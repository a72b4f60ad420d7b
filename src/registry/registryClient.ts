import { asTestRun } from "../core/invocation/errorCodes";
import type { Invocation, InvocationOutcome } from "../core/invocation/invocation";
import type { KeyReading } from "../core/invocation/permission/canInvoke";
import { readProjectKey, type UserToken } from "../core/registry/credential";
import { KeyRedactor } from "../core/registry/redactSecrets";
import type { RegistryFailure, Result } from "../core/registry/registryFailure";
import { readRegistryOrigin } from "../core/registry/registryOrigin";
import type { OwnDetail } from "../core/skill/mergeSkill";
import type { SkillDetail } from "../core/skill/skill";
import type { SkillListPage, SkillQuery } from "../core/skillList/skillQuery";
import { booleanOf, listOf, member, objectOf, unwrapList } from "./decode/field";
import type { NetworkSettings } from "./networkSettings";
import { type InvokeRoute, invokeSkill } from "./routes/invokeSkill";
import { PublicReader } from "./routes/publicReader";
import { readKey, readListedSkill } from "./routes/readKey";
import { readOwnDetail, readSkill, type SkillReading } from "./routes/readSkill";
import { explainFailure } from "./routes/readStatus";
import { PublisherList, searchSkills } from "./routes/searchSkills";
import { Transport } from "./transport/transport";
import { readPublicVersions } from "./workspace/publicVersions";
import { decoded, SignInRoutes, UserRoutes } from "./workspace/userRoutes";
import { WorkspaceRoutes } from "./workspace/workspaceRoutes";

export type { NetworkSettings } from "./networkSettings";
export { invokeLocal } from "./routes/invokeLocal";
export { postToCollector } from "./routes/postToCollector";

/** The address of a client and the limits of its responses. */
export interface RegistryClientOptions {
  /** From `readRegistryOrigin`: no slash at the end, a path prefix is allowed. */
  readonly baseUrl: string;
  readonly network: NetworkSettings;
  /** From the start of the request to the last byte, for public routes. */
  readonly requestTimeoutSeconds: number;
  /** The same for invocations. */
  readonly invokeTimeoutSeconds: number;
  /** For one response, after decompression. */
  readonly maxResponseBytes: number;
  /** Redacts keys in responses, and learns the keys that this client sends. Default: a new one. */
  readonly redactor?: KeyRedactor;
  /** Called with a line about each exchange with the registry. The caller redacts it. */
  readonly log?: (line: string) => void;
  /** Whether this registry's prices and numbers are invented. Default: false. */
  readonly isSample?: boolean;
  /**
   * Resolves once the redactor knows the stored keys. Public requests and those of signed-in users wait for it. Never
   * rejects. Default: already resolved.
   */
  readonly keysKnown?: Promise<void>;
}

/** The project and the user of a test run. */
export interface TestRunTarget {
  /** The project's slug. */
  readonly project: string;
  readonly token: UserToken;
}

/** Accesses one registry. Expected failures are returned as values. Usable until `close`. */
export class RegistryClient {
  readonly #transport: Transport;
  readonly #reader: PublicReader;
  readonly #publishers: PublisherList;
  readonly #invokeRoute: InvokeRoute;
  readonly #keyRoute: InvokeRoute;
  readonly #userRoutes: UserRoutes;
  readonly #baseUrl: string;
  readonly signIn: SignInRoutes;
  readonly #redactor: KeyRedactor;
  readonly #isSample: boolean;

  /** Throws for an address that `readRegistryOrigin` rejects: no key may be sent there. */
  constructor(options: RegistryClientOptions) {
    const address = readRegistryOrigin(options.baseUrl);
    if (!address.ok) throw new TypeError(address.problem.text);
    const { baseUrl, origin } = address.value;
    this.#transport = new Transport(baseUrl, options.network, undefined, options.log);
    this.#baseUrl = baseUrl;
    this.#isSample = options.isSample === true;
    this.#redactor = options.redactor ?? new KeyRedactor();
    const secrets = { redactor: this.#redactor, keysKnown: options.keysKnown ?? Promise.resolve() };
    const limits = { seconds: options.requestTimeoutSeconds, maxBytes: options.maxResponseBytes };
    this.#reader = new PublicReader(this.#transport, baseUrl, limits, secrets);
    this.#publishers = new PublisherList(this.#reader);
    this.#userRoutes = new UserRoutes(this.#transport, baseUrl, limits, secrets);
    this.signIn = new SignInRoutes(this.#userRoutes, origin);
    this.#keyRoute = {
      transport: this.#transport,
      url: new URL(`${baseUrl}/mcp`),
      limits,
      redactor: this.#redactor,
    };
    this.#invokeRoute = {
      transport: this.#transport,
      url: new URL(`${baseUrl}/v1/runtime/invoke`),
      limits: { seconds: options.invokeTimeoutSeconds, maxBytes: options.maxResponseBytes },
      redactor: this.#redactor,
    };
  }

  /** Returns the origin of the registry's web application if a response named it; never contains a secret. */
  get webOrigin(): string | undefined {
    const origin = this.#transport.webOrigin;
    return origin === undefined || this.#redactor.holds(origin) ? undefined : origin;
  }

  /** Empties the cache of publishers. */
  forgetPublishers(): void {
    this.#publishers.forget();
  }

  /** Loads a page of the public list. `cursor` is the previous page's `nextCursor`. */
  search(
    query: SkillQuery,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<Result<SkillListPage>> {
    return searchSkills(this.#sources(), query, cursor, signal);
  }

  /**
   * Loads everything known about a skill. An empty `version` means the newest. A registry may ignore `version` and
   * return another one: check the detail's own version.
   */
  skill(
    slug: string,
    version: string | undefined,
    signal: AbortSignal,
    reading?: SkillReading,
  ): Promise<Result<SkillDetail>> {
    return readSkill(this.#sources(), slug, version, signal, reading);
  }

  /** Loads a skill's current version from its own route: one request, without price, feedback and publisher. */
  ownDetail(slug: string, signal: AbortSignal): Promise<Result<OwnDetail>> {
    return readOwnDetail(this.#reader, slug, undefined, signal);
  }

  /**
   * Sends an invocation once. The outcome of a cancellation is `notSent` before the first byte was written, and
   * `outcomeUnknown` after it. Throws if the payload is not JSON, which callers check first.
   */
  async invoke(
    invocation: Invocation,
    projectKey: string,
    signal: AbortSignal,
  ): Promise<InvocationOutcome> {
    const reading = readProjectKey(projectKey);
    // Status 0: the invocation was not sent, so there is no response.
    if (!reading.ok) return { kind: "refused", reason: "missingKey", status: 0, durationMs: 0 };
    const { key } = reading;
    this.#redactor.learn(key);
    const { origin } = this.#invokeRoute.url;
    return invokeSkill(
      this.#invokeRoute,
      invocation,
      { kind: "projectKey", origin, text: key },
      signal,
    );
  }

  /**
   * Runs a skill once in a project for a signed-in user, without a Project Key and without billing. This is not a dry
   * run: the skill runs, and the run counts toward the rate limit. Otherwise like `invoke`.
   */
  async testRun(
    invocation: Invocation,
    { project, token }: TestRunTarget,
    signal: AbortSignal,
  ): Promise<InvocationOutcome> {
    this.#redactor.learn(token.text);
    const path = `/v1/projects/${encodeURIComponent(project)}/runtime/test`;
    const url = new URL(this.#baseUrl + path);
    return asTestRun(await invokeSkill({ ...this.#invokeRoute, url }, invocation, token, signal));
  }

  /** Reads which skills a key may invoke, without invoking any. The key is sent only to `/mcp` of this registry. */
  async readKey(projectKey: string, signal: AbortSignal): Promise<KeyReading> {
    const reading = readProjectKey(projectKey);
    if (!reading.ok) return { kind: "unknown" };
    this.#redactor.learn(reading.key);
    return readKey(this.#keyRoute, reading.key, signal);
  }

  /** Reads the newest versions that can be installed, by slug. Private skills are left out. Never rejects. */
  publicVersions(
    slugs: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    return readPublicVersions(this.#reader, slugs, signal);
  }

  /**
   * Reads a skill from the key's list, in the version that the key's project has installed. Permissions and runtime are
   * unknown.
   */
  async listedSkill(
    projectKey: string,
    slug: string,
    signal: AbortSignal,
  ): Promise<Result<OwnDetail>> {
    this.#redactor.learn(projectKey);
    return readListedSkill(this.#keyRoute, projectKey, slug, signal);
  }

  /** Adds the registry's own status to a failure that an outage may explain. Sends one more request for that. */
  explain(failure: RegistryFailure, signal: AbortSignal): Promise<RegistryFailure> {
    return explainFailure(this.#reader, failure, signal);
  }

  /** Reads whether the registry accepts payments. */
  acceptsPayments(signal: AbortSignal): Promise<Result<boolean>> {
    return readAcceptsPayments(this.#reader, signal);
  }

  /** Returns the routes for the owner of a token. A token of another registry makes every request fail. */
  workspace(token: UserToken): WorkspaceRoutes {
    return new WorkspaceRoutes(this.#userRoutes, token);
  }

  /** Aborts all requests and closes every connection. */
  close(): void {
    this.#publishers.close();
    this.#transport.close();
  }

  #sources() {
    return { reader: this.#reader, publishers: this.#publishers, isSample: this.#isSample };
  }
}

/** Reads whether a registry accepts payments: at least one payment provider is set up. */
async function readAcceptsPayments(
  reader: PublicReader,
  signal: AbortSignal,
): Promise<Result<boolean>> {
  const route = "/v1/payment/providers";
  return decoded(await reader.read(route, signal), route, "providers", (body) => {
    const list = unwrapList(body, "providers");
    const providers = list && listOf([...list.items], objectOf);
    return providers?.some((provider) => booleanOf(member(provider, "configured")) === true);
  });
}
