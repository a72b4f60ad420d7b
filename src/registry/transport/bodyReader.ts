import type { Transform } from "node:stream";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import { contentDecoder } from "./contentDecoder";
import type { WireHeaders } from "./wire";

/** Tells how the reading of a body went on. Each is called at most once, `drained` any time. */
interface BodyEvents {
  done(body: Buffer): void;
  failed(failure: RegistryFailure): void;
  /** The decoder can take more. */
  drained(): void;
}

/** Undoes a body's encoding and counts its bytes, encoded and decoded, against one limit. */
export class BodyReader {
  readonly #decoder: Transform | "identity" | undefined;
  readonly #collected: BoundedBuffer;
  readonly #limit: number;
  readonly #events: BodyEvents;
  #received = 0;
  #over = false;

  constructor(headers: WireHeaders, limitBytes: number, route: string, events: BodyEvents) {
    this.#limit = limitBytes;
    this.#events = events;
    const announced = Number(headers["content-length"] ?? 0) || 0;
    this.#decoder = contentDecoder(headers["content-encoding"]);
    const expected = this.#decoder === "identity" ? announced : announced * 4;
    this.#collected = new BoundedBuffer(limitBytes, expected);
    if (announced > limitBytes) this.#fail({ kind: "tooLarge", limitBytes });
    else if (this.#decoder === undefined) {
      this.#fail({ kind: "unreadable", route, field: "content-encoding" });
    } else if (this.#decoder !== "identity") this.#listen(this.#decoder, route);
  }

  /** Takes a chunk as it came. False asks to wait for `drained`. */
  push(chunk: Buffer): boolean {
    if (this.#over) return true;
    this.#received += chunk.length;
    if (this.#received > this.#limit) this.#fail({ kind: "tooLarge", limitBytes: this.#limit });
    else if (this.#decoder === "identity") this.#collect(chunk);
    else return this.#decoder?.write(chunk) ?? true;
    return true;
  }

  /** Says that the last chunk has come. */
  end(): void {
    if (this.#over) return;
    // Answers without a body, such as 304, may name an encoding all the same.
    if (this.#decoder === "identity" || this.#received === 0) this.#finish();
    else this.#decoder?.end();
  }

  /** Stops reading and frees the decoder. Returns what was decoded until now. */
  stop(): Buffer {
    this.#over = true;
    if (this.#decoder !== "identity") this.#decoder?.destroy();
    return this.#collected.bytes();
  }

  #listen(decoder: Transform, route: string): void {
    decoder
      .on("data", (chunk: Buffer) => this.#collect(chunk))
      .on("drain", () => this.#events.drained())
      .on("end", () => this.#finish())
      .on("error", () => this.#fail({ kind: "unreadable", route, field: "content-encoding" }));
  }

  #collect(chunk: Buffer): void {
    if (this.#over || this.#collected.push(chunk)) return;
    this.#fail({ kind: "tooLarge", limitBytes: this.#limit });
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#events.done(this.#collected.bytes());
  }

  #fail(failure: RegistryFailure): void {
    if (this.#over) return;
    this.stop();
    // Later, so that the owner of a reader that fails in its constructor has it in hand.
    queueMicrotask(() => this.#events.failed(failure));
  }
}

/**
 * Collects bytes up to a limit in one growing buffer. Small chunks are copied, not kept: ten million
 * chunks of one byte would otherwise cost a hundred times the limit.
 */
class BoundedBuffer {
  #bytes: Buffer;
  #length = 0;

  /** `expectedBytes` sizes the first buffer and may be wrong. */
  constructor(
    readonly limit: number,
    expectedBytes: number,
  ) {
    this.#bytes = Buffer.allocUnsafe(Math.max(1024, Math.min(expectedBytes, limit)));
  }

  /** Adds a chunk. False, with nothing added, where that would pass the limit. */
  push(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    if (length > this.limit) return false;
    if (length > this.#bytes.length) this.#grow(length);
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
    return true;
  }

  /** The bytes collected so far. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(needed: number): void {
    const size = Math.min(this.limit, Math.max(needed, this.#bytes.length * 2));
    const grown = Buffer.allocUnsafe(size);
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
