/**
 * Collects bytes up to a limit in one growing buffer. Small chunks are copied, not kept: ten million
 * chunks of one byte would otherwise cost a hundred times the limit.
 */
export class BoundedBuffer {
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
