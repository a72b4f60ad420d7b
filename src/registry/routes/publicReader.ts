import { type JsonValue, optional } from "../../core/json/jsonValue";
import { isSuccessStatus } from "../../core/registry/httpStatus";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import type { RegistryFailure, Result } from "../../core/registry/registryFailure";
import { parseJson } from "../decode/parseJson";
import { failed, failureOfAnswer, failureOfPage } from "../decode/readErrorBody";
import { redactBytes } from "../redactBytes";
import type { Transport } from "../transport/transport";
import {
  type ExchangeLimits,
  redirectTarget,
  requestHeaders,
  type WireResponse,
} from "../transport/wire";
import { runYielding } from "../wait";

/** Registries redirect at most between two addresses of one host; three leaves a margin. */
const maxRedirects = 3;

/** Keys that must not be shown or sent to a public route. */
export interface Secrets {
  readonly redactor: KeyRedactor;
  /** Resolves once the redactor has learned this window's keys. Never rejects. */
  readonly keysKnown: Promise<void>;
}

/** A redacted response of a public route. */
interface PublicAnswer {
  readonly body: JsonValue;
  readonly bytes: Buffer;
}

/**
 * A response, and the cached response whose ETag its request sent. The cache may have evicted the cached response
 * since.
 */
interface Answered extends WireResponse {
  readonly entity: Entity | undefined;
}

/** Reads public routes as JSON. Never sends a key. */
export class PublicReader {
  readonly #transport: Transport;
  readonly #baseUrl: string;
  readonly #limits: ExchangeLimits;
  readonly #secrets: Secrets;
  readonly #cache = new EntityCache();

  constructor(transport: Transport, baseUrl: string, limits: ExchangeLimits, secrets: Secrets) {
    this.#transport = transport;
    this.#baseUrl = baseUrl;
    this.#limits = limits;
    this.#secrets = secrets;
  }

  /**
   * Loads `route`, which includes the query. Follows at most three redirects, within the same origin and one deadline.
   * Does not request a route that contains a key.
   */
  async read(
    route: string,
    signal: AbortSignal,
    atMostSeconds = Number.POSITIVE_INFINITY,
  ): Promise<Result<JsonValue>> {
    const answer = await this.readWithBytes(route, signal, atMostSeconds);
    return answer.ok ? { ok: true, value: answer.value.body } : answer;
  }

  /** Loads a route like `read`, and returns the raw bytes as well. */
  async readWithBytes(
    route: string,
    signal: AbortSignal,
    atMostSeconds = Number.POSITIVE_INFINITY,
  ): Promise<Result<PublicAnswer>> {
    const seconds = Math.min(atMostSeconds, this.#limits.seconds);
    const { redactor, keysKnown } = this.#secrets;
    await keysKnown;
    if (redactor.holds(route)) return failed({ kind: "containsKey" });
    const deadline = performance.now() + seconds * 1000;
    let url = new URL(this.#baseUrl + route);
    for (let hops = 0; ; hops += 1) {
      const remainingSeconds = (deadline - performance.now()) / 1000;
      const got = await this.#get(url, signal, remainingSeconds);
      if (!got.ok)
        return got.failure.kind === "timeout" ? failed({ kind: "timeout", seconds }) : got;
      const target = redirectTarget(got.value, url);
      if (target === undefined) return this.#readAnswer(got.value, url, route);
      const isSafe = target.url?.origin === url.origin && !redactor.holds(target.url.href);
      if (!target.url || !isSafe || hops === maxRedirects) {
        return failed({ kind: "redirected", target: redactor.redact(target.shown) });
      }
      url = target.url;
    }
  }

  async #get(url: URL, signal: AbortSignal, seconds: number): Promise<Result<Answered>> {
    const path = url.pathname + url.search;
    const entity = this.#entityOf(path);
    const headers = { ...requestHeaders(), ...optional("if-none-match", entity?.etag) };
    const exchange = await this.#transport.exchange(
      { method: "GET", path, headers },
      { ...this.#limits, seconds },
      signal,
    );
    return exchange.kind === "answered"
      ? { ok: true, value: { ...exchange.answer, entity } }
      : failed(exchange.failure);
  }

  /** Returns the cached response, unless its ETag contains a key that was learned later. */
  #entityOf(path: string): Entity | undefined {
    const entity = this.#cache.get(path);
    if (entity === undefined || !this.#secrets.redactor.holds(entity.etag)) return entity;
    this.#cache.delete(path);
    return undefined;
  }

  async #readAnswer(answer: Answered, url: URL, route: string): Promise<Result<PublicAnswer>> {
    const path = url.pathname + url.search;
    const cached = answer.status === 304 ? answer.entity : undefined;
    const bytes = await runYielding(
      redactBytes(cached?.bytes ?? answer.body, this.#secrets.redactor),
    );
    const body = await runYielding(parseJson(bytes));
    if (!isSuccessStatus(answer.status) && cached === undefined) {
      return failed(failureOfAnswer(answer, body, this.#secrets.redactor));
    }
    if (body === undefined) return failureOfPage(answer, route, this.#secrets.redactor);
    if (cached === undefined) this.#cacheResponse(path, bytes, answer);
    return { ok: true, value: { body, bytes } };
  }

  /** Caches a response, unless its ETag contains a key: revalidation would send it to a public route. */
  #cacheResponse(path: string, bytes: Buffer, { headers }: WireResponse): void {
    const etag = headers["etag"];
    const isFit = etag !== undefined && /^(W\/)?"[\x21\x23-\x7e]{0,500}"$/.test(etag);
    if (isFit && !this.#secrets.redactor.holds(etag)) this.#cache.set(path, { etag, bytes });
    else this.#cache.delete(path);
  }
}

/** Returns whether a failure means that the registry has no such route or no data there, rather than an outage. */
export function isAnswer(failure: RegistryFailure): boolean {
  if (failure.kind === "notFound" || failure.kind === "unreadable") return true;
  return failure.kind === "errorAnswer" && (failure.status < 500 || failure.status === 501);
}

/** A cached response and the ETag to revalidate it with. */
interface Entity {
  readonly etag: string;
  readonly bytes: Buffer;
}

/** Caches the latest responses of public routes by path. Limited in number and size; evicts the oldest first. */
export class EntityCache {
  readonly #entities = new Map<string, Entity>();
  readonly #maxEntries: number;
  readonly #maxLength: number;
  #length = 0;

  /** `maxLength` is the sum of all responses in bytes. */
  constructor(maxEntries = 100, maxLength = 8_000_000) {
    this.#maxEntries = maxEntries;
    this.#maxLength = maxLength;
  }

  get(path: string): Entity | undefined {
    return this.#entities.get(path);
  }

  set(path: string, entity: Entity): void {
    this.delete(path);
    if (entity.bytes.length > this.#maxLength) return;
    this.#entities.set(path, entity);
    this.#length += entity.bytes.length;
    for (const oldest of this.#entities.keys()) {
      if (this.#entities.size <= this.#maxEntries && this.#length <= this.#maxLength) break;
      this.delete(oldest);
    }
  }

  delete(path: string): void {
    this.#length -= this.#entities.get(path)?.bytes.length ?? 0;
    this.#entities.delete(path);
  }
}
