import type { RegistryFailure, Result } from "../../core/registry/registryFailure";
import type { JsonValue } from "../../core/text/json";
import { given } from "../decode/field";
import { parseJson } from "../decode/parseJson";
import { readErrorBody } from "../decode/readErrorBody";
import { redirectTarget } from "../redirectTarget";
import { requestHeaders } from "../requestHeaders";
import type { Transport } from "../transport/transport";
import type { ExchangeLimits, WireAnswer } from "../transport/wire";
import { EntityCache } from "./entityCache";

const maxRedirects = 3;

/** Reads public routes as JSON. Nothing it sends carries a key. */
export class PublicReader {
  readonly #transport: Transport;
  readonly #baseUrl: string;
  readonly #limits: ExchangeLimits;
  readonly #redact: (text: string) => string;
  readonly #cache = new EntityCache();

  /** `redact` takes the keys this client has sent out of what the registry says and is asked. */
  constructor(
    transport: Transport,
    baseUrl: string,
    limits: ExchangeLimits,
    redact: (text: string) => string,
  ) {
    this.#transport = transport;
    this.#baseUrl = baseUrl;
    this.#limits = limits;
    this.#redact = redact;
  }

  /**
   * Gets `route` (with its query), following three redirects at most and to the same origin only.
   * One deadline counts for all of them.
   */
  async read(
    route: string,
    signal: AbortSignal,
    atMostSeconds = Number.POSITIVE_INFINITY,
  ): Promise<Result<JsonValue>> {
    const seconds = Math.min(atMostSeconds, this.#limits.seconds);
    const deadline = performance.now() + seconds * 1000;
    let url = new URL(this.#baseUrl + route);
    for (let hops = 0; ; hops += 1) {
      const left = (deadline - performance.now()) / 1000;
      const got = await this.#get(url, signal, left);
      if (!got.ok)
        return got.failure.kind === "timeout" ? failed({ kind: "timeout", seconds }) : got;
      const target = redirectTarget(got.value, url);
      if (target === undefined) return this.#readAnswer(got.value, url, route);
      const isSafe =
        target.url?.origin === url.origin && this.#redact(target.url.href) === target.url.href;
      if (!target.url || !isSafe || hops === maxRedirects) {
        return failed({ kind: "redirected", target: this.#redact(target.shown) });
      }
      url = target.url;
    }
  }

  async #get(url: URL, signal: AbortSignal, seconds: number): Promise<Result<WireAnswer>> {
    const path = url.pathname + url.search;
    const etag = this.#tagOf(path);
    const exchange = await this.#transport.exchange(
      { method: "GET", path, headers: { ...requestHeaders(), ...given("if-none-match", etag) } },
      { ...this.#limits, seconds },
      signal,
    );
    return exchange.kind === "answered"
      ? { ok: true, value: exchange.answer }
      : { ok: false, failure: exchange.failure };
  }

  /** A key that became known after an answer was kept may stand in its tag all the same. */
  #tagOf(path: string): string | undefined {
    const etag = this.#cache.get(path)?.etag;
    if (etag === undefined || this.#redact(etag) === etag) return etag;
    this.#cache.delete(path);
    return undefined;
  }

  #readAnswer(answer: WireAnswer, url: URL, route: string): Result<JsonValue> {
    const path = url.pathname + url.search;
    const kept = answer.status === 304 ? this.#cache.get(path) : undefined;
    const text = this.#redact(kept?.text ?? answer.body.toString("utf8"));
    const body = parseJson(text);
    if (answer.status >= 300 && kept === undefined) return failed(errorAnswer(answer.status, body));
    if (body === undefined) {
      return failed({ kind: "unreadable", route: route.split("?", 1)[0] ?? route, field: "" });
    }
    if (kept === undefined) this.#keep(path, text, answer);
    return { ok: true, value: body };
  }

  /** A tag that holds a key would carry it to a public route, so such an answer is not kept. */
  #keep(path: string, text: string, { headers }: WireAnswer): void {
    const etag = headers["etag"];
    const isFit = etag !== undefined && /^(W\/)?"[\x21\x23-\x7e]{0,500}"$/.test(etag);
    if (isFit && this.#redact(etag) === etag) this.#cache.set(path, { etag, text });
    else this.#cache.delete(path);
  }
}

/** Tells whether a failure is the registry's answer: it has no such route, or gives nothing there. */
export function isAnswer(failure: RegistryFailure): boolean {
  if (failure.kind === "notFound" || failure.kind === "unreadable") return true;
  return failure.kind === "errorAnswer" && (failure.status < 500 || failure.status === 501);
}

function errorAnswer(status: number, body: JsonValue | undefined): RegistryFailure {
  const said = readErrorBody(body);
  if (status === 404) return { kind: "notFound", ...given("message", said.message) };
  return { kind: "errorAnswer", status, ...said };
}

function failed(failure: RegistryFailure): Result<never> {
  return { ok: false, failure };
}
