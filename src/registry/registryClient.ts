import { asTestRun } from "../core/invocation/errorCodes";
import type { Invocation, InvocationOutcome } from "../core/invocation/invocation";
import type { KeyReading } from "../core/invocation/permission/keyDiagnosis";
import { readProjectKey, type UserToken } from "../core/registry/credential";
import type { OwnDetail } from "../core/registry/mergeSkill";
import { KeyRedactor } from "../core/registry/redactSecrets";
import type { Result } from "../core/registry/registryFailure";
import { readRegistryOrigin } from "../core/registry/registryOrigin";
import type { SkillDetail } from "../core/skill/skill";
import type { SkillListPage, SkillQuery } from "../core/skillList/skillQuery";
import type { NetworkSettings } from "./networkSettings";
import { type InvokeRoute, invokeSkill } from "./routes/invokeSkill";
import { PublicReader } from "./routes/publicReader";
import { readKey } from "./routes/readKey";
import { readOwnDetail, readSkill, type SkillReading } from "./routes/readSkill";
import { PublisherList, searchSkills } from "./routes/searchSkills";
import { Transport } from "./transport/transport";
import { SignInRoutes, UserRoutes } from "./workspace/userRoutes";
import { WorkspaceRoutes } from "./workspace/workspaceRoutes";

export type { NetworkSettings } from "./networkSettings";

/** Where a client sends and what it allows an answer to cost. */
export interface RegistryClientOptions {
  /** As `readRegistryOrigin` gives it: no slash at the end, a path prefix is allowed. */
  readonly baseUrl: string;
  readonly network: NetworkSettings;
  /** From the invocation to the last byte, for the public routes. */
  readonly requestTimeoutSeconds: number;
  /** The same for an invocation. */
  readonly invokeTimeoutSeconds: number;
  /** Of one answer, after decompression. */
  readonly maxResponseBytes: number;
  /** Knows the keys to take out of answers, and learns those this client sends. Its own by default. */
  readonly redactor?: KeyRedactor;
  /** Takes a line about each exchange with the registry. The caller takes keys out of it. */
  readonly log?: (line: string) => void;
  /** Whether prices and numbers of this registry are invented; they are not by default. */
  readonly isSample?: boolean;
  /** Public answers are not read before this; never rejects. By default they are at once. */
  readonly keysKnown?: Promise<void>;
}

/** Where a test run takes place, and for whom. */
export interface TestRunTarget {
  /** The project's slug. */
  readonly project: string;
  readonly token: UserToken;
}

/** Talks to one registry. Expected failures are values; a client is good until `close`. */
export class RegistryClient {
  readonly #transport: Transport;
  readonly #reader: PublicReader;
  readonly #publishers: PublisherList;
  readonly #invokeRoute: InvokeRoute;
  readonly #keyRoute: InvokeRoute;
  readonly #userRoutes: UserRoutes;
  readonly #baseUrl: string;
  /** Signs people in here. */
  readonly signIn: SignInRoutes;
  readonly #redactor: KeyRedactor;
  readonly #isSample: boolean;

  /** Throws for an address that `readRegistryOrigin` refuses: a key must not go there. */
  constructor(options: RegistryClientOptions) {
    const address = readRegistryOrigin(options.baseUrl);
    if (!address.ok) throw new TypeError(address.problem.text);
    const { baseUrl, origin } = address.value;
    this.#transport = new Transport(baseUrl, options.network, undefined, options.log);
    this.#baseUrl = baseUrl;
    this.#isSample = options.isSample === true;
    this.#redactor = options.redactor ?? new KeyRedactor();
    const secrets = { redactor: this.#redactor, known: options.keysKnown ?? Promise.resolve() };
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

  /** Gets a page of the public list. `cursor` is the page before's `nextCursor`. */
  search(
    query: SkillQuery,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<Result<SkillListPage>> {
    return searchSkills(this.#sources(), query, cursor, signal);
  }

  /**
   * Gets everything known about a skill. A registry may ignore `version` (empty: the newest) and
   * answer with another one: the detail's own version tells.
   */
  skill(
    slug: string,
    version: string | undefined,
    signal: AbortSignal,
    reading?: SkillReading,
  ): Promise<Result<SkillDetail>> {
    return readSkill(this.#sources(), slug, version, signal, reading);
  }

  /** Gets what a skill's own route says of its current version: one request, without price, feedback and publisher. */
  ownDetail(slug: string, signal: AbortSignal): Promise<Result<OwnDetail>> {
    return readOwnDetail(this.#reader, slug, undefined, signal);
  }

  /**
   * Sends an invocation once. Canceled before anything was written it is `notSent`, after that
   * `outcomeUnknown`. Throws where the input is not JSON text, which callers check before.
   */
  async invoke(
    invocation: Invocation,
    projectKey: string,
    signal: AbortSignal,
  ): Promise<InvocationOutcome> {
    const reading = readProjectKey(projectKey);
    // Status 0: no registry has said so, the invocation was held back here.
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
   * Runs a skill once in a project for somebody signed in, without a Project Key and without being
   * billed. It is no dry run: the skill really runs, and counts toward the rate limit. As `invoke` else.
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

  /** Asks what a key may invoke, without an invocation. The key goes to `/mcp` of this registry alone. */
  async readKey(projectKey: string, signal: AbortSignal): Promise<KeyReading> {
    const reading = readProjectKey(projectKey);
    if (!reading.ok) return { kind: "unknown" };
    this.#redactor.learn(reading.key);
    return readKey(this.#keyRoute, reading.key, signal);
  }

  /** Gives what the owner of a token may ask. A token for another registry is refused with each request. */
  workspace(token: UserToken): WorkspaceRoutes {
    return new WorkspaceRoutes(this.#userRoutes, token);
  }

  /** Ends what is under way and closes every connection. */
  close(): void {
    this.#publishers.close();
    this.#transport.close();
  }

  #sources() {
    return { reader: this.#reader, publishers: this.#publishers, isSample: this.#isSample };
  }
}
