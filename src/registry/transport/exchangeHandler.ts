import type { IncomingHttpHeaders } from "node:http";
import type { Transform } from "node:stream";
import type Dispatcher from "undici/types/dispatcher";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import { decodeCharset } from "./charset";
import { codeOf, failureOfError } from "./failureOfError";
import {
  type ContentEncoding,
  contentDecoder,
  type Exchange,
  type ExchangeLimits,
  encodingOf,
  type WireHeaders,
  type WireResponse,
} from "./wire";

/** Follows one request through undici and determines its result. */
export class ExchangeHandler implements Dispatcher.DispatchHandler {
  /** Resolves once the request leaves the queue: a connection accepted it, or it ended before that. */
  readonly dequeued: Promise<void>;
  readonly exchange: Promise<Exchange>;
  readonly #route: string;
  readonly #limits: ExchangeLimits;
  readonly #headerLimitBytes: number;
  readonly #onStart: () => void;
  #settle: (exchange: Exchange) => void = () => undefined;
  #dequeue: () => void = () => undefined;
  #isOver = false;
  #mayBeSent = false;
  #controller: Dispatcher.DispatchController | undefined;
  #head: { readonly status: number; readonly headers: WireHeaders } | undefined;
  #reader: BodyReader | undefined;

  /** `onStart` is called right before the request is written. */
  constructor(
    path: string,
    limits: ExchangeLimits,
    headerLimitBytes: number,
    onStart: () => void = () => undefined,
  ) {
    this.#route = path.split("?", 1)[0] ?? path;
    this.#limits = limits;
    this.#headerLimitBytes = headerLimitBytes;
    this.#onStart = onStart;
    this.dequeued = new Promise((resolve) => {
      this.#dequeue = resolve;
    });
    this.exchange = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Ends the exchange immediately; the connection is closed. */
  fail(failure: RegistryFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const body = this.#reader?.stop() ?? Buffer.alloc(0);
    this.#controller?.abort(new Error(failure.kind));
    this.#dequeue();
    this.#settle({
      kind: "failed",
      failure,
      mayBeSent: this.#mayBeSent,
      ...(this.#head && { partial: responseOf(this.#head, body) }),
    });
  }

  /** Called right before undici writes to a connection: from here on, the request may have been sent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver || this.#mayBeSent) {
      controller.abort(new Error(this.#mayBeSent ? "sent before" : "not wanted any more"));
      return;
    }
    this.#mayBeSent = true;
    this.#controller = controller;
    this.#onStart();
    this.#dequeue();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (this.#isOver || status < 200) return;
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
    if (this.#isOver || this.#head === undefined) return;
    this.#isOver = true;
    this.#settle({ kind: "answered", answer: responseOf(this.#head, body) });
  }
}

function responseOf(head: Omit<WireResponse, "body">, bytes: Buffer): WireResponse {
  return { ...head, ...decodeCharset(head.headers["content-type"], bytes) };
}

function joined(headers: IncomingHttpHeaders): WireHeaders {
  const fields: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    fields[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return fields;
}

/** Events while a body is read. Each is called at most once, except `drained`. */
interface BodyEvents {
  done(body: Buffer): void;
  failed(failure: RegistryFailure): void;
  /** The decoder can accept more. */
  drained(): void;
}

/** Decodes a body. The encoded and the decoded bytes each count against the same limit. */
class BodyReader {
  readonly #encoding: ContentEncoding | undefined;
  readonly #route: string;
  /** Created with the first bytes, which tell whether a deflated body has a wrapper. */
  #decoder: Transform | undefined;
  readonly #collected: BoundedBuffer;
  readonly #limit: number;
  readonly #events: BodyEvents;
  #received = 0;
  #isOver = false;

