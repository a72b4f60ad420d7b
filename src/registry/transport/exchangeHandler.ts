import type { IncomingHttpHeaders } from "node:http";
import type Dispatcher from "undici/types/dispatcher";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import { BodyReader } from "./bodyReader";
import { failureOfError } from "./failureOfError";
import type { Exchange, ExchangeLimits, WireHeaders } from "./wire";

/** Follows one request through undici and decides what became of it. */
export class ExchangeHandler implements Dispatcher.DispatchHandler {
  /** Settles when a connection has taken the request, or when it is over before that. */
  readonly taken: Promise<void>;
  readonly exchange: Promise<Exchange>;
  readonly #route: string;
  readonly #limits: ExchangeLimits;
  readonly #headerLimitBytes: number;
  #settle: (exchange: Exchange) => void = () => undefined;
  #take: () => void = () => undefined;
  #over = false;
  #left = false;
  #controller: Dispatcher.DispatchController | undefined;
  #head: { readonly status: number; readonly headers: WireHeaders } | undefined;
  #reader: BodyReader | undefined;

  constructor(path: string, limits: ExchangeLimits, headerLimitBytes: number) {
    this.#route = path.split("?", 1)[0] ?? path;
    this.#limits = limits;
    this.#headerLimitBytes = headerLimitBytes;
    this.taken = new Promise((resolve) => {
      this.#take = resolve;
    });
    this.exchange = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Ends the exchange here and now; the connection is cut. */
  fail(failure: RegistryFailure): void {
    if (this.#over) return;
    this.#over = true;
    const body = this.#reader?.stop() ?? Buffer.alloc(0);
    this.#controller?.abort(new Error(failure.kind));
    this.#take();
    this.#settle({
      kind: "failed",
      failure,
      left: this.#left,
      ...(this.#head && { partial: { ...this.#head, body } }),
    });
  }

  /** Runs right before undici writes to a connection: from here on the request may have left. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over || this.#left) {
      controller.abort(new Error(this.#left ? "sent before" : "not wanted any more"));
      return;
    }
    this.#left = true;
    this.#controller = controller;
    this.#take();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (this.#over || status < 200) return;
    this.#head = { status, headers: joined(headers) };
    this.#reader = new BodyReader(this.#head.headers, this.#limits.maxBytes, this.#route, {
      done: (body) => this.#finish(body),
      failed: (failure) => this.fail(failure),
      drained: () => controller.resume(),
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#reader?.push(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#reader?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(failureOfError(error, this.#route, this.#headerLimitBytes));
  }

  #finish(body: Buffer): void {
    if (this.#over || this.#head === undefined) return;
    this.#over = true;
    this.#settle({ kind: "answered", answer: { ...this.#head, body } });
  }
}

function joined(headers: IncomingHttpHeaders): WireHeaders {
  const fields: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    fields[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return fields;
}
