import Pool from "undici/lib/dispatcher/pool.js";
import { type CredentialProblem, credentialProblem } from "../../core/registry/credential";
import { readWebOrigin } from "../../core/registry/webPages";
import type { NetworkSettings } from "../networkSettings";
import { Connector } from "./connector";
import { ExchangeHandler } from "./exchangeHandler";
import { Trust } from "./trust";
import type { Exchange, ExchangeLimits, WireRequest, WireResponse } from "./wire";

/** The maximum size of all header fields of one response. */
const maxHeaderBytes = 32_768;

/** The time limits for opening a connection and for an idle one, in seconds. */
interface ConnectionLimits {
  readonly openingSeconds: number;
  readonly idleSeconds: number;
}

/**
 * A registry may ask to keep connections for an hour. A sleeping machine or a router may drop an idle connection, and
 * the next invocation on it would fail.
 */
const usualLimits: ConnectionLimits = { openingSeconds: 20, idleSeconds: 10 };

/**
 * Sends requests to one origin. Follows no redirect, stores no cookie, sends nothing twice. Every exchange ends within
 * its limits and returns a value.
 */
export class Transport {
  readonly #pool: Pool;
  readonly #origin: string;
  /** The path before every route, without a slash at its end. */
  readonly #prefix: string;
  readonly #connector: Connector;
  readonly #log: (line: string) => void;
  /** Exchanges that have no connection yet. */
  #waiting = 0;
  #webOrigin: string | undefined;

  /** Credentials are sent only to routes below `baseUrl`. `log` is called with a line about each exchange. */
  constructor(
    baseUrl: string,
    network: NetworkSettings,
    limits = usualLimits,
    log: (line: string) => void = () => undefined,
  ) {
    this.#log = log;
    this.#connector = new Connector(network, new Trust(network), limits.openingSeconds);
    const { origin, pathname } = new URL(baseUrl);
    this.#origin = origin;
    this.#prefix = pathname.replace(/\/+$/, "");
    this.#pool = new Pool(origin, {
      connect: this.#connector.connect,
      pipelining: 1,
      maxHeaderSize: maxHeaderBytes,
      keepAliveMaxTimeout: limits.idleSeconds * 1000,
      // Each exchange has its own deadline, because a slow trickle of bytes never triggers these two timeouts.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Sends a request once and reads its response. Never rejects. */
  async exchange(
    request: WireRequest,
    limits: ExchangeLimits,
    signal: AbortSignal,
  ): Promise<Exchange> {
    if (signal.aborted) return { kind: "failed", failure: { kind: "cancelled" }, mayBeSent: false };
    const problem = this.#credentialProblem(request);
    if (problem !== undefined) {
      return { kind: "failed", failure: { kind: "wrongCredential", problem }, mayBeSent: false };
    }
    const started = performance.now();
    const handler = new ExchangeHandler(request.path, limits, maxHeaderBytes, () =>
      this.#connector.requestStarts(),
    );
    const cancel = () => handler.fail({ kind: "cancelled" });
    const milliseconds = Math.min(limits.seconds * 1000, 2 ** 31 - 1);
    const deadline = setTimeout(
      () => handler.fail({ kind: "timeout", seconds: limits.seconds }),
      milliseconds,
    );
    signal.addEventListener("abort", cancel, { once: true });
    this.#waiting += 1;
    void handler.dequeued.then(() => this.#oneLessWaiting());
    this.#pool.dispatch(
      {
        method: request.method,
        path: request.path,
        headers: headersOf(request),
        body: request.body ?? null,
      },
      handler,
    );
    const exchange = await handler.exchange;
    clearTimeout(deadline);
    signal.removeEventListener("abort", cancel);
    this.#log(exchangeLine(request, exchange, performance.now() - started));
    if (exchange.kind === "answered") {
      const allowed = exchange.answer.headers["access-control-allow-origin"];
      this.#webOrigin = readWebOrigin(allowed) ?? this.#webOrigin;
    }
    return exchange;
  }

  /** Returns the origin of the registry's web application from the last response that named it; else undefined. */
  get webOrigin(): string | undefined {
    return this.#webOrigin;
  }

  /** Aborts every exchange and closes every connection. */
  close(): void {
    this.#connector.abandon();
    void this.#pool.destroy();
  }

  #credentialProblem({ credential, path }: WireRequest): CredentialProblem | undefined {
    const prefix = this.#prefix;
    const route = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : "";
    return credential && credentialProblem(credential, { origin: this.#origin, route });
  }

  /** Aborts half-open connections once no request waits for them. */
  #oneLessWaiting(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#connector.abandon();
  }
}

function headersOf({ headers, credential }: WireRequest): Record<string, string> {
  return credential === undefined
    ? { ...headers }
    : { ...headers, authorization: `Bearer ${credential.text}` };
}

function exchangeLine({ method, path }: WireRequest, exchange: Exchange, ms: number): string {
  const end =
    exchange.kind === "answered"
      ? `${exchange.answer.status}, ${exchange.answer.body.length} bytes${noteOf(exchange.answer)}`
      : exchange.failure.kind;
  return `${method} ${path.slice(0, 500)}: ${end}, ${Math.round(ms)} ms`;
}

function noteOf({ note }: WireResponse): string {
  return note === undefined ? "" : ` (${note})`;
}
