import Pool from "undici/lib/dispatcher/pool.js";
import type { NetworkSettings } from "../networkSettings";
import { Connector } from "./connector";
import { ExchangeHandler } from "./exchangeHandler";
import { Trust } from "./trust";
import type { Exchange, ExchangeLimits, WireRequest } from "./wire";

/** The header fields of one answer may take this many bytes together. */
const maxHeaderBytes = 32_768;

/** How long a connection may take to open, and may lie idle, in seconds. */
interface ConnectionLimits {
  readonly openingSeconds: number;
  readonly idleSeconds: number;
}

/**
 * A registry may ask to keep connections for an hour; one that a sleeping machine or a router has
 * forgotten would take a call with it.
 */
const usualLimits: ConnectionLimits = { openingSeconds: 20, idleSeconds: 10 };

/**
 * Carries requests to one origin. Follows no redirect, keeps no cookie, sends nothing twice; every
 * exchange ends within its limits and in a value.
 */
export class Transport {
  readonly #pool: Pool;
  readonly #connector: Connector;
  readonly #log: (line: string) => void;
  /** Exchanges that no connection has taken yet. */
  #waiting = 0;

  /** `log` takes a line about each exchange. */
  constructor(
    origin: string,
    network: NetworkSettings,
    limits = usualLimits,
    log: (line: string) => void = () => undefined,
  ) {
    this.#log = log;
    this.#connector = new Connector(network, new Trust(network), limits.openingSeconds);
    this.#pool = new Pool(origin, {
      connect: this.#connector.connect,
      pipelining: 1,
      maxHeaderSize: maxHeaderBytes,
      keepAliveMaxTimeout: limits.idleSeconds * 1000,
      // The exchange has one deadline of its own; a drip of bytes never meets these two.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Sends a request once and reads its answer. Never rejects. */
  async exchange(
    request: WireRequest,
    limits: ExchangeLimits,
    signal: AbortSignal,
  ): Promise<Exchange> {
    if (signal.aborted) return { kind: "failed", failure: { kind: "cancelled" }, left: false };
    const started = performance.now();
    const handler = new ExchangeHandler(request.path, limits, maxHeaderBytes);
    const cancel = () => handler.fail({ kind: "cancelled" });
    const milliseconds = Math.min(limits.seconds * 1000, 2 ** 31 - 1);
    const deadline = setTimeout(
      () => handler.fail({ kind: "timeout", seconds: limits.seconds }),
      milliseconds,
    );
    signal.addEventListener("abort", cancel, { once: true });
    this.#waiting += 1;
    void handler.taken.then(() => this.#oneLessWaiting());
    this.#pool.dispatch(
      {
        method: request.method,
        path: request.path,
        headers: request.headers,
        body: request.body ?? null,
      },
      handler,
    );
    const exchange = await handler.exchange;
    clearTimeout(deadline);
    signal.removeEventListener("abort", cancel);
    this.#log(exchangeLine(request, exchange, performance.now() - started));
    return exchange;
  }

  /** Ends every exchange and closes every connection. */
  close(): void {
    this.#connector.abandon();
    void this.#pool.destroy();
  }

  /** With nobody waiting, a connection half open is of use to nobody. */
  #oneLessWaiting(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#connector.abandon();
  }
}

function exchangeLine({ method, path }: WireRequest, exchange: Exchange, ms: number): string {
  const end =
    exchange.kind === "answered"
      ? `${exchange.answer.status}, ${exchange.answer.body.length} bytes`
      : exchange.failure.kind;
  return `${method} ${path.slice(0, 500)}: ${end}, ${Math.round(ms)} ms`;
}