  constructor(headers: WireHeaders, limitBytes: number, route: string, events: BodyEvents) {
    this.#limit = limitBytes;
    this.#events = events;
    const announced = Number(headers["content-length"] ?? 0) || 0;
    this.#route = route;
    this.#encoding = encodingOf(headers["content-encoding"]);
    const expected = this.#encoding === "identity" ? announced : announced * 4;
    this.#collected = new BoundedBuffer(limitBytes, expected);
    if (announced > limitBytes) this.#fail({ kind: "tooLarge", limitBytes });
    else if (this.#encoding === undefined) this.#failDecoding();
  }

  /** Decodes a received chunk. Returns false if the caller must wait for `drained`. */
  push(chunk: Buffer): boolean {
    if (this.#isOver) return true;
    this.#received += chunk.length;
    if (this.#received > this.#limit) this.#fail({ kind: "tooLarge", limitBytes: this.#limit });
    else if (this.#encoding === "identity") this.#collect(chunk);
    else if (chunk.length > 0) return this.#decoderFor(chunk)?.write(chunk) ?? true;
    return true;
  }

  /** Ends the body after the last chunk. */
  end(): void {
    if (this.#isOver) return;
    // Responses without a body, such as 304, may still name an encoding.
    if (this.#decoder === undefined) this.#finish();
    else this.#decoder.end();
  }

  /** Stops reading and frees the decoder. Returns the decoded bytes so far. */
  stop(): Buffer {
    this.#isOver = true;
    this.#decoder?.destroy();
    return this.#collected.bytes();
  }

  #decoderFor(first: Buffer): Transform | undefined {
    const encoding = this.#encoding;
    if (this.#decoder === undefined && encoding !== undefined && encoding !== "identity") {
      this.#decoder = contentDecoder(encoding, first)
        .on("data", (chunk: Buffer) => this.#collect(chunk))
        .on("drain", () => this.#events.drained())
        .on("end", () => this.#finish())
        .on("error", (error) => this.#failDecoding(error));
    }
    return this.#decoder;
  }

  #failDecoding(error?: Error): void {
    const isCut = codeOf(error) === endedEarly;
    const failure = { kind: "unreadable", route: this.#route, field: "content-encoding" } as const;
    this.#fail(isCut ? { ...failure, isCut } : failure);
  }

  #collect(chunk: Buffer): void {
    if (this.#isOver || this.#collected.push(chunk)) return;
    this.#fail({ kind: "tooLarge", limitBytes: this.#limit });
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.done(this.#collected.bytes());
  }

  #fail(failure: RegistryFailure): void {
    if (this.#isOver) return;
    this.stop();
    // Deferred: if the constructor fails, its caller has no reference to the reader yet.
    queueMicrotask(() => this.#events.failed(failure));
  }
}

/** The code of zlib for compressed data that ends too early. zstd has none: its text just ends. */
const endedEarly = "Z_BUF_ERROR";

/** A longer response gets `roomBytes` at once: growing the buffer would copy megabytes and block the host. */
const longBytes = 1_000_000;
/** The system allocates only pages that are written to. */
const roomBytes = 16_000_000;

/**
 * Collects bytes up to a limit in one growing buffer. Copies chunks instead of keeping them: ten million chunks of one
 * byte would take a hundred times the limit.
 */
class BoundedBuffer {
  #bytes: Buffer;
  #length = 0;

  /** `expectedBytes` is a hint for the size of the first buffer. */
  constructor(
    readonly limit: number,
    expectedBytes: number,
  ) {
    this.#bytes = Buffer.allocUnsafe(Math.max(1024, Math.min(expectedBytes, limit)));
  }

  /** Adds a chunk. Returns false and adds nothing if the limit would be exceeded. */
  push(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    if (length > this.limit) return false;
    if (length > this.#bytes.length) this.#grow(length);
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
    return true;
  }

  /** Returns the bytes so far. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(needed: number): void {
    const doubled = Math.max(needed, this.#bytes.length * 2);
    const size = doubled > longBytes ? Math.max(doubled, roomBytes) : doubled;
    const grown = Buffer.allocUnsafe(Math.min(this.limit, size));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
